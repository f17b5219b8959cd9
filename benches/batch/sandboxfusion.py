"""Runs programs with SandboxFusion's runners, without its server: one call for each case, as its judge does.

`sandboxfusion.py CHECKOUT` reads JSON lines: language, code, cases. It needs aiofiles, psutil, structlog, pydantic and PyYAML.
"""

import asyncio
import importlib
import json
import logging
import os
import sys
import types


def runners(checkout):
    sys.path.insert(0, checkout)
    import structlog

    # What it logs is no work of a runner.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    # Its package imports the runners of all languages, with what each needs.
    package = types.ModuleType("sandbox.runners")
    package.__path__ = [os.path.join(checkout, "sandbox", "runners")]
    importlib.import_module("sandbox")
    sys.modules["sandbox.runners"] = package
    major = importlib.import_module("sandbox.runners.major")
    # The programs run with the same interpreter as in the other columns, instead of one of conda.
    major.get_python_rt_env = lambda name: {}
    return {"python": major.run_python, "cpp": major.run_cpp}, sys.modules["sandbox.runners.types"].CodeRunArgs


async def main(checkout):
    by_language, arguments = runners(checkout)
    for line in sys.stdin:
        if not line.strip():
            continue
        unit = json.loads(line)
        for case in unit["cases"]:
            # Its limits are wall time, and would be reached on a busy machine.
            asked = arguments(code=unit["code"], stdin=case["input"], run_timeout=600, compile_timeout=600)
            answer = await by_language[unit["language"]](asked)
            right = answer.run_result and answer.run_result.stdout.split() == case["answer"].split()
            if not right:
                sys.exit(f"not judged right: {answer} {case}")


asyncio.run(main(sys.argv[1]))
