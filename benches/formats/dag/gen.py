import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
place = list(range(1, n + 1))
random.shuffle(place)
edges = {tuple(sorted(random.sample(range(n), 2))) for _ in range(3 * n)}
edges = [(place[i], place[j]) for i, j in edges]
random.shuffle(edges)
print(n, len(edges))
for u, v in edges:
    print(u, v)
