"""How far a body's points travel in the frame of another moving body, between instants that are given."""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.motion import (
    AFFINE,
    BEND,
    DZ,
    LENGTH,
    ROUND_UP,
    SPAN,
    STATE,
    SURGE,
    fastest_corner,
    fill_span,
    mapped,
    piece_at,
)

# Points of a body for this kernel: a ball that holds them (centre, radius), and a box around its centre (half sizes).
BODY = 7


@kernel(inline=True)
def _fastest_in_ball(W, x, y, z, radius, affine):
    """Return a bound of the speed in A's frame, in the middle of the span, of B's points in a ball."""
    u, v, w = mapped(W, DZ, x, y, z)
    lin = 0.0
    for i in range(3):
        for j in range(3):
            lin += W[DZ + 4 * i + j] * W[DZ + 4 * i + j]
    if not affine:  # the square of the Frobenius norm is then twice that of the angular velocity
        lin *= 0.5
    return math.sqrt(u * u + v * v + w * w) + math.sqrt(lin) * radius


@kernel(
    "void(float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1])", allocates=True
)
def ways(QA, QB, body, times, bounds, speeds):
    """Bound the way of B's points in A's frame from each of n instants to the next; no knot may lie between two.

    Args:
        QA, QB: The motions.
        body: Points of B: a ball and a box.
        times: Instants (n,), increasing.
        bounds: Gets n - 1 bounds of the way [m]; infinite where a step turns too far for one.
        speeds: Gets n - 1 bounds of the speed in the middle of each step, which say how sharp these are [m/s].
    """
    work, W = np.empty(2 * STATE + 12), np.empty(SPAN)
    x, y, z = body[0], body[1], body[2]
    affine = QA[AFFINE] != 0.0 or QB[AFFINE] != 0.0
    for i in range(times.shape[0] - 1):
        middle = 0.5 * (times[i] + times[i + 1])
        ka, kb = piece_at(QA, middle), piece_at(QB, middle)
        fill_span(QA, ka, QB, kb, times[i], times[i + 1], x, y, z, body[3], 0.0, work, W, 0)
        speed = min(
            fastest_corner(W, 0, x, y, z, body[4], body[5], body[6]),
            _fastest_in_ball(W, x, y, z, body[3], affine),
        )
        h = W[LENGTH]
        speeds[i] = speed
        bounds[i] = (2.0 * h * speed + h * h * W[SURGE]) * ROUND_UP if h > 0.0 else 0.0


@kernel("float64(float64[::1], float64[::1], float64[::1], float64[::1], float64[::1])", allocates=True)
def approach(QA, QB, body, times, n):
    """Bound how far B's points move along n in A's frame, at any time since the first instant [m].

    In a step of half length h around the middle, the speed along n is at most a + K |t - middle|, where a is the
    largest there and K bounds the acceleration. Where this is positive, it is added up.

    Args:
        QA, QB: The motions, that of A rigid.
        body: Points of B: a ball and a box.
        times: Instants (k,), increasing, no knot between two.
        n: Unit vector in A's frame, (3,).
    """
    work, W = np.empty(2 * STATE + 12), np.empty(SPAN)
    x, y, z = body[0], body[1], body[2]
    total = 0.0
    for i in range(times.shape[0] - 1):
        middle = 0.5 * (times[i] + times[i + 1])
        ka, kb = piece_at(QA, middle), piece_at(QB, middle)
        fill_span(QA, ka, QB, kb, times[i], times[i + 1], x, y, z, body[3], 0.0, work, W, 0)
        u, v, w = mapped(W, DZ, x, y, z)
        speed = n[0] * u + n[1] * v + n[2] * w
        by_box, by_ball = 0.0, 0.0
        for j in range(3):
            s = n[0] * W[DZ + j] + n[1] * W[DZ + 4 + j] + n[2] * W[DZ + 8 + j]
            by_box += abs(s) * body[4 + j]
            by_ball += s * s
        most = speed + min(by_box, math.sqrt(by_ball) * body[3])
        h, K = W[LENGTH], W[BEND]
        last = most + h * K  # the largest speed at the ends
        if last == math.inf:
            return math.inf
        if most >= 0.0 and h > 0.0:
            total += (2.0 * most + h * K) * h
        elif last > 0.0 and h > 0.0:
            total += last * last / K
    return total * ROUND_UP
