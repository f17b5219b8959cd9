(let ((n (read)))
  (format t "~d~%" (floor 100 n)))
