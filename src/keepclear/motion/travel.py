"""Certified bounds of the path lengths and displacements of a moving body's points.

For a given motion, the path length of a point and its displacement are convex functions of the point; over a body they
are largest at points whose hull contains it. Spans of time are halved until the bound is close to the value that is
reached, and points that cannot have the largest value are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.curved import ball_corners, box_corners
from keepclear.geometry.shapes.extent import body_points
from keepclear.motion.spans import Spans, spans_between

# Halving ends when the bound is this close to the value reached, as a part of it, or after a number of rounds.
CLOSE_ENOUGH = 0.005
HALVINGS = 8
ROUND_UP = 1.0 + 1e-13
# Number of lengths computed at once; a body with more points times pieces than `MOST` is replaced by its box.
AT_ONCE = 200_000
MOST = 100_000_000
# More points than this are reduced by the cells of grids, with these numbers of cells along the longest side.
MANY = 2000
GRIDS = (4, 12, 40)

Score = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def bound_path_length(Q: FloatArray, body: object, t0: float, t1: float) -> float:
    """Return a bound of the path length of any point of a body between two times, rounded up [m]."""
    spans = spans_between(Q, t0, t1, outward=True)
    return min(_longest_path(spans, points, radius) for points, radius in _enclosing_points(body, spans))


def bound_displacement(Q: FloatArray, body: object, t0: float, t1: float) -> float:
    """Return a bound of the displacement of any point of a body from its position at t0, until t1, rounded up [m]."""
    spans = spans_between(Q, t0, t1, outward=True)
    enclosing = _enclosing_points(body, spans)
    away = min(_greatest_displacement(spans, points, radius) for points, radius in enclosing)
    # harmless (_path_length_of_middle(spans, enclosing[0][0])): it only saves a second bound
    if len(spans.begin) == 0 or _path_length_of_middle(spans, enclosing[0][0]) >= away:
        return away
    return min(away, *(_longest_path(spans, points, radius) for points, radius in enclosing))


def _path_length_of_middle(spans: Spans, points: FloatArray) -> float:
    """Return a lower bound of the path length of the mean of points, which is in their hull [m]."""
    (speeds,) = _norms(spans.mean_rates()[:, :1], points.mean(axis=0)[None], np.zeros(1))
    # harmless (ROUND_UP): it only saves a second bound
    return float(speeds[0] @ spans.length) / ROUND_UP


def _enclosing_points(body: object, spans: Spans) -> list[tuple[FloatArray, float]]:
    """Return points and radii of balls that contain a body, and for these balls also the corners of a polyhedron.

    A ball is exact for one span; over several spans, each would count its own fastest point.
    """
    points, radius = body_points(body)
    if len(points) * len(spans.begin) > MOST:
        points = box_corners(points.min(axis=0), points.max(axis=0))
    if radius == 0.0:
        return [(points, 0.0)]
    corners = (points[:, None] + radius * ball_corners()).reshape(-1, 3)
    return [(points, radius), (corners, 0.0)]


def _longest_path(spans: Spans, points: FloatArray, radius: float) -> float:
    """Return a bound of the longest path of points, or of balls around them [m].

    A span of length h with mean square speed q is at most h sqrt(q) long (Cauchy and Schwarz), and no shorter than the
    path of the mean velocity. A screw has constant speed: there both are the same.
    """
    if len(spans.begin) == 0:
        return 0.0
    rounding = _rounding(spans, _extent(points, radius))

    def score(x: FloatArray, r: FloatArray) -> tuple[FloatArray, FloatArray]:
        maps, h = spans.mean_rates(), spans.length
        # harmless (ROUND_UP): the result is rounded up by as much
        bound = np.concatenate([n @ h for n in _norms(maps, x, r)]) * ROUND_UP
        if maps.shape[1] == 1:
            return bound, bound
        return np.concatenate([n @ h for n in _norms(maps[:, :1], x, r)]), bound

    points, best = _thinned(score, points, radius)
    for level in range(HALVINGS + 1):
        reached, bound = score(points, np.full(len(points), radius))
        best, most = max(best, float(reached.max())), float(bound.max())
        if level == HALVINGS or most <= (1.0 + CLOSE_ENOUGH) * best:
            break
        points = points[bound >= best]
        spans = spans.halved()
    # harmless (ROUND_UP): the bounds of the points are rounded up by as much
    return (max(most, best) + rounding) * ROUND_UP


def _greatest_displacement(spans: Spans, points: FloatArray, radius: float) -> float:
    """Return a bound of the largest displacement of points, or of balls around them [m].

    Spans that a ball around all points does not leave far enough to matter are dropped at once.
    """
    if len(spans.begin) == 0:
        return 0.0
    extent = _extent(points, radius)
    rounding = _rounding(spans, extent) + 1e-15 * extent
    reference = spans.places(spans.begin, np.zeros(3))[0, :, 3]
    start = np.concatenate([spans.places(spans.begin, reference)[0], reference[:, None]], axis=1)
    center = 0.5 * (points.min(axis=0) + points.max(axis=0))[None]
    # harmless (ROUND_UP): the bound that it is part of, and the result, are rounded up by as much
    around = np.array([_extent(points - center, radius)]) * ROUND_UP
    _, bound = _away(start, spans, center, around)
    likely = spans[np.argsort(bound[0])[-8:]]
    best = float(_away(start, likely, points, np.full(len(points), radius))[0].max())
    spans = spans[np.flatnonzero(bound[0] >= best)]
    if len(spans.begin) == 0:
        # harmless (ROUND_UP): `_away` has rounded its bounds up by as much
        # harmless (rounding): not reached: a ball around all points gets no smaller bound than one of them
        return (best + rounding) * ROUND_UP

    def score(x: FloatArray, r: FloatArray) -> tuple[FloatArray, FloatArray]:
        parts = range(0, len(x), max(1, AT_ONCE // len(spans.begin)))
        found = [_away(start, spans, x[i : i + parts.step], r[i : i + parts.step]) for i in parts]
        reached, bound = (np.concatenate([pair[k].max(axis=1) for pair in found]) for k in (0, 1))
        return reached, bound

    points, reached_already = _thinned(score, points, radius)
    best, most = _far(start, spans, points, radius, 0, max(best, reached_already))
    # harmless (ROUND_UP): `_away` has rounded its bounds up by as much
    return (max(most, best) + rounding) * ROUND_UP


def _thinned(score: Score, points: FloatArray, radius: float) -> tuple[FloatArray, float]:
    """Return those of many points that may have the largest value, by bounds for grid cells, and a value reached.

    Args:
        score: Returns the values at points, and bounds for balls around them.
        points: (n, 3).
        radius: That of the balls around the points.
    """
    best = 0.0
    for division in GRIDS:
        if len(points) > MANY:
            low, size = points.min(axis=0), float(np.ptp(points, axis=0).max())
            cells = np.minimum(
                (points - low) * (division / size if size > 0.0 else 0.0), division - 1
            ).astype(np.int64)
            _, cell, count = np.unique(
                cells @ [division**2, division, 1], return_inverse=True, return_counts=True
            )
            # The mean of the points of a cell is in their hull, so some point reaches at least its value.
            center = np.stack([np.bincount(cell, column) for column in points.T], axis=1) / count[:, None]
            around = np.zeros(len(center))
            np.maximum.at(around, cell, np.linalg.norm(points - center[cell], axis=1))
            best = max(best, float(score(center, np.full(len(center), radius))[0].max()))
            # harmless (ROUND_UP): the bound that it is part of, and the result, are rounded up by as much
            bound = score(center, (around + radius) * ROUND_UP)[1]
            points = points[bound[cell] >= best]
    return points, best


def _far(
    start: FloatArray, spans: Spans, points: FloatArray, radius: float, level: int, best: float
) -> tuple[float, float]:
    """Return the largest distance from the start that is reached, `best` or more, and a bound of all of them.

    Only spans and points that may exceed the value reached are halved.
    """
    if len(points) == 0:
        return best, best
    if len(points) * len(spans.begin) > AT_ONCE and len(points) > 1:
        best, most = _far(start, spans, points[: len(points) // 2], radius, level, best)
        best, rest = _far(start, spans, points[len(points) // 2 :], radius, level, best)
        return best, max(most, rest)
    reached, bound = _away(start, spans, points, np.full(len(points), radius))
    best = max(best, float(reached.max()))
    settled: npt.NDArray[np.bool_] = np.asarray(bound <= (1.0 + CLOSE_ENOUGH) * best)
    if level == HALVINGS or settled.all():
        return best, float(bound.max())
    most = float(bound[settled].max(initial=0.0))
    open_ = np.logical_not(settled)
    spans, points = spans[np.flatnonzero(open_.any(axis=0))].halved(), points[open_.any(axis=1)]
    best, rest = _far(start, spans, points, radius, level + 1, best)
    return best, max(most, rest)


def _away(
    start: FloatArray, spans: Spans, points: FloatArray, radius: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the distances (n, m) from the start at the ends of spans, and bounds for all of the spans.

    On a span of length h the path differs from its chord by at most K h^2 / 8, with K a bound of the acceleration; on
    the chord the distance is largest at an end.
    """
    ends = [spans.places(tau, start[:, 4]) - start[:, :4] for tau in (spans.begin, spans.end)]
    reached = np.maximum(*(np.concatenate(list(_norms(end[:, None], points, radius))) for end in ends))
    push = spans.accelerations()
    accelerations = [
        np.concatenate(list(_norms(push[:, k : k + 1], points, radius))) for k in range(push.shape[1])
    ]
    # harmless (ROUND_UP): the result is rounded up by as much
    return reached, (reached + np.max(accelerations, axis=0) * (spans.length**2 / 8.0)) * ROUND_UP


def _norms(maps: FloatArray, points: FloatArray, radius: FloatArray) -> Iterator[FloatArray]:
    """Yield the largest lengths of stacked vectors, some rows (points) of (n, m) at a time.

    With A and b the stacked maps of a span, x a point and |e| <= r,
    |A (x + e) + b|^2 <= s^2 r^2 + 2 |A^T (A x + b)| r + |A x + b|^2, where s is the largest singular value of A.

    Args:
        maps: (m, k, 3, 4), k affine maps for each of m spans.
        points: (n, 3).
        radius: Those of the balls around the points, (n,).
    """
    m, round_ = len(maps), bool(radius.any())
    stacked = maps.reshape(m, -1, 4)
    A, b = stacked[:, :, :3], stacked[:, :, 3]
    spread = np.linalg.eigvalsh(np.swapaxes(A, 1, 2) @ A)[:, 2] if round_ else np.zeros(m)
    rows, step = A.reshape(-1, 3).T, max(1, AT_ONCE // m)
    for i in range(0, len(points), step):
        x, r = points[i : i + step], radius[i : i + step, None]
        v = (x @ rows).reshape(len(x), m, -1) + b
        square = np.einsum("nmi,nmi->nm", v, v)
        if round_:
            slope = (v[:, :, None] @ A)[:, :, 0]
            slope = np.sqrt(np.einsum("nmi,nmi->nm", slope, slope))
            square += np.maximum(spread, 0.0) * (r * r) + 2.0 * r * slope
        yield np.sqrt(square)


def _rounding(spans: Spans, extent: float) -> float:
    """Return what rounding of velocities, and of the times at which spans begin and end, adds to a path length [m]."""
    rates = spans.rounding_of_rates(extent)
    return float(spans.length @ rates + (spans.end * rates).max())


def _extent(points: FloatArray, radius: float) -> float:
    return float(np.sqrt((points * points).sum(axis=1).max())) + radius
