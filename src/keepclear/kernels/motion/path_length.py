"""Bounds on the path length of a body's points in the frame of another moving body, between given instants."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    DZ,
    LENGTH,
    ROUND_UP,
    SPAN,
    SPEED_CHANGE_BOUND,
    STATE,
    fastest_corner,
    fill_span,
    is_affine,
    mapped,
    piece_at,
)

# Points of a body for this kernel: a ball that contains them (centre, radius), and a box around its centre (half
# sizes).
BODY = 7


@kernel(inline=True)
def _fastest_in_ball(W, x, y, z, radius, affine):
    """Return an upper bound on the speed in A's frame, in the middle of the span, of B's points in a ball."""
    u, v, w = mapped(W, DZ, x, y, z)
    lin = 0.0
    for i in range(3):
        for j in range(3):
            lin += W[DZ + 4 * i + j] * W[DZ + 4 * i + j]
    if not affine:  # the square of the Frobenius norm is then twice that of the angular velocity
        lin *= 0.5
    return math.sqrt(u * u + v * v + w * w) + math.sqrt(lin) * radius


@kernel(inline=True)
def _fastest(W, body, affine):
    """Return an upper bound on the speed of B's points in the middle of the span in W, by their box and their ball."""
    x, y, z = body[0], body[1], body[2]
    return min(
        fastest_corner(W, 0, x, y, z, body[4], body[5], body[6]),
        _fastest_in_ball(W, x, y, z, body[3], affine),
    )


@kernel
def path_bound(W, body):
    """Return an upper bound on the path length of B's points in A's frame in the span in W; motions may be affine."""
    h = W[LENGTH]
    return (2.0 * _fastest(W, body, True) + h * W[SPEED_CHANGE_BOUND]) * h * ROUND_UP if h > 0.0 else 0.0


@kernel(inline=True)
def _fastest_along(W, body, nx, ny, nz):
    """Return an upper bound on the speed along n in A's frame, in the middle of the span, of B's points."""
    u, v, w = mapped(W, DZ, body[0], body[1], body[2])
    by_box, by_ball = 0.0, 0.0
    for j in range(3):
        s = nx * W[DZ + j] + ny * W[DZ + 4 + j] + nz * W[DZ + 8 + j]
        by_box += abs(s) * body[4 + j]
        by_ball += s * s
    return nx * u + ny * v + nz * w + min(by_box, math.sqrt(by_ball) * body[3])


@kernel(inline=True)
def _climbed(speed, h, K):
    """Return the integral of speed + K |t| from -h to h, where that is positive."""
    fastest = speed + h * K
    if speed >= 0.0 or fastest == math.inf:
        return (speed + fastest) * h
    return fastest * fastest / K if fastest > 0.0 else 0.0


@kernel(
    "void(float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1])", allocates=True
)
def path_lengths(QA, QB, body, times, n, out):
    """Bound how far B's points move in A's frame from each given instant to the next; no knot may lie between two.

    In a step of half length h around the middle, the speed along n is at most a + K |t - middle|, where a is the
    largest speed in the middle and K bounds the acceleration.

    Args:
        QA, QB: The motions.
        body: Points of B: a ball and a box.
        times: Instants (k,), increasing.
        n: Unit vector in A's frame, (3,).
        out: Receives three numbers for each step: an upper bound on the path length [m], infinite where a step turns
            too far for one; an upper bound on the speed in its middle, which shows how tight that is [m/s]; and an
            upper bound on how far points move along n within the step, 0 or more [m].
    """
    work, W = np.empty(2 * STATE + 12), np.empty(SPAN)
    x, y, z = body[0], body[1], body[2]
    affine = is_affine(QA) or is_affine(QB)
    for i in range(times.shape[0] - 1):
        # The segment is chosen by the start: the middle of two neighbouring floats is one of them, and may belong to
        # the next segment.
        ka, kb = piece_at(QA, times[i]), piece_at(QB, times[i])
        fill_span(QA, ka, QB, kb, times[i], times[i + 1], x, y, z, body[3], 0.0, work, W, 0)
        speed, h = _fastest(W, body, affine), W[LENGTH]
        out[3 * i], out[3 * i + 1], out[3 * i + 2] = 0.0, speed, 0.0
        if h > 0.0:
            out[3 * i] = (2.0 * speed + h * W[SPEED_CHANGE_BOUND]) * h * ROUND_UP
            along = _fastest_along(W, body, n[0], n[1], n[2])
            out[3 * i + 2] = _climbed(along, h, W[ACCELERATION_BOUND]) * ROUND_UP
