"""Sphere trees by other means: points on surfaces, exact proof of cover, exact clipping, all pairs of spheres."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

FloatArray = npt.NDArray[np.float64]
Point = tuple[Fraction, Fraction, Fraction]
Span = tuple[float, float]


def surface_points(vertices: FloatArray, triangles: npt.ArrayLike, n: int, seed: int) -> FloatArray:
    """Return all vertices, edge midpoints, and n random points of the triangles."""
    rng = np.random.default_rng(seed)
    corners = vertices[np.asarray(triangles)]
    a, b, c = np.moveaxis(corners, 1, 0)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    weights = areas / areas.sum() if areas.sum() > 0.0 else np.full(len(a), 1.0 / len(a))
    u = rng.dirichlet([1.0, 1.0, 1.0], n)
    inner = np.einsum("ij,ijk->ik", u, corners[rng.choice(len(a), n, p=weights)])
    middles = [0.5 * (p + q) for p, q in ((a, b), (b, c), (c, a))]
    return np.concatenate([corners.reshape(-1, 3), *middles, inner])


def farthest_outside(points: FloatArray, centers: FloatArray, radius: float) -> float:
    """Return how far any of the points is outside of all balls of one radius; negative if all are inside."""
    return float(cKDTree(centers).query(points)[0].max()) - radius


def farthest_outside_unequal(points: FloatArray, centers: FloatArray, radii: FloatArray) -> float:
    """Return how far any of the points is outside of all balls of different radii; negative if all are inside."""
    return float(outside_unequal(points, centers, radii).max())


def outside_unequal(points: FloatArray, centers: FloatArray, radii: FloatArray) -> FloatArray:
    """Return how far each point is outside of all balls of different radii; negative inside."""
    best = np.full(len(points), np.inf)
    for center, radius in zip(centers, radii, strict=True):
        best = np.minimum(best, np.linalg.norm(points - center, axis=1) - radius)
    return best


def is_covered_exactly_unequal(corners: FloatArray, centers: FloatArray, radii: FloatArray) -> bool:
    """Tell whether balls of different radii cover (m, 3, 3) triangles, in rational arithmetic.

    Balls that float64 shows to be away from a point are left out.
    """
    balls = [
        (tuple(map(Fraction, c)), Fraction(r) ** 2)
        for c, r in zip(centers.tolist(), radii.tolist(), strict=True)
    ]
    waiting = [[tuple(map(Fraction, p)) for p in triangle] for triangle in corners.tolist()]
    while waiting:
        triangle = waiting.pop()
        holders = []
        for p in triangle:
            away = np.linalg.norm(centers - np.array([float(x) for x in p]), axis=1)
            near = np.flatnonzero(away <= radii * (1.0 + 1e-9) + 1e-12).tolist()
            holders.append({k for k in near if _square(p, balls[k][0]) <= balls[k][1]})
        if not all(holders):
            return False
        if not set.intersection(*holders):
            k = max(range(3), key=lambda k: _square(triangle[k], triangle[k - 1]))
            p, q, r = triangle[k], triangle[k - 1], triangle[k - 2]
            middle = tuple((x + y) / 2 for x, y in zip(p, q, strict=True))
            waiting += [[p, middle, r], [middle, q, r]]
    return True


def is_inside(points: FloatArray, corners: FloatArray) -> npt.NDArray[np.bool_]:
    """Tell which points are inside of closed (m, 3, 3) triangles, by the sum of solid angles; none near the surface."""
    total = np.zeros(len(points))
    for triangle in corners:
        a, b, c = (p - points for p in triangle)
        la, lb, lc = (np.linalg.norm(p, axis=1) for p in (a, b, c))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c))
        ab, bc, ca = ((p * q).sum(axis=1) for p, q in ((a, b), (b, c), (c, a)))
        total += np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb)
    return np.asarray(np.abs(total) > math.pi)


def distance_to_triangles(points: FloatArray, corners: FloatArray) -> FloatArray:
    """Return the distance of each point from the nearest of (m, 3, 3) triangles, all against all."""
    best = np.full(len(points), np.inf)
    for a, b, c in corners:
        for p, q in ((a, b), (b, c), (c, a)):
            d = q - p
            t = np.clip((points - p) @ d / max(d @ d, 1e-300), 0.0, 1.0)
            best = np.minimum(best, np.linalg.norm(points - p - t[:, None] * d, axis=1))
        normal = np.cross(b - a, c - a)
        length = np.linalg.norm(normal)
        if length > 0.0:
            normal /= length
            height = (points - a) @ normal
            foot = points - height[:, None] * normal
            inside = np.ones(len(points), bool)
            for p, q in ((a, b), (b, c), (c, a)):
                inside &= (foot - p) @ np.cross(normal, q - p) >= 0.0
            best = np.where(inside, np.minimum(best, np.abs(height)), best)
    return best


def is_covered_exactly(corners: FloatArray, centers: FloatArray, radius: float) -> bool:
    """Tell whether balls of one radius cover (m, 3, 3) triangles, in rational arithmetic.

    A ball is convex: a triangle whose three corners are in one is covered. Any other is cut in two at the middle of its
    longest edge; a corner in no ball is a point that is not covered.
    """
    tree, balls = cKDTree(centers), [tuple(map(Fraction, c)) for c in centers.tolist()]
    square = Fraction(radius) ** 2

    def holding(point: Point) -> set[int]:
        near = tree.query_ball_point([float(x) for x in point], radius * (1.0 + 1e-6))
        return {k for k in near if _square(point, balls[k]) <= square}

    waiting = [[tuple(map(Fraction, p)) for p in triangle] for triangle in corners.tolist()]
    while waiting:
        triangle = waiting.pop()
        holders = [holding(p) for p in triangle]
        if not all(holders):
            return False
        if not set.intersection(*holders):
            k = max(range(3), key=lambda k: _square(triangle[k], triangle[k - 1]))
            p, q, r = triangle[k], triangle[k - 1], triangle[k - 2]
            middle = tuple((x + y) / 2 for x, y in zip(p, q, strict=True))
            waiting += [[p, middle, r], [middle, q, r]]
    return True


def _square(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    return sum(((x - y) ** 2 for x, y in zip(p, q, strict=True)), Fraction(0))


def passes_exactly(
    corners: Sequence[Sequence[float]], lower: Sequence[float], upper: Sequence[float]
) -> bool:
    """Tell whether a triangle has a point in a closed box, by clipping it in rational arithmetic."""
    polygon = [tuple(map(Fraction, p)) for p in corners]
    for axis in range(3):
        for limit, sign in ((Fraction(lower[axis]), 1), (Fraction(upper[axis]), -1)):
            kept = []
            for k, q in enumerate(polygon):
                p = polygon[k - 1]
                before, here = sign * (p[axis] - limit), sign * (q[axis] - limit)
                if before * here < 0:
                    t = before / (before - here)
                    kept.append(tuple(x + t * (y - x) for x, y in zip(p, q, strict=True)))
                if here >= 0:
                    kept.append(q)
            polygon = kept
            if not polygon:
                return False
    return True


def spans(lower: float, upper: float, edge: float, even: bool) -> Iterator[tuple[Span, float]]:
    """Give the parts of a length and the middle of the cube of each: flush with both ends, the last one clipped."""
    length = upper - lower
    m = max(1, math.ceil(length / edge - 1e-9))
    step = length / m if even else max(edge, length / m)
    cuts = [lower, *(lower + i * step for i in range(1, m)), upper]
    for i, (a, b) in enumerate(pairwise(cuts)):
        if even or m == 1:
            yield (a, b), 0.5 * (a + b)
        elif i == m - 1:
            yield (a, b), upper - 0.5 * step
        else:
            yield (a, b), lower + (i + 0.5) * step


def slow_ranks(corners: FloatArray, radii: Sequence[float], even: bool) -> list[list[tuple[FloatArray, int]]]:
    """Return centre and parent of the spheres of each rank, cell after cell, all triangles against all cells."""
    lower, upper = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    cells = [(lower, upper)]
    found = [[(0.5 * (lower + upper), -1)]]
    for radius in radii[1:]:
        edge = 2.0 * radius / math.sqrt(3.0)
        rank, divided = [], []
        for parent, (low, high) in enumerate(cells):
            axes = [list(spans(float(low[k]), float(high[k]), edge, even)) for k in range(3)]
            for parts in product(*axes):
                a, b = (np.array([part[0][end] for part in parts]) for end in (0, 1))
                if any(passes_exactly(t, a, b) for t in corners.tolist()):
                    divided.append((a, b))
                    rank.append((np.array([part[1] for part in parts]), parent))
        cells = divided
        found.append(rank)
    return found


def all_hits(
    a: FloatArray, X_WA: FloatArray, b: FloatArray, X_WB: FloatArray, within: float
) -> npt.NDArray[np.int64]:
    """Return which of two sets of centres are at most a distance apart, (k, 2) in order: all against all."""
    p, q = (c @ X[:3, :3].T + X[:3, 3] for c, X in ((a, X_WA), (b, X_WB)))
    return np.argwhere(np.linalg.norm(p[:, None] - q, axis=2) <= within)
