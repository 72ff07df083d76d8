"""The oracle itself, checked on answers known by hand and against a plainer search for tiny bodies."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tests.oracles.curved import core_depth_interval
from tests.oracles.exact_convex import signed_distance
from tests.oracles.exact_points import (
    box,
    capsule,
    convex,
    cross,
    cylinder,
    dot,
    integers,
    refine,
    sphere,
    sqrt_interval,
    sub,
    world_points,
)

CUBE = box([1, 1, 1])


def shift(x, y, z):
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def turn_z(degrees):
    """A quarter-turn multiple is exact, others are float64."""
    c, s = {90: (0.0, 1.0), 180: (-1.0, 0.0)}.get(
        degrees, (np.cos(np.radians(degrees)), np.sin(np.radians(degrees)))
    )
    X = np.eye(4)
    X[:2, :2] = [[c, -s], [s, c]]
    return X


def exactly(a, X_WA, b, X_WB):
    truth = signed_distance(a, X_WA, b, X_WB)
    assert truth.lower == truth.upper
    return truth.lower


def test_integers_are_the_doubles():
    values = [0.1, -3.0, 0.0, 2.0**-40, 1e6, 5e-324, 1 / 3]
    whole, k = integers(values)
    assert [Fraction(m, 1) / 2**k for m in whole] == [Fraction(v) for v in values]


def test_world_points_are_exact():
    X = turn_z(30.0)
    X[:3, 3] = 0.1, 1e4, -7.0
    p = np.array([0.3, -0.7, 1e-6])
    (point,), k = world_points(p[None], X)
    expected = [
        sum(Fraction(X[i, j]) * Fraction(p[j]) for j in range(3)) + Fraction(X[i, 3]) for i in range(3)
    ]
    assert [Fraction(c, 1 << k) for c in point] == expected


def test_square_roots_are_enclosed():
    lower, upper = sqrt_interval(Fraction(2))
    assert lower**2 < 2 < upper**2
    assert upper - lower < Fraction(1, 10**60)
    assert sqrt_interval(Fraction(9, 4)) == (Fraction(3, 2), Fraction(3, 2))


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        ((0, 4, 0), 3.0),  # face to face
        ((4, 5, 0), 5.0),  # edge to edge: 3, 4
        ((2, 3, 3), 3.0),  # corner to corner: 1, 2, 2
        ((1, 0, 0), 0.0),  # a shared face
        ((1, 1, 0), 0.0),  # a shared edge
        ((1, 1, 1), 0.0),  # a shared corner
        ((0.75, 0.5, 0.25), -0.25),
        ((0, 0, 0), -1.0),
    ],
)
def test_unit_cubes(offset, expected):
    assert exactly(CUBE, np.eye(4), CUBE, shift(*offset)) == expected
    assert exactly(CUBE, shift(*offset), CUBE, np.eye(4)) == expected


def test_one_ulp_apart_is_apart_and_one_ulp_inside_overlaps():
    up, down = np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0)
    assert exactly(CUBE, np.eye(4), CUBE, shift(up, 0, 0)) == Fraction(up) - 1
    assert exactly(CUBE, np.eye(4), CUBE, shift(down, 0, 0)) == Fraction(down) - 1


def test_corner_against_face():
    pyramid = convex([[0, 0, 0], [1, 1, 1], [-1, 1, 1], [0, -1, 1]])
    assert exactly(pyramid, shift(0.1, 0.2, 0.75), CUBE, np.eye(4)) == Fraction(1, 4)
    assert exactly(pyramid, shift(0.1, 0.2, 0.25), CUBE, np.eye(4)) == Fraction(-1, 4)


def test_crossing_edges():
    """Two ridges that cross at right angles, a quarter apart, then a quarter too deep."""
    ridge = convex([[-2, 0, 0], [2, 0, 0], [-2, 1, -1], [2, -1, -1], [2, 1, -1], [-2, -1, -1]])
    upper = convex((ridge.points * [1.0, 1.0, -1.0])[:, [1, 0, 2]])
    assert exactly(ridge, np.eye(4), upper, shift(0, 0, 0.25)) == Fraction(1, 4)
    assert exactly(ridge, np.eye(4), upper, shift(0, 0, -0.25)) == Fraction(-1, 4)


def test_small_cube_inside_a_large_one():
    assert exactly(box([10, 10, 10]), np.eye(4), CUBE, shift(1, 0, 0)) == Fraction(-9, 2)


def test_flat_bodies_have_no_depth():
    square = convex([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]])
    segment = convex([[0.25, 0.25, 0], [3, 3, 0]])
    assert exactly(square, np.eye(4), segment, np.eye(4)) == 0
    assert exactly(square, np.eye(4), segment, shift(0, 0, 0.5)) == Fraction(1, 2)
    assert exactly(square, np.eye(4), square, turn_z(90)) == 0
    # A segment through the square: the difference is a prism, one half deep.
    needle = convex([[0.5, 0.5, -2], [0.5, 0.5, 3]])
    assert exactly(square, np.eye(4), needle, np.eye(4)) == Fraction(-1, 2)


def test_points_and_segments():
    point = convex([[3.0, 4.0, 0.0], [3.0, 4.0, 0.0]])
    assert exactly(point, np.eye(4), convex([[0, 0, 0]]), np.eye(4)) == 5
    assert exactly(point, np.eye(4), point, np.eye(4)) == 0
    assert exactly(convex([[0, 0, -9], [0, 0, 9]]), np.eye(4), point, np.eye(4)) == 5
    crossing = convex([[-1, 0, 2], [1, 0, 2]])
    assert exactly(convex([[0, -1, 0], [0, 1, 0]]), np.eye(4), crossing, np.eye(4)) == 2


def test_spheres_and_capsules():
    assert exactly(sphere(1), np.eye(4), sphere(2), shift(3, 4, 0)) == 2
    assert exactly(sphere(1), np.eye(4), sphere(2), np.eye(4)) == -3
    assert exactly(sphere(2), np.eye(4), sphere(3), shift(3, 4, 0)) == 0
    assert exactly(capsule(2, 4), shift(3, 0, 0), box([1, 2, 4]), np.eye(4)) == Fraction(1, 2)
    assert exactly(capsule(1, 4), np.eye(4), capsule(1, 4), np.eye(4)) == -2
    assert exactly(sphere(0.25), np.eye(4), CUBE, np.eye(4)) == Fraction(-3, 4)
    diagonal = signed_distance(sphere(1), np.eye(4), sphere(1), shift(2, 2, 2))
    assert (diagonal.lower + 2) ** 2 < 12 < (diagonal.upper + 2) ** 2
    assert diagonal.upper - diagonal.lower < Fraction(1, 10**60)


@pytest.mark.parametrize(
    ("b", "X_WB", "expected"),
    [
        (cylinder(1, 2), shift(3, 4, 0), 3.0),  # side to side
        (cylinder(1, 2), shift(0, 0, 5), 3.0),  # cap to cap
        (cylinder(1, 2), shift(3, 4, 6), 5.0),  # rim to rim: 3 and 4
        (sphere(1), shift(3, 4, 0), 3.0),
        (sphere(1), shift(4, 0, 5), 4.0),  # rim to centre: 3 and 4
        (CUBE, shift(0, 2.5, 0), 1.0),
        (capsule(0.5, 2), shift(0, 2.5, 0), 1.0),
        (cylinder(1, 2), shift(0.75, 1, 0), -0.75),  # side, parallel axes
        (cylinder(1, 2), shift(0.3, 0.4, 1.75), -0.25),  # cap, parallel axes
        (CUBE, shift(0, 1.25, 0), -0.25),
        (sphere(0.5), shift(0, 0.75, 0), -0.75),
    ],
)
def test_cylinders(b, X_WB, expected):
    truth = signed_distance(cylinder(1, 2), np.eye(4), b, X_WB)
    assert truth.lower <= Fraction(expected) <= truth.upper
    assert truth.upper - truth.lower <= (1e-17 if expected > 0 else 2e-10)


def test_cylinders_with_axes_at_right_angles():
    lying = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1.0]])
    for centre, expected in (((0.25, -0.125, 3), 1.5), ((0, 2, 0), 1.0), ((0, 0.25, 0), -0.75)):
        lying[:3, 3] = centre
        truth = signed_distance(cylinder(0.5, 2), lying, cylinder(0.5, 2), np.eye(4))
        assert truth.lower <= Fraction(expected) <= truth.upper


def plain_depth_squared(a, X_WA, b, X_WB):
    """The nearest of all planes along two edges of the tiny bodies; the faces of A - B are among them."""
    A, k_A = world_points(a.points, X_WA)
    B, k_B = world_points(b.points, X_WB)
    k = max(k_A, k_B)
    W = [sub(p, q) for p in refine(A, k_A, k) for q in refine(B, k_B, k)]
    edges_A = [sub(W[i * len(B)], W[j * len(B)]) for i, j in combinations(range(len(A)), 2)]
    edges_B = [sub(W[i], W[j]) for i, j in combinations(range(len(B)), 2)]
    best = None
    for e, f in combinations(edges_A + edges_B, 2):
        n = cross(e, f)
        for m in (n, sub((0, 0, 0), n)):
            if any(m):
                value = Fraction(max(dot(m, w) for w in W) ** 2, dot(m, m))
                best = value if best is None else min(best, value)
    return best / (1 << 2 * k)


def test_depth_equals_that_of_all_planes():
    rng = np.random.default_rng(3)
    for _ in range(12):
        a, b = convex(rng.normal(size=(5, 3))), convex(rng.normal(size=(4, 3)))
        X_WA = turn_z(float(rng.uniform(0, 90)))
        truth = signed_distance(a, X_WA, b, np.eye(4))
        if truth.upper < 0:
            lower, upper = sqrt_interval(plain_depth_squared(a, X_WA, b, np.eye(4)))
            assert (-upper, -lower) == (truth.lower, truth.upper)


def test_depth_agrees_with_the_search_of_directions():
    rng = np.random.default_rng(4)
    for _ in range(12):
        a, b = convex(rng.normal(size=(14, 3))), box(rng.uniform(0.3, 2.0, 3))
        X_WA, X_WB = turn_z(float(rng.uniform(0, 90))), shift(*rng.normal(size=3) * 0.2)
        truth = signed_distance(a, X_WA, b, X_WB)
        lower, upper = core_depth_interval(a, X_WA, b, X_WB)
        assert truth.upper < 0
        assert lower <= -truth.upper
        assert -truth.lower <= upper
        assert upper - lower < 1e-9


def test_distance_is_never_beaten_by_a_sample():
    """Random points of the two hulls are never nearer, and random directions never prove more."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        a, b = convex(rng.normal(size=(10, 3))), convex(rng.normal(size=(10, 3)))
        X_WB = shift(*rng.normal(size=3) * 5)
        truth = signed_distance(a, np.eye(4), b, X_WB)
        if truth.lower <= 0:
            continue
        weights = rng.dirichlet(np.full(10, 0.2), size=(2, 500))
        P, Q = weights[0] @ a.points, weights[1] @ b.points + X_WB[:3, 3]
        assert np.min(np.linalg.norm(P - Q, axis=1)) >= float(truth.lower) - 1e-12
        n = rng.normal(size=(500, 3))
        n /= np.linalg.norm(n, axis=1, keepdims=True)
        gaps = np.min((b.points + X_WB[:3, 3]) @ n.T, axis=0) - np.max(a.points @ n.T, axis=0)
        assert np.max(gaps) <= float(truth.upper) + 1e-12
