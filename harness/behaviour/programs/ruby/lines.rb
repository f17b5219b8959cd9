n = gets.to_i
n.times { puts gets.to_i }
