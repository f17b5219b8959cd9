import asyncio
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from program import CASES, DOUBLE, WithProgram, new_judge, rejudge

HERE = pathlib.Path(__file__).resolve().parent


def verdict_in_another_process(judge: rejudge.Judge) -> str:
    return str(judge.judge(DOUBLE, CASES).verdict)


def processes_of(session: int) -> list:
    """The processes of a session that are no zombies."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state not in "ZX":
            found.append(path.parent.name)
    return found


class Results(WithProgram):
    def test_a_right_and_a_wrong_program(self) -> None:
        right = self.judge.judge(DOUBLE, CASES, id="right")
        self.assertEqual((right.id, right.verdict, right.accepted, right.score), ("right", "AC", True, 1.0))
        wrong = self.judge.judge("print(4)", CASES)
        self.assertEqual((wrong.verdict, wrong.passed, wrong.total, wrong.score), ("WA", 1, 2, 0.5))
        self.assertEqual([case.accepted for case in wrong.cases], [True, False])
        assert wrong.limits is not None and wrong.compile is not None
        self.assertEqual((wrong.limits.cpu_ms, wrong.compile.ok), (10000, True))

    def test_equal_requests_name_the_id_that_the_caller_gave(self) -> None:
        self.judge.judge("print(1)", [("", "1")], id="first")
        self.assertEqual(self.judge.judge("print(1)", [("", "1")], id=2).same_as, "first")

    def test_what_is_not_judged_is_no_verdict(self) -> None:
        result = self.judge.judge(DOUBLE, CASES, language="klingon", id="k")
        self.assertEqual((result.id, result.judged, result.fault, result.accepted), ("k", False, "request", False))
        with self.assertRaises(rejudge.NotJudged) as caught:
            result.raise_if_not_judged()
        self.assertIn("klingon", str(pickle.loads(pickle.dumps(caught.exception))))

    def test_a_text_that_json_cannot_carry_gets_an_answer(self) -> None:
        self.assertEqual(self.judge.judge("'\ud800'", CASES, id="half").id, "half")
        with self.assertRaises(rejudge.RejudgeError):
            self.judge.judge(DOUBLE, [{"input": object()}])

    def test_keys_of_a_request(self) -> None:
        keys = rejudge.request(pathlib.Path("a.py"), "cases", function="f", stop=3)
        self.assertEqual(keys["path"], os.path.abspath("a.py"))
        self.assertEqual(keys["cases"], os.path.abspath("cases"))
        self.assertEqual((keys["function"], keys["stop"]), ({"name": "f"}, {"batch": 3}))
        self.assertEqual(self.judge.judge("print(1)", [("", None)], return_output=True).cases[0].stdout, "1\n")


class Preloaded(unittest.TestCase):
    def test_later_cases_begin_in_a_copy_of_an_interpreter(self) -> None:
        with new_judge(workers=1, preload=True) as judge:
            result = judge.judge(DOUBLE, CASES * 2, id="copies")
        self.assertEqual(result.verdict, "AC")
        self.assertFalse(result.cases[0].preloaded)
        self.assertTrue(any(case.preloaded for case in result.cases))
        self.assertEqual(pickle.loads(pickle.dumps(judge))._options, ("--preload",))


class Callers(WithProgram):
    def test_map_reads_no_more_than_it_may(self) -> None:
        read = []

        def requests():  # type: ignore[no-untyped-def]
            for number in range(60):
                read.append(number)
                yield rejudge.request(f"print({number % 4})", [("", "0")], id=number)

        seen = set()
        for result in self.judge.map(requests(), pending=5):
            self.assertLessEqual(len(read), len(seen) + 5)
            seen.add(result.id)
            self.assertEqual(result.verdict, "AC" if int(result.id) % 4 == 0 else "WA")
        self.assertEqual(seen, set(range(60)))

    def test_many_threads_and_a_running_event_loop(self) -> None:
        verdicts = {}

        def one(number: int) -> None:
            verdicts[number] = self.judge.judge(f"print({number})", [("", "3")]).verdict

        threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()

        async def together() -> list:
            return await asyncio.gather(*[self.judge.ajudge(f"print({number})", [("", "5")]) for number in range(8)])

        results = asyncio.run(together())
        for thread in threads:
            thread.join()
        self.assertEqual([result.verdict for result in results].index("AC"), 5)
        self.assertEqual([number for number, verdict in verdicts.items() if verdict == "AC"], [3])

    def test_processes_that_fork_and_spawn_have_their_own_program(self) -> None:
        self.judge.judge(DOUBLE, CASES)
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            with context.Pool(2) as pool:
                self.assertEqual(pool.map(verdict_in_another_process, [self.judge] * 2), ["AC", "AC"], method)
        self.assertTrue(self.judge.judge(DOUBLE, CASES).accepted)


class Ends(unittest.TestCase):
    def test_the_end_of_the_program_has_its_errors(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "rejudge")
            program.write_text("#!/bin/sh\nread line\necho 'the disk burns' >&2\nexit 7\n")
            program.chmod(0o755)
            judge = rejudge.Judge(rejudge=program)
            for _ in range(2):
                with self.assertRaises(rejudge.ProgramEnded) as caught:
                    judge.judge(DOUBLE, CASES)
                self.assertEqual((caught.exception.status, caught.exception.stderr), (7, "the disk burns\n"))
            judge.close()

    def test_another_program_is_an_error(self) -> None:
        with self.assertRaises(rejudge.ProgramEnded):
            rejudge.Judge(rejudge="/bin/cat").judge(DOUBLE, CASES)

    def test_a_killed_program_starts_again(self) -> None:
        judge = new_judge()
        self.assertTrue(judge.judge(DOUBLE, CASES).accepted)
        assert judge._process is not None
        judge._process._child.kill()
        judge._process._reader.join()
        self.assertTrue(judge.judge(DOUBLE, CASES).accepted)
        judge.close()
        with self.assertRaises(rejudge.RejudgeError):
            judge.judge(DOUBLE, CASES)

    def test_a_missing_program_names_the_remedy(self) -> None:
        script = "import rejudge\ntry: rejudge.judge('', [])\nexcept rejudge.ProgramNotFound as error: print(error)"
        with tempfile.TemporaryDirectory() as folder:
            environment = {"PYTHONPATH": str(HERE.parent), "PATH": folder}
            run = subprocess.run([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, check=True)
        self.assertIn(b"pip install rejudge", run.stdout)

    def _left_behind(self, how: str, number: int) -> list:
        """What is left of a program after its caller ended while a submission runs for ever."""
        script = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from program import new_judge\n"
            "import threading, time\n"
            "judge = new_judge()\n"
            "judge.judge('print(1)', [('', '1')])\n"
            "print(judge._process._child.pid, flush=True)\n"
            "future = judge.submit({'source': 'while True: pass', 'language': 'python', 'cases': [{'input': ''}],"
            " 'time_limit': 100, 'wall_limit': 100})\n"
            "time.sleep(1)\n"
            f"{how}\n"
        )
        with subprocess.Popen([sys.executable, "-c", script, str(HERE)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as caller:
            assert caller.stdout is not None
            session = int(caller.stdout.readline())
            self.assertTrue(processes_of(session))
            if number:
                time.sleep(2)
                caller.send_signal(number)
            caller.wait(60)
        for _ in range(300):
            if not processes_of(session):
                break
            time.sleep(0.1)
        return processes_of(session)

    def test_the_end_of_the_interpreter_leaves_nothing_behind(self) -> None:
        self.assertEqual(self._left_behind("pass", 0), [])

    def test_ctrl_c_leaves_nothing_behind(self) -> None:
        self.assertEqual(self._left_behind("future.result()", signal.SIGINT), [])


class Imports(unittest.TestCase):
    def test_nothing_large_is_imported(self) -> None:
        script = (
            "import sys, rejudge\n"
            "from rejudge.adapters import bigcodebench, code_eval, evalplus, human_eval, lighteval, livecodebench, open_r1, verl\n"
            "print([name for name in ('torch', 'numpy', 'datasets', 'lighteval', 'verl') if name in sys.modules])"
        )
        environment = {"PYTHONPATH": str(HERE.parent)}
        run = subprocess.run([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, check=True)
        self.assertEqual(run.stdout, b"[]\n")


if __name__ == "__main__":
    unittest.main()
