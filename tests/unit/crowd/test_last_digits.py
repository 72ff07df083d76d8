"""Spheres and walls a few last digits around every threshold: whoever looks at a gap sees the same number.

A crowd of 3500 spheres once stood still at 0.89 s: the sum of two radii was rounded in two ways, and the gap of one
pair lay between the two, a contact for the one who queued it and none for the one who handled it.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import keepclear as kc
from keepclear.kernels.crowd import layout as at

MULTIPLES = (-2.0, -1.0, 1.0, 1.5)
SPEEDS = (-1e-3, 0.0, 1e-3)


def tolerance_of(S: np.ndarray, t: float, speed: float, a: float) -> float:
    tick = 2.0**-49 * abs(t)
    return float(S[at.TOLERANCE] + (speed + 0.5 * a * tick) * tick)


def settle(crowd: kc.Crowd, t: float, most: int) -> None:
    """Let time go on by next to nothing: a few steps are enough."""
    crowd.advance(t + 1e-9)
    assert crowd.statistics["steps"] < most, crowd.statistics


@pytest.mark.parametrize("response", ["elastic", "report", "asked", "observed"])
@pytest.mark.parametrize(("bound", "own"), [(0.0, 0.0), (5.0, 1e-3)])
@pytest.mark.parametrize("t", [0.89, 12345.6])
def test_pairs_around_all_thresholds(response: str, bound: float, own: float, t: float) -> None:
    rng = np.random.default_rng(7)
    for multiple, speed in itertools.product(MULTIPLES, SPEEDS):
        x, v, r = [], [], []
        for k, digits in enumerate(range(-3, 4)):
            n = rng.normal(size=3)
            n /= np.linalg.norm(n)
            r1, r2 = rng.uniform(0.1, 0.7, 2)
            centre = np.array([4.0 * k, 0.0, 0.0]) + rng.uniform(0.0, 0.5, 3)
            tolerance = tolerance_of(
                np.array([0.0, 2.0**-44 * 30.0]), t, float(np.abs(speed * n).sum()), 2.0 * bound
            )
            d = r1 + r2 + own + multiple * tolerance
            d += digits * float(np.spacing(d))
            x += [centre, centre + d * n]
            v += [np.zeros(3), speed * n]
            r += [r1, r2]
        options = {
            "elastic": {"motion": kc.Ballistic(), "response": "elastic"},
            "report": {"motion": kc.Ballistic(), "response": "report"},
            "asked": {"motion": kc.Ballistic(), "response": lambda _event, v: v[::-1]},
            "observed": {},
        }[response]
        crowd = kc.Crowd(x, v, r, bound, time=t, tolerance=own, growth=1.0, **options)
        crowd._state.tables.S[[at.EXTENT, at.SLACK, at.TOLERANCE]] = 30.0, 30.0 * 2.0**-49, 30.0 * 2.0**-44
        settle(crowd, t, 200)


@pytest.mark.parametrize("response", ["elastic", "report", "asked"])
@pytest.mark.parametrize(("bound", "gravity", "own"), [(0.0, 0.0, 0.0), (5.0, 3.0, 0.0), (0.0, 0.0, 1e-3)])
@pytest.mark.parametrize("t", [0.89, 12345.6])
def test_walls_around_all_thresholds(
    response: str, bound: float, gravity: float, own: float, t: float
) -> None:
    rng = np.random.default_rng(8)
    for multiple, speed, side in itertools.product(MULTIPLES, SPEEDS, (0, 1)):
        x, v, r = [], [], []
        for k, digits in enumerate(range(-3, 4)):
            radius = rng.uniform(0.1, 0.7)
            gap = multiple * tolerance_of(np.array([0.0, 2.0**-44 * 30.0]), t, abs(speed), bound + gravity)
            away = radius + own + gap
            height = 0.3 + away if side == 0 else 7.7 - away
            x.append([4.0 * k + 2.0, height + digits * float(np.spacing(height))])
            v.append([0.0, speed if side == 0 else -speed])
            r.append(radius)
        crowd = kc.Crowd(
            np.array(x) + 5e-12 * np.array([0.0, 1.0 - 2.0 * side]) * (multiple < 0.0), v, r, bound,
            motion=kc.Ballistic(), time=t, tolerance=own, growth=1.0, gravity=[0.0, -gravity],
            bounds=([0.0, 0.3], [30.0, 7.7]),
            response=(lambda _event, v: -v) if response == "asked" else response,
        )  # fmt: skip
        F = crowd._state.tables.F
        F[crowd._state.rows, at.X + 1] = F[crowd._state.rows, at.ANCHOR_X + 1] = np.array(x)[:, 1]
        settle(crowd, t, 200)
