"""Swept boxes in the world: they contain all positions of moving bodies during time steps, and are never too small.

During a span of half length h around its middle a point p of a body is at Z p + s Z' p, |s| <= h, up to the remainder
of the straight line. Along each axis of the world that gives a box around the body in the middle, widened by h times
the largest speed along the axis of any point of the box around the body, and by the remainder. If a time step contains
knots of the motion, its box is the union of the boxes between them.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.path_length import path_bound
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import (
    DZ,
    LENGTH,
    MISSED,
    SPAN,
    STATE,
    Z,
    fill_span,
    is_still,
    next_knot,
    piece_at,
)

# Fraction of the size of a scene: far more than the rounding of poses, boxes and their sums.
ROUNDING = 1e-9


@kernel(boundscheck=False)
def _widen(W, around, largest, size, out, k):
    """Extend the box out[k:] by the positions of a body during the span in W."""
    h = W[LENGTH]
    for i in range(3):
        z, d = Z + 4 * i, DZ + 4 * i
        center, rate = W[z + 3], W[d + 3]
        half, speed = 0.0, 0.0
        for j in range(3):
            center += W[z + j] * around[j]
            rate += W[d + j] * around[j]
            half += abs(W[z + j]) * around[4 + j]
            speed += abs(W[d + j]) * around[4 + j]
        half = min(half, around[3] * largest)
        if h > 0.0:
            half += h * (abs(rate) + speed) + W[MISSED]
        # harmless (ROUNDING): all positions are within size, so that only a half below 2 size matters
        half = half * (1.0 + ROUNDING) + ROUNDING * size
        if not (half < math.inf and abs(center) < math.inf):  # no number is less than NaN
            center, half = 0.0, math.inf
        out[k + i] = min(out[k + i], center - half)
        out[k + 3 + i] = max(out[k + 3 + i], center + half)


@kernel("void(float64[::1], SPAN[::1], float64, float64, boolean[::1])")
def moving(Q, rows, t0, t1, out):
    """Write which motions do not rest all the time from t0 to t1; `rows` as for `swept_boxes`."""
    for r in range(rows.shape[0]):
        M = Q[rows[r].first :]
        out[r] = False
        for k in range(piece_at(M, t0), min(piece_at(M, t1) + 1, motion_of(M).n)):
            if k >= 0 and not is_still(M, k):
                out[r] = True
                break


@kernel(
    "void(float64[::1], float64[::1], SPAN[::1], float64[:,::1], float64[::1], float64[:,:,::1])",
    allocates=True,
)
def swept_boxes(world, Q, rows, around, times, out):
    """Write the boxes (lower corner, upper corner) of moving bodies in all time steps.

    Args:
        world: The motion of the world: rest.
        Q: All motions, concatenated.
        rows: (m,) rows of SPAN, the moving bodies.
        around: (m, 7) a ball and a box around each body, in its frame; see `continuous.extent`.
        times: (steps + 1,) the ends of the time steps [s].
        out: (steps, bodies, 6) receives the boxes [m].
    """
    work, W = np.empty(2 * STATE + 12), np.empty(SPAN)
    for r in range(rows.shape[0]):
        M, body = Q[rows[r].first :], around[r]
        extent = abs(body[0]) + abs(body[1]) + abs(body[2]) + body[3]
        size = motion_of(M).place + motion_of(M).terms * extent
        for step in range(rows[r].first_step, rows[r].end_step):
            box = out[step, rows[r].body]
            for i in range(3):
                box[i], box[3 + i] = math.inf, -math.inf
            begin, end = times[step], times[step + 1]
            while True:
                until = next_knot(M, begin, end)
                k = piece_at(M, begin)
                fill_span(world, -1, M, k, begin, until, body[0], body[1], body[2], body[3], 0.0, work, W, 0)
                _widen(W, body, motion_of(M).largest, size, box, 0)
                if until >= end:
                    break
                begin = until
            for i in range(3):  # a body without a bound may be anywhere
                if not (box[i] > -math.inf and box[3 + i] < math.inf):
                    box[i], box[3 + i] = -math.inf, math.inf


@kernel(
    "void(float64[::1], float64[::1], SPAN[::1], float64[:,::1], float64[::1], float64[::1])",
    allocates=True,
)
def longest_paths(world, Q, rows, around, times, out):
    """Raise out[k] to the greatest path length of any point of any body during time step k [m]."""
    work, W = np.empty(2 * STATE + 12), np.empty(SPAN)
    for r in range(rows.shape[0]):
        M, body = Q[rows[r].first :], around[r]
        for step in range(rows[r].first_step, rows[r].end_step):
            begin, end, length = times[step], times[step + 1], 0.0
            while begin < end:
                until = next_knot(M, begin, end)
                k = piece_at(M, begin)
                fill_span(world, -1, M, k, begin, until, body[0], body[1], body[2], body[3], 0.0, work, W, 0)
                length += path_bound(W, body)
                begin = until
            out[step] = max(out[step], length)
