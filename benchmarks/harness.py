"""Runs contestants on the same inputs, warmed, in alternating rounds of process CPU time, and prints their ratio."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

ROUNDS = 9


@dataclass(frozen=True)
class Row:
    """One line of a table: best time per query of keepclear and of the peer [s]."""

    name: str
    ours: float
    peer: float | None

    @property
    def ratio(self) -> float | None:
        """How many times faster keepclear is."""
        return None if self.peer is None else self.peer / self.ours


def best_times(jobs: Sequence[Callable[[], object]], queries: int, rounds: int = ROUNDS) -> list[float]:
    """Return each job's best CPU time per query [s]; a job answers `queries` queries, and all jobs take turns."""
    repeats = [_repeats(job) for job in jobs]
    best = [float("inf")] * len(jobs)
    for _ in range(rounds):
        for k, job in enumerate(jobs):
            start = time.process_time()
            for _ in range(repeats[k]):
                job()
            best[k] = min(best[k], (time.process_time() - start) / repeats[k] / queries)
    return best


def _repeats(job: Callable[[], object]) -> int:
    """Warm a job up and return how often it must run to last 20 ms."""
    job()
    start = time.process_time()
    job()
    return max(1, int(0.02 / max(time.process_time() - start, 1e-9)))


def compare(name: str, ours: Callable[[], object], peer: Callable[[], object], queries: int) -> Row:
    """Time two jobs that answer the same queries."""
    return Row(name, *best_times([ours, peer], queries))


def table(title: str, peer: str, rows: Sequence[Row]) -> None:
    """Print rows: keepclear, peer and ratio."""
    print(f"\n{title}\n{'':<42}{'keepclear':>12}{peer:>14}{'ratio':>8}")
    for row in rows:
        other = "" if row.peer is None else f"{row.peer * 1e9:11.0f} ns"
        ratio = "" if row.ratio is None else f"{row.ratio:7.2f}x"
        print(f"{row.name:<42}{row.ours * 1e9:9.0f} ns{other:>14}{ratio:>8}")
