#lang racket
(define n (read))
(void (read-line))
(define line (read-line))
(display (+ n 1))
(newline)
(display (string-length line))
(newline)
