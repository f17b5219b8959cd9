(format t "before~%")
(error "sorry")
