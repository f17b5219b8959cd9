"""`untrusted_check` of BigCodeBench.

    bigcodebench.evaluate.untrusted_check = rejudge.adapters.bigcodebench.untrusted_check
"""

from typing import Any, Dict, Optional, Tuple

from .._judge import Judge, shared

_WORDS = {"AC": "pass", "TLE": "timeout"}


def untrusted_check(
    code: str,
    test_code: str,
    entry_point: str,
    max_as_limit: float,
    max_data_limit: float,
    max_stack_limit: float,
    min_time_limit: float = 10,
    gt_time_limit: float = 60,
    judge: Optional[Judge] = None,
) -> Tuple[str, Dict[str, Any]]:
    """Whether all tests pass. Raises `NotJudged`.

    `max_as_limit` is the limit of memory in MiB; the two other limits of memory have no meaning here. Programs see the
    packages of the Python that `rejudge languages` names.
    """
    result = (judge or shared()).judge(
        f"{code}\n{test_code}",
        check="unittest",
        time_limit=max(min_time_limit, gt_time_limit),
        memory_limit=max_as_limit,
        # Without an answer that is shared with an equal request, it has what the tests printed.
        return_output=True,
    )
    result.raise_if_not_judged()
    failure = {"ALL": "".join(case.stderr_tail or case.reason or "" for case in result.cases)}
    return _WORDS.get(result.verdict or "", "fail"), {} if result.accepted else failure
