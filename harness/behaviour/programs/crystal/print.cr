1.upto(1000000) { |i| puts i }
