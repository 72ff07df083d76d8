"""Executors take jobs, and yield outcomes as jobs end; the simplest runs them in this process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from keepclear.errors import ArgumentError, FleetError

Work = Callable[[Any, Any], Any]
"""The function of a job, work(shared, arguments); it is a module's function, so that other processes can import it."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job.

    Attributes:
        name: The name in messages, unique in a run.
        shared: The key of data that it shares with other jobs; the data is sent to each worker once.
        arguments: The arguments of this job; small, and of types that can be pickled.
    """

    name: str
    shared: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended.

    Attributes:
        job: The job.
        value: The result of the work; None after a failure.
        failure: Why it failed; "" if it did not.
        kind: "done", "raised", "killed" (its worker died twice) or "late" (beyond its time limit).
    """

    job: Job
    value: Any = None
    failure: str = ""
    kind: Literal["done", "raised", "killed", "late"] = "done"


class Executor(Protocol):
    """Where jobs run. Results do not depend on it."""

    def map(
        self, work: Work, jobs: Sequence[Job], shared: Mapping[str, Any], *, timeout: float | None = None
    ) -> Iterator[Outcome]:
        """Yield the outcome of each job once, as soon as it ends; a failed job does not end the others.

        Args:
            work: The function that is called for each job.
            jobs: The jobs.
            shared: Data that jobs share, by key.
            timeout: How long a job may take [s]; None: no limit.
        """


def failure_text(error: BaseException) -> str:
    """Return the message of an error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]


@dataclass(frozen=True, slots=True)
class InProcess:
    """Jobs one after the other, in this process; threads share the work of each."""

    def map(
        self, work: Work, jobs: Sequence[Job], shared: Mapping[str, Any], *, timeout: float | None = None
    ) -> Iterator[Outcome]:
        """Yield the outcome of each job; see `Executor.map`.

        Raises:
            ArgumentError: A time limit was given, which needs worker processes.
        """
        if timeout is not None:
            raise ArgumentError(
                "a time limit needs workers that can be ended; use kc.executors.Processes(1) or more."
            )
        for job in jobs:
            try:
                yield Outcome(job, work(shared[job.shared], job.arguments))
            except (Exception, MemoryError) as error:
                yield Outcome(job, failure=failure_text(error), kind="raised")


UNGUARDED = 87  # exit code of a worker that tried to start workers while importing the script
WORKER_NAME = "keepclear-job"


def guard_error(text: str = "") -> FleetError:
    """Return the error about a missing guard; the text about the symptom comes first."""
    return FleetError(
        f"{text}every worker imports the script, which starts workers as it is imported; put the calls that start "
        'them below a line: if __name__ == "__main__":'
    )


def check_guarded(*worker_names: str) -> None:
    """Raise if this process is a new worker that is importing the script of the process that started it.

    Workers with these names end quietly with the code `UNGUARDED`, because the process that started them raises.
    """
    process = multiprocessing.current_process()
    if not getattr(process, "_inheriting", False):
        return
    if process.name.startswith(worker_names):
        raise SystemExit(UNGUARDED)
    raise guard_error()
