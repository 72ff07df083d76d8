"""Hulls of all bodies in one table: what they prove, and what they leave to exact shapes."""

from __future__ import annotations

import gc
import math
import threading
import time
import weakref
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, body, cube, drive, scene, slider, swing, way

import keepclear as kc
from keepclear.kernels.tables.pair import Pairs, new_pairs
from keepclear.results import Verdict
from keepclear.scene import hulls
from keepclear.scene.hulls import hull_of
from keepclear.scene.scene import Scene
from keepclear.world.verify.clearances import OPEN, hull_clearances
from keepclear.world.verify.pair_check import check_pair

Array = np.ndarray


def passing(y: float = 0.25) -> Scene:
    """Ball a of 0.1 m passes ball b at x = 0.5 m, y m away, at 1 m/s."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, y))
    return scene(world)


def rows_of(rows: list[tuple[int, int, float, float]]) -> Pairs:
    """Rows of bodies a, b from t0 to t1, each a pair and a unit."""
    found = new_pairs(len(rows))
    a, b, t0, t1 = np.array(rows, float).reshape(-1, 4).T
    found["geom_a"], found["geom_b"], found["t0"], found["t1"] = a, b, t0, t1
    found["now"] = found["since"] = t0
    found["pair"] = found["unit"] = np.arange(len(rows))
    found["hint"] = 0.5 * (t0 + t1)
    return found


def left_open(
    tables: Scene,
    rows: list[tuple[int, int, float, float]],
    margins: list[float],
    tolerance: float = 1e-4,
    budget: int | None = None,
) -> tuple[list[bool], Array]:
    given = rows_of(rows)
    given["margin"] = margins
    search = tables.hulls.search(given, tolerance, budget)
    search.run_within()
    return search.is_open.tolist(), given["evaluations"]


def test_hulls_prove_what_is_apart_and_leave_the_rest_open() -> None:
    tables, whole = passing(), (0, 1, 0.0, 1.0)
    left, counts = left_open(tables, [whole] * 3, [0.0, 0.049, 0.06])
    assert left == [False, False, True]
    assert (counts > 0).all()
    assert left_open(tables, [whole] * 3, [0.06, 0.0, 0.049])[0] == [True, False, False]
    assert left_open(tables, [whole], [0.0], budget=1)[0] == [True]  # one distance proves nothing here
    left, counts = left_open(tables, [], [])
    assert len(left) == len(counts) == 0


def test_windows_and_their_order_do_not_matter() -> None:
    """The balls are within 0.06 m of each other while |t - 0.5| <= 0.07 s."""
    windows = [(0, 1, 0.0, 0.4), (0, 1, 0.45, 0.55), (1, 0, 0.6, 1.0), (1, 0, 0.5, 0.5), (0, 1, 0.0, 0.0)]
    expected = [False, True, False, True, False]
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        left, _ = left_open(passing(), [windows[k] for k in order], [0.06] * 5)
        assert left == [expected[k] for k in order]


def test_hulls_of_concave_meshes_leave_open_what_exact_shapes_decide() -> None:
    """A ball that passes through an open frame is inside its hull, and never touches it."""
    v = np.array(
        [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]]
    )
    faces = [[i, (i + 1) % 4, 4 + i] for i in range(4)] + [
        [(i + 1) % 4, 4 + (i + 1) % 4, 4 + i] for i in range(4)
    ]
    world = kc.World()
    world.add("ball", kc.Sphere(0.5), way([0, 1], (0, 0, -2), (0, 0, 2)))
    world.add("frame", kc.Mesh(v, faces), at(0, 0))
    tables = scene(world)
    assert left_open(tables, [(0, 1, 0.0, 1.0)], [0.0], 1e-3)[0] == [True]
    assert check_pair(rows_of([(0, 1, 0.0, 1.0)]), tables.timeline, 1e-3, None).verdict is Verdict.CLEAR


def test_meshes_without_a_hull_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise kc.ShapeError("no hull")

    monkeypatch.setattr(kc.Convex, "_around", refuse)
    world = kc.World()
    world.add("a", cube(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, 5))
    world.add("c", kc.Sphere(0.1), way([0, 1], (0, 7, 0), (1, 7, 0)))
    tables, (a, b, c) = scene(world), range(3)
    assert hull_of(tables.items[a].parts[0].body) is None
    rows = [(a, b, 0.0, 1.0), (b, c, 0.0, 1.0), (c, a, 0.0, 1.0)]
    assert left_open(tables, rows, [0.0] * 3)[0] == [True, False, True]


def test_hulls_live_as_long_as_their_numbers() -> None:
    # A hull belonged to an equal mesh of another world. When that died, another hull got its id and so its number,
    # and a pair was proved clear with the hull of another body.
    world = kc.World()
    world.add("a", cube(0.137), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, 5))
    tables = scene(world)
    left_open(tables, [(0, 1, 0.0, 1.0)], [0.0])
    mesh = tables.items[0].parts[0].body
    hull = weakref.ref(hull_of(mesh))
    object.__setattr__(mesh, "_hull", None)
    gc.collect()
    assert hull() is not None


def test_two_questions_at_once_do_not_mix_up_hulls(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two threads once took the same number for two hulls, and a pair was checked with the hull of another body.
    world = kc.World()
    for k in range(4):
        world.add(f"{k}", kc.Sphere(0.1 + 0.1 * k), way([0, 1], (0, 3.0 * k, 0), (1, 3.0 * k, 0)))
    tables, add = scene(world), hulls.BodyTable.add_bodies

    def slow(store: Any, bodies: Any) -> None:
        time.sleep(0.05)
        add(store, bodies)

    monkeypatch.setattr(hulls.BodyTable, "add_bodies", slow)
    table = tables.hulls
    threads = [
        threading.Thread(target=left_open, args=(tables, [(k, k + 1, 0.0, 1.0)], [0.0])) for k in (0, 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(table._hull.tolist()) == [0, 1, 2, 3]


def test_hulls_are_advanced_until_a_little_after_the_first_that_come_near() -> None:
    """Balls that pass at 0.5 s come within 6 cm at about 0.4 s; nothing is said about much later times."""
    tables = passing()
    rows = rows_of([(0, 1, 0.0, 0.3), (0, 1, 0.0, 1.0), (0, 1, 0.2, 1.0), (0, 1, 0.9, 1.0)])
    rows["margin"] = 0.06, 0.06, 0.0, 0.0
    search = tables.hulls.search(rows, 1e-4, None)
    horizon = search.run_within(0.05)
    first = 0.5 - math.sqrt(0.26**2 - 0.25**2)
    assert horizon == pytest.approx(first + 0.05, abs=1e-3)
    assert search.is_open.tolist() == [False, True, True, True]
    assert search._state()[1].tolist() == pytest.approx([0.3, first, horizon, 0.9], abs=1e-3)
    assert search.stopped(horizon).tolist() == [1]
    assert (rows["since"][1], rows["apart"][1]) == (search._state()[1][1], True)
    for apart in (False, True):
        search.go_on(np.array([1]), horizon, np.array([apart]))
        assert search.run_within(0.0) == horizon  # there it is still too near
        assert search.stopped(horizon).tolist() == [1]
        assert rows["apart"][1] == apart
    search.go_on(np.array([1]), 1.0, np.array([True]))
    assert search.run_within() == math.inf
    assert search.is_open.tolist() == [False] * 4


def test_what_rounding_leaves_unproved_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, run = (0, 1, 0.0, 1.0), hulls.BodyTable.advance

    def doubtful(store: Any, rows: Any, *more: Any, **options: Any) -> float:
        horizon = run(store, rows, *more, **options)
        rows["unproved"] = 1
        return horizon

    assert left_open(passing(), [whole], [0.0])[0] == [False]
    monkeypatch.setattr(hulls.BodyTable, "advance", doubtful)
    assert left_open(passing(), [whole], [0.0])[0] == [True]


def test_hulls_and_motions_that_come_later_are_added() -> None:
    """What a table answers does not depend on what it was asked before."""
    rng = np.random.default_rng(3)
    world = kc.World()
    shapes = [kc.Sphere(0.1), kc.Box([0.1, 0.2, 0.3]), cube(0.2), kc.Capsule(0.05, 0.2)]
    for k in range(8):
        start, end = rng.uniform(-0.5, 0.5, (2, 3))
        world.add(f"x{k}", shapes[k % 4], way([0, 1], start, end))
    rows = [(i, j, 0.0, 1.0) for i in range(8) for j in range(i)]
    whole = left_open(scene(world), rows, [0.0] * len(rows))[0]
    assert True in whole
    assert False in whole
    world.set_margin("x0", None, 0.0)  # another scene, asked one by one, the last first
    tables = scene(world)
    assert [left_open(tables, [row], [0.0])[0][0] for row in rows[::-1]] == whole[::-1]
    assert left_open(tables, rows, [0.0] * len(rows))[0] == whole


def test_links_of_one_robot_move_relative_to_each_other() -> None:
    """Finger and lamp keep 0.1 m while both travel 9 m: relative to each other they rest, so this is proved at once."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1], [0, 9]))
    world.add_robot("arm", swing(), kc.JointTrajectory(swing(), [0, 1], [[0], [9]]), at(0, 5))
    tables = scene(world)
    finger, lamp, arm = (body(tables, name) for name in ("bot/finger", "bot/lamp", "arm/arm"))
    left, counts = left_open(
        tables, [(finger, lamp, 0.0, 1.0), (lamp, finger, 0.0, 1.0)], [0.099, 0.101], 1e-4
    )
    assert left == [False, True]
    assert counts[0] <= 3
    assert left_open(tables, [(finger, arm, 0.0, 1.0)], [0.0])[0] == [False]


def test_what_rides_has_the_motion_of_its_parent_frame_at_that_time() -> None:
    """The part waits at x = 0.5 m, rides from 0.5 s to 1.5 s and rests 0.3 m below the post at x = 1.5 m."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, 1))
    world.add("post", kc.Sphere(0.05), at(1.5, 0, 1.3))
    world.attach("part", "bot/head", 0.5, 1.5)
    tables = scene(world)
    part, post, head = (body(tables, name) for name in ("part", "post", "bot/head"))
    windows = [(part, post, 0.0, 0.5), (part, post, 0.5, 1.5), (part, post, 1.5, 2.0)]
    start = math.hypot(1.0, 0.3) - 0.1
    for margins, expected in (
        ([start - 0.01, 0.19, 0.19], [False, False, False]),
        ([start + 0.01, 0.21, 0.21], [True, True, True]),
    ):
        assert left_open(tables, windows, margins, 1e-3)[0] == expected
    # The head holds it 0.85 m away; before and after that it is farther away at the other end.
    windows = [(head, part, 0.0, 0.5), (head, part, 0.5, 1.5), (part, head, 1.5, 2.0)]
    assert left_open(tables, windows, [0.84] * 3, 1e-3)[0] == [False, False, False]
    assert left_open(tables, windows, [0.86] * 3, 1e-3)[0] == [True, True, True]


def test_least_distances_of_hulls_and_what_surfaces_reach() -> None:
    """A cube of triangles is its own hull: triangles are as close, up to where that is not of interest."""
    world = kc.World()
    world.add("a", cube(0.2), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Box([0.2, 0.2, 0.2]), at(0.5, 0.25))
    world.add("c", cube(0.2), at(0.5, -0.3))
    world.add("d", kc.Sphere(0.1), at(0.5, 5.0))
    tables = scene(world)
    rows = [(0, k, 0.0, 1.0) for k in (1, 2, 3)] + [(2, 1, 0.0, 1.0)]
    found = rows_of(rows)
    tables.hulls.least(found, np.arange(4), 0.2, 1e-4, None)
    lower, upper = found["lower"], found["distance"]
    for k, true in enumerate((0.05, 0.1, 0.2, 0.35)):
        assert lower[k] <= true + 1e-12
        assert lower[k] >= min(true, 0.2) - 1e-4
        assert upper[k] <= lower[k] + 1e-4 or (upper[k] == math.inf and true >= 0.2)
    surfaces, found["unit"] = tables.hulls.surfaces_of(found), np.arange(4)
    reached = tables.hulls.store.reached(found, surfaces, np.arange(4), 1e-4, 4)
    for k, true in enumerate((0.05, 0.1)):
        assert true - 1e-12 <= reached[k, 0] <= true + 1e-4
    assert (found["evaluations"] > 0).all()


def test_bodies_without_hulls_have_no_least_distance() -> None:
    tables = passing(0.25)
    tables.hulls._hull[0] = hulls.NONE
    rows = rows_of([(0, 1, 0.0, 1.0)])
    tables.hulls.least(rows, np.arange(1), 1.0, 1e-4, None)
    assert rows["lower"].tolist() == [0.0]
    assert rows["distance"].tolist() == [math.inf]
    surfaces = tables.hulls.surfaces_of(rows)
    assert tables.hulls.store.reached(rows, surfaces, np.arange(1), 1e-4, 1)[0, 0] == math.inf
    found = hull_clearances(tables, rows_of([(0, 1, 0.0, 1.0)]), [0], 1e-4, None, 1.0)
    assert (found[0].state, found[0].lower, found[0].upper) == (OPEN, 0.0, math.inf)


def test_an_instant_has_no_least_distance_by_hulls() -> None:
    """It would be searched until the next float64, where bodies may jump."""
    rows = rows_of([(0, 1, 0.5, 0.5)])
    passing().hulls.least(rows, np.arange(1), 1.0, 1e-4, None)
    assert (rows["lower"][0], rows["distance"][0], rows["unproved"][0]) == (0.0, math.inf, 1)
