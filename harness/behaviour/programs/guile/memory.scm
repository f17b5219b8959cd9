(let loop ((blocks '()))
  (loop (cons (make-vector 100000 1) blocks)))
