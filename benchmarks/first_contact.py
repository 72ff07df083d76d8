"""First contact of moving bodies beside rapier and python-fcl: time per motion, and wrong results."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.moving_cases import (
    Case,
    Family,
    hull_families,
    hull_mesh_families,
    large_families,
    mesh_mesh_families,
)
from benchmarks.moving_peers import FclAdvance, FclSamples, Rapier
from benchmarks.moving_truth import gaps, true_time

ROUNDS = 5
# A job that lasts longer is measured by the one run that its answers come from [s].
LONG = 0.4
# What a time may be off by, as a part of the motion.
LATE = 1e-3
TOLERANCE = 1e-4
OURS = ("batch", "one by one")
# The batch with those cases alone that rapier is asked, where it takes too long for all.
SAME = "batch of rapier's cases"

Peer = FclAdvance | FclSamples
Times = Sequence[float] | np.ndarray
Job = Callable[[], Times]


@dataclass(frozen=True)
class Score:
    """How the answers of one contestant compare with the truth."""

    asked: int
    missed: int
    invented: int
    late: int
    early: int

    @classmethod
    def of(cls, times: Times, truth: Sequence[float]) -> Score:
        """Count what is wrong; early and late by more than a part of the motion."""
        t, true = np.array(times), np.array(truth[: len(times)])
        hit, is_hit = ~np.isnan(true), ~np.isnan(t)
        off = np.where(hit & is_hit, t - true, 0.0)
        counts = (hit & ~is_hit, is_hit & ~hit, off > LATE, off < -LATE)
        return cls(len(t), *(int(np.count_nonzero(wrong)) for wrong in counts))

    def __str__(self) -> str:
        parts = {"missed": self.missed, "invented": self.invented, "late": self.late, "early": self.early}
        wrong = ", ".join(f"{count} {name}" for name, count in parts.items() if count)
        return (wrong or "all right") + f" of {self.asked}"


@dataclass(frozen=True)
class Line:
    """One family: best times per motion [s] and scores by contestant."""

    name: str
    times: Mapping[str, float]
    scores: Mapping[str, Score]
    remark: str
    failures: int

    @property
    def ratio(self) -> float:
        """How many times faster keepclear's batch is than rapier, nan where rapier is not asked."""
        return self.times.get(Rapier.name, math.nan) / self.times.get(SAME, self.times["batch"])


def measure(family: Family, rapier: Rapier, fcls: Sequence[Peer]) -> Line:
    """Ask everybody, compare with the truth, and time them in turns."""
    cases = family.cases
    truth = [true_time(case) for case in cases]
    questions = [case.question for case in cases]
    jobs: dict[str, tuple[Job, int]] = {
        "batch": (lambda: kc.first_contact_batch(questions, TOLERANCE).time, len(cases)),
        "one by one": (lambda: [kc.first_contact(*q, TOLERANCE).time for q in questions], len(cases)),
    }
    if family.rapier:
        jobs[rapier.name] = rapier.job(cases[: family.rapier]), family.rapier
    if 0 < family.rapier < len(cases):
        some = questions[: family.rapier]
        jobs[SAME] = (lambda: kc.first_contact_batch(some, TOLERANCE).time), family.rapier
    for fcl in fcls:
        jobs[fcl.name] = fcl.job(cases), len(cases)
    check(family.name, cases, truth, kc.first_contact_batch(questions, TOLERANCE))
    answers, times = timed(jobs)
    scores = {name: Score.of(found, truth) for name, found in answers.items()}
    results = kc.first_contact_batch(questions, TOLERANCE)
    failures = rapier.count_failures(cases) if family.rapier == len(cases) else 0
    return Line(family.name, times, scores, _remark(results, truth), failures)


def timed(jobs: Mapping[str, tuple[Job, int]]) -> tuple[dict[str, Times], dict[str, float]]:
    """Return the answers of jobs, and their best times per motion; long ones run once, the others take turns."""
    answers, times = {}, {}
    for name, (job, count) in jobs.items():
        start = time.process_time()
        answers[name] = job()
        times[name] = (time.process_time() - start) / count
    short = [name for name, (_, count) in jobs.items() if times[name] * count < LONG or name in (*OURS, SAME)]
    for name, best in zip(short, best_times([jobs[name][0] for name in short], 1, ROUNDS), strict=True):
        times[name] = best / jobs[name][1]
    return answers, times


def check(
    name: str, cases: Sequence[Case], truth: Sequence[float], answers: Sequence[kc.FirstContact]
) -> None:
    """Stop where keepclear breaks its promise: a contact missed, late, or farther away than the tolerance."""
    for k, (case, answer, true) in enumerate(zip(cases, answers, truth, strict=True)):
        where = f"{name}, case {k}: {answer}, but in truth {true!r}"
        if answer.verdict is kc.Verdict.CLEAR:
            assert math.isnan(true), where
        else:
            assert answer.verdict is kc.Verdict.COLLIDING, where
            # The slow check stops 1e-11 m before contact, which takes grazing bodies some millionths of the motion.
            assert math.isnan(true) or answer.t_lo <= true + 1e-5, where
            gap = gaps(case, np.array([answer.time]))[0]
            assert gap <= TOLERANCE + 1e-9, f"{where}, {gap} m apart"


def _remark(results: Sequence[kc.FirstContact], truth: Sequence[float]) -> str:
    """Return how many meet, and the average work of a motion."""
    meet = int(np.count_nonzero(~np.isnan(truth)))
    counts: dict[str, float] = {}
    for result in results:
        for name, count in result.counts.items():
            counts[name] = counts.get(name, 0.0) + count / len(results)
    work = ", ".join(f"{count:.0f} {name}" for name, count in counts.items())
    return f"{meet} of {len(truth)} meet; {work}"


def print_table(title: str, lines: Sequence[Line], peers: Sequence[str]) -> None:
    """Print times with the ratio of rapier's to the batch's, then the wrong answers."""
    names = [*OURS, *peers]
    print(
        f"\n{title}\n{'time per motion':<32}" + "".join(f"{n:>13}" for n in names) + f"{'rapier/batch':>14}"
    )
    for line in lines:
        cells = [duration(line.times[name]) if name in line.times else "-" for name in names]
        ratio = "-" if math.isnan(line.ratio) else f"{line.ratio:.2f}x"
        print(f"{line.name:<32}" + "".join(f"{cell:>13}" for cell in cells) + f"{ratio:>14}  {line.remark}")
    print("wrong answers (late or early: by more than 0.001 of the motion)")
    for line in lines:
        shown = {"keepclear" if name == "batch" else name: line.scores[name] for name in ("batch", *peers)
                 if name in line.scores}  # fmt: skip
        note = f" ({line.failures} marked as failed by rapier itself)" if line.failures else ""
        print(f"{line.name:<32}" + "; ".join(f"{name}: {score}" for name, score in shown.items()) + note)


def main() -> None:
    """Print all tables."""
    rapier, advance, few, many = Rapier(), FclAdvance(), FclSamples(10), FclSamples(1000)
    groups: list[tuple[str, Callable[[], Iterable[Family]], list[Peer]]] = [
        ("Convex bodies", hull_families, [advance, few, many]),
        ("Convex bodies and meshes of 1 000 to 2 000 triangles", hull_mesh_families, [few, many]),
        ("Two meshes of about 1 000 triangles", mesh_mesh_families, [few, many]),
        ("Meshes of 10 000 to 60 000 triangles", large_families, [few, many]),
    ]
    for title, families, fcls in groups:
        lines = list(map(partial(measure, rapier=rapier, fcls=fcls), families()))
        print_table(title, lines, [rapier.name, *(fcl.name for fcl in fcls)])


if __name__ == "__main__":
    main()
