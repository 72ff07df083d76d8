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

from keepclear.world.submit.check import Check

PATIENCE = 5.0  # [s] that the interpreter's exit waits for the threads of a world


class Workers:
    """A queue of checks and the threads for it; the first check starts the first thread.

    Threads reference the queue and not the world: when a world is deleted, its checks end and then its threads. A
    thread waits for a token and then takes the check that has waited longest. Each waiting check has a token, and at
    the end there is one that every thread passes on; a token without a check is ignored, so that checks may leave the
    queue.
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
        """Add a check to the queue, and start a thread for it if none is idle and the limit allows it."""
        check._leave = self._leave
        with self._lock:
            if len(self._waiting) + len(self._working) >= len(self.threads) < self._n_threads:
                thread = threading.Thread(target=_work, args=(self,), name="keepclear-check", daemon=True)
                thread.start()
                self.threads.append(thread)
            self._waiting[check] = None
        self._tokens.put(None)

    def end(self) -> None:
        """Let the threads end when no check is left; the garbage collector calls this, too, so it takes no lock."""
        self._ended = True
        self._tokens.put(None)

    def cancel(self) -> None:
        """Cancel every check that has not ended."""
        with self._lock:
            checks = [*self._waiting, *self._working]
        for check in checks:
            check.cancel()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the threads end, or for a time limit [s]; a calling thread does not wait for itself."""
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
        """Run a check until it ends, or until it yields to the next one."""
        over = True
        try:
            over = check._go_on(self._others_wait)
        except BaseException as error:  # any error concerns only this check
            with suppress(BaseException):  # even a SystemExit from a user's callback
                # harmless (error): an exception, no bound
                check._fail(error)
        with self._lock:
            self._working.discard(check)
            if not over:
                self._waiting[check] = None
        if over:
            check._let_go()  # cancelled while the search began, possibly after `end`
        else:
            self._tokens.put(None)
        del check  # a traceback kept with the check references this frame


def _work(workers: Workers) -> None:
    """Run checks until the end is requested and none waits."""
    while True:
        workers._tokens.get()
        check = workers._take()
        if check is not None:
            workers._run(check)
            del check  # a waiting thread holds no reference
        elif workers._ended:
            workers._tokens.put(None)
            return


_everyone: weakref.WeakSet[Workers] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """Stop every search before the interpreter exits, so that no thread continues after it."""
    for workers in list(_everyone):
        if workers.process == os.getpid():  # after a fork the threads belong to the parent
            workers.end()
            workers.cancel()
            workers.join(PATIENCE)
