"""The truth of a planted case: exact paths, and distances between bounds as a function of one coordinate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.time_paths import Path, square_root

Bounds = tuple[Fraction, Fraction]
Law = Callable[[Fraction], Bounds]  # from |u - centre| to bounds of the signed distance; both grow with it


def slab(width: Fraction) -> Law:
    """Segments on one line: the distance is what is left of the coordinate, negative in overlap."""
    return lambda v: (v - width, v - width)


def passing(width: Fraction, gap: Fraction) -> Law:
    """Bodies beside each other, a gap apart: the nearest points face each other at v = 0."""

    def bounds(v: Fraction) -> Bounds:
        beyond = max(v - width, Fraction(0))
        return rounded(square_root(beyond**2 + gap**2), -1), rounded(square_root(v**2 + gap**2), 1)

    return bounds


def passing_balls(radii: Fraction, gap: Fraction) -> Law:
    """Two balls on lines a known distance apart."""

    def bounds(v: Fraction) -> Bounds:
        apart = square_root(v**2 + (radii + gap) ** 2)
        return rounded(apart, -1) - radii, rounded(apart, 1) - radii

    return bounds


def hinge(arm: float, radii: float) -> Law:
    """Two balls on one circle, v radians apart, at most half a turn."""
    slack = 1e-12 * (arm + radii)

    def bounds(v: Fraction) -> Bounds:
        apart = 2 * arm * math.sin(min(float(v), math.pi) / 2) - radii
        return Fraction(apart - slack), Fraction(apart + slack)

    return bounds


def rod(arm: float, radii: float) -> Law:
    """A ball beside a longer rod that turns about its middle, v radians apart, at most a quarter of a turn."""
    slack = 1e-12 * (arm + radii)

    def bounds(v: Fraction) -> Bounds:
        apart = arm * math.sin(min(float(v), math.pi / 2)) - radii
        return Fraction(apart - slack), Fraction(apart + slack)

    return bounds


def rounded(x: Fraction, side: int) -> Fraction:
    """A square root with its error, on the safe side."""
    return x + side * Fraction(1, 2**200) * (1 + x)


@dataclass(frozen=True)
class Truth:
    """A coordinate over time, and the distance as a function of how far it is from a centre.

    With a period there are centres at all its multiples: full turns.
    """

    path: Path
    centre: Fraction
    law: Law
    period: Fraction | None = None

    def least(self, t0: float | Fraction, t1: float | Fraction) -> Bounds:
        """Bounds of the least signed distance between two times."""
        return self.law(distance_to(self.centre, self.period, self.path.range(t0, t1)))

    def at(self, t: float | Fraction) -> Bounds:
        u = self.path.at(t)
        return self.law(distance_to(self.centre, self.period, (u, u)))

    def around(self, t: float) -> Bounds:
        """The minimum distance within a tick of a time: an instant between two floats has no float of its own."""
        return self.least(before(t), after(t))

    def touches(self, t0: float, t1: float, margin: float) -> bool:
        """Whether the distance is certainly within the margin at some instant between two times."""
        return t0 <= t1 and self.least(t0, t1)[1] <= Fraction(margin)

    def is_clear(self, t0: float, t1: float, distance: Fraction) -> bool:
        """Whether the distance certainly exceeds a value at all instants between two times."""
        return self.least(t0, t1)[0] > distance

    def overlaps_before(self, t0: float, t: float, margin: float) -> bool:
        """Whether the bodies are certainly within the margin at some instant from t0 on and before t."""
        return t0 < t and self.least(t0, t)[1] < Fraction(margin)


def distance_to(centre: Fraction, period: Fraction | None, values: Bounds) -> Fraction:
    """How far a range of values is from the nearest centre."""
    low, high = values
    if period is None:
        return max(low - centre, centre - high, Fraction(0))
    turns = math.ceil((low - centre) / period)  # the first centre that is not below the range
    above, below = centre + turns * period, centre + (turns - 1) * period
    return min(max(above - high, Fraction(0)), low - below)


def before(t: float) -> float:
    return math.nextafter(t, -math.inf)


def after(t: float) -> float:
    return math.nextafter(t, math.inf)
