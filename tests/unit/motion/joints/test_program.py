"""Programs of robots: values and speeds between waypoints, what is held, what is refused, what leaves limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import keepclear as kc

CRANE = """
<link name="base"/>
<link name="boom"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<link name="plate"><collision><geometry><box size="0.2 0.2 0.01"/></geometry></collision></link>
<link name="hook"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="finger"><collision><geometry><sphere radius="0.02"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="boom"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="2" velocity="0.5" effort="1"/></joint>
<joint name="bolt" type="fixed"><parent link="boom"/><child link="plate"/><origin xyz="1 0 0"/></joint>
<joint name="lift" type="prismatic"><parent link="boom"/><child link="hook"/><origin xyz="1 0 0"/>
  <axis xyz="0 0 -1"/><limit lower="0" upper="2" velocity="3" effort="1"/></joint>
<joint name="grip" type="revolute"><parent link="hook"/><child link="finger"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" velocity="9" effort="1"/><mimic joint="turn" multiplier="-1" offset="0.5"/></joint>
"""


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> kc.Robot:
    file = tmp_path_factory.mktemp("crane") / "crane.urdf"
    file.write_text(f'<robot name="crane">{CRANE}</robot>')
    return kc.read_robot(file)


def test_linear_values_and_speeds(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [1, 2, 4], [[0, 0], [1, 0.5], [1, 1.5]])
    assert program.at(1.5).tolist() == [0.5, 0.25]
    assert program.at([0.0, 1.0, 2.0, 3.0, 4.0, 9.0]).tolist() == [
        [0, 0], [0, 0], [1, 0.5], [1, 1], [1, 1.5], [1, 1.5],
    ]  # fmt: skip
    # At a waypoint the speed is the one after it; beyond the times nothing moves.
    assert program.speed([0.9, 1.0, 1.5, 2.0, 4.1]).tolist() == [[0, 0], [1, 0.5], [1, 0.5], [0, 0.5], [0, 0]]
    assert program.speed(3.0).tolist() == [0, 0.5]
    assert (program.t_start, program.t_end, program.knots.tolist()) == (1.0, 4.0, [1, 2, 4])
    assert program.interpolation == "linear"
    assert program.robot is robot
    assert program.qd is None


def test_what_users_see_cannot_be_written_to(robot: kc.Robot) -> None:
    times, q = np.array([0.0, 1.0]), np.zeros((2, 2))
    program = kc.JointTrajectory(robot, times, q)
    times[0], q[0, 0] = -5.0, 7.0
    assert program.t_start == 0.0
    assert program.at(0.0).tolist() == [0, 0]
    for array in (program.times, program.q, program.knots):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_values_by_name_in_any_order(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [0, 1], {"lift": [0.1, 0.2], "turn": [0.3, 0.4]})
    assert program.q.tolist() == [[0.3, 0.1], [0.4, 0.2]]
    speeds = {"lift": [1.0, 0.0], "turn": [0.0, 2.0]}
    hermite = kc.JointTrajectory(robot, [0, 1], program.q, speeds, "spline")
    assert hermite.speed(0.0).tolist() == [0.0, 1.0]
    assert hermite.speed(1.0).tolist() == pytest.approx([2.0, 0.0])


def test_hermite_follows_the_speeds_it_is_given(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [0, 2], [[0, 0], [1, 1]], [[0, 0.5], [0, 0.5]], "spline")
    # From rest to rest by 3 s^2 - 2 s^3, and evenly where that is what the speeds say.
    assert program.at(0.5).tolist() == pytest.approx([3 / 16 - 2 / 64, 0.25])
    assert program.at(1.0).tolist() == pytest.approx([0.5, 0.5])
    assert program.speed(1.0).tolist() == pytest.approx([0.75, 0.5])


def test_a_natural_spline_bends_nowhere_at_its_ends(robot: kc.Robot) -> None:
    """Through 0, 1, 0 at 0, 1, 2 the natural spline is 1.5 t - 0.5 t^3 on the first piece."""
    program = kc.JointTrajectory(robot, [0, 1, 2], [[0, 0], [1, 0], [0, 0]], interpolation="spline")
    for t in (0.25, 0.5, 0.9):
        assert program.at(t)[0] == pytest.approx(1.5 * t - 0.5 * t**3, abs=1e-15)
        assert program.at(2.0 - t)[0] == pytest.approx(1.5 * t - 0.5 * t**3, abs=1e-15)
    assert program.speed(0.0)[0] == pytest.approx(1.5)
    assert program.speed(1.0)[0] == pytest.approx(0.0, abs=1e-15)


def test_two_waypoints_of_a_spline_are_joined_evenly(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [0, 2], [[0, 0], [1, 1]], interpolation="spline")
    assert program.at(0.5).tolist() == [0.25, 0.25]


def test_one_waypoint_is_rest(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [3.0], [[0.5, 0.2]])
    assert program.at([-1, 3, 9]).tolist() == [[0.5, 0.2]] * 3
    assert program.speed(3.0).tolist() == [0, 0]
    assert np.allclose(program.link("hook").pose(100.0), robot.link_poses([0.5, 0.2])[3], atol=1e-15)
    assert [program.moving_joints(k) for k in range(5)] == [()] * 5


@pytest.mark.parametrize(
    ("hold", "early", "late"),
    [("both", True, True), ("before", True, False), ("after", False, True), ("none", False, False)],
)
def test_holds(robot: kc.Robot, hold: Any, early: bool, late: bool) -> None:
    program = kc.JointTrajectory(robot, [0, 1], [[0, 0], [1, 1]], hold=hold, name="swing")
    link = program.link("hook")
    for t, fine, side in ((-0.5, early, "before"), (1.5, late, "after")):
        for ask in (program.at, program.speed, link.pose):
            if fine:
                ask(t)
            else:
                with pytest.raises(kc.TrajectoryError, match=f"its hold is '{hold}'.*{side}"):
                    ask(t)
    assert link.hold == program.hold == hold


def test_links_that_move_together(robot: kc.Robot) -> None:
    """base, boom, plate, hook, finger: the plate is bolted to the boom, the finger mimics its turn."""
    both = kc.JointTrajectory(robot, [0, 1], [[0, 0], [1, 1]])
    assert [both.moving_joints(k) for k in range(5)] == [(), (1,), (1,), (1, 3), (1, 3, 4)]
    lift = kc.JointTrajectory(robot, [0, 1, 2], [[0, 0], [0, 1], [0, 0]])
    assert [lift.moving_joints(k) for k in range(5)] == [(), (), (), (3,), (3,)]


def test_a_joint_that_moves_between_equal_waypoints_moves(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [0, 1], [[0, 0], [0, 0]], [[1, 0], [1, 0]], "spline")
    assert program.moving_joints(1) == (1,)


def test_outside_limits(robot: kc.Robot) -> None:
    assert kc.JointTrajectory(robot, [0, 4], [[-1, 0], [1, 2]]).outside_limits() == ()
    told = kc.JointTrajectory(robot, [0, 1], [[-1.25, 0], [1, 2.5]]).outside_limits()
    assert told == (
        "joint 'turn' gets to -1.25 rad, below its limit -1 rad",
        "joint 'turn' moves at 2.25 rad/s, faster than its limit 0.5 rad/s",
        "joint 'lift' gets to 2.5 m, above its limit 2 m",
    )


def test_limits_between_waypoints_of_a_spline(robot: kc.Robot) -> None:
    """A swing that leaves 0 at 0.4 and comes back reaches 0.4 (4 / 27) T half way, and is fastest at its ends."""
    T = 40.0
    program = kc.JointTrajectory(robot, [0, T], [[0, 0], [0, 0]], [[0.4, 0], [0, 0]], "spline")
    told = program.outside_limits()
    assert told == (f"joint 'turn' gets to {0.4 * T * 4 / 27:.6g} rad, above its limit 2 rad",)
    back = kc.JointTrajectory(robot, [0, T], [[0, 0], [0, 0]], [[-0.4, 0], [0, 0]], "spline")
    assert back.outside_limits() == (
        f"joint 'turn' gets to {-0.4 * T * 4 / 27:.6g} rad, below its limit -1 rad",
    )
    # From rest to rest over 1 rad in 2 s the speed is 0.75 in the middle, which no waypoint shows.
    fast = kc.JointTrajectory(robot, [0, 2], [[0, 0], [1, 0]], np.zeros((2, 2)), "spline")
    assert fast.outside_limits() == ("joint 'turn' moves at 0.75 rad/s, faster than its limit 0.5 rad/s",)


def test_motions_are_made_once(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [0, 1], [[0, 0], [1, 1]])
    assert program.link("hook") is program.link("hook")
    X = np.eye(4)
    X[0, 3] = 1.0
    assert program.link("hook", X) is not program.link("hook")
    assert program.link("hook", None, X) is not program.link("hook")
    assert program.link("hook", None, X) is not program.link("hook", X)
    assert program.relative("boom", "hook") is not program.link("hook")


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (([0, 1], [[0, 0, 0], [0, 0, 0]]), kc.TrajectoryError, "of shape (2, 2), a row for each time"),
        (([0, 1], [[0, 0]]), kc.TrajectoryError, "has shape (1, 2)"),
        (([0, 1], [["a", "b"], ["c", "d"]]), kc.TrajectoryError, "each of the joints turn, lift"),
        (([0, 1], [[0, 0], [0, math.nan]]), kc.TrajectoryError, "q[1] of joint 'lift' is nan"),
        (([0, 1], [[0, 0], [2e6, 0]]), kc.TrajectoryError, "q[1] of joint 'turn' is 2000000.0"),
        (([0, 0], [[0, 0], [0, 0]]), kc.TrajectoryError, "times must increase"),
        (([0, 1], {"turn": [0, 1]}), kc.TrajectoryError, "q lacks the 1 joint lift"),
        (([0, 1], {"turn": [0, 1], "lfit": [0, 1]}), kc.UnknownNameError, "did you mean 'lift'"),
        (([0, 1], {"turn": [0, 1], "lift": [0]}), kc.TrajectoryError, "turn 2, lift 1"),
        (([0, 1], [[0, 0], [0, 0]], [[0, 0], [0, 0]]), kc.ArgumentError, '"linear" has no use for speeds'),
        (([0, 1], [[0, 0], [0, 0]], None, "cubic"), kc.ArgumentError, "'linear' or 'spline'"),
        (([0, 1], [[0, 0], [0, 0]], [[0, 0], [0, math.inf]], "spline"), kc.TrajectoryError, "qd[1] of joint"),
        (([0, 1], [[0, 0], [2e6, 0]]), kc.TrajectoryError, "radians or metres from -1e+06 to 1e+06."),
    ],
)
def test_what_is_refused(robot: kc.Robot, arguments: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        kc.JointTrajectory(robot, *arguments, name="swing")
    assert text in str(caught.value)
    assert "swing" in str(caught.value)


def test_questions_that_are_refused(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [0, 1], [[0, 0], [1, 1]])
    with pytest.raises(kc.UnknownNameError, match=r"no link 'hok'.*did you mean 'hook'"):
        program.link("hok")
    with pytest.raises(kc.ArgumentError, match="X_WB must be one pose"):
        program.link("hook", np.tile(np.eye(4), (2, 1, 1)))
    with pytest.raises(kc.ArgumentError, match="t must be a time or an array of times"):
        program.at("soon")
    with pytest.raises(kc.ArgumentError, match=r"t\[1\] is nan, which is not a time"):
        program.at([0.0, math.nan])
    with pytest.raises(kc.ArgumentError, match=r"robot must come from kc\.read_robot"):
        kc.JointTrajectory("crane", [0, 1], [[0, 0], [1, 1]])  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="name must be a string"):
        kc.JointTrajectory(robot, [0, 1], [[0, 0], [1, 1]], name=3)  # type: ignore[arg-type]


def test_how_it_prints(robot: kc.Robot) -> None:
    program = kc.JointTrajectory(robot, [0, 2], [[0, 0], [1, 1]], name="swing")
    assert repr(program) == "JointTrajectory('swing', 2 waypoints from 0 to 2 s, 'linear')"
    assert repr(program.link("hook")) == "LinkMotion('hook' from 0 to 2 s)"
