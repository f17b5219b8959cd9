(display (+ (read) 1))
(newline)
