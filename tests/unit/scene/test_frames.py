"""What items rest in, when pairs first move relative to each other, and which never do."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, number, scene, slider, timeline, way

import keepclear as kc
from keepclear.scene.frames import Frames

INF = math.inf


def carried() -> kc.World:
    """A slider at 1 m/s takes a part at 0.5 s and lets it go at 1.5 s."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, 1))
    world.add("wall", kc.Sphere(0.1), at(5, 0, 0))
    world.attach("part", "bot/head", 0.5, 1.5)
    return world


def first_move(world: kc.World, a: str, b: str) -> float:
    line = timeline(world)
    return Frames(line, world._rules).first_move(number(line, a), number(line, b))


def test_when_pairs_first_move() -> None:
    world = carried()
    assert first_move(world, "bot/head", "bot/lamp") == INF
    assert first_move(world, "bot/head", "wall") == 0.0
    assert first_move(world, "part", "wall") == 0.5
    assert first_move(world, "part", "bot/head") == 0.0
    world.add("lid", kc.Sphere(0.05), at(0.5, 0, 1.1))
    world.attach("lid", "bot/lamp", 0.5, 1.5)  # the lid moves with the part
    assert first_move(world, "lid", "part") == INF
    world.remove("lid")
    world.add("lid", kc.Sphere(0.05), at(0.5, 0, 1.1))
    world.attach("lid", "bot/lamp", 0.5, 1.25)
    assert first_move(world, "lid", "part") == 1.25


def test_a_robot_that_waits_first_moves_later() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 1]))
    world.add("wall", kc.Sphere(0.1), at(5, 0, 0))
    assert first_move(world, "bot/head", "wall") == 1.0
    assert first_move(world, "bot/finger", "wall") == 1.0
    assert first_move(world, "bot/finger", "bot/head") == 2.0


def test_who_moves_alike_does_not_move_relative_to_each_other() -> None:
    world = kc.World()
    world.add("pallet", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0), (0, 0, 0), (1, 0, 0)))
    world.add("part", kc.Sphere(0.1), way([0, 1, 2], (0, 2, 0), (0, 2, 0), (1, 2, 0)))
    world.add("other", kc.Sphere(0.1), way([0, 1, 2], (0, 2, 0), (0, 2, 0), (1, 2.5, 0)))
    turn = np.tile(np.eye(4), (4, 1, 1))
    turn[:, :2, :2] = [[[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]] for a in (0, 0, 0, 1)]
    for name, kind in (("one", "screw"), ("two", "screw"), ("three", "linear")):
        world.add(name, kc.Sphere(0.1), kc.PoseTrajectory([0, 1, 2, 3], turn, kind))
    world.add("cubic", kc.Sphere(0.1), kc.PoseTrajectory([0, 1, 2, 3], turn, "cubic", max_deviation=1.0))
    assert first_move(world, "pallet", "part") == INF
    assert first_move(world, "pallet", "other") == 1.0
    assert first_move(world, "one", "two") == INF
    assert first_move(world, "one", "three") == 2.0
    assert first_move(world, "cubic", "three") == 0.0  # a cubic moves in all of a segment


def random_worlds() -> list[kc.World]:
    """Worlds in which things rest, move alike, wait, ride, and may be early or late."""
    worlds = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        world = carried()
        for k in range(8):
            start = rng.integers(0, 3, 3).astype(float)
            waits = [0.0, float(rng.integers(0, 2)) + 0.5, 3.0, 4.0]
            goes = rng.integers(0, 2, 3).astype(float)
            motion = (
                at(*start) if rng.random() < 0.4 else way(waits, start, start, start + goes, start + goes)
            )
            world.add(f"x{k}", kc.Sphere(0.1), motion)
        for name in ("x0", "x1", "bot", "part"):
            if seed % 3 and rng.random() < 0.5:
                world.set_path_tolerance(
                    name, distance=0.01 * rng.integers(0, 2), time=0.1 * rng.integers(0, 2)
                )
        worlds.append(world)
    return worlds


@pytest.mark.parametrize("seed", range(12))
def test_many_pairs_at_once_have_the_same_times(seed: int) -> None:
    tables = scene(random_worlds()[seed])
    pairs = np.array(list(itertools.permutations(range(len(tables.items)), 2)))
    frames = tables.frames
    one_by_one = [frames.unchecked_until(i, j) for i, j in pairs.tolist()]
    assert frames.unchecked_untils(pairs[:, 0], pairs[:, 1]).tolist() == one_by_one
    assert len(set(one_by_one)) > 2
    none = np.empty(0, np.int64)
    assert len(frames.unchecked_untils(none, none)) == 0


@pytest.mark.parametrize("seed", range(12))
def test_classes_are_the_items_that_never_move_relative_to_each_other(seed: int) -> None:
    tables = scene(random_worlds()[seed])
    frames = tables.frames
    for i, j in itertools.combinations(range(len(tables.items)), 2):
        never = frames.first_move(i, j) == INF == frames.may_move(i, j)
        assert (frames.classes[i] == frames.classes[j]) == never
    assert 1 < len(set(frames.classes.tolist())) < len(tables.items)


def test_a_class_of_those_that_may_be_late_is_split() -> None:
    world = carried()
    names = ("bot/head", "bot/lamp", "bot/finger")
    tables = scene(world)
    head, lamp, finger = (tables.frames.classes[number(tables, name)] for name in names)
    assert head == lamp == finger
    world.set_path_tolerance("bot/finger", distance=0.001)
    assert first_move(world, "bot/finger", "bot/head") == INF
    world.move("bot", drive([0, 2], [0, 2], [0, 1]))
    tables = scene(world)
    head, lamp, finger = (tables.frames.classes[number(tables, name)] for name in names)
    assert head == lamp != finger


def test_where_nothing_moves_every_item_is_a_class() -> None:
    world = kc.World()
    for k in range(3):
        world.add(f"x{k}", kc.Sphere(0.1), at(k, 0))
    frames = scene(world).frames
    assert frames.nothing_moves
    assert frames.classes.tolist() == [0, 1, 2]
    assert frames.unchecked_untils(np.array([0, 1]), np.array([1, 2])).tolist() == [-INF, -INF]
    world.add("x3", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    classes = scene(world).frames.classes.tolist()
    assert classes[0] == classes[1] == classes[2] != classes[3]


def test_what_rests_in_the_world_at_all_times() -> None:
    world = carried()
    line = timeline(world)
    frames = Frames(line, world._rules)
    still = {item.name for item, rests in zip(line.items, frames.is_still, strict=True) if rests}
    assert still == {"wall"}
    assert np.array_equal(frames.classes, frames.groups)


def test_groups_where_nothing_moves() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), at(0, 0))
    world.add("b", kc.Sphere(0.1), at(1, 0))
    frames = Frames(timeline(world), world._rules)
    assert frames.is_still.all()
    assert frames.groups.tolist() == [0, 0]
    assert frames.classes.tolist() == [0, 1]
