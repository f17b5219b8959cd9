(do ((i 1 (+ i 1)))
    ((> i 1000000))
  (display i)
  (newline))
