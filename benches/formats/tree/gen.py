import random, sys
random.seed(int(sys.argv[2]))
n = int(sys.argv[1])
label = list(range(1, n + 1))
random.shuffle(label)
print(n)
for i in range(1, n):
    print(label[random.randrange(max(0, i - 5), i)], label[i])
