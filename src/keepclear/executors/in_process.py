"""Jobs one after the other, in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keepclear.errors import ArgumentError
from keepclear.executors.executor import Job, Outcome, Work, failure_text

__all__ = ["InProcess"]


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
