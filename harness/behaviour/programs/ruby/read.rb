n = gets.to_i
line = gets.chomp
puts n + 1
puts line.length
