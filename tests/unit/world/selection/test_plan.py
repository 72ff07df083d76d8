"""Which pairs are checked, when and with which margin; which rest, and which are not checked and why."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, number, scene, slider, swing, timeline, way

import keepclear as kc
from keepclear.scene.lag import PARTS, PathErrors, fastest, tolerance_of
from keepclear.world.selection.plan import PairPlan, checked_pairs, plan_pairs, resting_pairs

INF = math.inf


def planned(
    world: kc.World, t0: float, t1: float
) -> tuple[dict[tuple[str, str], PairPlan], set[Any], list[Any]]:
    """Plans and resting pairs by names, and what is not checked."""
    tables = scene(world)
    steps = tables.steps(t0, t1)
    pairs, _, total = checked_pairs(tables, steps, 0.0)
    table = plan_pairs(tables, pairs, t0, t1)
    assert total == len(pairs) == len(table)
    resting, count = resting_pairs(tables, steps, 1e6)  # however far apart they are
    assert count == len(resting)
    names = [item.name for item in tables.items]
    plans = [table.plan(k) for k in range(len(table))]
    by_name = {(names[plan.i], names[plan.j]): plan for plan in plans if plan.checked or plan.at_rest}
    return by_name, {(names[i], names[j]) for i, j in resting.tolist()}, tables.pair_rules.unchecked


def rows(plan: PairPlan) -> list[tuple[float, float, float]]:
    return [tuple(window) for window in plan.checked]


def moving_world() -> kc.World:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 2], (0, 0, 0), (2, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0, 1))
    world.add("c", kc.Sphere(0.1), at(0, 2))
    return world


def test_what_moves_is_checked_and_what_rests_is_not() -> None:
    plans, resting, unchecked = planned(moving_world(), 0.0, 2.0)
    assert {pair: rows(plan) for pair, plan in plans.items()} == {
        ("a", "b"): [(0, 2, 0)],
        ("a", "c"): [(0, 2, 0)],
    }
    assert resting == {("b", "c")}
    assert unchecked == []


def resting_world() -> kc.World:
    world = moving_world()
    world.move("a", at(0, 0))
    return world


def test_where_nothing_ever_moves_everything_is_checked() -> None:
    for t0, t1 in ((2.0, 5.0), (1.0, 1.0)):
        plans, resting, _ = planned(resting_world(), t0, t1)
        assert set(plans) == {("a", "b"), ("a", "c"), ("b", "c")}
        assert resting == set()


def test_the_interval_does_not_decide_who_rests() -> None:
    """The ball has arrived at 2 s: from there on it is checked, and the others are listed, as before."""
    for t0, t1 in ((2.0, 5.0), (1.0, 1.0)):
        plans, resting, _ = planned(moving_world(), t0, t1)
        assert {pair: rows(plan) for pair, plan in plans.items()} == {
            ("a", "b"): [(t0, t1, 0)],
            ("a", "c"): [(t0, t1, 0)],
        }
        assert resting == {("b", "c")}


def test_until_a_pair_first_moves_it_is_at_rest() -> None:
    """The ball waits until 1 s; at 3 s it has stopped, which is not the start."""
    world = moving_world()
    world.move("a", way([0, 1, 3, 4], (0, 0, 0), (0, 0, 0), (2, 0, 0), (2, 0, 0)))
    plans, _, _ = planned(world, -1.0, 5.0)
    assert [rest[:3] for rest in plans["a", "b"].at_rest] == [(-1, 1, 0)]
    assert rows(plans["a", "b"]) == [(1, 5, 0)]
    plans, _, _ = planned(world, -1.0, 1.0)
    assert [rest[:3] for rest in plans["a", "b"].at_rest] == [(-1, 1, 0)]
    assert rows(plans["a", "b"]) == []


def test_where_nothing_moves_allowed_windows_are_left_out_too() -> None:
    world = resting_world()
    world.allow("b", "c", t_from=3.0, t_to=4.0)
    plans, _, _ = planned(world, 2.0, 5.0)
    assert rows(plans["b", "c"]) == [(2, math.nextafter(3, 0), 0), (math.nextafter(4, 9), 5, 0)]
    assert plans["b", "c"].at_rest == []


def test_allowed_windows_are_left_out_with_their_ends() -> None:
    world = moving_world()
    world.allow("b", "a", t_from=0.5, t_to=1.0, reason="gripping")
    world.allow("a", "c")
    plans, _, unchecked = planned(world, 0.0, 2.0)
    assert rows(plans["a", "b"]) == [(0, math.nextafter(0.5, 0), 0), (math.nextafter(1, 2), 2, 0)]
    assert ("a", "c") not in plans
    told = {(u.a, u.b): (u.reason, u.detail, u.t_from, u.t_to) for u in unchecked}
    assert told == {("a", "b"): ("allowed", "gripping", 0.5, 1.0), ("a", "c"): ("allowed", "", None, None)}


def test_a_pair_that_may_touch_all_the_time_is_only_told() -> None:
    world = moving_world()
    world.allow("a", "b", t_from=-1.0, t_to=2.0)
    plans, _, unchecked = planned(world, 0.0, 2.0)
    assert ("a", "b") not in plans
    assert [(u.t_from, u.t_to) for u in unchecked] == [(-1.0, 2.0)]


def test_only_designated_pairs() -> None:
    world = moving_world()
    world.only([("a", "b")])
    plans, resting, unchecked = planned(world, 0.0, 2.0)
    assert set(plans) == {("a", "b")}
    assert resting == set()
    assert {(u.a, u.b, u.reason) for u in unchecked} == {
        ("a", "c", "not designated"), ("b", "c", "not designated"),
    }  # fmt: skip


def test_margins_and_tolerances_of_paths_add_up() -> None:
    world = moving_world()
    world.set_margin("a", None, 0.01)
    world.set_path_tolerance("a", distance=0.002)
    world.set_path_tolerance("b", distance=0.005)
    plans, _, _ = planned(world, 0.0, 2.0)
    assert rows(plans["a", "b"]) == [(0, 2, pytest.approx(0.017))]
    assert rows(plans["a", "c"]) == [(0, 2, pytest.approx(0.012))]
    assert plans["a", "b"].margin == pytest.approx(0.017)


def test_links_that_robots_let_touch() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1], [0, 1], [0, 1]))
    plans, resting, unchecked = planned(world, 0.0, 1.0)
    assert set(plans) == {("bot/finger", "bot/lamp")}
    assert {(u.a, u.b, u.reason) for u in unchecked} == {
        ("bot/finger", "bot/head", "neighbours"), ("bot/head", "bot/lamp", "neighbours"),
    }  # fmt: skip
    assert resting == set()


def test_two_robots_of_one_file_are_strangers() -> None:
    world = kc.World()
    for name, y in (("one", 0.0), ("two", 5.0)):
        world.add_robot(name, slider(), drive([0, 1], [0, 1]), at(0, y))
    plans, resting, _ = planned(world, 0.0, 1.0)
    assert len([pair for pair in plans if pair[0][:3] != pair[1][:3]]) == 9
    assert resting == {("one/finger", "one/lamp"), ("two/finger", "two/lamp")}


def carried() -> kc.World:
    """A slider at 1 m/s takes a part at 0.5 s and lets it go at 1.5 s."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, 1))
    world.add("wall", kc.Sphere(0.1), at(5, 0, 0))
    world.attach("part", "bot/head", 0.5, 1.5)
    return world


def test_windows_are_cut_where_parent_frames_change() -> None:
    plans, resting, _ = planned(carried(), 0.0, 2.0)
    assert rows(plans["part", "wall"]) == [(0.5, 1.5, 0), (1.5, 2, 0)]
    assert [rest[:3] for rest in plans["part", "wall"].at_rest] == [(0, 0.5, 0)]
    assert rows(plans["bot/head", "part"]) == [(0, 0.5, 0), (0.5, 1.5, 0), (1.5, 2, 0)]
    assert plans["bot/head", "part"].at_rest == []
    assert resting == {("bot/finger", "bot/lamp")}


def test_at_one_instant_what_rides_is_checked() -> None:
    plans, resting, _ = planned(carried(), 1.0, 1.0)
    assert rows(plans["bot/head", "part"]) == [(1, 1, 0)]
    assert resting == {("bot/finger", "bot/lamp")}


def test_who_is_late_is_off_by_time_times_speed() -> None:
    """The ball goes at 1 m/s for 2 s: 0.1 s late is 0.1 m, until 0.1 s after it has arrived."""
    world = moving_world()
    world.set_path_tolerance("a", time=0.1)
    plans, _, _ = planned(world, 0.0, 3.0)
    windows = rows(plans["a", "b"])
    assert windows[0][0] == 0
    assert windows[-1][1] == 3
    assert all(before[1] == then[0] for before, then in itertools.pairwise(windows))
    for t0, _, margin in windows:
        assert margin == pytest.approx(0.1 if t0 - 0.1 < 2.0 else 0.0, rel=1e-6)
    assert windows[-1][2] == 0.0


def test_two_who_are_late_by_the_same_time_are_off_by_both() -> None:
    """Two balls at 1 m/s, each 0.1 s off, are 0.2 m off each other; one object for both times once made it 0.1 m."""
    world = moving_world()
    world.move("b", way([0, 2], (0, 1, 0), (2, 1, 0)))
    lag = 0.1
    world.set_path_tolerance("a", time=lag)
    world.set_path_tolerance("b", time=lag)
    plans, _, _ = planned(world, 0.0, 2.0)
    assert [margin for _, _, margin in rows(plans["a", "b"])] == pytest.approx([0.2] * (PARTS + 2), rel=1e-6)


def test_lags_are_different_for_both() -> None:
    world = moving_world()
    world.move("b", way([0, 2], (0, 1, 0), (4, 1, 0)))  # at 2 m/s
    world.set_path_tolerance("a", time=0.1)
    world.set_path_tolerance("b", time=0.01)
    plans, _, _ = planned(world, 0.0, 2.0)
    assert plans["a", "b"].margin == pytest.approx(0.12, rel=1e-6)


def test_a_part_let_go_may_still_be_under_way() -> None:
    world = carried()
    world.set_path_tolerance("part", time=0.05)
    plans, _, _ = planned(world, 0.0, 2.0)
    windows = rows(plans["part", "wall"])
    margins = {t0: margin for t0, _, margin in windows}
    assert margins[1.5] == pytest.approx(0.05, rel=1e-6)
    assert margins[0.5] == pytest.approx(0.05, rel=1e-6)
    assert [rest[:3] for rest in plans["part", "wall"].at_rest] == [
        (0.0, 0.45, 0.0)
    ]  # early by 0.05 s it moves from 0.45 s on
    assert windows[0][0] == 0.45
    assert windows[0][2] == pytest.approx(0.05, rel=1e-6)
    assert windows[-1][1] == 2.0  # where it was let go stays uncertain
    assert windows[-1][2] == pytest.approx(0.05, rel=1e-6)


def test_what_rides_is_as_far_off_as_what_carries_it() -> None:
    world = carried()
    world.set_path_tolerance("bot", distance=0.005, time=0.01)
    line = timeline(world)
    assert tolerance_of(line, world._rules, number(line, "part")) == (0.005, 0.01)
    assert tolerance_of(line, world._rules, number(line, "wall")) == (0.0, 0.0)
    windows = rows(planned(world, 0.0, 2.0)[0]["part", "wall"])
    off = (
        0.005 + 0.01 * 1.0
    )  # of the robot at 1 m/s, when it takes the part, while it holds it and when it lets go
    margins = {t0: margin for t0, _, margin in windows}
    assert margins[0.5] == pytest.approx(2 * off, rel=1e-6)
    assert margins[1.5] == pytest.approx(2 * off, rel=1e-6)
    assert windows[-1][2] == pytest.approx(2 * off, rel=1e-6)


def test_a_robot_that_is_early_lets_go_beyond_the_place() -> None:
    """It stands while it holds the part and moves on at 1 m/s afterwards: 0.1 s early it takes the part along."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1, 2], [0, 0, 1]))
    world.add("part", kc.Sphere(0.05), at(0, 0, 1))
    world.add("wall", kc.Sphere(0.1), at(5, 0, 0))
    world.attach("part", "bot/head", 0.5, 1.0)
    world.set_path_tolerance("bot", time=0.1)
    plans, _, _ = planned(world, 0.0, 3.0)
    (rest,) = plans[
        "part", "wall"
    ].at_rest  # nothing moves by plan: contact is listed, and all else is checked
    assert rest[:3] == (0, 3, 0)
    assert rest.checked[0].t0 == pytest.approx(0.9)  # before that it cannot move
    assert rest.checked[-1] == (pytest.approx(3 - 2 / PARTS), 3, pytest.approx(0.1, rel=1e-6))


def test_a_robot_that_is_late_at_the_grasp_holds_the_part_elsewhere() -> None:
    """It comes at 1 m/s, takes the part and stands: whoever is 0.1 s late then holds it 0.1 m off for good."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 1, 3], [0, 1, 1]))
    world.add("part", kc.Sphere(0.05), at(1, 0, 1))
    world.add("wall", kc.Sphere(0.1), at(5, 0, 0))
    world.attach("part", "bot/head", 1.0)
    world.set_path_tolerance("bot", time=0.1)
    line = timeline(world)
    (*_, (_, _, off)) = PathErrors(line, world._rules).during(
        number(line, "part"), number(line, "wall"), 1.0, 3.0
    )
    assert off == pytest.approx(0.1, rel=1e-6)
    (*_, (_, _, off)) = PathErrors(line, world._rules).during(
        number(line, "part"), number(line, "bot/head"), 1.0, 3.0
    )
    assert off == pytest.approx(0.1, rel=1e-6)


def test_links_of_one_robot_are_late_together() -> None:
    """The head goes at 1 m/s, the finger at 0.5 m/s on it: only what they do to each other counts."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2], [0, 1]))
    world.set_path_tolerance("bot", time=0.1)
    line = timeline(world)
    errors = PathErrors(line, world._rules)
    for a, b, speed in (("bot/finger", "bot/lamp", 0.5), ("bot/head", "bot/lamp", 0.0)):
        found = errors.during(number(line, a), number(line, b), 0.0, 2.0)
        assert [off for _, _, off in found] == pytest.approx([0.1 * speed] * len(found), rel=1e-6)


def test_a_window_of_one_instant_has_its_lag() -> None:
    world = moving_world()
    world.set_path_tolerance("a", time=0.1)
    plans, _, _ = planned(world, 1.0, 1.0)
    assert rows(plans["a", "b"]) == [(1, 1, pytest.approx(0.1, rel=1e-6))]


def test_speeds_are_bounded_and_not_by_much() -> None:
    robot = swing()
    program = kc.JointTrajectory(robot, [0, 1, 2], [[0], [2], [2]])
    part = timeline_part(robot)
    arm = program.link("arm", None, at(1, 0))  # the ball of 0.1 m, 1 m out: its far side goes at 2.2 m/s
    speeds = fastest(arm, part, -5.0, 5.0)
    for t0, t1 in ((0.2, 0.8), (0.9, 5.0), (-5.0, 0.1)):
        assert 2.2 * (1 - 1e-12) <= speeds.during(t0, t1) <= 2.2 * 1.2
    for t0, t1 in ((1.2, 1.8), (1.0, 2.0), (-5.0, -1.0), (2.5, 5.0)):
        assert speeds.during(t0, t1) == 0.0
    assert fastest(arm, part, 3.0, 5.0).during(3.0, 5.0) == 0.0
    assert fastest(arm, part, 0.4, 0.6).during(0.4, 0.6) <= 2.2 * 1.05


def timeline_part(robot: kc.Robot) -> Any:
    world = kc.World()
    world.add_robot("bot", robot, np.zeros(len(robot.joint_names)))
    return timeline(world).items[0].parts[0]
