blocks <- list()
repeat blocks[[length(blocks) + 1]] <- rep(1, 131072)
