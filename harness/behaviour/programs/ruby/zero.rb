n = gets.to_i
puts 100 / n
