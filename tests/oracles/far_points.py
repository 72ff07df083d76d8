"""Products of poses and chains of joints far from the origin in fixed point of 240 bits, and true distances there."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from flint import arb, ctx
from tests.oracles.exact_distance import nearest_of_points
from tests.oracles.exact_points import sqrt_interval

BITS = 240  # after the point; coordinates are below 2^40, so products are right to 1e-60
ONE = 1 << BITS
Row = tuple[int, int, int, int]
Map = tuple[Row, Row, Row]
Point = tuple[int, int, int]


def fixed(x: float) -> int:
    """A float in fixed point."""
    m, d = float(x).as_integer_ratio()
    return m * ONE // d


def exact_map(X: np.ndarray) -> Map:
    """A float64 pose exactly as it is given."""
    rows = [tuple(fixed(v) for v in row) for row in np.asarray(X)[:3].tolist()]
    return (rows[0], rows[1], rows[2])  # type: ignore[return-value]


def product(*maps: Map) -> Map:
    """The product of maps, first the outermost."""
    out = maps[0]
    for B in maps[1:]:
        out = tuple(  # type: ignore[assignment]
            (
                *((row[0] * B[0][j] + row[1] * B[1][j] + row[2] * B[2][j]) >> BITS for j in range(3)),
                ((row[0] * B[0][3] + row[1] * B[1][3] + row[2] * B[2][3]) >> BITS) + row[3],
            )
            for row in out
        )
    return out


def inverse(A: Map) -> Map:
    """The inverse of a map, by its adjugate."""
    (a, b, c, x), (d, e, f, y), (g, h, i, z) = A
    det = (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)) >> (2 * BITS)
    rows = [
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    ]
    R = [[v // det for v in row] for row in rows]
    return tuple((*r, -((r[0] * x + r[1] * y + r[2] * z) >> BITS)) for r in R)


def in_fixed_point(value: arb) -> int:
    """The middle of a precise number in fixed point."""
    return int((value * arb(2) ** BITS).mid().floor().unique_fmpz())


@lru_cache(maxsize=1 << 16)
def sine_and_cosine(angle: float) -> tuple[int, int]:
    """Sine and cosine of a float, in fixed point."""
    ctx.prec = BITS + 80
    s, c = arb(angle).sin_cos()
    return in_fixed_point(s), in_fixed_point(c)


def turn(axis: int, angle: float) -> Map:
    """The rotation about axis 0, 1 or 2."""
    s, c = sine_and_cosine(float(angle))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rows = [[ONE if k == m else 0 for m in range(3)] + [0] for k in range(3)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = c, -s, s, c
    return tuple(tuple(row) for row in rows)  # type: ignore[return-value]


def slide(axis: int, value: float) -> Map:
    """The translation along axis 0, 1 or 2."""
    X = np.eye(4)
    X[axis, 3] = value
    return exact_map(X)


def origin(xyz: np.ndarray, rpy: np.ndarray) -> Map:
    """The pose that a robot file gives by a position and the angles about x, y and z, applied in this order."""
    X = np.eye(4)
    X[:3, 3] = xyz
    return product(exact_map(X), turn(2, rpy[2]), turn(1, rpy[1]), turn(0, rpy[0]))


def apply(A: Map, points: list[Point]) -> list[Point]:
    """Points under a map."""
    return [
        tuple(((r[0] * p[0] + r[1] * p[1] + r[2] * p[2]) >> BITS) + r[3] for r in A)  # type: ignore[misc]
        for p in points
    ]


class Thing(NamedTuple):
    """A convex body as the hull of points, grown by a radius; and what the library calls it."""

    corners: tuple[Point, ...]
    radius: float
    kind: str

    def at(self, A: Map) -> Placed:
        return Placed(apply(A, list(self.corners)), self.radius)


class Placed(NamedTuple):
    """A body in the world."""

    points: list[Point]
    radius: float

    def support(self, n: np.ndarray) -> np.ndarray:
        """The point farthest along a direction, as fractions."""
        d = [fixed(v) for v in n]
        best = max(self.points, key=lambda p: p[0] * d[0] + p[1] * d[1] + p[2] * d[2])
        return np.array([Fraction(v, ONE) for v in best], dtype=object)


def thing(kind: str, size: float) -> Thing:
    """A ball of this radius, or a box or a mesh with these half sizes."""
    if kind == "sphere":
        return Thing(((0, 0, 0),), size, kind)
    half = fixed(size)
    corners = tuple((x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half))
    return Thing(corners, 0.0, kind)


def true_distance(a: Placed, b: Placed) -> tuple[Fraction, Fraction]:
    """Bounds of the distance of two bodies that do not overlap, 0 if they do; below 1e-40 apart [m]."""
    points = [(p[0] - q[0], p[1] - q[1], p[2] - q[2]) for p in a.points for q in b.points]
    radii = Fraction(a.radius) + Fraction(b.radius)
    best = nearest_of_points(points, points[:1])
    square = Fraction(sum(v * v for v in best.V), best.D**2) / ONE**2
    lower, upper = sqrt_interval(square)
    return max(lower - radii, Fraction(0)), max(upper - radii, Fraction(0))
