import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
a = sorted(random.randint(1, n // 3) for _ in range(n))
print(n, random.choice(a))
print(*a)
