"""How far bodies get: answers known by hand, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose

from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.motion.fixed import Fixed
from keepclear.motion.trajectory import PoseTrajectory

CLOSE = 1.0 + 1e-12


def about_z(angle: float, p: Any = (0, 0, 0)) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return pose(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), p)


def spin(turns: float, n: int, way: Any = (0, 0, 0), kind: Any = "screw") -> PoseTrajectory:
    """Turns about z in n pieces, and a way along with it, in one second."""
    s = np.linspace(0, 1, n + 1)
    return PoseTrajectory(s, [about_z(2 * math.pi * turns * u, u * np.array(way)) for u in s], kind)


ROD = Convex([[0, 0, 0], [2, 0, 0]])


@pytest.mark.parametrize(
    ("body", "reach"),
    [
        (ROD, 2.0),
        (Box([6, 8, 1]), 5.0),
        (Sphere(0.5), 0.5),
        (Capsule(0.5, 4), 0.5),
        (0.25, 0.25),
        (Mesh([[0, 0, 0], [3, 0, 0], [0, 3, 4]], [[0, 1, 2]]), 3.0),
    ],
)
def test_a_turn_about_the_origin(body: Any, reach: float) -> None:
    motion = spin(0.45, 1)
    angle = 2 * math.pi * 0.45
    assert reach * angle <= motion.path_length(body, 0, 1) <= reach * angle * CLOSE
    assert reach * angle / 4 <= motion.path_length(body, 0.5, 0.75) <= reach * angle / 4 * CLOSE
    chord = 2 * reach * math.sin(angle / 2)
    assert chord <= motion.displacement(body, 0, 1) <= chord * 1.006


def test_the_rim_of_a_cylinder() -> None:
    way = spin(0.45, 1).path_length(Cylinder(0.5, 1), 0, 1)
    assert 0.5 <= way / (2 * math.pi * 0.45) <= 0.5 * 1.0004


def test_a_screw_is_as_long_as_its_helix() -> None:
    motion = spin(0.4, 1, way=(0, 0, 3))
    assert (
        math.hypot(0.8 * math.pi * 2, 3)
        <= motion.path_length(ROD, 0, 1)
        <= math.hypot(0.8 * math.pi * 2, 3) * CLOSE
    )
    assert (
        math.hypot(0.8 * math.pi, 3) <= motion.path_length(1.0, 0, 1) <= math.hypot(0.8 * math.pi, 3) * CLOSE
    )


def test_turning_round_and_round_adds_up_and_leads_nowhere() -> None:
    motion = spin(5, 20)
    assert 20 * math.pi <= motion.path_length(ROD, 0, 1) <= 20 * math.pi * CLOSE
    assert 4.0 <= motion.displacement(ROD, 0, 1) <= 4.0 * 1.006


def test_a_rolling_wheel() -> None:
    # Each point of the rim of a wheel of radius r goes 8 r in a turn (a cycloid), though the fastest goes at 2 v.
    motion = spin(1, 3, way=(2 * math.pi, 0, 0), kind="linear")
    assert 8.0 <= motion.path_length(Sphere(1.0), 0, 1) <= 8.0 * 1.011
    assert 8.0 <= motion.path_length(Cylinder(1.0, 0.1), 0, 1) <= 8.0 * 1.006
    assert 2 * math.pi <= motion.path_length(Convex([[0, 0, 0]]), 0, 1) <= 2 * math.pi * CLOSE
    assert 2 * math.pi <= motion.displacement(Convex([[0, 0, 0]]), 0, 1) <= 2 * math.pi * CLOSE


def test_a_straight_way_is_straight() -> None:
    X = np.tile(np.eye(4), (7, 1, 1))
    X[:, :3, 3] = np.arange(7)[:, None] * np.array([3.0, 4.0, 0.0]) + 1e6
    for kind in ("screw", "linear", "cubic"):
        motion = PoseTrajectory(np.arange(7), X, kind)  # type: ignore[arg-type]
        assert 30 <= motion.path_length(Box([1, 1, 1]), 0, 6) <= 30 * CLOSE
        assert 10 <= motion.path_length(Box([1, 1, 1]), 0.5, 2.5) <= 10 * CLOSE
        assert 30 <= motion.displacement(2.0, 0, 6) <= 30 * 1.006


def test_there_and_back_counts_twice() -> None:
    # x = s (1 - s): up by a quarter and back.
    X = np.tile(np.eye(4), (4, 1, 1))
    X[:, 0, 3] = [0, 2 / 9, 2 / 9, 0]
    motion = PoseTrajectory([0, 1, 2, 3], X)
    assert 0.5 <= motion.path_length(0.0, 0, 3) <= 0.5 * 1.006
    assert 0.25 <= motion.displacement(0.0, 0, 3) <= 0.25 * 1.006
    assert 0.25 <= motion.displacement(0.0, 1.5, 3) <= 0.25 * 1.006


def test_displacement_is_never_more_than_the_path_length() -> None:
    rng = np.random.default_rng(3)
    for kind in ("screw", "linear", "cubic"):
        X = [about_z(0.3 * k, rng.normal(size=3)) for k in range(7)]
        motion = PoseTrajectory(np.arange(7), X, kind)  # type: ignore[arg-type]
        for t1 in (0.0, 1e-9, 0.1, 1.0, 6.0):
            assert motion.displacement(0.7, 0, t1) <= motion.path_length(0.7, 0, t1)


def test_a_body_with_many_points_is_held_by_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    motion, body = spin(0.45, 1), Convex(np.random.default_rng(1).normal(size=(60, 3)))
    exact = motion.path_length(body, 0, 1)
    monkeypatch.setattr("keepclear.motion.travel.MOST", 10)
    low, high = body.bounds
    corner = np.maximum(np.abs(low), np.abs(high))[:2]
    assert exact < motion.path_length(body, 0, 1) <= np.linalg.norm(corner) * 2 * math.pi * 0.45 * CLOSE


def test_the_answer_does_not_depend_on_how_many_points_are_taken_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    motion, body = spin(0.7, 5, (1, 2, 3), "linear"), Convex(np.random.default_rng(1).normal(size=(60, 3)))
    whole = motion.path_length(body, 0, 1), motion.displacement(body, 0, 1)
    monkeypatch.setattr("keepclear.motion.travel.AT_ONCE", 7)
    parts = motion.path_length(body, 0, 1), motion.displacement(body, 0, 1)
    assert parts[0] == pytest.approx(whole[0], rel=1e-14)
    assert parts[1] == pytest.approx(whole[1], rel=6e-3)


@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_thinning_out_many_points_loses_none_that_matters(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(400, 3))
    points *= [[1.0, 0.7, 0.4]] / np.linalg.norm(points, axis=1, keepdims=True)
    body, motion = Convex(points), spin(0.7, 5, (1, 2, 3), kind)
    whole = motion.path_length(body, 0, 1), motion.displacement(body, 0, 1)
    monkeypatch.setattr("keepclear.motion.travel.MANY", 20)
    few = motion.path_length(body, 0, 1), motion.displacement(body, 0, 1)
    assert few[0] == pytest.approx(whole[0], rel=1e-12 if kind == "screw" else 6e-3)
    assert few[1] == pytest.approx(whole[1], rel=6e-3)
    away = motion.pose(np.linspace(0, 1, 200))[:, :3] - motion.pose(0.0)[:3]
    reached = np.linalg.norm(away @ np.column_stack([points, np.ones(400)]).T, axis=1).max()
    assert reached <= few[1] <= few[0]


@pytest.mark.parametrize(
    ("body", "t0", "t1", "message"),
    [
        (1.0, 2, 1, "t0 = 2 s comes after t1 = 1 s; give the earlier time first"),
        (1.0, math.nan, 1, "t0 must be a finite number of seconds, but it is nan"),
        (1.0, 0, "1", "t1 must be a finite number of seconds, but it is '1'"),
        (1.0, 0, math.inf, "t1 must be a finite number"),
        (-1.0, 0, 1, "the extent of a body must lie between 0 and 1e.09 m, but it is -1.0"),
        (math.nan, 0, 1, "the extent of a body must lie between 0"),
        (
            "box",
            0,
            1,
            "the body must be a shape, or the radius in metres of a ball around its origin, but it is 'box'",
        ),
        (None, 0, 1, "the body must be a shape"),
    ],
)
def test_questions_that_make_no_sense_are_refused(body: Any, t0: Any, t1: Any, message: str) -> None:
    for motion in (spin(0.4, 1), Fixed(np.eye(4))):
        for question in (motion.path_length, motion.displacement):
            with pytest.raises(ArgumentError, match=message):
                question(body, t0, t1)
