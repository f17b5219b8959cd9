"""`Judge`: a warm program, for threads, event loops and processes that fork."""

import asyncio
import os
import queue
import threading
import weakref
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, Optional, Sequence, Type, Union

from . import _process
from ._errors import RejudgeError
from ._process import Process
from ._program import find_program
from ._request import Cases, Keys, Request, request
from ._result import Result

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Judge:
    """Judges programs with one process `rejudge batch`, which starts with the first request.

    Any thread may use it, and so may a coroutine (`ajudge`). After a fork, or in a process that got it by pickling, it starts
    a process of its own. As a context, it ends the process; otherwise the end of the interpreter does.

    `workers` is the number of cases that run in parallel (default: one less than the cores), `rejudge` the path of the
    program, `options` further options of `rejudge batch`. With `preload`, Python starts once for many cases of a program.
    """

    def __init__(
        self,
        workers: Optional[int] = None,
        rejudge: Union[str, "os.PathLike[str]", None] = None,
        options: Sequence[str] = (),
        preload: bool = False,
    ) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"invalid number of workers: {workers}: expected at least 1")
        self._workers = workers
        self._rejudge = None if rejudge is None else os.fspath(rejudge)
        self._options = (*options, "--preload") if preload else tuple(options)
        self._closed = False
        self._after_fork()
        _judges.add(self)

    def _after_fork(self) -> None:
        self._lock = threading.Lock()
        self._process: Optional[Process] = None
        self._finalizer: Optional["weakref.finalize[[], Any]"] = None

    def __reduce__(self) -> Any:
        return Judge, (self._workers, self._rejudge, self._options)

    def __enter__(self) -> "Judge":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.stop()

    def close(self) -> None:
        """Waits until all requests have their answers, and ends the process."""
        process = self._shut()
        if process is not None:
            process.close()

    def stop(self) -> None:
        """Ends the process now. Requests without an answer fail with `ProgramEnded`."""
        process = self._shut()
        if process is not None:
            process.stop()

    def _shut(self) -> Optional[Process]:
        with self._lock:
            self._closed = True
            return self._process

    def submit(self, request: Request) -> "Future[Result]":
        """Hands over a request and returns at once."""
        future: "Future[Result]" = Future()
        while not self._running().submit((request, future)):
            pass
        return future

    def _running(self) -> Process:
        with self._lock:
            if self._closed:
                raise RejudgeError("this Judge is closed")
            if self._process is None or not self._process.usable():
                command = [self._rejudge or find_program(), "batch", *self._options]
                if self._workers is not None:
                    command += ["--jobs", str(self._workers)]
                with _process.starting:
                    self._process = Process(command)
                self._finalizer = weakref.finalize(self, self._process.stop)
            return self._process

    def judge(
        self,
        source: Union[str, "os.PathLike[str]", None] = None,
        cases: Optional[Cases] = None,
        language: Union[str, int, None] = "python",
        **keys: "Unpack[Keys]",
    ) -> Result:
        """Judges a program. The keys are those of `rejudge.request`."""
        return self.judge_request(request(source, cases, language, **keys))

    def judge_request(self, request: Request) -> Result:
        """Judges a request that `rejudge.request` made, or a mapping with the keys of `rejudge batch`."""
        future = self.submit(request)
        try:
            return future.result()
        finally:
            # Does nothing but after Ctrl-C, when nobody waits for it.
            future.cancel()

    async def ajudge(
        self,
        source: Union[str, "os.PathLike[str]", None] = None,
        cases: Optional[Cases] = None,
        language: Union[str, int, None] = "python",
        **keys: "Unpack[Keys]",
    ) -> Result:
        """Like `judge`, without blocking the event loop."""
        return await self.ajudge_request(request(source, cases, language, **keys))

    async def ajudge_request(self, request: Request) -> Result:
        """Like `judge_request`, without blocking the event loop."""
        return await asyncio.wrap_future(self.submit(request))

    def map(self, requests: Iterable[Request], pending: Optional[int] = None) -> Iterator[Result]:
        """Judges requests, and yields each result as soon as there is one, in any order: give each an `id`.

        At most `pending` requests are read before their results are taken (default: 4 for each worker, at least 16), so
        that requests without end need no more memory.
        """
        limit = pending or max(16, 4 * (self._workers or os.cpu_count() or 1))
        done: "queue.SimpleQueue[Future[Result]]" = queue.SimpleQueue()
        running = set()
        try:
            for next_request in requests:
                future = self.submit(next_request)
                running.add(future)
                future.add_done_callback(done.put)
                while len(running) >= limit or not done.empty():
                    finished = done.get()
                    running.discard(finished)
                    yield finished.result()
            while running:
                finished = done.get()
                running.discard(finished)
                yield finished.result()
        finally:
            for future in running:
                future.cancel()


_judges: "weakref.WeakSet[Judge]" = weakref.WeakSet()
_shared: List[Judge] = []
_sharing = threading.Lock()


def shared() -> Judge:
    """The Judge of `rejudge.judge` and of adapters that got none."""
    with _sharing:
        if not _shared:
            _shared.append(Judge())
        return _shared[0]


def judge(
    source: Union[str, "os.PathLike[str]", None] = None,
    cases: Optional[Cases] = None,
    language: Union[str, int, None] = "python",
    **keys: "Unpack[Keys]",
) -> Result:
    """Judges a program with a process that stays warm until the interpreter ends. The keys are those of `rejudge.request`."""
    return shared().judge(source, cases, language, **keys)


def _in_child() -> None:
    global _sharing
    _process.starting = threading.Lock()
    _sharing = threading.Lock()
    for judge in list(_judges):
        process = judge._process
        if process is not None:
            process.forget_in_fork()
        if judge._finalizer is not None:
            judge._finalizer.detach()
        judge._after_fork()


os.register_at_fork(
    before=lambda: _process.starting.acquire(),
    after_in_parent=lambda: _process.starting.release(),
    after_in_child=_in_child,
)
