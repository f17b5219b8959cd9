for _ = 1, io.read("n") do
  print(io.read("n"))
end
