"""The resident memory of `rejudge batch` while it judges cases without end."""

import os

from judge import Batch

SOURCE = "#include <stdio.h>\nint main(void) { puts(\"1\"); }\n"


def resident(pid):
    """The resident memory of a process, in bytes: programs of their own are not in it."""
    with open(f"/proc/{pid}/status") as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith("VmRSS:"))


def requests(each, most):
    for number in range(most // each):
        # No two are equal.
        cases = [{"input": f"{number}", "answer": "1"}] * each
        yield {"id": number, "language": "c", "source": SOURCE, "cases": cases, "stop": "all"}


def main(program, most=10**5, each=20, window=None):
    arguments = ["-j", str(os.cpu_count() or 1)] + (["--window", str(window)] if window is not None else [])
    marks, seen, done = [10**power for power in range(3, 9) if 10**power <= most], {}, 0
    with Batch(program, *arguments) as batch:
        for answer in batch.all(requests(each, most)):
            assert answer["verdict"] == "AC", answer
            done += each
            if marks and done >= marks[0]:
                seen[marks.pop(0)] = own = resident(batch.process.pid)
                print(f"after {done} cases: {own / 2**20:.2f} MiB", flush=True)
    first, last = seen[min(seen)], seen[max(seen)]
    change = (last / first - 1) * 100
    print(f"from {min(seen)} to {max(seen)} cases in requests of {each}: {change:+.1f} %")
    return abs(change) <= 5
