"""Whether a surface passes through a box: as exact clipping finds it, and never No where they touch."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.sphere_cover import passes_exactly

from keepclear.kernels.spheres import division as kernels

PAD = 2.0**-47


def passes(corners: np.ndarray, lower: np.ndarray, upper: np.ndarray, pad: float = PAD) -> bool:
    return bool(kernels.triangle_passes(corners.reshape(-1), 0, 1, 2, *lower.tolist(), *upper.tolist(), pad))


def test_triangles_in_general_position() -> None:
    rng = np.random.default_rng(1)
    seen = [0, 0]
    for _ in range(400):
        size = 10.0 ** rng.uniform(-1, 0.3)
        corners = rng.uniform(-0.6, 0.6, 3) + size * rng.normal(size=(3, 3))
        lower = rng.uniform(-0.8, 0.2, 3)
        upper = lower + rng.uniform(0.1, 0.8, 3)
        expected = passes_exactly(corners.tolist(), lower.tolist(), upper.tolist())
        assert passes(corners, lower, upper, PAD * 4) == expected
        seen[expected] += 1
    assert min(seen) > 50


@pytest.mark.parametrize(
    "corners",
    [
        [[1, 1, 1], [2, 2, 2], [2, 1, 3]],  # a corner on a corner
        [[1, 0.5, -1], [1, 0.5, 2], [3, 0.5, 0]],  # an edge on a face
        [[2, 0, 0.5], [0, 2, 0.5], [2, 2, 0.5]],  # an edge on an edge of the box
        [[-1, -1, 1], [3, -1, 1], [-1, 3, 1]],  # flat on a face
        [[0.2, 0.3, 0.4], [0.2, 0.3, 0.4], [0.2, 0.3, 0.4]],  # a point inside
        [[1, 1, 0], [1, 1, 0], [1, 1, 0]],  # a point on a corner
        [[-1, -1, -1], [2, 2, 2], [0.5, 0.5, 0.5]],  # a segment through it
        [[0, 0, 3], [3, 0, 0], [0, 3, 0]],  # a plane through one corner
        [[1, 1e-150, 0.5], [2, 1e-150, 0.5], [2, 2e-150, 0.5]],  # next to no area
    ],
)
def test_touching_is_passing(corners: list[list[float]]) -> None:
    points = np.array(corners, dtype=float)
    assert passes_exactly(corners, [0, 0, 0], [1, 1, 1])
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        assert passes(points[order], np.zeros(3), np.ones(3), 3 * PAD)


@pytest.mark.parametrize("axis", range(3))
def test_a_triangle_beside_a_box_does_not_pass(axis: int) -> None:
    points = np.array([[0.2, 0.1, 0.3], [0.8, 0.2, 0.5], [0.4, 0.9, 0.6]])
    points[:, axis] += 0.9
    points[:, axis] = np.maximum(points[:, axis], 1.0 + 1e-9)
    assert not passes(points, np.zeros(3), np.ones(3))
    points[:, axis] = 1.0
    assert passes(points, np.zeros(3), np.ones(3))


LENGTHS = {
    kernels.BALL: (0.5, 0.5, 0.5),
    kernels.BOX: (0.5, 0.3, 0.2),
    kernels.CAPSULE: (0.2, 0.2, 0.4),
    kernels.CYLINDER: (0.3, 0.3, 0.4),
    kernels.ELLIPSOID: (0.5, 0.3, 0.2),
}


def value(kind: int, points: np.ndarray) -> np.ndarray:
    """Return a number for each point: below 1 inside of the solid, above 1 outside."""
    p, q, r = LENGTHS[kind]
    x, y, z = np.abs(points).T
    if kind == kernels.BOX:
        return np.maximum(np.maximum(x / p, y / q), z / r)
    if kind == kernels.CYLINDER:
        return np.maximum(np.hypot(x, y) / p, z / r)
    if kind == kernels.CAPSULE:
        return np.sqrt(x * x + y * y + np.maximum(z - r, 0.0) ** 2) / p
    return np.sqrt((x / p) ** 2 + (y / q) ** 2 + (z / r) ** 2)


@pytest.mark.parametrize("kind", LENGTHS)
def test_solids_by_points_of_the_box(kind: int) -> None:
    """A grid of points of the box, ends included: inside and outside ones mean that the surface passes."""
    rng = np.random.default_rng(kind)
    seen = [0, 0]
    for _ in range(300):
        lower = rng.uniform(-0.8, 0.6, 3)
        upper = lower + rng.uniform(0.02, 0.5, 3)
        ticks = [np.linspace(a, b, 9) for a, b in zip(lower, upper, strict=True)]
        f = value(kind, np.stack(np.meshgrid(*ticks), axis=-1).reshape(-1, 3))
        found = bool(kernels.solid_passes(kind, *LENGTHS[kind], *lower.tolist(), *upper.tolist()))
        if f.min() <= 1.0 <= f.max():
            assert found
        nearest = np.where((lower < 0) & (upper > 0), 0.0, np.minimum(np.abs(lower), np.abs(upper)))
        farthest = np.maximum(np.abs(lower), np.abs(upper))
        exact = value(kind, nearest[None])[0] <= 1.0 <= value(kind, farthest[None])[0]
        assert found == exact
        seen[found] += 1
    assert min(seen) > 30


@pytest.mark.parametrize("kind", LENGTHS)
def test_boxes_that_touch_a_solid(kind: int) -> None:
    """The pole on each axis is on the surface: boxes that end there, from outside and from inside."""
    p, q, r = LENGTHS[kind]
    poles = np.array([p, q, r])
    if kind == kernels.CAPSULE:
        poles[2] += p
    for axis in range(3):
        for sign in (-1, 1):
            lower, upper = np.full(3, -0.01), np.full(3, 0.01)
            outer = sign * poles[axis]
            for other in (outer + sign * 0.1, 0.9 * outer):
                lower[axis], upper[axis] = sorted((outer, other))
                assert kernels.solid_passes(kind, p, q, r, *lower.tolist(), *upper.tolist())
            lower[axis], upper[axis] = sorted((1.01 * outer, 1.2 * outer))
            assert not kernels.solid_passes(kind, p, q, r, *lower.tolist(), *upper.tolist())
            lower[axis], upper[axis] = sorted((0.1 * outer, 0.8 * outer))
            assert not kernels.solid_passes(kind, p, q, r, *lower.tolist(), *upper.tolist())
