"""Bounds of sphere covers and of cells against exact arithmetic: every rounding and pad in a case that needs it."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config

from keepclear.kernels.spheres import cover_gaps, division, pair_search

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)


def away(p: Any, q: Any) -> Decimal:
    """The distance of two points of floats, to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return sum(
            ((Decimal(float(a)) - Decimal(float(b))) ** 2 for a, b in zip(p, q, strict=True)), Decimal(0)
        ).sqrt()


def outside(p: Any, balls: np.ndarray) -> Decimal:
    """How far a point is outside of all balls."""
    return min(away(p, ball[:3]) - Decimal(float(ball[3])) for ball in balls)


def bounds(corners: np.ndarray, balls: np.ndarray, pad: float) -> tuple[Any, ...]:
    near = np.zeros(3 * len(balls), np.int32)
    near[: len(balls)] = np.arange(len(balls))
    found = cover_gaps._bounds(corners.ravel(), 0, balls.ravel(), near, 0, len(balls), pad)
    return *found[:5], near[len(balls) : found[5]].tolist()


@pytest.mark.parametrize("seed", range(40))
def test_bounds_of_a_triangle_include_rounding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners, balls = rng.normal(size=(3, 3)), np.zeros((1 + seed % 3, 4))
    balls[:, :3] = rng.normal(size=(len(balls), 3)) * 3.0
    upper, *g, least, kept = bounds(corners, balls, 0.0)
    assert Decimal(upper) >= min(max(away(p, ball[:3]) for p in corners) for ball in balls)
    for value, p in zip(g, corners, strict=True):
        assert Decimal(value) <= outside(p, balls)
    for w in rng.dirichlet(np.ones(3), 10):
        assert Decimal(least) <= outside(w @ corners, balls)
        best = int(np.argmin([away(w @ corners, ball[:3]) for ball in balls]))
        assert best in kept
    point = np.tile(corners[0], (3, 1))
    assert Decimal(bounds(point, balls, 0.0)[4]) <= outside(corners[0], balls)


@pytest.mark.parametrize("seed", range(10))
def test_bounds_of_a_triangle_that_is_off_include_its_pad(seed: int) -> None:
    rng, pad = np.random.default_rng(seed), 0.01
    corners, balls = rng.normal(size=(3, 3)), np.array([[3.0, 0.0, 0.0, 0.5]])
    upper, *g, _, _ = bounds(corners, balls, pad)
    toward = np.array([3.0, 0.0, 0.0]) - corners
    toward *= pad / np.linalg.norm(toward, axis=1)[:, None]
    assert Decimal(upper) >= max(outside(p, balls) for p in corners - toward) - Decimal("1e-12")
    for value, p in zip(g, corners + toward, strict=True):
        assert Decimal(value) <= outside(p, balls) + Decimal("1e-12")
    point = np.tile(corners[0], (3, 1))
    assert Decimal(bounds(point, balls, pad)[4]) <= outside(corners[0] + toward[0], balls) + Decimal("1e-12")


@pytest.mark.parametrize("kind", ["triangle", "block"])
def test_no_ball_that_is_nearest_is_left_out(kind: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        p = rng.normal(size=3)
        balls = np.empty((6, 4))
        balls[:, :3] = p + rng.normal(size=(6, 3)) * 10.0 ** rng.uniform(-3.0, 3.0, size=(6, 1))
        balls[:, 3] = np.linalg.norm(balls[:, :3] - p, axis=1) + rng.choice([0.0, 1e-16, -1e-16, 0.3], size=6)
        corners = np.tile(p, (3, 1))
        if kind == "triangle":
            kept = bounds(corners, balls, 0.0)[5]
        else:
            near = np.zeros(6, np.int32)
            n = cover_gaps._near_block(
                corners.ravel(), np.arange(3, dtype=np.int32), 0, 1, balls.ravel(), 0.0, near
            )
            kept = near[:n].tolist()
        values = [away(p, ball[:3]) - Decimal(float(ball[3])) for ball in balls]
        assert int(np.argmin(values)) in kept


def run(corners: np.ndarray, balls: np.ndarray, **numbers: float) -> np.ndarray:
    values = np.zeros(cover_gaps.NUMBERS)
    given = {"LARGEST": 10.0, "TOLERANCE": 1e-3, "FINE": 1e-3, "LEAST_AREA": 1e-3, "BUDGET": 400.0, **numbers}
    for name, value in given.items():
        values[getattr(cover_gaps, name)] = value
    row = np.zeros(cover_gaps.ROW)
    row[cover_gaps.LOWER] = row[cover_gaps.UPPER] = -np.inf
    T = np.arange(len(corners), dtype=np.int32)
    near, S = np.zeros((cover_gaps.DEPTH + 3) * len(balls), np.int32), np.zeros(cover_gaps.STACK)
    cover_gaps.surface_gaps(corners.ravel(), T, balls.ravel(), values, near, S, row, np.empty(0))
    return row


@pytest.mark.parametrize("seed", range(6))
def test_gaps_of_a_surface_and_their_areas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    balls = np.array([[0.0, 0.0, 0.0, 0.6], [rng.uniform(0.2, 0.6), 0.3, 0.0, 0.3]])
    row = run(corners, balls)
    w = rng.dirichlet(np.ones(3), 4000)
    points = np.concatenate([w @ corners, corners])
    g = np.min([np.linalg.norm(points - ball[:3], axis=1) - ball[3] for ball in balls], axis=0)
    assert g.max() <= row[cover_gaps.UPPER] <= g.max() + 5e-3
    assert row[cover_gaps.LOWER] <= np.nextafter(0.4, 1.0)
    assert row[cover_gaps.LOWER] >= g.max() - 5e-3
    assert row[cover_gaps.AREA] == pytest.approx(0.5)
    part = 0.5 * float((g[:4000] > 0.0).mean())
    assert (
        row[cover_gaps.AREA_OUTSIDE] - 0.03
        <= part
        <= row[cover_gaps.AREA_OUTSIDE] + row[cover_gaps.AREA_OPEN] + 0.03
    )
    assert row[cover_gaps.AREA_OUTSIDE] > 0.0
    assert row[cover_gaps.AREA_OPEN] < 0.2
    deep = run(corners, np.array([[0.3, 0.3, 0.0, 2.0]]))
    assert -1.5 < deep[cover_gaps.UPPER] < -1.2
    assert deep[cover_gaps.AREA_OUTSIDE] == deep[cover_gaps.AREA_OPEN] == 0.0
    small = np.concatenate([corners * 0.1, corners + np.array([5.0, 0.0, 0.0])])
    assert run(small, np.array([[0.0, 0.0, 0.0, 2.0]]))[cover_gaps.UPPER] >= 4.0
    assert run(small[::-1], np.array([[0.0, 0.0, 0.0, 2.0]]))[cover_gaps.UPPER] >= 4.0


def test_gaps_of_a_surface_include_its_pad_and_the_rounding_of_middles() -> None:
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    balls = np.array([[0.0, 0.0, 0.0, 0.9]])
    row = run(corners, balls, PAD=0.01)
    assert row[cover_gaps.UPPER] >= 0.11 - 1e-12
    assert row[cover_gaps.LOWER] <= 0.09 + 1e-12
    # Coordinates of this size make each middle uncertain by 1e-3: triangles that were halved are known no better.
    row = run(corners, balls, LARGEST=1e-3 / cover_gaps.UNIT, TOLERANCE=1e-6)
    assert row[cover_gaps.VISITED] > 1.0
    assert row[cover_gaps.UPPER] >= 0.101 - 1e-12


def test_gaps_of_patches_include_their_pads() -> None:
    corners, balls = (
        np.array([[1.0, 0.0, 0.0], [1.0, 0.1, 0.0], [1.0, 0.0, 0.1]]),
        np.array([0.0, 0.0, 0.0, 0.5]),
    )
    upper, lower = np.zeros(1), np.zeros(1)
    T, near = np.arange(3, dtype=np.int32), np.zeros(2, np.int32)
    cover_gaps.patch_gaps(corners.ravel(), T, balls, np.array([0.25]), near, upper, lower)
    assert upper[0] >= np.hypot(1.0, 0.1) + 0.25 - 0.5
    assert lower[0] <= np.hypot(1.0, 0.1) - 0.25 - 0.5 + 1e-12


def test_gaps_of_boxes_include_rounding() -> None:
    rng = np.random.default_rng(3)
    boxes, balls = rng.uniform(0.1, 2.0, size=(100, 6)), np.zeros((2, 4))
    balls[:, :3] = rng.normal(size=(2, 3))
    upper, middle = np.zeros(100), np.zeros(100)
    cover_gaps.box_gaps(boxes.ravel(), balls.ravel(), upper, middle)
    with localcontext() as context:
        context.prec = 60
        for box, most, least in zip(boxes, upper, middle, strict=True):
            assert Decimal(least) <= outside(box[:3], balls)
            far = [
                sum(
                    (abs(Decimal(x) - Decimal(c)) + Decimal(h)) ** 2
                    for x, h, c in zip(box[:3], box[3:], ball, strict=False)
                )
                for ball in balls[:, :3].tolist()
            ]
            assert Decimal(most) >= min(far).sqrt()


def test_cells_that_a_number_is_in() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        m, width, lower = int(rng.integers(1, 40)), rng.uniform(0.1, 1.0), float(rng.choice([0.0, -1.1]))
        upper = lower + m * width
        cuts = [division.cut(lower, upper, width, m, i) for i in range(m + 1)]
        x = float(rng.choice([rng.uniform(lower - 1.0, upper + 1.0), *cuts]))
        reached = [i for i in range(m) if cuts[i + 1] >= x]
        begun = [i for i in range(m) if cuts[i] <= x]
        assert division.first_cell(lower, upper, width, m, x) == (reached[0] if reached else m - 1)
        assert division.last_cell(lower, upper, width, m, x) == (begun[-1] if begun else 0)


PAD = 1e-3


def beside(axis: int, sign: int) -> np.ndarray:
    """A small triangle in the plane half a pad before the middle of a cube of edge 4, on one side of it."""
    corners = np.array([[1.3, 1.3, 1.3], [1.3, 1.6, 1.3], [1.3, 1.3, 1.6]])
    corners = np.roll(corners, axis, axis=1)
    corners[:, axis] = 2.0 - sign * 0.5 * PAD
    return corners


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("axis", range(3))
def test_triangles_are_in_all_cells_within_their_pad(axis: int, sign: int) -> None:
    V, T = beside(axis, sign).ravel(), np.arange(3, dtype=np.int32)
    low = np.array([1.0, 1.0, 1.0])
    for k in (1.0, 2.0):  # the cells on both sides of the plane
        low[axis] = k
        high = low + 1.0
        assert division.triangle_passes(V, 0, 1, 2, *low, *high, PAD)
    grid, pairs = np.zeros(64, np.int32), np.zeros(20, np.int32)
    counts, cells = np.zeros(division.COUNTS, np.int64), np.array([[0.0, 0.0, 0.0, 4.0, 4.0, 4.0]])
    nothing = np.empty(0, np.int32)
    division.divide(
        division.TRIANGLES, V, T, cells, np.array([0, 1]), np.zeros(1, np.int32), np.array([1.0, 1.0, PAD]), True,
        grid, pairs, counts, np.empty((0, 6)), np.empty((0, 4)), nothing, np.empty(0, np.int64), nothing,
    )  # fmt: skip
    assert counts[division.CELLS] == 2


@pytest.mark.parametrize("kind", [division.CYLINDER, division.ELLIPSOID, division.BALL])
def test_corners_on_round_surfaces_are_not_lost_to_rounding(kind: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(3000):
        p, angle = rng.uniform(0.1, 3.0), rng.uniform(0.1, 1.4)
        x, y = p * np.cos(angle), p * np.sin(angle)
        touches = Fraction(x) ** 2 + Fraction(y) ** 2 <= Fraction(p) ** 2
        if touches:  # a cell from this corner outwards: its nearest point is not outside
            assert division.solid_passes(kind, p, p, p, x, y, 0.0, x + 1.0, y + 1.0, 0.01)
        else:  # a cell from this corner inwards: its farthest point is not inside
            assert division.solid_passes(kind, p, p, p, 0.0, 0.0, 0.0, x, y, 0.0)


def test_spheres_are_compared_with_the_rounding_of_their_centres() -> None:
    # Such extents make centres uncertain by 0.01.
    extent = 0.005 / pair_search.ROUNDING_SPHERES
    numbers = np.array([0.1, extent, extent])
    options, state = np.zeros(pair_search.OPTIONS, np.int64), np.zeros(20, np.int64)
    scratch = np.zeros(200, np.int64), np.zeros(50, np.int32), np.zeros(150)
    r = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    nothing = np.empty(0, np.int64)
    for ranks, at_roots in ((1, 0.019), (2, 0.039)):
        options[pair_search.RANKS_A] = options[pair_search.RANKS_B] = ranks
        A, B = np.tile([0.0, 0.0, 0.0, 1.0], ranks), np.tile([0.0, 0.0, 0.0, 1.0], ranks)
        B[0] = 2.1 + at_roots
        B[4 * (ranks - 1)] = 2.1 + 0.019
        links = np.array([1, 2, 2], np.int32)
        found = pair_search._search_pose(
            A,
            links,
            B,
            links,
            0,
            r,
            numbers,
            options,
            state,
            scratch[0],
            scratch[1],
            scratch[2],
            nothing,
            nothing,
        )
        assert found == 1
