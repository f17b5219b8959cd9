"""Answers as values."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Type, TypeVar, Union

from ._errors import NotJudged

Id = Union[int, str]
T = TypeVar("T")


def _known(kind: Type[T], keys: Dict[str, Any]) -> T:
    """Later versions of the program may add keys."""
    names = {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{key: value for key, value in keys.items() if key in names})


@dataclass(frozen=True)
class CaseResult:
    """A case. `verdict` is `SKIP` if it was not run."""

    verdict: str
    reason: Optional[str] = None
    cpu_ms: Optional[float] = None
    wall_ms: Optional[float] = None
    memory_bytes: Optional[int] = None
    exit_code: Optional[int] = None
    signal: Optional[int] = None
    stdout_head: Optional[str] = None
    stdout_bytes: Optional[int] = None
    stdout: Optional[str] = None
    stdout_base64: Optional[str] = None
    stderr_tail: Optional[str] = None
    disturbed: bool = False
    preloaded: bool = False

    @property
    def accepted(self) -> bool:
        """Whether the output was right."""
        return self.verdict == "AC"


@dataclass(frozen=True)
class CompileResult:
    """How the source was compiled."""

    ok: bool
    cached: bool
    message: Optional[str] = None
    wall_ms: Optional[float] = None


@dataclass(frozen=True)
class Limits:
    """The limits that held for most cases."""

    cpu_ms: float
    wall_ms: float
    memory_bytes: int
    output_bytes: int


@dataclass(frozen=True)
class Result:
    """The answer to a request. If `judged` is false, there is no verdict, and `fault` and `reason` say why."""

    id: Id
    judged: bool
    verdict: Optional[str] = None
    passed: int = 0
    total: int = 0
    not_run: int = 0
    score: float = 0.0
    cases: List[CaseResult] = field(default_factory=list)
    compile: Optional[CompileResult] = None
    limits: Optional[Limits] = None
    no_program: bool = False
    same_as: Optional[Id] = None
    fault: Optional[str] = None
    reason: Optional[str] = None
    help: Optional[str] = None

    @property
    def accepted(self) -> bool:
        """Whether all cases were judged and accepted."""
        return self.verdict == "AC"

    def raise_if_not_judged(self) -> "Result":
        """Returns the result itself if there is a verdict."""
        if not self.judged:
            raise NotJudged(self)
        return self


def from_answer(answer: Dict[str, Any], caller_id: Id, same_as: Optional[Id]) -> Result:
    """The result that a line of the program states."""
    keys = dict(answer, id=caller_id, same_as=same_as)
    keys["cases"] = [_known(CaseResult, case) for case in answer.get("cases", [])]
    for key, kind in (("compile", CompileResult), ("limits", Limits)):
        if answer.get(key) is not None:
            keys[key] = _known(kind, answer[key])
    return _known(Result, keys)
