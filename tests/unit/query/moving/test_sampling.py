"""Sampling: it sees what happens at its instants and nothing between them, and says so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.query.moving.results import FirstContact
from keepclear.results import Verdict


def moved(x: float) -> np.ndarray:
    X = np.eye(4)
    X[0, 3] = x
    return X


PLATE = kc.Box([0.001, 1.0, 1.0])


def sample(end: float, **options: Any) -> FirstContact:
    """Move a ball of 1 cm from 0 to x = end in one second, past a thin plate at 0.5 m."""
    motion = PoseTrajectory([0, 1], [moved(0.0), moved(end)], "linear")
    return kc.first_contact(kc.Sphere(0.01), motion, PLATE, moved(0.5), method="sampling", **options)


def test_a_contact_between_two_instants_is_missed_and_never_called_clear() -> None:
    k = sample(1.0, samples=6)  # at 0.4 and 0.6 m
    assert (k.verdict, k.t_lo, k.t_hi) == (Verdict.UNDECIDED, 0.0, 1.0)
    assert (k.evaluations, k.safe, k.method) == (6, False, "sampling")
    assert math.isnan(k.time)
    assert "proves nothing between them" in str(k)
    motion = PoseTrajectory([0, 1], [moved(0.0), moved(1.0)], "linear")
    assert kc.first_contact(kc.Sphere(0.01), motion, PLATE, moved(0.5), method="bisection").verdict is (
        Verdict.COLLIDING
    )


def test_a_contact_at_an_instant_is_seen() -> None:
    k = sample(1.0, samples=5)
    assert (k.verdict, k.time, k.t_lo, k.t_hi) == (Verdict.COLLIDING, 0.5, 0.0, 0.5)
    assert (k.evaluations, k.safe) == (3, False)
    assert k.distance < 0.0
    assert "an earlier contact may have been missed" in str(k)


def test_a_margin_counts_at_instants() -> None:
    assert sample(1.0, samples=6, margin=0.1).time == pytest.approx(0.4)


def test_the_number_of_samples_has_a_default() -> None:
    assert sample(0.4).evaluations == 128


def test_the_budget_may_end_it() -> None:
    k = sample(1.0, samples=6, budget=3)
    assert (k.verdict, k.evaluations) == (Verdict.UNDECIDED, 3)
