import random, sys
random.seed(int(sys.argv[2]))
left = 3 * int(sys.argv[1])
tests = []
while left > 0:
    n = random.randint(1, min(left, 12))
    left -= n
    tests.append([n, random.randint(1, 9)] + [random.randint(-50, 50) for _ in range(n)])
print(len(tests))
for n, k, *a in tests:
    print(n, k)
    print(*a)
