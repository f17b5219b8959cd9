n = int(input())
assert n > 0
print("after")
