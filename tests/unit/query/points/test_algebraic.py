"""Roots and signs in integers, for polynomials whose roots are known."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from keepclear.query.points.algebraic import Polynomial, minus, plus, roots_inside, times


def root_at(numerator: int, denominator: int) -> Polynomial:
    """A polynomial of degree 1 that vanishes there: denominator t - numerator."""
    return [-numerator, denominator - numerator]


def product(*factors: Polynomial) -> Polynomial:
    out = [1]
    for factor in factors:
        out = times(out, factor)
    return out


def brackets(p: Polynomial) -> list[tuple[float, float]]:
    return [root.bracket() for root in roots_inside(p)]


def test_sums_and_products_follow_the_binomials() -> None:
    t, one = [0, 1], [1, 1]
    assert times(one, one) == [1, 2, 1] == [comb(2, k) for k in range(3)]
    assert plus(t, minus(one, t)) == one


def test_roots_come_in_order_each_once() -> None:
    p = product(root_at(3, 4), root_at(1, 3), root_at(1, 3), root_at(1, 10), root_at(-1, 2), root_at(5, 2))
    found = brackets(p)
    assert len(found) == 3
    for (low, high), true in zip(found, (Fraction(1, 10), Fraction(1, 3), Fraction(3, 4)), strict=True):
        assert Fraction(low) <= true <= Fraction(high)
        assert high - low <= 2.0**-52


def test_roots_at_the_ends_do_not_count() -> None:
    assert brackets(product(root_at(0, 1), root_at(1, 1), root_at(0, 1))) == []
    assert brackets(product(root_at(0, 1), root_at(1, 2), root_at(1, 1))) == [(0.5, 0.5)]


def test_a_root_that_is_no_fraction_is_told_from_its_neighbours() -> None:
    # 2 t^2 - 1, with the root sqrt(1/2), and the same moved by 2**-70
    p = minus(times([0, 2], [0, 1]), [1, 2, 1])
    (root,) = roots_inside(p)
    assert root.sign(p) == 0
    scale = 1 << 70
    assert root.sign(plus([scale * entry for entry in p], [1, 2, 1])) == 1
    assert root.sign(minus([scale * entry for entry in p], [1, 2, 1])) == -1
    assert root.sign(product(p, root_at(1, 3), p)) == 0
    assert root.sign(root_at(1, 2)) == 1
    assert root.sign([0, 0, 0]) == 0
    assert root.bracket()[0] <= 0.5**0.5 <= root.bracket()[1]


def test_roots_without_a_gap_that_float64_could_see_are_two() -> None:
    scale = 1 << 80
    p = product(root_at(scale // 3, scale), root_at(scale // 3 + 1, scale))
    first, second = roots_inside(p)
    assert first.sign(root_at(scale // 3 + 1, scale)) == -1
    assert second.sign(root_at(scale // 3, scale)) == 1


@pytest.mark.parametrize("numerator", [1, 3, 5, 7])
def test_a_root_in_the_middle_of_an_interval_is_exact(numerator: int) -> None:
    p = product(root_at(numerator, 8), root_at(1, 3), root_at(2, 3))
    roots = list(roots_inside(p))
    assert (numerator / 8, numerator / 8) in [root.bracket() for root in roots]
    assert [root.sign(root_at(numerator, 8)) for root in roots].count(0) == 1
