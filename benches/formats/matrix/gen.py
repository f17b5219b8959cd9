import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
h, w = random.randint(n // 2, n), random.randint(n // 4, n // 2)
print(h, w)
for _ in range(h):
    print(*[random.randint(-1000, 1000) for _ in range(w)])
