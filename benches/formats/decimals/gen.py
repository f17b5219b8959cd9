import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
prices = [random.randint(0, 9999) for _ in range(n)]
for i in range(2, n):
    if random.random() < 0.3:
        prices[i] = (prices[i - 2] + prices[i - 1]) % 10000
print(n)
print(*[f"{p // 100}.{p % 100:02}" for p in prices])
