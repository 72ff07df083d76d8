"""Pairs that come near each other and when: nothing that boxes do not prove may be missing."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.unit.world.worlds import at, scene, way

import keepclear as kc
from keepclear.kernels.tables.pair import Pairs
from keepclear.scene.scene import Scene
from keepclear.world.selection import plan as plans
from keepclear.world.selection.plan import (
    Checked,
    PairPlan,
    PairTable,
    checked_pairs,
    near_rows,
    plan_pairs,
    reach,
    resting_pairs,
)


def passing(y: float = 0.25) -> Scene:
    """Ball a of 0.1 m passes ball b at x = 0.5 m, y m away, at 1 m/s."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, y))
    return scene(world)


def rows_of(
    tables: Scene, windows: list[Checked], beyond: float | None = None, t0: float = 0.0, t1: float = 1.0
) -> Pairs:
    """The rows of items 0 and 1, checked in some windows."""
    steps = tables.steps(t0, t1)
    pairs, bodies, _ = checked_pairs(tables, steps, 0.0)
    assert pairs.tolist() == [[0, 1]]
    table = PairTable(pairs, {0: PairPlan(0, 1, windows, [])}, t0, t1)
    return near_rows(table, bodies, steps, beyond)


def plain_rows(tables: Scene, t0: float, t1: float, beyond: float | None = None) -> Pairs:
    """The rows of all pairs as they are planned."""
    steps = tables.steps(t0, t1)
    pairs, bodies, _ = checked_pairs(tables, steps, 0.0)
    return near_rows(plan_pairs(tables, pairs, t0, t1), bodies, steps, beyond)


def test_rows_cover_all_times_at_which_a_pair_may_be_near() -> None:
    (row,) = rows_of(passing(), [Checked(0, 1, 0.1)])
    assert [row[name] for name in ("pair", "geom_a", "geom_b", "margin")] == [0, 0, 1, 0.1]
    assert (row["shape_a"], row["now"], row["since"]) == (-1, row["t0"], row["t0"])
    # They are within 0.1 m of each other while |x - 0.5| <= 0.166 m.
    close = math.sqrt(0.3**2 - 0.25**2)
    assert 0.5 - close - 0.2 < row["t0"] <= 0.5 - close
    assert 0.5 + close <= row["t1"] < 0.5 + close + 0.2
    assert row["t0"] <= row["hint"] <= row["t1"]


def test_pairs_that_stay_apart_leave_nothing_open() -> None:
    assert len(rows_of(passing(0.4), [Checked(0, 1, 0.1)])) == 0
    assert len(rows_of(passing(0.4), [Checked(0, 1, 0.1)], beyond=0.3)) == 1
    tables = passing()
    table = PairTable(np.empty((0, 2), np.int64), {}, 0.0, 1.0)
    assert len(near_rows(table, np.empty((0, 3), np.int64), tables.steps(0.0, 1.0), None)) == 0


def test_rows_are_clipped_to_windows_and_have_their_margins() -> None:
    windows = [Checked(0, 0.45, 0.1), Checked(0.45, 0.5, 0.2), Checked(0.95, 1, 0.0)]
    found = rows_of(passing(), windows)
    assert found["t1"].tolist() == [0.45, 0.5]
    assert found["margin"].tolist() == [0.1, 0.2]
    assert found["t0"][1] == found["now"][1] == found["since"][1] == 0.45
    assert ((found["t0"] <= found["hint"]) & (found["hint"] <= found["t1"])).all()
    whole = rows_of(passing(), windows, beyond=10.0)
    assert list(zip(whole["t0"].tolist(), whole["t1"].tolist(), strict=True)) == [
        (0, 0.45),
        (0.45, 0.5),
        (0.95, 1),
    ]


def test_a_window_of_one_instant_is_a_row() -> None:
    (row,) = rows_of(passing(), [Checked(0.5, 0.5, 0.1)])
    assert (row["t0"], row["t1"], row["hint"]) == (0.5, 0.5, 0.5)
    (row,) = rows_of(passing(), [Checked(0.5, 0.5, 0.1)], t0=0.5, t1=0.5)
    assert (row["t0"], row["t1"]) == (0.5, 0.5)


def test_plain_pairs_have_the_same_rows_as_those_with_a_window_for_all_time() -> None:
    tables = passing()
    plain = plain_rows(tables, 0.0, 1.0, 0.12)
    assert plain.tobytes() == rows_of(tables, [Checked(0.0, 1.0, 0.0)], beyond=0.12).tobytes()


def test_two_visits_are_two_rows() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0), (2, 0, 0), (0, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(1, 0.15))
    found = plain_rows(scene(world), 0.0, 2.0)
    assert len(found) == 2
    assert found["t0"][0] < 0.5 < found["t1"][0] < found["t0"][1] < 1.5 < found["t1"][1]


def test_each_pair_of_parts_is_a_row() -> None:
    world = kc.World()
    screw = kc.PoseTrajectory([0, 1], [at(0, 0), at(1, 0)], "screw")
    world.add("a", [(kc.Sphere(0.1), at(0, 0)), (kc.Sphere(0.1), at(0, 5))], screw)
    world.add(
        "b",
        [(kc.Sphere(0.1), at(0.5, 0)), (kc.Sphere(0.1), at(0.5, 5)), (kc.Sphere(0.1), at(0.5, 9))],
        at(0, 0),
    )
    tables = scene(world)
    found = plain_rows(tables, 0.0, 1.0)
    assert [(tables.geoms[row["geom_a"]], tables.geoms[row["geom_b"]]) for row in found] == [
        ((0, 0), (1, 0)),
        ((0, 1), (1, 1)),
    ]


def test_only_some_pairs() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    for k in range(4):
        world.add(f"b{k}", kc.Sphere(0.1), at(0.2 * k, 0.1))
    tables, steps = scene(world), scene(world).steps(0.0, 1.0)
    pairs, bodies, _ = checked_pairs(tables, steps, 0.0)
    table = plan_pairs(tables, pairs, 0.0, 1.0)
    which = np.array([False, True, False, True])
    assert near_rows(table, bodies, steps, None)["pair"].tolist() == [0, 1, 2, 3]
    assert near_rows(table, bodies, steps, None, which)["pair"].tolist() == [1, 3]


def crowd(seed: int, n: int = 24) -> kc.World:
    """Balls and rods that rest, pass each other or travel together, some of two parts, with margins and rules."""
    rng = np.random.default_rng(seed)
    world = kc.World()
    together = rng.uniform(-1, 1, 3)
    for k in range(n):
        shape = [kc.Sphere(0.05), kc.Box([0.3, 0.05, 0.05]), kc.Capsule(0.03, 0.2)][k % 3]
        start = rng.uniform(-1.5, 1.5, 3)
        ends = [start, start + together] if k % 4 == 1 else [start, rng.uniform(-1.5, 1.5, 3)]
        motion = at(*start) if k % 4 == 0 else way([0, 1], *ends)
        world.add(f"x{k}", [(shape, at(0, 0)), (shape, at(0, 0.4))] if k % 5 == 0 else shape, motion)
    for k in rng.integers(0, n, 3).tolist():
        world.set_margin(f"x{k}", None, float(rng.uniform(0, 0.2)))
    for i, j in rng.integers(0, n, (6, 2)).tolist():
        if i != j:
            world.set_margin(f"x{i}", f"x{j}", float(rng.choice([0.0, 0.1, 0.6])))
            world.allow(f"x{i}", f"x{(j + 1) % n}" if (j + 1) % n != i else f"x{j}")
    if seed % 3 == 1:
        world.set_path_tolerance("x1", distance=0.01)
    if seed % 3 == 2:
        world.only([f"x{k}" for k in range(0, n, 2)])
    return world


def expected_pairs(tables: Scene) -> list[tuple[int, int]]:
    """The pairs that are checked, by the slow rules: not of one class, selected, and not always allowed."""
    names, rules, classes = [item.name for item in tables.items], tables.rules, tables.frames.classes
    return [
        (i, j)
        for i, j in itertools.combinations(range(len(names)), 2)
        if classes[i] != classes[j]
        and rules.is_selected(names[i], names[j])
        and not any(rule.window == (-math.inf, math.inf) for rule in rules.windows(names[i], names[j]))
    ]


@pytest.mark.parametrize("seed", range(6))
def test_small_worlds_list_all_pairs_of_bodies(seed: int) -> None:
    tables = scene(crowd(seed))
    pairs, bodies, total = checked_pairs(tables, tables.steps(0.0, 1.0), 0.0)
    assert [tuple(pair) for pair in pairs.tolist()] == expected_pairs(tables)
    assert total == len(pairs)
    assert [tuple(row) for row in bodies.tolist()] == [
        (k, a, b)
        for k, (i, j) in enumerate(pairs.tolist())
        for a in tables.bodies_of(i)
        for b in tables.bodies_of(j)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_large_worlds_list_every_pair_that_may_come_within_its_margin(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sampled boxes that are within margin and path errors of each other must be listed, with their bodies."""
    tables, within = scene(crowd(seed)), 0.05
    steps = tables.steps(0.0, 1.0)
    monkeypatch.setattr(plans, "MOST_LISTED", 0)
    pairs, bodies, total = checked_pairs(tables, steps, within)
    expected = expected_pairs(tables)
    assert total == len(expected)
    listed = [tuple(pair) for pair in pairs.tolist()]
    assert listed == sorted(set(listed))
    assert set(listed) <= set(expected)
    rows = [tuple(row) for row in bodies.tolist()]
    assert rows == sorted(set(rows))
    assert {row[0] for row in rows} == set(range(len(listed)))
    known, needed = {(a, b) for _, a, b in rows}, 0
    assert all((tables.item[a], tables.item[b]) == listed[k] for k, a, b in rows)
    table = plan_pairs(tables, np.array(expected), 0.0, 1.0)
    for k, (i, j) in enumerate(expected):
        limit = max(table.plan(k).margin, within)
        for a, b in itertools.product(tables.bodies_of(i), tables.bodies_of(j)):
            boxes = [(steps.box_at(a, s), steps.box_at(b, s)) for s in range(len(steps.times) - 1)]
            gaps = [np.linalg.norm(np.maximum(0, np.maximum(q[:3] - p[3:], p[:3] - q[3:]))) for p, q in boxes]
            if min(gaps) <= limit:
                needed += 1
                assert (a, b) in known
    assert 0 < needed < sum(len(tables.bodies_of(i)) * len(tables.bodies_of(j)) for i, j in expected)


def test_reach_covers_every_margin() -> None:
    for seed in range(6):
        tables = scene(crowd(seed))
        far = reach(tables, 0.02)
        for i, j in expected_pairs(tables):
            margin = plan_pairs(tables, np.array([[i, j]]), 0.0, 1.0).plan(0).margin
            for a, b in itertools.product(tables.bodies_of(i), tables.bodies_of(j)):
                assert far[a] + far[b] >= max(margin, 0.02)


@pytest.mark.parametrize("seed", range(6))
def test_resting_pairs_are_those_of_one_class_whose_boxes_are_near(seed: int) -> None:
    tables = scene(crowd(seed))
    steps, classes = tables.steps(0.0, 1.0), tables.frames.classes
    never = {
        (i, j)
        for i, j in itertools.combinations(range(len(tables.items)), 2)
        if classes[i] == classes[j] and tables.pair_rules.is_checked(np.array([i * len(tables.items) + j]))[0]
    }
    for tolerance in (0.0, 0.3, 100.0):
        found, total = resting_pairs(tables, steps, tolerance)
        listed = {tuple(pair) for pair in found.tolist()}
        assert total == len(never)
        assert listed <= never
        assert len(listed) == len(found)
        if tolerance == 100.0:
            assert listed == never
        for i, j in never - listed:
            for a, b in itertools.product(tables.bodies_of(i), tables.bodies_of(j)):
                p, q = steps.box_at(a, 0), steps.box_at(b, 0)
                gap = np.linalg.norm(np.maximum(0, np.maximum(q[:3] - p[3:], p[:3] - q[3:])))
                assert gap > max(tables.pair_rules.margin(i, j), tolerance)
    assert never
