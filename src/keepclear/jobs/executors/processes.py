"""Jobs in processes of this machine: a worker that dies is replaced, and its job is run once more."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from keepclear.checks import shown
from keepclear.errors import ArgumentError, FleetError
from keepclear.jobs.executors.executor import (
    UNGUARDED,
    WORKER_NAME,
    Job,
    Outcome,
    Work,
    check_guarded,
    failure_text,
    guard_error,
)

MOST_DEATHS = 2  # a job has failed after this many deaths of its workers
PATIENCE = 5.0  # seconds for workers to exit before they are killed
MOST_IDLE_DEATHS = 20  # limit of consecutive workers that die without a job
MOST_EARLY_DEATHS = 3  # limit of workers that die before any worker is ready
LONGEST = 86400.0  # seconds of one wait; the system counts milliseconds, and not beyond a month


@dataclass(slots=True, eq=False)
class _Worker:
    """A process, its pipe, the keys of the shared data that it has, its current job, and the start time of that job."""

    process: Any
    pipe: Connection
    has: set[str] = field(default_factory=set)
    job: int | None = None
    is_ready: bool = False
    since: float = 0.0


class Processes:
    """Jobs in processes of this machine.

    Args:
        count: The number of processes; None: one for each processor.

    Examples:
        >>> import keepclear as kc
        >>> kc.executors.Processes(2)
        Processes(2)
    """

    def __init__(self, count: int | None = None) -> None:
        if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
            raise ArgumentError(
                f"Processes: the count must be an integer from 1 on, but it is {shown(count)}."
            )
        self.count = count or _n_processors()

    def __repr__(self) -> str:
        return f"Processes({self.count})"

    def map(
        self, work: Work, jobs: Sequence[Job], shared: Mapping[str, Any], *, timeout: float | None = None
    ) -> Iterator[Outcome]:
        """Yield the outcome of each job as soon as it ends; see `Executor.map`.

        Raises:
            FleetError: Workers die at their start; the usual cause is a script without `if __name__ == "__main__":`.
        """
        check_guarded(WORKER_NAME)
        run = _Run(work, jobs, shared, timeout)
        try:
            yield from run.outcomes(min(self.count, len(jobs)))
        finally:
            run.end()


class _Run:
    """The work on a list of jobs."""

    def __init__(
        self, work: Work, jobs: Sequence[Job], shared: Mapping[str, Any], timeout: float | None
    ) -> None:
        self._work, self._jobs, self._shared, self._timeout = work, jobs, shared, timeout
        self._context = multiprocessing.get_context(
            "spawn"
        )  # compiled code and threads do not survive a fork
        self._waiting = deque(range(len(jobs)))
        self._deaths = dict.fromkeys(range(len(jobs)), 0)
        self._workers: list[_Worker] = []
        self._idle_deaths, self._is_started = 0, False

    def outcomes(self, count: int) -> Iterator[Outcome]:
        """Run all jobs on `count` workers."""
        for _ in range(count):
            self._begin()
        while self._waiting or any(worker.job is not None for worker in self._workers):
            self._give_all()
            yield from self._ended()

    def _give_all(self, gone: Sequence[_Worker] = ()) -> None:
        """Send waiting jobs to idle workers that are alive."""
        for worker in self._workers:
            if worker.is_ready and worker.job is None and self._waiting and worker not in gone:
                self._give(worker, self._waiting.popleft())

    def _begin(self) -> None:
        """Start a worker; it does not end with Ctrl-C, which this process handles."""
        mine, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_serve, args=(theirs, self._work), daemon=True, name=WORKER_NAME
        )
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, mine))

    def _give(self, worker: _Worker, number: int) -> None:
        """Send a job to a worker, with its shared data if the worker does not have it yet."""
        job = self._jobs[number]
        content = None if job.shared in worker.has else self._shared[job.shared]
        worker.job, worker.since = number, time.monotonic()
        worker.has.add(job.shared)
        with contextlib.suppress(OSError):  # the worker died; its sentinel reports that
            worker.pipe.send((number, job.shared, content, job.arguments))

    def _ended(self) -> Iterator[Outcome]:
        """Yield the outcomes of jobs that ended, and replace workers that died or exceeded the time limit."""
        now = time.monotonic()
        left = [w.since + self._timeout - now for w in self._workers if w.job is not None and self._timeout]
        pipes = {worker.pipe: worker for worker in self._workers}
        sentinels = {worker.process.sentinel: worker for worker in self._workers}
        ready = wait([*pipes, *sentinels], timeout=min(max(min(left), 0.0), LONGEST) if left else None)
        gone: list[_Worker] = []
        done: list[Outcome] = []
        for pipe in [one for one in ready if one in pipes]:
            worker = pipes[pipe]
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                gone.append(worker)  # all its answers have been read
                continue
            if answer is None:
                worker.is_ready = self._is_started = True
                continue
            number, value, failure = answer
            job, worker.job, self._idle_deaths = self._jobs[number], None, 0
            if failure.startswith("MemoryError"):  # its memory may stay short: start a new worker
                self._drop(worker)
                self._deaths[number] += 1
                if self._deaths[number] < MOST_DEATHS:
                    self._waiting.appendleft(number)
                    continue
            done.append(Outcome(job, value, failure, "raised" if failure else "done"))
        gone += [
            worker
            for sentinel, worker in sentinels.items()
            if sentinel in ready and worker in self._workers and not worker.pipe.poll()
        ]
        self._give_all(gone)  # workers continue while the caller handles their results
        yield from done
        for dead in {id(worker): worker for worker in gone}.values():
            yield from self._replace(dead)
        if self._timeout is not None:
            for worker in list(self._workers):
                is_late = worker.job is not None and time.monotonic() - worker.since > self._timeout
                if is_late and not worker.pipe.poll():  # an answer may wait while the caller handles others
                    assert worker.job is not None
                    job, worker.job = self._jobs[worker.job], None
                    self._drop(worker)
                    yield Outcome(job, failure=f"it took more than {self._timeout:g} s", kind="late")

    def _replace(self, worker: _Worker) -> Iterator[Outcome]:
        """Replace a worker that died; its job runs once more, and fails if that worker dies, too."""
        number, worker.job = worker.job, None
        self._end(worker)
        code = worker.process.exitcode
        if number is None:
            self._idle_deaths += 1
            if code == UNGUARDED and not worker.is_ready:
                raise guard_error()
            if not self._is_started and self._idle_deaths >= MOST_EARLY_DEATHS:
                raise guard_error(
                    f"workers die at their start (exit code {code}); see what they print. If nothing is wrong there: "
                )
            if self._idle_deaths >= MOST_IDLE_DEATHS:
                raise FleetError(f"workers die before they do a job (exit code {code}); see what they print.")
            self._begin()
            return
        self._begin()
        self._deaths[number] += 1
        if self._deaths[number] < MOST_DEATHS:
            self._waiting.appendleft(number)
            return
        text = f"its worker died {MOST_DEATHS} times, last with exit code {code}"
        yield Outcome(self._jobs[number], failure=text, kind="killed")

    def _drop(self, worker: _Worker) -> None:
        """Kill a worker and start another one."""
        self._end(worker)
        self._begin()

    def _end(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()

    def end(self) -> None:
        """End all workers; those that do not exit are killed."""
        for worker in self._workers:
            if worker.job is not None or not worker.is_ready:
                worker.process.kill()
            with contextlib.suppress(OSError):
                worker.pipe.send(None)
            worker.pipe.close()
        until = time.monotonic() + PATIENCE
        for worker in self._workers:
            worker.process.join(max(until - time.monotonic(), 0.0))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def _serve(pipe: Connection, work: Work) -> None:
    """Run jobs until there are none left; this is the loop of a worker."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["KEEPCLEAR_QUIET"] = "1"
    threading.Thread(target=_end_with_parent, daemon=True).start()
    has: dict[str, Any] = {}
    with contextlib.suppress(OSError):
        pipe.send(None)  # imports are done: time limits count from here on
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            return
        if message is None:
            return
        number, key, content, arguments = message
        try:
            if content is not None:
                has[key] = content
            answer = number, work(has[key], arguments), ""
        except (Exception, MemoryError) as error:
            answer = number, None, failure_text(error)
        try:
            pipe.send(answer)
        except (OSError, BrokenPipeError):
            return


def _end_with_parent() -> None:
    """End this worker when its parent process is gone, even during a job that hangs."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _n_processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
