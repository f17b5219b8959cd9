import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
h, w = random.randint(n // 4, n), random.randint(n // 4, n)
print(h, w)
for _ in range(h):
    print("".join(random.choice("#.") for _ in range(w)))
