import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
p = list(range(1, n + 1))
random.shuffle(p)
print(n)
print(*p)
