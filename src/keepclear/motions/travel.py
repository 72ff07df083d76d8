"""How far a moving body gets: certified bounds of the ways of its points, and of their distance from the start.

For a given motion, the length of the way of a point and its distance from where it was are convex functions of the
point; over a body they are largest at points whose hull holds it. Spans of time are halved until the bound is close to
what is reached, and points that cannot be the ones are dropped on the way.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from keepclear.motions.extent import ball_corners, body_points, box_corners
from keepclear.motions.spans import Spans, spans_between
from keepclear.shapes.arguments import FloatArray

# Halving ends when the bound is this close to what is reached, as a part of it; or after so many times.
CLOSE_ENOUGH = 0.005
HALVINGS = 8
ROUND_UP = 1.0 + 1e-13
# So many lengths are computed at once; a body with more points times pieces than `MOST` is replaced by its box.
AT_ONCE = 200_000
MOST = 20_000_000


def bound_path_length(Q: FloatArray, body: object, t0: float, t1: float) -> float:
    """Return a bound of the length of the way of any point of a body between two times, rounded up [m]."""
    spans = spans_between(Q, t0, t1)
    return min(_longest_way(spans, points, radius) for points, radius in _outlines(body, spans))


def bound_displacement(Q: FloatArray, body: object, t0: float, t1: float) -> float:
    """Return a bound of how far any point of a body gets from where it is at t0, until t1, rounded up [m]."""
    spans = spans_between(Q, t0, t1)
    outlines = _outlines(body, spans)
    away = min(_farthest(spans, points, radius) for points, radius in outlines)
    return min(away, *(_longest_way(spans, points, radius) for points, radius in outlines))


def _outlines(body: object, spans: Spans) -> list[tuple[FloatArray, float]]:
    """Return points and radii that hold a body: balls around points, and for these also the corners of a polyhedron.

    A ball is exact for one span; over several spans each would be charged with its own fastest point.
    """
    points, radius = body_points(body)
    if len(points) * len(spans.begin) > MOST:
        points = box_corners(points.min(axis=0), points.max(axis=0))
    if radius == 0.0:
        return [(points, 0.0)]
    corners = (points[:, None] + radius * ball_corners()).reshape(-1, 3)
    return [(points, radius), (corners, 0.0)]


def _longest_way(spans: Spans, points: FloatArray, radius: float) -> float:
    """Return a bound of the longest way of points, or of balls around them [m].

    A span of length h with mean square speed q is at most h sqrt(q) long (Cauchy and Schwarz), and no shorter than the
    way of the mean velocity. A screw has constant speed: there both are the same.
    """
    if len(spans.begin) == 0:
        return 0.0
    rounding = float(spans.length @ spans.rounding_of_rates(_extent(points, radius)))
    for level in range(HALVINGS + 1):
        maps, h = spans.mean_rates(), spans.length
        bound = np.concatenate([n @ h for n in _norms(maps, points, radius)]) * ROUND_UP
        reached = bound
        if maps.shape[1] > 1:
            reached = np.concatenate([n @ h for n in _norms(maps[:, :1], points, radius)])
        best, most = float(reached.max()), float(bound.max())
        if level == HALVINGS or most <= (1.0 + CLOSE_ENOUGH) * best:
            break
        points = points[bound >= best]
        spans = spans.halved()
    return (max(most, best) + rounding) * ROUND_UP


def _farthest(spans: Spans, points: FloatArray, radius: float) -> float:
    """Return a bound of the largest distance of points, or of balls around them, from where they were at first [m]."""
    if len(spans.begin) == 0:
        return 0.0
    extent = _extent(points, radius)
    rounding = float(spans.length @ spans.rounding_of_rates(extent)) + 1e-15 * extent
    reference = spans.places(spans.begin, np.zeros(3))[0, :, 3]
    start = np.concatenate([spans.places(spans.begin, reference)[0], reference[:, None]], axis=1)
    best, most = _far(start, spans, points, radius, 0, 0.0)
    return (max(most, best) + rounding) * ROUND_UP


def _far(
    start: FloatArray, spans: Spans, points: FloatArray, radius: float, level: int, best: float
) -> tuple[float, float]:
    """Return the largest distance from the start that is reached, `best` or more, and a bound of all of them.

    On a span of length h the way differs from its chord by at most K h^2 / 8, with K a bound of the acceleration; on
    the chord the distance is largest at an end. Only spans and points that may exceed what is reached are halved.
    """
    if len(points) * len(spans.begin) > AT_ONCE and len(points) > 1:
        best, most = _far(start, spans, points[: len(points) // 2], radius, level, best)
        best, rest = _far(start, spans, points[len(points) // 2 :], radius, level, best)
        return best, max(most, rest)
    ends = [spans.places(tau, start[:, 4]) - start[:, :4] for tau in (spans.begin, spans.end)]
    reached = np.maximum(*(np.concatenate(list(_norms(end[:, None], points, radius))) for end in ends))
    push = spans.accelerations()
    bends = [np.concatenate(list(_norms(push[:, k : k + 1], points, radius))) for k in range(push.shape[1])]
    bound = (reached + np.max(bends, axis=0) * (spans.length**2 / 8.0)) * ROUND_UP
    best = max(best, float(reached.max()))
    settled = bound <= (1.0 + CLOSE_ENOUGH) * best
    if level == HALVINGS or settled.all():
        return best, float(bound.max())
    most = float(bound[settled].max(initial=0.0))
    spans, points = spans[(~settled).any(axis=0)].halved(), points[(~settled).any(axis=1)]
    best, rest = _far(start, spans, points, radius, level + 1, best)
    return best, max(most, rest)


def _norms(maps: FloatArray, points: FloatArray, radius: float) -> Iterator[FloatArray]:
    """Give the largest lengths of stacked vectors, some rows (points) of (n, m) at a time.

    With A and b the stacked maps of a span, x a point and |e| <= r,
    |A (x + e) + b|^2 <= s^2 r^2 + 2 |A^T (A x + b)| r + |A x + b|^2, where s is the largest singular value of A.

    Args:
        maps: (m, k, 3, 4), k affine maps for each of m spans.
        points: (n, 3).
        radius: That of the balls around the points.
    """
    m = len(maps)
    stacked = maps.reshape(m, -1, 4)
    A, b = stacked[:, :, :3], stacked[:, :, 3]
    gram = np.swapaxes(A, 1, 2) @ A
    spread = np.linalg.eigvalsh(gram)[:, 2] if radius > 0.0 else np.zeros(m)
    rows = A.reshape(-1, 3).T
    for start in range(0, len(points), max(1, AT_ONCE // m)):
        x = points[start : start + max(1, AT_ONCE // m)]
        v = (x @ rows).reshape(len(x), m, -1) + b
        square = (v * v).sum(axis=2)
        if radius > 0.0:
            slope = (v[:, :, None] @ A)[:, :, 0]
            square += np.maximum(spread, 0.0) * radius**2 + 2.0 * radius * np.sqrt(
                (slope * slope).sum(axis=2)
            )
        yield np.sqrt(square)


def _extent(points: FloatArray, radius: float) -> float:
    return float(np.sqrt((points * points).sum(axis=1).max())) + radius
