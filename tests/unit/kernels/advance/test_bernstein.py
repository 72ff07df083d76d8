"""Bernstein coefficients: cut to a part, multiplied, and where they may vanish, compared with fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from keepclear.kernels.advance import bernstein

UNIT = 2.0**-53


def value(coefficients: np.ndarray, t: Fraction) -> Fraction:
    n = len(coefficients) - 1
    return sum(
        (comb(n, k) * t**k * (1 - t) ** (n - k) * Fraction(c) for k, c in enumerate(coefficients.tolist())),
        Fraction(0),
    )


def paths(d: int, n: int = 3) -> np.ndarray:
    """Coefficients of x, y, z of n paths, one after the other, and room behind them."""
    W = np.full(400, np.nan)
    W[: 3 * n * (d + 1)] = np.random.default_rng(d).uniform(-1.0, 1.0, 3 * n * (d + 1))
    return W


def path(W: np.ndarray, k: int, d: int, t: Fraction) -> list[Fraction]:
    return [value(W[(3 * k + i) * (d + 1) :][: d + 1], t) for i in range(3)]


def cross(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


@pytest.mark.parametrize("d", [1, 3])
def test_a_part_of_a_path_is_that_path(d: int) -> None:
    W = paths(d, 1)
    t0, t1 = 0.3, 0.7
    bernstein.cut_to(W, 0, 100, 3, d, t0, t1)
    for k in range(3):
        part = W[100 + k * (d + 1) :][: d + 1]
        for s in (Fraction(0), Fraction(1, 3), Fraction(1)):
            t = Fraction(t0) + s * (Fraction(t1) - Fraction(t0))
            # Double precision, which is what `feature_contact.ROUNDING` allows for.
            assert abs(value(part, s) - value(W[k * (d + 1) :][: d + 1], t)) < 10 * UNIT


@pytest.mark.parametrize("d", [1, 3])
def test_the_whole_of_a_path_has_the_same_coefficients(d: int) -> None:
    W = paths(d, 1)
    bernstein.cut_to(W, 0, 100, 3, d, 0.0, 1.0)
    assert np.array_equal(W[100 : 100 + 3 * (d + 1)], W[: 3 * (d + 1)])


@pytest.mark.parametrize("d", [1, 3])
def test_products_are_those_of_the_paths(d: int) -> None:
    W = paths(d)
    n, m = d + 1, 2 * d + 1
    largest = bernstein.cross(W, 0, 3 * n, d, 100)
    bernstein.volume(W, 6 * n, 100, d, 200)
    for t in (Fraction(0), Fraction(2, 7), Fraction(1)):
        true = cross(path(W, 0, d, t), path(W, 1, d, t))
        for k in range(3):
            assert abs(value(W[100 + k * m :][:m], t) - true[k]) < 16 * UNIT
        volume = sum(a * b for a, b in zip(path(W, 2, d, t), true, strict=True))
        assert abs(value(W[200 : 200 + 3 * d + 1], t) - volume) < 128 * UNIT
    sums = np.abs(W[100 : 100 + 3 * m].reshape(3, m)).sum(axis=0)
    assert largest == pytest.approx(sums.max())


@pytest.mark.parametrize(
    ("coefficients", "slack", "first"),
    [
        ([1.0, -1.0], 0.0, 0.5),
        ([1.0, -1.0], 0.5, 0.25),
        ([1.0, 2.0], 0.5, 2.0),  # never
        ([1.0, 2.0], 1.0, 0.0),  # already at the start
        ([10.0, 1.0, -1.0, 5.0], 0.0, 1.5 / 3),  # the hull's edge from the second to the third
        ([1.0, 10.0, 10.0, 0.0], 0.0, 1.0),
        ([0.0, 1.0, 1.0, 1.0], 0.0, 0.0),
    ],
)
def test_the_first_zero_is_where_the_hull_of_the_coefficients_begins_to_meet_it(
    coefficients: list[float], slack: float, first: float
) -> None:
    W = np.array(coefficients)
    n = len(W) - 1
    for sign, here in ((1.0, W), (-1.0, -W)):
        assert bernstein.first_zero(here, 0, 1, n, sign, slack) == pytest.approx(first, rel=1e-13)
        assert bernstein.first_zero(here[::-1].copy(), n, -1, n, sign, slack) == pytest.approx(
            first, rel=1e-13
        )


def test_no_zero_comes_before_the_first() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        W = rng.uniform(-1.0, 1.0, 10)
        W[0] = abs(W[0])
        first = bernstein.first_zero(W, 0, 1, 9, 1.0, 0.0)
        for t in np.linspace(0.0, min(first, 1.0), 7)[:-1]:
            assert value(W, Fraction(t)) > 0


def test_a_sign_is_certain_beyond_the_slack() -> None:
    W = np.array([0.5, 0.3, 0.4])
    assert bernstein.certain_sign(W, 0, 3, 0.2) == 1
    assert bernstein.certain_sign(-W, 0, 3, 0.2) == -1
    assert bernstein.certain_sign(W, 0, 3, 0.3) == 0
    assert bernstein.certain_sign(np.array([1.0, -1.0]), 0, 2, 0.0) == 0
