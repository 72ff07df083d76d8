"""A budget that ends before anything nearer than `far` is found leaves no upper bound of the minimum distance.

`far` plus a part of the tolerance, beyond which distances are not computed, was reported as one: 0.5008 m for bodies
that never come nearer than 0.72 m, with closest points 0.72 m apart.
"""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc


def pose(p: list[float], angle: float = 0.0, axis: int = 2) -> np.ndarray:
    X, i, j = np.eye(4), (axis + 1) % 3, (axis + 2) % 3
    X[i, i] = X[j, j] = np.cos(angle)
    X[j, i], X[i, j] = np.sin(angle), -np.sin(angle)
    X[:3, 3] = p
    return X


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 10, 30])
def test_an_upper_bound_is_a_distance_that_is_reached(budget: int) -> None:
    rng = np.random.default_rng(0)
    for d in (1.1, 1.5):
        for turn in (0.0, 1.0, 2.5):
            world, hull = kc.World(), kc.Convex(rng.normal(size=(12, 3)) * 0.2)
            path = [pose([-3, 0, 0]), pose([0, 0, 0], turn), pose([3, 0, 0])]
            world.add("a", kc.Box([0.5] * 3), kc.PoseTrajectory([0, 1, 2], path, "linear"))
            path = [pose([3, d, 0]), pose([0, d, 0], turn, 0), pose([-3, d, 0.2])]
            world.add("b", hull, kc.PoseTrajectory([0, 1, 2], path, "screw"))
            (pair,) = world.verify(budget=budget, far=0.5, tolerance=1e-3).pairs
            true = min(world.distances(t)[0].distance for t in np.linspace(0.0, 2.0, 201))
            assert pair.clearance_lower is None or pair.clearance_lower <= true
            if pair.clearance_upper is not None:
                assert pair.clearance_upper >= world.distances(pair.clearance_time)[0].lower
