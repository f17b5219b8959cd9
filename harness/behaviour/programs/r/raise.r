cat("before\n")
stop("sorry")
