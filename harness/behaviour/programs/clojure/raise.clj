(println "before")
(throw (Exception. "sorry"))
