"""Casts: pairs of convex bodies whose motions are given by poses at the start and at the end; and the brackets of rows.

A cast is a row of PAIR like any other. Its two motions are packed into scratch when it is advanced, so that n casts
need four arrays of poses instead of 2n motions.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.convex import WORK, advance_row
from keepclear.kernels.convex import gjk
from keepclear.kernels.motion.rigid import ONE_SEGMENT, write_cast
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import is_affine, scene_size

# Why a cast is refused: half a turn of A or B, or a tolerance that rounding does not allow.
TURN_OF_A, TURN_OF_B, TOO_FINE = 0, 1, 2
COLLIDING, CLEAR, UNDECIDED = 0, 1, 2
# Motions as `set_intervals` tells them apart: left to Python, defined at all times, at rest at all times.
OTHER, MOVING, RESTING = 0, 1, 2


@kernel(
    "int64(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1], float64[:,:,::1],"
    " float64[:,:,::1], boolean, float64, float64, float64, PAIR[::1], int64, int64)",
    allocates=True,
)
def cast_pairs(FA, IA, FB, IB, A0, A1, B0, B1, screw, extent_a, extent_b, finest, pairs, begin, end):
    """Advance two convex bodies along each of many pairs of motions, until the end, a contact or the limit.

    Args:
        FA, IA, FB, IB: The bodies, as in `support`.
        A0, A1, B0, B1: Their checked poses at times 0 and 1, (n, 4, 4); one pose is repeated, and no poses at time 1
            are a body at rest.
        screw: Whether bodies move along screws, else straight with constant angular velocity.
        extent_a, extent_b: How far the bodies reach from the origins of their frames [m].
        finest: Smallest tolerance, as a part of the size of the scene.
        pairs: The rows; `scale` is set here.
        begin, end: Range of rows to advance.

    Returns:
        How many of them have not finished because of their limits, or -(1 + 4 k + why) for the first bad row k.
    """
    R, M = np.empty(WORK), np.zeros(gjk.MEMORY)
    QA, QB = np.zeros(ONE_SEGMENT), np.zeros(ONE_SEGMENT)
    paused = 0
    for k in range(begin, end):
        if (k == begin or len(A0) > 1 or len(A1) > 1) and not write_cast(QA, A0, A1, k, screw):
            return -(1 + 4 * k + TURN_OF_A)
        if (k == begin or len(B0) > 1 or len(B1) > 1) and not write_cast(QB, B0, B1, k, screw):
            return -(1 + 4 * k + TURN_OF_B)
        pair = pairs[k]
        if pair.tolerance < finest * _terms(QA, extent_a, QB, extent_b):
            return -(1 + 4 * k + TOO_FINE)
        pair.scale = scene_size(QA, QB, extent_a + extent_b)
        if advance_row(FA, IA, FB, IB, QA, QB, pair, R, M):
            paused += 1
    return paused


@kernel(inline=True, boundscheck=False)
def _terms(QA, extent_a, QB, extent_b):
    """Return the size of the terms that positions of points of both bodies are sums of [m]."""
    a, b = motion_of(QA), motion_of(QB)
    return (a.place + a.terms * extent_a) + (b.place + b.terms * extent_b)


@kernel(
    "void(BODY[::1], float64[::1], int64[::1], float64[:,::1], int8[::1], PAIR[::1], float64, float64, float64)"
)
def set_intervals(bodies, Q, motions, spans, kinds, pairs, t0, t1, finest):
    """Set the intervals of rows, and leave to Python (`unproved`) what `advance_pairs` is not made for.

    It is made for convex bodies on rigid motions that are defined at all times, for a span of time or two bodies at
    rest, and for a tolerance that is not too fine.

    Args:
        bodies, Q, motions: As in `swept_convex.fill_pairs`.
        spans: When each motion starts and ends [s].
        kinds: OTHER, MOVING or RESTING, of each motion.
        pairs: The rows. A shape or motion below 0 is none of kernels.
        t0, t1: The interval of all rows; nan for that of their motions [s].
        finest: As in `cast_pairs`.
    """
    for k in range(len(pairs)):
        pair = pairs[k]
        a, b, ma, mb = pair.shape_a, pair.shape_b, pair.motion_a, pair.motion_b
        if min(a, b, ma, mb) < 0 or kinds[ma] == OTHER or kinds[mb] == OTHER:
            pair.shape_a, pair.shape_b, pair.motion_a, pair.motion_b = 0, 0, 0, 0
            pair.unproved = 1
            continue
        start, end = math.inf, -math.inf  # a body at rest sets no limit
        for m in (ma, mb):
            if kinds[m] == MOVING:
                start, end = min(start, spans[m, 0]), max(end, spans[m, 1])
        if not math.isnan(t0):
            start = t0
        elif start == math.inf:
            start = 0.0 if math.isnan(t1) else t1
        if not math.isnan(t1):
            end = t1
        elif end == -math.inf:
            end = start
        pair.t0, pair.t1, pair.now = start, end, start
        QA, QB = Q[motions[ma] :], Q[motions[mb] :]
        is_span = start < end or (start == end and kinds[ma] == RESTING and kinds[mb] == RESTING)
        fine = pair.tolerance >= finest * _terms(QA, bodies[a].extent, QB, bodies[b].extent)
        if not is_span or not fine or is_affine(QA) or is_affine(QB):
            pair.unproved = 1


@kernel("void(PAIR[::1], float64, uint8[::1], float64[:,::1])")
def read_brackets(pairs, time_tolerance, verdicts, times):
    """Write the verdict of each row, and its time (nan unless COLLIDING), `t_lo` and `t_hi` as rows of `times`, (3, n).

    `t_hi` is the instant of certain contact, if it is in the interval and not later than `time_tolerance` after `t_lo`.
    """
    for k in range(len(pairs)):
        pair = pairs[k]
        time, t1 = pair.time, pair.t1
        if time <= pair.now:
            lo = min(time, t1)
            hi = pair.certain if pair.certain <= t1 and pair.certain - lo <= time_tolerance else lo
            verdicts[k], times[0, k], times[1, k], times[2, k] = COLLIDING, lo, lo, hi
            continue
        # Nothing found, or a witness without a proof of the time before it. A single instant is searched as the
        # shortest span that contains it; nothing is proved before the end of that span.
        over = pair.now >= t1 if pair.t0 < t1 else pair.now > t1
        verdicts[k], times[0, k], times[1, k], times[2, k] = UNDECIDED, math.nan, pair.now, min(time, t1)
        if time == math.inf and over:
            verdicts[k], times[1, k], times[2, k] = CLEAR, t1, t1
