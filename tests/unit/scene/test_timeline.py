"""What carries an item when, and how two of them see each other."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.oracles.poses import random_pose
from tests.unit.world.worlds import at, cube, drive, number, slider, swing, timeline, way

import keepclear as kc
from keepclear.geometry.bodies.bounds import corners_of
from keepclear.motion.fixed import Fixed
from keepclear.scene.timeline import Timeline, rests

Array = np.ndarray


def where(line: Timeline, name: str, t: float, part: int = 0) -> Array:
    i = number(line, name)
    return np.asarray(line.motion(i, part, line.parent_index(i, t)).pose(t))


@pytest.fixture
def world() -> kc.World:
    """A slider that goes from 0 to 2 m in 2 s, and a box above its place at 1 s, which it takes and lets go."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("box", kc.Box([0.1, 0.1, 0.1]), at(1, 0, 0.2))
    return world


def test_a_part_rides_and_stays_where_it_is_let_go(world: kc.World) -> None:
    world.attach("box", "bot/head", 1.0, 1.5)
    line = timeline(world)
    i = number(line, "box")
    assert line.changes(i) == [1.0, 1.5]
    assert [line.parent_index(i, t) for t in (-9, 0.9, 1.0, 1.4, 1.5, 9)] == [0, 0, 1, 1, 2, 2]
    for t, x in ((0.0, 1.0), (1.0, 1.0), (1.2, 1.2), (1.5, 1.5), (1.9, 1.5), (9.0, 1.5)):
        assert where(line, "box", t)[:3, 3] == pytest.approx([x, 0, 0.2], abs=1e-15)
        # Neighbouring parent frames agree where they meet.
    for t, k in ((1.0, 0), (1.5, 1)):
        assert np.allclose(line.motion(i, 0, k).pose(t), line.motion(i, 0, k + 1).pose(t), atol=1e-15)


def test_a_part_is_taken_twice(world: kc.World) -> None:
    world.attach("box", "bot/finger", 1.75)  # said in any order
    world.attach("box", "bot/head", 1.0, 1.5)
    line = timeline(world)
    assert line.changes(number(line, "box")) == [1.0, 1.5, 1.75]
    assert where(line, "box", 1.6)[0, 3] == pytest.approx(1.5)
    assert where(line, "box", 2.0)[0, 3] == pytest.approx(1.75)
    assert where(line, "box", 5.0)[0, 3] == pytest.approx(1.75)


def test_one_after_the_other_without_a_pause(world: kc.World) -> None:
    world.attach("box", "bot/head", 1.0, 1.5)
    world.attach("box", "bot/finger", 1.5, 1.75)
    line = timeline(world)
    assert where(line, "box", 1.7)[0, 3] == pytest.approx(1.7)
    assert where(line, "box", 1.9)[0, 3] == pytest.approx(1.75)


def test_a_part_is_taken_while_it_moves() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("ball", kc.Sphere(0.1), way([0, 4], (0, 1, 0), (0, 5, 0)))
    world.attach("ball", "bot/head", 1.0, 1.0)
    line = timeline(world)
    assert where(line, "ball", 0.5)[:2, 3].tolist() == pytest.approx([0, 1.5])
    assert where(line, "ball", 3.0)[:2, 3].tolist() == pytest.approx([0, 2.0])  # let go at once, where it was


def test_a_part_that_a_cubic_stretched_is_rigid_when_it_is_taken() -> None:
    times = np.linspace(0, 1, 4)
    X = np.tile(np.eye(4), (4, 1, 1))
    c, s = np.cos(times), np.sin(times)
    X[:, 0, 0], X[:, 0, 1], X[:, 1, 0], X[:, 1, 1] = c, -s, s, c
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("box", kc.Box([0.1] * 3), kc.PoseTrajectory(times, X, "cubic", max_deviation=0.01))
    world.attach("box", "bot/head", 0.5)
    line = timeline(world)
    R = where(line, "box", 1.0)[:3, :3]
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-15)
    assert np.allclose(R, where(line, "box", 0.49999999)[:3, :3], atol=1e-3)


def test_attachments_that_contradict_each_other(world: kc.World) -> None:
    world.attach("box", "bot/head", 1.0, 1.5)
    with pytest.raises(kc.ArgumentError, match=r"from 1.2 s on, before it is released at 1.5 s"):
        world.attach("box", "bot/finger", 1.2)
    assert timeline(world).changes(number(timeline(world), "box")) == [
        1.0,
        1.5,
    ]  # the refused one left no trace


def test_objects_without_a_place() -> None:
    world = kc.World()
    world.add("box", kc.Box([1, 1, 1]))
    with pytest.raises(kc.ArgumentError, match=r"object 'box' has no pose in the world; .*world.move"):
        timeline(world)


def test_parts_are_where_the_object_has_them() -> None:
    rng = np.random.default_rng(0)
    X, parts = [random_pose(rng, 1.0) for _ in range(3)], [random_pose(rng, 1.0) for _ in range(2)]
    world = kc.World()
    for name, kind in (("a", "screw"), ("b", "cubic")):
        poses = X if kind == "screw" else [X[0]] * 4
        motion = kc.PoseTrajectory(range(len(poses)), poses, kind)  # type: ignore[arg-type]
        world.add(name, [(kc.Sphere(0.1), parts[0]), (kc.Sphere(0.2), parts[1])], motion)
        line = timeline(world)
        for p, t in itertools.product((0, 1), (0.3, 1.7)):
            assert np.allclose(where(line, name, t, p), motion.pose(t) @ parts[p], atol=1e-14)


def turning() -> kc.PoseTrajectory:
    turn = np.array([np.eye(4), at(1, 0)])
    turn[1, :2, :2] = [[0, -1], [1, 0]]
    return kc.PoseTrajectory([0, 1], turn, "linear")


def test_round_parts_of_what_goes_straight_and_turns_are_where_the_object_takes_them() -> None:
    world = kc.World()
    world.add("a", [(kc.Sphere(0.1), at(0, 0)), (kc.Sphere(0.2), at(-1, 0))], turning())
    line = timeline(world)
    for t in (0.0, 0.3, 1.0):
        assert np.allclose(where(line, "a", t, 1), turning().pose(t) @ at(-1, 0), atol=1e-14)


@pytest.mark.parametrize("shape", [kc.Box([0.1, 0.2, 0.3]), cube(0.2)])
def test_corners_of_what_goes_straight_and_turns_are_where_the_object_takes_them(
    shape: kc.Mesh | kc.Box,
) -> None:
    world = kc.World()
    X_OP = random_pose(np.random.default_rng(1), 0.5)
    world.add("a", [(kc.Sphere(0.1), at(0, 0)), (shape, X_OP)], turning())
    line = timeline(world)
    assert line.items[0].parts[1].body is shape
    corners = corners_of(shape)
    assert corners is not None
    X_WO, X_WP = turning().pose(0.3), line.motion(0, 1, 0).pose(0.3)
    true = (corners @ X_OP[:3, :3].T + X_OP[:3, 3]) @ X_WO[:3, :3].T + X_WO[:3, 3]
    found = corners @ X_WP[:3, :3].T + X_WP[:3, 3]
    assert np.abs(found - true).max() < 1e-14


def test_parts_of_what_goes_straight_without_turning_go_straight_too() -> None:
    world = kc.World()
    straight = kc.PoseTrajectory([0, 1], [at(0, 0), at(1, 0)], "linear")
    world.add("a", [(kc.Sphere(0.1), at(0, 0)), (kc.Sphere(0.2), at(-1, 0))], straight)
    assert timeline(world).motion(0, 1, 0).pose(0.25)[:3, 3].tolist() == [-0.75, 0.0, 0.0]


def pairs_of(line: Timeline) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    parts = [(i, p) for i, item in enumerate(line.items) for p in range(len(item.parts))]
    return [(a, b) for a in parts for b in parts if a[0] != b[0]]


def test_whatever_the_frame_parts_are_where_the_world_has_them() -> None:
    """Pairs of links, meshes, boxes at rest, parts that ride: seen from any frame, moved into the world."""
    rng = np.random.default_rng(3)
    robot = swing().attach("claw", cube(0.2), "arm", random_pose(rng, 0.5))
    world = kc.World()
    world.add_robot("swing", robot, kc.JointTrajectory(robot, [0, 2], [[0], [2]]), random_pose(rng, 1.0))
    world.add_robot("bot", slider(), drive([0, 1, 2], [0, 2, 3], [0, 0.2, 0.1]), random_pose(rng, 1.0))
    world.add(
        "wall", [(kc.Box([1, 1, 0.1]), random_pose(rng, 1.0)), (cube(0.3), at(0, 1))], random_pose(rng, 1.0)
    )
    world.add("part", cube(0.1), random_pose(rng, 1.0))
    world.attach("part", "swing/arm", 0.5, 1.5)
    line = timeline(world)
    frames = 0
    for (a, b), t, hulls in itertools.product(pairs_of(line), (0.2, 0.5, 1.2, 1.5, 1.8), (False, True)):
        seen = line.relative_motion(a, b, t, hulls=hulls)
        X_WF = np.eye(4) if seen.frame is None else seen.frame.pose(t)
        frames += seen.frame is not None
        for motion, (i, p) in ((seen.motion_a, a), (seen.motion_b, b)):
            X = line.motion(i, p, line.parent_index(i, t)).pose(t)
            assert np.allclose(X_WF @ motion.pose(t), X, atol=1e-13)
    assert frames > 50


def test_who_sees_whom_from_where() -> None:
    robot = swing().attach("claw", cube(0.2), "arm", at(1, 0))
    world = kc.World()
    world.add_robot("swing", robot, kc.JointTrajectory(robot, [0, 2], [[0], [2]]))
    world.add("ball", kc.Sphere(0.1), at(0, 3))
    world.add("rock", cube(0.1), at(0, 4))
    world.add("bird", kc.Sphere(0.1), way([0, 1], (5, 0, 0), (6, 0, 0)))
    line = timeline(world)
    ball, bird, rock, arm, claw = ((number(line, name), 0) for name in (
        "ball", "bird", "rock", "swing/arm", "swing/claw",
    ))  # fmt: skip
    relative = line.relative_motion(arm, claw, 0.5)
    assert relative.frame is line.motion(*arm, 0)
    assert rests(relative.motion_b, 0, 2)  # the claw does not move on the arm
    mesh = line.relative_motion(claw, ball, 0.5)
    assert mesh.frame is line.motion(*claw, 0)
    assert isinstance(mesh.motion_a, Fixed)
    swapped = line.relative_motion(ball, claw, 0.5)
    assert swapped.frame is line.motion(*claw, 0)
    assert isinstance(swapped.motion_b, Fixed)
    for pair in ((arm, ball), (claw, rock), (claw, bird), (ball, bird)):
        assert line.relative_motion(*pair, 0.5).frame is None
    assert line.relative_motion(claw, ball, 0.5, hulls=True).frame is None


def test_rest() -> None:
    moving, standing = way([0, 1], (0, 0, 0), (1, 0, 0)), way([0, 1], (1, 0, 0), (1, 0, 0))
    assert rests(Fixed(np.eye(4)), 0, 1)
    assert rests(standing, 0, 1)
    assert not rests(moving, 0, 1)
    assert rests(moving, 1, 2)
    assert rests(moving, -1, 0)
    assert not rests(moving, -1, 0.1)
    program = drive([0, 1], [0, 1])
    assert rests(program.link("rail"), 0, 1)
    assert not rests(program.link("head"), 0, 1)
    assert rests(program.relative("head", "lamp"), 0, 1)
    assert not rests(program.link("head"), -math.inf, math.inf)
