"""A robot beside a part that is far from its object's origin: it is not free within the margin.

Groups of obstacles are left out by boxes around them, which lacked the rounding of the product of both poses.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation
from tests.unit.world.worlds import slider

import keepclear as kc

HALF = (2.0, 0.1, 0.1)


def exact(X: np.ndarray, p: list[Fraction]) -> list[Fraction]:
    """A point under a float64 map, exactly."""
    rows = [[Fraction(float(v)) for v in row] for row in X[:3]]
    return [sum((r * v for r, v in zip(row, p, strict=False)), row[3]) for row in rows]


@pytest.mark.parametrize("seed", range(12))
def test_no_configuration_within_the_margin_is_free(seed: int) -> None:
    rng = np.random.default_rng(seed)
    R = random_rotation(rng)
    X_OP = pose(R, rng.normal(size=3) * 1e6)
    X_WO = pose(np.ascontiguousarray(R.T), [0.0, 0.5, 0.0] - R.T @ X_OP[:3, 3])
    world = kc.World(threads=1)
    world.add_robot("bot", slider())
    world.add("beam", [(kc.Box([2.0 * h for h in HALF]), X_OP)], X_WO)
    world.only([("bot/head", "beam")])
    near = [
        exact(X_WO, exact(X_OP, [Fraction(h) * s for h, s in zip(HALF, signs, strict=True)]))[1]
        for signs in itertools.product((-1, 1), (-1,), (-1, 1))
    ]
    most = max(near) - Fraction(
        0.1
    )  # the head is a ball of 0.1 m at the origin, and the side of the beam is level
    margin = float(most)
    margin = margin if Fraction(margin) >= most else float(np.nextafter(margin, 1.0))
    assert not world.check_configurations("bot", [[0.0, 0.0]], margin=margin).free[0]
    assert not world.check_configurations("bot", [[0.0, 0.0]], margin=margin, settle=False).free[0]
    assert not world.check_edges("bot", [[0.0, 0.0]], [[0.0, 0.5]], tolerance=1e-3, margin=margin).clear[0]
