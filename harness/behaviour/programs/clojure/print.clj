(doseq [i (range 1 1000001)]
  (println i))
