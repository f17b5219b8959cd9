import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
points = set()
while len(points) < n:
    points.add((random.randint(-50, 50), random.randint(-50, 50)))
points = list(points)
random.shuffle(points)
print(n)
for x, y in points:
    print(x, y)
