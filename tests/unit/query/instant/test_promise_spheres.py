"""Sphere trees whose kernels are wrong by as much as is allowed for; contact as trackers and shifts see it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose
from tests.unit.geometry.sphere_meshes import CUBE, QUADS

import keepclear as kc
from keepclear.kernels.spheres import pair_search
from keepclear.query.instant import sphere_search
from keepclear.query.instant.distance import are_apart
from keepclear.world.verify.separating_shift import separating_shift

HERE = np.eye(4)
TREE = kc.build_sphere_tree(kc.Box([1.0, 1.0, 1.0]), 0.25)
SMALL = kc.build_sphere_tree(kc.Box([0.01, 0.01, 0.01]), 0.005)


def at(x: float, y: float = 0.0) -> np.ndarray:
    return pose(np.eye(3), [x, y, 0.0])


def test_spheres_within_a_margin_are_hits() -> None:
    gap = kc.distance(TREE, HERE, TREE, at(5.0)).lower
    assert gap > 2.0
    for margin, touches in ((1.01 * gap, True), (0.99 * gap, False), (0.0, False)):
        assert kc.collide(TREE, HERE, TREE, at(5.0), margin=margin).may_touch == touches


@pytest.mark.parametrize("margin", [10.0**k / 7.0 for k in range(14)])
def test_the_gap_of_a_hit_contains_both_excesses_and_the_margin(margin: float) -> None:
    found = kc.collide(TREE, HERE, SMALL, at(0.5), margin=margin)
    assert found.may_touch
    assert Fraction(found.gap) >= Fraction(TREE.excess) + Fraction(SMALL.excess) + Fraction(margin)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Values of the kernel's row that are put in, by column; in the column ROOTS as a multiple of ROUNDING."""
    wrong: dict[int, float] = {}
    true = pair_search.approach

    def off(*given: Any) -> int:
        ended, rows = true(*given), given[-1]
        for column, value in wrong.items():
            rows[column] = value * rows[pair_search.ROUNDING] if column == pair_search.ROOTS else value
        return int(ended)

    monkeypatch.setattr(pair_search, "approach", off)
    return wrong


@pytest.mark.parametrize("least", [0.0, 0.1, 1.0 / 3.0, 2.0 / 3.0, 1e3 / 7.0, 1e15 / 3.0, 1e-30])
@pytest.mark.parametrize("rounding", [0.0, 1e-3])
def test_the_distance_is_at_most_that_of_covers_and_both_excesses(
    planted: dict[int, float], least: float, rounding: float
) -> None:
    planted |= {pair_search.LEAST: least, pair_search.ROUNDING: rounding}
    for a, b in ((TREE, SMALL), (SMALL, TREE)):
        found = kc.distance(a, HERE, b, at(9.0))
        most = Fraction(least) + Fraction(a.excess) + Fraction(b.excess) + 4 * Fraction(rounding)
        assert Fraction(found.upper) >= most
        assert found.lower <= max(0.0, least - 4.0 * rounding)


def test_a_body_inside_is_found_although_roots_are_rounded(planted: dict[int, float]) -> None:
    big = kc.build_sphere_tree(kc.Mesh(4.0 * np.asarray(CUBE), QUADS), 0.25)
    small = kc.build_sphere_tree(kc.Mesh(0.01 * np.asarray(CUBE), QUADS), 0.01)
    inside = at(*(0.5 * np.sum(big.shape.bounds, axis=0))[:2])
    inside[2, 3] = 0.5 * np.sum(big.shape.bounds, axis=0)[2]
    assert kc.distance(big, HERE, small, inside).contained
    planted |= {pair_search.ROOTS: 3.9}
    assert kc.distance(big, HERE, small, inside).contained


@pytest.mark.parametrize("seed", range(20))
def test_extents_are_not_less_than_in_exact_arithmetic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sphere = np.append(rng.normal(size=3), rng.uniform(0.1, 9.0))
    found = Fraction(sphere_search._extent(type("Tree", (), {"_spheres": sphere})))  # type: ignore[arg-type]
    x, y, z, reach = (Fraction(v) for v in sphere.tolist())
    assert found >= reach
    assert (found - reach) ** 2 >= x * x + y * y + z * z


def test_convex_shapes_are_proved_apart_by_a_positive_bound() -> None:
    box = kc.Box([1.0, 1.0, 1.0])
    assert are_apart(box, HERE, box, at(1.5))
    assert not are_apart(box, HERE, box, at(0.5))
    assert not are_apart(box, HERE, box, at(1.0))


BODIES: dict[str, Any] = {
    "convex": kc.Box([1.0, 1.0, 1.0]),
    "mesh": kc.Mesh(CUBE, QUADS),
    "box tree": kc.build_box_tree(kc.Mesh(CUBE, QUADS)),
    "parts": [(kc.Box([1.0, 1.0, 1.0]), HERE), (kc.Box([1.0, 1.0, 1.0]), at(0.0, 5.0))],
}


@pytest.mark.parametrize("kind", list(BODIES))
def test_trackers_say_contact_while_bodies_touch(kind: str) -> None:
    tracker = kc.Tracker(BODIES[kind], BODIES[kind], eps_hull=0.1, far=9.0)
    assert tracker.state is not kc.TrackerState.CONTACT
    for x, touches in ((3.0, False), (2.5, False), (0.5, True), (0.45, True), (2.5, False), (2.6, False)):
        assert tracker.distance(HERE, at(x)).colliding == touches
        assert (tracker.state is kc.TrackerState.CONTACT) == touches


@pytest.mark.parametrize("order", [1, -1])
def test_a_shift_separates_all_parts(order: int) -> None:
    box = kc.Box([1.0, 1.0, 1.0])
    others = [(box, at(0.0, 0.9)), (box, at(0.0, 9.0))][::order]
    found = separating_shift([(box, HERE)], others, 0.25)
    assert found is not None
    X = at(*found.shift_W[:2])
    X[2, 3] = found.shift_W[2]
    truth = min(float(kc.distance(box, X, b, Y).distance) for b, Y in others)
    assert 0.25 < found.lower <= truth
