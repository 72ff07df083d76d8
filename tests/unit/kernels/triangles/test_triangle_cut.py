"""What triangles share: known by hand, on both of them, and all of it; never more than six points."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.kernels.triangles.common_points import COPLANAR, common_points, places, relation

from keepclear.kernels.triangles.triangle_cut import cut

FLOOR = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])


def ask(a: np.ndarray, b: np.ndarray, coplanar: bool = False) -> np.ndarray:
    """The points of the kernel; nothing is written beside their places."""
    out = np.full(24, np.nan)
    n = cut(*map(tuple, a.tolist()), *map(tuple, b.tolist()), coplanar, out, 3)
    assert 2 <= n <= 6
    assert np.all(np.isnan(np.concatenate([out[:3], out[21:]])))
    points = out[3 : 3 + 3 * n].reshape(n, 3)
    assert np.all(np.isfinite(points))
    return points


def distance(x: np.ndarray, corners: np.ndarray) -> float:
    """From a point to a convex polygon, segment or point; by its triangles and their edges."""
    best = min(float(np.linalg.norm(x - c)) for c in corners)
    for i in range(len(corners)):
        p, d = corners[i - 1], corners[i] - corners[i - 1]
        if np.any(d):
            t = np.clip((x - p) @ d / (d @ d), 0.0, 1.0)
            best = min(best, float(np.linalg.norm(x - p - t * d)))
    for i in range(2, len(corners)):
        triangle = corners[[0, i - 1, i]]
        n = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
        inside = all(
            np.cross(triangle[j] - triangle[j - 1], x - triangle[j - 1]) @ n >= 0.0 for j in range(3)
        )
        if np.any(n) and inside:
            best = min(best, abs(float((x - corners[0]) @ n)) / float(np.linalg.norm(n)))
    return best


def check(a: np.ndarray, b: np.ndarray) -> int:
    """Compare with fractions: every point is on both triangles, and no common point is left out."""
    A, B = places(a), places(b)
    common = common_points(A, B)
    if not common:
        return 0
    coplanar = relation(A, B) == COPLANAR
    scale = max(np.abs(a).max(), np.abs(b).max())
    found = ask(a, b, coplanar)
    assert coplanar or len(found) == 2
    for x in found:
        assert max(distance(x, a), distance(x, b)) <= 1e-13 * scale
    for y in common:
        assert distance(np.array([float(c) for c in y]), found) <= 1e-13 * scale
    return len(found)


@pytest.mark.parametrize(
    ("b", "ends"),
    [
        ([[1, 1, -1], [1, 1, 1], [9, 1, 0]], [[1, 1, 0], [3, 1, 0]]),
        ([[1, 1, 0], [1, 1, 1], [2, 1, 1]], [[1, 1, 0], [1, 1, 0]]),  # a corner on the face
        ([[1, 1, 0], [2, 1, 0], [2, 1, 1]], [[1, 1, 0], [2, 1, 0]]),  # an edge on the face
        ([[1, 0, -1], [1, 0, 1], [1, -1, 0]], [[1, 0, 0], [1, 0, 0]]),  # edge on edge
        ([[-1, 0, 0], [2, 0, 0], [0, -1, 1]], [[0, 0, 0], [2, 0, 0]]),  # along an edge
        ([[1, 1, -1], [1, 1, 1], [1, 1, 0]], [[1, 1, 0], [1, 1, 0]]),  # a segment through the face
        ([[1, 1, 0], [9, 1, 0], [5, 1, 0]], [[1, 1, 0], [3, 1, 0]]),  # a segment in the plane
        ([[1, 1, 0], [1, 1, 0], [1, 1, 0]], [[1, 1, 0], [1, 1, 0]]),  # a point
    ],
)
def test_segments(b: list[list[float]], ends: list[list[float]]) -> None:
    for a, c in ((FLOOR, np.array(b, dtype=np.float64)), (np.array(b, dtype=np.float64), FLOOR[::-1])):
        assert sorted(ask(a, c).tolist()) == ends


@pytest.mark.parametrize(
    ("a", "b", "ends"),
    [
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[0, 2, 1], [2, 0, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1]]),
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[1, 1, 1], [4, 4, 4], [3, 3, 3]], [[1, 1, 1], [2, 2, 2]]),
        ([[0, 0, 0], [2, 2, 2], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1]]),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]]),
    ],
)
def test_segments_and_points(a: list[list[float]], b: list[list[float]], ends: list[list[float]]) -> None:
    A, B = np.array(a, dtype=np.float64), np.array(b, dtype=np.float64)
    assert sorted(ask(A, B).tolist()) == ends
    assert sorted(ask(B, A).tolist()) == ends


@pytest.mark.parametrize(
    ("b", "area"),
    [
        ([[0, 0, 0], [4, 0, 0], [0, 4, 0]], 8.0),  # the same
        ([[1, 1, 0], [2, 1, 0], [1, 2, 0]], 0.5),  # inside
        ([[3, 3, 0], [-1, 3, 0], [3, -1, 0]], 5.0),  # a star: six corners
        ([[0, -2, 0], [2, 2, 0], [0, 2, 0]], 3.0),
        ([[0, 0, 0], [4, 0, 0], [0, -4, 0]], 0.0),  # a common edge
        ([[0, 0, 0], [-4, 0, 0], [0, -4, 0]], 0.0),  # a common corner
    ],
)
def test_polygons(b: list[list[float]], area: float) -> None:
    other = np.array(b, dtype=np.float64)
    for a, c in ((FLOOR, other), (other, FLOOR), (FLOOR[::-1], other)):
        p = ask(a, c, True)
        assert (len(p) > 2) == (area > 0.0)
        fan = np.cross(p[1:-1] - p[0], p[2:] - p[0])[:, 2]
        assert abs(fan.sum()) == pytest.approx(2.0 * area, abs=1e-14)
        assert fan.min(initial=0.0) >= -1e-14 or fan.max(initial=0.0) <= 1e-14  # in order
        assert len(p) == 6 or area != 5.0


def test_random_triangles() -> None:
    rng = np.random.default_rng(0)
    assert sum(check(*rng.normal(size=(2, 3, 3))) > 0 for _ in range(30)) > 5


def test_triangles_of_a_small_grid() -> None:
    rng = np.random.default_rng(1)
    counts = []
    for k in range(30):
        a, b = rng.integers(-2, 3, size=(2, 3, 3)).astype(np.float64)
        if k % 2:
            a[:, 2] = b[:, 2] = 0.0
        counts.append(check(a, b))
    assert {0, 2, 3, 4} <= set(counts)


def check_near(a: np.ndarray, b: np.ndarray, tilt: float = 1.0) -> bool:
    """Compare as well as rounding lets: it moves what planes share by so much over the sine between them."""
    A, B = places(a), places(b)
    common = np.array([[float(c) for c in y] for y in common_points(A, B)])
    if not len(common):
        return False
    scale = max(np.abs(a).max(), np.abs(b).max())
    found = ask(a, b, relation(A, B) == COPLANAR)
    for x in found:
        assert max(distance(x, a), distance(x, b)) <= 1e-14 * scale
    for y in common:
        assert distance(y, found) <= 2e-14 * scale / tilt
    return True


def test_planes_that_rounding_cannot_tell_apart() -> None:
    a = np.array([[1.34, 0.33, 0], [-0.19, -0.79, 0], [-0.42, 0.56, 0]])
    b = np.array([[1.4, -0.56, -8e-15], [-0.95, 1.06, 1.5e-14], [0.37, 0.87, 1.2e-14]])
    assert check_near(a, b, 1e-14)  # the corner of b nearest to the plane is far from a
    rng = np.random.default_rng(3)
    for k in range(12):
        tilt = 10.0 ** -(k + 4.5)
        a, b = rng.normal(size=(2, 3, 3)) * [1, 1, 0]
        a, b = a - a.mean(axis=0), b - b.mean(axis=0)
        b[:, 2] = tilt * b[:, 0]
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0] if k % 2 else np.eye(3)
        assert check_near(a @ turn, b @ turn, tilt)


def test_slivers_that_touch() -> None:
    rng = np.random.default_rng(4)
    met = 0
    for k in range(12):
        a, b = rng.normal(size=(2, 3, 3))
        a[2] = a[0] + (k % 2) * 0.7 * (a[1] - a[0]) + 10.0 ** -rng.integers(3, 17) * rng.normal(size=3)
        b += a[0] - b[0] if k % 3 else 0.4 * a[0] + 0.6 * a[1] - b.mean(axis=0)
        met += check_near(a, b)
    assert met > 6


def test_edges_in_common() -> None:
    rng = np.random.default_rng(5)
    for k in range(8):
        a, b = rng.normal(size=(2, 3, 3))
        b[:2] = a[:2]
        if k % 2:
            b[2] = 2.0 * a[0] - a[2] + 10.0 ** -(k + 9) * rng.normal(size=3)  # unfolded, almost
        assert check_near(a, b)
        p = ask(a, b)
        assert sorted(p.tolist()) == pytest.approx(np.array(sorted(a[:2].tolist())), abs=1e-14)


def test_triangles_that_rounding_parted() -> None:
    b = np.array([[1.0, 1, 1e-12], [2, 1, 1e-12], [2, 1, 1]])
    p = ask(FLOOR, b)
    assert sorted(p.tolist()) == pytest.approx(np.array([[1, 1, 0.0], [2, 1, 0]]), abs=1e-12)


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-300, 2.0**300, 2.0**1000])
def test_sizes_do_not_matter(scale: float) -> None:
    b = np.array([[1.0, 1, -1], [1, 1, 1], [9, 1, 0]])
    assert sorted((ask(scale * FLOOR, scale * b) / scale).tolist()) == [[1, 1, 0], [3, 1, 0]]
    assert len(ask(scale * FLOOR, scale * (FLOOR - 1.0) * [1, 1, 0], True)) == 3


def test_needles_and_almost_parallel_planes() -> None:
    rng = np.random.default_rng(2)
    met = 0
    for k in range(30):
        a, b = rng.normal(size=(2, 3, 3))
        if k % 2:
            a[2] = a[0] + 1e-5 * rng.normal(size=3)
            b[1] = 2.0 * (a[0] + a[1]) / 2.0 - b[0]
        else:
            a[:, 2] *= 1e-6
            b[:, 2] *= 1e-6
        met += check(a, b) > 0
    assert met > 10
