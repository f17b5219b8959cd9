(let [n (Long/parseLong (read-line))]
  (assert (pos? n))
  (println "after"))
