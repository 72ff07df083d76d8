"""The interface of executors: they take jobs, and yield outcomes as jobs end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

__all__ = ["Executor", "Job", "Outcome", "Work", "failure_text"]

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
