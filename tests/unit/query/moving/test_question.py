"""Arguments of questions about time: accepted forms, the interval, and messages that say what to do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.checks import checked_budget
from keepclear.errors import ArgumentError, PoseError, TrajectoryError
from keepclear.motion.fixed import Fixed
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.query.moving.question import METHODS, Query, checked_method, checked_query, checked_samples

BALL, BOX = kc.Sphere(0.1), kc.Box([0.2, 0.2, 0.2])


def moved(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def straight(start: float, end: float, **options: Any) -> PoseTrajectory:
    return PoseTrajectory([start, end], [moved(0.0), moved(1.0)], "linear", **options)


def query(motion_a: object = None, motion_b: object = None, **options: Any) -> Query:
    a = straight(0.0, 2.0) if motion_a is None else motion_a
    return checked_query(BALL, a, BOX, np.eye(4) if motion_b is None else motion_b, **options)


def test_a_pose_is_a_body_at_rest() -> None:
    q = query(motion_b=moved(3.0).tolist())
    assert isinstance(q.motion_b, Fixed)
    assert q.motion_b.pose(7.0)[0, 3] == 3.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, r"motion_a must be a motion, but it is None; give kc\.Fixed\(X_W\), kc\.PoseTrajectory"),
        (BALL, r"motion_a must be a motion, but it is Sphere\(radius=0\.1\) \(Sphere\); give"),
        (np.zeros((5, 4, 4)), r"motion_a must be a motion, but it is an array of shape \(5, 4, 4\); give"),
        ([[1, 2], [3]], r"motion_a must be a motion, but it is \[\[1, 2\], \[3\]\] \(list\); give"),
    ],
)
def test_what_is_no_motion_is_refused(value: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        checked_query(BALL, value, BOX, np.eye(4))


def test_a_bad_pose_is_named() -> None:
    with pytest.raises(PoseError, match=r"motion_b: X_W mirrors"):
        query(motion_b=np.diag([1.0, 1.0, -1.0, 1.0]))


def test_what_is_no_body_is_refused() -> None:
    with pytest.raises(ArgumentError, match="expected a shape"):
        checked_query("ball", np.eye(4), BOX, np.eye(4))


@pytest.mark.parametrize(
    ("motions", "options", "interval"),
    [
        ((straight(0.0, 2.0), straight(1.0, 3.0)), {}, (0.0, 3.0)),
        ((straight(0.0, 2.0), np.eye(4)), {}, (0.0, 2.0)),
        ((np.eye(4), np.eye(4)), {}, (0.0, 0.0)),
        ((np.eye(4), np.eye(4)), {"t0": 5}, (5.0, 5.0)),
        ((np.eye(4), np.eye(4)), {"t1": 4.0}, (4.0, 4.0)),
        ((np.eye(4), np.eye(4)), {"t0": -1.0, "t1": 4.0}, (-1.0, 4.0)),
        ((straight(0.0, 2.0), np.eye(4)), {"t0": -1.0}, (-1.0, 2.0)),
        ((straight(0.0, 2.0), np.eye(4)), {"t0": 0.5, "t1": np.float32(0.75)}, (0.5, 0.75)),
    ],
)
def test_the_interval_is_the_span_of_both_motions(
    motions: tuple[object, object], options: dict[str, Any], interval: tuple[float, float]
) -> None:
    q = query(*motions, **options)
    assert (q.t0, q.t1) == interval


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"t0": 2.0, "t1": 1.0}, r"must not end before it starts, but t0 = 2\.0 s and t1 = 1\.0 s\."),
        ({"t0": 9.0}, r"t0 = 9\.0 s and t1 = 2\.0 s; t1 was not given and comes from the motions"),
        ({"t0": math.nan}, "t0 must be a finite number of seconds, but it is nan"),
        ({"t1": math.inf}, "t1 must be a finite number of seconds, but it is inf"),
        ({"t1": "late"}, r"t1 must be a finite number of seconds, but it is 'late' \(str\)"),
        ({"tolerance": 0.0}, r"tolerance must be a finite number > 0, in metres, but it is 0\.0"),
        ({"tolerance": math.nan}, "tolerance must be a finite number > 0, in metres, but it is nan"),
        ({"tolerance": None}, "tolerance must be a finite number > 0, in metres, but it is None"),
        (
            {"tolerance": 1e-15},
            r"finer than double precision can decide for bodies .* give at least 1\.\de-12 m",
        ),
        ({"margin": -0.1}, r"margin must be a finite number >= 0, in metres, but it is -0\.1"),
        ({"margin": math.inf}, "margin must be a finite number >= 0, in metres, but it is inf"),
        ({"time_tolerance": 0}, "time_tolerance must be a finite number > 0, in seconds, but it is 0"),
        (
            {"budget": 0},
            "budget must be a whole number of evaluations >= 1, or None for no limit, but it is 0",
        ),
        ({"budget": 2.5}, r"budget must be a whole number .* but it is 2\.5"),
        ({"budget": True}, "budget must be a whole number .* but it is True"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        query(**options)


def test_holds_are_told() -> None:
    q = checked_query(BALL, straight(0.0, 2.0), BOX, straight(1.0, 3.0))
    assert q.holds == "sphere is held after 2 s, box is held before 1 s"
    assert query(t0=-1.0, t1=5.0).holds == "sphere is held before 0 s and after 2 s"
    assert query().holds == ""


def test_a_motion_that_is_not_held_must_cover_the_interval() -> None:
    short = straight(0.0, 2.0, hold="before")
    assert query(short, t0=-1.0).t0 == -1.0
    with pytest.raises(
        TrajectoryError, match=r"motion_a ends already at 2 s, and its hold='before' does not say"
    ):
        query(short, t1=2.5)
    with pytest.raises(
        TrajectoryError, match=r"motion_b begins only at 1 s, .* the interval is 0 to 3 s; give t0="
    ):
        query(motion_b=straight(1.0, 3.0, hold="after"))


def test_a_trajectory_that_deforms_its_body_too_much_is_refused() -> None:
    quarter = np.tile(np.eye(4), (4, 1, 1))
    quarter[:, :3, :3] = Rotation.from_euler(
        "z", np.linspace(0.0, 90.0, 4)[:, None], degrees=True
    ).as_matrix()
    turning = PoseTrajectory([0, 1, 2, 3], quarter)
    with pytest.raises(
        TrajectoryError,
        match=r"cubic trajectory of box takes points of it up to 0\.00\d+ m away .* sample it more densely",
    ):
        checked_query(kc.Box([2, 0.1, 0.1]), turning, BALL, np.eye(4))
    allowed = PoseTrajectory([0, 1, 2, 3], quarter, max_deviation=0.01)
    q = checked_query(kc.Box([2, 0.1, 0.1]), allowed, BALL, np.eye(4))
    assert 2e-3 < q.deviations[0] < 5e-3
    assert q.deviations[1] == 0.0
    assert q.facts()["deviation"] == q.deviations[0]


def test_bodies_have_names() -> None:
    vertices, faces = (
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    )
    part = kc.Mesh(vertices, faces, name="parts/bracket.stl")
    assert checked_query(part, np.eye(4), BOX, np.eye(4)).names == ("bracket.stl", "box")
    assert checked_query(BOX, np.eye(4), BOX, np.eye(4)).names == ("box A", "box B")
    assert checked_query(kc.build_obb_tree(part), np.eye(4), kc.Mesh(vertices, faces), np.eye(4)).names == (
        "bracket.stl",
        "mesh",
    )


def test_methods_are_known_by_name() -> None:
    assert [checked_method(method) for method in METHODS] == list(METHODS)
    with pytest.raises(
        ArgumentError, match=r"method must be one of .*'bisect' .*; did you mean 'bisection'\?"
    ):
        checked_method("bisect")
    with pytest.raises(ArgumentError, match=r"'sampling', but it is 3\."):
        checked_method(3)


def test_samples_belong_to_sampling() -> None:
    assert checked_samples(None, "sampling") == 128
    assert checked_samples(np.int64(5), "sampling") == 5
    with pytest.raises(
        ArgumentError, match="samples is for method='sampling' only, but the method is 'hybrid'"
    ):
        checked_samples(5, "hybrid")
    for wrong in (1, 2.0, True, "8"):
        with pytest.raises(ArgumentError, match="samples must be a whole number from 2 to 10000000"):
            checked_samples(wrong, "sampling")


def test_no_budget_is_no_limit() -> None:
    assert checked_budget(None) is None
    assert checked_budget(np.int32(7)) == 7
