"""What executors have in common: jobs go in, outcomes come out as they are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

__all__ = ["Executor", "Job", "Outcome", "Work", "failure_text"]

Work = Callable[[Any, Any], Any]
"""What is done: work(shared, arguments), a function of a module, so that other processes find it."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job.

    Attributes:
        name: For messages, unique in a run.
        shared: The key of what it shares with other jobs, which travels to each worker once.
        arguments: What is its own; small, and plain enough to be pickled.
    """

    name: str
    shared: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended.

    Attributes:
        job: The job.
        value: What the work returned, None where it failed.
        failure: Why it failed, "" where it did not.
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
        """Give the outcome of each job as it is known, each once; a job that fails does not end the others.

        Args:
            work: What is done with a job.
            jobs: The jobs.
            shared: What jobs share, by key.
            timeout: How long a job may take [s]; None: as long as it needs.
        """


def failure_text(error: BaseException) -> str:
    """Return an error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]
