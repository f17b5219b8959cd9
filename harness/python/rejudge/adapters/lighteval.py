"""The metric of lighteval's LiveCodeBench tasks.

    lcb_codegen_metric.sample_level_fn = rejudge.adapters.lighteval.CodegenMetric()
"""

from typing import Any, Optional

from .. import rows
from .._judge import Judge, shared
from ._completion import last_block


class CodegenMetric:
    """pass@1 of the texts of a response. It has the methods of lighteval's `SampleLevelComputation`."""

    def __init__(self, time_limit: float = 6, judge: Optional[Judge] = None) -> None:
        self.time_limit = time_limit
        self.judge = judge

    def compute(self, model_response: Any, doc: Any, **unused: Any) -> float:
        """The part of the texts whose program is accepted. Raises `NotJudged`."""
        cases = doc.specific
        task = rows.livecodebench_cases(cases["inputs"], cases["outputs"], cases.get("fn_name"), self.time_limit)
        judge = self.judge or shared()
        texts = list(model_response.final_text)
        requests = (task.request(last_block(text), stop="first", id=at) for at, text in enumerate(texts))
        accepted = [result.raise_if_not_judged().accepted for result in judge.map(requests)]
        return sum(accepted) / len(texts)

    def __str__(self) -> str:
        return f"CodegenMetric(time_limit={self.time_limit})"
