require "big"
puts gets.not_nil!.to_big_i + 1
