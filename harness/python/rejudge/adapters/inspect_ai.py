"""A scorer for Inspect: `Task(…, scorer=rejudge.adapters.inspect_ai.cases())`."""

from typing import Any, Optional

from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from .._judge import Judge, shared
from .._result import Result
from ._completion import last_block


@scorer(metrics=[accuracy(), stderr()])
def cases(
    metadata: str = "cases",
    language: str = "python",
    partial: bool = False,
    judge: Optional[Judge] = None,
    **keys: Any,
) -> Scorer:
    """Judges the last block of code on the cases in the metadata of the sample.

    They are what `rejudge.judge` takes as cases. With `partial`, the value is the part of them that is accepted. `keys` are
    further keys of a request. A program that was not judged is not scored, and not part of the means.
    """

    async def score(state: TaskState, target: Target) -> Score:
        source = last_block(state.output.completion)
        result = await (judge or shared()).ajudge(source, state.metadata[metadata], language, **keys)
        return _score(result, source, partial)

    return score


def _score(result: Result, source: str, partial: bool) -> Score:
    figures = {"verdict": result.verdict, "passed": result.passed, "total": result.total}
    if not result.judged:
        return Score.unscored(reason="scoring_failed", answer=source, explanation=result.reason, metadata=figures)
    reasons = [case.reason for case in result.cases if case.reason]
    return Score(
        value=result.score if partial else CORRECT if result.accepted else INCORRECT,
        answer=source,
        explanation=f"{result.verdict}: {result.passed} of {result.total} cases accepted" + "".join(f"\n{line}" for line in reasons[:1]),
        metadata=figures,
    )
