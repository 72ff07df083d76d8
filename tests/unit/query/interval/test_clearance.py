"""The least distance over time: closed forms, contact, budgets, and its course."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.errors import ArgumentError, TrajectoryError

REST = np.eye(4)
BALL = kc.Sphere(0.1)
WALL = kc.Box([0.2, 2.0, 2.0])
GEM = kc.Mesh(
    0.1 * np.concatenate([np.eye(3), -np.eye(3)]),
    [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]],
)
TIP = kc.Mesh(
    0.1 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
)
SHEET = kc.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])


def moved(x: float, y: float = 0.0, z: float = 0.0, turn: Any = (0, 0, 0)) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = Rotation.from_rotvec(turn).as_matrix()
    X[:3, 3] = x, y, z
    return X


def way(*poses: Any, kind: Any = "linear") -> kc.PoseTrajectory:
    return kc.PoseTrajectory(np.arange(len(poses)), np.array(poses), kind)


def check(
    m: kc.Clearance, true: float, tolerance: float, when: float | None = None, within: float = 0.05
) -> None:
    """The truth is between bounds that are as close as was asked for, and is reached when it is told."""
    assert m.lower <= true <= m.upper
    assert m.upper - m.lower <= tolerance * (1 + 1e-9)
    gap = float(np.linalg.norm(m.p_WB - m.p_WA))
    assert true - 1e-9 <= gap <= m.upper + 1e-9
    if when is not None:
        assert m.time == pytest.approx(when, abs=within)


PASSING: dict[str, tuple[Any, Any, Any, float]] = {
    "balls": (BALL, BALL, way(moved(-1, 0.25), moved(1.2, 0.25)), 0.05),
    "ball and box": (kc.Box([0.2, 0.2, 0.2]), BALL, way(moved(-1, 0.3), moved(1.2, 0.3)), 0.1),
    "ball and mesh": (GEM, BALL, way(moved(-1, 0.25), moved(1.2, 0.25)), 0.05),
    "meshes": (GEM, GEM, way(moved(-1, 0, 0.3), moved(1.2, 0, 0.3)), 0.1),
    "box and mesh": (kc.Box([0.2, 0.2, 0.2]), GEM, way(moved(-1, 0.3), moved(1.2, 0.3)), 0.1),
    "capsules": (kc.Capsule(0.1, 1), kc.Capsule(0.1, 1), way(moved(0.3, 0, -3), moved(0.3, 0, 3)), 0.1),
}


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
@pytest.mark.parametrize("name", PASSING)
def test_bodies_that_pass_each_other(name: str, tolerance: float) -> None:
    a, b, motion, true = PASSING[name]
    check(kc.clearance(a, REST, b, motion, tolerance), true, tolerance)
    check(kc.clearance(b, motion, a, REST, tolerance), true, tolerance)


def test_the_time_of_a_passage() -> None:
    """Balls whose centres are 0.25 m apart at 10/22 of the way."""
    m = kc.clearance(BALL, REST, BALL, way(moved(-1, 0.25), moved(1.2, 0.25)), 1e-6)
    check(m, 0.05, 1e-6, 1 / 2.2, 2e-3)
    assert np.allclose(m.p_WA, [0.0, 0.1, 0.0], atol=2e-3)
    assert np.allclose(m.p_WB, [0.0, 0.15, 0.0], atol=2e-3)
    assert (m.names, m.holds, m.deviation) == (("sphere A", "sphere B"), "", 0.0)


def test_evaluations_hardly_grow_with_the_digits() -> None:
    passing = way(moved(-1, 0.201), moved(1.2, 0.201))
    counts = [kc.clearance(BALL, REST, BALL, passing, 10.0**-n).evaluations for n in (3, 6)]
    assert counts[1] < 4 * counts[0]


def test_the_tip_of_a_turning_needle() -> None:
    """A needle of 1 m turns about its end by 2 rad; a ball of 10 cm, 1.3 m off, is passed at 0.2 m half way."""
    needle = kc.Convex([[0, 0, 0], [1, 0, 0]])
    at = moved(1.3 * math.cos(1.0), 1.3 * math.sin(1.0))
    m = kc.clearance(BALL, at, needle, way(moved(0), moved(0, turn=(0, 0, 2.0)), kind="screw"), 1e-5)
    check(m, 0.2, 1e-5, 0.5, 0.01)


def test_the_least_of_several_passages() -> None:
    """Towards a wall and back, to 30, 10 and 20 cm."""
    motion = way(moved(2), moved(0.5), moved(2), moved(0.3), moved(2), moved(0.4))
    check(kc.clearance(WALL, REST, BALL, motion), 0.1, 1e-4, 3.0, 1e-3)
    check(kc.clearance(WALL, REST, BALL, motion, t1=2.5), 0.3, 1e-4, 1.0, 1e-3)
    check(kc.clearance(WALL, REST, BALL, motion, t0=3.5), 0.2, 1e-4, 5.0, 1e-3)


@pytest.mark.parametrize(("a", "b"), [(WALL, BALL), (GEM, BALL), (SHEET, GEM), (WALL, GEM)])
def test_contact_is_zero(a: Any, b: Any) -> None:
    """Through each other in the middle of the way, and touching at the end alone."""
    m = kc.clearance(a, REST, b, way(moved(-2, 0.01, 0.02), moved(1.7, 0.01, 0.02)))
    assert (m.lower, m.upper <= 1e-4) == (0.0, True)
    assert 0.2 < m.time < 0.9
    assert kc.clearance(a, REST, b, way(moved(0), moved(0, 0, 9))).upper <= 1e-12


def test_touching_at_the_end_is_zero() -> None:
    m = kc.clearance(kc.Box([0.25, 1, 1]), REST, kc.Sphere(0.125), way(moved(1.0), moved(0.25)), 1e-6)
    check(m, 0.0, 1e-6, 1.0, 1e-5)


def test_one_inside_the_other_is_zero() -> None:
    box = kc.Mesh(5.0 * GEM.vertices, GEM.faces)
    for inner in (BALL, GEM, kc.Box([0.1, 0.1, 0.1])):
        m = kc.clearance(box, REST, inner, way(moved(0), moved(0.1)))
        assert (m.lower, m.upper) == (0.0, 0.0)
    surface = kc.Mesh(50.0 * GEM.vertices, GEM.faces, solid=False)
    m = kc.clearance(surface, REST, BALL, way(moved(0), moved(0.1)), 1e-3)
    check(m, 4.9 / math.sqrt(3) - 0.1, 1e-3, 1.0, 1e-2)


def test_an_instant_and_rest() -> None:
    motion = way(moved(1), moved(0.5))
    m = kc.clearance(WALL, REST, BALL, motion, t0=0.5, t1=0.5)
    assert m.time == 0.5
    check(m, 0.55, 1e-9)
    check(kc.clearance(WALL, REST, BALL, moved(1), t0=0.0, t1=9.0), 0.8, 1e-4)
    check(kc.clearance(GEM, REST, GEM, moved(1)), 0.8, 1e-4)


@pytest.mark.parametrize("pair", [(BALL, BALL), (GEM, BALL), (TIP, TIP)])
def test_a_budget_leaves_no_lower_bound_and_more_of_it_does(pair: Any) -> None:
    motion = way(moved(-1, 0.31, 0.02), moved(1.1, 0.32, 0.03))
    full = kc.clearance(pair[0], REST, pair[1], motion)
    assert full.lower > 0.05
    for budget in (1, 5, 6):  # 5 are for the first samples
        m = kc.clearance(pair[0], REST, pair[1], motion, budget=budget)
        assert m.lower <= full.upper
        assert full.lower <= m.upper
        assert m.lower == 0.0 or (m.upper - m.lower <= 1e-4 and budget > 5)
        if pair == (BALL, BALL):  # two triangles are advanced to the end once they are begun
            assert m.evaluations <= budget + 1  # one more for the closest points
    assert kc.clearance(pair[0], REST, pair[1], motion, budget=1).lower == 0.0
    enough = kc.clearance(pair[0], REST, pair[1], motion, budget=100 * full.evaluations)
    assert (enough.lower, enough.upper) == (full.lower, full.upper)


def test_holds_are_told_and_used() -> None:
    m = kc.clearance(WALL, REST, BALL, way(moved(1), moved(0.5)), t1=5.0)
    assert m.holds == "sphere is held after 1 s"
    check(m, 0.3, 1e-4)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tolerance": 0.0}, ArgumentError, "tolerance must be a finite number > 0"),
        ({"tolerance": 1e-15}, ArgumentError, "finer than double precision can decide"),
        ({"budget": 0}, ArgumentError, "budget must be a whole number"),
        ({"t0": 2.0}, ArgumentError, "must not end before it starts"),
        ({"t1": 2.0}, TrajectoryError, "motion_b ends already at 1 s"),
    ],
)
def test_bad_questions(options: Any, error: Any, message: str) -> None:
    short = kc.PoseTrajectory([0.0, 1.0], [moved(0), moved(1)], "linear", hold="none")
    with pytest.raises(error, match=message):
        kc.clearance(BALL, REST, BALL, short, **options)


PROFILED = {"balls": (BALL, BALL), "meshes": (TIP, TIP), "ball and mesh": (GEM, BALL)}


@pytest.mark.parametrize("name", PROFILED)
def test_a_profile_holds_at_and_between_its_times(name: str) -> None:
    a, b = PROFILED[name]
    motion = way(moved(-1, 0.33, 0.05), moved(1, 0.33, 0.05, (0, 0, 1.0)))
    m = kc.clearance(a, REST, b, motion, 1e-3)
    times = np.array([0.0, 0.2, 0.45, 0.9])
    p = m.profile(times)
    assert p.times.tolist() == times.tolist()
    assert (p.lower <= p.upper).all()
    assert (p.upper - p.lower <= 1e-9).all()
    assert p.lower_between.shape == (3,)
    for k, t in enumerate(times):
        assert p.lower[k] <= kc.distance(a, REST, b, motion.pose(t)).upper
        assert p.upper[k] >= kc.distance(a, REST, b, motion.pose(t)).lower
    for k in range(3):
        inside = np.linspace(times[k], times[k + 1], 5)
        seen = min(float(kc.distance(a, REST, b, motion.pose(t)).upper) for t in inside)
        assert seen - 0.1 <= p.lower_between[k] <= seen
    assert p.lower_between.min() <= m.upper
    assert p.lower_between.min() >= m.lower - 2e-3


def test_a_profile_through_contact() -> None:
    p = kc.clearance(WALL, REST, BALL, way(moved(1), moved(-1))).profile([0.0, 0.25, 0.5, 0.75, 1.0])
    assert p.upper[2] == p.lower[2] == 0.0
    assert p.lower_between[1:3].tolist() == [0.0, 0.0]
    assert p.lower_between[0] == pytest.approx(0.3, abs=1e-3)
    assert np.allclose(p.lower, [0.8, 0.3, 0.0, 0.3, 0.8], atol=1e-9)


def test_profiles_of_few_times() -> None:
    m = kc.clearance(WALL, REST, BALL, way(moved(1), moved(0.5)))
    assert [len(part) for part in m.profile([])] == [0, 0, 0, 0]
    assert [len(part) for part in m.profile([0.5])] == [1, 1, 1, 0]
    limited = kc.clearance(WALL, REST, BALL, way(moved(1), moved(0.5)), budget=1)
    assert limited.profile([0.0, 1.0]).lower.tolist() == m.profile([0.0, 1.0]).lower.tolist()


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (0.5, r"times must be an array \(n,\)"),
        ([[0.0, 1.0]], r"times must be an array \(n,\)"),
        ([0.5, 0.5], "increasing"),
        ([0.5, 0.2], "increasing"),
        ([0.0, math.nan], "finite"),
        ([-0.1, 0.5], r"within the interval of the query, 0 to 1 s, but they go from -0\.1 to 0\.5 s"),
        ([0.0, 1.5], r"they go from 0 to 1\.5 s"),
        (["soon"], "times must be an array"),
    ],
)
def test_bad_times(times: Any, message: str) -> None:
    m = kc.clearance(WALL, REST, BALL, way(moved(1), moved(0.5)))
    with pytest.raises(ArgumentError, match=message):
        m.profile(times)


def test_a_clearance_is_equal_by_content_and_survives_pickling() -> None:
    motion = way(moved(1), moved(0.5))
    m = kc.clearance(GEM, REST, BALL, motion)
    assert m == kc.clearance(GEM, REST, BALL, motion)
    assert m != kc.clearance(GEM, REST, BALL, motion, 1e-2)
    again = pickle.loads(pickle.dumps(m))
    assert again == m
    assert hash(again) == hash(m)
    assert again.profile([0.0, 1.0]).upper.tolist() == m.profile([0.0, 1.0]).upper.tolist()
