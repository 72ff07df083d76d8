"""Motions as affine maps that are cubic in time, with a certified error."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_positive
from keepclear.errors import ArgumentError
from keepclear.kernels.motion.state import poses_at
from keepclear.kernels.tables.motion import CUBIC, JOINTED, SCREW, knots_of, motion_numbers, segment_rows
from keepclear.motion.packed_chain import chain_states
from keepclear.motion.spans import Spans, spans_between

__all__ = ["CubicApproximation"]

DEFAULT_ERROR = 1e-6  # [m]
MOST_INTERVALS = 1_000_000
ROUND_UP = 1.0 + 1e-12
# Rounding of a point, by the sizes of the terms of its coordinates: a pose, a velocity, sums.
UNITS = 64.0 * 2.0**-53


@dataclass(frozen=True, slots=True, eq=False)
class CubicApproximation:
    """A motion as affine maps that are cubic in time between neighbouring times.

    Attributes:
        times: (m + 1,) the ends of the intervals [s].
        control: (m, 4, 4, 4) four control matrices for each interval: at s = (t - times[i]) / (times[i + 1] - times[i])
            the matrix is the sum of control[i, k] times the Bernstein polynomial comb(3, k) s^k (1 - s)^(3 - k).
        error: No point of the body is ever farther than this from its true position, rounding included [m].

    Examples:
        >>> import numpy as np
        >>> from keepclear.motion.trajectory import PoseTrajectory
        >>> path = PoseTrajectory.from_positions([0, 1], [[0, 0, 0], [3, 0, 0]])
        >>> path.cubic(0, 1, 0.5).control[0, :, 0, 3].tolist()
        [0.0, 1.0, 2.0, 3.0]
    """

    times: FloatArray
    control: FloatArray
    error: float


def approximate(
    Q: FloatArray, t0: float, t1: float, extent: float, error: object = None
) -> CubicApproximation:
    """Return cubics for a packed motion between two times, within an error for points up to `extent` from the origin.

    The error of Hermite's cubic through the positions and velocities at both ends of an interval of length h is at most
    K h^4 / 384, where K bounds the fourth derivative of a point's path.
    """
    limit = _checked_error(error)
    row = motion_numbers(Q)
    if row.kind == JOINTED:
        return _approximate_jointed(Q, t0, t1, extent, limit)
    spans = spans_between(Q, t0, t1) if t0 < t1 else spans_between(Q, -np.inf, -np.inf)
    rounding = float(UNITS * (row.terms * extent + row.place))
    times, parts = _divided(spans, _counts(spans, extent, limit, rounding))
    missed = float((_fourth_derivative(parts, extent) * parts.length**4 / 384.0).max(initial=0.0))
    found = _checked_bound(missed, rounding, limit)
    return CubicApproximation(*_with_rest(Q, t0, t1, times, _controls(parts)), found)


def _approximate_jointed(
    Q: FloatArray, t0: float, t1: float, extent: float, limit: float
) -> CubicApproximation:
    """Return the same for the end of a chain of joints."""
    row, knots = motion_numbers(Q), knots_of(Q)
    rounding = float(UNITS * (row.terms * extent + row.place))
    inside = np.flatnonzero((knots[:-1] < t1) & (knots[1:] > t0))
    rows = segment_rows(Q)[inside]
    fourth = rows["fourth_p"] + rows["fourth_R"] * extent
    begin, end = np.maximum(knots[inside], t0), np.minimum(knots[inside + 1], t1)
    # harmless (rounding): it selects the number of cubics; what they miss is computed below
    counts = _parts(fourth * (end - begin) ** 4, limit, rounding)
    which = np.repeat(np.arange(len(inside)), counts)
    share = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[which]
    starts = begin[which] + share * (end - begin)[which]
    times = np.append(starts, end[-1:])
    length = np.diff(times)
    missed = float((fourth[which] * length**4 / 384.0).max(initial=0.0))
    found = _checked_bound(missed, rounding, limit)
    control = np.zeros((len(which), 4, 4, 4))
    control[:, :, 3, 3] = 1.0
    if len(which):
        T, third = rows["duration"][which], (length / 3.0)[:, None, None]
        first, rate = chain_states(Q, inside[which], (times[:-1] - knots[inside][which]) / T)
        control[:, 0, :3], control[:, 1, :3] = first, first + third * rate
        last, rate = chain_states(Q, inside[which], (times[1:] - knots[inside][which]) / T)
        control[:, 2, :3], control[:, 3, :3] = last - third * rate, last
    return CubicApproximation(*_with_rest(Q, t0, t1, times, control), found)


def _checked_error(error: object) -> float:
    # harmless (DEFAULT_ERROR): a smaller error is refused, or takes more cubics
    return DEFAULT_ERROR if error is None else checked_positive("error", error, "metres")


def _checked_bound(missed: float, rounding: float, limit: float) -> float:
    # harmless (ROUND_UP): the fourth derivative in it is rounded up by as much
    found = (missed + rounding) * ROUND_UP
    # harmless (>): the error that is returned holds, whether it is refused or not
    if missed > 0.0 and found > limit:
        raise ArgumentError(
            f"error = {limit:.3g} m is less than what rounding leaves here, {rounding:.3g} m."
        )
    return found


def _counts(spans: Spans, extent: float, limit: float, rounding: float) -> npt.NDArray[np.int64]:
    """Return the number of intervals of each span."""
    return _parts(_fourth_derivative(spans, extent) * spans.length**4, limit, rounding)


def _parts(missed: FloatArray, limit: float, rounding: float) -> npt.NDArray[np.int64]:
    """Return the number of intervals of spans whose cubics have an error of the 384th part of `missed`."""
    # harmless (ROUND_UP): it selects the number of cubics; their error is computed from what they miss
    allowed = max(limit / ROUND_UP - rounding, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = (missed / (384.0 * allowed)) ** 0.25
    parts = np.where(np.isnan(parts), 0.0, parts)  # 0 / 0: exact, whatever the error
    if parts.sum() > MOST_INTERVALS:
        raise ArgumentError(
            f"error = {limit:.3g} m would take more than {MOST_INTERVALS} cubics (rounding leaves {rounding:.3g} m); "
            "ask for more, or for less time."
        )
    # harmless (ROUND_UP): `_checked_bound` refuses too few intervals
    return np.maximum(np.ceil(parts * ROUND_UP).astype(np.int64), 1)


def _divided(spans: Spans, counts: npt.NDArray[np.int64]) -> tuple[FloatArray, Spans]:
    """Return the times (m + 1,) at which spans are divided, none for no spans, and the parts between them."""
    which = np.repeat(np.arange(len(counts)), counts)
    share = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[which]
    parts, length = spans[which], spans.length[which]
    starts = parts.start + (parts.begin + share * length)
    if len(which) == 0:
        return np.empty(0), spans
    last = spans.start[-1] + spans.end[-1]
    # Where times are so large that neighbours coincide, the part between them vanishes.
    keep = np.append(starts[1:], last) > starts
    starts, parts = starts[keep], parts[np.flatnonzero(keep)]
    ends = np.append(starts[1:], last)
    begin, end = starts - parts.start, ends - parts.start
    end = np.minimum(end, parts.rows["duration"])
    return np.append(starts, last), replace(parts, begin=np.maximum(begin, 0.0), end=end)


def _fourth_derivative(spans: Spans, extent: float) -> FloatArray:
    """Return bounds (m,) of the fourth derivative of the paths of points up to `extent` from the origin.

    On a screw each derivative is the cross product of the angular velocity with the one before; if p0 moves linearly,
    this holds for the rest. Cubics have none.
    """
    if len(spans.begin) == 0 or spans.kind == CUBIC:
        return np.zeros(len(spans.begin))
    spin, speed = spans.velocities()
    w = np.linalg.norm(spin, axis=1)
    push = np.linalg.norm(np.cross(spin, speed), axis=1) if spans.kind == SCREW else 0.0
    # harmless (ROUND_UP): the errors of cubics that it bounds are rounded up by as much
    return np.asarray(w * w * (w * w * spans.reach(extent) + push) * ROUND_UP)


def _controls(spans: Spans) -> FloatArray:
    """Return the control matrices (m, 4, 4, 4) of the cubics with the spans' positions and velocities at both ends."""
    control = np.zeros((len(spans.begin), 4, 4, 4))
    control[:, :, 3, 3] = 1.0
    if len(control):
        third = (spans.length / 3.0)[:, None, None]
        first, last = spans.places(spans.begin, np.zeros(3)), spans.places(spans.end, np.zeros(3))
        control[:, 0, :3], control[:, 3, :3] = first, last
        control[:, 1, :3] = first + third * spans.rates(spans.begin)
        control[:, 2, :3] = last - third * spans.rates(spans.end)
    return control


def _with_rest(
    Q: FloatArray, t0: float, t1: float, times: FloatArray, control: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return times and control matrices, with those of the rest before the first time and after the last."""
    ends = np.array([t0, t1])
    X = np.empty((2, 4, 4))
    poses_at(Q, ends, X)
    rest = np.repeat(X[:, None, None], 4, axis=2)
    if len(times) == 0:
        return ends, rest[0]
    if t0 < times[0]:
        times, control = np.append(t0, times), np.concatenate([rest[0], control])
    if t1 > times[-1]:
        times, control = np.append(times, t1), np.concatenate([control, rest[1]])
    return times, control
