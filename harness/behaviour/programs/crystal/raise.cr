puts "before"
raise "sorry"
