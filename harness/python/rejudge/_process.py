"""One process `rejudge batch`, with a thread that writes requests, one that reads answers, and one that reads errors.

It belongs to the process that started it. A fork closes its copies of the pipes, so that `rejudge` sees the end of its input
when the process that started it ends, even by SIGKILL.
"""

import json
import os
import queue
import subprocess
import threading
from concurrent.futures import Future
from typing import Any, Dict, List, Optional, Tuple

from ._errors import ProgramEnded, RejudgeError
from ._request import Request
from ._result import Id, Result, from_answer

STDERR_TAIL = 65536
READ_SIZE = 1 << 20
# Seconds between SIGTERM and SIGKILL.
GRACE = 5.0

# No fork happens between the creation of the pipes and the moment when they are known. Held by `os.fork`.
starting = threading.Lock()

Job = Tuple[Request, "Future[Result]"]


class Process:
    """A running program."""

    def __init__(self, command: List[str]) -> None:
        self._owner = os.getpid()
        # A session of its own: Ctrl-C reaches only the caller, which then decides what ends.
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._jobs: "queue.SimpleQueue[Optional[Job]]" = queue.SimpleQueue()
        self._lock = threading.Lock()
        # By the number of the request, which is its line in the input of the program.
        self._waiting: Dict[int, Tuple[Optional[Id], "Future[Result]"]] = {}
        self._lines = 0
        self._ended = False
        self._closing = False
        self._stderr = b""
        self._errors = self._thread("errors", self._read_errors)
        self._reader = self._thread("answers", self._read_answers)
        self._writer = self._thread("requests", self._write_requests)

    @staticmethod
    def _thread(name: str, body: Any) -> threading.Thread:
        thread = threading.Thread(target=body, name=f"rejudge {name}", daemon=True)
        thread.start()
        return thread

    def usable(self) -> bool:
        """Whether it takes requests."""
        return not (self._ended or self._closing)

    def submit(self, job: Job) -> bool:
        """Hands over a request. False if the process has ended."""
        with self._lock:
            if not self.usable():
                return False
            self._jobs.put(job)
            return True

    def close(self) -> None:
        """Lets it answer what it has, and end."""
        with self._lock:
            if not self._closing:
                self._closing = True
                self._jobs.put(None)
        self._reader.join()

    def stop(self) -> None:
        """Ends it now. A process that was forked from the owner only forgets it."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            self._closing = True
            self._jobs.put(None)
        if self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(GRACE)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()

    def forget_in_fork(self) -> None:
        """Closes the copies of the pipes that a fork got."""
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass
        # It is no child of this process: nobody waits for it.
        self._child.returncode = 0

    def _write_requests(self) -> None:
        pipe = self._child.stdin
        assert pipe is not None
        while True:
            job = self._jobs.get()
            if job is None:
                break
            try:
                self._write(pipe, *job)
            except (BrokenPipeError, ValueError):
                # It ended, and the reader tells everybody.
                break
        try:
            pipe.close()
        except OSError:
            pass

    def _write(self, pipe: Any, request: Request, future: "Future[Result]") -> None:
        # Whoever asked may have given up.
        if not future.set_running_or_notify_cancel():
            return
        caller_id = request.get("id")
        number = self._lines + 1
        try:
            # The id comes first, so that the program can read it in a request that is too long.
            line = json.dumps(dict({"id": None}, **dict(request, id=_text_of_id(number, caller_id))), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            future.set_exception(RejudgeError(f"the request is not valid as JSON: {error}"))
            return
        with self._lock:
            self._lines = number
            self._waiting[number] = (caller_id, future)
            ended = self._ended
        if ended:
            self._fail_waiting()
            return
        left = memoryview(line.encode("ascii") + b"\n")
        while left:
            left = left[pipe.write(left) :]

    def _read_answers(self) -> None:
        pipe = self._child.stdout
        assert pipe is not None
        parts: List[bytes] = []
        try:
            while True:
                block = pipe.read(READ_SIZE)
                if not block:
                    break
                *lines, rest = block.split(b"\n")
                for line in lines:
                    parts.append(line)
                    self._answer(b"".join(parts))
                    parts = []
                if rest:
                    parts.append(rest)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            # Something that is not an answer: it is another program, or one that belongs to another version.
            self._child.kill()
        self._child.wait()
        self._errors.join()
        pipe.close()
        with self._lock:
            self._ended = True
            self._jobs.put(None)
        self._fail_waiting()

    def _answer(self, line: bytes) -> None:
        answer = json.loads(line)
        text = answer.get("id")
        # The program cannot read the id of what is not valid as JSON, but then it names the line.
        number = answer["line"] if text is None else int(text.partition(" ")[0])
        with self._lock:
            caller_id, future = self._waiting[number]
        same_as = answer.get("same_as")
        result = from_answer(
            answer,
            number if caller_id is None else caller_id,
            None if same_as is None else _id_of_text(same_as),
        )
        with self._lock:
            del self._waiting[number]
        future.set_result(result)

    def _read_errors(self) -> None:
        pipe = self._child.stderr
        assert pipe is not None
        with pipe:
            while True:
                block = pipe.read(READ_SIZE)
                if not block:
                    return
                self._stderr = (self._stderr + block)[-STDERR_TAIL:]

    def _fail_waiting(self) -> None:
        error = ProgramEnded(self._child.returncode, self._stderr.decode("utf-8", "replace"))
        with self._lock:
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for _, future in waiting:
            future.set_exception(error)
        while True:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                # The writer may wait for the end.
                self._jobs.put(None)
                return
            if job is not None and job[1].set_running_or_notify_cancel():
                job[1].set_exception(error)


def _text_of_id(number: int, caller_id: Optional[Id]) -> str:
    """An id that no other request has, and that brings the caller's back when another answer names it."""
    return f"{number} {json.dumps(caller_id)}"


def _id_of_text(text: str) -> Id:
    number, _, caller_id = text.partition(" ")
    found: Optional[Id] = json.loads(caller_id)
    return int(number) if found is None else found
