sub depth($n) { $n == 0 ?? 0 !! 1 + depth($n - 1) }
say depth(get.Int);
