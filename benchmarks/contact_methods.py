"""The methods of `kc.first_contact` beside each other: time per motion, evaluations, and answers against the truth.

`hybrid` is conservative advancement, `bisection` and `exact` are the two methods of Shimada, Okano and Kawabe, and
`bisect_exact` is the combination that they leave as future work. Evaluations are distances of whole bodies for
bisection and hybrid with convex bodies, pairs of triangles for the exact method and hybrid with meshes, and both for
the combination. All four are asked one motion after the other, without the compiled batch that `hybrid` alone has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

import keepclear as kc
from benchmarks.first_contact import TOLERANCE, check
from benchmarks.harness import best_times, duration
from benchmarks.moving_cases import (
    Case,
    Family,
    hull_families,
    hull_mesh_families,
    large_families,
    mesh_mesh_families,
)
from benchmarks.moving_truth import true_time

METHODS = ("hybrid", "bisection", "exact", "bisect_exact")
ROUNDS = 3


@dataclass(frozen=True)
class Line:
    """One family: best time per motion [s] and mean number of evaluations by method, and how many motions touch."""

    name: str
    times: dict[str, float]
    evaluations: dict[str, float]
    hits: str

    @property
    def best(self) -> str:
        """The fastest method."""
        return min(self.times, key=lambda method: self.times[method])


def families() -> Iterator[Family]:
    """Yield all families of moving bodies, with few cases each."""
    yield from chain(hull_families(20), hull_mesh_families(10), mesh_mesh_families(6), large_families(3))


def answers(cases: Sequence[Case], method: str) -> list[kc.FirstContact]:
    """Return the first contacts by one method, one motion after the other."""
    return [kc.first_contact(*case.question, TOLERANCE, method=method) for case in cases]  # type: ignore[arg-type]


def measure(family: Family) -> Line:
    """Check the answers of all methods against the truth, and time them in turns."""
    cases = family.cases
    truth = [true_time(case) for case in cases]
    evaluations = {}
    for method in METHODS:
        found = answers(cases, method)
        check(f"{family.name}, {method}", cases, truth, found)
        evaluations[method] = float(np.mean([one.evaluations for one in found]))
    best = best_times([partial(answers, cases, method) for method in METHODS], len(cases), ROUNDS)
    hits = f"{np.count_nonzero(~np.isnan(truth))} of {len(cases)}"
    return Line(family.name, dict(zip(METHODS, best, strict=True)), evaluations, hits)


def main() -> None:
    """Print a table in Markdown: time per motion and evaluations, and how often each method is the fastest."""
    print(f"\nTolerance {TOLERANCE:g} m; time per motion (evaluations per motion)\n")
    print(f"| family | touch | {' | '.join(METHODS)} |\n| --- |{' --- |' * (len(METHODS) + 1)}")
    lines = []
    for line in map(measure, families()):
        cells = [f"{duration(line.times[m])} ({line.evaluations[m]:.0f})" for m in METHODS]
        print(f"| {line.name} | {line.hits} | {' | '.join(cells)} |", flush=True)
        lines.append(line)
    fastest = ", ".join(f"{m} {sum(line.best == m for line in lines)}" for m in METHODS)
    print(f"\nfastest, by the number of families: {fastest}; all answers keep what verdicts promise")


if __name__ == "__main__":
    main()
