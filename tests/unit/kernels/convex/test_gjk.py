"""The distance kernel on cases known by hand: closest points of triangles, result rows, codes, memory."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.oracles.exact_distance import nearest_of_points
from tests.oracles.hull_bodies import CUBE, ball, exact_points
from tests.oracles.poses import pose, random_rotation

import keepclear as kc
from keepclear.compiler.kernel import kernel
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.gjk import relative_pose, state_of
from keepclear.kernels.convex.pose import load_pose
from keepclear.kernels.convex.simplex import closest_on_triangle

Rows = np.ndarray


@kernel("void(float64[:,::1], float64[:,::1])")
def closest(corners, out):  # type: ignore[no-untyped-def]
    """Fill weights and closest point for triangles of nine numbers each."""
    for i in range(corners.shape[0]):
        c = corners[i]
        l1, l2, l3, x, y, z = closest_on_triangle(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8])
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = l1, l2, l3, x, y, z


@kernel("void(float64[:,:,::1], float64[::1])")
def relate(X, out):  # type: ignore[no-untyped-def]
    """Fill the rotation and translation of pose 1 seen from pose 0."""
    found = relative_pose(load_pose(X, 0)[1:], load_pose(X, 1)[1:])
    for k in range(12):
        out[k] = found[k]


@kernel("int64(float64, float64)")
def state(lower, upper):  # type: ignore[no-untyped-def]
    return state_of(lower, upper)


def closest_to_origin(triangle: Any) -> tuple[np.ndarray, np.ndarray]:
    out = np.empty((1, 6))
    closest(np.array(triangle, dtype=np.float64).reshape(1, 9), out)
    return out[0, :3], out[0, 3:]


@pytest.mark.parametrize(
    ("triangle", "weights", "point"),
    [
        ([[1, 0, 0], [2, 1, 0], [2, -1, 0]], (1, 0, 0), (1, 0, 0)),
        ([[2, 1, 0], [1, 0, 0], [2, -1, 0]], (0, 1, 0), (1, 0, 0)),
        ([[2, 1, 0], [2, -1, 0], [1, 0, 0]], (0, 0, 1), (1, 0, 0)),
        ([[1, -1, 0], [1, 1, 0], [5, 0, 0]], (0.5, 0.5, 0), (1, 0, 0)),
        ([[5, 0, 0], [1, -1, 0], [1, 3, 0]], (0, 0.75, 0.25), (1, 0, 0)),
        ([[-1, -1, 2], [3, -1, 2], [-1, 3, 2]], (0.5, 0.25, 0.25), (0, 0, 2)),
        ([[1, 1, 1], [1, 1, 1], [1, 1, 1]], None, (1, 1, 1)),
        ([[-1, 1, 0], [1, 1, 0], [3, 1, 0]], None, (0, 1, 0)),
    ],
)
def test_closest_point_of_a_triangle(triangle: Any, weights: Any, point: Any) -> None:
    found, at = closest_to_origin(triangle)
    assert np.allclose(at, point, rtol=0.0, atol=1e-15)
    assert abs(found.sum() - 1.0) <= 1e-15
    assert found.min() >= 0.0
    assert np.allclose(found @ np.array(triangle, dtype=float), point, rtol=0.0, atol=1e-15)
    if weights is not None:
        assert np.allclose(found, weights, rtol=0.0, atol=1e-15)


@pytest.mark.parametrize("thin", [1.0, 1e-3, 1e-6, 1e-9, 1e-12, 0.0])
@pytest.mark.parametrize("near", [1.0, 1e-4, 1e-8])
def test_thin_and_near_triangles_against_integers(thin: float, near: float) -> None:
    """The point is nearest to 1e-15 of the size, and the weights make it."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        triangle = rng.normal(size=(3, 3)) * [1.0, thin, 0.0] @ random_rotation(rng).T
        triangle += near * rng.normal(size=3) - triangle.mean(axis=0)
        points = exact_points(triangle)
        best = nearest_of_points(points, points[:1])
        unit = Fraction(np.max(np.abs(triangle))) / max(abs(c) for p in points for c in p)
        truth = np.array([float(Fraction(c, best.D) * unit) for c in best.V])
        weights, at = closest_to_origin(triangle)
        size = np.max(np.abs(triangle))
        assert np.linalg.norm(at) <= np.linalg.norm(truth) + 4e-15 * size
        assert np.linalg.norm(weights @ triangle - at) <= 1e-11 * size


def test_the_relative_pose() -> None:
    rng = np.random.default_rng(2)
    X_WA, X_WB = (pose(random_rotation(rng), rng.normal(size=3)) for _ in range(2))
    out = np.empty(12)
    relate(np.array([X_WA, X_WB]), out)
    X_AB = np.linalg.inv(X_WA) @ X_WB
    assert np.allclose(out[:9].reshape(3, 3), X_AB[:3, :3], rtol=0.0, atol=1e-15)
    assert np.allclose(out[9:], X_AB[:3, 3], rtol=0.0, atol=2e-15)


def test_what_the_bounds_prove() -> None:
    assert state(1e-300, 1.0) == gjk.SEPARATE
    assert state(0.0, 1.0) == gjk.TOUCHING
    assert state(-1.0, 0.0) == gjk.TOUCHING
    assert state(-1.0, 1.0) == gjk.TOUCHING
    assert state(-1.0, -1e-300) == gjk.INTERFERING


def one(a: Any, b: Any, X_WA: np.ndarray, X_WB: np.ndarray) -> tuple[int, np.ndarray]:
    out = np.full(gjk.ROW + gjk.MEMORY, np.nan)
    out[gjk.ROW + gjk.COUNTS :] = 0.0
    ended = gjk.distance_one(*packed(a), *packed(b), X_WA, X_WB, out, False)
    return ended, out


def shifted(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    return pose(np.eye(3), (x, y, z))


def test_a_result_row() -> None:
    ended, row = one(kc.Sphere(0.5), kc.Box([2, 2, 2]), np.eye(4), shifted(3.0))
    assert ended == 0
    assert row[gjk.DISTANCE] == 1.5
    assert row[gjk.LOWER] < 1.5 < row[gjk.UPPER]
    assert row[gjk.UPPER] - row[gjk.LOWER] < 2e-13
    assert row[gjk.POINT_A : gjk.POINT_A + 3].tolist() == [0.5, 0.0, 0.0]
    assert row[gjk.POINT_B : gjk.POINT_B + 3].tolist() == [2.0, 0.0, 0.0]
    assert row[gjk.NORMAL : gjk.NORMAL + 3].tolist() == [1.0, 0.0, 0.0]
    assert row[gjk.STATE] == gjk.SEPARATE
    assert row[gjk.ITERATIONS] >= 1
    assert row[gjk.FALLBACKS] == 0
    assert np.all(np.isfinite(row[: gjk.ROW]))


def test_cores_that_meet_are_handed_on() -> None:
    for a, b, x in ((kc.Box([1, 1, 1]), kc.Box([1, 1, 1]), 0.5), (kc.Convex(CUBE), kc.Sphere(0.1), 0.5)):
        ended, row = one(a, b, np.eye(4), shifted(x, x / 2, x / 3))
        assert ended == 1
        assert row[gjk.STATE] == gjk.CORES_MEET
    ended, row = one(kc.Sphere(1.0), kc.Sphere(1.0), np.eye(4), shifted(1.5))
    assert (ended, row[gjk.STATE], row[gjk.DISTANCE]) == (0, gjk.INTERFERING, -0.5)  # the cores do not


@pytest.mark.parametrize(
    ("X", "why"),
    [
        (shifted(np.inf), 1),
        (pose(np.eye(3), (0, 0, 0)) + np.eye(4, k=-3), 2),
        (np.diag([1.0, 1.0, -1.0, 1.0]), 3),
        (np.diag([1.0, 1.0, 2.0, 1.0]), 4),
        (np.full((4, 4), np.nan), 2),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")  # infinities in kernels as plain Python
def test_codes_of_bad_poses(X: np.ndarray, why: int) -> None:
    cube = kc.Box([1, 1, 1])
    assert one(cube, cube, X, np.eye(4))[0] == -1 - why
    assert one(cube, cube, np.eye(4), X)[0] == -11 - why
    many = np.array([np.eye(4), np.eye(4), X])
    rows, memory = np.empty((3, gjk.ROW)), np.zeros(gjk.MEMORY)
    arrays = (*packed(cube), *packed(cube))
    assert gjk.distance_many(*arrays, many, np.eye(4)[None], rows.reshape(-1), memory, False) == -1 - 64 - why
    assert (
        gjk.distance_many(*arrays, np.eye(4)[None], many, rows.reshape(-1), memory, False) == -17 - 64 - why
    )


def test_wrong_shapes_are_refused_before_they_are_read() -> None:
    cube = kc.Box([1, 1, 1])
    for X in (np.eye(3), np.zeros((4, 3)), np.zeros((0, 4)), np.zeros((400, 4))):
        assert one(cube, cube, X, np.eye(4))[0] == -100
        assert one(cube, cube, np.eye(4), X)[0] == -100


def test_memory_counts_and_is_used() -> None:
    hull = kc.Convex(ball(np.random.default_rng(3), 60))
    out = np.zeros(gjk.ROW + gjk.MEMORY)
    out[gjk.ROW : gjk.ROW + 4] = 0.0, -1.0, -1.0, 0.0
    iterations = []
    for x in (3.0, 3.001, 3.002):
        assert gjk.distance_one(*packed(hull), *packed(hull), np.eye(4), shifted(x), out, True) == 0
        iterations.append(out[gjk.ITERATIONS])
    counts = out[gjk.ROW + gjk.COUNTS : gjk.ROW + gjk.MEMORY]
    assert counts[0] == 3
    assert counts[1] == sum(iterations)
    assert iterations[0] > iterations[1] == iterations[2] == 1
    assert counts[4] == 0


def test_batches_without_memory_start_every_row_afresh() -> None:
    hull = kc.Convex(ball(np.random.default_rng(4), 60))
    X_WB = np.array([shifted(3.0), shifted(3.001), shifted(3.0)])
    rows, memory = np.empty((3, gjk.ROW)), np.zeros(gjk.MEMORY)
    arrays = (*packed(hull), *packed(hull))
    assert gjk.distance_many(*arrays, np.eye(4)[None], X_WB, rows.reshape(-1), memory, False) == 0
    assert rows[0].tobytes() == rows[2].tobytes()
    assert one(hull, hull, np.eye(4), X_WB[1])[1][: gjk.ROW].tobytes() == rows[1].tobytes()
