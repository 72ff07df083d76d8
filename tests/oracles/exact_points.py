"""Bodies, and their world points as Python integers on one power-of-two grid: nothing is ever rounded."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np

Point = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Body:
    """A convex body in its own frame: the hull of `points` grown by `radius`, or a cylinder about z.

    A cylinder has no points; `radius` and `length` describe it. The world body is the image of this set
    under the float64 matrix exactly as given, except that a grown core keeps its ball: R may deviate from a
    rotation by an ulp, and a ball stays a ball.
    """

    kind: str
    points: np.ndarray | None = None
    radius: float = 0.0
    length: float = 0.0
    size: tuple[float, ...] = ()

    @cached_property
    def extent(self) -> float:
        """Greatest distance from the frame's origin to a point of the body [m]."""
        if self.points is None:
            return float(np.hypot(self.radius, self.length / 2))
        return float(np.max(np.linalg.norm(self.points, axis=1))) + self.radius

    def __repr__(self) -> str:
        if self.kind == "convex":
            return f"convex({self.points.tolist()})"
        return f"{self.kind}(radius={self.radius!r}, length={self.length!r}, size={self.size!r})"


def convex(points: Any) -> Body:
    """The hull of (n, 3) points."""
    return Body("convex", np.array(points, dtype=np.float64).reshape(-1, 3))


def box(size: Any) -> Body:
    """A centred box with full edge lengths `size`."""
    half = np.array(size, dtype=np.float64) / 2
    signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], dtype=np.float64)
    return Body("box", signs * half, size=tuple(float(s) for s in size))


def sphere(radius: float) -> Body:
    """A centred ball."""
    return Body("sphere", np.zeros((1, 3)), radius=float(radius))


def capsule(radius: float, length: float) -> Body:
    """A ball swept along z; `length` is that of the core segment."""
    ends = np.array([[0.0, 0.0, -0.5 * length], [0.0, 0.0, 0.5 * length]])
    return Body("capsule", ends, radius=float(radius), length=float(length))


def cylinder(radius: float, length: float) -> Body:
    """A centred circular cylinder about z."""
    return Body("cylinder", radius=float(radius), length=float(length))


def scene_size(a: Body, X_WA: np.ndarray, b: Body, X_WB: np.ndarray) -> float:
    """The length that tolerances refer to [m]: both extents about their own frame origins plus the distance
    between these origins, that is, the largest number that a comparison of the two bodies cannot avoid."""
    return a.extent + b.extent + float(np.linalg.norm(X_WA[:3, 3] - X_WB[:3, 3]))


def integers(values: Any) -> tuple[list[int], int]:
    """Return integers and an exponent k with values == integers * 2**-k exactly, in C order."""
    x = np.asarray(values, dtype=np.float64).ravel()
    fraction, exponent = np.frexp(x)
    mantissa = np.ldexp(fraction, 53).astype(np.int64)
    trailing = np.where(mantissa == 0, 0, np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1)
    mantissa, exponent = mantissa >> trailing, exponent - 53 + trailing
    lowest = int(np.min(exponent[mantissa != 0], initial=0))
    return [int(m) << (int(e) - lowest) if m else 0 for m, e in zip(mantissa, exponent, strict=True)], -lowest


def triples(flat: list[int]) -> list[Point]:
    """Group a flat list by three."""
    return list(zip(flat[0::3], flat[1::3], flat[2::3], strict=True))


def map_to_world(local: list[Point], k: int, X: np.ndarray) -> tuple[list[Point], int]:
    """Apply a float64 pose to points on the grid 2**-k; returns world points and their grid."""
    R, k_R = integers(X[:3, :3])
    t, k_t = integers(X[:3, 3])
    grid = max(k + k_R, k_t)
    s, s_t = grid - k - k_R, grid - k_t
    x, y, z = (c << s_t for c in t)
    r = [entry << s for entry in R]
    return [
        (
            r[0] * p + r[1] * q + r[2] * u + x,
            r[3] * p + r[4] * q + r[5] * u + y,
            r[6] * p + r[7] * q + r[8] * u + z,
        )
        for p, q, u in local
    ], grid


def world_points(points: np.ndarray, X: np.ndarray) -> tuple[list[Point], int]:
    """Return the exact world points of float64 `points` under `X`, duplicates dropped, and their grid."""
    flat, k = integers(points)
    mapped, grid = map_to_world(triples(flat), k, X)
    return list(dict.fromkeys(mapped)), grid


def refine(points: list[Point], k: int, finer: int) -> list[Point]:
    """The same points on the grid 2**-finer."""
    s = finer - k
    return [(x << s, y << s, z << s) for x, y, z in points]


def sqrt_interval(q: Fraction, bits: int = 220) -> tuple[Fraction, Fraction]:
    """Enclose the square root of q >= 0 within a relative width of 2**-bits; exact squares are exact."""
    n, d = q.numerator, q.denominator
    root = isqrt(n * d << 2 * bits)
    lower = Fraction(root, d << bits)
    if root * root == n * d << 2 * bits:
        return lower, lower
    return lower, Fraction(root + 1, d << bits)


def dot(u: Point, v: Point) -> int:
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def sub(u: Point, v: Point) -> Point:
    return (u[0] - v[0], u[1] - v[1], u[2] - v[2])


def cross(u: Point, v: Point) -> Point:
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def furthest(points: list[Point], n: Point) -> Point:
    """The point with the greatest n . p (the first of equals)."""
    a, b, c = n
    values = [a * x + b * y + c * z for x, y, z in points]
    return points[values.index(max(values))]
