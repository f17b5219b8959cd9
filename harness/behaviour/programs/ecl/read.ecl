(let* ((n (parse-integer (read-line)))
       (line (read-line)))
  (format t "~d~%~d~%" (+ n 1) (length line)))
