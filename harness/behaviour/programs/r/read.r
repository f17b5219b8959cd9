lines <- readLines(file("stdin"))
n <- as.integer(lines[1])
cat(n + 1L, "\n")
cat(nchar(lines[2]), "\n")
