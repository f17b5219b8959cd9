gets.not_nil!.to_i.times { puts gets.not_nil!.to_i }
