"""Reward functions with the names and the columns of open-r1. `None` means that a program was not judged."""

from typing import Any, List, Mapping, Optional, Sequence

from .._judge import Judge, shared
from .._request import Request
from .._result import Result
from ._completion import last_block

Completions = Sequence[Sequence[Mapping[str, str]]]


def _rewards(requests: Sequence[Optional[Request]], judge: Optional[Judge]) -> List[Optional[Result]]:
    """The results in the order of the requests."""
    results: List[Optional[Result]] = [None] * len(requests)
    present = (dict(request, id=at) for at, request in enumerate(requests) if request is not None)
    for result in (judge or shared()).map(present):
        results[int(result.id)] = result
    return results


def _cases(cases: Sequence[Mapping[str, Any]]) -> List[Mapping[str, Any]]:
    return [{"input": case["input"], "answer": case["output"]} for case in cases]


def code_reward(
    completions: Completions,
    *,
    verification_info: Sequence[Mapping[str, Any]],
    time_limit: float = 5,
    judge: Optional[Judge] = None,
    **columns: Any,
) -> List[Optional[float]]:
    """The part of the cases that are accepted."""
    requests = []
    for completion, info in zip(completions, verification_info):
        language = info.get("language") or "python"
        requests.append(
            {
                "language": language,
                "source": last_block(completion[-1]["content"], language),
                "cases": _cases(info["test_cases"]),
                "time_limit": time_limit,
                "stop": "all",
            }
        )
    return [result.score if result is not None and result.judged else None for result in _rewards(requests, judge)]


def binary_code_reward(completions: Completions, **columns: Any) -> List[Optional[float]]:
    """1 if all cases are accepted, otherwise 0."""
    return [None if reward is None else float(reward == 1.0) for reward in code_reward(completions, **columns)]


def cf_code_reward(
    completions: Completions,
    test_batch_size: int = 1,
    scoring_mode: str = "weighted_sum",
    *,
    official_tests: Sequence[Sequence[Mapping[str, str]]],
    time_limit: Sequence[float],
    memory_limit: Sequence[float],
    language: Optional[Sequence[str]] = None,
    generated_checker: Optional[Sequence[Optional[str]]] = None,
    input_mode: Optional[Sequence[str]] = None,
    judge: Optional[Judge] = None,
    **columns: Any,
) -> List[Optional[float]]:
    """-1 without a program, -0.1 if it does not compile, otherwise by `scoring_mode`, as open-r1 does.

    `None` also for rows without cases, and for those whose programs read files.
    """
    if scoring_mode not in ("pass_fail", "partial", "weighted_sum"):
        raise ValueError(f"invalid scoring mode: {scoring_mode}")
    count = len(completions)
    languages = list(language) if language is not None else ["cpp"] * count
    checkers = list(generated_checker) if generated_checker is not None else [None] * count
    modes = list(input_mode) if input_mode is not None else ["stdio"] * count
    requests: List[Optional[Request]] = []
    for at, completion in enumerate(completions):
        if not official_tests[at] or modes[at] not in ("stdio", None):
            requests.append(None)
            continue
        requests.append(
            {
                "language": "c++17" if languages[at] == "cpp" else languages[at],
                "source": last_block(completion[-1]["content"], languages[at]),
                "cases": _cases(official_tests[at]),
                "time_limit": time_limit[at],
                "memory_limit": memory_limit[at],
                "stop": {"batch": max(1, test_batch_size)} if scoring_mode == "pass_fail" else "all",
            }
        )
        if checkers[at]:
            # It prints a score, and gets the input, the answer and the output: the convention of CMS.
            requests[-1]["checker"] = {"language": "python", "source": checkers[at], "convention": "cms"}  # type: ignore[index]
    return [_codeforces_reward(result, scoring_mode) for result in _rewards(requests, judge)]


def _codeforces_reward(result: Optional[Result], scoring_mode: str) -> Optional[float]:
    if result is None or not result.judged:
        return None
    if result.no_program:
        return -1.0
    if result.verdict == "CE":
        return -0.1
    whole = 1.0 if result.accepted else 0.0
    share = result.passed / result.total
    return {"pass_fail": whole, "partial": share, "weighted_sum": whole + 0.1 * share}[scoring_mode]
