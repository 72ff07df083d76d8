"""Motions of links: where kinematics puts them, seen from the world and from each other; bounds hold."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from tests.oracles.poses import random_pose

import keepclear as kc
from keepclear.kernels.tables.motion import motion_numbers

Array = np.ndarray

ARM = """
<link name="base"/>
<link name="upper"><collision><geometry><box size="0.1 0.1 0.5"/></geometry></collision></link>
<link name="slide"><collision><geometry><box size="0.1 0.1 0.5"/></geometry></collision></link>
<link name="hand"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="camera"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
  <origin xyz="0 0 0.3" rpy="0.1 0 0.4"/><axis xyz="0 1 0"/></joint>
<joint name="reach" type="prismatic"><parent link="upper"/><child link="slide"/>
  <origin xyz="0.1 0 0.4" rpy="0 0.5 0"/><axis xyz="0.6 0 0.8"/>
  <limit lower="-1" upper="1" velocity="9" effort="1"/></joint>
<joint name="wrist" type="continuous"><parent link="slide"/><child link="hand"/>
  <origin xyz="0 0 0.3"/><axis xyz="1 2 2"/></joint>
<joint name="mount" type="fixed"><parent link="upper"/><child link="camera"/><origin xyz="0.2 0 0"/></joint>
"""
TIMES = [0.0, 1.0, 1.5]
Q = [[0.0, 0.0, 0.0], [1.0, 0.3, -2.0], [0.5, -0.2, 1.0]]


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> kc.Robot:
    file = tmp_path_factory.mktemp("arm") / "arm.urdf"
    file.write_text(f'<robot name="arm">{ARM}</robot>')
    return kc.read_robot(file)


@pytest.fixture(scope="module", params=["linear", "spline"])
def program(robot: kc.Robot, request: pytest.FixtureRequest) -> kc.JointTrajectory:
    return kc.JointTrajectory(robot, TIMES, Q, interpolation=request.param)


def where(program: kc.JointTrajectory, link: str, t: float) -> Array:
    """The pose of a link by the robot's own kinematics."""
    names = program.robot.link_names
    return np.asarray(program.robot.link_poses(program.at(t))[names.index(link)])


def test_links_in_the_world(program: kc.JointTrajectory) -> None:
    rng = np.random.default_rng(0)
    X_WB, X_LG = random_pose(rng, 1.0), random_pose(rng, 1.0)
    for link in program.robot.link_names:
        plain, moved = program.link(link), program.link(link, X_WB, X_LG)
        for t in (-1.0, 0.0, 0.3, 1.0, 1.2, 1.5, 9.0):
            assert np.allclose(plain.pose(t), where(program, link, t), atol=1e-14)
            assert np.allclose(moved.pose(t), X_WB @ where(program, link, t) @ X_LG, atol=1e-14)


def test_links_seen_from_each_other(program: kc.JointTrajectory) -> None:
    rng = np.random.default_rng(1)
    X_AG, X_BG = random_pose(rng, 1.0), random_pose(rng, 1.0)
    for a in ("base", "upper", "hand"):
        for b in ("camera", "hand", "base"):
            way = program.relative(a, b, X_AG, X_BG)
            for t in (0.3, 1.2):
                X_WA, X_WB = where(program, a, t) @ X_AG, where(program, b, t) @ X_BG
                assert np.allclose(way.pose(t), np.linalg.inv(X_WA) @ X_WB, atol=1e-13)


def test_only_joints_between_links_count(program: kc.JointTrajectory) -> None:
    joints = {
        ("base", "camera"): 1, ("upper", "camera"): 0, ("camera", "hand"): 2, ("hand", "hand"): 0, ("hand", "base"): 3,
    }  # fmt: skip
    for pair, n in joints.items():
        assert motion_numbers(program.relative(*pair)._packed).joints == n
    assert motion_numbers(program.link("camera")._packed).joints == 1
    assert motion_numbers(program.link("base")._packed).joints == 0


def test_the_world_seen_from_a_link(program: kc.JointTrajectory) -> None:
    rng = np.random.default_rng(2)
    X_LG, X_WB, X_WO = (random_pose(rng, 1.0) for _ in range(3))
    hand = program.robot.link_names.index("hand")
    way = program.between(
        hand, 0, np.linalg.inv(X_LG), np.linalg.inv(X_WB) @ X_WO, "world relative to the hand"
    )
    for t in (0.3, 1.2):
        X_WG = X_WB @ where(program, "hand", t) @ X_LG
        assert np.allclose(way.pose(t), np.linalg.inv(X_WG) @ X_WO, atol=1e-13)


def corners(size: list[float]) -> Array:
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    return np.append(signs * np.array(size) / 2, np.ones((8, 1)), axis=1)


@pytest.mark.parametrize("ends", [(0.0, 1.5), (0.2, 0.3), (-1.0, 0.4), (1.4, 7.0), (0.9, 1.1)])
def test_no_point_goes_farther_than_the_bounds(
    program: kc.JointTrajectory, ends: tuple[float, float]
) -> None:
    size = [0.3, 0.2, 0.1]
    for motion in (program.link("hand"), program.relative("hand", "camera")):
        length = motion.path_length(kc.Box(size), *ends)
        away = motion.displacement(kc.Box(size), *ends)
        X = motion.pose(np.linspace(*ends, 400))
        points = np.einsum("tij,pj->tpi", X, corners(size))[:, :, :3]
        true_length = np.linalg.norm(np.diff(points, axis=0), axis=2).sum(axis=0).max()
        true_away = np.linalg.norm(points - points[0], axis=2).max()
        assert true_length * (1 - 1e-12) <= length <= 1.6 * true_length
        assert true_away * (1 - 1e-12) <= away <= min(length, 1.4 * true_away) + 1e-15


def test_the_way_of_one_hinge_is_known(robot: kc.Robot) -> None:
    """A ball of 0.5 m around the shoulder's axis: each of its points goes at most 0.5 m per radian."""
    program = kc.JointTrajectory(robot, [0, 2], [[0, 0, 0], [3.0, 0, 0]])
    motion = program.link("upper")
    assert 1.5 <= motion.path_length(0.5, 0, 2) <= 1.5 * 1.06
    assert 0.375 <= motion.path_length(0.5, 0.5, 1.0) <= 0.375 * 1.06
    assert motion.path_length(0.5, 2, 5) <= 1e-12
    assert motion.path_length(0.5, 1, 1) == 0.0
    assert motion.displacement(0.5, 1, 1) == 0.0
    assert 0.5 * 2 * math.sin(0.375) <= motion.displacement(0.5, 0.5, 1.0) <= 0.375 * 1.06
    # Far around it cannot get more than a diameter away, however far it goes.
    far = kc.JointTrajectory(robot, [0, 2], [[0, 0, 0], [30.0, 0, 0]]).link("upper")
    assert 15.0 <= far.path_length(0.5, 0, 2) <= 15.0 * 1.06
    assert 1.0 <= far.displacement(0.5, 0, 2) <= 1.3


def test_cubics_are_within_their_error(program: kc.JointTrajectory) -> None:
    radius = 0.4
    for motion in (program.link("hand"), program.relative("hand", "camera")):
        told = motion.cubic(-0.5, 2.0, radius, 1e-5)
        assert told.error <= 1e-5
        assert told.times[0] == -0.5
        assert told.times[-1] == 2.0
        t = np.linspace(-0.5, 2.0, 300)
        i = np.clip(np.searchsorted(told.times, t, side="right") - 1, 0, len(told.control) - 1)
        s = (t - told.times[i]) / (told.times[i + 1] - told.times[i])
        weights = np.stack([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3], axis=1)
        off = (np.einsum("tk,tkij->tij", weights, told.control[i]) - motion.pose(t))[:, :3]
        worst = np.linalg.norm(off[:, :, :3], ord=2, axis=(1, 2)) * radius + np.linalg.norm(
            off[:, :, 3], axis=1
        )
        assert worst.max() <= told.error


def test_cubics_of_parts_instants_and_rest(program: kc.JointTrajectory) -> None:
    motion = program.link("hand")
    part = motion.cubic(0.2, 0.4, 0.4, 1e-4)
    assert (part.times[0], part.times[-1]) == (0.2, 0.4)
    assert np.allclose(part.control[0, 0], motion.pose(0.2), atol=1e-14)
    assert np.allclose(part.control[-1, 3], motion.pose(0.4), atol=1e-14)
    for t0, t1 in ((0.3, 0.3), (-2.0, -1.0), (3.0, 4.0)):
        still = motion.cubic(t0, t1, 0.4)
        assert still.times.tolist() == [t0, t1]
        assert np.allclose(still.control, motion.pose(t0), atol=1e-15)
    assert len(program.link("base").cubic(0, 1.5, 0.4).control) == 1
    with pytest.raises(kc.ArgumentError, match="rounding leaves"):
        motion.cubic(0, 1.5, 0.4, 1e-16)
    with pytest.raises(kc.ArgumentError, match="error must be a finite number > 0"):
        motion.cubic(0, 1.5, 0.4, -1.0)


def test_a_link_motion_is_a_motion(program: kc.JointTrajectory) -> None:
    motion = program.link("hand")
    assert (motion.t_start, motion.t_end, motion.name) == (0.0, 1.5, "hand")
    assert motion.knots.tolist() == TIMES
    assert motion.deviation(0.3) == 0.0
    copied = pickle.loads(pickle.dumps(motion))
    assert np.array_equal(copied.pose(0.7), motion.pose(0.7))
    with pytest.raises(AttributeError, match="never changes"):
        motion.name = "other"  # type: ignore[misc]
    with pytest.raises(kc.ArgumentError, match="comes after t1"):
        motion.path_length(0.1, 1.0, 0.5)
