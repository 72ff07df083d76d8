"""One row of the published figures: a query that keepclear and its peers compute on the same inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.harness import ROUNDS, round_times

Job = Callable[[], object]


@dataclass(frozen=True)
class Question:
    """What is asked, on which inputs, and by which jobs it is answered.

    Attributes:
        name: The name of the row; it stays the same over versions, since the history is keyed by it.
        drawn: How the inputs were drawn.
        ours: Answers all queries with keepclear.
        peers: Answers the same queries with other libraries, by name.
        queries: How many queries one job answers.
        rounds: How many times all jobs take turns.
    """

    name: str
    drawn: str
    ours: Job
    peers: Mapping[str, Job]
    queries: int
    rounds: int = ROUNDS


@dataclass(frozen=True)
class Measured:
    """The times of a question: best of all rounds per query [s], and the spread of the ratio over rounds."""

    name: str
    drawn: str
    ours: float
    peers: dict[str, float]
    lowest: float
    highest: float

    @property
    def peer(self) -> str:
        """The name of the fastest peer."""
        return min(self.peers, key=lambda name: self.peers[name])

    @property
    def ratio(self) -> float:
        """How many times as long the fastest peer takes."""
        return self.peers[self.peer] / self.ours


def measure(question: Question) -> Measured:
    """Return the times of a question; all jobs take turns, and each has run once before."""
    jobs = [question.ours, *question.peers.values()]
    ours, *peers = round_times(jobs, question.queries, question.rounds)
    best = dict(zip(question.peers, map(min, peers), strict=True))
    fastest = peers[min(range(len(peers)), key=lambda k: min(peers[k]))]
    ratios = [peer / mine for peer, mine in zip(fastest, ours, strict=True)]
    both = [*ratios, min(fastest) / min(ours)]
    return Measured(question.name, question.drawn, min(ours), best, min(both), max(both))
