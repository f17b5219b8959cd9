local n = io.read("n", "l")
local line = io.read("l")
print(n + 1)
print(#line)
