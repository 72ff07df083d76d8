"""Results of the default method: the same as plain ones in every respect, with places found once and when asked for."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.kernels.tables.pair import new_pairs
from keepclear.query.interval import advancement_result
from keepclear.query.interval.advancement_result import AdvancementContact, contact_of_row
from keepclear.query.interval.first_contacts import FirstContacts
from keepclear.query.moving.question import checked_query
from keepclear.query.moving.results import SURFACE, FirstContact
from keepclear.results import Verdict

FIELDS = [f.name for f in dataclasses.fields(FirstContact)]


def moved(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def way(*poses: Any, kind: Any = "linear") -> kc.PoseTrajectory:
    return kc.PoseTrajectory(np.arange(len(poses)), np.array(poses), kind)


BALL = kc.Sphere(0.1)
WALL = kc.Box([0.2, 2.0, 2.0])
PLATE = kc.Mesh([[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]], [[0, 1, 2], [0, 2, 3]], name="plate.stl")
GEM = kc.Mesh(
    [[0.1, 0, 0], [-0.1, 0.01, 0], [0, 0.1, 0], [0, 0, 0.1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
)
THERE = way(moved(0), moved(1))
SLIGHT = kc.PoseTrajectory(np.linspace(0.0, 1.0, 4), [moved(x) for x in (0.0, 0.3, 0.7, 1.0)])
PASSING = way(moved(-1, 0.22), moved(1, 0.22))

CASES: dict[str, tuple[Verdict, tuple[Any, ...], dict[str, Any]]] = {
    "ball and wall": (Verdict.COLLIDING, (BALL, THERE, WALL, moved(1.0)), {"margin": 0.05, "t1": 3.0}),
    "wall and ball": (Verdict.COLLIDING, (WALL, moved(1.0), BALL, THERE), {}),
    "meshes": (Verdict.COLLIDING, (GEM, THERE, PLATE, moved(1.0, 0.3)), {}),
    "meshes, swapped": (Verdict.COLLIDING, (PLATE, moved(1.0, 0.3), GEM, THERE), {"tolerance": 1e-3}),
    "mesh and ball": (Verdict.COLLIDING, (BALL, SLIGHT, PLATE, moved(1.0)), {}),
    "inside": (Verdict.COLLIDING, (kc.Sphere(0.01), moved(0, 0.02, 0.02), GEM, moved(0)), {}),
    "clear": (Verdict.CLEAR, (BALL, PASSING, BALL, moved(0)), {"t0": 0.1, "t1": 2.0}),
    "clear mesh": (Verdict.CLEAR, (BALL, PASSING, PLATE, moved(5)), {}),
    "undecided": (Verdict.UNDECIDED, (BALL, PASSING, BALL, moved(0)), {"budget": 1}),
}


def answer_to(name: str) -> FirstContact:
    _, case, options = CASES[name]
    return kc.first_contact(*case, **options)


@pytest.mark.parametrize("name", CASES)
def test_it_is_what_a_plain_result_is(name: str) -> None:
    k = answer_to(name)
    assert isinstance(k, AdvancementContact)
    assert k.verdict is CASES[name][0]
    plain = FirstContact(**{field: getattr(k, field) for field in FIELDS})
    assert type(plain) is FirstContact
    assert plain == k
    assert k == plain
    assert hash(k) == hash(plain)
    assert (str(k), repr(k)) == (str(plain), repr(plain))
    assert k.to_dict() == plain.to_dict()
    assert json.loads(json.dumps(k.to_dict(), allow_nan=False))["names"] == list(k.names)
    assert list(dataclasses.asdict(k)) == FIELDS
    assert dataclasses.fields(k) == dataclasses.fields(plain)


@pytest.mark.parametrize("name", CASES)
def test_pickles_and_copies_are_plain_and_equal(name: str) -> None:
    k = answer_to(name)
    for again in (pickle.loads(pickle.dumps(k)), copy.copy(k), copy.deepcopy(k)):
        assert type(again) is FirstContact
        assert again == k
        assert again.to_dict() == k.to_dict()


def test_every_field_of_a_contact() -> None:
    k = answer_to("ball and wall")
    assert (k.method, k.safe, k.margin, k.tolerance, k.deviation) == ("hybrid", True, 0.05, 1e-4, 0.0)
    assert (k.names, k.holds) == (("sphere", "box"), "sphere is held after 1 s")
    assert 0.75 - 1e-9 <= k.t_lo == k.time <= 0.75 <= k.t_hi <= 0.75 + 1e-9
    assert 0.05 <= k.distance <= 0.05 + 1e-9
    assert dict(k.counts) == {"distances": k.evaluations}
    assert k.evaluations > 0
    assert k.X_WA is not None
    assert k.X_WB is not None
    assert np.allclose(k.X_WA, moved(k.time), rtol=0.0, atol=1e-15)
    assert np.array_equal(k.X_WB, moved(1.0))
    assert np.allclose(k.p_W, [0.875, 0.0, 0.0], atol=1e-6)
    assert np.allclose(k.normal_W, [1.0, 0.0, 0.0], atol=1e-6)
    assert [str(f) for f in k.features] == ["surface", "face 0"]


def test_fields_of_a_mesh() -> None:
    k = answer_to("meshes")
    assert k.names == ("mesh", "plate.stl")
    assert set(k.counts) == {"distances", "box pairs"}
    assert k.counts["box pairs"] > 0
    assert [str(f) for f in k.features] == ["vertex 0", "face 1"]
    assert np.allclose(k.normal_W, [1.0, 0.0, 0.0])
    other = answer_to("meshes, swapped")
    assert [str(f) for f in other.features] == ["face 1", "vertex 0"]
    assert np.allclose(other.normal_W, [-1.0, 0.0, 0.0])
    assert answer_to("mesh and ball").deviation == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("name", ["clear", "clear mesh", "undecided"])
def test_without_a_contact_there_is_no_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advancement_result, "place_of_contact", None)
    k = answer_to(name)
    assert math.isnan(k.time)
    assert math.isnan(k.distance)
    assert (k.X_WA, k.X_WB) == (None, None)
    assert np.isnan([k.p_W, k.normal_W]).all()
    assert k.features == (SURFACE, SURFACE)


@pytest.mark.parametrize("name", ["ball and wall", "meshes", "inside"])
def test_the_place_is_found_once_and_when_asked_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    find = advancement_result.place_of_contact

    def counting(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return find(*arguments, **options)

    monkeypatch.setattr(advancement_result, "place_of_contact", counting)
    k = answer_to(name)
    assert str(k).startswith("COLLIDING at t = ")
    assert k.t_lo == k.time
    assert calls == []
    first = k.p_W
    assert len(calls) == 1
    assert k.p_W is first
    assert (k.normal_W is k.normal_W, k.features is k.features, k == k, len(k.to_dict())) == (
        True,
        True,
        True,
        20,
    )
    assert len(calls) == 1


def test_it_never_changes() -> None:
    k = answer_to("ball and wall")
    for name in ("verdict", "time", "p_W", "method", "margin"):
        with pytest.raises(AttributeError):
            setattr(k, name, None)
    for array in (k.X_WA, k.X_WB):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 2.0


ROWS = {  # TIME, NOW, CERTAIN -> verdict, time, t_lo, t_hi for an interval from 0 to 2 s
    "clear": ((math.inf, 2.0, math.inf), (Verdict.CLEAR, math.nan, 2.0, 2.0)),
    "clear, a little longer": ((math.inf, 2.5, math.inf), (Verdict.CLEAR, math.nan, 2.0, 2.0)),
    "met": ((0.5, 0.5, 0.75), (Verdict.COLLIDING, 0.5, 0.5, 0.75)),
    "met at the start": ((0.0, 0.0, 0.0), (Verdict.COLLIDING, 0.0, 0.0, 0.0)),
    "met, not certain": ((0.5, 0.5, math.inf), (Verdict.COLLIDING, 0.5, 0.5, 0.5)),
    "met, certain after the end": ((1.5, 1.5, 2.25), (Verdict.COLLIDING, 1.5, 1.5, 1.5)),
    "met, certain much later": ((0.25, 0.25, 1.75), (Verdict.COLLIDING, 0.25, 0.25, 0.25)),
    "met right after the end": ((2.0000001, 2.0000001, math.inf), (Verdict.COLLIDING, 2.0, 2.0, 2.0)),
    "the budget ended": ((math.inf, 0.5, math.inf), (Verdict.UNDECIDED, math.nan, 0.5, 2.0)),
    "the budget ended before the witness": ((1.5, 0.5, 1.5), (Verdict.UNDECIDED, math.nan, 0.5, 1.5)),
}


def test_brackets_are_those_of_each_alone() -> None:
    """A bracket wider than 1 s is not told as one: the time tolerance says so."""
    query = checked_query(BALL, THERE, WALL, moved(1.0), t1=2.0, time_tolerance=1.0)
    rows = new_pairs(len(ROWS))
    rows["time"], rows["now"], rows["certain"] = np.array([row for row, _ in ROWS.values()]).T
    rows["t0"], rows["t1"], rows["distance"] = query.t0, query.t1, 1e-5
    many = FirstContacts._of_rows(rows, lambda _: query, 1.0)
    for k, (name, (_, expected)) in enumerate(ROWS.items()):
        one = contact_of_row(query, rows, k, query.time_tolerance)
        assert [one.verdict, *told(one.time, one.t_lo, one.t_hi)] == [expected[0], *told(*expected[1:])], name
        found = many.verdict[k], *told(many.time[k], many.t_lo[k], many.t_hi[k])
        assert found == (expected[0], *told(*expected[1:])), name
        assert list(many)[k] == many[k] == one
        assert math.isnan(one.distance) == (expected[0] is not Verdict.COLLIDING)


def told(*times: float) -> list[str]:
    """Times as texts, which are equal for nan too."""
    return [repr(float(t)) for t in times]


def test_counts_are_those_of_the_search() -> None:
    query = checked_query(GEM, THERE, PLATE, moved(1.0))
    rows = new_pairs(1)
    rows["evaluations"], rows["box_pairs"], rows["now"] = 7, 11, 1.0
    k = contact_of_row(query, rows, 0)
    assert (k.evaluations, dict(k.counts)) == (7, {"distances": 7, "box pairs": 11})
