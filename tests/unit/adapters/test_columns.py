"""Numbers of states become joints, in whatever order and kind of space they come."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.adapters.small_robots import CRANE, LEVER, MIMIC, lever, read

import keepclear as kc

ob = pytest.importorskip("ompl.base", reason="ompl is not installed (extra plan)")
from keepclear.adapters.ompl import JointColumns, wraps  # noqa: E402


def vector(*names: str) -> Any:
    space = ob.RealVectorStateSpace(len(names))
    space.setBounds(-2.0, 2.0)
    for k, name in enumerate(names):
        space.setDimensionName(k, name)
    return space


def angle(name: str | None = None) -> Any:
    space = ob.SO2StateSpace()
    if name is not None:
        space.setName(name)
    return space


def joined(*spaces: Any) -> Any:
    space = ob.CompoundStateSpace()
    for one in spaces:
        space.addSubspace(one, 1.0)
    return space


@pytest.fixture
def crane(tmp_path: Path) -> kc.Robot:
    return read(tmp_path, CRANE.format(slew="continuous"))


@pytest.mark.parametrize(
    "space",
    [
        vector("", ""),
        vector("slew", "reach"),
        vector("reach", "slew"),
        joined(angle(), vector("")),
        joined(vector("reach"), angle("slew")),
        joined(joined(vector("reach")), joined(angle("slew"))),
    ],
    ids=["order", "names", "other order", "angle", "named angle", "nested"],
)
def test_a_configuration_is_read_as_it_was_written(space: Any, crane: kc.Robot) -> None:
    columns = JointColumns("crane", crane, space)
    state = space.allocState()
    columns.write(state, np.array([0.5, 1.25]))
    assert columns.configuration(state).tolist() == [[0.5, 1.25]]


def test_names_decide_which_number_is_which_joint(crane: kc.Robot) -> None:
    space = vector("reach", "slew")
    state = space.allocState()
    state[0:2] = [1.25, 0.5]
    assert JointColumns("crane", crane, space).configuration(state).tolist() == [[0.5, 1.25]]


@pytest.mark.parametrize("others", [[0.75, 0.0], {"slew": 0.75, "reach": 0.0}, {"slew": 0.75}])
def test_joints_that_the_space_lacks_are_where_others_says(crane: kc.Robot, others: Any) -> None:
    space = vector("reach")
    columns = JointColumns("crane", crane, space, others=others)
    state = space.allocState()
    columns.write(state, np.array([0.1, 1.25]))
    assert state[0] == 1.25
    assert columns.configuration(state).tolist() == [[0.75, 1.25]]


@pytest.mark.parametrize(("end", "reached"), [(-3.0, -3.0 + math.tau), (3.1, 3.1), (0.0, 0.0), (-0.1, -0.1)])
def test_angles_end_where_ompl_interpolates_to(end: float, reached: float, tmp_path: Path) -> None:
    space = angle()
    columns = JointColumns("lever", lever(tmp_path, "continuous"), space)
    first, second, middle = (space.allocState() for _ in range(3))
    first.value, second.value = 3.0, end
    q0, q1 = columns.edge(first, second)
    assert (q0.tolist(), q1.tolist()) == ([[3.0]], [[reached]])
    for s in (0.25, 0.5, 0.75):
        space.interpolate(first, second, s, middle)
        apart = math.remainder(middle.value - (q0 + s * (q1 - q0)).item(), math.tau)
        assert apart == pytest.approx(0.0, abs=1e-14)


def test_waypoints_go_on_beyond_a_turn(tmp_path: Path) -> None:
    space = angle()
    columns = JointColumns("lever", lever(tmp_path, "continuous"), space)
    states = []
    for k in range(9):  # two turns in steps of a quarter
        state = space.allocState()
        columns.write(state, np.array([0.5 * math.pi * k]))
        assert abs(state.value) <= math.pi
        states.append(state)
    assert columns.waypoints(states)[:, 0] == pytest.approx(0.5 * math.pi * np.arange(9), abs=1e-14)
    assert columns.waypoints([]).shape == (0, 1)


@pytest.mark.parametrize(("multiplier", "is_same"), [(-2.0, True), (0.5, False)])
def test_a_joint_wraps_if_all_that_mimic_it_do(multiplier: float, is_same: bool, tmp_path: Path) -> None:
    text = LEVER.format(kind="continuous", more=MIMIC.format(multiplier))
    assert wraps(read(tmp_path, text), 0) is is_same


def test_a_joint_with_limits_does_not_wrap(tmp_path: Path) -> None:
    robot = lever(tmp_path)
    assert not wraps(robot, 0)
    with pytest.raises(kc.ArgumentError, match="joint 'turn' does not repeat after 360 degrees"):
        JointColumns("lever", robot, angle())


@pytest.mark.parametrize(
    ("space", "text"),
    [
        (vector(""), r"has 2 joints \(slew, reach\), but the space has 1 dimensions"),
        (vector("", "", ""), "but the space has 3 dimensions"),
        (vector("slew"), "the space lacks reach; give the values of these joints with others="),
        (vector("slew", ""), "a dimension without a name"),
        (vector("slew", "raech"), "dimension 'raech', which is not a joint; did you mean 'reach'"),
        (vector("slew", "slew"), "joint 'slew' twice"),
        (ob.SE2StateSpace(), "motions of a SE2StateSpace may not be straight in joint space"),
        (ob.DubinsStateSpace(), "motions of a DubinsStateSpace"),
        (joined(angle("slew"), ob.TimeStateSpace()), "motions of a TimeStateSpace"),
    ],
)
def test_a_space_of_other_things_is_refused(space: Any, text: str, crane: kc.Robot) -> None:
    with pytest.raises(kc.ArgumentError, match=text):
        JointColumns("crane", crane, space)


def test_a_derived_space_may_interpolate_otherwise_and_is_refused(crane: kc.Robot) -> None:
    class Curved(ob.RealVectorStateSpace):
        pass

    with pytest.raises(kc.ArgumentError, match="motions of a Curved may not be straight"):
        JointColumns("crane", crane, Curved(2))


def test_others_names_all_that_the_space_lacks(crane: kc.Robot) -> None:
    with pytest.raises(kc.ArgumentError, match="others has no value for 1 joint: slew"):
        JointColumns("crane", crane, vector("reach"), others={"reach": 0.5})
    with pytest.raises(kc.UnknownNameError, match="others names 'slow', which is not an independent joint"):
        JointColumns("crane", crane, vector("reach"), others={"slow": 0.5})


def test_others_and_q_are_one_configuration(crane: kc.Robot) -> None:
    with pytest.raises(kc.ArgumentError, match="others must be one configuration, but it has 2"):
        JointColumns("crane", crane, vector("reach"), others=[[0.0, 1.0], [0.0, 1.0]])
    with pytest.raises(kc.ArgumentError, match="a dimension without a name"):
        JointColumns("crane", crane, vector(""), others=[0.0, 1.0])
    space = vector("slew", "reach")
    with pytest.raises(kc.ArgumentError, match="a state holds one configuration, but q has 2"):
        JointColumns("crane", crane, space).write_checked(space.allocState(), [[0.0, 1.0], [0.0, 1.0]])
