"""Distances of bodies above a floor against exact arithmetic: near and far, at rest and tracked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.oracles.floor import bodies, floors, placed, true_height
from tests.oracles.poses import random_rotation

import keepclear as kc

RNG = np.random.default_rng(0)
BODIES, FLOORS = bodies(RNG), floors()
PAIRS = [(a, b) for a in BODIES for b in FLOORS]
GAPS = (0.0, 1e-15, 1e-13, 1e-9, 1e-3, 0.1)


def check(found: Any, true: Fraction) -> None:
    assert Fraction(float(found.lower)) <= true
    assert Fraction(float(found.upper)) >= true
    assert found.colliding or true > 0


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_bounds_hold(a: str, b: str) -> None:
    rng = np.random.default_rng(1)
    for k in range(8):
        X_WA, X_WB = placed(rng, BODIES[a], float(rng.choice(GAPS)), 10.0 ** (k % 4 * 2), turned=k % 2 == 0)
        true = true_height(BODIES[a], X_WA, X_WB)
        if true >= 0:
            check(kc.distance(BODIES[a].shape, X_WA, FLOORS[b], X_WB), true)
            check(kc.distance(FLOORS[b], X_WB, BODIES[a].shape, X_WA), true)


@pytest.mark.parametrize(("a", "b"), [(a, b) for a, b in PAIRS if not {a, b} & {"mesh", "box tree"}])
def test_bounds_of_depths_hold(a: str, b: str) -> None:
    rng = np.random.default_rng(5)
    for k in range(8):
        far = 10.0 ** (k % 4 * 2)
        gap = -float(rng.choice([1e-16 * far, 1e-15 * far, 1e-12 * far, 1e-6, 1e-3]))
        X_WA, X_WB = placed(rng, BODIES[a], gap, far, turned=k % 2 == 0)
        true = true_height(BODIES[a], X_WA, X_WB)
        check(kc.distance(BODIES[a].shape, X_WA, FLOORS[b], X_WB), true)
        check(kc.distance(FLOORS[b], X_WB, BODIES[a].shape, X_WA), true)


def frames(rng: np.random.Generator, a: str, n: int, far: float) -> tuple[np.ndarray, np.ndarray]:
    """Poses of a body that comes nearer to the floor, slowly at first, turns a little, and jumps once."""
    X_WA, X_WB = placed(rng, BODIES[a], 0.5, far)
    found = np.tile(X_WA, (n, 1, 1))
    for k in range(1, n):
        found[k] = found[k - 1]
        found[k, :3, 3] += X_WB[:3, :3] @ [*rng.normal(size=2) * 0.01, 0.0]
        if k % 4 == 0:
            found[k, :3, :3] = random_rotation(rng)
        gap = max(0.5 - 0.5 * k / n, 1e-14) * rng.uniform(0.7, 1.0) if k < n - 2 else 0.0
        height = float(true_height(BODIES[a], found[k], X_WB))
        found[k, :3, 3] += X_WB[:3, 2] * (gap - height)
    return found, X_WB


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_bounds_hold_while_tracking(a: str, b: str) -> None:
    rng = np.random.default_rng(2)
    tracker = kc.Tracker(BODIES[a].shape, FLOORS[b])
    X_WA, X_WB = frames(rng, a, 14, 10.0 ** float(rng.integers(0, 5)))
    for X in X_WA:
        true = true_height(BODIES[a], X, X_WB)
        found = tracker.distance(X, X_WB)
        if true >= 0:
            check(found, true)


@pytest.mark.parametrize("a", ["mesh", "box tree"])
@pytest.mark.parametrize("b", ["mesh", "box tree"])
def test_contact_of_surfaces_is_exact(a: str, b: str) -> None:
    rng, seen = np.random.default_rng(3), set()
    for k in range(24):
        far = 10.0 ** float(k % 6)
        X_WA, X_WB = placed(rng, BODIES[a], float(rng.normal()) * 1e-15 * far, far)
        true = true_height(BODIES[a], X_WA, X_WB)
        found = kc.collide(BODIES[a].shape, X_WA, FLOORS[b], X_WB).colliding
        assert found == (true <= 0)
        seen.add(found)
    assert seen == {False, True}
