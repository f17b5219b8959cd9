import asyncio
import base64
import json
import pickle
import types
import unittest
import zlib

from program import CASES, DOUBLE, WithProgram, rejudge
from rejudge import rows
from rejudge.adapters import bigcodebench, code_eval, evalplus, human_eval, lighteval, livecodebench, open_r1, verl

FENCED = f"Here it is:\n```python\n{DOUBLE}\n```\nand a remark\n"
COLUMNS = {"inputs": ["2\n", "3\n"], "outputs": ["4\n", "6\n"]}
ADD = "class Solution:\n    def add(self, a, b):\n        return a + b\n"


class Verl(WithProgram):
    def test_cases_and_asserts(self) -> None:
        truth = json.dumps(COLUMNS)
        self.assertEqual(
            verl.compute_score("d", FENCED, truth, {"index": 1}, reward_router_address="a"),
            {"score": 1.0, "acc": 1, "passed": 2, "total": 2, "judged": 1},
        )
        self.assertEqual(verl.compute_score("d", "print(4)", truth)["score"], 0.5)
        asserts = json.dumps({"assert_case": ["assert f(2) == 4", "assert f(3) == 6"]})
        self.assertEqual(verl.compute_score("d", "def f(x): return 2 * x", asserts)["score"], 1.0)
        self.assertEqual(verl.compute_score("d", "def f(x): return 4", asserts)["score"], 0.0)
        self.assertEqual(asyncio.run(verl.compute_score_async("d", FENCED, COLUMNS))["acc"], 1)

    def test_functions(self) -> None:
        lines = {"inputs": ["2\n3"], "outputs": ["5"], "fn_name": "add"}
        values = {"inputs": [[2, 3]], "outputs": [[5]], "fn_name": "add"}
        for truth in (lines, values):
            self.assertEqual(verl.compute_score("d", ADD, truth)["score"], 1.0)

    def test_what_is_not_judged_is_no_zero(self) -> None:
        with self.assertRaises(rejudge.NotJudged):
            verl.compute_score("d", FENCED, COLUMNS, language="klingon")
        score = verl.compute_score("d", FENCED, COLUMNS, language="klingon", not_judged=-5)
        self.assertEqual((score["score"], score["judged"]), (-5, 0))


class OpenR1(WithProgram):
    def test_code_reward(self) -> None:
        tests = [{"input": given, "output": answer} for given, answer in CASES]
        completions = [[{"content": FENCED}], [{"content": "```python\nprint(4)\n```"}], [{"content": "?"}], [{"content": FENCED}]]
        info = [{"language": "python", "test_cases": tests}] * 3 + [{"language": "klingon", "test_cases": tests}]
        self.assertEqual(open_r1.code_reward(completions, verification_info=info, prompts=[]), [1.0, 0.5, 0.0, None])
        self.assertEqual(open_r1.binary_code_reward(completions, verification_info=info), [1.0, 0.0, 0.0, None])

    def test_cf_code_reward(self) -> None:
        tests = [{"input": given, "output": answer} for given, answer in CASES]
        checker = "import sys\nprint(int(open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split()))\n"
        contents = [FENCED, "```python\nprint(4)\n```", "no program", FENCED, FENCED]
        columns = {
            "id": ["1/A"] * 5,
            "official_tests": [tests] * 4 + [[]],
            "time_limit": [2.0] * 5,
            "memory_limit": [256.0] * 5,
            "language": ["python"] * 5,
            "generated_checker": [None, checker, None, checker, None],
        }
        completions = [[{"content": content}] for content in contents]
        self.assertEqual(open_r1.cf_code_reward(completions, **columns), [1.1, 0.05, -1.0, 1.1, None])
        self.assertEqual(open_r1.cf_code_reward(completions, scoring_mode="pass_fail", **columns), [1.0, 0.0, -1.0, 1.0, None])


class Graders(WithProgram):
    def test_livecodebench(self) -> None:
        sample = {"input_output": json.dumps({**COLUMNS, "fn_name": None})}
        grades, metadata = livecodebench.check_correctness(sample, DOUBLE, 6)
        self.assertEqual((grades, list(metadata)), ([True, True], ["execution time"]))
        grades, metadata = livecodebench.check_correctness(sample, "print(4)")
        self.assertEqual((grades, metadata["error_code"], metadata["expected"]), ([True, -2], -2, "6\n"))
        self.assertEqual(livecodebench.check_correctness(sample, "1 / 0")[0], [-4])
        self.assertEqual(livecodebench.check_correctness(sample, "while True: pass", 1)[0], [-3])
        self.assertEqual(livecodebench.check_correctness(sample, "(")[0], [-4])
        self.assertEqual(livecodebench.check_correctness(sample, "print('4.0\\n')", checker="lines:decimal")[0], [True, -2])

    def test_lighteval(self) -> None:
        response = types.SimpleNamespace(final_text=[FENCED, FENCED, "```\nprint(4)\n```", "no block"])
        doc = types.SimpleNamespace(specific={**COLUMNS, "fn_name": None})
        self.assertEqual(lighteval.CodegenMetric().compute(model_response=response, doc=doc), 0.5)

    def test_code_eval(self) -> None:
        good, bad, slow = "def add(a, b): return a + b", "def add(a, b): return 0", "def add(a, b):\n while True: pass"
        scores, results = code_eval.compute(["assert add(2, 3) == 5"] * 2, [[good, bad], [slow, good]], k=[1, 2, 9], timeout=1)
        self.assertEqual(scores, {"pass@1": 0.5, "pass@2": 1.0})
        self.assertEqual(results[0][0], (0, {"task_id": 0, "passed": True, "result": "passed", "completion_id": 0}))
        self.assertEqual(results[1][0][1]["result"], "timed out")
        self.assertTrue(results[0][1][1]["result"].startswith("failed: "))

    def test_human_eval(self) -> None:
        problem = {"task_id": "T/0", "prompt": "def add(a, b):\n", "entry_point": "add"}
        problem["test"] = "def check(candidate):\n    assert candidate(2, 3) == 5\n"
        passed = human_eval.check_correctness(problem, "    return a + b\n", 3, 7)
        self.assertEqual(passed, {"task_id": "T/0", "passed": True, "result": "passed", "completion_id": 7})
        self.assertFalse(human_eval.check_correctness(problem, "    import sys; sys.exit(0)\n", 3)["passed"])

    def test_evalplus_and_bigcodebench(self) -> None:
        source = "def half(a): return a / 2 if a != 3 else 7"
        arguments = ("half", [0.5, 1.0, 1.5], 0, [0.001] * 3)
        self.assertEqual(evalplus.untrusted_check("humaneval", source, [[1], [2], [3]], *arguments), ("fail", [True, True, False]))
        tests = "import unittest\nclass TestCases(unittest.TestCase):\n    def test_a(self): self.assertEqual(half(2), 1)\n"
        self.assertEqual(bigcodebench.untrusted_check(source, tests, "half", 1024, 1024, 10), ("pass", {}))
        status, details = bigcodebench.untrusted_check("half = abs", tests, "half", 1024, 1024, 10)
        self.assertEqual(status, "fail")
        self.assertIn("test_a", details["ALL"])


class Rows(WithProgram):
    def test_livecodebench(self) -> None:
        private = [{"input": "3\n", "output": "6\n", "testtype": "stdin"}]
        packed = base64.b64encode(zlib.compress(pickle.dumps(json.dumps(private)))).decode()
        row = {"public_test_cases": json.dumps([{"input": "2\n", "output": "4\n", "testtype": "stdin"}]), "metadata": "{}"}
        for value in (packed, json.dumps(private)):
            task = rows.livecodebench({**row, "private_test_cases": value})
            self.assertEqual(task.keys["cases"], COLUMNS)
        self.assertTrue(task.judge("print(floor(int(input()) * 2))").accepted, "its grader imports math")
        self.assertTrue(task.judge("from __future__ import annotations\n" + DOUBLE).accepted)
        function = {
            "public_test_cases": json.dumps([{"input": "[1]\n2", "output": "[1, 2]", "testtype": "functional"}]),
            "private_test_cases": "[]",
            "metadata": json.dumps({"func_name": "f"}),
        }
        source = "class Solution:\n    def f(self, a: List[int], b: int):\n        return tuple(a + [b])\n"
        self.assertTrue(rows.livecodebench(function).judge(source).accepted)

    def test_pickles_of_anything_but_text_are_refused(self) -> None:
        for value in (print, {"a": 1}, b"\xff"):
            packed = base64.b64encode(zlib.compress(pickle.dumps(value))).decode()
            with self.assertRaises((pickle.UnpicklingError, ValueError)):
                rows.livecodebench({"public_test_cases": "[]", "private_test_cases": packed, "metadata": "{}"})

    def test_apps(self) -> None:
        lines = {"inputs": [["2"], ["3"]], "outputs": [["4"], ["6"]]}
        self.assertTrue(rows.apps({"input_output": json.dumps(lines)}).judge(DOUBLE).accepted)
        # The answers are wrapped, and one of them is itself a list with one element.
        function = {"fn_name": "f", "inputs": [[2], [3]], "outputs": [[4], [[6]]]}
        task = rows.taco({"input_output": json.dumps(function)})
        self.assertTrue(task.judge("def f(x): return 4 if x == 2 else [6]").accepted)
        unwrapped = {"fn_name": "f", "inputs": [[2], [3]], "outputs": [[4], [6]]}
        task = rows.apps({"input_output": json.dumps(unwrapped)})
        result = task.judge("def f(x): return [2 * x]")
        self.assertEqual((result.verdict, result.passed), ("AC", 2))
        result = task.judge("def f(x): return 4", stop="all", id="x")
        self.assertEqual((result.id, result.verdict, result.passed, result.score), ("x", "WA", 1, 0.5))
        keys = {"fn_name": "f", "inputs": [[{"1": 5}, 1]], "outputs": [[5]]}
        for source in ("def f(d, k): return d[k]", "class Solution:\n    def f(self, d, k): return d[k]"):
            self.assertTrue(rows.apps({"input_output": json.dumps(keys)}).judge(source).accepted)

    def test_code_contests(self) -> None:
        row = {
            "public_tests": {"input": ["2\n"], "output": ["4\n"]},
            "private_tests": {"input": [], "output": []},
            "generated_tests": [{"input": "3\n", "output": "6\n"}],
            "time_limit": {"seconds": 2, "nanos": 500000000},
            "memory_limit_bytes": 256000000,
            "input_file": "",
        }
        result = rows.code_contests(row).judge("print(4)", score="groups", stop="all")
        self.assertEqual((result.passed, result.total, result.score), (1, 2, 0.5))
        assert result.limits is not None
        self.assertEqual((result.limits.cpu_ms, result.limits.memory_bytes), (2500, 256000000))
        with self.assertRaises(ValueError):
            rows.code_contests({**row, "input_file": "sum.in"})


if __name__ == "__main__":
    unittest.main()
