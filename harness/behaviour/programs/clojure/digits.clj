(println (str (inc (bigint (read-line)))))
