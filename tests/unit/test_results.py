"""Results: printed, compared, hashed, stored, indexed, and never changed."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.results import Distance, State, Verdict

FIELDS = ("distance", "lower", "upper", "p_WA", "p_WB", "normal_W", "state", "colliding", "iterations")
CUBE = kc.Box([1, 1, 1])


def shifted(*xs: float) -> np.ndarray:
    X = np.tile(np.eye(4), (len(xs), 1, 1))
    X[:, 0, 3] = xs
    return X


def single(x: float) -> Distance:
    return kc.distance(CUBE, np.eye(4), CUBE, shifted(x)[0])


def batch(*xs: float) -> Distance:
    return kc.distance(CUBE, np.eye(4), CUBE, shifted(*xs))


def test_printed_forms() -> None:
    text = repr(single(3.0))
    assert text.startswith("Distance(SEPARATE, 2 m, lower 2 m, upper 2 m, p_WA = (0.5, ")
    assert repr(single(0.75)).startswith(
        "Distance(INTERFERING, -0.25 m, lower -0.25 m, upper -0.25 m, p_WA = (0.5, "
    )
    assert repr(batch(3.0, 0.75, 2.0)) == "Distance(3 pairs of poses, smallest distance -0.25 m, 1 colliding)"
    assert repr(batch()) == "Distance(0 pairs of poses)"
    assert str(single(3.0)) == text


def test_fields_of_a_single_answer_are_plain() -> None:
    for x, state, colliding in (
        (3.0, State.SEPARATE, False),
        (1.0, State.TOUCHING, True),
        (0.5, State.INTERFERING, True),
    ):
        r = single(x)
        assert type(r.distance) is type(r.lower) is type(r.upper) is float
        assert type(r.colliding) is bool
        assert type(r.iterations) is int
        assert type(r.state) is State
        assert (r.state, r.colliding) == (state, colliding)
        for p in (r.p_WA, r.p_WB, r.normal_W):
            assert (type(p), p.shape, p.dtype) == (np.ndarray, (3,), np.float64)
        assert r.lower <= x - 1.0 <= r.upper
        assert abs(r.distance - (x - 1.0)) < 1e-14


def test_fields_of_a_batch_are_arrays() -> None:
    r = batch(3.0, 1.0, 0.5)
    for name in ("distance", "lower", "upper"):
        assert getattr(r, name).shape == (3,)
        assert getattr(r, name).dtype == np.float64
    assert r.p_WA.shape == r.p_WB.shape == r.normal_W.shape == (3, 3)
    assert r.colliding.dtype == bool
    assert r.colliding.tolist() == [False, True, True]
    assert r.state.tolist() == [State.SEPARATE, State.TOUCHING, State.INTERFERING]
    assert np.issubdtype(r.state.dtype, np.integer)
    assert np.issubdtype(r.iterations.dtype, np.integer)
    assert len(r) == 3
    assert len(batch()) == 0
    assert batch().p_WA.shape == (0, 3)
    assert batch().state.shape == (0,)


def test_a_batch_is_a_sequence_of_answers() -> None:
    r = batch(3.0, 1.0, 0.5, 7.0)
    for k, x in enumerate((3.0, 1.0, 0.5, 7.0)):
        assert r[k] == single(x)
        assert hash(r[k]) == hash(single(x))
        assert type(r[k].distance) is float
    assert [x.distance for x in r] == r.distance.tolist()
    assert r[-1] == r[3]
    assert r[1:3] == batch(1.0, 0.5)
    assert r[r.colliding] == batch(1.0, 0.5)
    assert r[np.array([3, 0])] == batch(7.0, 3.0)
    assert r[[3, 0]].distance.tolist() == [6.0, 2.0]
    assert len(r[:0]) == 0
    with pytest.raises(IndexError):
        r[4]


def test_a_single_answer_is_not_a_sequence() -> None:
    r = single(3.0)
    with pytest.raises(TypeError, match="it has no length; a batch has"):
        len(r)
    with pytest.raises(TypeError, match="it has no items; a batch has"):
        r[0]


def test_equal_and_hashed_by_what_they_say() -> None:
    assert single(3.0) == single(3.0)
    assert hash(single(3.0)) == hash(single(3.0))
    assert single(3.0) != single(3.5)
    assert single(3.0) != batch(3.0)
    assert batch(3.0, 2.0) == batch(3.0, 2.0)
    assert batch(3.0, 2.0) != batch(2.0, 3.0)
    assert single(3.0) != single(3.0).distance
    assert len({single(3.0), single(3.0), single(2.0), batch(3.0)}) == 3


def test_equal_answers_have_equal_hashes_whatever_the_sign_of_zero() -> None:
    rows = np.zeros((2, 16))
    rows[1, 9:12] = -0.0
    plus, minus = Distance(rows[0]), Distance(rows[1])
    assert plus == minus
    assert hash(plus) == hash(minus)


def test_a_tracker_and_a_cold_call_that_agree_are_equal() -> None:
    assert kc.Tracker(CUBE, CUBE).distance(np.eye(4), shifted(3.0)[0]) == single(3.0)


@pytest.mark.parametrize("kind", ["single", "batch", "empty"])
def test_stored_and_copied(kind: str) -> None:
    result = {"single": lambda: single(3.0), "batch": lambda: batch(3.0, 0.5), "empty": batch}[kind]()
    for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert again == result
        assert hash(again) == hash(result)
        assert repr(again) == repr(result)
        for name in FIELDS:
            assert np.array_equal(getattr(again, name), getattr(result, name)), name


@pytest.mark.parametrize("name", [*FIELDS, "color"])
def test_nothing_can_be_set(name: str) -> None:
    for result in (single(3.0), batch(3.0)):
        with pytest.raises(AttributeError, match=name):
            setattr(result, name, 0.0)


@pytest.mark.parametrize("name", ["distance", "lower", "upper", "p_WA", "p_WB", "normal_W"])
def test_arrays_are_read_only(name: str) -> None:
    result: Any = batch(3.0, 0.5)
    array = getattr(result, name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 7.0
    if name not in ("distance", "lower", "upper"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(single(3.0), name)[0] = 7.0


def test_an_answer_keeps_what_it_said_while_the_tracker_goes_on() -> None:
    tracker = kc.Tracker(CUBE, CUBE)
    first = tracker.distance(np.eye(4), shifted(3.0)[0])
    text, number = repr(first), hash(first)
    tracker.distance(np.eye(4), shifted(2.0)[0])
    tracker.reset()
    tracker.distance(np.eye(4), shifted(0.5, 4.0))
    assert (repr(first), hash(first)) == (text, number)


def test_vocabularies() -> None:
    assert [s.name for s in State] == ["SEPARATE", "TOUCHING", "INTERFERING", "CONTAINED"]
    assert State.SEPARATE == 0
    assert {v.value for v in Verdict} == {"CLEAR", "COLLIDING", "UNDECIDED"}
    assert pickle.loads(pickle.dumps(State.TOUCHING)) is State.TOUCHING
