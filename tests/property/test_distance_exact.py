"""Distances, depths, bounds and witnesses of convex pairs against exact arithmetic, family by family."""

from fractions import Fraction

import numpy as np
import pytest
from tests.oracles import families, primitive_families
from tests.oracles.cases import cases_of
from tests.oracles.comparison import answers_of, faults_of
from tests.oracles.exact_points import integers
from tests.oracles.poses import is_rotation, pose, random_rotation, signed_permutations

import keepclear as kc

FAMILIES = (*families.FAMILIES, *primitive_families.FAMILIES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_family(family):
    cases = cases_of(family)
    found = [fault for case in cases for fault in faults_of(case)]
    asked = sum(len(case) for case in cases)
    assert not found, f"{len(found)} of {asked} answers are wrong; the shortest:\n{min(found, key=len)}"


def test_families_are_large_and_their_poses_are_taken_as_given():
    cases = [case for family in FAMILIES for case in cases_of(family)]
    assert sum(len(case) for case in cases) > 4000
    assert all(is_rotation(X[:3, :3]) for case in cases for X in (*case.X_WA, *case.X_WB))


def parallel_cylinders(rng, n):
    """Cylinders with parallel axes, sizes in eighths: A - B is a cylinder too, so the answer is a formula."""
    turns = signed_permutations()
    for _ in range(n):
        r, s, length, height = (float(c) for c in rng.integers(1, 17, size=4) / 8)
        p = rng.integers(-16, 17, size=3) / 8
        R = turns[rng.integers(24)] if rng.random() < 0.7 else random_rotation(rng)
        yield r, s, length, height, p * (rng.random(3) < 0.6), R


def signed_distance_of_parallel_cylinders(r, s, length, height, p):
    radial = np.hypot(p[0], p[1]) - (r + s)
    axial = abs(p[2]) - (length + height) / 2
    if radial > 0 and axial > 0:
        return float(np.hypot(radial, axial))
    return float(max(radial, axial))


def test_parallel_cylinders_have_a_closed_form():
    """Coaxial ones too, where every direction around the axis ties: polygonal outlines never get there."""
    for r, s, length, height, p, R in parallel_cylinders(np.random.default_rng(11), 150):
        X_WA, X_WB = pose(R, (1.0, 2.0, 3.0)), pose(R, np.array([1.0, 2.0, 3.0]) + R @ p)
        expected = signed_distance_of_parallel_cylinders(r, s, length, height, p)
        result = kc.distance(kc.Cylinder(r, length), X_WA, kc.Cylinder(s, height), X_WB)
        size = r + s + length + height + np.linalg.norm(p)
        tolerance = (1e-12 if expected > 0 else 1e-9) * size
        told = f"r={r} length={length} s={s} height={height} p={p.tolist()} R={R.tolist()}: {result}"
        assert abs(result.distance - expected) <= tolerance, f"expected {expected!r}; {told}"
        assert result.lower <= expected + 1e-14 * size, f"expected {expected!r}; {told}"
        assert result.upper >= expected - 1e-14 * size, f"expected {expected!r}; {told}"
        rounded = 1e-14 * size * (np.abs(R).max() < 1.0)  # R @ p is exact for quarter turns
        assert result.colliding or expected > -rounded, f"expected {expected!r}; {told}"


def test_every_ulp_of_a_gap_between_boxes():
    """Unit cubes from 40 ulp inside to 40 ulp apart: bounds hold at each step, contact is never missed."""
    x = 1.0 + np.arange(-40, 41) * 2.0**-52
    X_WB = np.tile(np.eye(4), (len(x), 1, 1))
    X_WB[:, 0, 3] = x
    result = kc.distance(kc.Box([1, 1, 1]), np.eye(4), kc.Box([1, 1, 1]), X_WB)
    for gap, answer in zip(x - 1.0, answers_of(result), strict=True):
        assert Fraction(answer.lower) <= Fraction(gap) <= Fraction(answer.upper)
        assert answer.colliding or gap > 0


def test_unrounded_poses_are_nearest_rigid_ones():
    """A pose with a rotation rounded to 8 digits is answered as its nearest rigid matrix, bit for bit."""
    rng = np.random.default_rng(12)
    a, b = kc.Box([1, 2, 3]), kc.Convex(rng.normal(size=(12, 3)))
    for _ in range(30):
        X_WB = pose(np.round(random_rotation(rng), 8), rng.normal(size=3) * 3)
        given, rigid = (
            kc.distance(a, np.eye(4), b, X_WB),
            kc.distance(a, np.eye(4), b, kc.nearest_rigid(X_WB)),
        )
        assert (given.distance, given.lower, given.upper) == (rigid.distance, rigid.lower, rigid.upper)


def test_nearest_rigid_keeps_rotations_and_repairs_rounded_ones():
    rng = np.random.default_rng(13)
    for _ in range(100):
        X = pose(random_rotation(rng), rng.normal(size=3))
        assert np.array_equal(kc.nearest_rigid(X), X)
        rounded = X.copy()
        rounded[:3, :3] = np.round(X[:3, :3], 7)
        repaired = kc.nearest_rigid(rounded)
        assert deviation(repaired[:3, :3]) <= Fraction(1, 10**15)
        assert np.max(np.abs(repaired - rounded)) < 2e-7
        assert np.array_equal(repaired[:3, 3], X[:3, 3])


def deviation(R):
    """The largest entry of R^T R - I, exactly."""
    flat, k = integers(R)
    columns = [flat[j::3] for j in range(3)]
    products = [sum(p * q for p, q in zip(u, v, strict=True)) for u in columns for v in columns]
    return max(abs(Fraction(c, 1 << 2 * k) - (i % 4 == 0)) for i, c in enumerate(products))
