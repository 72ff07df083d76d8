"""Triangles that meet, touch, share a plane or are no triangles at all, against fractions; down to 5e-324."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.oracles.poses import random_rotation
from tests.unit.kernels.triangles.common_points import (
    APART,
    COPLANAR,
    CROSS,
    TOUCH,
    dot,
    normal,
    places,
    relation,
    sub,
)

from keepclear.kernels.triangles import exact

TINY = 5e-324
SMALL = 2.0**-70
STAY = np.eye(3, 4)
FLOOR = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])
GUARD = -77


def surface(*triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The flat arrays that kernels read, as far as the exact test needs them."""
    points = np.concatenate(triangles).astype(np.float64)
    return np.concatenate([np.zeros(16), points.reshape(-1)]), np.arange(len(points), dtype=np.int32)


def matrices(X_WA: np.ndarray, X_WB: np.ndarray) -> np.ndarray:
    return np.concatenate([X_WA.reshape(-1), X_WB.reshape(-1)]).astype(np.float64)


def pose(R: np.ndarray, t: object = (0.0, 0.0, 0.0)) -> np.ndarray:
    return np.concatenate([R, np.reshape(t, (3, 1))], axis=1).astype(np.float64)


def ask(a: np.ndarray, b: np.ndarray, X_WA: np.ndarray = STAY, X_WB: np.ndarray = STAY) -> int:
    """The answer of the kernel, with dirty scratch; nothing is written behind it."""
    digits = np.full(exact.SCRATCH + 8, GUARD, dtype=np.int64)
    answer = exact.meet_exactly(*surface(a), 0, *surface(b), 0, matrices(X_WA, X_WB), digits)
    assert set(digits[exact.SCRATCH :]) == {GUARD}
    return int(answer)


@pytest.mark.parametrize(
    ("b", "answer"),
    [
        ([[1, 1, -1], [1, 1, 1], [9, 9, 0]], CROSS),
        ([[1, 1, 0], [1, 1, 1], [2, 1, 1]], TOUCH),  # a corner on the face
        ([[1, 1, SMALL], [1, 1, 1], [2, 1, 1]], APART),
        ([[1, 1, -SMALL], [1, 1, 1], [2, 1, 1]], CROSS),
        ([[1, 0, -1], [1, 0, 1], [1, -1, 0]], TOUCH),  # edge on edge
        ([[1, -SMALL, -1], [1, -SMALL, 1], [1, -1, 0]], APART),
        ([[1, 0, -1], [1, 0, 1], [1, 1, 0.5]], CROSS),
        ([[1, 0, -1], [1, 0, 1], [1, 1, 0]], TOUCH),  # an edge on an edge, a corner on the face
        ([[0, 0, 0], [-1, 0, 1], [-1, 0, -1]], TOUCH),  # corner on corner
        ([[0, 0, 0], [4, 0, 0], [0, -1, 1]], TOUCH),  # a common edge
        ([[1, 1, 0], [2, 1, 0], [1, 2, 1]], TOUCH),  # an edge on the face
        ([[1, 1, 0], [2, 1, 0], [1, 2, 0]], COPLANAR),  # inside
        ([[-9, -9, 0], [90, -9, 0], [-9, 90, 0]], COPLANAR),  # around
        ([[0, 0, 0], [-1, 0, 0], [0, -1, 0]], COPLANAR),  # corner on corner in one plane
        ([[0, 0, 0], [4, 0, 0], [0, -4, 0]], COPLANAR),  # a common edge in one plane
        ([[0, -SMALL, 0], [4, -SMALL, 0], [0, -4, 0]], APART),
        ([[2, 2, 0], [3, 3, 0], [3, 2, 0]], COPLANAR),  # a corner in the middle of an edge
        ([[3, 3, 0], [4, 4, 0], [4, 3, 0]], APART),
        ([[1, 1, -1], [1, 1, 1], [1, 1, 0]], CROSS),  # a segment through the face
        ([[1, 1, 0], [1, 1, 1], [1, 1, 2]], TOUCH),
        ([[1, 1, 0], [9, 1, 0], [5, 1, 0]], TOUCH),  # a segment in the plane
        ([[5, 0, 0], [9, 0, 0], [5, 0, 0]], APART),
        ([[4, 0, 0], [9, 0, 0], [5, 0, 0]], TOUCH),
        ([[1, 1, 0], [1, 1, 0], [1, 1, 0]], TOUCH),  # a point
        ([[1, 1, SMALL], [1, 1, SMALL], [1, 1, SMALL]], APART),
        ([[3, 3, 0], [3, 3, 0], [3, 3, 0]], APART),
    ],
)
def test_beside_a_triangle_on_the_floor(b: list[list[float]], answer: int) -> None:
    other = np.array(b, dtype=np.float64)
    for k in range(3):
        turned_a, turned_b = np.roll(FLOOR, k, axis=0), np.roll(other, k // 2, axis=0)
        assert ask(turned_a, turned_b) == answer
        assert ask(turned_b[::-1], turned_a) == answer


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[0, 2, 1], [2, 0, 1], [1, 1, 1]], TOUCH),  # segments cross
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[0, 2, 1], [2, 0, 1 + 2**-52], [0, 2, 1]], APART),
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[1, 1, 1], [3, 3, 3], [4, 4, 4]], TOUCH),  # on one line
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[5, 5, 5], [3, 3, 3], [4, 4, 4]], APART),
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[0, 1, 0], [2, 3, 2], [1, 2, 1]], APART),  # parallel
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[2, 2, 2], [2, 2, 2], [2, 2, 2]], TOUCH),  # a point on a segment
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], TOUCH),  # all zero
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, SMALL], [0, 0, SMALL], [0, 0, SMALL]], APART),
    ],
)
def test_what_is_no_triangle(a: list[list[float]], b: list[list[float]], answer: int) -> None:
    A, B = np.array(a, dtype=np.float64), np.array(b, dtype=np.float64)
    for k in range(3):
        assert ask(np.roll(A, k, axis=0), B) == answer
        assert ask(B[::-1], np.roll(A, k, axis=0)) == answer


@pytest.mark.parametrize("seed", range(6))
def test_triangles_of_a_small_grid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(8):
        a, b = rng.integers(-2, 3, size=(2, 3, 3)).astype(np.float64)
        if rng.random() < 0.4:
            a[:, 2] = b[:, 2] = 0.0
        assert ask(a, b) == relation(places(a), places(b))


@pytest.mark.parametrize("seed", range(6))
def test_the_same_turned_and_moved(seed: int) -> None:
    """One pose for both leaves everything as it is; another, one rounding away, is the truth as it is rounded."""
    rng = np.random.default_rng(seed)
    for _ in range(3):
        a, b = np.round(rng.integers(-20, 21, size=(2, 3, 3)) / 10.0, 1)
        a[:, 2] = b[:, 2] = 0.3
        X = pose(random_rotation(rng), rng.normal(size=3) * 10.0 ** rng.integers(0, 12))
        assert ask(a, b, X, X) == relation(places(a), places(b))
        Y = X * (1.0 + rng.integers(-1, 2, size=(3, 4)) * 2.0**-52)
        assert ask(a, b, X, Y) == relation(places(a, X), places(b, Y))


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-160, 1e9, 1e150])
def test_every_size_and_every_exponent(scale: float) -> None:
    a, b = FLOOR * scale, np.array([[1.0, 1, -1], [1, 1, 0], [2, 2, 1]]) * scale
    assert ask(a, b) == CROSS
    tilted = pose(
        np.array([[1.0, TINY, 1e-200], [-TINY, 1, 1e-100], [-1e-200, 1e-300, 1]]), (1e12, -1e-9, TINY)
    )
    assert ask(a, b, tilted) == relation(places(a, tilted), places(b))


def test_the_smallest_distance_there_is() -> None:
    for height, answer in ((TINY, APART), (0.0, TOUCH), (-TINY, CROSS)):
        assert ask(FLOOR, np.array([[1.0, 1, height], [1, 1, 1], [2, 1, 1]])) == answer


def test_the_widest_range_that_float64_has() -> None:
    """No word overflows, and the scratch is large enough, from the smallest product to the largest."""
    rng = np.random.default_rng(7)
    largest = 1.7976931348623157e308
    X = pose(np.where(np.eye(3) > 0, largest, TINY), (TINY, largest, -largest))
    a = np.where(rng.random((3, 3)) < 0.5, largest, -TINY) * np.array([1.0, -1.0, 1.0])
    b = a[[2, 0, 1]] * np.array([1.0, 1.0, -1.0])
    assert ask(a, b, X, -X) == relation(places(a, X), places(b, -X))


@pytest.mark.parametrize("swapped", [False, True])
def test_sides_of_a_triangle(swapped: bool) -> None:
    rng = np.random.default_rng(3)
    X = pose(random_rotation(rng), (0.1, 0.2, 0.3))
    Y = X * (1.0 + 2.0**-52)
    digits = np.full(exact.SCRATCH, GUARD, dtype=np.int64)
    found = set()
    for Z, height in itertools.product((X, Y), (-1.0, -SMALL, 0.0, SMALL)):
        points = np.array([[9.0, 9, 9], [0.3, 0.1, height], [9, 9, 9]])
        S_point, _ = surface(points)
        S, T = surface(FLOOR + 5.0, FLOOR)
        M = matrices(Z, X) if swapped else matrices(X, Z)
        side = exact.side_exactly(S_point, 1, S, T, 1, M, digits, swapped)
        corners, p = places(FLOOR, Z), places(points, X)[1]
        determinant = dot(normal(corners), sub(p, corners[0]))
        assert side == (determinant > 0) - (determinant < 0)
        found.add(int(side))
    assert found == {-1, 0, 1}
