"""Boxes during a span of time: told apart only where they are, all the while, and by one direction."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import random_rotation, unit_vector
from tests.unit.kernels.advance.swept_runs import Run, shift, triangle, turn, way

import keepclear as kc
from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.boxes import AT_BEGIN, AT_END, WINDOW, boxes_apart, splits_time, unbounded
from keepclear.kernels.motion.state import ACCELERATION_BOUND, BEGIN, DZ, END, LENGTH, MIDDLE, MISSED, Z
from keepclear.kernels.tables.surface import ORIGIN
from keepclear.kernels.trees.obb_tree import AXES, CENTER, HALF, INFLATION, NODE

Array = np.ndarray
SAME, NONE = np.eye(3), np.zeros(3)


@kernel("int64(float32[::1], float32[::1], float64[::1], float64, float64[::1])")
def look(NA, NB, W, slack, last):  # type: ignore[no-untyped-def]
    """Return 1 for boxes that are apart, plus 2 where time should be halved, plus 4 for a span without a bound."""
    found = 1 if boxes_apart(NA, 0, NB, 0, W, 0, slack, last) else 0
    found += 2 if splits_time(NA, 0, NB, 0, W, 0) else 0
    return found + (4 if unbounded(W, 0) else 0)


def node(half: Any, center: Any = (0, 0, 0), axes: Array = SAME) -> Array:
    """A node whose box has these half sizes along its axes, which are rows."""
    found = np.zeros(NODE, np.float32)
    found[CENTER : CENTER + 3], found[AXES : AXES + 9] = center, axes.ravel()
    found[HALF : HALF + 3] = half
    return found


def span(p: Any, q: Any, R: Array = SAME, S: Array = SAME) -> Array:
    """A span in which B goes straight from place p, turned by R, to place q, turned by S (each of its points does)."""
    W = np.zeros(WINDOW)
    W[END], W[MIDDLE], W[LENGTH] = 1.0, 0.5, 0.5
    W[AT_BEGIN : AT_BEGIN + 12] = np.column_stack([R, p]).ravel()
    W[AT_END : AT_END + 12] = np.column_stack([S, q]).ravel()
    return W


def apart(A: Array, B: Array, W: Array, slack: float = 0.0, last: Array = NONE) -> bool:
    return bool(look(A, B, W, slack, np.array(last, dtype=np.float64)) & 1)


CUBE = node((0.5, 0.5, 0.5))
DOT = node((1e-6, 1e-6, 1e-6))
DIAMOND = node((0.5, 0.5, 0.5), axes=turn(2, math.pi / 4)[:3, :3])


@pytest.mark.parametrize(
    ("A", "B", "place", "gap"),
    [
        (CUBE, CUBE, (2, 0.9, 0), 1.0),  # along an axis of A
        (CUBE, CUBE, (0.1, -3, 0.9), 2.0),
        (CUBE, CUBE, (0, 0.5, 1.25), 0.25),
        (CUBE, DIAMOND, (1.2, 1.2, 0), 1.2 * math.sqrt(2) - 0.5 - math.sqrt(0.5)),  # along an axis of B
        (DOT, DIAMOND, (0.5, -0.5, 0), math.sqrt(0.5) - 0.5),
        (DIAMOND, DIAMOND, (1.2, 1.2, 0), 1.2 * math.sqrt(2) - 1.0),
        (CUBE, CUBE, (2, 2, 2), math.sqrt(12) - math.sqrt(3)),  # between the centres
    ],
)
def test_boxes_at_rest_are_apart_by_what_is_between_them(A: Array, B: Array, place: Any, gap: float) -> None:
    W = span(place, place)
    assert apart(A, B, W, 0.9999 * gap - 1e-5)
    assert not apart(A, B, W, 1.0001 * gap + 1e-5)


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_it_is_the_closer_end_that_counts(axis: int, side: int) -> None:
    """Along an axis from 1 m to 0.2 m apart, or back; and a slide across at 0.2 m."""
    near, far, aside = (side * d * np.eye(3)[axis] for d in (1.2, 2.0, 0.0))
    across = 3.0 * np.eye(3)[(axis + 1) % 3]
    for p, q in ((far, near), (near, far), (near - across, near + across)):
        assert apart(CUBE, CUBE, span(p, q), 0.1999)
        assert not apart(CUBE, CUBE, span(p, q), 0.2001)
    assert not apart(CUBE, CUBE, span(far, aside))
    assert not apart(CUBE, CUBE, span(far, -far))  # through, and as far beyond


def test_one_direction_must_serve_at_both_ends() -> None:
    """From the left of a square to above it: apart along x at first and along y at last, and through it in between."""
    W = span((-1, 0, 0), (0, 1, 0))
    assert apart(CUBE, DOT, span((-1, 0, 0), (-1, 0, 0)), 0.4)
    assert apart(CUBE, DOT, span((0, 1, 0), (0, 1, 0)), 0.4)
    assert not apart(node((0.6, 0.6, 0.6)), DOT, W)
    # A point that goes (-1, 0) -> (0, 0) -> (0, 1) is sqrt(1/2) from the straight line, and meets one at the origin.
    assert not apart(DOT, DOT, W, math.sqrt(0.5))
    assert apart(DOT, DOT, W, math.sqrt(0.5) - 1e-5)


def test_a_direction_that_separated_before_is_tried() -> None:
    """Two rods that cross: no axis of either and no way between the centres tells them apart, across both does."""
    A, B = node((0.01, 0.01, 1), axes=turned((0, 1, 1))), node((0.01, 0.01, 1), axes=turned((0, 1, -1)))
    W = span((0.1, 0.5, 0), (0.1, 0.5, 0))
    assert not apart(A, B, W)
    for length in (1.0, -1e-3):
        assert apart(A, B, W, 0.05, length * np.array([1.0, 0.0, 0.0]))
    assert not apart(A, B, W, 0.1, np.array([1.0, 0.0, 0.0]))
    assert not apart(A, B, W, 0.0, np.array([0.0, 1.0, 0.0]))


def turned(z: Any) -> Array:
    """Axes of which the last one goes along z, and the others are oblique."""
    z = np.array(z) / np.linalg.norm(z)
    x = np.cross(z, [1.0, 1.0, 0.3])
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def test_boxes_that_come_within_the_slack_are_never_apart() -> None:
    """Points of both boxes are planted a slack apart at some instant of a random span, whatever else happens."""
    rng = np.random.default_rng(1)
    said = 0
    for k in range(300):
        (A, a), (B, b) = some_box(rng), some_box(rng)
        slack, s = float(rng.choice([0.0, 1e-3, 1.0])), float(rng.choice([0.0, 0.5, 1.0, rng.random()]))
        R, S = random_rotation(rng), random_rotation(rng)
        if k % 2:
            S = R
        step = rng.normal(size=3) * float(rng.choice([0.0, 1.0, 10.0]))
        n = unit_vector(rng)
        # At s the point b is to be a slack away from a: where B is at the begin and at the end follows.
        meeting = a + slack * n - (1 - s) * R @ b - s * S @ b
        assert not apart(A, B, span(meeting - s * step, meeting + (1 - s) * step, R, S), slack + 1e-14, n)
        away = meeting + 10.0 * n
        said += apart(A, B, span(away, away + 0.1 * step, R, S), slack)
    assert said > 100  # it does tell boxes apart


def some_box(rng: np.random.Generator) -> tuple[Array, Array]:
    """A box as trees have them, a little larger than what is in it, and one of its points, often a corner."""
    half, center, axes = (
        rng.uniform(0, 1, 3) ** 3,
        rng.normal(size=3).astype(np.float32),
        random_rotation(rng),
    )
    sides = rng.choice([-1.0, 1.0], 3) if rng.random() < 0.5 else rng.uniform(-1.0, 1.0, 3)
    return node(half + INFLATION * half.sum(), center, axes), np.asarray(center + (sides * half) @ axes)


@pytest.mark.parametrize(
    ("way_there", "missed", "halve"), [(0.24, 0, 0), (0.26, 0, 1), (0, 0.24, 0), (0, 0.26, 1)]
)
def test_time_is_halved_where_the_way_is_large_against_both_boxes(
    way_there: float, missed: float, halve: int
) -> None:
    """Against a quarter of the largest half size, 1 m, of either."""
    large, small = node((0.1, 0.2, 1.0)), node((0.1, 0.1, 0.1))
    for A, B in ((large, small), (small, large), (large, large)):
        W = span((5, 0, 0), (5, way_there, 0))
        W[MISSED] = missed
        assert look(A, B, W, 0.0, NONE) >> 1 & 1 == halve


def test_the_way_that_counts_is_that_of_the_box() -> None:
    """A box 2 m from the origin of a body that turns by 0.2 goes 0.4 m; one at the origin stays."""
    W = span((0, 0, 0), (0, 0, 0), SAME, turn(2, 0.2)[:3, :3])
    assert look(CUBE, node((0.5, 0.5, 0.5), (2, 0, 0)), W, 0.0, NONE) >> 1 & 1
    assert not look(CUBE, CUBE, W, 0.0, NONE) >> 1 & 1


def test_a_span_without_a_bound_is_known() -> None:
    W = span((5, 0, 0), (5, 0, 0))
    assert look(CUBE, CUBE, W, 0.0, NONE) & 4 == 0
    W[ACCELERATION_BOUND] = math.inf
    assert look(CUBE, CUBE, W, 0.0, NONE) & 4 == 4
    W[BEGIN] = W[END]  # an instant needs none
    assert look(CUBE, CUBE, W, 0.0, NONE) & 4 == 0


def first_span(a: kc.Mesh, motion_a: Any, b: kc.Mesh, motion_b: Any) -> tuple[Array, Array, Array]:
    """The first span of a search, paused before it looks at a pair, and the origins of both trees."""
    run = Run(a, motion_a, b, motion_b)
    assert not run.go(0)
    return run.windows[:WINDOW], *(kc.build_obb_tree(x).arrays[0][ORIGIN : ORIGIN + 3] for x in (a, b))


def at(W: Array, m: int, p: Array) -> Array:
    return np.asarray(W[m : m + 12].reshape(3, 4) @ [*p, 1.0])


def test_the_maps_of_a_span_are_those_of_the_trees_at_its_ends() -> None:
    """Straight ways: what the maps say is exact. The trees have origins of their own, in the middle of their boxes."""
    a, b = triangle([1, 2, 3], [2, 2, 3], [1, 4, 3]), triangle([-1, 0, 5], [-1, 1, 5], [-1, 0, 7])
    motions = way(shift(1), shift(2, 1)), way(shift(0, 1, 2), shift(4, 3, -1))
    W, origin_a, origin_b = first_span(a, motions[0], b, motions[1])
    assert (W[BEGIN], W[END], W[MISSED]) == (0.0, 1.0, 0.0)
    for m, t in ((AT_BEGIN, 0.0), (AT_END, 1.0)):
        X_AB = np.linalg.solve(motions[0].pose(t), motions[1].pose(t))
        for p in b.vertices:
            expected = X_AB[:3, :3] @ p + X_AB[:3, 3] - origin_a
            assert np.allclose(at(W, m, p - origin_b), expected, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("kinds", [("screw", "screw"), ("linear", "screw"), ("linear", "linear")])
def test_what_turns_stays_within_what_is_missed(kinds: Any) -> None:
    """Off the straight lines through the middle by no more than MISSED, at the ends and in between."""
    rng = np.random.default_rng(3)
    a, b = (kc.Mesh(rng.normal(size=(3, 3)), [[0, 1, 2]]) for _ in range(2))
    ends = [turn(i, 0.7) @ shift(*rng.normal(size=3)) for i in range(3)]
    motions = [way(np.eye(4), X, kind=kind) for X, kind in zip(ends[:2], kinds, strict=True)]
    W, origin_a, origin_b = first_span(a, motions[0], b, motions[1])
    assert 0.0 < W[MISSED] < 2.0
    most = 0.0
    for t in np.linspace(0.0, 1.0, 21):
        X_AB = np.linalg.solve(motions[0].pose(t), motions[1].pose(t))
        for p in b.vertices:
            place = X_AB[:3, :3] @ p + X_AB[:3, 3] - origin_a
            straight = (1 - t) * at(W, AT_BEGIN, p - origin_b) + t * at(W, AT_END, p - origin_b)
            line = at(W, Z, p) + (t - W[MIDDLE]) * (at(W, DZ, p)) - origin_a
            assert np.allclose(line, straight, rtol=0.0, atol=1e-13)
            most = max(most, float(np.linalg.norm(place - straight)))
    assert 0.2 * W[MISSED] < most <= W[MISSED]
