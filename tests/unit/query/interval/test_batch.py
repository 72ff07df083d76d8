"""Batches of first contacts: each result is that of a single call, and arrays say the same."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import keepclear as kc
from keepclear.errors import ArgumentError, TrajectoryError
from keepclear.query.interval.advancement_result import AdvancementContact
from keepclear.query.interval.first_contacts import FirstContacts
from keepclear.query.moving import moving_pair
from keepclear.results import Verdict


def moved(x: float, y: float = 0.0, z: float = 0.0, angle: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = Rotation.from_rotvec([0.0, 0.0, angle]).as_matrix()
    X[:3, 3] = x, y, z
    return X


def way(*poses: Any, kind: Any = "linear", **options: Any) -> kc.PoseTrajectory:
    return kc.PoseTrajectory(np.arange(len(poses)), np.array(poses), kind, **options)


BALL = kc.Sphere(0.1)
BOX = kc.Box([0.2, 0.2, 0.2])
WALL = kc.Box([0.2, 2.0, 2.0])
PLATE = kc.Mesh([[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]], [[0, 1, 2], [0, 2, 3]])
SHAPES: dict[str, Any] = {
    "sphere": BALL,
    "box": BOX,
    "capsule": kc.Capsule(0.1, 0.2),
    "cylinder": kc.Cylinder(0.1, 0.2),
    "hull": kc.Convex([[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]),
    "mesh": kc.Mesh(
        [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ),
}
THERE = way(moved(0), moved(1))
HALF_WAY = way(moved(0), moved(0.5))
TURNING = way(moved(-0.5), moved(0.2, 0.1, 0.0, 1.0), moved(1.0, 0.0, 0.1, 2.0), kind="screw")
CUBIC = kc.PoseTrajectory(
    np.linspace(0.0, 1.0, 4), [moved(x, 0.0, 0.0, 0.1 * x) for x in (0.0, 0.3, 0.7, 1.0)]
)
METHODS = ("hybrid", "bisection", "exact", "bisect_exact", "sampling")


def check_same(batch: FirstContacts, cases: Any, **options: Any) -> None:
    """Each result is that of a single call, to the last bit, and so are the arrays."""
    singles = [kc.first_contact(*case, **options) for case in cases]
    assert list(batch) == singles
    assert batch == singles
    check_arrays(batch)


def check_arrays(batch: FirstContacts) -> None:
    assert batch.verdict.tolist() == [k.verdict for k in batch]
    for name in ("time", "t_lo", "t_hi"):
        array = getattr(batch, name)
        assert array.dtype == np.float64
        assert np.array_equal(array, [getattr(k, name) for k in batch], equal_nan=True)


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_and_motion(name: str) -> None:
    shape = SHAPES[name]
    cases = [
        (shape, THERE, WALL, moved(1.0)),
        (WALL, moved(1.0), shape, HALF_WAY),
        (shape, TURNING, BOX, THERE),
        (shape, THERE, PLATE, moved(0.9)),
        (shape, CUBIC, WALL, moved(1.0)),
        (shape, moved(0.0), WALL, moved(0.05)),
    ]
    check_same(kc.first_contact_batch(cases), cases)
    verdicts = kc.first_contact_batch(cases).verdict.tolist()
    assert verdicts[:2] == [Verdict.COLLIDING, Verdict.CLEAR]
    assert verdicts[3:] == [Verdict.COLLIDING] * 3


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method: Any) -> None:
    cases = [
        (BOX, THERE, WALL, moved(1.0)),
        (SHAPES["mesh"], THERE, WALL, moved(1.0)),
        (BOX, HALF_WAY, PLATE, moved(1.0)),
        (SHAPES["hull"], CUBIC, BOX, moved(0.8)),
    ]
    options: dict[str, Any] = {"method": method, "tolerance": 1e-3}
    if method == "sampling":
        options["samples"] = 9
    check_same(kc.first_contact_batch(cases, **options), cases, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"margin": 0.1},
        {"tolerance": 1e-7},
        {"t0": 0.25},
        {"t1": 0.75},
        {"t0": -1.0, "t1": 3.0},
        {"time_tolerance": 1e-15},
        {"budget": 1},
        {"budget": 2},
        {"budget": 3},
    ],
)
def test_every_option(options: Any) -> None:
    cases = [
        (BALL, THERE, WALL, moved(1.0)),
        (BOX, TURNING, kc.Capsule(0.05, 0.3), moved(0.3, 0.35)),
        (WALL, moved(1.0), BALL, moved(0.9)),
        (BOX, HALF_WAY, WALL, moved(1.0)),
        (PLATE, TURNING, BALL, moved(1.0)),
    ]
    check_same(kc.first_contact_batch(cases, **options), cases, **options)


def test_each_case_has_its_own_interval() -> None:
    late = kc.PoseTrajectory([10.0, 11.0], [moved(0), moved(0.5)], "linear")
    cases = [
        (BALL, THERE, WALL, moved(2.0)),
        (BALL, late, WALL, moved(2.0)),
        (BALL, late, WALL, THERE),
        (BALL, moved(5), BALL, moved(0)),
    ]
    batch = kc.first_contact_batch(cases)
    assert batch.t_hi.tolist() == [1.0, 11.0, batch[2].t_hi, 0.0]
    check_same(batch, cases)
    at_rest = [(BALL, moved(5), BALL, moved(0))]
    for options, end in (({"t0": 3.0}, 3.0), ({"t1": 4.0}, 4.0), ({"t0": 3.0, "t1": 7.0}, 7.0)):
        batch = kc.first_contact_batch(at_rest, **options)
        assert batch.t_hi.tolist() == [end]
        check_same(batch, at_rest, **options)


def test_a_budget_is_for_each_case() -> None:
    """One that is answered with its last distance, and one that is not: both are as alone."""
    slow = way(moved(-1, 0.2), moved(1, 0.2, 0.0, 1.5))
    cases = [
        (BOX, THERE, WALL, moved(1.0)),
        (BOX, slow, kc.Capsule(0.02, 0.1), moved(0.0)),
        (BALL, THERE, BALL, moved(9.0)),
    ]
    needed = [kc.first_contact(*case).evaluations for case in cases]
    assert needed[0] < needed[1]
    for budget in range(1, needed[1] + 1):
        batch = kc.first_contact_batch(cases, budget=budget)
        check_same(batch, cases, budget=budget)
        assert [k.verdict is not Verdict.UNDECIDED for k in batch] == [n <= budget for n in needed]


def test_order_and_repeats() -> None:
    one, two = (BALL, THERE, WALL, moved(1.0)), (BOX, HALF_WAY, WALL, moved(1.0))
    mesh = (PLATE, THERE, BALL, moved(0.5))
    batch = kc.first_contact_batch([one, mesh, two, one, mesh, one])
    assert batch[0] == batch[3] == batch[5]
    assert batch[1] == batch[4]
    assert [k.names for k in batch[:3]] == [("sphere", "box"), ("mesh", "sphere"), ("box A", "box B")]
    assert [k.verdict for k in batch[:3]] == [Verdict.COLLIDING, Verdict.COLLIDING, Verdict.CLEAR]


def test_equal_shapes_that_are_not_the_same_are_told_apart() -> None:
    """Poses that are equal, arrays that come and go, and one array as both motions."""
    X = moved(0.5)
    cases = [(kc.Sphere(0.1 * (k + 1)), moved(0.0), kc.Sphere(0.1), moved(1.0)) for k in range(12)]
    cases.append((BALL, X, BALL, X))
    batch = kc.first_contact_batch(cases)
    assert [k.verdict is Verdict.COLLIDING for k in batch] == [
        0.1 * (k + 1) + 0.1 > 1.0 - 1e-9 for k in range(12)
    ] + [True]
    check_same(batch, cases)


def test_cases_may_come_from_anything_that_can_be_iterated() -> None:
    def cases() -> Iterator[Any]:
        for x in (1.0, 3.0):
            yield [BALL, THERE, WALL, moved(x)]

    assert kc.first_contact_batch(cases()).verdict.tolist() == [Verdict.COLLIDING, Verdict.CLEAR]


def test_what_is_changed_later_changes_nothing() -> None:
    """Results are made when they are asked for, from what was given at the time of the call."""
    X, Y = moved(1.0), moved(2.0)
    cases: list[Any] = [(BALL, THERE, WALL, X), [BALL, THERE, PLATE, Y]]
    batch, expected = kc.first_contact_batch(cases), [kc.first_contact(*case) for case in cases]
    X[0, 3] = 7.0
    Y[0, 3] = 0.3
    cases[1][0] = WALL
    cases.clear()
    assert batch == expected


def test_items_are_made_once_and_when_asked_for() -> None:
    batch = kc.first_contact_batch([(BALL, THERE, WALL, moved(1.0)), (BOX, HALF_WAY, WALL, moved(1.0))])
    assert batch._results == [None, None]
    first = batch[0]
    assert isinstance(first, AdvancementContact)
    assert batch[0] is first
    assert batch._results[1] is None


def test_what_the_kernel_cannot_prove_is_left_to_bisection(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if rounding had left no proof for the second of three pairs, nor when it is tried alone."""
    run, advance = moving_pair.run_convex, moving_pair._advance_pair

    def runs(arrays: tuple[Any, ...], begin: int, end: int, most: int, *more: Any) -> None:
        run(arrays, begin, end, most, *more)
        rows = arrays[-1]
        rows["unproved"][len(rows) // 2] = 1

    def advances(*arrays: Any) -> int:
        paused, rows = advance(*arrays), arrays[6]
        rows["unproved"] = 1
        return paused

    cases = [
        (BALL, THERE, WALL, moved(1.0)),
        (BOX, THERE, WALL, moved(1.0)),
        (BALL, HALF_WAY, WALL, moved(1.0)),
    ]
    with monkeypatch.context() as patched:
        patched.setattr(moving_pair, "run_convex", runs)
        patched.setattr(moving_pair, "_advance_pair", advances)
        batch = kc.first_contact_batch(cases)
    assert [k.method for k in batch] == ["hybrid", "bisection", "hybrid"]
    expected = kc.first_contact(
        *cases[1], method="bisection"
    )  # asked in local time, it is the same to rounding
    for name in ("time", "t_lo", "t_hi", "distance", "p_W", "normal_W"):
        assert getattr(batch[1], name) == pytest.approx(getattr(expected, name), abs=1e-12)
    assert batch[::2] == [kc.first_contact(*case) for case in cases[::2]]
    check_arrays(batch)


def test_it_is_a_sequence() -> None:
    cases = [(BALL, THERE, WALL, moved(1.0 + 0.25 * k)) for k in range(5)]
    batch = kc.first_contact_batch(cases)
    assert len(batch) == 5
    assert batch[-1] is batch[4]
    assert batch[-5] is batch[0]
    assert batch[1:4] == [batch[1], batch[2], batch[3]]
    assert batch[::-2] == [batch[4], batch[2], batch[0]]
    assert batch[7:] == []
    assert list(reversed(batch)) == batch[::-1]
    assert batch[np.int64(2)] is batch[2]  # type: ignore[call-overload]
    assert batch[3] in batch
    for k in (5, -6):
        with pytest.raises(IndexError):
            batch[k]
    assert repr(batch) == "FirstContacts(4 CLEAR, 1 COLLIDING)"
    assert batch != batch[:4]
    assert batch == kc.first_contact_batch(cases)
    assert (batch == 3) is False


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_batch(method: Any) -> None:
    batch = kc.first_contact_batch([], method=method)
    assert len(batch) == 0
    assert batch == []
    assert list(batch) == []
    assert repr(batch) == "FirstContacts()"
    for array in (batch.time, batch.t_lo, batch.t_hi, batch.verdict):
        assert array.shape == (0,)
    assert pickle.loads(pickle.dumps(batch)) == []


@pytest.mark.parametrize("method", ["hybrid", "bisection"])
def test_threads_give_the_same_bits(method: Any) -> None:
    rng, shapes = np.random.default_rng(2), list(SHAPES.values())
    cases = []
    for k in range(12):
        y, z, angle = rng.normal(size=3) * [0.1, 0.1, 1.0]
        x, u, v = rng.normal(size=3) * 0.2
        cases.append(
            (shapes[k % 6], way(moved(-1), moved(1, y, z, angle)), shapes[k // 2 % 6], moved(x, u, v))
        )
    alone = kc.first_contact_batch(cases, tolerance=0.05, method=method)
    for threads in (2, 32):
        together = kc.first_contact_batch(cases, tolerance=0.05, method=method, threads=threads)
        assert together == alone
        check_arrays(together)
        assert np.array_equal(together.time, alone.time, equal_nan=True)
    assert len(set(alone.verdict)) > 1


def test_pickling_keeps_everything() -> None:
    cases = [
        (BALL, THERE, WALL, moved(1.0)),
        (BOX, HALF_WAY, WALL, moved(1.0)),
        (PLATE, THERE, BALL, moved(0.5)),
    ]
    batch = kc.first_contact_batch(cases)
    again = pickle.loads(pickle.dumps(batch))
    assert type(again) is type(batch)
    assert again == batch
    check_arrays(again)
    assert repr(again) == repr(batch)


GOOD = (BALL, THERE, WALL, moved(1.0))
INTERVAL = "the interval must not end before it starts"


@pytest.mark.parametrize(
    ("cases", "options", "message"),
    [
        ("no", {}, r"cases must be a sequence of \(a, motion_a, b, motion_b\), but it is 'no'"),
        (None, {}, r"cases must be a sequence"),
        ([GOOD, 5], {}, r"cases\[1\]: a case must be \(a, motion_a, b, motion_b\), but it is 5"),
        ([GOOD, GOOD, (BALL, THERE, WALL, np.eye(3))], {}, r"cases\[2\]: motion_b must be a motion"),
        ([GOOD, ("ball", THERE, WALL, moved(1.0))], {}, r"cases\[1\]: expected a shape"),
        ([GOOD], {"t0": 2.0, "t1": 1.0}, rf"cases\[0\]: {INTERVAL}"),
        ([(BALL, moved(5), BALL, moved(0)), GOOD], {"t0": 2.0}, rf"cases\[1\]: {INTERVAL}"),
        ([GOOD], {"tolerance": 0.0}, r"cases\[0\]: tolerance must be a finite number > 0"),
        ([GOOD], {"margin": -1.0}, r"margin must be a finite number >= 0"),
        (
            [GOOD, (BALL, THERE, WALL, moved(1e6))],
            {"tolerance": 1e-9},
            r"cases\[1\]: tolerance = 1e-09 m is finer",
        ),
    ],
)
def test_errors_name_the_case(cases: Any, options: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        kc.first_contact_batch(cases, **options)


def test_a_trajectory_that_does_not_cover_the_interval_is_named() -> None:
    short = way(moved(0), moved(1), hold="none")
    with pytest.raises(TrajectoryError, match=r"cases\[1\]: motion_a ends already at 1 s"):
        kc.first_contact_batch([(BALL, THERE, WALL, moved(1.0)), (BALL, short, WALL, moved(1.0))], t1=2.0)
    covered = [(BALL, short, WALL, moved(1.0))]
    check_same(kc.first_contact_batch(covered), covered)
