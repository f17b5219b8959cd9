n = gets.not_nil!.to_i
puts 100 // n
