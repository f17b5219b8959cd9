"""The program that the tests use: `REJUDGE`, or the one in PATH."""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import rejudge  # noqa: E402
from rejudge import _judge  # noqa: E402

DOUBLE = "print(int(input()) * 2)"
CASES = [("2\n", "4\n"), ("3\n", "6\n")]


class WithProgram(unittest.TestCase):
    """Tests that share a Judge with adapters."""

    judge: rejudge.Judge

    @classmethod
    def setUpClass(cls) -> None:
        cls.judge = new_judge()
        _judge._shared[:] = [cls.judge]

    @classmethod
    def tearDownClass(cls) -> None:
        _judge._shared.clear()
        cls.judge.close()


def new_judge(workers: int = 2, preload: bool = False) -> rejudge.Judge:
    return rejudge.Judge(workers, os.environ.get("REJUDGE"), preload=preload)
