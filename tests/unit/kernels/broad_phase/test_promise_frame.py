"""Near pairs of a frame against exact values: cases in which each term of a bound is needed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_rotation
from tests.unit.kernels.broad_phase.test_frame import Balls

import keepclear as kc
from keepclear.kernels.broad_phase import frame, swept
from keepclear.kernels.convex import gjk
from keepclear.kernels.tables.motion import SPAN
from keepclear.motion.packing import pack_rest

inner = pytest.mark.skipif(not config.DISABLE_JIT, reason="an inner kernel, which only kernels call")


def exact(X: np.ndarray, p: np.ndarray) -> list[Fraction]:
    """The point p of a body at the pose X, without rounding."""
    return [
        sum(
            (Fraction(x) * Fraction(y) for x, y in zip(row[:3].tolist(), p.tolist(), strict=True)),
            Fraction(row[3]),
        )
        for row in X[:3]
    ]


def pair(gap: float) -> Balls:
    """Two balls of 0.1 m with this gap; balls of 0.2 m around them prove nothing."""
    balls = Balls([[0, 0, 0], [0.2 + gap, 0, 0]])
    balls.bodies["radius"], balls.bodies["half"] = 0.2, 0.2
    return balls


@pytest.mark.parametrize("body", [0, 1])
def test_the_margin_of_either_body_counts(body: int) -> None:
    balls = Balls([[0, 0, 0], [0.45, 0, 0]])
    balls.bodies["reach"] = 0.3
    balls.bodies["margin"][body] = 0.3
    assert balls.run(0.05) == 0
    assert balls.reported() == [(0, 1, 0.25)]
    assert balls.out[0]["open"][0] == 1
    balls.bodies["margin"][body] = 0.2
    assert balls.run(0.05) == 0
    assert balls.reported() == []


@pytest.mark.parametrize("body", [0, 1])
def test_slack_of_either_body_counts(body: int) -> None:
    balls = Balls([[0, 0, 0], [0.2 + 0.34, 0, 0]])
    balls.bodies["slack"][body] = 0.3
    assert balls.run(0.05) == 0
    assert balls.reported() == [(0, 1, 0.34)]
    row = balls.out[1][0]
    assert row[gjk.LOWER] <= 0.04 + 1e-15
    assert row[gjk.UPPER] >= 0.64 - 1e-15
    assert row[gjk.STATE] == gjk.SEPARATE
    balls = Balls([[0, 0, 0], [0.2 + 0.29, 0, 0]])
    balls.bodies["slack"][body] = 0.3
    assert balls.run(0.05) == 0
    assert balls.out[1][0, gjk.STATE] == gjk.TOUCHING


@pytest.mark.parametrize("body", [0, 1])
def test_a_known_distance_ends_with_the_motion_of_either_body(body: int) -> None:
    balls = pair(0.3)
    balls.run(0.05)
    assert balls.reported() == []
    balls.X[body, 0, 3] += -0.26 if body else 0.26
    balls.run(0.05)
    assert balls.reported() == [(0, 1, 0.04)]


@pytest.mark.parametrize("body", [0, 1])
def test_a_known_distance_ends_with_the_slack_of_either_body(body: int) -> None:
    balls = pair(0.3)
    balls.run(0.25)
    assert balls.reported() == []
    balls.bodies["slack"][body] = 0.1
    balls.run(0.25)
    assert balls.reported() == [(0, 1, 0.3)]


def test_a_known_distance_is_not_trusted_beyond_rounding() -> None:
    # After a path of 2^20 m the sum of both odometers is rounded to 2^-32 m.
    limit, rng = 0.05, np.random.default_rng(7)
    for _ in range(20):
        balls = pair(0.2)
        balls.bodies["odometer"] = rng.uniform(2.0**19, 2.0**20, 2)
        balls.run(limit)
        before = sum(Fraction(x) for x in balls.bodies["odometer"].tolist())
        balls.bodies["odometer"] += rng.uniform(0.0, 0.1, 2)
        moved = sum(Fraction(x) for x in balls.bodies["odometer"].tolist()) - before
        row: Any = balls.old[0]
        row.known = float(Fraction(limit) + moved)
        while Fraction(row.known) - moved > Fraction(limit):
            row.known = np.nextafter(row.known, 0.0)
        known = row.known
        balls.run(limit)
        assert balls.old["known"][0] != known  # there was a query


def test_odometers_never_lag_behind() -> None:
    # Motions that are small beside the path so far must not be rounded away, and lengths may cancel.
    rng = np.random.default_rng(1)
    for case in range(60):
        balls = Balls([[0, 0, 0]])
        far = 10.0 ** rng.uniform(0.0, 6.0)
        balls.bodies["center"], balls.bodies["radius"] = rng.normal(size=3) * far, 0.0
        balls.X[0, :3, :3], balls.X_last[0, :3, :3] = random_rotation(rng), random_rotation(rng)
        center = balls.bodies["center"][0].copy()
        balls.X[0, :3, 3] = -balls.X[0, :3, :3] @ center + rng.normal(size=3) * 1e-12
        balls.X_last[0, :3, 3] = -balls.X_last[0, :3, :3] @ center
        before = exact(balls.X_last[0], center)
        start = balls.bodies["odometer"][0] = 2.0**30 if case % 2 else 0.0
        square = sum((x - y) ** 2 for x, y in zip(exact(balls.X[0], center), before, strict=True))
        balls.run(0.05)
        assert (Fraction(balls.bodies["odometer"][0]) - Fraction(start)) ** 2 >= square


def test_odometers_count_steps_below_their_last_digit() -> None:
    balls = Balls([[0, 0, 0]])
    balls.bodies["odometer"][0] = 2.0**30
    for _ in range(100):
        balls.X[0, 0, 3] += 2.0**-25
        balls.run(0.05)
    assert Fraction(balls.bodies["odometer"][0]) - 2**30 >= 100 * Fraction(2.0**-25)


def test_boxes_contain_bodies_with_their_rounding() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        balls = Balls([[0, 0, 0]])
        balls.X[0, :3, :3] = random_rotation(rng)
        balls.X[0, :3, 3] = rng.normal(size=3) * 10.0 ** rng.uniform(0.0, 6.0)
        balls.bodies["center"], balls.bodies["half"] = rng.normal(size=3), 9.0
        balls.bodies["slack"][0], balls.bodies["travel"][0] = rng.uniform(0.0, 1e-3, 2)
        balls.run(0.05)
        reach = sum(
            (Fraction(x) for x in (0.1, 0.5 * 0.05, balls.bodies["slack"][0], balls.bodies["travel"][0])),
            Fraction(0),
        )
        for i, x in enumerate(exact(balls.X[0], balls.bodies["center"][0])):
            assert Fraction(balls.boxes[0, i]) <= x - reach
            assert Fraction(balls.boxes[0, 3 + i]) >= x + reach


@inner
def test_balls_are_apart_only_beyond_rounding() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        balls = Balls([[0, 0, 0], [0, 0, 0]])
        for k in range(2):
            balls.X[k, :3, :3] = random_rotation(rng)
            balls.bodies["center"][k] = rng.normal(size=3) * 10.0 ** rng.uniform(0.0, 3.0)
            balls.X[k, :3, 3] = rng.normal(size=3) - balls.X[k, :3, :3] @ balls.bodies["center"][k]
        a, b = (exact(balls.X[k], balls.bodies["center"][k]) for k in range(2))
        square = sum((x - y) ** 2 for x, y in zip(a, b, strict=True))
        limit = np.nextafter(np.sqrt(float(square)), 9.0)
        balls.bodies["radius"] = 0.25 * limit
        limit = np.nextafter(0.5 * limit, 9.0)
        assert (Fraction(limit) + 2 * Fraction(balls.bodies["radius"][0])) ** 2 >= square
        assert not frame._is_apart(balls.X, balls.bodies, 0, 1, limit)


@inner
def test_limits_are_rounded_up() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        balls = Balls([[0, 0, 0], [1, 0, 0]])
        balls.bodies["margin"], balls.bodies["travel"] = rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0, 2)
        _, margin, limit = frame._limits(balls.frame[0], balls.rules, balls.special, *balls.bodies)
        assert Fraction(limit) >= Fraction(margin) + sum(Fraction(x) for x in balls.bodies["travel"].tolist())


def test_pairs_are_open_up_to_the_last_digit() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        travels, margin = rng.uniform(0.1, 0.2, 2), float(rng.uniform(0.1, 0.2))
        true = Fraction(margin) + sum(Fraction(x) for x in travels.tolist())
        at = float(true) + 0.2
        for _ in range(6):
            balls = Balls([[0, 0, 0], [at, 0, 0]])
            balls.bodies["margin"], balls.bodies["reach"], balls.bodies["travel"] = (
                margin,
                margin,
                travels,
            )
            balls.run(1.0)
            lower = balls.out[1][0, gjk.LOWER]
            if Fraction(lower) <= true:
                assert balls.out[0]["open"][0] == 1
            at += float(true - Fraction(lower))  # so that the bound comes as near as it can
            at = np.nextafter(at, rng.choice([0.0, 9.0]))


def test_swept_boxes_contain_small_bodies_far_away() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        X = np.tile(np.eye(4), (2, 1, 1))
        X[:, :3, :3] = random_rotation(rng)
        X[:, :3, 3] = rng.normal(size=3) * 1e6
        Q = kc.PoseTrajectory([0.0, 1.0], X, "linear")._packed
        around = np.array([[*rng.normal(size=3), 1e-6, 1.0, 1.0, 1.0]])
        rows, out = np.array([(0, 0, 0, 1)], SPAN), np.empty((1, 1, 6))
        swept.swept_boxes(pack_rest(np.eye(4), 0.0), Q, rows, around, np.array([0.0, 1.0]), out)
        for i, x in enumerate(exact(X[0], around[0, :3])):
            assert Fraction(out[0, 0, i]) <= x - Fraction(1e-6)
            assert Fraction(out[0, 0, 3 + i]) >= x + Fraction(1e-6)
