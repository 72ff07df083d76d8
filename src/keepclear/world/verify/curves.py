"""The distance of pairs of items over time, between certified bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.motion import state as layout
from keepclear.motion.motion import head_of
from keepclear.query.interval.clearance import profile_of
from keepclear.query.moving.question import Query
from keepclear.query.moving.samples import PairSamples, Sampled
from keepclear.report.parts import Curve
from keepclear.scene.timeline import Timeline
from keepclear.world.verify.pair_check import part_rows, row_query

if TYPE_CHECKING:
    from keepclear.world.verify.options import Task

# An interval is halved if its lower bound is below the values at its ends by more than these: a length, and a part of
# the value. The number of rounds is limited.
CLOSE, PART = 3e-3, 0.1  # [m], [1]
ROUNDS = 5
# Number of rounds that halve the intervals on both sides of a local minimum, if it is at most the factor times the
# smallest value, or at most the length above it; of a plateau, such as a contact, the two ends are refined.
MINIMUM_ROUNDS, MINIMUM_FACTOR, MINIMUM_LENGTH = 4, 2.0, 0.02  # [1], [1], [m]


class _Bounds(NamedTuple):
    """Bounds of a distance at some instants (n,), and between them (n - 1,)."""

    times: FloatArray
    lower: FloatArray
    upper: FloatArray
    between: FloatArray


_NOTHING = _Bounds(*(np.empty(0) for _ in range(4)))


@dataclass(slots=True)
class _Stretch:
    """Two items while their parent frames do not change: a query for each two parts, and the bounds of each so far."""

    queries: list[Query]
    new: FloatArray  # instants to evaluate next
    known: list[_Bounds] = field(default_factory=list)

    @property
    def bounds(self) -> _Bounds:
        """The bounds of the minimum over all parts, at the same instants."""
        lower, upper, between = (np.min([one[k] for one in self.known], axis=0) for k in (1, 2, 3))
        return _Bounds(self.known[0].times, lower, upper, between)


def curves_of(
    timeline: Timeline, pairs: Sequence[tuple[int, int, Sequence[float]]], task: Task
) -> list[Curve]:
    """Return the distances of pairs over the whole interval, which is more than an instant; pairs share kernel calls.

    Args:
        timeline: The motions.
        pairs: Two items each, and instants that their curve has in addition [s].
        task: What was asked.
    """
    grid = np.linspace(task.t0, task.t1, max(task.curves, 2))
    stretches: list[list[_Stretch]] = []
    for i, j, extra in pairs:
        changes = {t for t in (*timeline.changes(i), *timeline.changes(j)) if task.t0 < t < task.t1}
        stretches.append([])
        for begin, end in pairwise([task.t0, *sorted(changes), task.t1]):
            inner = [t for t in (*grid, *extra) if begin < t < end]
            rows, tolerance = part_rows(timeline, i, j, [(begin, end, 0.0)]), max(task.tolerance, CLOSE)
            queries = [
                row_query(rows, k, timeline, tolerance, None, (begin, end))[0] for k in range(len(rows))
            ]
            stretches[-1].append(_Stretch(queries, np.unique([begin, *inner, end])))
    _fill([stretch for some in stretches for stretch in some])
    return [_joined([stretch.bounds for stretch in some]) for some in stretches]


def _fill(stretches: Sequence[_Stretch]) -> None:
    """Find the bounds of all stretches: at their instants, and at more of them where bounds are rough."""
    left = []
    for stretch in stretches:
        if all(_is_rigid(query) for query in stretch.queries):
            left.append(stretch)
        else:
            profiles = [profile_of(query, stretch.new) for query in stretch.queries]
            stretch.known = [_Bounds(stretch.new, p.lower, p.upper, p.lower_between) for p in profiles]
    queries = [query for stretch in left for query in stretch.queries]
    if not queries:
        return
    samples = PairSamples([Sampled(q.body_a, q.motion_a, q.body_b, q.motion_b) for q in queries])
    for done in range(ROUNDS + 1):
        new = [stretch.new for stretch in left for _ in stretch.queries]
        found = samples.rows(new)
        known = [one for stretch in left for one in stretch.known or [_NOTHING] * len(stretch.queries)]
        times = [
            np.sort(np.concatenate([one.times, t])) if len(t) else t
            for one, t in zip(known, new, strict=True)
        ]
        lengths = samples.path_lengths(times, [query.size for query in queries])
        given = zip(queries, known, new, found, lengths, strict=True)
        bounds = iter([_more(*one) if len(one[2]) else one[1] for one in given])
        for stretch in left:
            stretch.known = [next(bounds) for _ in stretch.queries]
            if len(stretch.new):
                stretch.new = _rough(stretch.bounds, done)
        if not any(len(stretch.new) for stretch in left):
            break


def _is_rigid(query: Query) -> bool:
    return query.is_packed and not (head_of(query.motion_a).affine or head_of(query.motion_b).affine)


def _more(
    query: Query, known: _Bounds, new: FloatArray, rows: FloatArray, path_length: FloatArray
) -> _Bounds:
    """Return bounds at known and new instants, and between them, where the path length bounds all displacements."""
    rounding = layout.POSE_ROUNDING * query.size
    order = np.argsort(np.concatenate([known.times, new]))
    times = np.concatenate([known.times, new])[order]
    lower = np.concatenate([known.lower, np.maximum(rows[:, 1] - rounding, 0.0)])[order]
    upper = np.concatenate([known.upper, np.maximum(rows[:, 2] + rounding, 0.0)])[order]
    # Bodies that touch in between travel at least the sum of both gaps.
    between = 0.5 * (lower[:-1] + lower[1:] - path_length)
    # harmless (path_length): minus infinity becomes 0, too
    between = np.where(np.isfinite(path_length), np.maximum(between, 0.0), 0.0)
    return _Bounds(times, lower, upper, between)


def _rough(bounds: _Bounds, done: int) -> FloatArray:
    """Return the instants that a round adds: the middles of intervals with rough bounds, or beside a minimum."""
    if done == ROUNDS:
        return bounds.times[:0]
    # harmless (minimum): it is which intervals are halved; bounds hold in all of them
    ends = np.minimum(bounds.lower[:-1], bounds.lower[1:])
    middles = 0.5 * (bounds.times[:-1] + bounds.times[1:])
    rough = ends - bounds.between > np.maximum(CLOSE, PART * ends)
    if done < MINIMUM_ROUNDS:
        rough |= _beside_minima(bounds.upper)
    rough &= (middles > bounds.times[:-1]) & (middles < bounds.times[1:])
    return np.asarray(middles[rough])


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


def _joined(parts: Sequence[_Bounds]) -> Curve:
    """Return consecutive bounds as one curve; the common instant of two neighbours occurs once."""
    first = parts[0]
    for part in parts[1:]:
        lower, upper = min(first.lower[-1], part.lower[0]), max(first.upper[-1], part.upper[0])
        first = _Bounds(
            np.concatenate([first.times, part.times[1:]]),
            np.concatenate([first.lower[:-1], [lower], part.lower[1:]]),
            np.concatenate([first.upper[:-1], [upper], part.upper[1:]]),
            np.concatenate([first.between, part.between]),
        )
    times, lower_at, upper_at, between = (tuple(values.tolist()) for values in first)
    return Curve(times=times, lower=lower_at, upper=upper_at, lower_between=between)
