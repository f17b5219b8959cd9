local n = io.read("n")
print(100 // n)
