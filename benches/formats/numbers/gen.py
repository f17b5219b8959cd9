import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
print(n)
print(*[random.randint(-10**9, 10**9) for _ in range(n)])
