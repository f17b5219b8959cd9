n <- as.integer(readLines(file("stdin")))
stopifnot(n > 0)
cat("after\n")
