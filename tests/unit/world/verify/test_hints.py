"""Hints of colliding pairs: waypoints, depth, duration, and a shift that restores the margin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import SLIDER

import keepclear as kc
from keepclear.report.words import hint_line


def at(x: float, y: float, z: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def press(margin: float = 0.0) -> Any:
    """A tool that sinks 30 mm into a table between its second and fourth waypoint, deepest at 2 s."""
    world = kc.World()
    world.add("table", kc.Box([1.2, 0.8, 0.1]), at(0, 0, -0.05))
    heights = [0.2, 0.12, 0.07, 0.12, 0.2]
    world.add(
        "tool", kc.Box([0.2] * 3), kc.PoseTrajectory(range(5), [at(0, 0, z) for z in heights], "linear")
    )
    if margin:
        world.set_margin("tool", "table", margin)
    return world


def test_a_tool_is_lifted_by_its_depth() -> None:
    (pair,) = press().verify(tolerance=1e-4, hints=True).pairs
    hint = pair.hint
    assert (hint.around.of, hint.around.first, hint.around.last) == ("tool", 1, 2)
    assert (hint.around.t_first, hint.around.t_last) == (1.0, 2.0)
    assert hint.time == pytest.approx(2.0)
    assert 0.0299 <= hint.depth <= 0.03
    assert hint.duration == pytest.approx(1.2, abs=0.01)
    assert hint.moves == "tool"
    assert hint.shift_W == (0.0, 0.0, pytest.approx(0.0302, abs=2e-4))
    assert hint.distance_lower > 1e-4
    assert hint.text == "lift 'tool' by 30.2 mm near waypoint 2 of 'tool'"
    assert hint_line(hint) == f"waypoints 1 to 2 of 'tool', for 1.2 s, at least 29.9 mm deep; {hint.text}"


def test_a_margin_is_restored_by_the_distance_that_is_missing() -> None:
    world = press(margin=0.15)
    world.move("tool", kc.PoseTrajectory([0, 1, 2], [at(0, 0, z) for z in (0.4, 0.2, 0.4)], "linear"))
    (pair,) = world.verify(tolerance=1e-3, hints=True).pairs
    assert pair.hint.depth is None
    assert pair.hint.shift_W == (0.0, 0.0, pytest.approx(0.051, abs=2e-4))
    assert pair.hint.distance_lower > 0.151
    assert pair.hint.text == "lift 'tool' by 51.1 mm near waypoint 1 of 'tool'"


def test_hints_are_given_only_where_asked_for_and_to_contacts_only() -> None:
    assert all(pair.hint is None for pair in press().verify().pairs)
    world = press()
    world.add("post", kc.Box([0.1, 0.1, 1.0]), at(0.4, 0, 0.6))
    report = world.verify(hints=True)
    assert [pair.hint is not None for pair in report.pairs] == [
        pair.verdict is kc.Verdict.COLLIDING for pair in report.pairs
    ]
    assert kc.Report.from_json(report.to_json()) == report


def test_the_link_or_what_it_holds_is_moved_and_the_program_names_the_waypoints(tmp_path: Any) -> None:
    (tmp_path / "slider.urdf").write_text(SLIDER)
    robot = kc.read_robot(tmp_path / "slider.urdf")
    world = kc.World()
    world.add_robot("slider", robot, kc.JointTrajectory(robot, [0, 1, 2], [[0, 0], [0.5, 0], [1, 0]]))
    world.add("a wall", kc.Box([0.1, 2, 2]), at(1.12, 0, 0))
    world.add("load", kc.Box([0.1] * 3), at(0.35, 0.5, 0))
    world.attach("load", "slider/head", 0.5)
    report = world.verify(tolerance=1e-4, hints=True)
    head, load = report.pair("a wall", "slider/head").hint, report.pair("a wall", "load").hint
    assert (head.moves, load.moves) == ("slider/head", "load")
    assert head.around.of == load.around.of == "slider"
    assert (head.around.first, head.around.last) == (1, 2)
    assert head.shift_W == (pytest.approx(-0.0301, abs=2e-4), 0.0, 0.0)
    assert head.text == "move 'slider/head' by (-30.2, 0, 0) mm near waypoint 2 of 'slider'"


def test_a_motion_of_the_user_has_no_waypoints() -> None:
    class Down(kc.CustomMotion):
        def pose(self, t: float) -> np.ndarray:
            return at(0, 0, 0.2 - 0.2 * t)

        def path_length(self, radius: float, t0: float, t1: float) -> float:  # noqa: ARG002
            return 0.2 * (t1 - t0) * (1 + 1e-12)

    world = press()
    world.move("tool", Down(0.0, 1.0))
    (pair,) = world.verify(hints=True).pairs
    assert pair.hint.around is None
    assert pair.hint.text.startswith("lift 'tool' by 102 mm at 1 s")
