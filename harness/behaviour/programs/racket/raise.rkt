#lang racket
(display "before")
(newline)
(error "sorry")
