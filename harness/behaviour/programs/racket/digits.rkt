#lang racket
(display (+ (read) 1))
(newline)
