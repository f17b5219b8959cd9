"""`compute` of the metric `code_eval` of Hugging Face's evaluate, which lm-eval uses for HumanEval and MBPP."""

import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .._judge import Judge, shared
from ._outcome import outcome

Results = Dict[int, List[Tuple[int, Dict[str, Any]]]]


def compute(
    references: Sequence[str],
    predictions: Sequence[Sequence[str]],
    k: Sequence[int] = (1, 10, 100),
    num_workers: int = 4,
    timeout: float = 3.0,
    judge: Optional[Judge] = None,
) -> Tuple[Dict[str, float], Results]:
    """pass@k, and for each task the results of its candidates. Raises `NotJudged`. The judge has its own number of workers."""
    pairs = [(task, at) for task, candidates in enumerate(predictions) for at in range(len(candidates))]
    requests = (
        {
            "id": number,
            "language": "python",
            "source": f"{predictions[task][at]}\n{references[task]}",
            "check": "exit",
            "time_limit": timeout,
        }
        for number, (task, at) in enumerate(pairs)
    )
    results: Results = {task: [] for task in range(len(predictions))}
    for result in (judge or shared()).map(requests):
        task, at = pairs[int(result.id)]
        passed, message = outcome(result.raise_if_not_judged())
        results[task].append((at, {"task_id": task, "passed": passed, "result": message, "completion_id": at}))
    for candidates in results.values():
        candidates.sort(key=lambda candidate: candidate[0])
    tried = [candidates for candidates in results.values() if candidates]
    scores = {
        f"pass@{count}": sum(_pass_at(candidates, count) for candidates in tried) / len(tried)
        for count in k
        if tried and all(len(candidates) >= count for candidates in tried)
    }
    return scores, results


def _pass_at(candidates: List[Tuple[int, Dict[str, Any]]], k: int) -> float:
    """The probability that one of k candidates passes, without bias (Chen et al. 2021)."""
    total = len(candidates)
    passed = sum(1 for _, result in candidates if result["passed"])
    return 1.0 - math.prod(1.0 - k / number for number in range(total - passed + 1, total + 1)) if total - passed >= k else 1.0
