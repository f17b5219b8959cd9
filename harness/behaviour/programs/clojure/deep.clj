(defn depth [n]
  (if (zero? n) 0 (+ 1 (depth (- n 1)))))
(println (depth (Long/parseLong (read-line))))
