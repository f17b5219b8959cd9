n = gets.not_nil!.to_i
line = gets.not_nil!
puts n + 1
puts line.size
