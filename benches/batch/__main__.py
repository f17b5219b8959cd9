"""Measures `rejudge batch` and `rejudge serve`: `python3 benches/batch PART REJUDGE [KEY=VALUE]…`.

verdicts  judges programs that are made, and compares each verdict with what it must be: tasks=10 (2,000 for all) seed=1 least=20
          most=100 load=0 (busy processes for each processor, next to which all is judged again)
costs     CPU time of a case next to `python3 FILE` and SandboxFusion's runner: rounds=5 tasks=4 cases=40 sandboxfusion=CHECKOUT
          language=python (or cpp; both without it)
memory    resident memory while cases are judged: most=100000 each=20 (cases of a request) window=N
latency   of `serve` next to `batch`, with 1 and 16 clients: rounds=10 requests=64
"""

import sys

import costs
import latency
import memory
import verdicts

PARTS = {"verdicts": verdicts, "costs": costs, "memory": memory, "latency": latency}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in PARTS:
        sys.exit(__doc__)
    pairs = (word.split("=", 1) for word in sys.argv[3:])
    settings = {key: int(value) if value.isdigit() else value for key, value in pairs}
    sys.exit(0 if PARTS[sys.argv[1]].main(sys.argv[2], **settings) else 1)


main()
