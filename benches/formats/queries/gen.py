import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
q = random.randint(n // 2, n)
print(n, q)
print(*[random.randint(0, 10**6) for _ in range(n)])
for _ in range(q):
    if random.random() < 0.5:
        print(1, random.randint(1, n), random.randint(0, 10**6))
    else:
        print(2, *sorted([random.randint(1, n), random.randint(1, n)]))
