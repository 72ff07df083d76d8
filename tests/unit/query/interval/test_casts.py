"""Casts: motions given as poses at the start and at the end; bad input gets one clear error."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.kernels.motion import rigid
from keepclear.motion.packing import pack_rest
from keepclear.motion.trajectory import all_between
from keepclear.query.interval.first_contacts import FirstContacts


def at(x: float, y: float = 0.0, angle: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    X[:2, 3] = x, y
    return X


def many(*poses: np.ndarray) -> np.ndarray:
    return np.array(poses)


BALL, BOX = kc.Sphere(0.1), kc.Box([0.2, 0.2, 0.2])
E = np.eye(4)
MESH = kc.Mesh([[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]], [[0, 1, 2], [0, 2, 3]])


def test_single_poses_give_a_single_result() -> None:
    found = kc.first_contact(BALL, (at(-1), at(1)), BOX, at(0))
    assert isinstance(found, kc.FirstContact)
    assert found == kc.first_contact(BALL, kc.PoseTrajectory([0, 1], [at(-1), at(1)], "screw"), BOX, at(0))
    assert found.time == pytest.approx(0.4, abs=1e-4)
    other = kc.first_contact(BOX, kc.Fixed(at(0)), BALL, (at(-1), at(1)))
    assert other.time == found.time


def test_screws_and_straight_paths_differ() -> None:
    """Half of a circle of radius 1 around the ball, less a little, or straight through it."""
    cast = at(1, 0, 0), at(-1, 0, 3.0)
    assert kc.first_contact(BALL, cast, BALL, E).verdict is kc.Verdict.CLEAR
    assert kc.first_contact(BALL, cast, BALL, E, interpolation="linear").time == pytest.approx(0.4, abs=1e-4)


def test_one_pose_is_repeated() -> None:
    ends = many(at(1), at(1, 1), at(0.5))
    found = kc.first_contact(BALL, (at(-1), ends), BOX, E)
    assert [v.name for v in found.verdict] == ["COLLIDING", "CLEAR", "COLLIDING"]
    assert found == kc.first_contact(BALL, (many(*[at(-1)] * 3), ends), BOX, (E, many(E, E, E)))
    fan = kc.first_contact(BALL, (ends, at(-1)), BOX, many(E, E, E))
    assert len(fan) == 3
    one = kc.first_contact(BALL, (ends[:1], at(-1)), BOX, E)
    assert isinstance(one, FirstContacts)
    assert one[0] == fan[0]


def test_what_is_changed_later_changes_nothing() -> None:
    start, end, margin = many(at(-1), at(-1)), many(at(1), at(0, 5)), np.array([0.0, 0.1])
    found = kc.first_contact(BALL, (start, end), BOX, E, margin=margin)
    expected = kc.first_contact(BALL, (start.copy(), end.copy()), BOX, E, margin=margin.copy())
    start[:], end[:], margin[:] = 7.0, 7.0, 7.0
    assert found == expected
    assert [k.margin for k in found] == [0.0, 0.1]


def test_results_are_pickled_and_printed() -> None:
    found = kc.first_contact(BALL, (at(-1), many(at(1), at(0, 5))), BOX, E)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert np.array_equal(again.X_WA, found.X_WA, equal_nan=True)
    assert repr(found) == "FirstContacts(1 CLEAR, 1 COLLIDING)"
    assert found[1].X_WA is None
    assert np.isnan(found.X_WA[1]).all()
    assert found.evaluations.dtype == np.int64


def test_no_casts() -> None:
    none = np.empty((0, 4, 4))
    for options in ({}, {"method": "bisection"}, {"margin": []}):
        found = kc.first_contact(BALL, (none, none), BOX, E, **options)  # type: ignore[call-overload]
        assert len(found) == 0
        assert found.p_W.shape == (0, 3)
        assert found.X_WB.shape == (0, 4, 4)
    with pytest.raises(kc.ArgumentError, match="tolerance must be a finite number > 0"):
        kc.first_contact(BALL, (none, none), BOX, E, tolerance=-1.0)


def bent(k: int = 1) -> np.ndarray:
    X = many(E, E, E)
    X[k, 0, 0] = 2.0
    return X


def hidden() -> np.ma.MaskedArray[Any, Any]:
    X = np.ma.masked_array(many(E, E, E))
    X[1, 0, 3] = np.ma.masked
    return X


NAN = many(E, E, E)
NAN[2, 1, 3] = np.nan
HALF = at(0, 0, np.pi)


@pytest.mark.parametrize(
    ("motions", "options", "error", "message"),
    [
        (
            ((many(E, E), many(E, E, E)), E),
            {},
            kc.PoseError,
            r"motion_a\[0\] has 2 poses and motion_a\[1\] has 3",
        ),
        (
            ((E, many(E, E)), many(E, E, E)),
            {},
            kc.PoseError,
            r"motion_a\[1\] has 2 poses and motion_b has 3; give as",
        ),
        (((E, bent()), E), {}, kc.PoseError, r"motion_a\[1\]\[1\] is not rigid"),
        ((E, (bent()[1], E)), {}, kc.PoseError, r"motion_b\[0\] is not rigid"),
        (
            ((NAN, E), E),
            {},
            kc.PoseError,
            r"motion_a\[0\]\[2\] has an entry that is not finite: \[1, 3\] = nan",
        ),
        (((hidden(), E), E), {}, kc.PoseError, "masked entry, whose value is unknown"),
        (((E, "X"), E), {}, kc.PoseError, r"motion_a\[1\] must be an array of numbers"),
        (((E, E[:3]), E), {}, kc.PoseError, r"motion_a\[1\] must be a pose \(4, 4\) or poses \(n, 4, 4\)"),
        (
            ((E, [E, E, E]), E),
            {"margin": [0.1, 0.2]},
            kc.ArgumentError,
            r"an array \(3,\), one for each cast",
        ),
        (
            ((E, many(E, E)), E),
            {"margin": [0.1, -1.0]},
            kc.ArgumentError,
            r"margin\[1\] must be a finite number >= 0",
        ),
        (((E, many(E, E)), E), {"margin": [0.1, np.nan]}, kc.ArgumentError, r"margin\[1\] must be a finite"),
        (((E, E), E), {"margin": [0.1, 0.2]}, kc.ArgumentError, r"an array \(1,\)"),
        (
            ((E, E), E),
            {"interpolation": "cubic"},
            kc.ArgumentError,
            "interpolation must be 'screw' or 'linear'",
        ),
        (((E, E), E), {"threads": 0}, kc.ArgumentError, "threads must be a whole number >= 1"),
        (((E, E), E), {"t0": 2.0}, kc.ArgumentError, "the interval must not end before it starts"),
        (
            ((E, many(E, HALF)), E),
            {},
            kc.TrajectoryError,
            r"from motion_a\[0\] to motion_a\[1\]\[1\] the body makes half",
        ),
        (
            (E, (many(E, HALF), E)),
            {},
            kc.TrajectoryError,
            r"motion_b: from motion_b\[0\]\[1\] to motion_b\[1\] the body",
        ),
        (((E, many(E, at(1e9))), E), {}, kc.ArgumentError, r"casts\[1\]: tolerance = 0.0001 m is finer"),
        (((E, at(1e9)), E), {}, kc.ArgumentError, r"^tolerance = 0.0001 m is finer"),
        (
            ((E, E), [E, E]),
            {},
            kc.PoseError,
            r"motion_b is a list of 2 poses; give a tuple \(X_start, X_end\)",
        ),
        (
            ((E, E), kc.PoseTrajectory([0, 1], [E, E], "screw")),
            {},
            kc.ArgumentError,
            "motion_b is a PoseTrajectory, but",
        ),
        (
            ((E, E), (E[:3, :3], [0, 0, 0])),
            {},
            kc.PoseError,
            r"motion_b is a pair of a rotation and a translation",
        ),
        ((E, E), {"interpolation": "screw"}, kc.ArgumentError, "interpolation = 'screw' is for casts"),
        ((E, E), {"threads": 2}, kc.ArgumentError, "threads = 2 is for casts"),
        (
            (many(E, E), E),
            {},
            kc.ArgumentError,
            r"motion_a must be a motion, but it is an array of shape \(2, 4, 4\)",
        ),
        (([E, E], E), {}, kc.ArgumentError, r"a tuple \(X_start, X_end\) for a cast"),
        (((E, E, E), E), {}, kc.ArgumentError, r"motion_a must be a motion"),
    ],
)
def test_bad_input_gets_one_clear_error(motions: Any, options: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        kc.first_contact(BALL, motions[0], BOX, motions[1], **options)


def test_errors_of_other_methods_and_bodies_name_the_cast() -> None:
    for body, options in ((MESH, {}), ([(BALL, E)], {}), (BOX, {"method": "bisection"})):
        with pytest.raises(kc.TrajectoryError, match=r"casts\[1\]: motion_a: from .* half a turn"):
            kc.first_contact(BALL, (E, many(at(5), HALF)), body, at(9), **options)  # type: ignore[call-overload]


def test_motions_are_packed_as_objects_are() -> None:
    """Bit for bit, in scratch that another cast has used before."""
    rng, Q = np.random.default_rng(1), np.zeros(rigid.ONE_SEGMENT)
    X = many(*(at(*rng.normal(size=3)) for _ in range(8)))
    for k in range(4):
        for screw, kind in ((True, "screw"), (False, "linear")):
            assert rigid.write_cast(Q, X[:4], X[4:], k, screw)
            assert np.array_equal(Q, all_between(X[k : k + 1], X[4 + k : 5 + k], kind, [None])[0]._packed)
        Q = np.zeros(rigid.ONE_SEGMENT)
        assert rigid.write_cast(Q, X, np.empty((0, 4, 4)), k, True)
        assert np.array_equal(Q, pack_rest(X[k], 0.0))


def test_an_index_beyond_the_results_is_named() -> None:
    casts = kc.first_contact(
        kc.Sphere(1.0), np.tile(np.eye(4), (2, 1, 1)), kc.Sphere(1.0), (np.eye(4), np.eye(4))
    )
    assert casts[-1] == casts[1]
    with pytest.raises(IndexError, match="there is no result 2: there are 2 of them"):
        casts[2]
