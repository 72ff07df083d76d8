"""Hulls whose support vertices tie: bounds allow for what a walk may have fallen short.

Searches that took the trees of boxes instead of walks here would need no such slack, and these tests no such limit.
"""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.edges import separation
from keepclear.kernels.tables.robot import PLANE

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
STILL = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def prism(n: int = 48) -> kc.Convex:
    """A prism of height 2 m over a polygon."""
    turn = np.arange(n) * 2.0 * np.pi / n
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return kc.Convex(np.concatenate([np.column_stack([ring, np.full(n, z)]) for z in (-1.0, 1.0)]))


PRISM, BOX = prism(), kc.Box([4.0, 4.0, 2.0])


def slack_of(z: float) -> float:
    """The least slack that a walk along z may end with."""
    F, L = packed(PRISM)
    q = support.HEADER
    heights = [F[q + 3 * k + 2] for k in range(int(F[support.COUNT]))]
    best = max(z * h for h in heights)
    return min(support.walk_slack(F, L, 0.0, 0.0, z, k) for k, h in enumerate(heights) if z * h == best)


def at(z: float) -> np.ndarray:
    X = np.eye(4)
    X[2, 3] = z
    return X


def test_walks_of_a_prism_have_a_slack() -> None:
    assert packed(PRISM)[0][support.KIND] == support.WALK
    assert 1e-16 < slack_of(1.0) < 1e-12
    assert 1e-16 < slack_of(-1.0) < 1e-12


@pytest.mark.parametrize("gap", [0.5, 1e-3, -1e-3, -0.5])
def test_distances_allow_for_walks_of_either_body(gap: float) -> None:
    rounding = 64.0 * 2.0**-53 * 2.0
    for a, b, slack in ((PRISM, BOX, slack_of(1.0)), (BOX, PRISM, slack_of(-1.0))):
        found = kc.distance(a, at(0.0), b, at(2.0 + gap))
        assert found.lower <= gap - slack - rounding
    found = kc.distance(PRISM, at(0.0), PRISM, at(2.0 + gap))
    assert found.lower <= gap - slack_of(1.0) - slack_of(-1.0) - rounding


@pytest.mark.parametrize("moves", [False, True])
def test_planes_of_intervals_allow_for_walks(moves: bool) -> None:
    (FA, LA), (FB, LB) = packed(PRISM), packed(BOX)
    d, still = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    slack = 1e-3
    for first, needed, expected in ((True, 0.9985, True), (True, 0.9995, False), (False, 0.9995, False)):
        cores = (FA, LA, FB, LB) if first else (FB, LB, FA, LA)
        slacks = (slack, 0.0) if first else (0.0, slack)
        found = separation.is_apart(
            *cores,
            (*STILL, 0.0, 0.0, 3.0),
            still,
            still,
            still,
            still,
            moves,
            0.0,
            d,
            (-1, -1),
            slacks,
            needed,
        )
        assert found == expected


@pytest.mark.parametrize("first", [True, False])
def test_searches_for_planes_allow_for_walks(first: bool) -> None:
    (FA, LA), (FB, LB) = packed(PRISM), packed(BOX)
    cores = (FA, LA, FB, LB) if first else (FB, LB, FA, LA)
    still, slack = (0.0, 0.0, 0.0), 1e-3
    slacks = (slack, 0.0) if first else (0.0, slack)
    for needed, expected in ((0.9985, True), (0.9995, False)):
        planes = np.zeros(1, PLANE)
        planes["direction"], planes["vertex_a"], planes["vertex_b"] = (0.0, 0.0, 1.0), -1, -1
        ended, _ = separation.separate(
            *cores, (*STILL, 0.0, 0.0, 3.0), still, still, still, still, False, 0.0, planes[0], slacks, needed, 0.0,
            -1.0, np.empty(gjk.MEMORY),
        )  # fmt: skip
        assert (ended == separation.PROVED) == expected


def test_a_walk_that_ends_on_the_far_side_proves_nothing() -> None:
    # A hull whose slack is larger than what its support point is above the centre.
    F, _ = packed(PRISM)
    assert separation._certain(F, 0.0, 0.0, 1.0, 1.0, 1e-3) == 1.0 + 1e-3
    assert separation._certain(F, 0.0, 0.0, 1.0, 1e-4, 1e-3) == np.inf
    assert separation._certain(F, 0.0, 0.0, 2.0, 2.0, 1e-3) == 2.0 + 2e-3
