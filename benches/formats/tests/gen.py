import random, sys
random.seed(int(sys.argv[2]))
t = int(sys.argv[1])
print(t)
for _ in range(t):
    n = random.randint(1, 8)
    print(n)
    print(*[random.randint(1, 1000) for _ in range(n)])
