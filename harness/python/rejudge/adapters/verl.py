"""A reward function for verl.

    reward.custom_reward_function.path=pkg://rejudge.adapters.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.time_limit=4
"""

import json
from typing import Any, Dict, Mapping, Optional, Union

from .. import rows
from .._errors import NotJudged
from .._judge import Judge, shared
from .._request import Request
from .._result import Result
from ._completion import last_block_or_all

Score = Dict[str, float]


def _task(ground_truth: Union[str, Mapping[str, Any]]) -> rows.Task:
    keys = json.loads(ground_truth) if isinstance(ground_truth, str) else ground_truth
    if keys.get("assert_case"):
        return rows.Task({"check": "exit"}, suffix="\n\n" + "\n".join(keys["assert_case"]) + "\n")
    if keys.get("fn_name") is None:
        return rows.Task({"cases": {"inputs": keys["inputs"], "outputs": keys["outputs"]}})
    if all(isinstance(given, str) for given in keys["inputs"]):
        return rows.livecodebench_cases(keys["inputs"], keys["outputs"], keys["fn_name"])
    return rows.apps({"input_output": keys})


def _score(result: Result, not_judged: Union[str, float]) -> Score:
    if not result.judged and not_judged == "raise":
        raise NotJudged(result)
    return {
        "score": result.score if result.judged else float(not_judged),
        "acc": int(result.accepted),
        "passed": result.passed,
        "total": result.total,
        "judged": int(result.judged),
    }


def _request_keys(language: str, time_limit: float, keys: Mapping[str, Any]) -> Request:
    return {"language": language, "time_limit": time_limit, "stop": "all", **keys}


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Union[str, Mapping[str, Any]],
    extra_info: Optional[Mapping[str, Any]] = None,
    *,
    language: str = "python",
    time_limit: float = 5,
    not_judged: Union[str, float] = "raise",
    request: Optional[Mapping[str, Any]] = None,
    judge: Optional[Judge] = None,
    **unused: Any,
) -> Score:
    """The part of the cases that are accepted.

    `not_judged` is `"raise"`, or the score of a program that was not judged (`judged` is 0 then). `request` has further keys
    of `rejudge batch`. What else verl passes has no meaning here.
    """
    source = last_block_or_all(solution_str, language)
    keys = _request_keys(language, time_limit, request or {})
    return _score(_task(ground_truth).judge(source, judge or shared(), **keys), not_judged)


async def compute_score_async(
    data_source: str,
    solution_str: str,
    ground_truth: Union[str, Mapping[str, Any]],
    extra_info: Optional[Mapping[str, Any]] = None,
    *,
    language: str = "python",
    time_limit: float = 5,
    not_judged: Union[str, float] = "raise",
    request: Optional[Mapping[str, Any]] = None,
    judge: Optional[Judge] = None,
    **unused: Any,
) -> Score:
    """The same for verl's event loop."""
    source = last_block_or_all(solution_str, language)
    keys = _request_keys(language, time_limit, request or {})
    return _score(await _task(ground_truth).ajudge(source, judge or shared(), **keys), not_judged)
