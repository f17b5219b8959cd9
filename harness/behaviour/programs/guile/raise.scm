(display "before")
(newline)
(error "sorry")
