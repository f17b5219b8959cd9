"""Makes tasks and programs for them, each with the verdict that it must get: the same ones for the same seed.

Nothing here does harm where it is run without a sandbox: hostile programs only look for what they must not see.
"""

import random
from collections import namedtuple

# A program with its cases. `verdict` is what it must get; `kind` is why.
Sample = namedtuple("Sample", "id kind verdict request")

# How often each kind of program comes, in hundredths, and its verdict.
KINDS = {
    "right": (45, "AC"),
    "wrong": (25, "WA"),
    "error": (8, "RTE"),
    "hostile": (7, "AC"),
    "slow": (4, "TLE"),
    "sleeping": (1, "TLE"),
    "flooding": (3, "OLE"),
    "greedy": (2, "MLE"),
    "broken": (4, "CE"),
    "absent": (1, "CE"),
}

# Of each task: how an input and its answer are made, and the programs in Python and C++. `%s` in a program is the place where it is
# right or wrong.
TASKS = []


def task(right, wrong, python, cpp):
    def add(make):
        TASKS.append((make, {"right": right, "wrong": wrong}, python, cpp))
        return make

    return add


def numbers(random, least, most):
    return [random.randint(least, most) for _ in range(random.randint(2, 40))]


@task(
    ("numbers", "accumulate(begin, end, 0LL)"),
    ("numbers[:-1]", "accumulate(begin, end - 1, 0LL)"),
    "numbers = list(map(int, input().split()))\nprint(sum(%s))\n",
    "#include <iostream>\n#include <numeric>\n#include <vector>\nusing namespace std;\nint main() {\n  vector<long long> all;\n"
    "  for (long long x; cin >> x;) all.push_back(x);\n  auto begin = all.begin(), end = all.end();\n  cout << %s << endl;\n}\n",
)
def total(random):
    of = numbers(random, 1, 10**9)
    return " ".join(map(str, of)), str(sum(of))


@task(
    ("-10**9", "-1000000000"),
    ("0", "0"),
    "import sys\nbest = %s\nfor word in sys.stdin.read().split():\n    best = max(best, int(word))\nprint(best)\n",
    "#include <cstdio>\n#include <algorithm>\nint main() {\n  int best = %s, x;\n  while (scanf(\"%%d\", &x) == 1) best = std::max(best, x);\n"
    "  printf(\"%%d\\n\", best);\n}\n",
)
def greatest(random):
    of = numbers(random, -1000, -1)
    return "\n".join(map(str, of)), str(max(of))


@task(
    ("int", "a < b"),
    ("str", "to_string(a) < to_string(b)"),
    "numbers = list(map(int, input().split()))\nprint(*sorted(numbers, key=%s))\n",
    "#include <bits/stdc++.h>\nusing namespace std;\nint main() {\n  vector<int> all;\n  for (int x; cin >> x;) all.push_back(x);\n"
    "  sort(all.begin(), all.end(), [](int a, int b) { return %s; });\n  for (int x : all) cout << x << ' ';\n  cout << endl;\n}\n",
)
def in_order(random):
    of = [9, 10] + numbers(random, 1, 100)
    random.shuffle(of)
    return " ".join(map(str, of)), " ".join(map(str, sorted(of)))


@task(
    ("word == word[::-1]", "back == word"),
    ("True", "true"),
    "word = input()\nprint('YES' if %s else 'NO')\n",
    "#include <iostream>\n#include <string>\nint main() {\n  std::string word;\n  std::cin >> word;\n"
    "  std::string back(word.rbegin(), word.rend());\n  std::cout << ((%s) ? \"YES\" : \"NO\") << '\\n';\n}\n",
)
def palindrome(random):
    half = "".join(random.choice("ab") for _ in range(random.randint(1, 20)))
    word = half + random.choice([half[::-1], "c"])
    return word, "YES" if word == word[::-1] else "NO"


@task(
    ("n", "n"),
    ("n + 1", "n + 1"),
    "n, m = map(int, input().split())\na, b = 0, 1\nfor _ in range(%s):\n    a, b = b, (a + b) %% m\nprint(a %% m)\n",
    "#include <iostream>\nint main() {\n  long long n, m, a = 0, b = 1;\n  std::cin >> n >> m;\n  for (long long i = 0; i < %s; i++) {\n"
    "    long long c = (a + b) %% m;\n    a = b;\n    b = c;\n  }\n  std::cout << a %% m << '\\n';\n}\n",
)
def fibonacci(random):
    n, m = random.randint(3, 2000), 10**9 + 7
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) % m
    return f"{n} {m}", str(a)


@task(
    ("sums[r] - sums[l - 1]", "sums[r] - sums[l - 1]"),
    ("sums[r] - sums[l]", "sums[r] - sums[l]"),
    "import sys\ndata = iter(map(int, sys.stdin.buffer.read().split()))\nn, q = next(data), next(data)\nsums = [0]\n"
    "for _ in range(n):\n    sums.append(sums[-1] + next(data))\nfor _ in range(q):\n    l, r = next(data), next(data)\n    print(%s)\n",
    "#include <cstdio>\n#include <vector>\nint main() {\n  int n, q;\n  scanf(\"%%d %%d\", &n, &q);\n  std::vector<long long> sums(n + 1);\n"
    "  for (int i = 1; i <= n; i++) {\n    scanf(\"%%lld\", &sums[i]);\n    sums[i] += sums[i - 1];\n  }\n  for (int l, r; q--;) {\n"
    "    scanf(\"%%d %%d\", &l, &r);\n    printf(\"%%lld\\n\", %s);\n  }\n}\n",
)
def ranges(random):
    of = [random.randint(1, 10**6) for _ in range(random.randint(50, 200))]
    asked = [sorted(random.choices(range(1, len(of) + 1), k=2)) for _ in range(50)]
    lines = [f"{len(of)} {len(asked)}", " ".join(map(str, of))] + [f"{l} {r}" for l, r in asked]
    return "\n".join(lines), "\n".join(str(sum(of[l - 1 : r])) for l, r in asked)


# What is put in front of a right program. It must come to its end with the right output; what it must not see, it prints.
HOSTILE_PYTHON = [
    # Files outside, of the benchmark itself.
    "try:\n    print('escaped', open({secret!r}).read())\nexcept OSError:\n    pass\n",
    # What an earlier run left.
    "import os\nplaces = [place + '/left-{port}' for place in ('.', '/tmp', '/dev/shm', '/var/tmp')]\nfor left in places:\n"
    "    if os.path.exists(left):\n        print('escaped', left)\nfor left in places:\n    try:\n        open(left, 'w').close()\n"
    "    except OSError:\n        pass\n",
    # Answers.
    "import os\nfor place in ('.', '..', '/tmp', '/data', '/cases'):\n    for folder, _, names in os.walk(place):\n"
    "        if any(name.endswith('.ans') for name in names):\n            print('escaped', folder)\n",
    # Other processes.
    "import os\nfor other in range(40, 5000):\n    try:\n        os.kill(other, 0)\n        print('escaped', other)\n        break\n"
    "    except OSError:\n        pass\n",
    # The network.
    "import socket\ntry:\n    socket.create_connection(('127.0.0.1', {port}), 1)\n    print('escaped')\nexcept OSError:\n    pass\n",
    # Processes that stay.
    "import os, time\nfor _ in range(12):\n    if os.fork() == 0:\n        time.sleep(600)\n        os.write(1, b'late')\n        os._exit(0)\n",
]
HOSTILE_CPP = [
    "#include <fstream>\n#include <iostream>\nstruct Before {{ Before() {{ if (std::ifstream({secret_c}).good()) std::cout << \"escaped\"; }} }} before;\n",
    "#include <csignal>\n#include <iostream>\nstruct Before {{ Before() {{ for (int other = 40; other < 5000; other++)\n"
    "  if (kill(other, 0) == 0) std::cout << \"escaped\"; }} }} before;\n",
    "#include <unistd.h>\nstruct Before {{ Before() {{ for (int i = 0; i < 12; i++) if (fork() == 0) {{ sleep(600); _exit(0); }} }} }} before;\n",
]

INSTEAD_PYTHON = {
    "error": "input()\nraise ValueError('an error that was made')\n",
    "slow": "while True:\n    pass\n",
    "sleeping": "import time\ntime.sleep(600)\n",
    "flooding": "while True:\n    print('x' * 1000)\n",
    "greedy": "kept = bytearray(600 << 20)\nprint(len(kept))\n",
    "broken": "def solve(:\n    return 1\n",
}
INSTEAD_CPP = {
    "error": "#include <cstdlib>\nint main() { return 3; }\n",
    "slow": "int main() { for (volatile int i = 0;; i = i + 1) {} }\n",
    "sleeping": "#include <unistd.h>\nint main() { sleep(600); }\n",
    "flooding": "#include <cstdio>\nint main() { for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); }\n",
    "greedy": "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\nint main() {\n  char* volatile kept = (char*)malloc(600 << 20);\n"
    "  memset(kept, 1, 600 << 20);\n  printf(\"%d\\n\", kept[599 << 20]);\n}\n",
    "broken": "#include <iostream>\nint main() { std::cout << missing; }\n",
}


def program(random, kind, of_task, is_python, place):
    _, variants, python, cpp = of_task
    instead = (INSTEAD_PYTHON if is_python else INSTEAD_CPP).get(kind)
    if instead:
        return instead
    words = variants["wrong" if kind == "wrong" else "right"]
    text = python % words[0] if is_python else cpp % words[1]
    if kind == "hostile":
        before = random.choice(HOSTILE_PYTHON if is_python else HOSTILE_CPP)
        text = before.format(secret_c='"' + place["secret"] + '"', **place) + text
    return text


def samples(seed, tasks, place, each=8, kinds=None, least=20, most=100):
    """Yields the samples of this number of tasks. `place`: `secret`, a file, and `port`, which somebody listens to."""
    chosen = {kind: weight for kind, (weight, _) in KINDS.items() if kinds is None or kind in kinds}
    for number in range(tasks):
        # Each task has its own source of numbers, so that fewer tasks are the first of more.
        random_ = random.Random(f"{seed}/{number}")
        of_task = random_.choice(TASKS)
        is_python = random_.random() < 0.7
        cases = [of_task[0](random_) for _ in range(random_.randint(least, most))]
        if of_task[0] is palindrome:
            cases[0] = ("abc", "NO")
        for sample in range(each):
            kind = random_.choices(list(chosen), list(chosen.values()))[0]
            # No two samples are equal, so that each is judged.
            mark = f"{'#' if is_python else '//'} {seed}/{number}/{sample}\n"
            text = program(random_, kind, of_task, is_python, place) + mark
            request = {
                "id": f"{seed}/{number}/{sample}/{kind}",
                "language": "python" if is_python else "cpp",
                "cases": [{"input": given + "\n", "answer": answer + "\n"} for given, answer in cases],
                "memory_limit": 256,
                "output_limit": 4,
                "time_limit": 0.5 if kind == "slow" else 4,
                "stop": random_.choice(["first", "all"]) if kind in ("right", "wrong", "hostile") else "first",
            }
            if kind == "sleeping":
                request["wall_limit"] = 1
            if kind == "absent":
                request["completion"] = "I could not find a solution."
            elif random_.random() < 0.3:
                request["completion"] = f"It is simple:\n\n```{'python' if is_python else 'cpp'}\n{text}```\n"
            else:
                request["source"] = text
            yield Sample(request["id"], kind, KINDS[kind][1], request)
