n = int(input())
line = input()
print(n + 1)
print(len(line))
