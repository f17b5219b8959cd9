"""What a case costs next to the program alone, and next to the runner of SandboxFusion: CPU time, in rounds that alternate."""

import os
import statistics
import subprocess
import sys
import tempfile

from judge import Batch
from tasks import samples

NOWHERE = {"secret": "/nowhere", "port": 9}


def units(seed, language, tasks, cases):
    """Right programs in a language, one for each task, with this number of cases."""
    found = (
        sample.request
        for sample in samples(seed, 10**6, NOWHERE, each=1, kinds=["right"], least=cases, most=cases)
        if sample.request["language"] == language
    )
    return [next(found) for _ in range(tasks)]


def text_of(request):
    return request["source"] if "source" in request else request["completion"].split("```")[1].split("\n", 1)[1]


def spent(call):
    """The CPU time of the children that a call waits for."""
    before = os.times()
    call()
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def by_rejudge(program, requests, *options):
    with Batch(program, "-j", "1", "--window", "0", *options) as batch:
        for request in requests:
            answer = batch.ask(request)
            assert answer["verdict"] == "AC", answer
        return batch.end()


def alone(requests):
    """`python3 FILE` with the input as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        for request in requests:
            with open(path, "w") as file:
                file.write(text_of(request))
            for case in request["cases"]:
                with tempfile.TemporaryFile() as given:
                    given.write(case["input"].encode())
                    given.seek(0)
                    out = subprocess.run(["python3", path], stdin=given, stdout=subprocess.PIPE, check=True).stdout
                assert out.split() == case["answer"].encode().split(), (out, case)


def by_sandboxfusion(checkout, requests):
    """In a process of its own, whose CPU time counts as a whole."""
    import json

    here = os.path.dirname(os.path.abspath(__file__))
    text = "\n".join(json.dumps({"language": r["language"], "code": text_of(r), "cases": r["cases"]}) for r in requests)
    command = [sys.executable, os.path.join(here, "sandboxfusion.py"), checkout]
    subprocess.run(command, input=text.encode(), stdout=subprocess.DEVNULL, check=True)


def main(program, rounds=5, tasks=4, cases=40, sandboxfusion=None, language=None):
    # Programs are compiled here, and not taken from an earlier run.
    cache = tempfile.TemporaryDirectory()
    os.environ["REJUDGE_CACHE_DIR"] = cache.name
    # A process that judges nothing has only started.
    start_of_rejudge = statistics.median(by_rejudge(program, []) for _ in range(rounds))
    ways = {"rejudge": lambda requests: by_rejudge(program, requests) - start_of_rejudge}
    print(f"to start takes rejudge {start_of_rejudge * 1e3:.0f} ms of CPU time, which is subtracted")
    good = True
    for name, most in (("python", 1.25), ("cpp", None)):
        if language not in (None, name):
            continue
        columns = dict(ways)
        if name == "python":
            columns["alone"] = lambda requests: spent(lambda: alone(requests))
            columns["preloaded"] = lambda requests: by_rejudge(program, requests, "--preload") - start_of_rejudge
        if sandboxfusion:
            start = spent(lambda: by_sandboxfusion(sandboxfusion, []))
            columns["SandboxFusion"] = lambda requests: spent(lambda: by_sandboxfusion(sandboxfusion, requests)) - start
        seen = {column: [] for column in columns}
        for round in range(rounds):
            requests = units(round, name, tasks, cases)
            for column, measure in columns.items():
                seen[column].append(measure(requests))
        runs = tasks * cases
        line = ", ".join(f"{column} {statistics.median(times) / runs * 1e3:.2f} ms" for column, times in seen.items())
        print(f"{name}, CPU time of a case of {cases}, median of {rounds} rounds: {line}")
        pairs = [("rejudge", column) for column in seen if column != "rejudge"]
        if sandboxfusion and "preloaded" in seen:
            pairs.append(("preloaded", "SandboxFusion"))
        for ours, column in pairs:
            ratios = sorted(own / other for own, other in zip(seen[ours], seen[column]))
            middle = statistics.median(ratios)
            print(f"  {ours} / {column}: {middle:.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}); {1 / middle:.2f} times as many a second and core")
            if column == "alone" and most and middle > most:
                print(f"  above {most}")
                good = False
    return good
