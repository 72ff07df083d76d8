"""Signs that float64 decides about triangles, against fractions: nearly flat, tiny, and with corners that are off."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_rotation

import keepclear as kc
from keepclear.kernels.tables import surface
from keepclear.kernels.trees import winding
from keepclear.kernels.triangles import digits, exact, triangle_distance, triangle_pair

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def det(a: Any, b: Any, c: Any) -> Any:
    """The determinant of three vectors of fractions or integers."""
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def minus(p: Any, q: Any) -> list[Any]:
    return [x - y for x, y in zip(p, q, strict=True)]


def fractions(p: Any) -> list[Fraction]:
    return [Fraction(float(x)) for x in p]


def nearly_flat(rng: np.random.Generator, n: int, scale: float = 1.0, far: float = 1.0) -> np.ndarray:
    """Points within rounding of one plane, which may be far from the origin."""
    a, b, c = rng.normal(size=(3, 3)) * scale
    rest = [a + s * (b - a) + t * (c - a) for s, t in rng.normal(size=(n - 3, 2))]
    return np.array([a, b, c, *rest]) + rng.normal(size=3) * scale * far


def number(D: np.ndarray, n: int, k: int) -> int:
    """The integer of the number k of a scratch array, of n digits."""
    row = D[digits.POINTS + k * n : digits.POINTS + (k + 1) * n]
    return sum(int(d) << (digits.BITS * i) for i, d in enumerate(row))


def scratch(points: list[list[int]], n: int) -> np.ndarray:
    """Points of integers as digits."""
    D = np.zeros(exact.SCRATCH, np.int64)
    for k, value in enumerate(x for p in points for x in p):
        left = value
        for i in range(n):
            d = (left + digits.HALF) % digits.BASE - digits.HALF
            D[digits.POINTS + k * n + i], left = d, (left - d) >> digits.BITS
        assert left == 0
        assert number(D, n, k) == value
    return D


def test_signs_of_digits_are_certain() -> None:
    rng, decided = np.random.default_rng(1), 0
    for case in range(400):
        n = 4
        size = 1 << (digits.BITS * n - 3 if case % 2 else 60)
        x = [[int(rng.integers(-(2**40), 2**40)) * size >> 42 for _ in range(3)] for _ in range(3)]
        if case % 4 == 3:  # small beside its distance from the origin
            x = [[(v >> 20) + (size >> 2) for v in p] for p in x]
        u, v = (int(w) for w in rng.integers(-1000, 1000, 2))
        p = [a + (u * (b - a) + v * (c - a)) // 1024 for a, b, c in zip(*x, strict=True)]
        p[int(rng.integers(3))] += int(rng.integers(-3, 4)) * (size >> int(rng.integers(40, 60)))
        D = scratch([*x, p], n)
        true = det(minus(x[1], x[0]), minus(x[2], x[0]), minus(p, x[0]))
        found = exact._likely(D, n, 0, 1, 2, 3)
        assert found in (0, (true > 0) - (true < 0))
        decided += found != 0
        assert exact._orient(D, n, 0, 1, 2, 3) == (true > 0) - (true < 0)
        # In a projection: three points on nearly one line.
        a, b = x[0], x[1]
        c = [s + u * (t - s) // 1024 for s, t in zip(a, b, strict=True)]
        c[0] += int(rng.integers(-3, 4)) * (size >> int(rng.integers(40, 60)))
        D = scratch([a, b, c], n)
        e, f = minus(b, a), minus(c, a)
        true = e[0] * f[1] - e[1] * f[0]
        assert exact._turn(D, n, 0, 1, 2, 2) == (true > 0) - (true < 0)
    assert decided > 20


@pytest.mark.parametrize("scale", [1.0, 1e-105, 1e-107])
def test_sides_of_corners_are_within_their_error(scale: float) -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        points = nearly_flat(rng, 6, scale, 10.0 ** rng.uniform(0.0, 3.0))
        p, q, r, error = triangle_pair._sides(*points, 0.0, 0.0)
        a, b, c, *others = (fractions(x) for x in points)
        for found, x in zip((p, q, r), others, strict=True):
            true = det(minus(b, a), minus(c, a), minus(x, a))
            assert abs(Fraction(found) - true) <= Fraction(error)


@pytest.mark.parametrize("is_first", [True, False])
def test_sides_of_corners_that_are_off(is_first: bool) -> None:
    rng, delta = np.random.default_rng(3), 1e-3
    for _ in range(40):
        points = rng.normal(size=(6, 3))
        found = triangle_pair._sides(*points, *((delta, 0.0) if is_first else (0.0, delta)))
        n = np.cross(points[1] - points[0], points[2] - points[0])
        n *= delta / np.linalg.norm(n) * (1.0 - 1e-12)
        for signs in product((-1.0, 1.0), repeat=3):
            moved = points.copy()
            moved[slice(0, 3) if is_first else slice(3, 6)] += np.outer(signs, n)
            a, b, c, *others = (fractions(x) for x in moved)
            for value, x in zip(found[:3], others, strict=True):
                true = det(minus(b, a), minus(c, a), minus(x, a))
                assert abs(Fraction(value) - true) <= Fraction(found[3])


def test_the_plane_of_corners_that_are_off_moves() -> None:
    near = 1e-6 * np.eye(3)
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], *near])
    points += 0.25
    p, _, _, error = triangle_pair._sides(*points, 1e-3, 0.0)
    assert error >= 0.999e-3  # the plane moves along z by this, and the determinants of points with it
    # A short side tilts by twice the error over its length.
    points = np.array([[0, 0, 0], [1e-2, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]], float)
    p, _, _, error = triangle_pair._sides(*points, 1e-3, 0.0)
    moved = points + np.outer([-1, 1, 0, 0, 0, 0], [0, 0, 1e-3])
    a, b, c, x = (fractions(v) for v in moved[:4])
    assert abs(Fraction(p) - det(minus(b, a), minus(c, a), minus(x, a))) <= Fraction(error)


def test_short_sides_beside_large_errors() -> None:
    # Corners that are off by more than the size of their triangle: products of errors count.
    rng = np.random.default_rng(4)
    for _ in range(40):
        points, delta = rng.normal(size=(6, 3)), 10.0
        points[1:3] = points[0] + rng.normal(size=(2, 3)) * 1e-3
        found = triangle_pair._sides(*points, delta, 0.0)
        moved = points.copy()
        for k in range(3):
            step = rng.normal(size=3)
            moved[k] += step * (delta / np.linalg.norm(step) * (1.0 - 1e-12))
        a, b, c, *others = (fractions(x) for x in moved)
        for value, x in zip(found[:3], others, strict=True):
            assert abs(Fraction(value) - det(minus(b, a), minus(c, a), minus(x, a))) <= Fraction(found[3])


@pytest.mark.parametrize("scale", [1.0, 1e-102, 1e-105, 1e-107])
def test_sides_of_edges_are_certain(scale: float) -> None:
    rng, decided = np.random.default_rng(5), 0
    for _ in range(400):
        e, g = rng.normal(size=(2, 3)) * scale
        h = rng.normal() * e + rng.normal() * g
        if rng.random() < 0.3:
            h = h + rng.normal(size=3) * scale * 10.0 ** rng.uniform(-17.0, 0.0)
        found = triangle_pair._edge_side(e, g, h, 0.0)
        true = det(fractions(e), fractions(g), fractions(h))
        assert found in (0, (true > 0) - (true < 0))
        decided += found != 0
    assert decided > 0 or scale < 1e-100


def test_sides_of_edges_of_corners_that_are_off() -> None:
    rng, delta = np.random.default_rng(6), 1e-3
    for _ in range(100):
        e, g, h = rng.normal(size=(3, 3))
        h = rng.normal() * e + rng.normal() * g + rng.normal(size=3) * 2e-3
        found = triangle_pair._edge_side(e, g, h, delta)
        n = np.cross(e, g)
        n *= delta / np.linalg.norm(n) * (1.0 - 1e-12)
        for s, t in product((-1.0, 1.0), repeat=2):
            true = det(fractions(e), fractions(g + s * n), fractions(h + t * n))
            assert found in (0, (true > 0) - (true < 0))


@pytest.mark.parametrize("scale", [1.0, 1e-102, 1e-105, 1e-107])
def test_triangles_are_apart_only_if_they_are(scale: float) -> None:
    rng, decided = np.random.default_rng(7), 0
    for _ in range(300):
        b, c, p, q, r = rng.normal(size=(5, 3)) * scale
        w = rng.normal(size=3) * scale * scale
        if not w.any():
            w = rng.normal(size=3) * scale
        p, q, r = (
            x - w * ((x @ (w / np.abs(w).max()) / (w @ (w / np.abs(w).max()))) * rng.choice([1.0, 0.9]))
            for x in (p, q, r)
        )
        far = max(0.0, float(w @ b), float(w @ c))
        p, q, r = (x + b * (1.0 if far > 0.0 and w @ b >= far else 0.0) for x in (p, q, r))
        found = triangle_pair._gap(w, b, c, p, q, r, 0.0)
        heights = [
            sum(x * y for x, y in zip(fractions(w), fractions(v), strict=True)) for v in (b, c, p, q, r)
        ]
        low, high = min(Fraction(0), *heights[:2]), max(Fraction(0), *heights[:2])
        assert not found or min(heights[2:]) > high or max(heights[2:]) < low
        decided += found
    assert decided > 0 or scale < 1e-100


@pytest.mark.parametrize("axis", range(3))
def test_segments_that_pass_a_box_within_rounding(axis: int) -> None:
    node = np.zeros(winding.NODE, np.float32)
    node[winding.HALF : winding.HALF + 3] = 1.0
    node[[winding.AXES, winding.AXES + 4, winding.AXES + 8]] = 1.0
    middle, along = np.zeros(3), np.zeros(3)
    middle[axis], along[(axis + 1) % 3] = 1.0 + 1e-9, 3.0
    assert winding._may_meet(node, 0, middle, along, 1e-8)
    assert winding._may_meet(node, 0, middle, np.zeros(3), 1e-8)
    assert not winding._may_meet(node, 0, middle, along, 0.0)


HEADER = surface.SURFACE_HEADER


def crossing(corners: np.ndarray, p: np.ndarray, q: np.ndarray, e: float = 0.0) -> int:
    S, D = np.zeros(HEADER + 9), np.zeros(exact.SCRATCH, np.int64)
    S[HEADER:] = corners.ravel()
    seed = (np.concatenate([np.zeros(HEADER), p]), 0, False)
    M = np.zeros(24)
    M[[0, 5, 10, 12, 17, 22]] = 1.0
    return int(winding._crossing(S, np.arange(3, dtype=np.int32), 0, *p, e, tuple(q), False, seed, M, D))


def true_crossing(corners: np.ndarray, p: np.ndarray, q: np.ndarray) -> int | None:
    """How a ray crosses a triangle, in fractions; None through an edge."""
    a, b, c = (minus(fractions(v), fractions(p)) for v in corners)
    d = minus(fractions(q), fractions(p))
    signs = [(det(d, u, v) > 0) - (det(d, u, v) < 0) for u, v in ((a, b), (b, c), (c, a))]
    if 0 in signs:
        return None
    if abs(sum(signs)) != 3:
        return 0
    ahead = det(a, minus(b, a), minus(c, a))
    side = (ahead > 0) - (ahead < 0)
    return side if side == signs[0] else 0


@pytest.mark.parametrize("scale", [1.0, 1e-97, 1e-102, 1e-105])
def test_crossings_of_rays_are_certain(scale: float) -> None:
    rng, decided = np.random.default_rng(8), 0
    for case in range(300):
        corners = (rng.normal(size=(3, 3)) + rng.normal(size=3) * 10.0 ** rng.uniform(-1.0, 3.0)) * scale
        p = rng.normal(size=3) * scale
        w = rng.dirichlet(np.ones(3))
        w[case % 3] = 0.0 if case % 2 else rng.normal() * 10.0 ** rng.uniform(-17.0, -1.0)
        q = p + 2.0 * (w @ corners / w.sum() - p)
        found, true = crossing(corners, p, q), true_crossing(corners, p, q)
        assert found in (winding.UNCLEAR, winding.TOUCHED, true)
        decided += found == true
    assert decided > 20 or scale < 1.0


@pytest.mark.parametrize("scale", [1e-97, 1e-102, 1e-105])
def test_starts_of_rays_near_a_plane_are_certain(scale: float) -> None:
    rng = np.random.default_rng(9)
    for _ in range(200):
        corners = rng.normal(size=(3, 3)) * scale
        p = rng.dirichlet(np.ones(3)) @ corners + rng.normal(size=3) * scale * 10.0 ** rng.uniform(
            -17.0, -10.0
        )
        q = p + rng.normal(size=3) * scale * 1e60  # signs of edges are certain
        found = crossing(corners, p, q)
        assert found in (winding.UNCLEAR, winding.TOUCHED, true_crossing(corners, p, q))


@pytest.mark.parametrize("far", [1.0, 1e4])
def test_crossings_of_rays_whose_start_is_off(far: float) -> None:
    rng, e, decided = np.random.default_rng(10), 1e-3, 0
    for case in range(100):
        corners, p = rng.normal(size=(3, 3)), rng.normal(size=3)
        w = rng.dirichlet(np.ones(3))
        w[case % 3] = rng.normal() * 3e-3
        q = p + far * (w @ corners / w.sum() - p)
        found = crossing(corners, p, q, e)
        decided += found in (0, 1, -1)
        for _ in range(12):
            step = rng.normal(size=3)
            moved = p + step * (e / np.linalg.norm(step) * (1.0 - 1e-12))
            assert found in (winding.UNCLEAR, winding.TOUCHED, true_crossing(corners, moved, q))
    assert decided > 5


@pytest.mark.parametrize("half", [1.0, 1e-18])
def test_rays_end_beyond_the_box(half: float) -> None:
    S = np.zeros(HEADER)
    S[surface.EXTENT], S[surface.ORIGIN : surface.ORIGIN + 3] = 1e3, 500.0
    S[surface.ROOT_HALF : surface.ROOT_HALF + 3] = half
    for k in range(winding.DIRECTIONS):
        for e in (0.0, 0.25):
            q = winding._far_point(S, 500.0, 500.0, 500.0, e, k)
            assert max(abs(x - 500.0) for x in q) > half + 3.0 * e


def test_points_that_are_off_are_not_outside_for_certain() -> None:
    # A point inside of a cube, known to be within 0.01 of a place outside of it.
    cube = kc.Mesh(*CUBE)
    S, T, N, L = kc.build_obb_tree(cube).arrays
    M, D, stack = np.zeros(24), np.zeros(exact.SCRATCH, np.int64), np.zeros(500, np.int32)
    M[[0, 5, 10, 12, 17, 22]] = 1.0
    for axis in range(3):
        for sign in (-1.0, 1.0):
            p = np.array([0.1, 0.2, 0.3])
            p[axis] = sign * 0.999
            seed, place = np.concatenate([np.zeros(HEADER), p]), p.copy()
            place[axis] += sign * 0.009
            assert winding.winding(S, T, N, L, *place, 0.01, seed, 0, False, M, D, stack) == 1


CUBE = (
    np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]),
    np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]),
)


def test_points_in_the_frame_of_b_are_within_their_error() -> None:
    rng = np.random.default_rng(11)
    for _ in range(300):
        R, scale = random_rotation(rng), rng.choice([1.0, 0.3, 7.0])
        rel = (*(scale * R).ravel(), *(rng.normal(size=3) * 10.0 ** rng.uniform(0.0, 6.0)))
        p = rng.normal(size=3) * 10.0 ** rng.uniform(0.0, 6.0)
        x, y, z, e = winding._in_frame_of_b(rel, 0.0, *p)
        m = [fractions(rel[3 * i : 3 * i + 3]) for i in range(3)]
        b = minus(fractions(p), fractions(rel[9:]))
        whole = det(*zip(*m, strict=True))
        columns = list(zip(*m, strict=True))
        true = [det(*(b if k == i else columns[k] for k in range(3))) / whole for i in range(3)]
        off = sum((v - Fraction(float(w))) ** 2 for v, w in zip(true, (x, y, z), strict=True))
        assert off <= Fraction(float(e)) ** 2


def test_planes_of_needles_prove_no_more_than_their_distance() -> None:
    rng = np.random.default_rng(12)
    W = np.zeros(triangle_distance.RESULT)
    for _ in range(400):
        a, b = rng.normal(size=(2, 3))
        c = a + rng.uniform(-0.5, 1.5) * (b - a) + 10.0 ** rng.uniform(-16.0, -12.0) * rng.normal(size=3)
        n = np.cross(b - a, rng.normal(size=3))
        n /= np.linalg.norm(n)
        others = b + n * 10.0 ** rng.uniform(-12.0, 0.0) + rng.normal(size=(3, 3)) * 1e-13
        corners = tuple(map(tuple, (a, b, c, *others)))
        gap = triangle_distance.plane_gap(*corners, 1.0, W)
        triangle_distance.closest(*corners, W)
        assert gap <= np.sqrt(W[triangle_distance.SQUARE]) * (1.0 + 1e-9) + 1e-15
