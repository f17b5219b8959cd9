(defun depth (n)
  (if (= n 0) 0 (+ 1 (depth (- n 1)))))
(format t "~d~%" (depth (read)))
