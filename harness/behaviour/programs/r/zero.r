n <- as.integer(readLines(file("stdin")))
cat(100L %/% n, "\n")
