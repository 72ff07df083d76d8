"""Least distances of pairs: what hulls tell, and what is left to exact shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.motion_bodies import Thing
from tests.unit.kernels.advance.hull_searches import windows_of
from tests.unit.world.worlds import at, cube, drive, number, scene, slider, way

import keepclear as kc
from keepclear.kernels.tables.pair import Pairs
from keepclear.query.interval.clearance import least_below
from keepclear.scene import hulls
from keepclear.scene.scene import Scene
from keepclear.world.selection.windows import Windows
from keepclear.world.verify import clearances
from keepclear.world.verify.clearances import OPEN, SETTLED, exact_clearances, hull_clearances
from keepclear.world.verify.options import Task
from keepclear.world.verify.pair_check import part_rows, row_query

A, B = (0, 0), (1, 0)


def passing(y: float = 0.25) -> Scene:
    """Ball a of 0.1 m passes ball b at x = 0.5 m, y m away, at 1 m/s."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, y))
    return scene(world)


def rows_of(
    tables: Scene, *windows: tuple[float, float], i: int = 0, j: int = 1, hint: float = math.nan
) -> Pairs:
    """Rows of all parts of two items, a unit."""
    rows = part_rows(tables.timeline, i, j, ((*window, 0.0) for window in windows))
    rows["hint"] = rows["t0"] if math.isnan(hint) else hint
    return rows


def least(exact: bool, tables: Scene, rows: Pairs, budget: int | None = None, far: float = 0.1) -> Any:
    """The least distance of a pair below 0.1 m to 0.1 mm: by hulls first, or by exact shapes as if none were known."""
    if exact:
        tables.hulls._hull[:] = hulls.NONE
    found = hull_clearances(tables, rows, [0], 1e-4, budget, far)[0]
    assert not (exact and found.state != OPEN)
    if found.state == OPEN:
        found = exact_clearances(
            tables, rows, {0: found}, 1e-4, budget, far, np.zeros(len(rows), dtype=bool)
        )[0]
    return found[:5]


@pytest.mark.parametrize("exact", [False, True])
def test_the_least_distance_of_any_two_parts(exact: bool) -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", [(kc.Sphere(0.1), at(0.3, 0.26)), (kc.Sphere(0.1), at(0.6, 0.23))], at(0, 0))
    tables = scene(world)
    for step in (1, -1):
        given = rows_of(tables, (0.0, 1.0))[::step].copy()
        lower, upper, time, which, effort = least(exact, tables, given)
        assert lower <= 0.03 <= upper <= lower + 1e-4
        assert which == (A, (1, 1))
        assert time == pytest.approx(0.6, abs=0.02)
        assert effort > 0


@pytest.mark.parametrize("exact", [False, True])
def test_the_least_distance_is_a_little_below_the_first_look(exact: bool) -> None:
    """The look at 0.464 s sees 0.0605 m, and the least distance is 0.058 m: hulls may rule out nothing around it."""
    lower, upper, *_ = least(exact, tables := passing(0.258), rows_of(tables, (0.0, 1.0), hint=0.464))
    assert lower <= 0.058 <= upper <= lower + 1e-4


@pytest.mark.parametrize("exact", [False, True])
def test_what_the_budget_leaves_unmeasured_counts_as_nothing(exact: bool) -> None:
    """One distance per window does not bound the first; that the second is known does not help."""
    tables = passing(0.25)
    found = least(exact, tables, rows_of(tables, (0.0, 1.0), (0.5, 0.5)), 1)
    assert found[0] == 0.0
    assert found[1] == pytest.approx(0.05)


@pytest.mark.parametrize("exact", [False, True])
def test_distances_beyond_far_are_not_told_apart(exact: bool) -> None:
    tables = passing(0.5)
    lower, upper, time, which, _ = least(exact, tables, rows_of(tables, (0.0, 1.0)))
    assert upper == math.inf
    assert 0.1 <= lower <= 0.3
    assert which is None
    assert math.isnan(time)
    tables = passing(0.25)
    one = least(exact, tables, rows_of(tables, (0.5, 0.5)))
    assert one[0] == pytest.approx(0.05)
    assert one[1] == pytest.approx(0.05)


def test_what_is_not_below_a_limit_is_only_said_to_be_so() -> None:
    """Balls that stay 0.3 m apart, asked about distances below 0.1 m: a tolerance below that is proved, no more."""
    for t1 in (1.0, 0.5):
        tables = passing(0.5)
        query, _ = row_query(rows_of(tables, (0.5, t1)), 0, tables.timeline, 1e-3, None, (0.5, t1))
        lower, upper, *_ = least_below(query, 0.1, 0.5)
        assert upper == 0.1
        assert 0.1 - 1e-3 <= lower <= 0.3 + 1e-12


@pytest.mark.parametrize("exact", [False, True])
def test_overlap_is_no_distance(exact: bool) -> None:
    tables = passing(0.0)
    found = least(exact, tables, rows_of(tables, (0.0, 1.0)))
    assert found[:2] == pytest.approx((0.0, 0.0), abs=1e-9)
    assert found[0] == 0.0
    assert least(exact, tables, rows_of(tables, (0.45, 0.55)))[:2] == (0.0, 0.0)


@pytest.mark.parametrize("exact", [False, True])
def test_a_part_and_its_parent_frame(exact: bool) -> None:
    """The part waits at 1 m; the head that takes it there comes as close as 0.05 m, and keeps that."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(1, 0, -0.2))
    world.attach("part", "bot/head", 1.0, 1.5)
    tables = scene(world)
    head, part = number(tables, "bot/head"), number(tables, "part")
    for t0, t1, gap in ((0.0, 1.0, 0.05), (1.0, 1.5, 0.05), (1.5, 2.0, 0.05)):
        lower, upper, *_ = least(exact, tables, rows_of(tables, (t0, t1), i=head, j=part))
        assert lower - 1e-12 <= gap <= upper + 1e-12
        assert upper - lower <= 1e-4


def tilted(x: float, z: float) -> np.ndarray:
    """A frame whose z axis is along (1, 0, 1): boxes around two rods in it overlap though the rods are apart."""
    X = at(x, 0, z)
    c = math.sqrt(0.5)
    X[:3, :3] = [[c, 0, c], [0, 1, 0], [-c, 0, c]]
    return X


@pytest.mark.parametrize("exact", [False, True])
def test_the_least_distance_is_after_a_change_of_parent_frames(exact: bool) -> None:
    """Two parallel rods keep 0.06 m; then one is taken 0.02 m along x and back: 0.06 - 0.02 / sqrt(2) at 0.75 s.

    Parts of the tasks before and after the taking were once joined, and answered as if it had never been taken: 0.06 m.
    """
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 0.5, 0.75, 1], [0, 0, 0.02, 0]))
    world.add("part", kc.Capsule(0.02, 1.0), tilted(0, 5))
    world.attach("part", "bot/head", 0.5)
    d = 0.1 * math.sqrt(2.0)
    ends = [tilted(d - 0.1, 4.9), tilted(d + 0.1, 5.1)]
    world.add("bird", kc.Capsule(0.02, 1.0), kc.PoseTrajectory([0, 1], ends, "linear"))
    tables = scene(world)
    bird, part = number(tables, "bird"), number(tables, "part")
    lower, upper, time, *_ = least(exact, tables, rows_of(tables, (0.0, 0.5), (0.5, 1.0), i=bird, j=part))
    assert lower <= 0.06 - 0.02 * math.sqrt(0.5) + 1e-12 <= upper + 2e-12
    assert upper - lower <= 1e-4
    assert time == pytest.approx(0.75, abs=0.01)


def test_units_stay_together_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clearances, "CHUNK", 3)
    tables = passing()
    rows = rows_of(tables, *[(0.1 * i, 1.0) for i in range(8)])
    rows["pair"] = 2, 0, 0, 1, 0, 3, 2, 0
    task = Task(0.0, 1.0, 1e-4, "first", True, 0.1, 0, None, 1, False)
    windows = Windows(tables, 0.0, 1.0)
    units = clearances.UnitClearances(tables, task, rows, windows, None, np.zeros(4, dtype=bool))
    assert units.rows["pair"].tolist() == [0, 0, 0, 0, 1, 2, 2, 3]
    assert list(units.chunks()) == [range(1), range(1, 3), range(3, 4)]
    assert not list(
        clearances.UnitClearances(tables, task, rows[:0], windows, None, np.zeros(4, dtype=bool)).chunks()
    )


def test_hulls_tell_the_distance_of_what_bulges() -> None:
    """A cube of triangles past a cube: no exact search. A rod through a ring: hulls overlap, and tell nothing."""
    world = kc.World()
    world.add("a", cube(0.2), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", cube(0.2), at(0.5, 0.25))
    tables = scene(world)
    settled = hull_clearances(tables, rows_of(tables, (0.0, 1.0), hint=0.1), [0], 1e-4, None, 0.1)[0]
    assert settled.state == SETTLED
    assert settled.lower <= 0.05 <= settled.upper <= settled.lower + 1e-4
    world = kc.World()
    world.add("a", Thing(make.torus(24, 12, 0.5, 0.1)).library(), way([0, 1], (0, 0, -0.1), (0.3, 0, 0.1)))
    world.add("b", kc.Box([0.04, 0.04, 2.0]), np.eye(4))
    tables = scene(world)
    rows = rows_of(tables, (0.0, 1.0), hint=0.1)
    known = hull_clearances(tables, rows, [0], 1e-4, None, 0.5)[0]
    assert known.state == OPEN
    found = exact_clearances(tables, rows, {0: known}, 1e-4, None, 0.5, np.ones(len(rows), dtype=bool))[0]
    sampled = kc.distance(
        Thing(make.torus(24, 12, 0.5, 0.1)).library(), at(0.3, 0, 0.1), kc.Box([0.04, 0.04, 2.0]), np.eye(4)
    )
    assert found.upper - found.lower <= 1e-4
    assert found.lower <= sampled.upper
    assert found.time == pytest.approx(1.0, abs=1e-3)
    assert found.upper == pytest.approx(sampled.distance, abs=1e-4)


def test_exact_shapes_are_searched_only_while_hulls_are_near() -> None:
    """A ring takes 10 s past a post, which is inside around the middle: the search is about a part of the time."""
    world = kc.World()
    ring, post = Thing(make.torus(24, 12, 0.5, 0.1)).library(), kc.Box([0.04, 0.04, 0.3])
    world.add("a", ring, way([0, 10], (0, 0, -2.5), (0, 0, 2.5)))
    world.add("b", post, np.eye(4))
    tables = scene(world)
    rows = rows_of(tables, (0.0, 10.0), hint=5.0)
    known = hull_clearances(tables, rows, [0], 1e-3, None, 1.0)[0]
    found = exact_clearances(tables, rows, {0: known}, 1e-3, None, 1.0, np.ones(len(rows), dtype=bool))[0]
    assert 0.3 < found.lower <= found.upper <= found.lower + 1e-3
    near = windows_of(tables.hulls.store, rows, 0, known.upper, 0.05 * known.upper)
    assert near
    assert all(3.0 < t0 < t1 < 7.0 for t0, t1 in near)
