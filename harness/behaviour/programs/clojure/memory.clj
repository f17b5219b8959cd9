(loop [blocks []]
  (recur (conj blocks (byte-array 1048576))))
