(let ((n (read)))
  (assert (> n 0))
  (format t "after~%"))
