"""Bounds of tracked groups and compounds against exact arithmetic, where each rounding term is needed."""

from __future__ import annotations

import itertools
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation

import keepclear as kc
from keepclear.geometry.bodies.body import as_body
from keepclear.kernels.convex import gjk
from keepclear.query.instant import compound
from keepclear.query.track.group_nodes import Node, Side
from keepclear.query.track.group_pairs import NearestLeaves, PairTable
from keepclear.query.track.tracked_hulls import sphere_around

Exact = list[Fraction]
HERE = np.eye(4)


def exact(values: Any) -> Exact:
    return [Fraction(float(v)) for v in values]


def mapped(X: np.ndarray, p: Exact) -> Exact:
    """A point under a float64 map, exactly."""
    rows = [exact(row) for row in np.asarray(X)[:3].tolist()]
    return [sum((r * v for r, v in zip(row, p, strict=False)), row[3]) for row in rows]


def square(p: Exact, q: Exact) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))


def corners(low: Any, high: Any) -> list[Exact]:
    return [exact(c) for c in itertools.product(*zip(low, high, strict=True))]


def off_center(rng: np.random.Generator, size: float, offset: float) -> kc.Convex:
    """A box whose centre is far from the origin of its frame."""
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    return kc.Convex(signs * rng.uniform(0.2, 1.0, 3) * size + rng.uniform(-1.0, 1.0, 3) * offset)


@pytest.mark.parametrize("seed", range(20))
def test_a_sphere_around_a_box_contains_its_corners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    low = rng.normal(size=3) * [1.0, 10.0, 0.1]
    high = low + rng.uniform(0.0, 1e-9 if seed % 2 else 1.0, 3)
    center, radius = sphere_around((low, high))
    for corner in corners(low, high):
        assert square(corner, exact(center)) <= Fraction(radius) ** 2


@pytest.mark.parametrize("seed", range(20))
def test_balls_of_parts_are_never_farther_apart_than_in_exact_arithmetic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    far, shift = (1e6, 0.0) if seed % 2 else (0.0, 1e4)
    bodies = [
        as_body([(off_center(rng, 0.1, 1.0), pose(random_rotation(rng), rng.normal(size=3) * shift))])
        for _ in range(2)
    ]
    if not shift:
        bodies = [as_body([(off_center(rng, 0.1, 1.0), HERE)]) for _ in range(2)]
    poses = [pose(random_rotation(rng), rng.normal(size=3) * far) for _ in range(2)]
    posed = [compound._Posed(body, X[None]) for body, X in zip(bodies, poses, strict=True)]
    found = float(compound._apart(posed[0], 0, posed[1], 0, np.arange(1))[0])
    parts = [body.parts[0] for body in bodies]
    middles = [
        mapped(X, mapped(part.X_OP, exact(part.ball.center))) for X, part in zip(poses, parts, strict=True)
    ]
    reach = Fraction(found) + Fraction(parts[0].ball.radius) + Fraction(parts[1].ball.radius)
    assert reach <= 0 or reach**2 <= square(*middles)


@pytest.mark.parametrize("swapped", [False, True])
def test_parts_of_either_body_are_rounded(swapped: bool) -> None:
    shift = np.array([1e9, 0.0, 0.0])
    parts, ball = [(kc.Sphere(0.5), pose(np.eye(3), shift))], kc.Sphere(0.5)
    wrong = compound.COMPOSED * 2e9
    for gap, state in ((0.5 * wrong, kc.State.TOUCHING), (4.0 * wrong, kc.State.SEPARATE)):
        given = [(parts, pose(np.eye(3), -shift)), (ball, pose(np.eye(3), [0.0, 0.0, 1.0 + gap]))]
        (a, X_WA), (b, X_WB) = given[::-1] if swapped else given
        found = kc.distance(a, X_WA, b, X_WB)
        assert found.lower <= gap - wrong
        assert found.upper >= gap + wrong
        assert found.state is state


def leaves(*bodies: kc.Convex) -> Side:
    return Side("A", kc.Group({f"m{k}": body for k, body in enumerate(bodies)}))


@pytest.mark.parametrize("seed", range(20))
def test_travel_is_not_less_than_a_shift(seed: int) -> None:
    rng = np.random.default_rng(seed)
    side = leaves(off_center(rng, 0.1, 1e3 if seed % 2 else 0.1))
    R, p = random_rotation(rng), rng.normal(size=3) * (1e3 if seed % 2 else 1e7)
    X, Y = pose(R, p), pose(R, p + 1e-6 * rng.normal(size=3))
    side.move(X[None])
    (moved,) = side.move(Y[None])
    assert Fraction(moved) ** 2 >= square(exact(X[:3, 3]), exact(Y[:3, 3]))


@pytest.mark.parametrize("seed", range(20))
def test_the_sphere_around_a_group_contains_its_members(seed: int) -> None:
    rng = np.random.default_rng(seed)
    side = leaves(off_center(rng, 1e-6, 1.0), off_center(rng, 1e-6, 1.0))  # at both ends of a line along x
    X = np.stack([pose(random_rotation(rng), [1e8, 2e8, 3e8]) for _ in range(2)])
    for k, one in enumerate(X):
        one[:3, 3] += [2.0 * k, 0.0, 0.0] - one[:3, :3] @ side.centers[k]
    side.move(X)
    center, radius = side.sphere_W()
    for k in range(2):
        middle, room = mapped(X[k], exact(side.centers[k])), Fraction(radius) - Fraction(side.radii[k])
        assert room > 0
        assert square(middle, exact(center)) <= room**2


@pytest.mark.parametrize("seed", range(10))
def test_drift_bounds_how_far_members_are_from_a_merged_hull(seed: int) -> None:
    rng = np.random.default_rng(seed)
    side = leaves(*(off_center(rng, 0.3, 1.0) for _ in range(3)))
    home = np.stack([pose(random_rotation(rng), rng.normal(size=3)) for _ in range(3)])
    for k in range(4):
        X = pose(random_rotation(rng), rng.normal(size=3)) @ home
        for one in X:
            one[:3, :3] = kc.nearest_rigid(one)[:3, :3]
        side.settle(side.move(X), float(k))
        root = side.root
        assert root.relative is not None
        for n, body in enumerate(node.body for node in root.children):
            for p in np.asarray(body.vertices):  # type: ignore[union-attr]
                there = mapped(X[0], mapped(root.relative[n], exact(p)))
                assert square(there, mapped(X[n], exact(p))) <= Fraction(root.drift) ** 2


def two_sides(gap: float = 1.0) -> tuple[PairTable, Node, Node]:
    """Two unit boxes beside each other, as single bodies of groups."""
    sides = [Side(name, kc.Group({name.lower(): kc.Box([1.0, 1.0, 1.0])})) for name in "AB"]
    sides[0].move(HERE[None].copy())
    sides[1].move(pose(np.eye(3), [1.0 + gap, 0.0, 0.0])[None])
    table = PairTable(*sides)
    table.next_frame()
    a, b = (side.root.children[0] for side in sides)
    return table, a, b


@pytest.mark.parametrize("which", [0, 1])
def test_hulls_are_nearer_by_their_drift(which: int) -> None:
    table, *nodes = two_sides()
    nodes[which].drift = 0.25
    assert 0.7 < table.hulls_bound(*nodes).lower <= 0.75


@pytest.mark.parametrize("which", [0, 1])
def test_bounds_fall_by_travel(which: int) -> None:
    table, *nodes = two_sides()
    nodes[1 - which].travel = 2.0  # from earlier frames
    assert 0.9 < table.hulls_bound(*nodes).lower <= 1.0
    assert 0.9 < table.bound(*nodes) <= 1.0
    nodes[which].travel += 0.25
    assert 0.7 < table.hulls_bound(*nodes).lower <= 0.75
    assert 0.7 < table.bound(*nodes) <= 0.75


@pytest.mark.parametrize("seed", range(20))
def test_spheres_of_leaves_are_never_farther_apart_than_in_exact_arithmetic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sides = [leaves(off_center(rng, 0.1, 10.0)) for _ in range(2)]
    X = [pose(random_rotation(rng), rng.normal(size=3) * 1e6) for _ in range(2)]
    for side, one in zip(sides, X, strict=True):
        side.move(one[None])
    found = PairTable(*sides).bound(*(side.root.children[0] for side in sides))
    middles = [mapped(one, exact(side.centers[0])) for side, one in zip(sides, X, strict=True)]
    reach = Fraction(found) + sum(Fraction(side.radii[0]) for side in sides)
    assert reach**2 <= square(*middles)


def row(distance: float, lower: float) -> np.ndarray:
    found = np.zeros(gjk.ROW)
    found[[gjk.DISTANCE, gjk.LOWER, gjk.UPPER]] = distance, lower, distance
    return found


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_least_bound_of_all_measured_pairs_counts(order: tuple[int, ...]) -> None:
    rows = [row(1.0, 0.3), row(0.9, 0.8), row(2.0, 0.4)]
    search = NearestLeaves(
        SimpleNamespace(exact=lambda a, *_, **__: SimpleNamespace(_is_of_surfaces=False, _rows=rows[a])), -1.0
    )  # type: ignore[arg-type]
    for k in order:
        search.measure(k, k)  # type: ignore[arg-type]
    assert search._lower == 0.3
    for bound in (0.2, 0.5):
        search.accept(bound)
    found, pair = search.result()
    assert (found[gjk.LOWER], found[gjk.DISTANCE], pair) == (0.2, 0.9, (1, 1))


def test_spheres_suffice_for_far_groups() -> None:
    box = kc.Box([0.1, 0.1, 0.1])
    tracker = kc.Tracker(kc.Group({"a": box, "b": box}), kc.Group({"c": box, "d": box}), far=1.0)
    here = {"a": pose(np.eye(3), [0.0, 0.0, 0.0]), "b": pose(np.eye(3), [0.0, 1.0, 0.0])}
    for k in range(3):
        there = {name: pose(np.eye(3), [9.0 + 0.1 * k, y, 0.0]) for name, y in (("c", 0.0), ("d", 1.0))}
        before = tracker.statistics.pairs
        found = tracker.distance(here, there, exact=False)
        assert 7.0 < found.lower <= 8.9 + 0.1 * k
    assert tracker.statistics.pairs == before + 1
