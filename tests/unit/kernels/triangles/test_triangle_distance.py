"""The closest points of two triangles: known by hand, and as near as fractions say, be they slivers or without area."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.unit.kernels.triangles.common_points import Place, dot, edges, normal, places, sub

from keepclear.kernels.triangles.triangle_distance import (
    GAP,
    LOWER,
    POINT,
    RESULT,
    SQUARE,
    closest,
    plane_gap,
)

FLOOR = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])
UNIT = 2.0**-53


def ask(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """What the kernel writes."""
    W = np.full(RESULT, np.nan)
    closest(*map(tuple, a.tolist()), *map(tuple, b.tolist()), W)
    return W


def shifted(p: Place, d: Place, t: Fraction) -> Place:
    return p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]


def clipped(t: Fraction) -> Fraction:
    return min(max(t, Fraction(0)), Fraction(1))


def square_to_segment(x: Place, p: Place, q: Place) -> Fraction:
    d = sub(q, p)
    t = clipped(dot(sub(x, p), d) / dot(d, d)) if any(d) else Fraction(0)
    w = sub(x, shifted(p, d, t))
    return dot(w, w)


def square_of_segments(p: Place, q: Place, r: Place, s: Place) -> Fraction:
    """Between the insides of two segments if their lines are closest there, else from their ends."""
    d, e, w = sub(q, p), sub(s, r), sub(p, r)
    a, b, c = dot(d, d), dot(d, e), dot(e, e)
    ends = [(p, r, s), (q, r, s), (r, p, q), (s, p, q)]
    found = [square_to_segment(*end) for end in ends]
    det = a * c - b * b
    if det != 0:
        t, v = (b * dot(e, w) - c * dot(d, w)) / det, (a * dot(e, w) - b * dot(d, w)) / det
        if 0 <= t <= 1 and 0 <= v <= 1:
            gap = sub(shifted(p, d, t), shifted(r, e, v))
            found.append(dot(gap, gap))
    return min(found)


def square_to_inside(x: Place, t: list[Place]) -> list[Fraction]:
    """From a point straight to the inside of a triangle, if there is one and it is below."""
    n = normal(t)
    if not any(n):
        return []
    h = dot(sub(x, t[0]), n) / dot(n, n)
    foot = shifted(x, n, -h)
    inside = all(dot(n, normal([p, q, foot])) >= 0 for p, q in edges(t))
    return [h * h * dot(n, n)] if inside else []


def true_square(a: np.ndarray, b: np.ndarray) -> Fraction:
    """The squared distance of two triangles that do not meet, in fractions."""
    A, B = places(a), places(b)
    found = [square_of_segments(*e, *f) for e, f in product(edges(A), edges(B))]
    for x in A:
        found += square_to_inside(x, B)
    for x in B:
        found += square_to_inside(x, A)
    return min(found)


def root(square: Fraction) -> Fraction:
    """A square root that is right to 60 digits."""
    scale = 10**120
    return Fraction(math.isqrt(square.numerator * scale // square.denominator), 10**60)


def check(a: np.ndarray, b: np.ndarray, allowed: float = 64 * UNIT) -> None:
    """The length, the bound and both points, within a few roundings of the largest coordinate."""
    W, size = ask(a, b), float(np.abs([a, b]).max())
    true = root(true_square(a, b))
    assert abs(Fraction(math.sqrt(W[SQUARE])) - true) <= allowed * size
    assert Fraction(W[LOWER]) <= true + Fraction(allowed * size)
    assert Fraction(W[LOWER]) >= true - Fraction(allowed * size)
    assert abs(math.sqrt(W[SQUARE]) - np.linalg.norm(W[GAP : GAP + 3])) <= allowed * size
    p = W[POINT : POINT + 3]
    for point, triangle in ((p, a), (p + W[GAP : GAP + 3], b)):
        # The way from the point to its triangle, as a triangle that is a point.
        assert root(true_square(np.array([point] * 3), triangle)) <= allowed * size


@pytest.mark.parametrize(
    ("b", "square", "point", "gap"),
    [
        ([[1, 1, 3], [1, 1, 5], [2, 1, 5]], 9, (1, 1, 0), (0, 0, 3)),  # a corner above the inside
        ([[-3, 0, 4], [-5, 0, 4], [-4, 0, 9]], 25, (0, 0, 0), (-3, 0, 4)),  # corner to corner
        ([[2, -3, -1], [2, -3, 1], [2, -9, 0]], 9, (2, 0, 0), (0, -3, 0)),  # between the insides of two edges
        ([[3, 3, -1], [3, 3, 1], [5, 5, 0]], 2, (2, 2, 0), (1, 1, 0)),  # edge to edge, across
        ([[0, 0, 2], [4, 0, 2], [0, 4, 2]], 4, None, (0, 0, 2)),  # parallel: any point will do
        ([[5, 0, 0], [9, 0, 0], [5, 4, 0]], 1, (4, 0, 0), (1, 0, 0)),  # in one plane
        ([[1, 1, 2], [1, 1, 2], [1, 1, 2]], 4, (1, 1, 0), (0, 0, 2)),  # a point
        ([[1, -2, 7], [1, -2, -7], [1, -2, 0]], 4, (1, 0, 0), (0, -2, 0)),  # a segment
    ],
)
def test_known_by_hand(b, square, point, gap):
    W = ask(FLOOR, np.array(b, float))
    assert W[SQUARE] == square
    assert tuple(W[GAP : GAP + 3]) == gap
    assert point is None or tuple(W[POINT : POINT + 3]) == point
    assert math.sqrt(square) * (1.0 - 4.0 * UNIT) <= W[LOWER] <= math.sqrt(square)
    back = ask(np.array(b, float), FLOOR)
    assert back[SQUARE] == square
    assert tuple(-back[GAP : GAP + 3]) == gap


def apart(rng: np.random.Generator, scale: float) -> np.ndarray:
    """A triangle on the far side of a plane, so that it meets none from the near side."""
    return rng.normal(size=(3, 3)) * scale + (0.0, 0.0, 4.0 * scale + 0.1)


def test_random_triangles_are_as_far_apart_as_fractions_say():
    rng = np.random.default_rng(1)
    for _ in range(8):
        a, b = np.abs(rng.normal(size=(3, 3))) * (1, 1, -1), apart(rng, 1.0)
        b[:, 2] = np.abs(b[:, 2]) + 1e-3 * rng.random()
        check(a, b)


def test_slivers():
    """Triangles a millionth or a thousand millionth as wide as long: their normals are known to few digits."""
    rng = np.random.default_rng(2)
    for width in (1e-6, 1e-9, 1e-12):
        for _ in range(8):
            a, b = (
                rng.normal(size=(1, 3)) + np.outer(rng.normal(size=3), rng.normal(size=3)) for _ in range(2)
            )
            a, b = a + width * rng.normal(size=(3, 3)), b + width * rng.normal(size=(3, 3))
            a[:, 2], b[:, 2] = -np.abs(a[:, 2]), np.abs(b[:, 2]) + 0.01
            check(a, b)


def test_nearly_parallel_edges():
    rng = np.random.default_rng(3)
    for angle in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15):
        for _ in range(2):
            x = rng.uniform(-0.5, 0.5)
            a = np.array([[-1.0, 0, 0], [1, angle * rng.normal(), 0], [0, 0, -1]])
            b = np.array([[-1.0 + x, 0.3, 0.4], [1 + x, 0.3, 0.4 + angle * rng.normal()], [0, 0.5, 2]])
            R = np.linalg.qr(rng.normal(size=(3, 3)))[0]  # along no axis, so that cross products round
            check(a @ R.T, b @ R.T)


def test_edges_that_are_parallel_up_to_rounding():
    """Their common normal is rounding and nothing else; a length taken along it would be half of the true one."""
    a = [
        [0.6521244321582633, 3.18291740354205, -2.538458297315793],
        [-0.9281803115777012, -1.79875982030707, 2.6273455079316075],
        [-0.864103586859885, -0.07606285960467377, -1.4991795864954407],
    ]
    b = [
        [-1.4549485594896894, -3.4593188949234435, 4.349280109680741],
        [-1.9817168074016778, -5.119877969539817, 6.071214711429875],
        [-1.3975666862038936, -7.0268446556585795, 3.830177742984722],
    ]
    check(np.array(a), np.array(b))


def test_degenerate_triangles():
    """Segments and points, as triangles, against each other and against triangles."""
    rng = np.random.default_rng(4)
    for k in range(12):
        a, b = rng.integers(-4, 1, size=(3, 3)).astype(float), rng.integers(1, 6, size=(3, 3)).astype(float)
        a[1 + k % 2 :] = a[0]
        if k % 3:
            b[2] = 0.5 * (b[0] + b[1])
        check(a, b)


def test_the_gap_to_a_plane_is_never_too_large():
    """Against the true distance; and 0 for triangles that are cut by the plane, or have none."""
    rng, W = np.random.default_rng(5), np.zeros(RESULT)
    seen = 0
    for _ in range(12):
        a, b = rng.normal(size=(3, 3)), apart(rng, 0.5)
        gap = plane_gap(*map(tuple, a.tolist()), *map(tuple, b.tolist()), 1.0, W)
        assert gap * gap <= true_square(a, b) * (1 + Fraction(1, 10**14))
        if gap > 0.0:
            seen += 1
            way = W[GAP : GAP + 3] / np.linalg.norm(W[GAP : GAP + 3])
            assert (b @ way).min() - (a @ way).max() == pytest.approx(gap, abs=1e-14)
    assert seen > 3
    flat = np.array([[0.0, 0, 0], [1, 1, 1], [2, 2, 2]])
    assert plane_gap(*map(tuple, flat.tolist()), *map(tuple, apart(rng, 0.5).tolist()), 1.0, W) == 0.0
