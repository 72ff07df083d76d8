"""Tables of a world: numbers of items and bodies, motions once each, and a scene again after every change."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from tests.unit.world.worlds import at, body, drive, number, scene, slider, way

import keepclear as kc
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.results import Verdict


def small_world() -> kc.World:
    """A ball that passes two others at 0.3 m, a slider, and a part."""
    world = kc.World(threads=1)
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, 0.3))
    world.add("c", [(kc.Sphere(0.1), at(0.5, -0.3)), (kc.Box([0.1] * 3), at(9, 9))], np.eye(4))
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]), at(0, 3))
    world.add("part", kc.Sphere(0.05), at(0.5, 3, 1))
    return world


def test_items_and_bodies_have_numbers() -> None:
    tables = scene(small_world())
    names = [item.name for item in tables.items]
    assert names == ["a", "b", "bot/finger", "bot/head", "bot/lamp", "c", "part"]
    assert tables.geoms == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (5, 1), (6, 0)]
    assert tables.item.tolist() == [0, 1, 2, 3, 4, 5, 5, 6]
    assert tables.first.tolist() == [0, 1, 2, 3, 4, 5, 7]
    for i, item in enumerate(tables.items):
        for g, part in zip(tables.bodies_of(i), item.parts, strict=True):
            assert tables.around[g].tolist() == bounding_volumes_of(part.body).around.tolist()
    assert body(tables, "c", 1) == 6


def test_motions_are_stored_once() -> None:
    world = small_world()
    shared = way([0, 1], (0, 50, 0), (1, 50, 0))
    for name in ("p", "q"):
        world.add(name, kc.Sphere(0.1), shared)
    world.attach("part", "bot/head", 0.5, 1.5)
    tables = scene(world)
    table = tables.motions
    assert len({id(motion) for motion in table.motions}) == len(table.motions)
    p, q = (table.first_row[body(tables, name)] for name in ("p", "q"))
    assert table.number[p] == table.number[q]
    for g, (i, p) in enumerate(tables.geoms):
        rows = np.flatnonzero(table.rows["body"] == g)
        assert table.first_row[g] == rows[0]
        parents = tables.timeline.parent_frames[i]
        assert len(rows) == len(parents)
        assert table.starts[rows].tolist() == [parent.window[0] for parent in parents]
        assert table.ends[rows].tolist() == [parent.window[1] for parent in parents]
        for k, row in enumerate(rows):
            packed = tables.timeline.motion(i, p, k)._packed
            begin = table.rows["first"][row]
            assert table.Q[begin : begin + len(packed)].tobytes() == packed.tobytes()
            assert table.motions[table.number[row]] is tables.timeline.motion(i, p, k)
            assert table.around[row].tolist() == tables.around[g].tolist()


def test_plain_and_exact_items() -> None:
    world = small_world()
    world.set_margin("b", None, 0.01)
    world.set_path_tolerance("bot/head", distance=0.001)
    world.attach("part", "bot/head", 0.5, 1.5)
    tables = scene(world)
    exact = {item.name for i, item in enumerate(tables.items) if tables.is_exact[i]}
    plain = {item.name for i, item in enumerate(tables.items) if tables.is_plain[i]}
    assert exact == {"a", "b", "c"}  # what moves with the head may be off too
    assert plain == {"a", "c"}


def test_steps_of_the_last_interval_are_kept() -> None:
    tables = scene(small_world())
    first = tables.steps(0.0, 1.0)
    assert tables.steps(0.0, 1.0) is first
    other = tables.steps(0.0, 2.0)
    assert other is not first
    assert other.times[-1] == 2.0
    assert tables.steps(0.0, 1.0).times[-1] == 1.0


def verdicts(world: kc.World) -> dict[tuple[str, str], Verdict]:
    return {(pair.a, pair.b): pair.verdict for pair in world.verify(0.0, 1.0).pairs}


def verdict_of(a: str, b: str) -> Callable[[kc.World], object]:
    return lambda world: verdicts(world).get((a, b))


CLEAR, COLLIDING = Verdict.CLEAR, Verdict.COLLIDING
CHANGES: dict[str, tuple[Callable[[kc.World], object], Callable[[kc.World], object], object, object]] = {
    "add": (lambda w: w.add("d", kc.Sphere(0.1), at(0.5, 0.1)), verdict_of("a", "d"), None, COLLIDING),
    "add_robot": (
        lambda w: w.add_robot("two", slider(), None, at(0.5, 0.1)),
        verdict_of("a", "two/head"),
        None,
        COLLIDING,
    ),
    "move": (lambda w: w.move("b", at(0.5, 0.1)), verdict_of("a", "b"), CLEAR, COLLIDING),
    "move a robot": (
        lambda w: w.move("bot", drive([0, 1], [0, 0])),
        verdict_of("b", "bot/head"),
        CLEAR,
        None,  # both rest
    ),
    "remove": (lambda w: w.remove("b"), verdict_of("a", "b"), CLEAR, None),
    "allow": (lambda w: w.allow("a", "b"), verdict_of("a", "b"), CLEAR, None),
    "only": (lambda w: w.only([("a", "b")]), verdict_of("a", "c"), CLEAR, None),
    "set_margin": (lambda w: w.set_margin("a", None, 0.11), verdict_of("a", "b"), CLEAR, COLLIDING),
    "margin of a pair": (lambda w: w.set_margin("a", "b", 0.11), verdict_of("a", "b"), CLEAR, COLLIDING),
    "set_path_tolerance": (
        lambda w: w.set_path_tolerance("a", distance=0.11),
        verdict_of("a", "b"),
        CLEAR,
        COLLIDING,
    ),
    "attach": (lambda w: w.attach("part", "bot/head", 0.0), verdict_of("b", "part"), None, CLEAR),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_next_question_sees_a_change(change: str) -> None:
    make, ask, before, after = CHANGES[change]
    world = small_world()
    tables = scene(world)
    assert ask(world) is before
    assert scene(world) is tables  # a question changes nothing
    make(world)
    assert scene(world) is not tables
    assert ask(world) is after


@pytest.mark.parametrize("change", CHANGES)
def test_a_verification_in_flight_keeps_its_scene(change: str) -> None:
    """The change comes while pairs are being compared: the report is that of the world as it was."""
    make, ask, before, after = CHANGES[change]
    world, other = small_world(), small_world()
    expected = other.verify(0.0, 1.0)
    changed: list[bool] = []

    def meddle(*_: object) -> None:
        if not changed:
            changed.append(True)
            make(world)

    report = world.verify(0.0, 1.0, progress=meddle)
    assert changed
    assert report.pairs == expected.pairs
    assert report.unchecked == expected.unchecked
    assert ask(world) is after
    assert ask(other) is before


def test_instants_see_changes_too() -> None:
    world = small_world()
    assert world.collisions(0.5) == ()
    world.move("b", at(0.5, 0.15))
    assert world.collisions(0.5) == (("a", "b"),)
    world.allow("a", "b", t_from=0.4, t_to=0.6)
    assert world.collisions(0.5) == ()
    assert world.collisions(0.39) == (("a", "b"),)
    world.set_margin("a", "c", 0.2)
    assert world.collisions(0.5) == (("a", "c"),)
    world.remove("c")
    assert world.collisions(0.5) == ()
    assert ("a", "part") in {(d.a, d.b) for d in world.distances(0.5)}
    world.only([("a", "b")])
    assert {(d.a, d.b) for d in world.distances(0.3)} == {("a", "b")}


def test_numbers_do_not_depend_on_the_order_of_adding() -> None:
    worlds = []
    for names in itertools.permutations("abc"):
        world = kc.World()
        for name in names:
            world.add(name, kc.Sphere(0.1 + 0.01 * ord(name)), way([0, 1], (0, ord(name), 0), (1, 0, 0)))
        worlds.append(scene(world))
    for tables in worlds:
        assert [number(tables, name) for name in "abc"] == [0, 1, 2]
        assert tables.motions.Q.tobytes() == worlds[0].motions.Q.tobytes()
        assert tables.steps(0.0, 1.0).boxes.tobytes() == worlds[0].steps(0.0, 1.0).boxes.tobytes()
