"""Planted truths about worlds, known in closed form: fins between samples, grazes, near misses, many turns, folds."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.exact_points import box, sphere
from tests.oracles.mesh_bodies import box_mesh
from tests.oracles.motion_bodies import Thing
from tests.oracles.robot_check import names
from tests.oracles.robot_urdf import Part

import keepclear as kc

HINGE = """<robot name="hinge"><link name="base"/>
<link name="tip"><collision><origin xyz="1 0 0"/><geometry><sphere radius="{radius}"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint></robot>"""


def hinge(folder: Path, radius: float) -> Any:
    """A ball on a circle of radius 1 about z."""
    file = folder / "hinge.urdf"
    file.write_text(HINGE.format(radius=repr(radius)), encoding="utf-8")
    return kc.read_robot(file)


def hinge_world(folder: Path, radius: float, q: list[float], times: list[float] | None = None) -> Any:
    robot = hinge(folder, radius)
    world = kc.World()
    told = kc.JointTrajectory(robot, times or list(range(len(q))), [[x] for x in q])
    world.add_robot("arm", robot, told)
    return world


def shifted(x: float, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    c, s = math.cos(turn), math.sin(turn)
    X[:2, :2] = [[c, -s], [s, c]]
    X[:3, 3] = x, y, z
    return X


def only_pair(report: Any) -> Any:
    (pair,) = report.pairs
    return pair


def plain_world(gap: float) -> Any:
    """A ball of 0.1 m that rolls along a wall, a gap away from it."""
    world = kc.World()
    poses = np.array([shifted(-1, 0.1 + gap), shifted(1, 0.1 + gap)])
    world.add("ball", kc.Sphere(0.1), kc.PoseTrajectory([0, 1], poses, interpolation="linear"))
    world.add("wall", kc.Box([4, 1, 1]), shifted(0, -0.5))
    return world


@pytest.mark.parametrize("angle", [0.3, 1.0, 2.2, 3.0])
def test_a_fin_between_samples_is_hit_when_geometry_says_so(angle: float, tmp_path: Path) -> None:
    # A ball of 2 mm on a circle of 1 m meets the side of a fin of 0.2 mm when their planes are 2.1 mm apart.
    radius, thickness = 0.002, 0.0002
    world = hinge_world(tmp_path, radius, [0.0, math.pi], [0.0, 2.0])
    place = shifted(math.cos(angle), math.sin(angle), 0.0, angle)
    world.add("fin", kc.Box([0.05, thickness, 0.05]), place)
    found = only_pair(world.verify(tolerance=1e-7))
    true = 2.0 * (angle - math.asin(radius + thickness / 2)) / math.pi
    assert found.verdict is kc.Verdict.COLLIDING
    assert found.t_lo <= true + 1e-12
    assert true - 1e-6 <= found.time <= true + 1e-6
    assert np.linalg.norm(np.subtract(found.contacts[0].p_W, place[:3, 3])) <= 0.003


@pytest.mark.parametrize("gap", [1e-5, 1e-4, -1e-5, -1e-3])
@pytest.mark.parametrize("radius", [0.05, 0.2])
def test_a_graze_is_told_from_a_near_miss(gap: float, radius: float, tmp_path: Path) -> None:
    # At angle 0 the ball is closest to the wall; before it touches where cos(angle) = 1 + gap.
    world = hinge_world(tmp_path, radius, [-1.0, 2.0], [0.0, 3.0])
    world.add("wall", kc.Box([1, 4, 1]), shifted(1 + radius + gap + 0.5))
    found = only_pair(world.verify(tolerance=1e-6))
    if gap > 0:
        assert found.verdict is kc.Verdict.CLEAR
        assert gap - 1e-6 <= found.clearance_lower <= gap + 1e-13
        assert gap - 1e-13 <= found.clearance_upper <= gap + 1e-6
        assert abs(found.clearance_time - 1.0) <= 2e-3
        assert np.abs(np.subtract(found.p_WA, found.p_WB)).max() <= gap + 1e-6
    else:
        true = 1.0 - math.acos(1 + gap)
        assert found.verdict is kc.Verdict.COLLIDING
        assert found.t_lo <= true + 1e-12
        # Before, the gap is at most the tolerance where cos(angle) = 1 + gap - tolerance.
        assert 1.0 - math.acos(1 + gap - 1.01e-6) <= found.time <= true + 1e-9
        assert found.clearance_lower <= 0.0


def test_a_near_miss_of_the_margin_is_clear(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [-1.0, 1.0])
    world.add("wall", kc.Box([1, 4, 1]), shifted(1.1 + 0.03 + 0.5))
    world.set_margin("arm", "wall", 0.03 - 1e-5)
    assert only_pair(world.verify(tolerance=1e-6)).verdict is kc.Verdict.CLEAR
    world.set_margin("arm", "wall", 0.03 + 1e-5)
    found = only_pair(world.verify(tolerance=1e-6))
    assert found.verdict is kc.Verdict.COLLIDING
    true = (1.0 - math.acos(1 - 1e-5)) / 2
    assert found.t_lo <= true + 1e-12
    assert (1.0 - math.acos(1 - 1e-5 - 1.01e-6)) / 2 <= found.time <= true + 1e-9


def test_many_turns_past_something_just_out_of_reach(tmp_path: Path) -> None:
    turns = 20
    world = hinge_world(tmp_path, 0.1, [0.0, turns * 2 * math.pi])
    world.add("post", kc.Sphere(0.1), shifted(1.2 + 2e-4))
    found = only_pair(world.verify(tolerance=1e-4))
    assert found.verdict is kc.Verdict.CLEAR
    assert 1e-4 <= found.clearance_lower <= 2e-4 <= found.clearance_upper <= 3e-4


def test_something_that_slowly_comes_within_reach_is_hit_after_many_turns(tmp_path: Path) -> None:
    # The post comes 1 mm nearer each turn. After 7.5 s it is 0.3 mm too far away; in the next passage it is hit.
    world = hinge_world(tmp_path, 0.1, [math.pi, math.pi + 40 * math.pi], [0.0, 20.0])
    poses = np.array([shifted(1.2 + 0.0078), shifted(1.2 + 0.0078 - 0.02)])
    world.add("post", kc.Sphere(0.1), kc.PoseTrajectory([0.0, 20.0], poses, interpolation="linear"))
    found = only_pair(world.verify(tolerance=1e-6))
    assert found.verdict is kc.Verdict.COLLIDING
    # Centres 0.2 m apart: x^2 - 2 x cos(a) + 1 = 0.04 with x = 1.2078 - t / 1000 and a = 2 pi (t - 8.5), by halving.
    lo, hi = 8.0, 8.5
    for _ in range(80):
        t = (lo + hi) / 2
        x = 1.2078 - t / 1000
        gap = x * x - 2 * x * math.cos(2 * math.pi * (t - 8.5)) + 1 - 0.04
        lo, hi = (t, hi) if gap > 0 else (lo, t)
    assert abs(found.time - lo) <= 1e-5
    assert found.t_lo <= lo + 1e-12


FOLDING = """<robot name="fold">
<link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link><link name="turret"/>
<link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
<link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
<link name="hand"><collision><origin xyz="0.2 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="spin" type="continuous"><parent link="base"/><child link="turret"/><axis xyz="0 0 1"/></joint>
<joint name="lift" type="continuous"><parent link="turret"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<joint name="elbow" type="continuous"><origin xyz="1 0 0"/>
<parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/></joint>
<joint name="wrist" type="continuous"><origin xyz="0.5 0 0"/>
<parent link="fore"/><child link="hand"/><axis xyz="0 1 0"/></joint>
</robot>"""


@pytest.mark.parametrize("spin", [0.0, 1.0, 5000.0])
def test_a_self_collision_depends_on_the_joints_between_alone(spin: float, tmp_path: Path) -> None:
    # At the elbow angle e the hand, 0.7 m from the elbow, is 0.7 sin(e) from the plane of the upper arm, which it meets
    # at 0.1 m, half of the arm's height and its own radius.
    file = tmp_path / "fold.urdf"
    file.write_text(FOLDING, encoding="utf-8")
    robot = kc.read_robot(file)
    world = kc.World()
    q = [[0, -0.5, 0, 0], [spin, -0.6, 3.1, 0]]
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0, 1], q))
    pairs = {names(pair): pair for pair in world.verify(tolerance=1e-7).pairs}
    found = pairs[frozenset(("arm/upper", "arm/hand"))]
    reached = math.pi - math.asin(0.1 / 0.7)
    assert found.verdict is kc.Verdict.COLLIDING
    assert abs(found.time - reached / 3.1) <= 1e-6
    assert found.t_lo <= reached / 3.1 + 1e-12
    assert found.evaluations <= 2000


def test_joints_that_stay_where_they_are_leave_everything_at_rest(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [0.5, 0.5, 0.5])
    world.add("table", kc.Box([4, 4, 0.2]), shifted(0, 0, -0.2))
    world.add("under it", kc.Sphere(0.15), shifted(0, 0, -0.2))
    # Where nothing moves at all, things are judged as they stand; one far thing that moves makes the others rest.
    assert world.verify().verdict is kc.Verdict.COLLIDING
    poses = np.array([shifted(50), shifted(51)])
    world.add("bird", kc.Sphere(0.1), kc.PoseTrajectory([0, 2], poses, interpolation="linear"))
    report = world.verify()
    assert report.verdict is kc.Verdict.CLEAR
    assert all("bird" in names(pair) for pair in report.pairs)
    told = {names(u): u for u in report.unchecked}
    assert {u.reason for u in told.values()} == {"at rest"}
    assert told[frozenset(("arm/tip", "table"))].touching is True
    assert told[frozenset(("table", "under it"))].touching is True
    assert frozenset(("arm/tip", "under it")) not in told
    assert report.statistics["at rest and apart"] == 1


def test_a_solid_within_a_solid_touches_it(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.01, [0.0, 0.1])
    tank = box_mesh([3, 3, 3])
    world.add("tank", kc.Mesh(tank.vertices, tank.faces), np.eye(4))
    found = only_pair(world.verify(tolerance=1e-4))
    assert found.verdict is kc.Verdict.COLLIDING
    assert found.time == 0.0 == found.t_lo


def test_one_instant_and_parts_of_the_time(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [-1.0, 1.0])
    world.add("post", kc.Sphere(0.1), shifted(1.1))
    before = math.acos(1 - (0.04 - 0.01) / 2.2)  # 1 + 1.21 - 2.2 cos a = 0.04
    first = (1 - before) / 2
    assert only_pair(world.verify(0.0, first - 1e-3, tolerance=1e-5)).verdict is kc.Verdict.CLEAR
    found = only_pair(world.verify(0.0, 1.0, tolerance=1e-5))
    assert found.verdict is kc.Verdict.COLLIDING
    assert abs(found.time - first) <= 1e-4
    late = only_pair(world.verify(0.5, 1.0, tolerance=1e-5))
    assert (late.verdict, late.time, late.t_lo) == (kc.Verdict.COLLIDING, 0.5, 0.5)
    report = world.verify(0.5, 0.5, tolerance=1e-5)
    assert report.verdict is kc.Verdict.COLLIDING
    held = only_pair(world.verify(-5.0, 0.1, tolerance=1e-5))
    assert held.verdict is kc.Verdict.CLEAR
    all_of_it = only_pair(world.verify(0.0, 1.0, tolerance=1e-5, contacts="all"))
    (contact,) = all_of_it.contacts
    assert contact.t_end is not None
    assert (1 + before) / 2 - 1e-9 <= contact.t_end <= (1 + before) / 2 + 1e-3


def test_far_pairs_say_more_than_far(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [-1.0, 1.0])
    world.add("moon", kc.Sphere(0.5), shifted(100.0))
    found = only_pair(world.verify(far=0.25))
    assert found.verdict is kc.Verdict.CLEAR
    assert found.clearance_upper is None
    assert 0.25 <= found.clearance_lower <= 98.4


def test_a_spent_budget_is_undecided_and_never_clear(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [0.0, 40 * math.pi], [0.0, 1.0])
    world.add("post", kc.Sphere(0.1), shifted(1.2 + 1e-6))
    report = world.verify(tolerance=1e-9, budget=3, clearances=False)
    assert report.verdict is kc.Verdict.UNDECIDED
    found = only_pair(report)
    assert found.verdict is kc.Verdict.UNDECIDED
    assert found.t_lo < found.t_hi == 1.0
    assert only_pair(world.verify(tolerance=1e-9, clearances=False)).verdict is kc.Verdict.CLEAR


def test_the_larger_of_two_margins_counts_and_that_of_a_pair_before_both() -> None:
    world = plain_world(gap=0.01)
    assert only_pair(world.verify(tolerance=1e-6)).verdict is kc.Verdict.CLEAR
    world.set_margin("ball", None, 0.02)
    found = only_pair(world.verify(tolerance=1e-6))
    assert (found.verdict, found.margin) == (kc.Verdict.COLLIDING, 0.02)
    world.set_margin("ball", "wall", 0.005)
    found = only_pair(world.verify(tolerance=1e-6))
    assert (found.verdict, found.margin) == (kc.Verdict.CLEAR, 0.005)


def test_several_shapes_in_one_object_are_all_seen(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.05, [-1.0, 1.0])
    far, near = Part(Thing(box([0.1, 0.1, 0.1])), shifted(0, 2)), Part(Thing(sphere(0.05)), shifted(1.02, 0))
    world.add("pair of things", [(p.thing.library(), p.X_LG) for p in (far, near)], np.eye(4))
    found = only_pair(world.verify(tolerance=1e-5))
    assert found.verdict is kc.Verdict.COLLIDING
    # |(cos a, sin a) - (1.02, 0)| = 0.1
    true = (1 - math.acos((1 + 1.02**2 - 0.01) / 2.04)) / 2
    assert found.t_lo <= true + 1e-12
    assert abs(found.time - true) <= 1e-4
