"""The figures of the method's source: distances that bisection computes where sampling looks at 128 instants.

The source reports 2, 5 and 15 of them for three trajectories of low, middle and high risk (2, 5 and 19 with balls for
shapes) against 128, 128 and 58 (53) samples, and log2(n) on average.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from benchmarks.arm_programs import by_bisection, by_source, pairs_of
from benchmarks.bisection_risk import TRAJECTORIES, count, mean_count, random_motions
from benchmarks.source_bisection import SourceSearch, figure_6

import keepclear as kc


@pytest.mark.parametrize(
    ("risk", "most", "verdict"), [("low", 2, "CLEAR"), ("middle", 8, "CLEAR"), ("high", 19, "COLLIDING")]
)
def test_the_number_of_distances_follows_the_risk(risk: str, most: int, verdict: str) -> None:
    counts = count(risk, *TRAJECTORIES[risk])
    assert counts.verdicts == (verdict, verdict)
    assert max(counts.bisection) <= most
    if verdict == "CLEAR":
        assert counts.sampling == (128, 128)
    else:
        assert all(32 < samples < 96 for samples in counts.sampling)


def test_the_mean_follows_the_logarithm() -> None:
    motions = random_motions(60)
    means = {n: mean_count(motions, n) for n in (32, 128, 512, 2048)}
    for n, mean in means.items():
        assert 0.5 * math.log2(n) < mean < 1.2 * math.log2(n)
    steps = [b - a for a, b in pairwise(means.values())]
    assert all(0.5 < step < 2.0 for step in steps)  # log2(n) grows by 2


def test_the_example_of_the_source_takes_its_course() -> None:
    """Fig. 6: C, D, B, D, A, with the contact at 3/8 of the interval."""
    search = figure_6()
    assert search.collision(0.0, 1.0) == 3 / 8
    assert search.trace == [
        (0.0, 1.0, "C"), (0.0, 0.5, "D"), (0.0, 0.25, "B"), (0.25, 0.5, "D"), (0.25, 0.375, "A"),
    ]  # fmt: skip
    ball = kc.Sphere(0.125)
    motion = kc.PoseTrajectory.from_positions([0, 1], [[-0.625, 0, 0], [0.375, 0, 0]])
    for method in ("hybrid", "bisection"):
        found = kc.first_contact(ball, motion, ball, np.eye(4), 1e-9, method=method)
        assert found.t_lo <= 3 / 8 <= found.t_hi
        assert found.time == pytest.approx(3 / 8, abs=1e-8)


def test_the_source_ends_at_a_later_contact_and_we_do_not() -> None:
    """A ball rises through a thin sheet and ends on a ceiling: rule A of the source returns the ceiling's contact."""
    X_W = np.eye(4)
    bodies = [(kc.Box([1, 1, 0.001]), X_W), (kc.Box([1, 1, 0.2]), np.eye(4))]
    bodies[1][1][2, 3] = 1.2
    ball = kc.Sphere(0.1)

    def distance(t: float) -> float:
        X = np.eye(4)
        X[2, 3] = -1.0 + 2.0 * t
        return float(kc.distance(bodies, np.eye(4), ball, X).distance)

    source = SourceSearch(distance, lambda t_s, t_e: 2.0 * (t_e - t_s), 1e-9)
    assert source.collision(0.0, 1.0) == 1.0
    motion = kc.PoseTrajectory.from_positions([0, 1], [[0, 0, -1], [0, 0, 1]])
    found = kc.first_contact(bodies, np.eye(4), ball, motion, 1e-6, method="bisection")
    assert found.time == pytest.approx(0.44975, abs=1e-5)


@pytest.mark.parametrize(
    ("risk", "source", "ours", "hits"), [("low", 3, 1, 0), ("middle", 20, 12, 0), ("high", 27, 77, 3)]
)
def test_distances_of_the_demo_arm_and_its_arch(risk: str, source: int, ours: int, hits: int) -> None:
    """Figs. 8 and 9 with precise shapes; the 77 prove clear what the source calls a contact, a pass at 1 mm."""
    pairs = [pair for pair in pairs_of(risk) if pair.obstacle == "arch"]
    found = [by_bisection(pair, "precise") for pair in pairs]
    assert sum(is_hit for _, is_hit in found) == hits
    assert max(n for n, _ in found) <= ours
    assert max(by_source(pair, "precise")[0] for pair in pairs) <= source
