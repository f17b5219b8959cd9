"""`untrusted_check` of evalplus, for its HumanEval+.

    evalplus.evaluate.untrusted_check = rejudge.adapters.evalplus.untrusted_check
"""

from typing import Any, List, Optional, Sequence, Tuple

from .._judge import Judge, shared

_WORDS = {"AC": "pass", "TLE": "timeout"}


def untrusted_check(
    dataset: str,
    code: str,
    inputs: Sequence[Sequence[Any]],
    entry_point: str,
    expected: Sequence[Any],
    atol: float,
    ref_time: Sequence[float],
    fast_check: bool = False,
    min_time_limit: float = 4.0,
    gt_time_limit_factor: float = 4.0,
    judge: Optional[Judge] = None,
) -> Tuple[str, List[bool]]:
    """Whether the function returns what is expected, and for which inputs. Raises `NotJudged`.

    The times of the reference become limits of CPU time. Inputs and expected values must be values of JSON.
    """
    if dataset != "humaneval" or entry_point == "find_zero":
        raise ValueError(f"evalplus compares `{entry_point}` of `{dataset}` by a rule of its own: use its own `untrusted_check`")
    cases = [
        {"input": list(given), "answer": answer, "time_limit": max(min_time_limit, gt_time_limit_factor * seconds)}
        for given, answer, seconds in zip(inputs, expected, ref_time)
    ]
    result = (judge or shared()).judge(
        code,
        cases,
        function={"name": entry_point, "arguments": "values"},
        checker=f"json:{atol or 1e-6}",
        stop="first" if fast_check else "all",
    )
    result.raise_if_not_judged()
    details = [case.accepted for case in result.cases if case.verdict != "SKIP"]
    return _WORDS.get(result.verdict or "", "fail"), details
