"""Times of contact of bounds that grow, against fractions: none is late by a digit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numba.core import config

from keepclear.kernels.crowd import roots

inner = pytest.mark.skipif(not config.DISABLE_JIT, reason="an inner kernel, which only kernels call")


@inner
@pytest.mark.parametrize(("rate", "growth"), [(1.0, 1.0), (-1.0, 1.0), (-1.0, 0.0), (-1.0, -0.1)])
def test_first_roots_are_rounded_down(rate: float, growth: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        gap, b, a = rng.uniform(0.1, 1.0), rate * rng.uniform(0.5, 1.0), growth * rng.uniform(0.5, 1.0)
        s = roots.first_root(gap, b, a)
        if np.isfinite(s):
            s, b, a = Fraction(s), Fraction(b), Fraction(a)
            assert Fraction(gap) + b * s - a * s * s / 2 >= 0
            assert a > 0 or b - a * s <= 0


@inner
def test_straight_meetings_are_rounded_down() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        x, v, R = rng.normal(size=3) * 3.0, rng.normal(size=3), float(rng.uniform(0.1, 1.0))
        s = roots.straight_meeting(*x, *v, R, np.inf)
        if np.linalg.norm(x) > R and np.isfinite(s):
            at = [
                Fraction(p) + Fraction(s) * Fraction(w) for p, w in zip(x.tolist(), v.tolist(), strict=True)
            ]
            assert sum(p * p for p in at) >= Fraction(R) ** 2
            assert sum(p * Fraction(w) for p, w in zip(at, v.tolist(), strict=True)) <= 0


@pytest.mark.parametrize("slack", [0.0, 1e-3])
def test_bodies_that_part_still_overlap(slack: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        xv = np.concatenate([rng.normal(size=3) * 0.1, rng.normal(size=3)])
        R, b, a = 1.0, float(rng.choice([0.0, 0.1])), float(rng.choice([0.0, 0.2]))
        s = Fraction(roots.parting(xv, R, b, a, 1e9, slack))
        left = Fraction(R) - Fraction(b) * s - Fraction(a) * s * s / 2 - Fraction(slack)
        at = [Fraction(p) + s * Fraction(w) for p, w in zip(xv[:3].tolist(), xv[3:].tolist(), strict=True)]
        assert left >= 0
        assert sum(p * p for p in at) <= left * left


@pytest.mark.parametrize("slack", [0.0, 1e-3])
def test_bounds_that_meet_do_not_touch_before(slack: float) -> None:
    rng = np.random.default_rng(4)
    for _ in range(100):
        xv = np.concatenate([rng.normal(size=3) * 3.0, rng.normal(size=3)])
        R, b, a = 0.1, float(rng.choice([0.0, 0.1])), float(rng.choice([0.0, 0.2]))
        found = roots.meeting(xv, R, b, a, 1e3, slack, 0.0)
        if not np.isfinite(found):
            continue
        for part in (1, Fraction(1, 2)):
            s = Fraction(found) * part
            reach = Fraction(R) + Fraction(b) * s + Fraction(a) * s * s / 2 + Fraction(slack)
            at = [
                Fraction(p) + s * Fraction(w) for p, w in zip(xv[:3].tolist(), xv[3:].tolist(), strict=True)
            ]
            assert sum(p * p for p in at) >= reach * reach or found == 0.0
