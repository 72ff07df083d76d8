"""The figures of the method's source: distances that bisection computes where sampling looks at 128 instants.

The source reports 2, 5 and 15 of them for three trajectories of low, middle and high risk (2, 5 and 19 with balls for
shapes) against 128, 128 and 58 (53) samples, and log2(n) on average.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from benchmarks.bisection_risk import TRAJECTORIES, count, mean_count, random_motions


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
