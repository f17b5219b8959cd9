"""Harmless programs and outputs, each with what a grader should say. All programs double each number of their input."""

PAIR = {"inputs": ["2\n3\n", "4\n5\n"], "outputs": ["4\n6\n", "8\n10\n"]}

# Right programs: (how it reads, writes or ends, source).
RIGHT = [
    ("`input()`", "print(int(input()) * 2)\nprint(int(input()) * 2)"),
    ("`input()` until `EOFError`", "try:\n    while True:\n        print(int(input()) * 2)\nexcept EOFError:\n    pass"),
    ("`input = sys.stdin.readline`", "import sys\ninput = sys.stdin.readline\nprint(int(input()) * 2)\nprint(int(input()) * 2)"),
    ("`sys.stdin.read()`", "import sys\nfor word in sys.stdin.read().split():\n    print(int(word) * 2)"),
    ("`for line in sys.stdin`", "import sys\nfor line in sys.stdin:\n    print(int(line) * 2)"),
    ("`sys.stdin.buffer.read()`", "import sys\nfor word in sys.stdin.buffer.read().split():\n    print(int(word) * 2)"),
    ("`sys.stdin.buffer.readline()`", "import sys\nline = sys.stdin.buffer.readline\nprint(int(line()) * 2)\nprint(int(line()) * 2)"),
    ("`for line in sys.stdin.buffer`", "import sys\nfor line in sys.stdin.buffer:\n    print(int(line) * 2)"),
    ("`open(0)`", "for line in open(0):\n    print(int(line) * 2)"),
    ("`open('/dev/stdin')`", "for line in open('/dev/stdin').read().split():\n    print(int(line) * 2)"),
    ("`os.read(0, …)`", "import os\nfor word in os.read(0, 65536).split():\n    print(int(word) * 2)"),
    ("`fileinput`", "import fileinput\nfor line in fileinput.input():\n    print(int(line) * 2)"),
    ("`sys.stdout.buffer.write`", "import sys\nfor word in sys.stdin.read().split():\n    sys.stdout.buffer.write(b'%d\\n' % (int(word) * 2))"),
    ("`os.write(1, …)`", "import os, sys\nfor word in sys.stdin.read().split():\n    os.write(1, b'%d\\n' % (int(word) * 2))"),
    ("`if __name__ == '__main__'`", "def main():\n    for _ in range(2):\n        print(int(input()) * 2)\n\nif __name__ == '__main__':\n    main()"),
    ("`global` variables", "factor = 1\n\ndef main():\n    global factor\n    factor += 1\n    for _ in range(2):\n        print(int(input()) * factor)\n\nmain()"),
    ("a thread with a large stack", "import sys, threading\n\ndef main():\n    for word in sys.stdin.read().split():\n        print(int(word) * 2)\n\nthreading.stack_size(1 << 26)\nthread = threading.Thread(target=main)\nthread.start()\nthread.join()"),
    ("`from __future__ import annotations`", "from __future__ import annotations\nprint(int(input()) * 2)\nprint(int(input()) * 2)"),
    ("ends with `sys.exit(0)`", "import sys\nfor word in sys.stdin.read().split():\n    print(int(word) * 2)\nsys.exit(0)"),
    ("ends with `exit()`", "import sys\nfor word in sys.stdin.read().split():\n    print(int(word) * 2)\nexit()"),
    ("ends with `os._exit(0)`", "import os, sys\nfor word in sys.stdin.read().split():\n    print(int(word) * 2)\nsys.stdout.flush()\nos._exit(0)"),
]

# (what is printed, the answer, what is printed, whether it is right)
OUTPUTS = [
    ("200,000 lines", "7\n" * 200000, "7\n" * 200000, True),
    ("`0.500` for `0.5`", "0.5\n", "0.500\n", True),
    ("`0.3333333333` for `0.333333333333`", "0.333333333333\n", "0.3333333333\n", True),
    ("spaces at the end of lines", "1 2\n3\n", "1 2 \n3 \n", True),
    ("no newline at the end", "1\n2\n", "1\n2", True),
    ("`1000001` for `1000000`", "1000000\n", "1000001\n", False),
    ("`100000001` for `100000000`", "100000000\n", "100000001\n", False),
    ("`10000000000000001` for `10000000000000000`", "10000000000000000\n", "10000000000000001\n", False),
    ("`0.51` for `0.5`", "0.5\n", "0.51\n", False),
    ("`YES` for `yes`", "yes\n", "YES\n", False),
    ("the last line is missing", "1\n2\n", "1\n", False),
    ("a line too many", "1\n", "1\n2\n", False),
    ("the lines in another order", "1\n2\n", "2\n1\n", False),
    ("`12` for `1` and `2` on two lines", "1\n2\n", "12\n", False),
]


def samples():
    """(name, source, cases, whether it is right)"""
    for name, source in RIGHT:
        yield name, source, PAIR, True
    for name, answer, printed, right in OUTPUTS:
        # What is long is made by the program.
        source = "print('7\\n' * 200000, end='')" if len(printed) > 1000 else f"print({printed!r}, end='')"
        yield name, source, {"inputs": [""], "outputs": [answer]}, right
