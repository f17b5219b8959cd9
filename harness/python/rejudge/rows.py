"""Rows of data sets as tasks. Nothing is fetched: a row is a mapping, however you read it.

    task = rejudge.rows.livecodebench(row)
    result = task.judge(source)
"""

import base64
import dataclasses
import io
import json
import pickle
import zlib
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

from ._judge import Judge, shared
from ._request import Request
from ._result import Result

# What LiveCodeBench puts before programs, which may use it without importing it.
_MODULES = "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json"
PRELUDE = "".join(
    [f"from {module} import *\n" for module in [*_MODULES.split(), "builtins", "typing"]]
    + [f"import {module}\n" for module in _MODULES.split()]
    + ["sys.setrecursionlimit(50000)\n"]
)

_INTEGER_KEYS = """

def _rejudge_with_integer_keys(first, *others):
    first = {{int(key): value for key, value in first.items()}} if isinstance(first, dict) else first
    return getattr(globals()["Solution"](), {name!r})(first, *others) if "Solution" in globals() else {name}(first, *others)
"""


@dataclass(frozen=True)
class Task:
    """Cases, limits and a function, for any number of programs."""

    keys: Request
    # Text before and after each program.
    prelude: str = ""
    suffix: str = ""
    # For each case, another answer that is right as well.
    alternatives: Optional[List[Any]] = field(default=None, repr=False)

    def request(self, source: str, **keys: Any) -> Request:
        """A request for `Judge.map`. The keys are those of `rejudge batch`, and replace those of the task."""
        # Nothing may stand before an import of `__future__`.
        prelude = "" if "from __future__" in source else self.prelude
        whole = f"{prelude}{source}{self.suffix}" if source.strip() else ""
        return {**self.keys, "source": whole, **keys}

    def judge(self, source: str, judge: Optional[Judge] = None, **keys: Any) -> Result:
        """Judges a program; cases with the other answer, too, if there is one."""
        judge = judge or shared()
        result = judge.judge_request(self.request(source, **keys))
        wrong = self._wrong_cases(result)
        if not wrong:
            return result
        return _merged(result, wrong, judge.judge_request(self._second_request(wrong, source, keys)))

    async def ajudge(self, source: str, judge: Optional[Judge] = None, **keys: Any) -> Result:
        """Like `judge`, without blocking the event loop."""
        judge = judge or shared()
        result = await judge.ajudge_request(self.request(source, **keys))
        wrong = self._wrong_cases(result)
        if not wrong:
            return result
        return _merged(result, wrong, await judge.ajudge_request(self._second_request(wrong, source, keys)))

    def _wrong_cases(self, result: Result) -> List[int]:
        if self.alternatives is None:
            return []
        return [at for at, case in enumerate(result.cases) if case.verdict in ("WA", "SKIP")]

    def _second_request(self, wrong: List[int], source: str, keys: Mapping[str, Any]) -> Request:
        assert self.alternatives is not None
        inputs = self.keys["cases"]["inputs"]
        cases = {"inputs": [inputs[at] for at in wrong], "outputs": [self.alternatives[at] for at in wrong]}
        return self.request(source, **{**keys, "cases": cases})


def _merged(first: Result, wrong: List[int], second: Result) -> Result:
    if not second.judged:
        return dataclasses.replace(second, id=first.id)
    cases = list(first.cases)
    for at, case in zip(wrong, second.cases):
        cases[at] = case
    verdicts = [case.verdict for case in cases]
    passed = verdicts.count("AC")
    failures = [verdict for verdict in verdicts if verdict not in ("AC", "SKIP")]
    return dataclasses.replace(
        first,
        cases=cases,
        passed=passed,
        not_run=verdicts.count("SKIP"),
        score=passed / len(cases),
        verdict=failures[0] if failures else "AC",
    )


class _TextUnpickler(pickle.Unpickler):
    """Reads text, and refuses everything that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"expected a text, found `{module}.{name}`")

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError("expected a text, found a reference")


def _private_cases(value: str) -> List[Mapping[str, Any]]:
    try:
        cases = json.loads(value)
    except ValueError:
        packed = zlib.decompress(base64.b64decode(value))
        text = _TextUnpickler(io.BytesIO(packed)).load()
        if not isinstance(text, (str, bytes)):
            raise pickle.UnpicklingError(f"expected a text, found `{type(text).__name__}`") from None
        cases = json.loads(text)
    return list(cases)


def livecodebench(row: Mapping[str, Any], private: bool = True) -> Task:
    """A row of LiveCodeBench (`public_test_cases`, `private_test_cases`, `metadata`), or its `{"input_output": …}`."""
    if "input_output" in row:
        keys = json.loads(row["input_output"])
        inputs, outputs, name = keys["inputs"], keys["outputs"], keys.get("fn_name")
    else:
        cases = list(json.loads(row["public_test_cases"]))
        if private:
            cases += _private_cases(row["private_test_cases"])
        inputs = [case["input"] for case in cases]
        outputs = [case["output"] for case in cases]
        name = json.loads(row.get("metadata") or "{}").get("func_name")
    return livecodebench_cases(inputs, outputs, name)


def livecodebench_cases(inputs: List[Any], outputs: List[Any], name: Optional[str], time_limit: float = 6) -> Task:
    """Cases as LiveCodeBench has them: the input of a function has an argument on each line, as JSON."""
    keys: Request = {"language": "python", "cases": {"inputs": inputs, "outputs": outputs}, "time_limit": time_limit}
    if name is not None:
        keys["function"] = {"name": name, "arguments": "json-lines"}
    return Task(keys, PRELUDE)


def apps(row: Mapping[str, Any], time_limit: float = 4) -> Task:
    """A row of APPS. The answer of a function may be wrapped in a list: both are accepted, as in its own grader."""
    value = row["input_output"]
    keys = json.loads(value) if isinstance(value, str) else value
    inputs, outputs, name = list(keys["inputs"]), list(keys["outputs"]), keys.get("fn_name")
    request: Request = {"language": "python", "cases": {"inputs": inputs, "outputs": outputs}, "time_limit": time_limit}
    if name is None:
        return Task(request)
    integer_keys = any(_has_integer_keys(arguments) for arguments in inputs)
    called = "_rejudge_with_integer_keys" if integer_keys else name
    request["function"] = {"name": called, "arguments": "values"}
    plain = [answer[0] if isinstance(answer, list) and len(answer) == 1 else answer for answer in outputs]
    request["cases"]["outputs"] = plain
    suffix = _INTEGER_KEYS.format(name=name) if integer_keys else ""
    return Task(request, PRELUDE, suffix, outputs if plain != outputs else None)


def _has_integer_keys(arguments: Any) -> bool:
    first = arguments[0] if isinstance(arguments, list) and arguments else None
    return isinstance(first, dict) and bool(first) and all(key.lstrip("-").isdecimal() for key in first)


def taco(row: Mapping[str, Any], time_limit: float = 4) -> Task:
    """A row of TACO, which has the shape of APPS."""
    return apps(row, time_limit)


def code_contests(
    row: Mapping[str, Any], origins: Any = ("public_tests", "private_tests", "generated_tests")
) -> Task:
    """A row of CodeContests. Each origin of cases is a group."""
    for key in ("input_file", "output_file"):
        if row.get(key):
            raise ValueError(f"the programs of this row read or write the file `{row[key]}` instead of the standard streams")
    cases = []
    for origin in origins:
        tests = row.get(origin) or []
        # A list of cases, or the columns of one.
        pairs = zip(tests["input"], tests["output"]) if isinstance(tests, Mapping) else ((t["input"], t["output"]) for t in tests)
        cases += [{"input": given, "answer": answer, "group": origin} for given, answer in pairs]
    keys: Dict[str, Any] = {"language": "python", "cases": cases}
    limit = row.get("time_limit")
    if isinstance(limit, Mapping):
        limit = (limit.get("seconds") or 0) + (limit.get("nanos") or 0) / 1e9
    if limit:
        keys["time_limit"] = limit
    if row.get("memory_limit_bytes"):
        keys["memory_limit"] = row["memory_limit_bytes"] / 2**20  # MiB
    return Task(keys)
