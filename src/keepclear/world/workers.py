"""The threads that work on checks, and the queue they take them from."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import OrderedDict
from contextlib import suppress
from queue import SimpleQueue
from time import monotonic

from keepclear.world.device import Check

PATIENCE = 5.0  # [s] to wait for the threads of a world when the interpreter exits


class Workers:
    """A queue of checks and the threads for it; the first check starts the first thread.

    Threads know the queue and not the world: when a world is forgotten, its checks end and then its threads. A thread
    waits for a token and then takes the check that waits longest. There is a token for each check that waits, and at
    the end one that every thread passes on; a token without a check means nothing, so that checks may leave.
    """

    def __init__(self, n_threads: int) -> None:
        self.process = os.getpid()
        self.threads: list[threading.Thread] = []
        self._n_threads = n_threads
        self._lock = threading.RLock()
        self._waiting: OrderedDict[Check, None] = OrderedDict()
        self._working: set[Check] = set()
        self._tokens: SimpleQueue[None] = SimpleQueue()
        self._ended = False
        _everyone.add(self)

    def submit(self, check: Check) -> None:
        """Let the check wait for its turn, and start a thread for it if none is free and there may be more."""
        check._leave = self._leave
        with self._lock:
            if len(self._waiting) + len(self._working) >= len(self.threads) < self._n_threads:
                thread = threading.Thread(target=_work, args=(self,), name="keepclear-check", daemon=True)
                thread.start()
                self.threads.append(thread)
            self._waiting[check] = None
        self._tokens.put(None)

    def end(self) -> None:
        """Let the threads end when no check is left; called by the garbage collector too, so it takes no lock."""
        self._ended = True
        self._tokens.put(None)

    def cancel(self) -> None:
        """Cancel every check that has not ended."""
        with self._lock:
            checks = [*self._waiting, *self._working]
        for check in checks:
            check.cancel()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the threads to end, or for so many seconds [s]; a thread that calls this is not waited for."""
        end = None if timeout is None else monotonic() + timeout
        for thread in self.threads:
            if thread is not threading.current_thread():
                thread.join(None if end is None else max(0.0, end - monotonic()))

    def _leave(self, check: Check) -> None:
        with self._lock:
            self._waiting.pop(check, None)

    def _take(self) -> Check | None:
        with self._lock:
            if not self._waiting:
                return None
            check, _ = self._waiting.popitem(last=False)
            self._working.add(check)
            return check

    def _others_wait(self) -> bool:
        return bool(self._waiting)

    def _run(self, check: Check) -> None:
        """Work on a check until it ends or the next one has its turn."""
        over = True
        try:
            over = check._go_on(self._others_wait)
        except BaseException as error:  # whatever it is, it belongs to this check alone
            with suppress(BaseException):  # a callback of the user's may even ask this thread to exit
                check._fail(error)
        with self._lock:
            self._working.discard(check)
            if not over:
                self._waiting[check] = None
        if over:
            check._let_go()  # cancelled while the search began, it may have come after the end
        else:
            self._tokens.put(None)
        del check  # a traceback that is kept with the check holds this frame


def _work(workers: Workers) -> None:
    """Run checks until their end is wanted and nothing waits."""
    while True:
        workers._tokens.get()
        check = workers._take()
        if check is not None:
            workers._run(check)
            del check  # while this thread waits, it holds nothing
        elif workers._ended:
            workers._tokens.put(None)
            return


_everyone: weakref.WeakSet[Workers] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """Stop every search before the interpreter goes, so that no thread wakes up without one."""
    for workers in list(_everyone):
        if workers.process == os.getpid():  # after a fork they are the parent's
            workers.end()
            workers.cancel()
            workers.join(PATIENCE)
