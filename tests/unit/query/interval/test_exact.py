"""The exact method: contacts known by hand, one triangle against another or a few, so that plain Python can follow."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc
from keepclear.query.interval.exact import exact_first_contact
from keepclear.query.moving.question import checked_query
from keepclear.query.moving.results import Feature, FirstContact

FLOOR = kc.Mesh([[-4, -4, 0], [4, -4, 0], [0, 4, 0]], [[0, 1, 2]])
# Points down: its lowest corner is its origin.
BLADE = kc.Mesh([[0, 0, 0], [1, 0, 1], [-1, 0, 1]], [[0, 1, 2]])
# Two triangles that share an edge along y, above which they rise to both sides.
VALLEY = kc.Mesh([[0, -1, 0], [0, 1, 0], [1, 0, 1], [-1, 0, 1]], [[0, 1, 2], [1, 0, 3]])
QUARTER = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0, R: np.ndarray | None = None) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    if R is not None:
        X[:3, :3] = R
    return X


def along(*poses: np.ndarray, kind: str = "linear") -> kc.PoseTrajectory:
    return kc.PoseTrajectory(np.arange(len(poses), dtype=float), np.array(poses), kind)


def ask(a: object, motion_a: object, b: object, motion_b: object, **options: object) -> FirstContact:
    return exact_first_contact(checked_query(a, motion_a, b, motion_b, **options))


def test_a_vertex_meets_a_face() -> None:
    k = ask(FLOOR, np.eye(4), BLADE, along(at(z=3), at(z=-1)))
    assert k.verdict is kc.Verdict.COLLIDING
    assert k.t_lo <= 0.75 <= k.t_hi
    assert k.t_hi - k.t_lo < 1e-5
    assert k.features == (Feature("face", (0,)), Feature("vertex", (0,)))
    assert np.allclose(k.normal_W, [0, 0, 1])
    assert np.allclose(k.p_W, 0.0, atol=1e-4)
    assert k.distance <= 1e-4
    assert k.method == "exact"


def test_the_other_way_round_the_normal_points_the_other_way() -> None:
    k = ask(BLADE, along(at(z=3), at(z=-1)), FLOOR, np.eye(4))
    assert k.t_lo <= 0.75 <= k.t_hi
    assert k.features == (Feature("vertex", (0,)), Feature("face", (0,)))
    assert np.allclose(k.normal_W, [0, 0, -1])


def test_an_edge_meets_an_edge() -> None:
    upside_down = np.diag([1.0, -1.0, -1.0]) @ QUARTER
    k = ask(VALLEY, np.eye(4), VALLEY, along(at(z=-2, R=upside_down), at(z=2, R=upside_down)))
    assert k.t_lo <= 0.5 <= k.t_hi
    assert k.features == (Feature("edge", (0, 1)), Feature("edge", (0, 1)))
    assert np.allclose(k.normal_W, [0, 0, -1])
    assert np.allclose(k.p_W, 0.0, atol=1e-4)


def test_a_turning_edge_is_met_when_it_gets_there() -> None:
    # A blade lies along x and turns about z by half a right angle per second; a needle stands at 60 degrees.
    blade = kc.Mesh([[0, 0, 0], [2, 0, 0], [2, 0, -1]], [[0, 1, 2]])
    needle = kc.Mesh([[0.5, 0.75**0.5, -9], [0.5, 0.75**0.5, 9], [0.5, 0.75**0.5 + 9, 0]], [[0, 1, 2]])
    k = ask(blade, along(at(), at(R=QUARTER)), needle, np.eye(4), tolerance=1e-6)
    assert k.t_lo <= 2.0 / 3.0 <= k.t_hi
    assert k.t_hi - k.t_lo < 1e-8
    assert k.features[1] == Feature("edge", (0, 1))
    assert k.features[0].kind == "edge"
    assert k.X_WA is not None
    assert np.allclose(k.X_WA[:2, 0], [0.5, 0.75**0.5], atol=1e-6)


@pytest.mark.parametrize("gap", [1e-3, 2e-4])
def test_a_near_miss_is_clear(gap: float) -> None:
    k = ask(FLOOR, np.eye(4), BLADE, along(at(x=-2, z=gap), at(x=2, z=gap)))
    assert k.verdict is kc.Verdict.CLEAR
    assert k.t_lo == k.t_hi == 1.0


def test_touching_as_time_ends_is_contact_and_an_earlier_contact_is_the_first() -> None:
    assert ask(FLOOR, np.eye(4), BLADE, along(at(z=3), at(z=0))).time == pytest.approx(1.0, abs=1e-4)
    k = ask(FLOOR, np.eye(4), BLADE, along(at(z=1), at(z=-1), at(z=1), at(z=0)))
    assert k.t_lo <= 0.5 <= k.t_hi


def test_triangles_that_cross_from_the_start_are_in_contact_though_no_features_meet() -> None:
    k = ask(FLOOR, np.eye(4), BLADE, along(at(z=-0.5), at(z=-0.4)))
    assert (k.verdict, k.time, k.t_hi) == (kc.Verdict.COLLIDING, 0.0, 0.0)
    assert k.distance == 0.0


def test_bodies_at_rest_are_looked_at_once() -> None:
    assert ask(FLOOR, np.eye(4), BLADE, at(z=1e-3)).verdict is kc.Verdict.CLEAR
    k = ask(FLOOR, np.eye(4), BLADE, at())
    assert (k.verdict, k.time) == (kc.Verdict.COLLIDING, 0.0)


def test_cubics_are_advanced_as_they_are() -> None:
    # z = 8 (t - 1/4)(t - 1/2)(t - 3/4): after 1/4 it is above the floor until 1/2.
    z = [8.0 * (t - 0.25) * (t - 0.5) * (t - 0.75) for t in (0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0)]
    motion = kc.PoseTrajectory(np.array([0, 1, 2, 3]) / 3.0, np.array([at(z=h) for h in z]), "cubic")
    k = ask(FLOOR, np.eye(4), BLADE, motion, t0=0.3, tolerance=1e-6)
    assert k.t_lo <= 0.5 <= k.t_hi
    assert k.t_hi - k.t_lo < 1e-5
    assert k.deviation < 1e-12


def test_a_small_budget_leaves_the_question_open_and_a_larger_one_decides() -> None:
    question = FLOOR, np.eye(4), VALLEY, along(at(z=3), at(z=-1, R=QUARTER))
    poor = ask(*question, budget=1)
    assert poor.verdict is kc.Verdict.UNDECIDED
    rich = ask(*question)
    assert rich.verdict is kc.Verdict.COLLIDING
    assert poor.t_lo <= rich.t_lo <= poor.t_hi


def test_a_time_tolerance_narrows_the_bracket() -> None:
    question = FLOOR, np.eye(4), BLADE, along(at(z=3), at(z=-1))
    assert ask(*question, tolerance=0.1, time_tolerance=1e-9).t_hi == pytest.approx(0.75, abs=1e-9)


def test_an_edge_inside_a_polygon_is_a_part_of_its_face() -> None:
    square = kc.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2, 3]])
    k = ask(square, np.eye(4), BLADE, along(at(z=1), at(z=-1)))
    assert k.features[0] == Feature("face", (0,))


def test_what_the_method_is_not_for_is_refused_with_advice() -> None:
    with pytest.raises(kc.ArgumentError, match=r"margin = 0\.1 m; use method='hybrid'"):
        ask(FLOOR, np.eye(4), BLADE, np.eye(4), margin=0.1)
    with pytest.raises(kc.ArgumentError, match=r"sphere .* is curved or flat; use method='hybrid'"):
        ask(FLOOR, np.eye(4), kc.Sphere(1), np.eye(4))
