"""Positions over time as piecewise cubics with rational coefficients: exact values, ranges and path lengths."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

Coefficients = tuple[Fraction, ...]  # by powers of the time since the segment began
ZERO = Fraction(0)
DIGITS = 2**240  # resolution of square roots


class Path(NamedTuple):
    """A coordinate over time: one polynomial between two knots, constant before the first and after the last."""

    knots: tuple[Fraction, ...]
    segments: tuple[Coefficients, ...]

    def at(self, t: Fraction | float) -> Fraction:
        t = min(max(Fraction(t), self.knots[0]), self.knots[-1])
        k = self.segment(t)
        return horner(self.segments[k], t - self.knots[k]) if self.segments else ZERO

    def segment(self, t: Fraction) -> int:
        return min(max(bisect.bisect_right(self.knots, t) - 1, 0), len(self.segments) - 1)

    def stations(self, t0: Fraction | float, t1: Fraction | float) -> list[tuple[Fraction, Fraction]]:
        """Times and values between which the path is monotone, both ends included."""
        t0, t1 = Fraction(t0), Fraction(t1)
        times = {t0, t1, *(t for t in self.knots if t0 < t < t1)}
        for k, c in enumerate(self.segments):
            if self.knots[k] < t1 and self.knots[k + 1] > t0:
                times.update(
                    self.knots[k] + tau
                    for tau in turning_points(c)
                    if max(t0, self.knots[k]) < self.knots[k] + tau < min(t1, self.knots[k + 1])
                )
        return [(t, self.at(t)) for t in sorted(times)]

    def range(self, t0: Fraction | float, t1: Fraction | float) -> tuple[Fraction, Fraction]:
        """Least and greatest value between two times."""
        values = [u for _, u in self.stations(t0, t1)]
        return min(values), max(values)

    def length(self, t0: Fraction | float, t1: Fraction | float) -> Fraction:
        """The path length between two times."""
        values = [u for _, u in self.stations(t0, t1)]
        return sum((abs(b - a) for a, b in pairwise(values)), ZERO)

    def minus(self, other: Path) -> Path:
        """The difference of two coordinates."""
        knots = sorted({*self.knots, *other.knots})
        segments = []
        for a, b in pairwise(knots):
            middle = (a + b) / 2
            mine, theirs = self.expanded(a, middle), other.expanded(a, middle)
            segments.append(tuple(x - y for x, y in zip(mine, theirs, strict=True)))
        return Path(tuple(knots), tuple(segments) or ((self.at(knots[0]) - other.at(knots[0]),),))

    def expanded(self, start: Fraction, inside: Fraction) -> list[Fraction]:
        """Four coefficients, by powers of the time since `start`, of the segment that holds the time `inside`."""
        if not self.knots[0] < inside < self.knots[-1]:
            return [self.at(inside), ZERO, ZERO, ZERO]
        k = self.segment(inside)
        c = [*self.segments[k], ZERO, ZERO, ZERO][:4]
        d = start - self.knots[k]
        return [sum((math.comb(j, i) * c[j] * d ** (j - i) for j in range(i, 4)), ZERO) for i in range(4)]

    def negated_time(self) -> Path:
        """The path that is at time t where this one is at -t."""
        knots = tuple(-t for t in reversed(self.knots))
        segments = []
        for a, b in pairwise(self.knots):
            c = self.expanded(b, (a + b) / 2)
            segments.append((c[0], -c[1], c[2], -c[3]))
        return Path(knots, tuple(reversed(segments)) or self.segments)


def horner(c: Coefficients, x: Fraction) -> Fraction:
    value = ZERO
    for a in reversed(c):
        value = value * x + a
    return value


def square_root(x: Fraction) -> Fraction:
    """The root of a rational number, to 240 bits."""
    n = x.numerator * x.denominator * DIGITS * DIGITS
    return Fraction(math.isqrt(n), x.denominator * DIGITS)


def turning_points(c: Coefficients) -> list[Fraction]:
    """Where the derivative of a cubic vanishes."""
    b0, b1, b2 = ([*c, ZERO, ZERO, ZERO])[1:4]
    b1, b2 = 2 * b1, 3 * b2
    if b2 == 0:
        return [] if b1 == 0 else [-b0 / b1]
    inside = b1 * b1 - 4 * b2 * b0
    if inside < 0:
        return []
    root = square_root(inside)
    return [(-b1 - root) / (2 * b2), (-b1 + root) / (2 * b2)]


def constant(x: float | Fraction) -> Path:
    return Path((ZERO,), ((Fraction(x),),))


def exact(values: Sequence[float]) -> list[Fraction]:
    return [Fraction(float(x)) for x in values]


def linear(times: Sequence[float], values: Sequence[float]) -> Path:
    """Straight from each value to the next."""
    t, x = exact(times), exact(values)
    rows = [(x[k], (x[k + 1] - x[k]) / (t[k + 1] - t[k])) for k in range(len(t) - 1)]
    return Path(tuple(t), tuple(rows) or ((x[0],),))


def cubic(times: Sequence[float], values: Sequence[float]) -> Path:
    """The cubic through each four values, which are at equal steps of time."""
    t, x = exact(times), exact(values)
    rows = []
    for k in range(0, len(t) - 1, 3):
        h = (t[k + 3] - t[k]) / 3
        a, b, c, d = x[k : k + 4]
        first, second, third = b - a, c - 2 * b + a, d - 3 * c + 3 * b - a  # forward differences
        rows.append(
            (a, (first - second / 2 + third / 3) / h, (second / 2 - third / 2) / h**2, third / 6 / h**3)
        )
    return Path(tuple(t[::3]), tuple(rows))


def hermite(times: Sequence[float], values: Sequence[float], speeds: Sequence[float | Fraction]) -> Path:
    """The cubic with given values and speeds at both ends of each step."""
    t, x, v = exact(times), exact(values), [Fraction(s) for s in speeds]
    rows = []
    for k in range(len(t) - 1):
        h, d = t[k + 1] - t[k], x[k + 1] - x[k]
        second = (3 * d / h - 2 * v[k] - v[k + 1]) / h
        third = (v[k] + v[k + 1] - 2 * d / h) / h**2
        rows.append((x[k], v[k], second, third))
    return Path(tuple(t), tuple(rows))


def natural(times: Sequence[float], values: Sequence[float]) -> Path:
    """The natural cubic spline: its speeds solve a tridiagonal system, here without rounding."""
    t, x = exact(times), exact(values)
    n = len(t)
    h = [b - a for a, b in pairwise(t)]
    slope = [(x[k + 1] - x[k]) / h[k] for k in range(n - 1)]
    low = [ZERO, *(1 / h[k - 1] for k in range(1, n))]
    high = [*(1 / h[k] for k in range(n - 1)), ZERO]
    diagonal = [2 * (a + b) for a, b in zip(low, high, strict=True)]
    right = [3 * (low[k] * slope[max(k - 1, 0)] + high[k] * slope[min(k, n - 2)]) for k in range(n)]
    for k in range(1, n):
        factor = low[k] / diagonal[k - 1]
        diagonal[k] -= factor * high[k - 1]
        right[k] -= factor * right[k - 1]
    speeds = [ZERO] * n
    for k in reversed(range(n)):
        speeds[k] = (right[k] - (high[k] * speeds[k + 1] if k + 1 < n else ZERO)) / diagonal[k]
    return hermite(times, values, speeds)
