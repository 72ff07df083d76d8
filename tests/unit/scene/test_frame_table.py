"""The frame table: classes, slacks, rules at an instant, and what it takes over from the last one."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.world.worlds import at, scene, slider, swing, way

import keepclear as kc
from keepclear.scene.frame_table import IN_WORLD, FrameTable

Array = np.ndarray


def some_world() -> kc.World:
    world = kc.World()
    world.add("table", kc.Box([1, 1, 0.1]), at(0, 0))
    world.add("wall", kc.Box([1, 1, 0.1]), at(0, 3))
    world.add("cart", kc.Sphere(0.1), way([0, 1], (0, 0, 1), (1, 0, 1)))
    world.add("ball", kc.Sphere(0.1), at(5, 0))
    world.add("pair", [(kc.Sphere(0.1), at(1, 0)), (kc.Sphere(0.1), at(-1, 0))], at(9, 0))
    world.add_robot("arm", slider())
    world.add_robot("other", swing())
    return world


def class_of(table: FrameTable) -> dict[str, int]:
    names = table.names[table.rows["owner"]].tolist()
    return dict(zip(names, table.rows["group"].tolist(), strict=True))


def test_classes() -> None:
    found = class_of(FrameTable(scene(some_world()), 0.0, {"ball", "arm"}))
    resting = {name for name, number in found.items() if number == IN_WORLD}
    assert resting == {"table", "wall", "pair", "other/arm"}
    assert found["arm/head"] == found["arm/lamp"]
    assert len({found[name] for name in ("cart", "ball", "arm/head", "arm/finger")}) == 4


def test_a_world_in_which_nothing_moves_is_a_class_for_each_item() -> None:
    world = kc.World()
    for k in range(3):
        world.add(f"ball_{k}", kc.Sphere(0.1), at(k, 0))
    assert sorted(class_of(FrameTable(scene(world), 0.0, ())).values()) == [1, 2, 3]


def test_slacks() -> None:
    table = FrameTable(scene(some_world()), 0.5, {"pair", "arm"})
    slacks = dict(zip(table.names[table.rows["owner"]].tolist(), table.rows["slack"].tolist(), strict=True))
    assert slacks["table"] == slacks["ball"] == 0.0  # a pose is what was given
    for name in ("cart", "pair", "arm/head", "other/arm"):
        assert 0.0 < slacks[name] < 1e-12, name
    before = table.rows["slack"].copy()
    table.place_robot("arm", kc.JointTrajectory(slider(), [0.0], [[1000.0, 0.0]]))
    (head,) = np.flatnonzero(table.names[table.rows["owner"]] == "arm/head")
    assert table.X[head, 0, 3] == 1000.0
    assert table.rows["slack"][head] > 100.0 * before[head]


def test_poses_of_parts_and_links() -> None:
    table = FrameTable(scene(some_world()), 0.0, {"ball", "pair", "arm"})
    placing = table.placing(["pair", "ball"])
    assert placing is not None
    table.place(placing, np.array([at(0, 7), at(3, 4)]))
    names = table.names[table.rows["owner"]]
    assert table.X[names == "pair", :2, 3].tolist() == [[1.0, 7.0], [-1.0, 7.0]]
    assert table.X[names == "ball", :2, 3].tolist() == [[3.0, 4.0]]
    poses, programs = table.settled()
    assert {name: X[:2, 3].tolist() for name, X in poses.items()} == {"pair": [0.0, 7.0], "ball": [3.0, 4.0]}
    assert programs == {}
    assert table.settled() == ({}, {})


def test_what_needs_another_table() -> None:
    table = FrameTable(scene(some_world()), 0.0, {"ball"})
    assert table.placing(["table"]) is None  # it counts as resting
    assert table.placing(["ball"]) is not None


@pytest.mark.parametrize(("moved", "holds"), [(("cart",), True), ((), False)])
def test_whether_it_holds_at_another_instant(moved: tuple[str, ...], holds: bool) -> None:
    world = some_world()
    assert FrameTable(scene(world), 0.0, moved).holds_at(0.5) == holds
    world.allow("ball", "wall", t_from=1.0)
    table = FrameTable(scene(world), 0.0, ("cart",))
    assert [table.holds_at(t) for t in (0.0, 0.5, 1.0)] == [True, True, False]


def test_the_poses_of_the_last_frame_are_taken_over() -> None:
    world = some_world()
    first = FrameTable(scene(world), 0.0, {"ball"})
    first.run(0.05)
    world.add("new", kc.Sphere(0.1), at(2, 2))
    world.move("ball", at(6, 0))
    second = FrameTable(scene(world), 0.0, {"ball"}, first.last_frame())
    names = second.names[second.rows["owner"]]
    assert second.X_last[names == "ball", 0, 3].tolist() == [5.0]
    assert second.X_last[names == "new", 0, 3].tolist() == [2.0]
    world.remove("ball")
    world.add("ball", kc.Sphere(0.1), at(7, 0))  # another body of that name
    third = FrameTable(scene(world), 0.0, {"ball"}, first.last_frame())
    assert third.X_last[third.names[third.rows["owner"]] == "ball", 0, 3].tolist() == [7.0]
