local n = io.read("n")
assert(n > 0)
print("after")
