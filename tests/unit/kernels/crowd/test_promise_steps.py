"""Steps of a crowd whose positions are wrong by as much as is allowed for, and at late times: none is too long."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config

from keepclear.kernels.crowd import events, motion, pairs, renewal
from keepclear.kernels.crowd import layout as at

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
SLACK = 1e-3
LATE = 2.0**60  # [s]; the shortest step then is 2048 s


class Two:
    """Two spheres of 1 m, some way apart along x."""

    def __init__(self, gap: float, speed: float = 0.0, t: float = 0.0) -> None:
        self.F, self.N = np.zeros((2, at.F_COLUMNS)), np.zeros((2, at.N_COLUMNS), np.int64)
        self.S, self.C = np.zeros(at.S_SIZE), np.zeros(at.C_SIZE, np.int64)
        self.F[:, at.RADIUS], self.F[:, at.PROBED], self.F[:, at.HORIZON] = 1.0, t, math.inf
        self.F[1, at.X], self.F[1, at.V] = 2.0 + gap, speed
        self.S[at.SLACK], self.S[at.DIMENSIONS], self.S[at.MOTION] = SLACK, 3, at.BALLISTIC
        self.S[at.RESPONSE] = at.REPORT

    def gap(self, s: float) -> Fraction:
        x, v = Fraction(float(self.F[1, at.X])), Fraction(float(self.F[1, at.V]))
        return abs(x + v * Fraction(s)) - 2


def test_an_approach_ends_a_slack_before_contact() -> None:
    for speed in (-1.0, -3.7):
        two = Two(1.0, speed)
        s = pairs.approach_step(two.F, two.N, two.S, two.C, 0, 1, 0.0, math.inf)
        assert two.gap(s) >= Fraction(SLACK)
        assert two.gap(s) < Fraction(2.0 * SLACK)
        s = events.pair_clear_time(two.F, two.S, 0, 1, 0.0, 100.0)
        assert two.gap(s) >= Fraction(SLACK)


def test_an_overlap_lasts_until_a_slack_before_its_end() -> None:
    two = Two(-1.0, 1.0)
    s = pairs.overlap_step(two.F, two.S, two.C, 0, 1, 0.0, math.inf)
    assert two.gap(s) <= -Fraction(SLACK)


def test_a_wall_is_reached_after_a_slack() -> None:
    two = Two(1.0, -1.0)
    two.S[at.LOWER : at.LOWER + 3], two.S[at.UPPER : at.UPPER + 3] = -100.0, 100.0
    s = pairs.wall_step(two.F, two.N, two.S, two.C, 1, 0.0)
    assert Fraction(float(two.F[1, at.X])) - Fraction(s) + 100 - 1 >= Fraction(SLACK)


@pytest.mark.parametrize("which", [0, 1])
def test_bounds_overlap_within_a_late_step(which: int) -> None:
    two = Two(1.0, t=LATE)
    two.F[which, at.ACCELERATION] = 1e-6  # moves 2 m in the shortest step
    assert pairs.bounds_step(two.F, two.S, 0, 1, LATE) > 0.0


def handled(patch: pytest.MonkeyPatch) -> None:
    """Leave out the queue."""
    for name in ("set_time", "drop", "remove_pair"):
        patch.setattr(events, name, lambda *_: None)


@pytest.mark.parametrize("which", [0, 1])
def test_spheres_meet_within_a_late_step(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    handled(monkeypatch)
    two = Two(1.0, -1e-9, t=LATE)
    two.F[which, at.ACCELERATION] = 1e-6
    Q, E, L = np.zeros((1, at.Q_COLUMNS), np.int64), np.zeros((9, at.E_COLUMNS)), np.zeros((9, at.L_COLUMNS))
    Q[0, at.SECOND] = 1
    nothing: Any = np.zeros(3)
    events.meet(two.F, two.N, Q, nothing, nothing, two.C, two.S, nothing, E, L, 0, LATE)
    assert two.C[at.N_EVENTS] == 1


def test_walls_are_met_within_a_late_step(monkeypatch: pytest.MonkeyPatch) -> None:
    handled(monkeypatch)
    monkeypatch.setattr(events, "wall_step", lambda *_: math.inf)
    two = Two(1.0, -1e-9, t=LATE)
    two.F[1, at.ACCELERATION] = 1e-6
    two.S[at.LOWER : at.LOWER + 3], two.S[at.UPPER : at.UPPER + 3] = -100.0, 100.0
    two.S[at.LOWER] = 1.0  # half of what it may move beyond the sphere
    two.S[at.WALLED] = 1.0
    E, L, nothing = np.zeros((9, at.E_COLUMNS)), np.zeros((9, at.L_COLUMNS)), np.zeros(3)
    K: Any = nothing
    events.meet_walls(two.F, two.N, K, K, two.C, two.S, nothing, E, L, 1, LATE)
    assert two.C[at.N_EVENTS] >= 1


def test_boxes_are_wider_by_the_slack_of_a_larger_scene() -> None:
    two = Two(1000.0, 5.0)
    two.S[at.SLACK], two.S[at.EXTENT], two.S[at.GROWTH] = 0.0, 1e-9, 0.5
    renewal.enclose(two.F, two.S, 1, 0.0)
    slack = Fraction(float(two.S[at.SLACK]))
    assert slack > 0
    x, s = Fraction(float(two.F[1, at.X])), Fraction(float(two.F[1, at.HORIZON]))
    assert Fraction(float(two.F[1, at.LO])) <= x - 1 - slack / 2
    assert Fraction(float(two.F[1, at.HI])) >= x + 5 * s + 1 + slack / 2


def test_a_bound_at_its_speed_limit_contains_the_one_before() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        A, tau = rng.uniform(0.1, 1.0, 2)
        F = np.zeros((1, at.F_COLUMNS))
        F[0, at.ACCELERATION], F[0, at.TAU] = A, tau
        renewal.reach_speed_limit(F, 0)
        s = Fraction(tau)
        bound = Fraction(float(F[0, at.ERROR_X])) + Fraction(float(F[0, at.ERROR_V])) * s
        assert bound >= Fraction(A) * s * s / 2


def test_accelerations_are_within_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    for dimensions in (2, 3):
        for _ in range(400):
            u = [float(x) for x in rng.uniform(size=2)]
            monkeypatch.setattr(motion, "uniform", lambda _, k, u=u: 1.0 - 2.0**-53 if k == 3 else u[k - 1])
            size = float(rng.uniform(0.5, 1.0))
            a = motion.random_acceleration(1, 2, 3, size, dimensions)
            assert sum(Fraction(x) ** 2 for x in a) <= Fraction(size) ** 2
            F, N, S, D = (
                np.zeros((1, at.F_COLUMNS)),
                np.zeros((1, at.N_COLUMNS), np.int64),
                np.zeros(24),
                np.ones(16),
            )
            F[0, at.ACCELERATION], S[at.MOTION], S[at.DIMENSIONS] = size, at.FIELD, dimensions
            F[0, at.ANCHOR_V : at.ANCHOR_V + 3] = rng.normal(size=3) * 100.0
            motion.steer(F, N, S, D, 0, 1)
            a = F[0, at.ANCHOR_A : at.ANCHOR_A + 3].tolist()
            assert sum(Fraction(x) ** 2 for x in a) <= Fraction(size) ** 2


def test_a_compiled_probe_that_breaks_its_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    for off, expected in ((0.0, True), (0.4, True), (0.6, False)):
        two, D = Two(1.0), np.zeros(16)
        two.F[1, at.ACCELERATION] = 1.0  # half a metre in a second
        x = two.F[1, at.X]

        def call_probe(*_: Any, D: Any = D, x: float = x, off: float = off) -> int:
            D[0] = x + off
            return 1

        monkeypatch.setattr(motion, "call_probe", call_probe)
        assert motion.ask_compiled(two.F, two.N, two.S, D, two.C, 1, 1.0) == expected
