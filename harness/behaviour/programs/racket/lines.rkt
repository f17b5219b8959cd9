#lang racket
(do ((n (read) (- n 1)))
    ((= n 0))
  (display (read))
  (newline))
