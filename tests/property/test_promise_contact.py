"""Bodies that move down to a floor: no contact within the margin is called clear, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from tests.oracles.floor import Body, bodies, floors, placed, true_height
from tests.oracles.high_precision_motion import PreciseMotion
from tests.oracles.poses import pose, rotation_of_quaternion, unit_vector

import keepclear as kc

BODIES, FLOORS = bodies(np.random.default_rng(0)), floors()
PAIRS = [
    ("box", "box"), ("sphere", "hull"), ("capsule", "box"), ("hull", "hull"), ("ellipsoid", "box"), ("mesh", "mesh"),
    ("mesh", "box"), ("sphere", "mesh"), ("box tree", "box tree"),
]  # fmt: skip


class Fall(NamedTuple):
    """Motions of a body and of the floor from 0 to 2 s, and a time at which they are near."""

    motions: tuple[kc.PoseTrajectory, kc.PoseTrajectory]
    time: float
    height: Fraction


def fall(rng: np.random.Generator, body: Body, kind: str, gap: float, far: float) -> Fall:
    """A body that comes down to a gap and turns, while the floor moves with it or rests."""
    X_WA, X_WB = placed(rng, body, gap, far)
    up = X_WB[:3, 2] * rng.uniform(0.2, 2.0)
    drift = rng.normal(size=3) * rng.choice([0.0, 0.1, 1.0])
    angle = float(rng.choice([0.0, 0.3, 1.5]))
    axis = unit_vector(rng)
    steps = 3 if kind == "cubic" else 1
    X_A, X_B, t = [], [], []
    for k in range(-steps, steps + 1):
        s = k / steps
        half = 0.5 * angle * s
        R = rotation_of_quaternion(np.array([np.cos(half), *np.sin(half) * axis]))
        X_A.append(pose(R @ X_WA[:3, :3], X_WA[:3, 3] + up * s * s + drift * s) if k else X_WA)
        X_B.append(pose(X_WB[:3, :3], X_WB[:3, 3] + drift * s) if k else X_WB)
        t.append(1.0 + s)
    motions = tuple(kc.PoseTrajectory(t, X, kind, max_deviation=1.0) for X in (X_A, X_B))  # type: ignore[arg-type]
    best = Fall(motions, 1.0, true_height(body, X_WA, X_WB))  # type: ignore[arg-type]
    exact = [PreciseMotion(kind, np.array(m.times), np.array(m.X_W)) for m in motions]
    for time in 1.0 + rng.uniform(-0.3, 0.3, 6):
        height = true_height(body, exact[0].at(float(time)), exact[1].at(float(time)))
        if height < best.height:
            best = best._replace(time=float(time), height=height)
    return best


def below(x: Fraction) -> float:
    """The largest float that is not above a number."""
    found = float(x)
    return float(np.nextafter(found, -np.inf)) if Fraction(found) > x else found


def above(x: Fraction) -> float:
    """The smallest float that is not below a number."""
    return -below(-x)


def some_fall(rng: np.random.Generator, a: str, far: float, gaps: tuple[float, ...]) -> Fall:
    kind = str(rng.choice(["linear", "screw", "cubic"]))
    return fall(rng, BODIES[a], kind, float(rng.choice(gaps)), far)


@pytest.mark.parametrize("method", ["hybrid", "bisection"])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_no_contact_is_missed(a: str, b: str, method: str) -> None:
    rng = np.random.default_rng(1)
    for k in range(4):
        case = some_fall(rng, a, 10.0 ** (2 * k), (0.0, 1e-3, 0.01))
        found = kc.first_contact(
            BODIES[a].shape, case.motions[0], FLOORS[b], case.motions[1], margin=max(above(case.height), 0.0),
            tolerance=0.05, method=method,  # type: ignore[arg-type]
        )  # fmt: skip
        assert found.verdict is not kc.Verdict.CLEAR
        assert found.t_lo <= case.time


@pytest.mark.parametrize("b", ["mesh", "box"])
@pytest.mark.parametrize("a", ["mesh", "box"])
def test_no_contact_is_missed_by_roots(a: str, b: str) -> None:
    rng = np.random.default_rng(2)
    for k in range(4):
        far = 10.0**k
        case = some_fall(rng, a, far, (0.0, -1e-14 * far, -1e-9))
        if case.height <= 0:
            found = kc.first_contact(
                BODIES[a].shape, case.motions[0], FLOORS[b], case.motions[1], tolerance=0.05, method="exact"
            )
            assert found.verdict is not kc.Verdict.CLEAR
            assert found.t_lo <= case.time


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_no_clearance_is_too_large(a: str, b: str) -> None:
    rng = np.random.default_rng(3)
    for k in range(3):
        case = some_fall(rng, a, 10.0 ** (2 * k), (1e-9, 1e-3, 0.01))
        found = kc.clearance(BODIES[a].shape, case.motions[0], FLOORS[b], case.motions[1], tolerance=0.05)
        assert Fraction(found.lower) <= max(case.height, 0)
        profile = found.profile(np.array([case.time]))
        assert Fraction(float(profile.lower[0])) <= max(case.height, 0)
        assert Fraction(float(profile.upper[0])) >= case.height
