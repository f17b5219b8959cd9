"""Prints, as a table in Markdown, which right programs graders reject, and which wrong outputs they accept.

`compare.py FOLDER LIVECODEBENCH [rejudge]`: the folder has lighteval and verl as pip installs them; the second is a checkout.
"""

import json
import os
import subprocess
import sys

from programs import samples

HERE = os.path.dirname(os.path.abspath(__file__))


def accepts(grader, folder, source, cases):
    """Whether it says so. A grader that dies with the program does not."""
    text = json.dumps({"source": source, "cases": dict(cases, fn_name=None)})
    command = [sys.executable, os.path.join(HERE, "grade.py"), grader, folder]
    try:
        run = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    except subprocess.TimeoutExpired:
        return False
    return run.stdout.endswith("1")


def rejudge_accepts(program, source, cases):
    request = json.dumps({"language": "python", "source": source, "cases": cases})
    run = subprocess.run([program, "batch"], input=request, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(run.stdout)["verdict"] == "AC"


def main():
    folder, livecodebench, *program = sys.argv[1:]
    columns = {
        "LiveCodeBench": lambda *sample: accepts("LiveCodeBench", livecodebench, *sample),
        "lighteval": lambda *sample: accepts("lighteval", folder, *sample),
        "verl": lambda *sample: accepts("verl", folder, *sample),
    }
    if program:
        columns["rejudge"] = lambda *sample: rejudge_accepts(program[0], *sample)
    wrong = dict.fromkeys(columns, 0)
    print("| program | right? |", " | ".join(columns), "|\n|---|---|" + "---|" * len(columns))
    for name, source, cases, right in samples():
        row = []
        for column, grader in columns.items():
            accepted = grader(source, cases)
            wrong[column] += accepted != right
            row.append(("accepted" if accepted else "rejected") if accepted == right else "**accepted**" if accepted else "**rejected**")
        print(f"| {name} | {'yes' if right else 'no'} |", " | ".join(row), "|", flush=True)
    print("| wrong | |", " | ".join(map(str, wrong.values())), "|")
    # What others do may change with Python's version.
    sys.exit(1 if wrong.get("rejudge") else 0)


main()
