puts gets.to_i + 1
