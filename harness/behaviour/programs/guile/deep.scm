(define (depth n)
  (if (= n 0) 0 (+ 1 (depth (- n 1)))))
(display (depth (read)))
(newline)
