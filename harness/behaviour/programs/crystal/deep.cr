def depth(n : Int64) : Int64
  return 0_i64 if n == 0
  left = depth(n - 1)
  right = depth(0_i64)
  1_i64 + (left > right ? left : right)
end

puts depth(gets.not_nil!.to_i64)
