for (i in 1:1000000) cat(i, "\n")
