"""Grades one program: `grade.py GRADER FOLDER` reads `{"source", "cases"}`, and writes whether it is accepted as its last byte."""

import contextlib
import importlib.util
import json
import os
import sys


def module(name, path):
    folder = os.path.dirname(path) if path.endswith("__init__.py") else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[folder] if folder else None)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def grades(grader, folder, source, cases):
    if grader == "LiveCodeBench":
        runner = module("testing_util", f"{folder}/lcb_runner/evaluation/testing_util.py")
        return runner.run_test({"input_output": json.dumps(cases)}, test=source, timeout=6)[0]
    if grader == "lighteval":
        metrics = module("codegen_metrics", f"{folder}/lighteval/tasks/tasks/lcb/codegen_metrics.py")
        return metrics.run_test({"input_output": json.dumps(cases)}, test=source, timeout=6)
    prime = module("prime_code", f"{folder}/verl/utils/reward_score/prime_code/__init__.py")
    return [prime.compute_score(source, cases)[0]]


def main():
    _, grader, folder = sys.argv
    request = json.load(sys.stdin)
    # A program that is graded here may write to the descriptor 1, and end the process.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Standard input is at its end, as in their worker processes.
    result = grades(grader, folder, request["source"], request["cases"])
    accepted = len(result) > 0 and all(grade is True for grade in result)
    answer.write("1" if accepted else "0")
    answer.flush()


with contextlib.suppress(SystemExit):
    main()
