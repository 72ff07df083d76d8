"""OMPL's validators accept what is proved clear, and nothing else."""

import gc
import math
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.adapters.small_robots import CRANE, TOUCH, at, crane_world, lever, lever_world, read

import keepclear as kc

ob = pytest.importorskip("ompl.base", reason="ompl is not installed (extra plan)")
from ompl import geometric as og  # noqa: E402
from ompl import util as ou  # noqa: E402

ou.setLogLevel(ou.LOG_ERROR)
ou.RNG.setSeed(3)  # once for a process, before anything is drawn


def information(world: kc.World, name: str) -> Any:
    """A SpaceInformation over the joints of a robot, with both validators."""
    robot = world._robot_tables(name, 0.0)[0].robot
    si = ob.SpaceInformation(kc.plan.joint_space(robot))
    si.setMotionValidator(kc.plan.motion_validator(world, name, si))
    si.setStateValidityChecker(kc.plan.validity_checker(world, name, si))
    si.setup()
    return si


def state(si: Any, *q: float) -> Any:
    found = si.allocState()
    si.getMotionValidator().write_state(found, q)
    return found


def path_of(si: Any, *rows: tuple[float, ...]) -> Any:
    path = og.PathGeometric(si)
    for q in rows:
        path.append(state(si, *q))
    return path


def test_a_motion_up_to_the_post_is_accepted_and_one_through_it_is_not(tmp_path: Path) -> None:
    si = information(lever_world(tmp_path), "lever")
    start = state(si, 0.0)
    assert si.checkMotion(start, state(si, TOUCH - 0.002))
    assert not si.checkMotion(start, state(si, TOUCH + 0.002))
    assert not si.checkMotion(start, state(si, 2.0))  # both ends are free
    assert si.isValid(start)
    assert si.isValid(state(si, 2.0))
    assert not si.isValid(state(si, math.pi / 4))


def test_the_clearance_of_a_state_is_a_lower_bound(tmp_path: Path) -> None:
    si = information(lever_world(tmp_path), "lever")
    found = si.getStateValidityChecker().clearance(state(si, 0.0))
    truth = 0.8 * math.sqrt(0.5) - 0.1  # from the side of the lever to the post
    assert 0.9 * truth < found <= truth + 1e-12
    assert si.getStateValidityChecker().clearance(state(si, math.pi / 4)) == 0.0


def test_margin_tolerance_t_and_budget_count(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    gone = kc.PoseTrajectory([0.0, 1.0], [at(0.8 * math.sqrt(0.5), 0.8 * math.sqrt(0.5)), at(5.0)], "screw")
    world.move("post", gone)
    robot = world._robot_tables("lever", 0.0)[0].robot
    space = kc.plan.joint_space(robot)
    start, end = space.allocState(), space.allocState()
    start[0], end[0] = 0.0, TOUCH - 0.1

    def accepts(**options: Any) -> bool:
        return kc.plan.motion_validator(world, "lever", space, **options).checkMotion(start, end)

    def is_valid(**options: Any) -> bool:
        return kc.plan.validity_checker(world, "lever", space, **options).isValid(end)

    assert accepts()
    assert not accepts(margin=0.2)
    assert accepts(margin=0.2, t=1.0)
    assert accepts(tolerance=1e-6, margin=0.07)
    assert not accepts(tolerance=1e-6, margin=0.07, budget=1)
    assert is_valid()
    assert not is_valid(margin=0.2)
    assert is_valid(margin=0.2, t=1.0)


def test_a_motion_beyond_half_a_turn_takes_the_shorter_arc(tmp_path: Path) -> None:
    world = lever_world(tmp_path, "continuous")
    si = information(world, "lever")
    assert si.checkMotion(state(si, 3.0), state(si, -3.0))
    assert not si.checkMotion(state(si, 1.5), state(si, -1.5))
    assert world.check_edges("lever", [[3.0]], [[-3.0]]).colliding.all()
    validator = si.getMotionValidator()
    path = path_of(si, (3.0,), (-3.0,), (-1.0,))
    assert validator.configurations(path)[:, 0] == pytest.approx([3.0, math.tau - 3.0, math.tau - 1.0])
    assert validator.check_path(path).clear.all()


def test_the_last_valid_state_is_reached_by_a_motion_that_is_accepted(tmp_path: Path) -> None:
    si = information(crane_world(tmp_path), "crane")
    validator = si.getMotionValidator()
    first, second, last = state(si, -1.0, 1.0), state(si, 1.0, 1.0), si.allocState()
    accepted, part = validator.checkMotionWithLastValid(first, second, last)
    assert not accepted
    assert validator.checkMotion(first, last)
    contact = 0.5 - 0.5 * math.asin(0.1)  # corner of the hook, roughly
    assert 0.9 * contact < part < 0.5
    assert last[0:2] == pytest.approx([-1.0 + 2.0 * part, 1.0])
    assert validator.checkMotionWithLastValid(first, second, second) == (False, part)
    assert second[0:2] == last[0:2]
    assert validator.checkMotionWithLastValid(first, last, None) == (True, 1.0)


def test_no_part_of_a_motion_that_starts_in_contact_is_valid(tmp_path: Path) -> None:
    si = information(crane_world(tmp_path), "crane")
    first, second, last = state(si, 0.0, 1.0), state(si, 1.0, 1.0), si.allocState()
    assert si.getMotionValidator().checkMotionWithLastValid(first, second, last) == (False, 0.0)
    assert last[0:2] == [0.0, 1.0]


def test_motions_are_counted(tmp_path: Path) -> None:
    si = information(lever_world(tmp_path), "lever")
    validator = si.getMotionValidator()
    assert validator.getValidMotionFraction() == 0.0
    si.checkMotion(state(si, 0.0), state(si, 0.1))
    si.checkMotion(state(si, 0.0), state(si, 0.2))
    si.checkMotion(state(si, 0.0), state(si, 1.0))
    assert (validator.getValidMotionCount(), validator.getInvalidMotionCount()) == (2, 1)
    assert validator.getCheckedMotionCount() == 3
    assert validator.getValidMotionFraction() == pytest.approx(2 / 3)
    validator.resetMotionCounter()
    assert validator.getCheckedMotionCount() == 0


def test_a_path_is_checked_segment_by_segment(tmp_path: Path) -> None:
    si = information(crane_world(tmp_path), "crane")
    validator = si.getMotionValidator()
    around = path_of(si, (-1.0, 1.0), (-1.0, 0.5), (1.0, 0.5), (1.0, 1.0))
    assert validator.check_path(around).clear.tolist() == [True] * 3
    through = path_of(si, (-1.0, 0.5), (-1.0, 1.0), (1.0, 1.0))
    assert validator.check_path(through).clear.tolist() == [True, False]
    assert validator.check_path(path_of(si, (0.0, 1.0))).clear.tolist() == [False]
    assert len(validator.check_path(og.PathGeometric(si))) == 0


@pytest.mark.parametrize(
    ("slew", "planner"),
    [
        ("revolute", "RRTConnect"),
        ("revolute", "KPIECE1"),
        ("continuous", "RRTConnect"),
        ("continuous", "PRM"),
    ],
)
def test_planners_find_certified_paths_around_the_post(slew: str, planner: str, tmp_path: Path) -> None:
    si = information(crane_world(tmp_path, slew), "crane")
    problem = ob.ProblemDefinition(si)
    problem.setStartAndGoalStates(state(si, -0.5, 1.0), state(si, 0.5, 1.0))
    search = getattr(og, planner)(si)
    search.setProblemDefinition(problem)
    search.setup()
    search.solve(5.0)
    path = problem.getSolutionPath()
    validator = si.getMotionValidator()
    assert validator.check_path(path).clear.all()
    q = validator.configurations(path)
    assert q[0] == pytest.approx([-0.5, 1.0])
    assert np.cos(q[-1, 0] - 0.5) == pytest.approx(1.0)
    assert len(q) > 2


def test_what_goes_wrong_in_a_question_comes_out_of_the_planner(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    si = information(world, "lever")
    bad = state(si, 0.0)
    bad[0] = math.nan
    with pytest.raises(kc.ArgumentError, match="joint 'turn' of configuration 0 is nan"):
        si.checkMotion(bad, bad)
    with pytest.raises(kc.ArgumentError, match="is nan"):
        si.isValid(bad)
    world.remove("lever")
    with pytest.raises(kc.UnknownNameError, match="lever"):
        si.checkMotion(state(si, 0.0), state(si, 0.1))


@pytest.mark.filterwarnings("ignore:.*no pair is checked")
def test_changes_of_the_world_count_from_the_next_motion_on(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    si = information(world, "lever")
    first, second = state(si, 0.0), state(si, 1.0)
    assert not si.checkMotion(first, second)
    world.remove("post")
    assert si.checkMotion(first, second)


def test_another_robot_by_the_same_name_is_matched_anew(tmp_path: Path) -> None:
    world = crane_world(tmp_path)
    si = information(world, "crane")
    first, second = state(si, -1.0, 1.0), state(si, -1.0, 0.5)
    assert si.checkMotion(first, second)
    text = CRANE.format(slew="revolute")
    cut, end = text.index('<joint name="slew"'), text.index('<joint name="reach"')
    swapped = text[:cut] + text[end:].replace("</robot>", text[cut:end] + "</robot>")
    world.remove("crane")
    world.add_robot("crane", read(tmp_path, swapped))
    assert world._robot_tables("crane", 0.0)[0].robot.joint_names == ("reach", "slew")
    assert si.checkMotion(first, second)  # the dimensions have names
    assert not si.checkMotion(state(si, 1.0, -1.0), state(si, 1.0, 1.0))
    world.remove("crane")
    world.add_robot("crane", lever(tmp_path))
    with pytest.raises(kc.ArgumentError, match="dimension 'slew', which is not a joint"):
        si.checkMotion(first, second)
    with pytest.raises(kc.ArgumentError, match="dimension 'slew', which is not a joint"):
        si.isValid(first)
    world.remove("crane")
    world.add("crane", kc.Sphere(0.1))
    with pytest.raises(kc.ArgumentError, match="object without joints"):
        si.checkMotion(first, second)


def test_validators_are_freed_with_their_space_information(tmp_path: Path) -> None:
    si = information(lever_world(tmp_path), "lever")
    kept = weakref.ref(si.getMotionValidator()), weakref.ref(si.getStateValidityChecker())
    del si
    gc.collect()
    assert [one() for one in kept] == [None, None]
