(let [n (Long/parseLong (read-line))
      line (read-line)]
  (println (+ n 1))
  (println (count line)))
