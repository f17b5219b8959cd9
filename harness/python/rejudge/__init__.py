"""Judge programs that were not written by you: run them on test cases behind walls, and compare what they print.

    import rejudge

    result = rejudge.judge("print(int(input()) * 2)", [("2\\n", "4\\n"), ("3\\n", "6\\n")])
    result.raise_if_not_judged()
    print(result.verdict, result.score)

The work is done by the program `rejudge`, which the wheel brings. This package keeps one process `rejudge batch` and talks to
it in JSON lines. `harness/guide/src/generated.md` describes requests and answers.
"""

from . import rows
from ._errors import NotJudged, ProgramEnded, ProgramNotFound, RejudgeError
from ._judge import Judge, judge
from ._request import Request, request
from ._result import CaseResult, CompileResult, Limits, Result

__all__ = [
    "CaseResult",
    "CompileResult",
    "Judge",
    "Limits",
    "NotJudged",
    "ProgramEnded",
    "ProgramNotFound",
    "RejudgeError",
    "Request",
    "Result",
    "judge",
    "request",
    "rows",
]
