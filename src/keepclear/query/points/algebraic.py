"""Roots of polynomials in integers, and the signs of other polynomials there, without any rounding.

A polynomial of degree n on [0, 1] is the list of its n + 1 Bernstein coefficients times the binomials: s_k belongs to
t^k (1 - t)^(n - k). So a product is a convolution, the first and the last entry have the signs at 0 and 1, and with
t / (1 - t) for its variable the list is a polynomial in the usual sense, which greatest common divisors are for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

Polynomial = list[int]

_BURST = 12  # halvings between two tests of another polynomial; a test costs as much as ten of them


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product of two polynomials."""
    out = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        if a:
            for j, b in enumerate(q):
                out[i + j] += a * b
    return out


def plus(*terms: Polynomial) -> Polynomial:
    """Return the sum of polynomials of one degree."""
    return [sum(entries) for entries in zip(*terms, strict=True)]


def minus(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the difference of two polynomials of one degree."""
    return [a - b for a, b in zip(p, q, strict=True)]


def sign_of(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


class Root:
    """A root of a polynomial between low / 2**bits and high / 2**bits, the only one there; equal ends are the root."""

    def __init__(self, p: Polynomial, low: int, high: int, bits: int, sign: int) -> None:
        self._p, self._sign = p, sign  # without double roots, and its sign behind `low`
        self.low, self.high, self.bits = low, high, bits

    def narrow(self) -> None:
        """Halve the interval."""
        if self.low == self.high:
            return
        middle, self.bits = self.low + self.high, self.bits + 1
        self.low, self.high = 2 * self.low, 2 * self.high
        sign = _sign_at(self._p, middle, self.bits)
        if sign == self._sign:
            self.low = middle
        elif sign == -self._sign:
            self.high = middle
        else:
            self.low = self.high = middle

    def sign(self, q: Polynomial) -> int:
        """Return the sign of another polynomial at this root."""
        n_tests = 0
        while self.low < self.high:
            signs = {sign_of(entry) for entry in _cut(q, self.low, self.high, self.bits)} - {0}
            if len(signs) < 2:
                return signs.pop() if signs else 0
            n_tests += 1
            if n_tests == 3:  # suspected to be zero
                common = _common_divisor(self._p, _stripped(q))
                if len(common) > 1 and _changes(_cut(common, self.low, self.high, self.bits)):
                    return 0
            for _ in range(_BURST):
                self.narrow()
        return _sign_at(q, self.low, self.bits)

    def bracket(self, bits: int = 64) -> tuple[float, float]:
        """Return two numbers around the root, as close as float64 allows or 2**-bits apart."""
        while self.low < self.high and self.bits < bits:
            self.narrow()
        below, above = Fraction(self.low, 1 << self.bits), Fraction(self.high, 1 << self.bits)
        low, high = float(below), float(above)
        low = math.nextafter(low, 0.0) if Fraction(low) > below else low
        return low, math.nextafter(high, 1.0) if Fraction(high) < above else high


def roots_inside(p: Polynomial) -> Iterator[Root]:
    """Yield the roots between 0 and 1, both excluded, in order, of a polynomial that is not zero everywhere.

    Descartes' rule: if the coefficients on an interval change their sign once, there is one root, and if they never
    do, there is none (Collins and Akritas, 1976). Without double roots the bisection terminates.
    """
    p = _without_double_roots(_stripped(p))
    waiting = [(0, 1, 0)]
    while waiting:
        low, high, bits = waiting.pop()
        if low == high:
            yield Root(p, low, high, bits, 0)
            continue
        here = _cut(p, low, high, bits)
        changes = _changes(here)
        if changes == 1:
            yield Root(p, low, high, bits, next(sign_of(entry) for entry in here if entry))
        elif changes > 1:
            middle, bits = low + high, bits + 1
            waiting.append((middle, 2 * high, bits))
            if _sign_at(p, middle, bits) == 0:
                waiting.append((middle, middle, bits))
            waiting.append((2 * low, middle, bits))


def _sign_at(p: Polynomial, t: int, bits: int) -> int:
    """Return the sign at t / 2**bits."""
    total, power, rest = p[-1], 1, (1 << bits) - t
    for entry in p[-2::-1]:
        power *= rest
        total = total * t + entry * power
    return sign_of(total)


def _cut(p: Polynomial, low: int, high: int, bits: int) -> Polynomial:
    """Return a polynomial on the interval from low / 2**bits to high / 2**bits, times a positive number."""
    if (low, high, bits) == (0, 1, 0):
        return p
    whole = 1 << bits
    x, y = [low, high], [whole - low, whole - high]
    total, power = [p[-1]], [1]
    for entry in p[-2::-1]:
        power = times(power, y)
        total = plus(times(total, x), [entry * c for c in power])
    return total


def _changes(p: Sequence[int]) -> int:
    """Return how often the signs of the entries change, ignoring zeros."""
    signs = [entry > 0 for entry in p if entry]
    return sum(a != b for a, b in pairwise(signs))


def _stripped(p: Polynomial) -> Polynomial:
    """Return a polynomial without its roots at 0 and at 1, and without a common factor of its entries."""
    first, last = 0, len(p)
    while last > 1 and not p[last - 1]:
        last -= 1
    while first < last - 1 and not p[first]:
        first += 1
    divisor = math.gcd(*p[first:last]) or 1
    return [entry // divisor for entry in p[first:last]]


def _without_double_roots(p: Polynomial) -> Polynomial:
    """Return the polynomial that has each of its roots once."""
    common = _common_divisor(p, [k * entry for k, entry in enumerate(p)][1:] or [1])
    return p if len(common) == 1 else _quotient(p, common)


def _common_divisor(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the greatest common divisor of two polynomials in t / (1 - t), by Euclid's algorithm."""
    if len(p) < len(q):
        p, q = q, p
    while len(q) > 1 or q[0]:
        if len(q) == 1:
            return [1]
        p, q = q, _remainder(p, q)
    return p


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the remainder of a multiple of p divided by q, its entries without a common factor."""
    p, lead = p[:], q[-1]
    while len(p) >= len(q):
        factor, shift = p[-1], len(p) - len(q)
        p = [lead * entry for entry in p]
        for k, entry in enumerate(q):
            p[shift + k] -= factor * entry
        while len(p) > 1 and not p[-1]:
            p.pop()
        if len(p) == 1 and not p[0]:
            break
    divisor = math.gcd(*p) or 1
    return [entry // divisor for entry in p]


def _quotient(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return p / q, which has no remainder, times a number."""
    p, lead = p[:], abs(q[-1])
    q = q if q[-1] > 0 else [-entry for entry in q]
    out = [0] * (len(p) - len(q) + 1)
    for shift in range(len(p) - len(q), -1, -1):
        factor = p[shift + len(q) - 1]
        p = [lead * entry for entry in p]
        out = [lead * entry for entry in out]
        out[shift] = factor
        for k, entry in enumerate(q):
            p[shift + k] -= factor * entry
    divisor = math.gcd(*out) or 1
    return [entry // divisor for entry in out]
