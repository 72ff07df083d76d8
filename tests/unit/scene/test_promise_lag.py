"""Bodies that are early or late: errors and first moves known by hand, with speeds that change just outside windows."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, number, slider, timeline, way

import keepclear as kc
from keepclear.scene import frames
from keepclear.scene.lag import PathErrors, Speeds, Stage

INF, LAG = math.inf, 0.25
KNOTS = [0.0, 1.0, 2.0, 3.0]
SPEEDS = (5.0, 1.0, 7.0)
PLACES = [0.0, *itertools.accumulate(SPEEDS)]


def fastest(t0: float, t1: float) -> float:
    """The largest speed within the lag of an interval."""
    spans = zip(itertools.pairwise(KNOTS), SPEEDS, strict=True)
    return max((v for (a, b), v in spans if a < t1 + LAG and b > t0 - LAG), default=0.0)


def world_of(
    late: str, *, lifts: bool = False, held: tuple[float, float] | None = None, places: list[float] = PLACES
) -> kc.World:
    """A slider that moves its head or its finger at these speeds, and may hold a part; one of them may be late."""
    world = kc.World()
    still = [0.0] * len(KNOTS)
    program = drive(KNOTS, still, places) if lifts else drive(KNOTS, places, still)
    world.add_robot("bot", slider(), program)
    world.add("wall", kc.Sphere(0.1), at(9, 9))
    if held is not None:
        world.add("part", kc.Sphere(0.05), at(0, 1))
        world.attach("part", "bot/head", *held)
    world.set_path_tolerance(late, time=LAG)
    return world


def errors(world: kc.World, a: str, b: str, t0: float, t1: float) -> list[tuple[float, float, float]]:
    line = timeline(world)
    return PathErrors(line, world._rules).during(number(line, a), number(line, b), t0, t1)


@pytest.mark.parametrize(("a", "b"), [("bot/head", "wall"), ("wall", "bot/head")])
def test_a_late_link_is_off_by_its_fastest_speed_nearby(a: str, b: str) -> None:
    found = errors(world_of("bot/head"), a, b, 1.0, 2.0)
    for begin, end, off in found:
        assert LAG * fastest(begin, end) <= off <= 1.001 * LAG * fastest(begin, end)
    world = world_of("bot/head")
    line = timeline(world)
    most = PathErrors(line, world._rules).most(number(line, "bot/head"))
    assert LAG * max(SPEEDS) <= most <= 1.001 * LAG * max(SPEEDS)


@pytest.mark.parametrize("order", [1, -1])
def test_links_of_one_robot_are_off_by_their_relative_speed(order: int) -> None:
    pair = ["bot/head", "bot/finger"][::order]
    for begin, end, off in errors(world_of("bot/finger", lifts=True), *pair, 1.0, 2.0):
        assert LAG * fastest(begin, end) <= off <= 1.001 * LAG * fastest(begin, end)


@pytest.mark.parametrize("order", [1, -1])
def test_a_link_may_hold_earlier_or_later(order: int) -> None:
    world = world_of("bot/head", held=(1.0, 2.0))
    pair = ["bot/head", "part"][::order]
    line = timeline(world)
    kept = PathErrors(line, world._rules).at(*(number(line, name) for name in pair), 1.5)
    assert kept >= LAG * fastest(1.0, 1.0)  # it was grasped early or late
    for begin, end, off in errors(world, *pair, 1.0, 2.0):
        if begin - LAG <= 1.0 or end + LAG >= 2.0:
            assert off >= kept + LAG * fastest(begin, end)
        else:
            assert off == kept


@pytest.mark.parametrize("speeds", [(5.0, 1.0, 1.0), (1.0, 5.0, 1.0)])
def test_a_grasped_object_is_off_by_the_speed_before_or_after(speeds: tuple[float, ...]) -> None:
    world = world_of("bot/head", held=(1.0, 3.0), places=[0.0, *itertools.accumulate(speeds)])
    line = timeline(world)
    part = number(line, "part")
    found = PathErrors(line, world._rules)._all_stages(part)
    assert LAG * 5.0 <= found[1].kept <= 1.001 * LAG * 5.0


def test_a_held_object_is_as_late_as_the_link_before_and_after() -> None:
    world = world_of("bot/head", held=(1.0, 2.0))
    line = timeline(world)
    stage = PathErrors(line, world._rules)._all_stages(number(line, "part"))[1]
    assert stage.late(1.0, 1.1) >= LAG * SPEEDS[0]
    assert stage.late(1.9, 2.0) >= LAG * SPEEDS[2]


def test_a_stage_matters_only_within_its_window_and_the_lag() -> None:
    stage = Stage(
        (1.0, 3.0), 0.0, 0.0, LAG, (Speeds(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([9.0, 2, 3, 9])),)
    )
    assert stage.late_in_window(0.5, 0.7) is None
    assert stage.late_in_window(3.3, 3.5) is None
    assert stage.late_in_window(0.5, 0.8) == LAG * 2.0
    assert stage.late_in_window(3.2, 3.5) == LAG * 3.0
    assert stage.late_in_window(0.0, 9.0) == LAG * 3.0


def history(world: kc.World, name: str, *, is_exact: bool) -> tuple[frames.Run, ...]:
    line = timeline(world)
    return frames._history(line, world._rules, number(line, name), {}, is_exact=is_exact)


def test_runs_of_a_held_object_whose_link_may_be_late() -> None:
    world = world_of("bot/head", held=(1.0, 2.0))
    line = timeline(world)
    part, robot = number(line, "part"), line.robots["bot"]
    moving = ((id(robot),), *robot.program.moving_joints(robot.robot.link_names.index("head")))
    planned = (-INF, ()), (1.0, moving), (2.0, ())
    assert history(world, "part", is_exact=True) == planned
    assert history(world, "part", is_exact=False) == (
        (-INF, ()), (0.75, ("changes", part, 1)), (1.25, moving), (1.75, ("changes", part, 2)), (2.25, ()),
    )  # fmt: skip
    assert history(world, "bot/head", is_exact=False) == ((-INF, ()), (-0.25, moving), (3.25, ()))


def test_runs_of_an_object_that_jumps_into_a_resting_hand() -> None:
    world = kc.World()
    world.add_robot("bot", slider())
    world.add("part", kc.Sphere(0.05), at(0, 1))
    world.attach("part", "bot/head", 1.0, 2.0, X_LA=at(0, 2))
    part = number(timeline(world), "part")
    assert history(world, "part", is_exact=True) == (
        (-INF, ()), (1.0, ("changes", part, 1)), (math.nextafter(1.0, INF), ()),
    )  # fmt: skip


def test_windows_of_motion_are_wider_by_the_lag() -> None:
    times, moves = np.arange(5.0), np.array([True, False, True, False])
    assert frames._moving(times, moves, 0.0) == [(0.0, 1.0), (2.0, 3.0)]
    assert frames._moving(times, moves, 0.25) == [(-0.25, 1.25), (1.75, 3.25)]
    assert frames._moving(times, moves, 0.6) == [(-0.6, 3.6)]
    # Those of one window meet the next one only because both are wider.
    assert frames._moving(times, moves, 0.5) == [(-0.5, 3.5)]


@pytest.mark.parametrize("order", [1, -1])
def test_whoever_may_be_early_moves_earlier(order: int) -> None:
    world = kc.World()
    world.add("wall", kc.Sphere(0.1), at(9, 9))
    world.add("cart", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0), (0, 0, 0), (1, 0, 0)))
    world.set_path_tolerance("cart", time=LAG)
    line = timeline(world)
    i, j = (number(line, name) for name in ["wall", "cart"][::order])
    found = frames.Frames(line, world._rules)
    assert found.first_move(i, j) == found.may_move(i, j) == 1.0 - LAG
