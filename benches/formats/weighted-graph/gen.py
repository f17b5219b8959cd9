import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
edges = {}
for _ in range(2 * n):
    u, v = random.sample(range(1, n + 1), 2)
    edges[min(u, v), max(u, v)] = random.randint(1, 10**6)
print(n, len(edges))
for (u, v), w in edges.items():
    print(u, v, w)
