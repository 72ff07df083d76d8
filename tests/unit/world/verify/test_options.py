"""What is asked of a world is checked at its door, with errors that name the thing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, drive, slider, swing, way

import keepclear as kc
from keepclear.checks import checked_interval, checked_window
from keepclear.scene.coverage import span_of
from keepclear.scene.programs import checked_program


def world_of_all() -> kc.World:
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([1, 3], (0, 0, 0), (1, 0, 0)))
    world.add("table", kc.Sphere(0.1), at(0, 5))
    world.add_robot("bot", slider(), drive([2, 5], [0, 1]), at(0, 9))
    return world


def test_windows() -> None:
    assert checked_window(None, None, "x") == (-math.inf, math.inf)
    assert checked_window(1, None, "x") == (1, math.inf)
    assert checked_window(None, 2, "x") == (-math.inf, 2)
    assert checked_window(1, 1, "x") == (1, 1)
    with pytest.raises(kc.ArgumentError, match="x: it begins at 2 s, after its end at 1 s"):
        checked_window(2, 1, "x")
    with pytest.raises(kc.ArgumentError, match="x: t_to must be a finite number of seconds, but it is nan"):
        checked_window(2, math.nan, "x")
    with pytest.raises(kc.ArgumentError, match="x: t_from must be a finite number"):
        checked_window("now", 1, "x")


def test_intervals() -> None:
    assert checked_interval((1.0, 5.0), None, None) == (1, 5)
    assert checked_interval((1.0, 5.0), 2, None) == (2, 5)
    assert checked_interval((1.0, 5.0), None, 1) == (1, 1)
    with pytest.raises(kc.ArgumentError, match="t0 = 6 s comes after t1 = 5 s"):
        checked_interval((1.0, 5.0), 6, None)
    with pytest.raises(kc.ArgumentError, match="t1 must be a finite number"):
        checked_interval((1.0, 5.0), 0, math.inf)


def test_the_span_of_all_that_moves() -> None:
    world = world_of_all()
    world.add_robot("idle", slider(), None, at(0, 99))  # one place, at 0 s: it does not move
    assert world.span == (1, 5)
    world.remove("bot")
    assert world.span == (1, 3)
    world.remove("ball")
    assert world.span == (0, 0)
    assert span_of([]) == (0, 0)


def test_programs() -> None:
    program = drive([0, 1], [0, 1])
    assert checked_program("bot", slider(), program) is program
    rest = checked_program("bot", slider(), None)
    assert rest.at(3.0).tolist() == [0, 0]
    assert checked_program("bot", slider(), [0.3, 0.1]).at(0.0).tolist() == [0.3, 0.1]
    assert checked_program("bot", slider(), {"lift": 0.2, "drive": 0.5}).at(0.0).tolist() == [0.5, 0.2]
    with pytest.raises(kc.ArgumentError, match=r"its program is for another robot, with the joints turn"):
        checked_program("bot", slider(), kc.JointTrajectory(swing(), [0, 1], [[0], [1]]))
    with pytest.raises(kc.ArgumentError, match="needs a JointTrajectory or joint values, not a Fixed"):
        checked_program("bot", slider(), kc.Fixed(np.eye(4)))
    with pytest.raises(
        kc.ArgumentError, match=r"got an array \(4, 4\); the pose of its base is X_WB= of world.add"
    ):
        checked_program("bot", slider(), np.eye(4))
    with pytest.raises(kc.ArgumentError, match=r"robot 'bot' must come from kc\.read_robot"):
        checked_program("bot", "slider.urdf", None)


def test_a_program_follows_its_robot_to_one_with_a_tool() -> None:
    robot = swing().attach("tool", kc.Sphere(0.05), "arm", at(2, 0))
    program = kc.JointTrajectory(swing(), [0, 1], [[0], [1]], [[0], [2]], "spline", hold="after", name="wave")
    moved = checked_program("bot", robot, program)
    assert moved.robot is robot
    assert (moved.hold, moved.name, moved.interpolation) == ("after", "wave", "spline")
    assert moved.at(0.4) == pytest.approx(program.at(0.4))
    assert moved.link("tool").pose(1.0)[:2, 3] == pytest.approx([2 * math.cos(1), 2 * math.sin(1)])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"tolerance": 0}, "tolerance must be a finite number > 0"),
        ({"tolerance": "fine"}, "tolerance must be a finite number > 0"),
        ({"contacts": "last"}, "contacts must be"),
        ({"far": -1}, "far must be a finite number >= 0"),
        ({"far": math.inf}, "far must be a finite number >= 0"),
        ({"curves": -1}, "curves must be a number of instants"),
        ({"curves": 2.5}, "curves must be a number of instants"),
        ({"curves": True}, "curves must be a number of instants"),
        ({"budget": 0}, "budget must be a whole number"),
        ({"threads": 0}, "threads"),
        ({"t0": math.nan}, "t0 must be a finite number"),
        ({"t0": 9.0}, "t0 = 9 s comes after t1 = 5 s"),
        ({"t1": "end"}, "t1 must be a finite number"),
    ],
)
def test_options_of_verify(options: dict[str, Any], text: str) -> None:
    with pytest.raises(kc.ArgumentError) as caught:
        world_of_all().verify(**options)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "error", "text"),
    [
        (lambda w: w.allow("ball", "tabel"), kc.UnknownNameError, "did you mean 'table'"),
        (lambda w: w.allow("ball", "ball"), kc.ArgumentError, "a pair needs two names"),
        (lambda w: w.allow("ball", "table", t_from=3, t_to=2), kc.ArgumentError, "it begins at 3 s"),
        (lambda w: w.allow("bot/hed", "ball"), kc.UnknownNameError, "did you mean 'bot/head'"),
        (lambda w: w.set_margin("bot/rail", "ball", 0.1), kc.UnknownNameError, "has no shape"),
        (lambda w: w.only([("ball", "table", "bot")]), kc.ArgumentError, "only: expected pairs of names"),
        (lambda w: w.set_margin("ball", None, -1), kc.ArgumentError, "margin must be"),
        (lambda w: w.set_path_tolerance("ball", time=-1), kc.ArgumentError, "time must be"),
        (lambda w: w.attach("bot", "bot/head", 1), kc.ArgumentError, "'bot' is a robot"),
        (lambda w: w.attach("table", "bot", 1), kc.ArgumentError, "'bot' is not a link"),
        (lambda w: w.attach("table", "bot/head", None), kc.ArgumentError, "give X_LA, the pose of a tool"),
        (lambda w: w.attach("table", "bot/head", 2, 1), kc.ArgumentError, "it begins at 2 s"),
        (lambda w: w.first_contact("bot", "ball"), kc.ArgumentError, "say which one: bot/link"),
        (lambda w: w.add("a/b", kc.Sphere(1)), kc.ArgumentError, "has no slash"),
        (lambda w: w.add("new", kc.Sphere(1), drive([0, 1], [0, 1])), kc.ArgumentError, "world.add_robot"),
        (
            lambda w: w.add("new", kc.Sphere(1), drive([0, 1], [0, 1]).link("head")),
            kc.ArgumentError,
            "it moves with a link",
        ),
        (lambda w: w.collisions(math.nan), kc.ArgumentError, "t must be a finite number"),
        (lambda w: w.distances(0.0, far=-1), kc.ArgumentError, "far must be"),
    ],
)
def test_what_is_refused(ask: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        ask(world_of_all())
    assert text in str(caught.value)


def test_an_empty_world() -> None:
    with pytest.raises(kc.ArgumentError, match="this World is empty"):
        kc.World().verify()
