(let [n (Long/parseLong (read-line))]
  (println (quot 100 n)))
