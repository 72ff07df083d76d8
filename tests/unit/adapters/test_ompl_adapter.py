"""The doors of kc.plan: what they need, what they refuse, and the space of a robot's joints."""

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.adapters.small_robots import CRANE, LEVER, MIMIC, crane_world, lever_world, read

import keepclear as kc


def test_without_ompl_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ompl", None)
    world = lever_world(tmp_path)
    for ask in (kc.plan.motion_validator, kc.plan.validity_checker):
        with pytest.raises(kc.MissingPackageError, match=r'pip install "keepclear\[plan\]"'):
            ask(world, "lever", None)
    with pytest.raises(kc.MissingPackageError, match=r"keepclear\[plan\]"):
        kc.plan.joint_space(read(tmp_path, CRANE.format(slew="revolute")))


def test_the_package_is_imported_without_ompl() -> None:
    code = "import sys, keepclear as kc; kc.plan.motion_validator; print('ompl' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


@pytest.fixture
def ob() -> Any:
    return pytest.importorskip("ompl.base", reason="ompl is not installed (extra plan)")


def test_joints_with_limits_make_a_vector_space(ob: Any, tmp_path: Path) -> None:
    space = kc.plan.joint_space(read(tmp_path, CRANE.format(slew="revolute")))
    assert type(space) is ob.RealVectorStateSpace
    assert [space.getDimensionName(k) for k in range(2)] == ["slew", "reach"]
    assert (space.getBounds().low, space.getBounds().high) == ([-2.0, 0.2], [2.0, 1.5])


def test_a_joint_without_limits_becomes_an_angle(ob: Any, tmp_path: Path) -> None:
    space = kc.plan.joint_space(read(tmp_path, CRANE.format(slew="continuous")))
    assert type(space) is ob.CompoundStateSpace
    assert [type(one) for one in space.getSubspaces()] == [ob.RealVectorStateSpace, ob.SO2StateSpace]
    assert space.getSubspace(1).getName() == "slew"


@pytest.mark.usefixtures("ob")
def test_one_name_is_no_list_of_joints(tmp_path: Path) -> None:
    robot = replace(read(tmp_path, CRANE.format(slew="revolute")), groups={"boom": ("reach",)})
    with pytest.raises(kc.ArgumentError, match=r"it is 'boom'; give robot\.groups\['boom'\]\."):
        kc.plan.joint_space(robot, "boom")
    with pytest.raises(kc.ArgumentError, match=r"it is 'reach'; give a list, such as robot\.joint_names\."):
        kc.plan.joint_space(robot, "reach")


@pytest.mark.usefixtures("ob")
def test_some_joints_make_a_smaller_space(tmp_path: Path) -> None:
    world = crane_world(tmp_path)
    space = kc.plan.joint_space(read(tmp_path, CRANE.format(slew="revolute")), ["reach"])
    assert space.getDimension() == 1
    with pytest.raises(
        kc.ArgumentError, match="the space lacks slew; give the values of these joints with others="
    ):
        kc.plan.motion_validator(world, "crane", space)
    first, second = space.allocState(), space.allocState()
    first[0], second[0] = 0.5, 1.5
    for slew, is_clear in ((0.0, False), (1.0, True)):
        validator = kc.plan.motion_validator(world, "crane", space, others=[slew, 0.5])
        assert validator.checkMotion(first, second) is is_clear
        checker = kc.plan.validity_checker(world, "crane", space, others=[slew, 0.5])
        checker.write_state(second, [7.0, 1.0])
        assert checker.isValid(second) is is_clear
        second[0] = 1.5


@pytest.mark.usefixtures("ob")
def test_joints_that_no_space_holds_are_named(tmp_path: Path) -> None:
    robot = read(tmp_path, LEVER.format(kind="continuous", more=MIMIC.format(0.5)))
    with pytest.raises(kc.ArgumentError, match="joint 'turn' has limits -inf to inf, and no space holds"):
        kc.plan.joint_space(robot)
    with pytest.raises(kc.UnknownNameError, match="no independent joint 'tun'; did you mean 'turn'"):
        kc.plan.joint_space(robot, ["tun"])
    with pytest.raises(kc.ArgumentError, match=r"robot must be a kc\.Robot"):
        kc.plan.joint_space("lever")  # type: ignore[arg-type]


def test_bad_arguments_are_named(ob: Any, tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    space = ob.RealVectorStateSpace(1)
    for ask in (kc.plan.motion_validator, kc.plan.validity_checker):
        with pytest.raises(kc.UnknownNameError, match="has no object 'levr'"):
            ask(world, "levr", space)
        with pytest.raises(kc.ArgumentError, match="'post' is an object without joints"):
            ask(world, "post", space)
        with pytest.raises(kc.ArgumentError, match=r"world must be a kc\.World"):
            ask("world", "lever", space)  # type: ignore[arg-type]
        with pytest.raises(
            kc.ArgumentError, match="space must be a SpaceInformation or a state space of OMPL"
        ):
            ask(world, "lever", "space")
        with pytest.raises(kc.ArgumentError, match=r"has 1 joints \(turn\), but the space has 7 dimensions"):
            ask(world, "lever", ob.RealVectorStateSpace(7))
        with pytest.raises(kc.ArgumentError, match="margin"):
            ask(world, "lever", space, margin=-1.0)
        with pytest.raises(kc.ArgumentError, match="t must be"):
            ask(world, "lever", space, t=math.nan)
    for options in ({"tolerance": 0.0}, {"budget": 0}):
        with pytest.raises(kc.ArgumentError, match=next(iter(options))):
            kc.plan.motion_validator(world, "lever", space, **options)
