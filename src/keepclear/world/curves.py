"""The distance of two items over time, between certified bounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.continuous.clearance import profile_of
from keepclear.continuous.extent import ball_and_box
from keepclear.continuous.query import Query
from keepclear.continuous.relative_path_length import STEP_ROUNDING
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.motions.motion import head_of
from keepclear.proximity.distance import distance
from keepclear.report.report import Curve
from keepclear.scene.timeline import Timeline
from keepclear.world.pair_check import part_rows, row_query

if TYPE_CHECKING:
    from keepclear.world.task import Task

# An interval is halved if its lower bound is below the values at its ends by more than these: a length, and a part of
# the value. The number of rounds is limited.
CLOSE, PART = 3e-3, 0.1  # [m], [1]
ROUNDS = 5
# Number of rounds that halve the intervals on both sides of a local minimum, if it is at most the factor times the
# smallest value, or at most the length above it; of a plateau, such as a contact, the two ends are refined.
MINIMUM_ROUNDS, MINIMUM_FACTOR, MINIMUM_LENGTH = 4, 2.0, 0.02  # [1], [1], [m]
_UP = np.array([0.0, 0.0, 1.0])


class _Bounds(NamedTuple):
    """Bounds of a distance at some instants (n,), and between them (n - 1,)."""

    times: FloatArray
    lower: FloatArray
    upper: FloatArray
    between: FloatArray


def curve_of(timeline: Timeline, i: int, j: int, task: Task, extra: Sequence[float]) -> Curve | None:
    """Return the distance of two items over the whole interval; None if it is a single instant."""
    if task.t0 >= task.t1:
        return None
    changes = {t for t in (*timeline.changes(i), *timeline.changes(j)) if task.t0 < t < task.t1}
    grid = np.linspace(task.t0, task.t1, max(task.curves, 2))
    cuts = [task.t0, *sorted(changes), task.t1]
    parts = []
    for begin, end in pairwise(cuts):
        inner = [t for t in (*grid, *extra) if begin < t < end]
        parts.append(_stretch(timeline, i, j, np.unique([begin, *inner, end]), task.tolerance))
    joined = _joined(parts)
    return Curve(
        times=tuple(joined.times.tolist()),
        lower=tuple(joined.lower.tolist()),
        upper=tuple(joined.upper.tolist()),
        lower_between=tuple(joined.between.tolist()),
    )


def _stretch(timeline: Timeline, i: int, j: int, times: FloatArray, tolerance: float) -> _Bounds:
    """Return bounds for all parts of two items while their parent frames do not change."""
    window = float(times[0]), float(times[-1])
    rows = part_rows(timeline, i, j, [(*window, 0.0)])
    queries = [row_query(rows, k, timeline, max(tolerance, CLOSE), None, window)[0] for k in range(len(rows))]
    if any(not q.is_packed or head_of(q.motion_a).affine or head_of(q.motion_b).affine for q in queries):
        return _least([_deformed(query, times) for query in queries])
    known = [_bounds(query, times) for query in queries]
    bounds = _least(known)
    for done in range(ROUNDS):
        # harmless (minimum): it is which intervals are halved; bounds hold in all of them
        ends = np.minimum(bounds.lower[:-1], bounds.lower[1:])
        middles = 0.5 * (bounds.times[:-1] + bounds.times[1:])
        rough = ends - bounds.between > np.maximum(CLOSE, PART * ends)
        if done < MINIMUM_ROUNDS:
            rough |= _beside_minima(bounds.upper)
        rough &= (middles > bounds.times[:-1]) & (middles < bounds.times[1:])
        if not rough.any():
            break
        known = [_bounds(query, middles[rough], one) for query, one in zip(queries, known, strict=True)]
        bounds = _least(known)
    return bounds


def _beside_minima(upper: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which intervals between instants (n - 1,) are next to a local minimum close to the smallest value."""
    # harmless: it is which intervals are halved; bounds hold in all of them
    low = upper <= max(MINIMUM_FACTOR * upper.min(), upper.min() + MINIMUM_LENGTH)
    # harmless: likewise
    falls, rises = upper[:-1] > upper[1:], upper[:-1] < upper[1:]
    level = ~falls & ~rises
    before = falls & low[1:] & np.append(~falls[1:], True)  # the next interval rises or is level
    after = rises & low[:-1] & np.append(True, ~rises[:-1])
    # A minimum between two instants of almost equal value: both intervals around each of them.
    beside = before | after
    beside[:-1] |= beside[1:] & low[1:-1] & ~level[:-1]
    beside[1:] |= beside[:-1] & low[1:-1] & ~level[1:]
    return np.asarray(beside)


def _bounds(query: Query, new: FloatArray, known: _Bounds | None = None) -> _Bounds:
    """Return bounds at instants, in one batch, and between them, where the path length bounds all displacements.

    Args:
        query: Two bodies and their motions.
        new: The instants, increasing.
        known: Bounds at other instants, which are kept; None for none.
    """
    found = distance(query.body_a, query.motion_a.pose(new), query.body_b, query.motion_b.pose(new))
    rounding = layout.POSE_ROUNDING * query.size
    times, lower = new, np.maximum(np.asarray(found.lower) - rounding, 0.0)
    upper = np.maximum(np.asarray(found.upper) + rounding, 0.0)
    if known is not None:
        order = np.argsort(times := np.concatenate([known.times, new]))
        times = times[order]
        lower = np.concatenate([known.lower, lower])[order]
        upper = np.concatenate([known.upper, upper])[order]
    # Bodies that touch in between travel at least the sum of both gaps.
    path_length = _path_lengths(query, times)
    between = 0.5 * (lower[:-1] + lower[1:] - path_length)
    # harmless (path_length): minus infinity becomes 0, too
    between = np.where(np.isfinite(path_length), np.maximum(between, 0.0), 0.0)
    return _Bounds(times, lower, upper, between)


def _path_lengths(query: Query, times: FloatArray) -> FloatArray:
    """Return bounds of how far points of B move in the frame of A from each instant to the next, (n - 1,) [m]."""
    Q_A, Q_B = query.motion_a._packed, query.motion_b._packed
    knots = np.unique(np.concatenate([query.motion_a.knots, query.motion_b.knots]))
    fine = np.union1d(times, knots[(knots > times[0]) & (knots < times[-1])])
    steps = np.empty((len(fine) - 1, 3))
    path_lengths(Q_A, Q_B, ball_and_box(query.body_b), fine, _UP, steps.reshape(-1))
    starts = np.searchsorted(fine, times[:-1])
    sums = np.add.reduceat(steps[:, 0] + STEP_ROUNDING * query.size, starts)
    return np.asarray(sums * layout.ROUND_UP)


def _deformed(query: Query, times: FloatArray) -> _Bounds:
    """Return the same bounds for a motion that is not rigid."""
    found = profile_of(query, times)
    return _Bounds(times, found.lower, found.upper, found.lower_between)


def _least(parts: Sequence[_Bounds]) -> _Bounds:
    """Return bounds of the minimum of several distances at the same instants."""
    lower, upper, between = (np.min([part[k] for part in parts], axis=0) for k in (1, 2, 3))
    return _Bounds(parts[0].times, lower, upper, between)


def _joined(parts: Sequence[_Bounds]) -> _Bounds:
    """Return consecutive curves as one; the common instant of two neighbours occurs once."""
    first = parts[0]
    for part in parts[1:]:
        lower, upper = min(first.lower[-1], part.lower[0]), max(first.upper[-1], part.upper[0])
        first = _Bounds(
            np.concatenate([first.times, part.times[1:]]),
            np.concatenate([first.lower[:-1], [lower], part.lower[1:]]),
            np.concatenate([first.upper[:-1], [upper], part.upper[1:]]),
            np.concatenate([first.between, part.between]),
        )
    return first
