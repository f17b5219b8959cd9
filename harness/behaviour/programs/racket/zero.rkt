#lang racket
(define n (read))
(display (quotient 100 n))
(newline)
