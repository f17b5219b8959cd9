(dotimes [_ (Long/parseLong (read-line))]
  (println (Long/parseLong (read-line))))
