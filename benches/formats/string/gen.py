import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
print(n)
print("".join(random.choice("abcdefghijkl") for _ in range(n)))
