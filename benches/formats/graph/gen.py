import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
edges = set()
for _ in range(n):
    u, v = random.sample(range(1, n + 1), 2)
    if (v, u) not in edges:
        edges.add((u, v))
print(n, len(edges))
for u, v in edges:
    print(u, v)
