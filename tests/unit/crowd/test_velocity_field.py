"""The bound on accelerations of whatever flows with a velocity field, against the field itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

import keepclear as kc


def velocity(x: np.ndarray, speed: float, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """The circulating field, as its kernel has it."""
    half = 0.5 * (upper - lower)
    angle = math.pi * (x - 0.5 * (lower + upper)) / half
    if len(x) == 2:
        u, w = angle
        return speed * np.array(
            [half[0] / (2.0 * half[1]) * math.sin(u) * math.sin(0.5 * w), math.cos(u) * math.cos(0.5 * w)]
        )
    u, w, q = angle * [1.0, 1.0, 0.5]
    across = half[:2] / (4.0 * half[2]) * np.sin([u, w]) * math.sin(q)
    return speed * np.array([*across, 0.5 * (math.cos(u) + math.cos(w)) * math.cos(q)])


@pytest.mark.parametrize("dimensions", [2, 3])
def test_no_flow_accelerates_more_than_the_bound(dimensions: int) -> None:
    rng = np.random.default_rng(dimensions)
    for _ in range(20):
        lower = rng.uniform(-9.0, 0.0, dimensions)
        upper, speed, h = lower + rng.uniform(10.0, 20.0, dimensions), rng.uniform(0.1, 30.0), 1e-6
        bound = kc.VelocityField(speed, bounds=(lower, upper)).max_acceleration()
        seen = 0.0
        for x in rng.uniform(lower, upper, (200, dimensions)):
            u = velocity(x, speed, lower, upper)
            after = velocity(x + h * u, speed, lower, upper)
            seen = max(seen, float(np.linalg.norm(after - u)) / h)
        assert 0.05 * bound < seen <= bound * (1.0 + 1e-4)


def test_members_follow_a_field_by_default() -> None:
    box = ([0.0, 0.0], [20.0, 20.0])
    crowd = kc.Crowd([[10.0, 5.0]], [[0.0, 0.0]], 0.1, bounds=box, motion=kc.VelocityField(2.0))
    crowd.advance(3.0)
    wanted = velocity(crowd.positions()[0], 2.0, np.zeros(2), np.full(2, 20.0))
    np.testing.assert_allclose(crowd.velocities()[0], wanted, atol=0.7)
    assert kc.VelocityField(2.0).max_acceleration((np.zeros(2), np.full(2, 20.0))) > 0.0
    with pytest.raises(kc.ArgumentError, match="it needs a box"):
        kc.VelocityField(2.0).max_acceleration()
