depth <- function(n) if (n == 0) 0L else 1L + depth(n - 1L)
n <- as.integer(readLines(file("stdin")))
cat(depth(n), "\n")
