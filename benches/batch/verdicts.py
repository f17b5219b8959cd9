"""Judges what `tasks` makes, and compares every verdict with the one that was made. It must stay the same with preloaded
interpreters, and with more load."""

import os
import socket
import tempfile
import time
from collections import Counter
from contextlib import contextmanager

from judge import Batch
from tasks import samples


@contextmanager
def place():
    """A file and a server that programs must not reach."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret = os.path.join(folder, "secret")
        with open(secret, "w") as file:
            file.write("a secret")
        yield {"secret": secret, "port": server.getsockname()[1]}


@contextmanager
def busy(count):
    """Processes that take all the CPU time they get."""
    others = []
    for _ in range(count):
        other = os.fork()
        if other == 0:
            while True:
                pass
        others.append(other)
    try:
        yield
    finally:
        for other in others:
            os.kill(other, 9)
            os.waitpid(other, 0)


def judged(program, seed, tasks, jobs, least, most, *options):
    """The verdicts by id, and the CPU time. Prints what is not as it was made."""
    expected, cases, faults = {}, 0, Counter()

    def requests(at):
        for sample in samples(seed, tasks, at, least=least, most=most):
            expected[sample.id] = sample
            yield sample.request

    start, found = time.monotonic(), {}
    with place() as at, Batch(program, "-j", str(jobs), *options) as batch:
        for answer in batch.all(requests(at)):
            sample = expected[answer["id"]]
            found[sample.id] = answer.get("verdict")
            cases += answer["total"] - answer["not_run"]
            if answer["id"] in found and answer.get("verdict") != sample.verdict:
                faults[sample.kind] += 1
                seen = [case for case in answer["cases"] if case["verdict"] not in ("AC", "SKIP")][:1]
                print("not as made:", answer["id"], answer.get("verdict"), answer.get("reason"), seen, flush=True)
        cpu = batch.end()
    missing = expected.keys() - found.keys()
    if missing:
        print("without an answer:", *sorted(missing))
    wall = time.monotonic() - start
    kinds = Counter(sample.kind for sample in expected.values())
    print(*options, f"{len(found)} programs on {cases} cases, -j {jobs}: {cpu:.0f} s of CPU time, {wall:.0f} s; {len(found) / cpu:.2f} programs "
          f"and {cases / cpu:.0f} cases a second and core; {dict(kinds)}", flush=True)
    return found, sum(faults.values()) + len(missing)


def main(program, tasks=10, seed=1, least=20, most=100, load=0):
    processors = os.cpu_count() or 1
    first, faults = judged(program, seed, tasks, processors, least, most)
    print(f"{faults} verdicts not as made")
    copied, more = judged(program, seed, tasks, processors, least, most, "--preload")
    changed = [id for id in first if first[id] != copied.get(id)]
    print(f"{more} verdicts not as made, {len(changed)} changed: {changed[:10]}")
    faults += more + len(changed)
    if load:
        with busy(load * processors):
            print(f"the same next to {load} busy processes for each processor, with {4 * processors} workers:")
            second, more = judged(program, seed, tasks, 4 * processors, least, most)
        changed = [id for id in first if first[id] != second.get(id)]
        print(f"{more} verdicts not as made, {len(changed)} changed: {changed[:10]}")
        faults += more + len(changed)
    return faults == 0
