"""Tests whether two oriented boxes stay separate during a span of time, by directions that separate them throughout."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.distance_polynomials import fill_controls
from keepclear.kernels.advance.minimum import missed_by
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    BEGIN,
    DZ,
    END,
    LENGTH,
    MISSED,
    SPAN,
    STATE,
    Z,
    fill_span,
    relative_at,
)
from keepclear.kernels.tables.surface import ORIGIN
from keepclear.kernels.trees.obb_tree import HALF, NODE

# A span, with further data for boxes: the maps between the origins of the trees at its start and its end (rows of
# [lin | p], along the straight lines through the middle).
# For least distances also: the relative motion at its start and its end, four control matrices of the cubic through
# both, between the origins of the trees, the error bound of that cubic (quartic and quadratic, as in `least_convex`),
# and its rounding error.
AT_BEGIN, AT_END = SPAN, SPAN + 12
STATES, CUBIC = SPAN + 24, SPAN + 72
QUARTIC, QUADRATIC, CUBIC_ROUNDED, WINDOW = SPAN + 120, SPAN + 121, SPAN + 122, SPAN + 124
# Time is halved while the travel exceeds a quarter of the larger box, squared here. Measured on knots of 1 000 to
# 61 000 triangles: with twice the box, 3 to 8 times as many triangles are advanced; with an eighth, more boxes are
# compared.
QUARTER = 0.0625
# Axes of boxes have single precision and may be longer than 1 by less than 1e-7; so may gaps along them.
LONG_AXES = 1.0 + 1e-6
SHORT = 1e-280  # smaller squares lose digits, and the lengths of their vectors are not known


@kernel(boundscheck=False)
def fill_window(SA, SB, QA, ka, QB, kb, begin, end, ball, extents, work, W, at):
    """Write a span to W[at:] with the maps from the tree of B to that of A at its ends."""
    fill_span(QA, ka, QB, kb, begin, end, ball[0], ball[1], ball[2], ball[3], extents, work, W, at)
    half = W[at + LENGTH]
    ox, oy, oz = SB[ORIGIN], SB[ORIGIN + 1], SB[ORIGIN + 2]
    for i in range(3):
        z, d = at + Z + 4 * i, at + DZ + 4 * i
        middle = W[z] * ox + W[z + 1] * oy + W[z + 2] * oz + W[z + 3] - SA[ORIGIN + i]
        rate = W[d] * ox + W[d + 1] * oy + W[d + 2] * oz + W[d + 3]
        for j in range(3):
            W[at + AT_BEGIN + 4 * i + j] = W[z + j] - half * W[d + j]
            W[at + AT_END + 4 * i + j] = W[z + j] + half * W[d + j]
        W[at + AT_BEGIN + 4 * i + 3] = middle - half * rate
        W[at + AT_END + 4 * i + 3] = middle + half * rate


@kernel(boundscheck=False)
def fill_cubic(SA, SB, QA, ka, QB, kb, ball, size, work, W, at):
    """Write the further data for least distances of the span at W[at:], which `fill_window` has filled."""
    begin, end = W[at + BEGIN], W[at + END]
    h, c = end - begin, at + CUBIC
    relative_at(QA, ka, QB, kb, begin, work, W, at + STATES)
    relative_at(QA, ka, QB, kb, end, work, W, at + STATES + 24)
    quartic, quadratic, straight = missed_by(
        QA, ka, QB, kb, W, at + STATES, h, W[at + ACCELERATION_BOUND], ball, ball[3], work[2 * STATE + 9 :]
    )
    W[at + QUARTIC], W[at + QUADRATIC] = quartic, quadratic
    states = at + STATES
    W[at + CUBIC_ROUNDED] = fill_controls(W, states, states + 24, h, straight, size, W, c)
    ox, oy, oz = SB[ORIGIN], SB[ORIGIN + 1], SB[ORIGIN + 2]
    for k in range(4):
        for i in range(3):
            z = c + 12 * k + 4 * i
            W[z + 3] += W[z] * ox + W[z + 1] * oy + W[z + 2] * oz - SA[ORIGIN + i]


@kernel(inline=True, boundscheck=False)
def _image(W, m, x, y, z):
    return (
        W[m] * x + W[m + 1] * y + W[m + 2] * z,
        W[m + 4] * x + W[m + 5] * y + W[m + 6] * z,
        W[m + 8] * x + W[m + 9] * y + W[m + 10] * z,
    )


@kernel(inline=True, boundscheck=False)
def boxes_apart(NA, a, NB, b, W, at, slack, last):
    """Return whether some direction keeps the boxes of two nodes more than `slack` apart during the span at W[at:].

    Along a fixed direction n, the gap of points that move straight is a concave function of time, as the minimum of
    linear functions. If it is large enough at both ends of the span, it is so throughout. The same n must be used at
    both ends. The candidates are the axes of A's box, of B's box at the middle of the span, the direction `last` that
    separated the triangles advanced last, and the vector between the centres.
    """
    p, q = NODE * a, NODE * b
    slack *= LONG_AXES
    k0, k1, k2 = np.float64(NB[q + HALF]), np.float64(NB[q + HALF + 1]), np.float64(NB[q + HALF + 2])
    v00, v01, v02 = k0 * np.float64(NB[q + 3]), k0 * np.float64(NB[q + 4]), k0 * np.float64(NB[q + 5])
    v10, v11, v12 = k1 * np.float64(NB[q + 6]), k1 * np.float64(NB[q + 7]), k1 * np.float64(NB[q + 8])
    v20, v21, v22 = k2 * np.float64(NB[q + 9]), k2 * np.float64(NB[q + 10]), k2 * np.float64(NB[q + 11])
    x, y, z = np.float64(NB[q]), np.float64(NB[q + 1]), np.float64(NB[q + 2])
    s, e = at + AT_BEGIN, at + AT_END
    ax, ay, az = np.float64(NA[p]), np.float64(NA[p + 1]), np.float64(NA[p + 2])
    cx, cy, cz = _image(W, s, x, y, z)
    cx, cy, cz = cx + W[s + 3] - ax, cy + W[s + 7] - ay, cz + W[s + 11] - az
    dx, dy, dz = _image(W, e, x, y, z)
    dx, dy, dz = dx + W[e + 3] - ax, dy + W[e + 7] - ay, dz + W[e + 11] - az
    s0x, s0y, s0z = _image(W, s, v00, v01, v02)
    s1x, s1y, s1z = _image(W, s, v10, v11, v12)
    s2x, s2y, s2z = _image(W, s, v20, v21, v22)
    e0x, e0y, e0z = _image(W, e, v00, v01, v02)
    e1x, e1y, e1z = _image(W, e, v10, v11, v12)
    e2x, e2y, e2z = _image(W, e, v20, v21, v22)
    h0, h1, h2 = np.float64(NA[p + HALF]), np.float64(NA[p + HALF + 1]), np.float64(NA[p + HALF + 2])
    for k in range(8):
        if k < 3:
            nx, ny, nz = (
                np.float64(NA[p + 3 + 3 * k]),
                np.float64(NA[p + 4 + 3 * k]),
                np.float64(NA[p + 5 + 3 * k]),
            )
            reach = h0 if k == 0 else (h1 if k == 1 else h2)
        else:
            if k == 3:
                nx, ny, nz = s0x + e0x, s0y + e0y, s0z + e0z
            elif k == 4:
                nx, ny, nz = s1x + e1x, s1y + e1y, s1z + e1z
            elif k == 5:
                nx, ny, nz = s2x + e2x, s2y + e2y, s2z + e2z
            elif k == 6:
                nx, ny, nz = last[0], last[1], last[2]
            else:
                nx, ny, nz = cx + dx, cy + dy, cz + dz
            f = nx * nx + ny * ny + nz * nz
            if not f > SHORT:
                continue
            f = 1.0 / math.sqrt(f)
            nx, ny, nz = f * nx, f * ny, f * nz
            reach = h0 * abs(
                nx * np.float64(NA[p + 3]) + ny * np.float64(NA[p + 4]) + nz * np.float64(NA[p + 5])
            )
            reach += h1 * abs(
                nx * np.float64(NA[p + 6]) + ny * np.float64(NA[p + 7]) + nz * np.float64(NA[p + 8])
            )
            reach += h2 * abs(
                nx * np.float64(NA[p + 9]) + ny * np.float64(NA[p + 10]) + nz * np.float64(NA[p + 11])
            )
        g, r = nx * cx + ny * cy + nz * cz, nx * dx + ny * dy + nz * dz
        if (g > 0.0) != (r > 0.0):
            continue
        need = reach + slack
        if abs(g) <= need or abs(r) <= need:
            continue
        need += abs(nx * s0x + ny * s0y + nz * s0z) + abs(nx * s1x + ny * s1y + nz * s1z)
        if abs(g) <= need + abs(nx * s2x + ny * s2y + nz * s2z):
            continue
        need = reach + slack
        need += abs(nx * e0x + ny * e0y + nz * e0z) + abs(nx * e1x + ny * e1y + nz * e1z)
        if abs(r) > need + abs(nx * e2x + ny * e2y + nz * e2z):
            return True
    return False


@kernel(inline=True, boundscheck=False)
def splits_time(NA, a, NB, b, W, at):
    """Return whether halving the span promises more than opening a box: the motion is large compared to both boxes."""
    size = max(np.float64(NA[NODE * a + HALF + 2]), np.float64(NB[NODE * b + HALF + 2]))
    x, y, z = np.float64(NB[NODE * b]), np.float64(NB[NODE * b + 1]), np.float64(NB[NODE * b + 2])
    dx, dy, dz = _image(W, at + AT_END, x, y, z)
    sx, sy, sz = _image(W, at + AT_BEGIN, x, y, z)
    dx, dy = (
        dx - sx + W[at + AT_END + 3] - W[at + AT_BEGIN + 3],
        dy - sy + W[at + AT_END + 7] - W[at + AT_BEGIN + 7],
    )
    dz = dz - sz + W[at + AT_END + 11] - W[at + AT_BEGIN + 11]
    return W[at + MISSED] > 0.25 * size or dx * dx + dy * dy + dz * dz > QUARTER * size * size


@kernel(inline=True, boundscheck=False)
def unbounded(W, at):
    """Return whether a span is too long for an acceleration bound."""
    return W[at + ACCELERATION_BOUND] == math.inf and W[at + END] > W[at + BEGIN]
