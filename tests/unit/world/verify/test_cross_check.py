"""Methods of worlds, and findings repeated by another one: planted wrong answers are found, right ones confirmed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at

import keepclear as kc
from keepclear.query.moving.results import FirstContact
from keepclear.scene import hulls
from keepclear.world.selection import windows
from keepclear.world.verify import cross_check, pair_check

METHODS = ("hybrid", "bisection", "exact", "bisect_exact")
WEDGE = kc.Mesh([[0, 0, 0], [1, 0, 1], [-1, 0, 1], [0, 1, 1]], [[0, 1, 3], [0, 3, 2], [0, 2, 1], [1, 2, 3]])


def world(*, ball: bool = False) -> kc.World:
    """A wedge that sinks onto a plate, which it touches after 1.5 s, beside a column that it misses by 0.5 m."""
    made = kc.World(threads=1)
    made.add("plate", kc.Box([2, 2, 0.2]), at(0, 0, -0.1))
    made.add("column", kc.Box([0.2, 0.2, 4]), at(1.6, 0, 0))
    made.add("wedge", WEDGE, kc.PoseTrajectory.from_positions([0, 2], [[0, 0, 3], [0, 0, -1]]))
    if ball:
        made.add("ball", kc.Sphere(0.1), at(-1.5, 0, 0.5))
        made.allow("ball", "plate")
    return made


@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers_and_is_confirmed(method: Any) -> None:
    report = world().verify(method=method, cross_check=True)
    assert report.verdict is kc.Verdict.COLLIDING
    assert report.first.time == pytest.approx(1.5, abs=1e-3)
    assert report.cross_check.n_confirmed == 2
    assert (report.cross_check.disagreements, report.cross_check.unconfirmed) == ((), ())
    assert report.exit_code == 1
    notes = [one for one in report.assumptions if one.kind == "method"]
    assert [one.subject for one in notes] == ([] if method == "hybrid" else ["all pairs"])
    found = world().first_contact("wedge", "plate", method=method)
    assert found.method == method
    assert found.t_lo <= 1.5 <= found.t_hi + 1e-12


@pytest.mark.parametrize("method", ["exact", "bisect_exact"])
def test_what_a_method_cannot_answer_is_named(method: Any) -> None:
    """The ball is curved, and the plate must be kept away from; both are answered by the default method."""
    made = world(ball=True)
    made.set_margin("wedge", "plate", 0.1)
    report = made.verify(method=method, cross_check=True)
    notes = {one.subject: one.text for one in report.assumptions if one.kind == "method"}
    assert set(notes) >= {"all pairs", "plate - wedge"}
    assert "margin = 0.1 m" in notes["plate - wedge"]
    assert "answered by method 'hybrid'" in notes["plate - wedge"]
    assert report.first.time == pytest.approx(1.45, abs=1e-3)
    assert report.cross_check.disagreements == ()
    with pytest.raises(kc.ArgumentError, match=r"'ball'.*'wedge'.* is curved or flat; use method='hybrid'"):
        made.first_contact("ball", "wedge", method=method)


@pytest.mark.parametrize(
    ("method", "text"), [("guess", "'guess'"), ("exat", "'exact'"), ("sampling", "proves nothing")]
)
def test_unknown_methods_are_refused(method: Any, text: str) -> None:
    for ask in (
        lambda: world().verify(method=method),
        lambda: world().first_contact("wedge", "plate", method=method),
    ):
        with pytest.raises(kc.ArgumentError, match=text):
            ask()


def plant(monkeypatch: pytest.MonkeyPatch, wrong: Any) -> None:
    """Let the default method answer what `wrong` makes of its answers."""
    right = pair_check.contact_of_row

    def answer(asked: Any, rows: Any, k: int) -> FirstContact:
        return wrong(right(asked, rows, k), asked(k))

    monkeypatch.setattr(pair_check, "contact_of_row", answer)


def clear(_: FirstContact, query: Any) -> FirstContact:
    return FirstContact(verdict=kc.Verdict.CLEAR, time=np.nan, t_lo=query.t1, t_hi=query.t1)


def moved(by: float) -> Any:
    def wrong(found: FirstContact, _: Any) -> FirstContact:
        if found.verdict is not kc.Verdict.COLLIDING:
            return found
        facts = {name: getattr(found, name) for name in ("distance", "p_W", "normal_W", "X_WA", "X_WB")}
        times = {name: getattr(found, name) + by for name in ("time", "t_lo", "t_hi")}
        return FirstContact(verdict=found.verdict, **times, **facts)

    return wrong


@pytest.mark.parametrize("clearances", [False, True])
def test_a_missed_contact_is_found(monkeypatch: pytest.MonkeyPatch, clearances: bool) -> None:
    plant(monkeypatch, clear)
    assert world().verify(clearances=False).verdict is kc.Verdict.CLEAR
    report = world().verify(cross_check=True, clearances=clearances)
    (wrong,) = report.cross_check.disagreements
    assert (wrong.a, wrong.b) == ("plate", "wedge")
    assert (wrong.first.method, wrong.first.verdict) == ("hybrid", kc.Verdict.CLEAR)
    assert (wrong.second.method, wrong.second.verdict) == ("bisection", kc.Verdict.COLLIDING)
    assert wrong.second.time == pytest.approx(1.5, abs=1e-2)
    pair = report.pair("plate", "wedge")
    assert (pair.verdict, pair.t_lo, pair.t_hi, pair.clearance_lower) == (kc.Verdict.UNDECIDED, 0.0, 2.0, 0.0)
    assert (report.verdict, report.exit_code, report.cross_check.n_confirmed) == (kc.Verdict.UNDECIDED, 4, 1)
    assert str(wrong) in report.warnings
    assert kc.Report.from_json(report.to_json()) == report


@pytest.mark.parametrize(("by", "reason"), [(0.1, "are in contact"), (-0.1, "at least 0.2 m apart")])
def test_a_wrong_time_is_found(monkeypatch: pytest.MonkeyPatch, by: float, reason: str) -> None:
    plant(monkeypatch, moved(by))
    report = world().verify(cross_check=True, clearances=False)
    (wrong,) = report.cross_check.disagreements
    assert reason in wrong.reason
    assert (report.verdict, report.exit_code) == (kc.Verdict.COLLIDING, 4)


def test_hulls_that_prove_too_much_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def prove_all(search: hulls.HullSearch) -> Any:
        return np.zeros(len(search.rows), dtype=bool), search.rows["t1"]

    monkeypatch.setattr(hulls.HullSearch, "_state", prove_all)
    report = world().verify(cross_check=True, clearances=False)
    (wrong,) = report.cross_check.disagreements
    assert wrong.first.method == "hulls"
    assert report.exit_code == 4


def test_boxes_that_prove_too_much_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    near = windows.near_rows
    monkeypatch.setattr(windows, "near_rows", lambda *given: near(*given)[:0])
    report = world().verify(cross_check=True, clearances=False)
    (wrong,) = report.cross_check.disagreements
    assert wrong.first.method == "swept boxes"
    assert report.exit_code == 4


def test_a_graze_may_be_called_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ball passes 0.5 mm above a valley, inside of its hull. With a tolerance of 1 mm both answers are right."""
    made, z = kc.World(threads=1), 0.1005 * 2**0.5
    valley = kc.Mesh([[0, -1, 0], [0, 1, 0], [1, 0, 1], [-1, 0, 1]], [[0, 1, 2], [1, 0, 3]])
    made.add("ball", kc.Sphere(0.1), kc.PoseTrajectory.from_positions([0, 2], [[0, -3, z], [0, 3, z]]))
    made.add("valley", valley, np.eye(4))
    facts = {"time": 1.0, "t_lo": 1.0, "t_hi": 1.0, "distance": 5e-4, "X_WA": np.eye(4), "X_WB": np.eye(4)}
    plant(monkeypatch, lambda *_: FirstContact(verdict=kc.Verdict.COLLIDING, **facts))
    report = made.verify(cross_check=True, clearances=False)
    assert (report.exit_code, report.cross_check.n_confirmed) == (1, 1)
    plant(monkeypatch, clear)
    report = made.verify(cross_check=True, clearances=False)
    assert (report.exit_code, report.cross_check.n_confirmed) == (0, 1)


def test_what_the_other_method_leaves_open_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = cross_check.check_pair

    def few(*given: Any) -> Any:
        return right(*given[:3], 1, *given[4:])

    monkeypatch.setattr(cross_check, "check_pair", few)
    report = world().verify(cross_check=True, clearances=False)
    assert report.cross_check.unconfirmed == (("column", "wedge"), ("plate", "wedge"))
    assert (report.verdict, report.exit_code) == (kc.Verdict.COLLIDING, 1)


def test_a_report_whose_doubtful_pair_is_clear_is_refused() -> None:
    made = world()
    made.allow("wedge", "plate")
    report = made.verify(cross_check=True)
    (pair,) = report.pairs
    answer = cross_check.Answer(method="hybrid", verdict=kc.Verdict.CLEAR, time=None, t_lo=2.0, t_hi=2.0)
    doubt = cross_check.Disagreement(a=pair.a, b=pair.b, reason="why", first=answer, second=answer)
    wrong = replace(report, cross_check=replace(report.cross_check, disagreements=(doubt,)))
    with pytest.raises(kc.ReportError, match="methods disagree about 'column' - 'wedge', which is CLEAR"):
        kc.Report.from_json(wrong.to_json())
