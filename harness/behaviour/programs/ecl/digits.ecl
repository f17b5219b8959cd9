(format t "~d~%" (+ (parse-integer (read-line)) 1))
