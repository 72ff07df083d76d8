"""Tasks of a verification, one after the other or on several threads, with progress reports."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Self, TypeVar

from keepclear.query.moving.moving_pair import stop_when

T = TypeVar("T")


class Progress:
    """Reports to a caller's function how many of a stage's tasks are done."""

    def __init__(self, tell: Callable[[int, int, str], object] | None) -> None:
        self._tell = tell

    def __call__(self, done: int, total: int, text: str) -> None:
        """Report the progress."""
        if self._tell is not None:
            self._tell(done, total, text)


class Pool:
    """Runs the tasks of a stage; Ctrl-C ends the running tasks, and no other task begins."""

    def __init__(self, threads: int, progress: Progress) -> None:
        self._threads, self._progress = threads, progress
        self._stop: threading.Event | None = None
        self._executor: ThreadPoolExecutor | None = None

    def each(self, text: str, tasks: Mapping[int, T], work: Callable[[int, T], None]) -> None:
        """Call work(key, task) for each task; an exception of one of them ends all."""
        total = len(tasks)
        self._progress(0, total, text)
        if self._threads <= 1 or total <= 1:
            for done, (key, task) in enumerate(tasks.items(), 1):
                work(key, task)
                self._progress(done, total, text)
            return
        if self._executor is None:
            self._stop = threading.Event()
            self._executor = ThreadPoolExecutor(
                self._threads, "keepclear-verify", initializer=stop_when, initargs=(self._stop,)
            )
        waiting = {self._executor.submit(work, key, task) for key, task in tasks.items()}
        done = 0
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ended:
                future.result()
            done += len(ended)
            self._progress(done, total, text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and self._stop is not None:
            self._stop.set()
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
