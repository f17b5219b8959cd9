"""`check_correctness` of LiveCodeBench.

    lcb_runner.evaluation.compute_code_generation_metrics.check_correctness = rejudge.adapters.livecodebench.check_correctness
"""

import json
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .. import rows
from .._judge import Judge, shared

Grade = Union[bool, int]

_CODES = {"WA": (-2, "Wrong Answer"), "OLE": (-2, "Wrong Answer"), "TLE": (-3, "Time Limit Exceeded")}


def check_correctness(
    sample: Mapping[str, str],
    generation: str,
    timeout: float = 6,
    debug: bool = False,
    judge: Optional[Judge] = None,
    checker: Optional[str] = None,
) -> Tuple[List[Grade], Dict[str, Any]]:
    """The grades up to the first failure, and what happened there. Raises `NotJudged`.

    With `checker="lines:decimal"`, outputs are compared as LiveCodeBench does, to reproduce its numbers.
    """
    task = rows.livecodebench(sample)
    cases = json.loads(sample["input_output"])
    keys: Dict[str, Any] = {"time_limit": timeout, "stop": "first"}
    if checker is not None and "function" not in task.keys:
        keys["checker"] = checker
    # Without an answer that is shared with an equal request, it has outputs and reasons.
    result = task.judge(generation, judge or shared(), return_output=True, **keys).raise_if_not_judged()
    if result.accepted:
        return [True] * result.total, {"execution time": sum(case.cpu_ms or 0 for case in result.cases) / 1000}
    if not result.cases:
        return [-4], {"error_code": -4, "error_message": "Compilation Error", "error": result.compile and result.compile.message}
    failed = next(at for at, case in enumerate(result.cases) if not case.accepted)
    case = result.cases[failed]
    code, message = _CODES.get(case.verdict, (-4, "Runtime Error"))
    if result.verdict == "CE":
        message = "Compilation Error"
    return [True] * failed + [code], {
        "error_code": code,
        "error_message": message,
        "error": case.reason,
        "output": case.stdout_head,
        "inputs": _short(cases["inputs"][failed]),
        "expected": _short(cases["outputs"][failed]),
    }


def _short(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:150]}...(truncated) ...{text[-150:]}"
