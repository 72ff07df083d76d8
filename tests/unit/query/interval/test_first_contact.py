"""The public question: its methods agree, batches answer as single calls do, and errors name the case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.errors import ArgumentError, TrajectoryError
from keepclear.results import Verdict


def moved(x: float) -> np.ndarray:
    X = np.eye(4)
    X[0, 3] = x
    return X


BOX = kc.Box([0.2, 0.2, 0.2])
WALL = kc.Box([0.2, 2.0, 2.0])
THERE = kc.PoseTrajectory([0.0, 1.0], [moved(0.0), moved(1.0)], "linear")
HALF_WAY = kc.PoseTrajectory([0.0, 1.0], [moved(0.0), moved(0.5)], "linear")


@pytest.mark.parametrize("method", ["hybrid", "bisection", "sampling"])
def test_each_method_answers(method: Any) -> None:
    k = kc.first_contact(BOX, THERE, WALL, moved(1.0), 1e-3, 0.0, method)
    assert (k.verdict, k.method) == (Verdict.COLLIDING, method)
    assert k.time == pytest.approx(0.8, abs=1e-3 if method != "sampling" else 1 / 127)
    assert k.names == ("box A", "box B")
    assert k.safe is (method != "sampling")


def test_the_default_is_hybrid() -> None:
    assert kc.first_contact(BOX, HALF_WAY, WALL, moved(1.0)).method == "hybrid"


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ArgumentError, match="did you mean 'hybrid'"):
        kc.first_contact(BOX, THERE, WALL, moved(1.0), method="hybird")  # type: ignore[arg-type]


def test_samples_are_for_sampling() -> None:
    with pytest.raises(ArgumentError, match="samples is for method='sampling' only"):
        kc.first_contact(BOX, THERE, WALL, moved(1.0), samples=10)


@pytest.mark.parametrize("method", ["hybrid", "bisection"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_answers_as_single_calls_do(method: Any, threads: int) -> None:
    cases = [
        (BOX, THERE, WALL, moved(1.0)),
        (BOX, HALF_WAY, WALL, moved(1.0)),
        (kc.Sphere(0.1), THERE, BOX, moved(0.6)),
    ]
    batch = kc.first_contact_batch(cases, tolerance=1e-3, method=method, threads=threads)
    assert batch == [kc.first_contact(*case, tolerance=1e-3, method=method) for case in cases]
    assert [k.verdict for k in batch] == [Verdict.COLLIDING, Verdict.CLEAR, Verdict.COLLIDING]


def test_an_empty_batch_is_empty() -> None:
    assert kc.first_contact_batch([]) == []


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        (3, r"cases must be a sequence of \(a, motion_a, b, motion_b\), but it is 3"),
        ([(BOX, THERE, WALL)], r"cases\[0\]: a case must be \(a, motion_a, b, motion_b\), but it is"),
        (
            [(BOX, THERE, WALL, moved(1.0)), (BOX, None, WALL, moved(1.0))],
            r"cases\[1\]: motion_a must be a motion",
        ),
        ([(BOX, THERE, "wall", moved(1.0))], r"cases\[0\]: expected a shape"),
    ],
)
def test_errors_of_a_batch_name_the_case(cases: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        kc.first_contact_batch(cases)


def test_an_error_in_a_batch_keeps_its_kind() -> None:
    short = kc.PoseTrajectory([0.0, 1.0], [moved(0.0), moved(1.0)], "linear", hold="none")
    with pytest.raises(TrajectoryError, match=r"cases\[0\]: motion_a ends already at 1 s"):
        kc.first_contact_batch([(BOX, short, WALL, moved(1.0))], t1=2.0)


def test_threads_are_checked() -> None:
    with pytest.raises(ArgumentError, match="threads must be a whole number >= 1"):
        kc.first_contact_batch([], threads=0)
