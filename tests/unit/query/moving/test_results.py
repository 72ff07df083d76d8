"""Results over time: printable, comparable, storable, and never true or false by themselves."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest

from keepclear.query.moving.results import Clearance, Feature, FirstContact, Profile, shown_times
from keepclear.results import Verdict

COLLIDING = FirstContact(
    verdict=Verdict.COLLIDING,
    time=0.4123,
    t_lo=0.41229,
    t_hi=0.41231,
    X_WA=np.eye(4),
    X_WB=np.eye(4),
    p_W=np.array([0.1, 0.2, 0.3]),
    normal_W=np.array([0.0, 0.0, 1.0]),
    distance=3e-5,
    features=(Feature("vertex", (3,)), Feature("face", (7,))),
    evaluations=17,
    method="bisection",
    names=("box", "plate"),
)
CLEAR = FirstContact(verdict=Verdict.CLEAR, time=math.nan, t_lo=2.0, t_hi=2.0, evaluations=2, method="hybrid")
UNDECIDED = FirstContact(
    verdict=Verdict.UNDECIDED,
    time=math.nan,
    t_lo=0.25,
    t_hi=1.0,
    evaluations=9,
    method="bisection",
    margin=0.005,
)
NOTHING_SEEN = FirstContact(
    verdict=Verdict.UNDECIDED,
    time=math.nan,
    t_lo=0.0,
    t_hi=1.0,
    evaluations=128,
    method="sampling",
    safe=False,
)


def test_a_contact_is_printed_in_one_line() -> None:
    assert str(COLLIDING) == "COLLIDING at t = 0.4123 s (0.41229 .. 0.41231), 0.00003 m between box and plate"
    assert repr(COLLIDING) == (
        "FirstContact(COLLIDING at t = 0.4123 s (0.41229 .. 0.41231), 0.00003 m between box and plate, "
        "bisection, 17 evaluations)"
    )


def test_the_other_verdicts_are_printed() -> None:
    assert str(CLEAR) == "CLEAR until t = 2 s, A and B"
    assert str(UNDECIDED) == (
        "UNDECIDED A and B: the budget ended after 9 evaluations, 0.25 .. 1 s is left, margin 0.005 m"
    )
    assert str(NOTHING_SEEN) == (
        "UNDECIDED A and B: no contact at 128 instants, which proves nothing between them"
    )


def test_assumptions_are_printed() -> None:
    held = FirstContact(
        verdict=Verdict.CLEAR,
        time=math.nan,
        t_lo=2.0,
        t_hi=2.0,
        holds="box is held after 1 s",
        deviation=1.5e-4,
    )
    assert str(held) == "CLEAR until t = 2 s, A and B; not rigid by up to 0.00015 m; box is held after 1 s"
    unsafe = FirstContact(
        verdict=Verdict.COLLIDING, time=0.5, t_lo=0.0, t_hi=0.5, distance=-0.1, method="sampling", safe=False
    )
    assert str(unsafe) == (
        "COLLIDING at t = 0.5 s (0 .. 0.5), contact between A and B, an earlier contact may have been missed"
    )


@pytest.mark.parametrize(
    ("times", "texts"),
    [
        ((1.3, 1.3, 1.3), ("1.3", "1.3 .. 1.3")),
        ((0.5, 0.0, 1.0), ("0.5", "0 .. 1")),
        ((1.3, 1.2999999999999, 1.3000000000001), ("1.3", "1.2999999999999 .. 1.3000000000001")),
    ],
)
def test_times_have_as_many_digits_as_tell_them_apart(
    times: tuple[float, float, float], texts: tuple[str, str]
) -> None:
    assert shown_times(*times) == texts


@pytest.mark.parametrize(
    ("distance", "text"),
    [
        (0.0, "contact"),
        (-1.0, "contact"),
        (0.25, "0.25 m"),
        (12.0, "12 m"),
        (1e-7, "0.0000001 m"),
        (3e-12, "3e-12 m"),
    ],
)
def test_distances_are_printed_in_metres(distance: float, text: str) -> None:
    result = FirstContact(verdict=Verdict.COLLIDING, time=0.0, t_lo=0.0, t_hi=0.0, distance=distance)
    assert f"), {text} between" in str(result)


@pytest.mark.parametrize("result", [COLLIDING, CLEAR, UNDECIDED, NOTHING_SEEN])
def test_results_are_equal_by_content_and_survive_pickling(result: FirstContact) -> None:
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert hash(again) == hash(result)
    assert result != "something else"
    others = [other for other in (COLLIDING, CLEAR, UNDECIDED, NOTHING_SEEN) if other is not result]
    assert all(other != result for other in others)


def test_a_result_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"compare \.verdict with kc\.Verdict\.CLEAR"):
        bool(CLEAR)
    with pytest.raises(TypeError, match=r"compare \.lower with a margin"):
        bool(Clearance(lower=0.0, upper=0.0, time=0.0))


def test_a_result_never_changes() -> None:
    with pytest.raises(AttributeError):
        CLEAR.verdict = Verdict.COLLIDING  # type: ignore[misc]


def test_results_become_json() -> None:
    fields = json.loads(json.dumps(COLLIDING.to_dict(), allow_nan=False))
    assert fields["verdict"] == "COLLIDING"
    assert fields["time"] == 0.4123
    assert fields["p_W"] == [0.1, 0.2, 0.3]
    assert fields["X_WA"][3] == [0.0, 0.0, 0.0, 1.0]
    assert fields["features"][0] == {"kind": "vertex", "index": [3]}
    fields = json.loads(json.dumps(CLEAR.to_dict(), allow_nan=False))
    assert fields["time"] is None
    assert fields["p_W"] == [None, None, None]
    assert fields["X_WA"] is None


def test_features_are_printed() -> None:
    assert [str(f) for f in (Feature("edge", (4, 7)), Feature("surface"))] == ["edge 4-7", "surface"]


def test_a_clearance_is_printed_and_stored() -> None:
    c = Clearance(
        lower=0.0123, upper=0.01235, time=0.5, evaluations=12, names=("arm", "table"), holds="arm is held"
    )
    assert str(c) == "0.0123 .. 0.01235 m between arm and table, least at t = 0.5 s; arm is held"
    assert repr(c) == "Clearance(0.0123 .. 0.01235 m at 0.5 s, 12 evaluations)"
    assert json.loads(json.dumps(c.to_dict(), allow_nan=False))["upper"] == 0.01235
    assert pickle.loads(pickle.dumps(c)) == c
    assert c != Clearance(lower=0.0123, upper=0.01235, time=0.6, evaluations=12)


def test_a_clearance_asks_for_its_profile() -> None:
    with pytest.raises(TypeError, match=r"not made by kc\.clearance"):
        Clearance(lower=0.0, upper=0.0, time=0.0).profile([0.0])
    zeros = np.zeros(2)
    c = Clearance(lower=0.0, upper=0.0, time=0.0, _profile=lambda t: Profile(t, zeros, zeros, np.zeros(1)))
    assert c.profile([1, 2]).times.tolist() == [1.0, 2.0]
