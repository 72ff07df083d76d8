"""Runs contestants on the same inputs, warmed, in alternating rounds of process CPU time, and prints their ratio."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
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
    return [min(times) for times in round_times(jobs, queries, rounds)]


def round_times(
    jobs: Sequence[Callable[[], object]], queries: int, rounds: int = ROUNDS
) -> list[list[float]]:
    """Return each job's CPU time per query in each round [s]; all jobs take turns within a round."""
    repeats = [_repeats(job) for job in jobs]
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(rounds):
        for k, job in enumerate(jobs):
            start = time.process_time()
            for _ in range(repeats[k]):
                job()
            times[k].append((time.process_time() - start) / repeats[k] / queries)
    return times


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


@dataclass(frozen=True)
class Race:
    """One line of a table with several peers: best times per query [s] by name, and a remark."""

    name: str
    ours: float
    peers: Mapping[str, float]
    remark: str = ""

    @property
    def ratio(self) -> float:
        """How many times faster keepclear is than the fastest peer."""
        return min(self.peers.values()) / self.ours


def race(
    name: str,
    ours: Callable[[], object],
    peers: Mapping[str, Callable[[], object]],
    queries: int,
    *,
    remark: str = "",
    rounds: int = ROUNDS,
) -> Race:
    """Time keepclear and several peers on the same queries, all taking turns."""
    mine, *theirs = best_times([ours, *peers.values()], queries, rounds)
    return Race(name, mine, dict(zip(peers, theirs, strict=True)), remark)


def race_table(title: str, rows: Sequence[Race]) -> None:
    """Print rows: keepclear, each peer, and the ratio to the faster of them."""
    peers = list(rows[0].peers)
    heads = "".join(f"{peer:>14}" for peer in peers)
    print(f"\n{title}\n{'':<42}{'keepclear':>12}{heads}{'ratio':>8}")
    for row in rows:
        others = "".join(f"{duration(row.peers[peer]):>14}" for peer in peers)
        print(f"{row.name:<42}{duration(row.ours):>12}{others}{row.ratio:7.2f}x  {row.remark}".rstrip())


def duration(seconds: float) -> str:
    """Return a time with three digits in a unit that suits it."""
    for unit, name in ((1e-9, "ns"), (1e-6, "us"), (1e-3, "ms")):
        if seconds < 999.5 * unit:
            value = seconds / unit
            digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
            return f"{value:.{digits}f} {name}"
    return f"{seconds:.2f} s"
