"""What can be wrong with judging. A wrong program is a result, never one of these."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import Result


class RejudgeError(Exception):
    """A program could not be judged."""


class NotJudged(RejudgeError):
    """The request was wrong, or the judge failed: `result.fault` says which. There is no verdict."""

    def __init__(self, result: "Result") -> None:
        help_line = f"\nhelp: {result.help}" if result.help else ""
        super().__init__(f"not judged ({result.fault}): {result.reason}{help_line}")
        self.result = result

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return NotJudged, (self.result,)


class ProgramNotFound(RejudgeError):
    """The program `rejudge` is neither in the folder of this installation's scripts nor in `PATH`."""


class ProgramEnded(RejudgeError):
    """The process `rejudge batch` ended before it answered."""

    def __init__(self, status: int, stderr: str) -> None:
        said = f":\n{stderr.strip()}" if stderr.strip() else " and printed no reason"
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        super().__init__(f"`rejudge batch` ended with {how}{said}")
        self.status = status
        self.stderr = stderr

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return ProgramEnded, (self.status, self.stderr)
