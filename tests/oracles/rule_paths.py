"""Paths of bodies that only translate, linear between knots, in exact fractions; and distances of pairs along them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isqrt

from tests.oracles.rule_times import EVER, Interval, Times, union

Vector = tuple[Fraction, Fraction, Fraction]
FINE = 1 << 80  # square roots are off by less than one part of this


def vector(values: Iterable[Fraction | int]) -> Vector:
    x, y, z = (Fraction(value) for value in values)
    return x, y, z


def plus(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def root(value: Fraction) -> Fraction:
    """The square root, too small by less than 2**-80."""
    return Fraction(isqrt(value.numerator * FINE * FINE // value.denominator), FINE)


@dataclass(frozen=True)
class Path:
    """Positions at knots, linear between them, at rest before the first and after the last."""

    times: tuple[Fraction, ...]
    positions: tuple[Vector, ...]

    def at(self, t: Fraction) -> Vector:
        if t <= self.times[0]:
            return self.positions[0]
        for k, (t0, t1) in enumerate(pairwise(self.times)):
            if t <= t1:
                (x, y, z), b = self.positions[k], self.positions[k + 1]
                if t == t1 or (x, y, z) == b:
                    return b
                u = (t - t0) / (t1 - t0)
                return x + u * (b[0] - x), y + u * (b[1] - y), z + u * (b[2] - z)
        return self.positions[-1]

    def late(self, delay: Fraction) -> "Path":
        """The same path, later by so much (earlier if negative)."""
        return Path(tuple(t + delay for t in self.times), self.positions)

    def knots(self, t0: Fraction, t1: Fraction) -> list[Fraction]:
        return [t0, *(t for t in self.times if t0 < t < t1), t1]

    @property
    def span(self) -> Interval:
        return self.times[0], self.times[-1]

    @cached_property
    def legs(self) -> list[tuple[Fraction, Fraction, Vector]]:
        """Start, end and velocity between knots."""
        found = []
        for (t0, p), (t1, q) in pairwise(zip(self.times, self.positions, strict=True)):
            x, y, z = minus(q, p)
            found.append((t0, t1, (x / (t1 - t0), y / (t1 - t0), z / (t1 - t0))))
        return found

    @cached_property
    def speeds(self) -> list[Fraction]:
        """Not less than the speed between knots [m/s]."""
        squares = [x * x + y * y + z * z for _, _, (x, y, z) in self.legs]
        return [root(square) + Fraction(2, FINE) if square else square for square in squares]

    def top_speed(self, t0: Fraction, t1: Fraction) -> Fraction:
        """Not less than the largest speed at times that touch an interval [m/s]."""
        legs = zip(self.legs, self.speeds, strict=True)
        return max(
            (speed for (start, end, _), speed in legs if start <= t1 and end >= t0), default=Fraction(0)
        )


def resting(position: Vector) -> Path:
    return Path((Fraction(0),), (position,))


def combined(paths: list[Path], sign: int = 1) -> Path:
    """The sum of paths, or the first one minus the others."""
    times = sorted({t for path in paths for t in path.times})
    positions = []
    for t in times:
        p = paths[0].at(t)
        for path in paths[1:]:
            p = plus(p, path.at(t)) if sign > 0 else minus(p, path.at(t))
        positions.append(p)
    return Path(tuple(times), tuple(positions))


def carried(path: Path, link: Path, t_from: Fraction, t_to: Fraction | None) -> Path:
    """The path of a body that rides with a link for a while and then rests where it is released."""
    before = [(t, p) for t, p in zip(path.times, path.positions, strict=True) if t < t_from]
    offset = minus(path.at(t_from), link.at(t_from))
    end = EVER if t_to is None else t_to
    during = [(t, plus(link.at(t), offset)) for t in link.knots(t_from, end)]
    if t_to is None:
        during.pop()
    times, positions = zip(*before, *during, strict=True)
    return Path(times, positions)


@dataclass(frozen=True)
class Solid:
    """A box with half edge lengths, or a ball: half lengths of zero and a radius."""

    half: Vector
    radius: Fraction


def pair_solid(a: Solid, b: Solid) -> Solid:
    """What the centre of A must stay out of around the centre of B: the Minkowski sum of both."""
    return Solid(plus(a.half, b.half), a.radius + b.radius)


def signed_distance(solid: Solid, p: Vector) -> Fraction:
    """Distance of a point from a rounded box, minus the depth inside; off by less than 2**-80 [m]."""
    excess = [abs(x) - h for x, h in zip(p, solid.half, strict=True)]
    outside = sum((e * e for e in excess if e > 0), Fraction(0))
    return (root(outside) if outside else max(excess)) - solid.radius


def split(
    solid: Solid, path: Path, t0: Fraction, t1: Fraction
) -> Iterator[tuple[Fraction, Fraction, Vector, Vector]]:
    """Intervals in which no coordinate passes a face of the box: start, end, position at the start, velocity."""
    for start, end in pairwise(path.knots(t0, t1)):
        p, q = path.at(start), path.at(end)
        x, y, z = minus(q, p)
        v = x / (end - start), y / (end - start), z / (end - start)
        cuts = {start, end}
        for x, w, h in zip(p, v, solid.half, strict=True):
            if w:
                cuts |= {t for t in (start + (h - x) / w, start + (-h - x) / w) if start < t < end}
        for a, b in pairwise(sorted(cuts)):
            yield a, b, path.at(a), v


def quadratic(
    solid: Solid, start: Fraction, end: Fraction, p: Vector, v: Vector
) -> tuple[Fraction, Fraction, Fraction]:
    """Coefficients of the squared distance from the box by the time since the start of an interval of `split`."""
    a = b = c = Fraction(0)
    for x, w, h in zip(p, v, solid.half, strict=True):
        middle = x + w * (end - start) / 2
        if abs(middle) > h:
            side = 1 if middle > 0 else -1
            e, f = side * x - h, side * w
            a, b, c = a + f * f, b + 2 * e * f, c + e * e
    return a, b, c


def times_within(solid: Solid, path: Path, limit: Fraction, t0: Fraction, t1: Fraction) -> Times:
    """When the signed distance is at most a limit, for t0 <= t <= t1; ends are off by less than 1e-12 s."""
    reach = solid.radius + limit
    if reach < 0:  # deeper inside than the surface: a smaller box
        half = vector(h + reach for h in solid.half)
        if min(half) < 0:
            return []
        solid, reach = Solid(half, Fraction(0)), Fraction(0)
    if t0 == t1:
        return [(t0, t0)] if signed_distance(Solid(solid.half, Fraction(0)), path.at(t0)) <= reach else []
    found: Times = []
    for start, end, p, v in split(solid, path, t0, t1):
        a, b, c = quadratic(solid, start, end, p, v)
        c -= reach * reach
        if a == 0:  # then nothing changes: b is a sum of products with what makes a
            found += [(start, end)] if c <= 0 else []
        elif b * b >= 4 * a * c:
            width = root(b * b - 4 * a * c)
            low, high = start + (-b - width) / (2 * a), start + (-b + width) / (2 * a)
            if low <= end and high >= start:
                found.append((max(low, start), min(high, end)))
    return union(found)


def least_distance(solid: Solid, path: Path, t0: Fraction, t1: Fraction) -> Fraction:
    """The minimum distance for t0 <= t <= t1, 0 in contact [m]."""
    instants = {t0, t1}
    for start, end, p, v in split(solid, path, t0, t1) if t0 < t1 else ():
        a, b, _ = quadratic(solid, start, end, p, v)
        instants |= {start, end}
        if a and start < (t := start - b / (2 * a)) < end:
            instants.add(t)
    return max(Fraction(0), min(signed_distance(solid, path.at(t)) for t in instants))


def first_move(path: Path) -> Fraction | None:
    """When a path first leaves its first position, or None."""
    return next((start for start, _, v in path.legs if any(v)), None)
