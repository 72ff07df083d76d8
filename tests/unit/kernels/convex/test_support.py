"""Farthest points of cores: closed forms known by hand, and walks that end where a full look would."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.oracles.hull_bodies import CUBE, ball, cone, gridded_box, prism, rim
from tests.oracles.poses import random_rotation
from tests.unit.kernels.convex.probe import (
    CERTAIN,
    CERTAIN_VISITED,
    POINT,
    SLACK,
    VERTEX,
    VISITED,
    exact_shortfalls,
    hard_directions,
    probed,
    vertices_of,
)

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import support as core


def test_closed_forms() -> None:
    for shape, direction, point in (
        (kc.Sphere(2.0), (1, 2, 3), (0, 0, 0)),  # its core
        (kc.Capsule(0.5, 4.0), (1, 0, 1e-9), (0, 0, 2)),
        (kc.Capsule(0.5, 4.0), (1, 0, -1), (0, 0, -2)),
        (kc.Box([2, 4, 6]), (1, -1, 1e-300), (1, -2, 3)),
        (kc.Cylinder(5.0, 2.0), (3, 4, 1), (3, 4, 1)),
        (kc.Cylinder(5.0, 2.0), (-3, 4, -1), (-3, 4, -1)),
    ):
        row = probed(packed(shape), direction)[0]
        assert np.allclose(row[POINT:], point, rtol=1e-15, atol=0.0)
        assert (row[SLACK], row[CERTAIN_VISITED]) == (0.0, 0.0)


def test_a_cylinder_seen_along_its_axis() -> None:
    row = probed(packed(kc.Cylinder(5.0, 2.0)), (0, 0, 1))[0]
    assert row[POINT + 2] == 1.0
    assert math.hypot(row[POINT], row[POINT + 1]) <= 5.0


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 39, 40])
def test_small_hulls_are_looked_at_as_a_whole(n: int) -> None:
    rng = np.random.default_rng(n)
    shape = packed(kc.Convex(ball(rng, n)))
    assert shape.reals[core.KIND] == core.SCAN
    directions = rng.normal(size=(20, 3))
    rows, vertices = probed(shape, directions), vertices_of(shape)
    assert len(vertices) == n
    assert np.array_equal(rows[:, VERTEX], np.argmax(directions @ vertices.T, axis=1))
    assert set(rows[:, SLACK]) == {0.0}
    assert set(rows[:, VISITED]) == {float(n)}


TURN = random_rotation(np.random.default_rng(1))
BODIES = {
    "ball": ball(np.random.default_rng(2), 150),
    "needle": ball(np.random.default_rng(3), 80) * [1.0, 1e-6, 1e-6] @ TURN.T,
    "plate": ball(np.random.default_rng(4), 80) * [1.0, 1.0, 1e-6] @ TURN.T,
    "swollen box": gridded_box(6, 1e-9) @ TURN.T,
    "hardly swollen box": gridded_box(6, 3e-13) @ TURN.T,
    "prism": prism(40),
    "cone": cone(70),
    "far": ball(np.random.default_rng(5), 80) + np.array([1e4, -2e4, 3e4]),
}


@pytest.mark.parametrize("name", BODIES)
def test_the_slack_covers_what_a_walk_may_miss(name: str) -> None:
    hull = kc.Convex(BODIES[name])
    shape = packed(hull)
    rng = np.random.default_rng(6)
    directions = hard_directions(rng, hull, 12)
    vertices = vertices_of(shape)
    rounding = 4 * core.UNIT * shape.reals[core.EXTENT]
    for hints in (None, rng.integers(len(vertices), size=len(directions))):
        rows = probed(shape, directions, hints)
        short = exact_shortfalls(vertices, directions, rows[:, VERTEX])
        assert np.all(short <= rows[:, SLACK] + rounding)
        certain = exact_shortfalls(vertices, directions, rows[:, CERTAIN])
        assert np.all(certain <= rounding)
        assert np.array_equal(rows[:, POINT:], vertices[rows[:, CERTAIN].astype(int)])


def test_a_walk_on_a_round_hull_is_short_and_certain() -> None:
    rng = np.random.default_rng(7)
    shape = packed(kc.Convex(BODIES["ball"]))
    rows = probed(shape, rng.normal(size=(50, 3)))
    assert np.all(rows[:, SLACK] == 0.0)  # no neighbour is as far to rounding
    assert np.mean(rows[:, VISITED]) < 40


def test_a_tie_of_neighbours_costs_a_slack_that_rounding_explains() -> None:
    hull = kc.Convex(BODIES["ball"])
    edge = hull.vertices[hull.edges[0]]
    direction = edge[0] + edge[1]
    direction -= (direction @ (edge[1] - edge[0])) * (edge[1] - edge[0]) / np.sum((edge[1] - edge[0]) ** 2)
    row = probed(packed(hull), direction)[0]
    assert 0.0 < row[SLACK] < 1e-12


def test_what_cannot_be_proved_has_no_slack_that_would_do() -> None:
    flat = packed(kc.Convex(rim(80)))
    assert flat.reals[core.KIND] == core.WALK
    directions = np.random.default_rng(8).normal(size=(20, 3))
    rows = probed(flat, directions)
    assert np.all(np.isinf(rows[:, SLACK]))
    assert np.all(exact_shortfalls(vertices_of(flat), directions, rows[:, CERTAIN]) <= 1e-15)


def test_an_apex_of_many_neighbours_is_left_to_the_tree() -> None:
    shape = packed(kc.Convex(cone(70)))
    row = probed(shape, (0.0, 0.0, 1.0))[0]
    assert np.array_equal(vertices_of(shape)[int(row[CERTAIN])], [0.0, 0.0, 1.0])
    assert row[SLACK] == np.inf
    assert row[VISITED] < 40  # not its 70 neighbours


@pytest.mark.filterwarnings("ignore:invalid value")  # 0 / 0 in kernels as plain Python
def test_no_direction_ends_the_walk_at_once() -> None:
    for shape in (packed(kc.Convex(BODIES["ball"])), packed(kc.Convex(CUBE)), packed(kc.Cylinder(1, 1))):
        assert np.all(np.isfinite(probed(shape, (0.0, 0.0, 0.0))[0, POINT:]))
