"""Joint trajectories put links where forward kinematics in extended precision does, and their bounds hold."""

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from tests.oracles.poses import pose, random_pose, random_rotation
from tests.oracles.robot_kinematics import between, chain, inverse, link_pose
from tests.oracles.robot_paths import JointPath
from tests.oracles.robot_random import library_joint_trajectory, random_arm, random_path
from tests.oracles.robot_urdf import Arm, Wide, read_arm
from tests.oracles.robot_world import Machine

import keepclear as kc

TWO_BARS = """<robot name="bars"><link name="base"/>
<link name="bar"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<link name="tip"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/></joint>
<joint name="slide" type="prismatic"><origin xyz="0.5 0 0"/><parent link="bar"/><child link="tip"/><axis xyz="1 0 0"/>
<limit lower="0" upper="0.5" velocity="1" effort="1"/></joint></robot>"""


@pytest.fixture
def bars(tmp_path: Path) -> Any:
    """A bar that turns about z, and a ball that slides along it: joints "hinge" and "slide"."""
    file = tmp_path / "bars.urdf"
    file.write_text(TWO_BARS, encoding="utf-8")
    return kc.read_robot(file)


def some_robot(rng: np.random.Generator, folder: Path) -> tuple[Any, Arm, JointPath]:
    file, arm = random_arm(rng, folder, "arm", int(rng.integers(3, 9)))
    return kc.read_robot(file), arm, random_path(rng, len(arm.columns))


def spread(rng: np.random.Generator, path: JointPath, n: int) -> np.ndarray:
    """Times before, in and after the path, its waypoints among them."""
    start, end = path.times[0], path.times[-1]
    return np.concatenate([[start - 1.0, end + 1.0], path.times, rng.uniform(start, end, size=n)])


def farthest(X: np.ndarray) -> float:
    """The largest coordinate of poses, at least 1 [m]."""
    return max(1.0, float(np.abs(X).max()))


@pytest.mark.parametrize("seed", range(12))
def test_links_are_where_forward_kinematics_puts_them(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    robot, arm, path = some_robot(rng, tmp_path)
    trajectory = library_joint_trajectory(robot, path)
    assert list(robot.joint_names) == arm.columns
    assert set(robot.link_names) == set(arm.links)
    assert (trajectory.t_start, trajectory.t_end) == (path.times[0], path.times[-1])
    t = spread(rng, path, 6)
    q = path.at(t)
    assert np.abs(trajectory.at(t) - q).max() <= 1e-14 * farthest(q)
    X_WB, X_LG = random_pose(rng, 1.0), random_pose(rng, 0.3)
    for link in arm.links:
        true = X_WB.astype(Wide) @ link_pose(arm, link, q)
        off = np.abs(trajectory.link(link, X_WB).pose(t) - true)
        assert off.max() <= 1e-13 * len(arm.links) * farthest(true), link
        there = trajectory.link(link, X_WB=X_WB, X_LG=X_LG).pose(float(t[-1]))
        assert np.abs(there - (true[-1] @ X_LG)).max() <= 1e-13 * len(arm.links) * farthest(true), link
        assert np.array_equal(trajectory.link(link).pose(t)[-1], trajectory.link(link).pose(float(t[-1])))


@pytest.mark.parametrize("seed", range(6))
def test_batches_of_configurations_agree_too(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(100 + seed)
    robot, arm, _ = some_robot(rng, tmp_path)
    q = rng.uniform(-4, 4, size=(5, len(arm.columns)))
    X = robot.link_poses(q)
    assert X.shape == (5, len(arm.links), 4, 4)
    for k, link in enumerate(robot.link_names):
        true = link_pose(arm, link, q)
        assert np.abs(X[:, k] - true).max() <= 1e-12 * farthest(true)
    assert np.array_equal(robot.link_poses(q[3]), X[3])


@pytest.mark.parametrize("seed", range(8))
def test_one_link_seen_from_another_moves_only_by_the_joints_between(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(200 + seed)
    robot, arm, path = some_robot(rng, tmp_path)
    trajectory = library_joint_trajectory(robot, path)
    t = spread(rng, path, 4)
    for _ in range(4):
        a, b = rng.choice(list(arm.links), size=2, replace=False)
        X_AB = inverse(link_pose(arm, a, path.at(t))) @ link_pose(arm, b, path.at(t))
        seen = trajectory.relative(a, b)
        assert np.abs(seen.pose(t) - X_AB).max() <= 1e-12 * farthest(X_AB)
        if not any(joints_move(arm, path, joints) for joints in between(arm, a, b)):
            assert seen.path_length(1.0, path.times[0], path.times[-1]) <= 1e-12


def joints_move(arm: Arm, path: JointPath, joints: list[Any]) -> bool:
    machine = Machine(arm, path)
    return any(machine.rates(joints, 1.0, t0, t1) > 0.0 for t0, t1 in pairwise(path.times))


def walked(places: np.ndarray) -> tuple[float, float]:
    """The longest way, and the largest distance from the start, of points (m, 4, n)."""
    steps = np.linalg.norm(np.diff(places, axis=0)[:, :3], axis=1).sum(axis=0)
    return float(steps.max()), float(np.linalg.norm((places - places[0])[:, :3], axis=1).max())


@pytest.mark.parametrize("seed", range(12))
def test_no_point_goes_farther_than_the_bounds_and_these_are_not_much_worse_than_levers(
    seed: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(300 + seed)
    robot, arm, path = some_robot(rng, tmp_path)
    trajectory, machine = library_joint_trajectory(robot, path), Machine(arm, path)
    start, end = path.times[0] - 0.3, path.times[-1] + 0.3
    corners = np.array(np.meshgrid(*[[-0.1, 0.2]] * 3)).reshape(3, 8)
    points = np.concatenate([corners, np.ones((1, 8))])
    body, reach = kc.Convex(corners.T), 0.2 * math.sqrt(3)
    for link in rng.choice(list(arm.links), size=3):
        for narrow in (False, True):
            t0, t1 = np.sort(rng.uniform(start, end, size=2)) if narrow else (start, end)
            inner = path.times[(path.times > t0) & (path.times < t1)]
            t = np.unique(np.concatenate([np.linspace(t0, t1, 400), inner]))
            way, away = walked(link_pose(arm, link, path.at(t)).astype(np.float64) @ points)
            motion = trajectory.link(link)
            knots = [t0, *inner, t1]
            lever = sum(machine.rates(chain(arm, link), reach, u, v) * (v - u) for u, v in pairwise(knots))
            for told in (body, reach):
                long, far = motion.path_length(told, t0, t1), motion.displacement(told, t0, t1)
                assert way * (1 - 1e-12) <= long
                assert away * (1 - 1e-12) <= far <= long
                assert long <= 1.2 * lever + 1e-12
    a, b = rng.choice(list(arm.links), size=2, replace=False)
    t = np.linspace(start, end, 400)
    X_AB = inverse(link_pose(arm, a, path.at(t))) @ link_pose(arm, b, path.at(t))
    way, away = walked(X_AB.astype(np.float64) @ points)
    seen = trajectory.relative(a, b)
    assert way * (1 - 1e-12) <= seen.path_length(body, start, end)
    assert away * (1 - 1e-12) <= seen.displacement(body, start, end)


def test_the_bounds_of_one_hinge_are_close(bars: Any) -> None:
    # The far corners of the bar are hypot(0.5, 0.05) from the axis and go 2 rad; the ball reaches 0.6 m + slide.
    trajectory = kc.JointTrajectory(bars, [0, 1], [[0, 0.25], [2, 0.25]])
    far = math.hypot(0.5, 0.05)
    assert 2 * far <= trajectory.link("bar").path_length(kc.Box([1, 0.1, 0.1]), 0, 1) <= 2.2 * far
    assert 2 * 0.85 <= trajectory.link("tip").path_length(kc.Sphere(0.1), 0, 1) <= 2.2 * 0.85
    chord = 2 * math.sin(1.0)
    assert chord * far <= trajectory.link("bar").displacement(kc.Box([1, 0.1, 0.1]), 0, 1) <= 2.2 * far
    assert trajectory.relative("bar", "tip").path_length(kc.Sphere(0.1), 0, 1) <= 1e-12
    assert trajectory.relative("base", "tip").path_length(kc.Sphere(0.1), 0, 1) >= 2 * 0.85


def test_a_hinge_that_turns_many_times_goes_all_the_way(bars: Any) -> None:
    turns = 40 * math.pi
    trajectory = kc.JointTrajectory(bars, [0, 1], [[0, 0], [turns, 0]])
    long = trajectory.link("bar").path_length(kc.Box([1, 0.1, 0.1]), 0, 1)
    assert turns * math.hypot(0.5, 0.05) <= long <= 1.2 * turns * math.hypot(0.5, 0.05)
    # A quarter of a turn, after 17 whole ones.
    t = (17 + 0.25) * 2 * math.pi / turns
    X = trajectory.link("bar").pose(t)
    assert np.abs(X[:3, :3] - [[0, -1, 0], [1, 0, 0], [0, 0, 1]]).max() <= 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_splines_pass_their_waypoints_with_their_velocities(seed: int, bars: Any) -> None:
    rng = np.random.default_rng(400 + seed)
    times = np.cumsum(rng.uniform(0.05, 2.0, size=6)) + float(rng.choice([0.0, 1e4]))
    q, qd = rng.normal(size=(6, 2)), rng.normal(size=(6, 2))
    hermite = kc.JointTrajectory(bars, times, q, qd, "spline")
    natural = kc.JointTrajectory(bars, times, q, interpolation="spline")
    assert hermite.interpolation == natural.interpolation == "spline"
    for trajectory in (hermite, natural):
        assert np.abs(trajectory.at(times) - q).max() <= 1e-13
        assert trajectory.at(float(times[2])).shape == (2,)
    assert np.abs(hermite.speed(times[1:-1]) - qd[1:-1]).max() <= 1e-11
    reference = CubicSpline(times, q, bc_type="natural")
    t = rng.uniform(times[0], times[-1], size=50)
    slack = 1e-10 if times[0] > 1e3 else 1e-12  # of late times, digits of the differences are lost
    assert np.abs(natural.at(t) - reference(t)).max() <= slack
    assert np.abs(natural.speed(t) - reference(t, 1)).max() <= 100 * slack
    true = JointPath(times, q, "spline", qd)
    assert np.abs(hermite.at(t) - true.at(t)).max() <= slack
    assert np.abs(hermite.speed(t) - true.speed(t)).max() <= 100 * slack
    assert set(times) <= set(natural.knots.tolist())


def test_a_natural_spline_of_two_waypoints_is_straight(bars: Any) -> None:
    trajectory = kc.JointTrajectory(bars, [1, 3], [[0, 0], [1, 0.5]], interpolation="spline")
    assert np.abs(trajectory.at([1.5, 2.0]) - [[0.25, 0.125], [0.5, 0.25]]).max() <= 1e-15
    assert np.abs(trajectory.speed(2.0) - [0.5, 0.25]).max() <= 1e-15


def test_columns_may_come_by_name_in_any_order(bars: Any) -> None:
    table = kc.JointTrajectory(bars, [0, 1], [[0, 0.1], [1, 0.2]])
    by_name = kc.JointTrajectory(bars, [0, 1], {"slide": [0.1, 0.2], "hinge": [0, 1]})
    assert np.array_equal(table.q, by_name.q)
    assert np.array_equal(table.at([0.3]), by_name.at([0.3]))


def test_what_users_see_cannot_be_changed(bars: Any) -> None:
    times, q = np.array([0.0, 1.0]), np.array([[0.0, 0.1], [1.0, 0.2]])
    trajectory = kc.JointTrajectory(bars, times, q)
    times[1], q[1, 0] = 9.0, 9.0
    assert (trajectory.t_end, trajectory.q[1, 0]) == (1.0, 1.0)
    for array in (trajectory.times, trajectory.q):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5.0


def test_limits_are_told_not_enforced(bars: Any) -> None:
    inside = kc.JointTrajectory(bars, [0, 1], [[0, 0.1], [9, 0.2]])
    assert tuple(inside.outside_limits()) == ()
    outside = kc.JointTrajectory(bars, [0, 1], [[0, 0.1], [1, 0.75]])
    (text,) = outside.outside_limits()
    assert "slide" in text
    assert "0.5" in text
    # Within limits at both waypoints, and beyond them in between: q = 0.45 + 4 * 0.2 s (1 - s).
    bent = kc.JointTrajectory(bars, [0, 1], [[0, 0.45], [0, 0.45]], [[0, 0.8], [0, -0.8]], "spline")
    assert any("slide" in text for text in bent.outside_limits())


def test_holds_are_kept(bars: Any) -> None:
    q = [[0, 0.1], [1, 0.2]]
    for hold, before, after in (("both", 1, 1), ("before", 1, 0), ("after", 0, 1), ("none", 0, 0)):
        trajectory = kc.JointTrajectory(bars, [0, 1], q, hold=hold)
        for t, held, end in ((-1.0, before, 0), (2.0, after, 1)):
            if held:
                assert np.array_equal(trajectory.at(t), q[end])
                assert np.abs(trajectory.link("tip").pose(t) - trajectory.link("tip").pose(end)).max() == 0
                assert np.all(trajectory.speed(t) == 0)
            else:
                for ask in (
                    trajectory.at,
                    trajectory.link("tip").pose,
                    trajectory.relative("bar", "tip").pose,
                ):
                    with pytest.raises(kc.TrajectoryError, match="hold"):
                        ask(t)


GOOD = [[0, 0.1], [1, 0.2], [2, 0.3]]
BAD: dict[str, tuple[tuple[Any, ...], str]] = {
    "unsorted": (([0, 2, 1], GOOD), r"times\[2\]"),
    "repeated": (([0, 1, 1], GOOD), r"times\[2\]"),
    "nan time": (([0, math.nan, 2], GOOD), r"times"),
    "infinite time": (([0, 1, math.inf], GOOD), r"times"),
    "too few times": (([0, 1], GOOD), r"times?"),
    "times in a table": (([[0, 1, 2]], GOOD), r"times"),
    "no waypoint": (([], np.zeros((0, 2))), r"waypoint|times|two"),
    "nan value": (([0, 1, 2], [[0, 0.1], [math.nan, 0.2], [2, 0.3]]), r"q\[1|hinge"),
    "infinite value": (([0, 1, 2], [[0, 0.1], [1, math.inf], [2, 0.3]]), r"q\[1|slide"),
    "too narrow": (([0, 1, 2], [[0], [1], [2]]), r"2 joints|hinge|columns"),
    "too wide": (([0, 1, 2], [[0, 1, 2]] * 3), r"2 joints|hinge|columns"),
    "flat": (([0, 1, 2], [0, 1, 2]), r"q"),
    "ragged": (([0, 1], [[0, 1], [0]]), r"q"),
    "words": (([0, 1], [["a", "b"], ["c", "d"]]), r"q"),
    "unknown joint": (([0, 1], {"hing": [0, 1], "slide": [0, 0]}), r"hing.*did you mean.*hinge"),
    "missing joint": (([0, 1], {"hinge": [0, 1]}), r"slide"),
    "uneven joints": (([0, 1], {"hinge": [0, 1], "slide": [0]}), r"slide|hinge"),
    "narrow velocities": (([0, 1], [[0, 0], [1, 0]], [[0], [0]], "spline"), r"qd|velocit"),
    "few velocities": (([0, 1], [[0, 0], [1, 0]], [[0, 0]], "spline"), r"qd|velocit"),
    "infinite velocity": (([0, 1], [[0, 0], [1, 0]], [[0, math.inf], [0, 0]], "spline"), r"qd|velocit"),
    "unknown interpolation": (([0, 1], [[0, 0], [1, 0]], None, "quintic"), r"quintic"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_trajectories_are_refused_in_one_clear_sentence(name: str, bars: Any) -> None:
    arguments, pattern = BAD[name]
    with pytest.raises(kc.KeepclearError, match=pattern) as caught:
        kc.JointTrajectory(bars, *arguments)
    assert isinstance(caught.value, ValueError | LookupError)


def test_one_waypoint_is_a_place(bars: Any) -> None:
    trajectory = kc.JointTrajectory(bars, [1.0], [[0.5, 0.1]])
    assert np.array_equal(trajectory.at([0.0, 1.0, 5.0]), [[0.5, 0.1]] * 3)
    assert trajectory.link("tip").path_length(1.0, -5, 5) <= 1e-12


def test_bad_questions_name_the_thing(bars: Any) -> None:
    with pytest.raises(kc.KeepclearError, match="hold"):
        kc.JointTrajectory(bars, [0, 1], [[0, 0], [1, 0]], hold="forever")  # type: ignore[arg-type]
    with pytest.raises(kc.KeepclearError, match="obot"):
        kc.JointTrajectory("bars.urdf", [0, 1], [[0, 0], [1, 0]])  # type: ignore[arg-type]
    trajectory = kc.JointTrajectory(bars, [0, 1], [[0, 0], [1, 0]])
    with pytest.raises(kc.UnknownNameError, match=r"tipp.*did you mean.*tip"):
        trajectory.link("tipp")
    with pytest.raises(kc.UnknownNameError, match=r"barr.*did you mean.*bar"):
        trajectory.relative("barr", "tip")
    with pytest.raises(kc.PoseError):
        trajectory.link("tip", pose(2 * random_rotation(np.random.default_rng(0)), (0, 0, 0)))
    for t in (math.nan, "soon", [[0.0]]):
        with pytest.raises(kc.KeepclearError, match="t"):
            trajectory.at(t)
    with pytest.raises(kc.KeepclearError, match=r"t0.*t1"):
        trajectory.link("tip").path_length(1.0, 1.0, 0.0)


def test_mimics_follow_and_fixed_joints_of_a_mimic_stay(tmp_path: Path) -> None:
    text = """<robot name="gripper"><link name="hand"/><link name="left"/><link name="right"/><link name="third"/>
    <joint name="l" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="1" velocity="1" effort="1"/></joint>
    <joint name="r" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/><mimic joint="l" multiplier="-1" offset="0.5"/></joint>
    <joint name="s" type="fixed"><parent link="hand"/><child link="third"/><mimic joint="l"/></joint></robot>"""
    file = tmp_path / "gripper.urdf"
    file.write_text(text, encoding="utf-8")
    robot, arm = kc.read_robot(file), read_arm(text, lambda name: tmp_path / name)
    assert tuple(robot.joint_names) == ("l",) == tuple(arm.columns)
    trajectory = kc.JointTrajectory(robot, [0, 1], [[0.0], [0.4]])
    assert np.abs(trajectory.link("right").pose(0.5)[:3, 3] - [0, 0.3, 0]).max() <= 1e-16
    assert np.abs(trajectory.link("third").pose(0.5) - np.eye(4)).max() == 0.0
    assert np.abs(trajectory.relative("left", "right").pose(1.0)[:3, 3] - [0, -0.3, 0]).max() <= 1e-15
