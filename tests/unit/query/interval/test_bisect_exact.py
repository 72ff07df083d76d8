"""Bisection and the exact method together: contacts known by hand, what is left to which of them, and budgets."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc
from keepclear.query.interval import bisect_exact
from keepclear.query.moving.results import FirstContact

FLOOR = kc.Mesh([[-4, -4, 0], [4, -4, 0], [0, 4, 0]], [[0, 1, 2]])
BLADE = kc.Mesh([[0, 0, 0], [1, 0, 1], [-1, 0, 1]], [[0, 1, 2]])


def at(x: float, y: float, z: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def ask(*points: tuple[float, float, float], **options: object) -> FirstContact:
    """Move the blade from point to point, one in a second, above the floor."""
    poses = np.array([at(*p) for p in points])
    motion = kc.PoseTrajectory(np.arange(len(points), dtype=float), poses, "linear")
    return kc.first_contact(FLOOR, np.eye(4), BLADE, motion, method="bisect_exact", **options)


def test_few_triangles_are_solved_at_once() -> None:
    k = ask((0, 0, 3), (0, 0, -1))
    assert k.verdict is kc.Verdict.COLLIDING
    assert k.t_lo <= 0.75 <= k.t_hi
    assert k.t_hi - k.t_lo < 1e-5
    assert (k.method, k.counts["exact"], k.counts["distances"]) == ("bisect_exact", 1, 2)
    assert k.features[1].kind == "vertex"


def test_what_one_distance_proves_is_not_solved() -> None:
    k = ask((0, 0, 3), (0.1, 0, 3))
    assert k.verdict is kc.Verdict.CLEAR
    assert (k.t_lo, k.evaluations, k.counts["exact"]) == (1.0, 1, 0)


def test_many_triangles_are_solved_where_the_interval_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blade comes down from forty times its size; the last parts of its path alone are solved."""
    monkeypatch.setattr(bisect_exact, "FEW", 0)
    k = ask((0, 0, 40), (0, 0, 0.5), (1, 0, 0.5), (1, 0, -0.5))
    assert k.verdict is kc.Verdict.COLLIDING
    assert k.t_lo <= 2.5 <= k.t_hi
    assert k.counts["distances"] >= 4
    assert 1 <= k.counts["exact"] <= 4
    beside = ask((0, 0, 40), (0, 0, 0.5), (1, 0, 0.5))
    assert (beside.verdict, beside.t_lo) == (kc.Verdict.CLEAR, 2.0)


def test_contact_at_the_start_and_at_one_instant() -> None:
    assert ask((0, 0, -0.5), (0, 0, 3)).time == 0.0
    assert ask((0, 0, 3), (0, 0, -1), t0=0.8, t1=0.8).time == 0.8
    assert ask((0, 0, 3), (0, 0, -1), t0=0.5, t1=0.5).verdict is kc.Verdict.CLEAR


@pytest.mark.parametrize("budget", [1, 2, 3, 4, 5, 100])
def test_a_budget_leaves_it_undecided(monkeypatch: pytest.MonkeyPatch, budget: int) -> None:
    monkeypatch.setattr(bisect_exact, "FEW", 0)
    k = ask((0, 0, 40), (0, 0, 0.5), (1, 0, 0.5), (1, 0, -0.5), budget=budget)
    assert k.evaluations <= budget
    if k.verdict is kc.Verdict.UNDECIDED:
        assert k.t_lo <= 2.5
        assert k.t_hi == 3.0
    else:
        assert k.verdict is kc.Verdict.COLLIDING
        assert k.t_lo <= 2.5 <= k.t_hi
    assert (k.verdict is kc.Verdict.UNDECIDED) == (budget < 5)


@pytest.mark.parametrize(
    ("body", "margin", "why"), [(kc.Sphere(1), 0.0, "curved"), (BLADE, 0.1, "margin = 0.1 m")]
)
def test_what_roots_do_not_answer_is_refused(body: kc.Sphere, margin: float, why: str) -> None:
    with pytest.raises(kc.ArgumentError, match=rf"method='bisect_exact' .*{why}.*; use method='hybrid'"):
        kc.first_contact(FLOOR, np.eye(4), body, at(0, 0, 2), margin=margin, method="bisect_exact")
