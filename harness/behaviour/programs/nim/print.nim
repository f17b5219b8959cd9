for i in 1 .. 1_000_000:
  echo i
