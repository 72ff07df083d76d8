"""The cost model: boxes of dense crowds grow less than those of thin ones, and fast members look farther ahead."""

from __future__ import annotations

import numpy as np

from keepclear.crowd.parts.tuning import choose_growth


def crowd(n: int, edge: float, speed: float) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    x = rng.uniform(0.0, edge, (n, 3))
    return x, np.full((n, 3), speed), np.full(n, 0.5), np.full(n, 1.0), (np.zeros(3), np.full(3, edge))


def test_thin_crowds_look_farther_ahead() -> None:
    dense, thin = choose_growth(*crowd(1000, 20.0, 1.0)), choose_growth(*crowd(1000, 200.0, 1.0))
    assert 0.0 < dense < thin


def test_costly_probes_are_asked_less_often() -> None:
    quick, slow = choose_growth(*crowd(1000, 40.0, 1.0)), choose_growth(*crowd(1000, 40.0, 1.0), True)
    assert quick < slow


def test_crowds_at_rest_and_tiny_ones_have_a_growth_too() -> None:
    x, v, r, A, box = crowd(100, 10.0, 0.0)
    assert choose_growth(x, v, r, 0.0 * A, box) > 0.0
    assert choose_growth(x[:1], v[:1], r[:1], A[:1], None) > 0.0
    assert choose_growth(np.zeros((5, 2)), v[:5, :2], 0.0 * r[:5], A[:5], None) > 0.0
