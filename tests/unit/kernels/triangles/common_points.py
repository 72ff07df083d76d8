"""What two triangles have in common, in fractions: every point where an edge of one meets the other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

Place = tuple[Fraction, Fraction, Fraction]
APART, TOUCH, COPLANAR, CROSS = 0, 1, 2, 3


def places(triangle: np.ndarray, X: np.ndarray | None = None) -> list[Place]:
    """The corners of a triangle, moved by a matrix (3, 4), as they are: nothing is rounded."""
    rows = (np.eye(3, 4) if X is None else X).tolist()
    moved = []
    for corner in triangle.tolist():
        p = [Fraction(c) for c in [*corner, 1.0]]
        x, y, z = (sum((Fraction(r) * c for r, c in zip(row, p, strict=True)), Fraction(0)) for row in rows)
        moved.append((x, y, z))
    return moved


def sub(a: Place, b: Place) -> Place:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def cross(a: Place, b: Place) -> Place:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Place, b: Place) -> Fraction:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def normal(t: Sequence[Place]) -> Place:
    return cross(sub(t[1], t[0]), sub(t[2], t[0]))


def edges(t: Sequence[Place]) -> list[tuple[Place, Place]]:
    return [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]


def depths(x: Place, t: Sequence[Place]) -> list[Fraction]:
    """How far a point of the triangle's plane is inside of each edge, in units of that edge."""
    return [dot(normal(t), cross(sub(q, p), sub(x, p))) for p, q in edges(t)]


def of_segments(p: Place, q: Place, r: Place, s: Place) -> list[Place]:
    """The point where two segments cross, or the ends of what collinear ones share."""
    d, e, w = sub(q, p), sub(s, r), sub(r, p)
    c = cross(d, e)
    if any(c):
        t, v = dot(cross(w, e), c) / dot(c, c), dot(cross(w, d), c) / dot(c, c)
        x, y, z = p
        hit = [(x + t * d[0], y + t * d[1], z + t * d[2])]
        return hit if dot(c, w) == 0 and 0 <= t <= 1 and 0 <= v <= 1 else []
    ends = [(p, r, s), (q, r, s), (r, p, q), (s, p, q)]
    return [x for x, a, b in ends if not any(cross(sub(x, a), sub(b, a))) and dot(sub(x, a), sub(x, b)) <= 0]


def of_segment_and_triangle(p: Place, q: Place, t: Sequence[Place]) -> list[Place]:
    """The ends of what a segment and a triangle share."""
    found = [x for r, s in edges(t) for x in of_segments(p, q, r, s)]
    n = normal(t)
    a, b = dot(n, sub(p, t[0])), dot(n, sub(q, t[0]))
    if not any(n) or a * b > 0:
        return found
    x, y, z = p
    k = a / (a - b) if a != b else Fraction(0)
    hits = [(x + k * (q[0] - x), y + k * (q[1] - y), z + k * (q[2] - z))] if a != b else [p, q]
    return found + [h for h in hits if min(depths(h, t)) >= 0]


def common_points(a: Sequence[Place], b: Sequence[Place]) -> list[Place]:
    """Points whose convex hull is all that two triangles share; none if they are apart."""
    found = [x for p, q in edges(a) for x in of_segment_and_triangle(p, q, b)]
    return found + [x for p, q in edges(b) for x in of_segment_and_triangle(p, q, a)]


def pierces(p: Place, q: Place, t: Sequence[Place]) -> bool:
    """Whether a segment goes through the inside of a triangle, from one side to the other."""
    n = normal(t)
    a, b = dot(n, sub(p, t[0])), dot(n, sub(q, t[0]))
    return a * b < 0 and any(min(depths(x, t)) > 0 for x in of_segment_and_triangle(p, q, t))


def relation(a: Sequence[Place], b: Sequence[Place]) -> int:
    """APART, TOUCH, COPLANAR or CROSS, as the kernels call it."""
    if not common_points(a, b):
        return APART
    if any(normal(a)) and any(normal(b)) and all(dot(normal(a), sub(x, a[0])) == 0 for x in b):
        return COPLANAR
    through = any(pierces(p, q, b) for p, q in edges(a)) or any(pierces(p, q, a) for p, q in edges(b))
    return CROSS if through else TOUCH
