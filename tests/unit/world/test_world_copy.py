"""`world.copy()`: an independent world; whatever changes one of the two leaves the answers of the other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, slider, way

import keepclear as kc

SQUARE = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * 0.5, np.array([[0, 1, 2], [0, 2, 3]])
Change = Callable[[kc.World], object]


def cell() -> kc.World:
    """A slider that drives along x, a part that it may hold, posts beside its path, and a mesh without a pose."""
    world = kc.World(threads=1)
    world.add_robot("arm", slider(), drive([0, 1], [0, 2.6]))
    world.add("post", kc.Box([0.1, 0.1, 0.1]), at(3.0, 0.3))
    world.add("part", kc.Sphere(0.05), at(0.0, 0.15))
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 2, 0), (1, 2, 0)))
    world.add("sheet", SQUARE, at(0, 5))
    world.allow("arm", "part")
    return world


def answers(world: kc.World) -> list[Any]:
    """All that a world answers about its pairs, as plain values."""
    report = world.verify(tolerance=1e-4)
    rows = [(p.a, p.b, p.verdict, p.time, p.margin, p.clearance_lower) for p in report.pairs]
    near = world.copy().contacts(far=1.0)
    frame = [near.a.tolist(), near.b.tolist(), near.lower.tolist(), sorted(near.began), sorted(near.ended)]
    # Poses that nothing was moved to: `distances` includes pairs at rest.
    apart = [(d.a, d.b, d.distance) for d in world.distances(0.5)]
    texts = [str(line) for line in (*report.assumptions, *report.warnings)]
    edges = (
        world.check_configurations("arm", np.array([[0.0, 0.0], [2.95, 0.0]])).colliding.tolist()
        if "arm" in world
        else []
    )
    return [world.names, rows, frame, apart, world.collisions(0.5), texts, edges, world.span]


def attach(world: kc.World) -> None:
    world.attach("part", "arm/head", 0.1)


CHANGES: dict[str, Change] = {
    "add": lambda w: w.add("wall", kc.Box([0.1, 1, 1]), at(2.0, 0)),
    "add_robot": lambda w: w.add_robot("second", slider(), None, at(2.0, 0)),
    "begin": lambda w: _begun(w),
    "move": lambda w: w.move("post", at(2.0, 0)),
    "move a robot": lambda w: w.move("arm", [2.5, 0.0]),
    "remove": lambda w: w.remove("post"),
    "remove the robot": lambda w: w.remove("arm"),
    "allow": lambda w: w.allow("ball", "post", reason="planned"),
    "margin": lambda w: w.set_margin("ball", "post", 0.5),
    "margin of all": lambda w: w.set_margin("ball", None, 0.3),
    "path tolerance": lambda w: w.set_path_tolerance("ball", distance=0.2),
    "only": lambda w: w.only([("ball", "post"), ("arm", "post")]),
    "attach": attach,
    "assume": lambda w: w.assume("unit", "ball", f"assumed of world {id(w)}"),
    "warn": lambda w: w.warn(f"warning of world {id(w)}"),
    "update": lambda w: w.update(["post"], at(2.0, 0)[None]),
    "update the robot": lambda w: w.update("arm", [2.5, 0.0]),
    "frames": lambda w: (w.contacts(), w.update("post", at(2.0, 0)), w.contacts(far=0.5)),
    "close": lambda w: w.close(),
}


def _begun(world: kc.World) -> None:
    with world.begin("patch", at(2.0, 0)) as patch:
        first = patch.vertices(SQUARE[0])
        patch.faces(SQUARE[1] + first)


@pytest.mark.parametrize("to_copy", [False, True], ids=["original", "copy"])
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_one_leaves_the_other(name: str, to_copy: bool) -> None:
    world = cell()
    world.update("part", at(0.0, 0.16))
    world.contacts(far=0.2)
    before = answers(world)
    again = world.copy()
    changed, kept = (again, world) if to_copy else (world, again)
    CHANGES[name](changed)
    assert answers(kept) == before
    if name != "close":
        assert answers(changed) != before
        assert answers(kept) == before  # also after the changed one was compiled


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda world: world.copy()])
def test_a_wall_added_to_a_copy_is_checked(make: Callable[[kc.World], kc.World]) -> None:
    world = cell()
    assert world.verify().verdict is kc.Verdict.CLEAR
    again = make(world)
    again.add("wall", kc.Box([0.1, 1, 1]), at(2.0, 0))
    assert again.verify().verdict is kc.Verdict.COLLIDING
    assert world.verify().verdict is kc.Verdict.CLEAR
    assert "wall" not in world
    world.add("wall", kc.Box([0.1, 1, 1]), at(2.0, 0))
    assert world.verify().verdict is kc.Verdict.COLLIDING


def test_a_copy_has_everything_and_shares_nothing_that_changes() -> None:
    world = cell()
    world.simulate(dt=0.5, stop=False)
    world.submit("sheet", "sheet", np.eye(4)).result()
    again = world.copy()
    assert vars(again).keys() == vars(world).keys()
    shared = {key for key, value in vars(world).items() if vars(again)[key] is value}
    assert shared <= {"_using", "_rules", "_timeline", "_scene", "_is_closed", "_n_threads"}
    assert again._scene is world._scene  # a fork compiles nothing again
    assert again.nbytes == world.nbytes
    assert again._workers is None


def test_the_loop_goes_on_in_both() -> None:
    world = cell()
    world.update(["post", "part"], np.array([at(3, 0.3), at(0, 0.3)]))
    world.contacts(far=0.3)
    world.update("part", at(2.8, 0.3))
    again = world.copy()
    # Both continue from the frame before the copy: the part has moved through x = 1.4 in between.
    world.add("wire", kc.Sphere(0.01), at(1.4, 0.3))
    again.add("wire", kc.Sphere(0.01), at(1.4, 0.3))
    one, other = world.contacts(far=0.3, between=True), again.contacts(far=0.3, between=True)
    for found in (one, other):
        k = found.b.tolist().index("wire")
        assert found.verdict[k] is kc.Verdict.COLLIDING
        assert ("part", "post") in found.began
    # From here on each has its own last frame.
    world.update("part", at(9, 0.3))
    assert ("part", "post") in world.contacts(far=0.3).ended
    assert ("part", "post") not in again.contacts(far=0.3).ended


def test_a_held_part_rides_in_the_copy() -> None:
    world = cell()
    attach(world)
    world.contacts(t=0.5)
    world.update("arm", [1.0, 0.0])
    again = world.copy()
    again.update("arm", [2.0, 0.0])
    one = {d.b if d.a == "part" else d.a: d.distance for d in world.distances(0.5) if "part" in (d.a, d.b)}
    other = {d.b if d.a == "part" else d.a: d.distance for d in again.distances(0.5) if "part" in (d.a, d.b)}
    assert one["post"] - other["post"] == pytest.approx(1.0, abs=0.05)


def test_checks_in_the_background_stay_with_their_world() -> None:
    world = cell()
    check = world.submit("sheet", "sheet", at(0, 0), find="all")
    again = world.copy()
    again.remove("sheet")
    again.close(cancel=True)
    assert check.result(timeout=60).colliding
    assert world.submit("sheet", "sheet", at(0, 0)).result(timeout=60).colliding
    with pytest.raises(kc.ArgumentError, match="closed"):
        again.copy()


def test_a_mesh_that_both_have_outlives_the_first() -> None:
    world = cell()
    again = world.copy()
    world.remove("sheet")
    del world
    assert again.submit("sheet", "sheet", at(0, 0)).result(timeout=60).colliding


def test_an_object_that_is_still_being_streamed_belongs_to_the_original() -> None:
    world = cell()
    patch = world.begin("patch", at(2.0, 0))
    patch.vertices(SQUARE[0])
    again = world.copy()
    patch.faces(SQUARE[1])
    patch.end()
    assert "patch" in world
    assert "patch" not in again


def test_a_subclass_keeps_what_it_added() -> None:
    class Site(kc.World):
        def __init__(self) -> None:
            super().__init__()
            self.title = "hall 3"

    again = Site().copy()
    assert type(again) is Site
    assert again.title == "hall 3"


def test_worlds_are_not_pickled() -> None:
    with pytest.raises(kc.CopyError, match=r"a World cannot be pickled; .*world\.copy\(\)"):
        pickle.dumps(cell())
