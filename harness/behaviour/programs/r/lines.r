lines <- readLines(file("stdin"))
n <- as.integer(lines[1])
for (x in as.integer(lines[1 + seq_len(n)])) cat(x, "\n")
