"""First contact, or least distance, of a moving mesh and a moving convex body: a search through tree and time."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance import minimum
from keepclear.kernels.advance.boxes import (
    AT_BEGIN,
    AT_END,
    CUBIC,
    CUBIC_ROUNDED,
    LONG_AXES,
    QUADRATIC,
    QUARTER,
    QUARTIC,
    STATES,
    WINDOW,
)
from keepclear.kernels.advance.convex import INSIDE, ROUNDING, WORK, advance_segment, forget, least_along
from keepclear.kernels.advance.distance_polynomials import SAMPLE, stays_positive
from keepclear.kernels.advance.mesh_pair import DONE, PAUSED, as_leaf, begin_piece, half_of
from keepclear.kernels.advance.triangles import SHORT
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex import support as core
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import BEGIN, END, MISSED, STATE, Z, piece_at, relative_at
from keepclear.kernels.tables.surface import ORIGIN
from keepclear.kernels.trees.mesh_convex import ROOM, as_triangle
from keepclear.kernels.trees.obb_tree import HALF, LINK, NODE

LAST = 10  # index in the hints: the direction that separated the last triangle; before it, vertices to start from


@kernel(inline=True, boundscheck=False)
def _reach(F, L, W, m, nx, ny, nz, hints, h, scale):
    """Return the minimum of n . p over the convex body under the map at W[m:], relative to the tree's origin."""
    x = nx * W[m] + ny * W[m + 4] + nz * W[m + 8]
    y = nx * W[m + 1] + ny * W[m + 5] + nz * W[m + 9]
    z = nx * W[m + 2] + ny * W[m + 6] + nz * W[m + 10]
    least, _, _, _, k = least_along(F, L, x, y, z, int(hints[h]), scale)
    hints[h] = k
    return least + nx * W[m + 3] + ny * W[m + 7] + nz * W[m + 11]


@kernel(boundscheck=False)
def _apart(N, a, F, L, W, at, slack, hints, scale, least, E):
    """Return whether some direction keeps a node's box more than `slack` from the body during the span at W[at:].

    See `swept_boxes.boxes_apart`. The candidates are the axes of the box, towards the body's centre; the direction that
    separated the last triangle that was advanced, without which a long body is not separated from boxes beside it (30
    times as many triangles for a rod); and the vector to the centre.
    """
    p = NODE * a
    slack *= LONG_AXES
    s, e = at + AT_BEGIN, at + AT_END
    x, y, z = F[core.CENTER], F[core.CENTER + 1], F[core.CENTER + 2]
    gx = 0.5 * (
        (W[s] + W[e]) * x + (W[s + 1] + W[e + 1]) * y + (W[s + 2] + W[e + 2]) * z + W[s + 3] + W[e + 3]
    )
    gy = 0.5 * (
        (W[s + 4] + W[e + 4]) * x
        + (W[s + 5] + W[e + 5]) * y
        + (W[s + 6] + W[e + 6]) * z
        + W[s + 7]
        + W[e + 7]
    )
    gz = 0.5 * (
        (W[s + 8] + W[e + 8]) * x
        + (W[s + 9] + W[e + 9]) * y
        + (W[s + 10] + W[e + 10]) * z
        + W[s + 11]
        + W[e + 11]
    )
    ax, ay, az = np.float64(N[p]), np.float64(N[p + 1]), np.float64(N[p + 2])
    gx, gy, gz = gx - ax, gy - ay, gz - az
    for k in range(5):
        if k < 3:
            nx, ny, nz = (
                np.float64(N[p + 3 + 3 * k]),
                np.float64(N[p + 4 + 3 * k]),
                np.float64(N[p + 5 + 3 * k]),
            )
            if nx * gx + ny * gy + nz * gz < 0.0:
                nx, ny, nz = -nx, -ny, -nz
            reach = np.float64(N[p + HALF + k])
        else:
            nx, ny, nz = gx, gy, gz
            if k == 3:
                nx, ny, nz = hints[LAST], hints[LAST + 1], hints[LAST + 2]
            f = math.sqrt(nx * nx + ny * ny + nz * nz)
            if not f > SHORT:
                continue
            nx, ny, nz = nx / f, ny / f, nz / f
            reach = 0.0
            for i in range(3):
                q = p + 3 + 3 * i
                along = nx * np.float64(N[q]) + ny * np.float64(N[q + 1]) + nz * np.float64(N[q + 2])
                reach += np.float64(N[p + HALF + i]) * abs(along)
        need = reach + slack + nx * ax + ny * ay + nz * az
        if least:
            c = at + CUBIC
            g0 = _reach(F, L, W, c, nx, ny, nz, hints, 2 * k, scale) - need
            if g0 <= 0.0:
                continue
            g3 = _reach(F, L, W, c + 36, nx, ny, nz, hints, 2 * k + 1, scale) - need
            if g3 <= 0.0:
                continue
            g1 = _reach(F, L, W, c + 12, nx, ny, nz, hints, 2 * k, scale) - need
            g2 = _reach(F, L, W, c + 24, nx, ny, nz, hints, 2 * k + 1, scale) - need
            if stays_positive(g0, g1, g2, g3, W[at + QUARTIC], W[at + QUADRATIC], E):
                return True
            continue
        if _reach(F, L, W, s, nx, ny, nz, hints, 2 * k, scale) <= need:
            continue
        if _reach(F, L, W, e, nx, ny, nz, hints, 2 * k + 1, scale) > need:
            return True
    return False


@kernel(
    "boolean(float64[::1], float32[::1], float64[::1], int32[::1], float64[::1], float64[::1], float64, float64,"
    " float64[::1])",
    boundscheck=False,
)
def keeps_out(SA, NA, FB, IB, QA, QB, size, t, work):
    """Return whether some direction certainly separates the box around the whole mesh from the body at time t.

    Then neither contains the other. `work` is scratch of at least WINDOW + 2 STATE + 32 numbers.
    """
    relative_at(QA, piece_at(QA, t), QB, piece_at(QB, t), t, work[WINDOW:], work, Z)
    for i in range(12):
        away = SA[ORIGIN + i // 4] if i % 4 == 3 else 0.0
        work[AT_BEGIN + i] = work[AT_END + i] = work[Z + i] - away
    hints = work[WINDOW + 2 * STATE + 9 : WINDOW + 2 * STATE + 32]
    for k in range(LAST):
        hints[k] = -1.0
    hints[LAST], hints[LAST + 1], hints[LAST + 2] = 0.0, 0.0, 0.0
    radii = FB[core.RADIUS]
    slack = (
        radii * (1.0 + motion_of(QB).stretch) / motion_of(QA).smallest
        + FB[core.DEFECT]
        + ROUNDING * (size + radii)
    )
    return _apart(NA, 0, FB, IB, work, 0, slack, hints, size, False, work)


@kernel(boundscheck=False)
def _moves_far(N, a, W, at, ball, F):
    """Return whether halving the span promises more than opening the box: the body moves far compared to both.

    What counts is the path of the body's point that is at the middle of the box. A rod that turns about its middle
    moves little there and much at its ends.
    """
    p = NODE * a
    size = max(np.float64(N[p + HALF + 2]), ball[INSIDE], F[core.RADIUS])
    s, e = at + AT_BEGIN, at + AT_END
    x = np.float64(N[p]) - 0.5 * (W[s + 3] + W[e + 3])
    y = np.float64(N[p + 1]) - 0.5 * (W[s + 7] + W[e + 7])
    z = np.float64(N[p + 2]) - 0.5 * (W[s + 11] + W[e + 11])
    u = 0.5 * ((W[s] + W[e]) * x + (W[s + 4] + W[e + 4]) * y + (W[s + 8] + W[e + 8]) * z)
    v = 0.5 * ((W[s + 1] + W[e + 1]) * x + (W[s + 5] + W[e + 5]) * y + (W[s + 9] + W[e + 9]) * z)
    w = 0.5 * ((W[s + 2] + W[e + 2]) * x + (W[s + 6] + W[e + 6]) * y + (W[s + 10] + W[e + 10]) * z)
    square = 0.0
    for i in range(3):
        j, k = s + 4 * i, e + 4 * i
        x = (W[k] - W[j]) * u + (W[k + 1] - W[j + 1]) * v + (W[k + 2] - W[j + 2]) * w + W[k + 3] - W[j + 3]
        square += x * x
    # harmless (W[at + MISSED]): it selects whether a span is halved or a box is opened
    return W[at + MISSED] > 0.25 * size or square > QUARTER * size * size


@kernel(boundscheck=False)
def _advance_triangle(
    S, T, t, FB, IB, QA, QB, windows, at, pair, P, K, leaves, hints, R, M, E
):  # fmt: skip
    """Advance one triangle and the body through a span; store an earlier contact, or a smaller distance, than known."""
    leaf = leaves[0]
    as_triangle(S, T, t, P)
    forget(M)
    hints[0], hints[1], hints[5] = -1.0, -1.0, 0.0
    leaf.now, leaf.time, leaf.certain = windows[at + BEGIN], math.inf, pair.certain
    leaf.distance, leaf.unproved = pair.distance, 0
    leaf.normal[0], leaf.normal[1], leaf.normal[2] = 0.0, 0.0, 0.0
    leaf.evaluations, least = 0, pair.least
    if not least:
        hints[2], hints[3], hints[4] = 0.0, 0.0, 0.0
    ka, kb, end = pair.segment_a, pair.segment_b, windows[at + END]
    if least:
        leaf.lower = math.inf
        minimum.borrow_direction(P, K, hints[2], hints[3], hints[4], pair.scale, E)
        minimum.copy_sample(windows, at + STATES, windows[at + BEGIN], E, minimum.SAMPLES)
        second = minimum.SAMPLES + SAMPLE
        minimum.copy_sample(windows, at + STATES + 24, end, E, second)
        minimum.least_between(P, K, FB, IB, QA, ka, QB, kb, leaf, hints, E, M)
        hints[2], hints[3], hints[4] = minimum.direction(E)
    else:
        until = min(end, pair.time)
        advance_segment(P, K, FB, IB, QA, ka, QB, kb, until, leaf, hints, R, M)
    pair.evaluations += leaf.evaluations
    pair.certain = min(pair.certain, leaf.certain)
    if leaf.unproved:
        pair.unproved = 1
    if (least and leaf.distance < pair.distance) or (not least and leaf.time < pair.time):
        pair.time, pair.distance, pair.triangle_a = leaf.time, leaf.distance, t
        pair.normal[0], pair.normal[1], pair.normal[2] = (
            leaf.normal[0],
            leaf.normal[1],
            leaf.normal[2],
        )


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float64[::1], float64[::1],"
    " PAIR[::1], float64[::1], int32[::1], int32[::1])",
    allocates=True,
)
def search(SA, TA, NA, LA, FB, IB, QA, QB, pairs, windows, halves, stack):
    """Search from the state of the only row of a table to the end, a contact, or the limit; see `swept_pair`."""
    pair, leaves = pairs[0], as_leaf(pairs[0])
    R, M, hints = np.empty(WORK), np.empty(gjk.MEMORY), np.zeros(8)
    E = np.zeros(minimum.WORK if pair.least else 1)
    P, K, H = np.zeros(ROOM), np.zeros(1, np.int32), np.full(LAST + 3, -1.0)
    H[LAST], H[LAST + 1], H[LAST + 2] = 0.0, 0.0, 0.0
    origin = np.zeros(16)  # tree header of the body: its origin is that of its frame
    least, depth, size = pair.least, 2 * pair.depth, pair.scale
    radii = FB[core.RADIUS]
    while True:
        if depth == 0:
            if pair.now >= pair.end or (not least and pair.time <= pair.now):
                pair.depth = 0
                return DONE
            begin_piece(SA, origin, QA, QB, pair, windows, halves, R)
            if pair.unproved:
                pair.depth = 0
                return DONE
            stack[0], stack[1] = 0, 0
            depth = 2
        if pair.box_pairs + pair.evaluations >= pair.limit:
            pair.depth = depth // 2
            return PAUSED
        depth -= 2
        a, w = stack[depth], stack[depth + 1]
        at = WINDOW * w
        margin = pair.margin
        if least:
            # harmless (margin): only distances below the known one, less the tolerance, are asked for
            margin = max(pair.distance - pair.tolerance, margin)
        if not (least and margin == pair.margin) and (least or windows[at + BEGIN] < pair.time):
            pair.box_pairs += 1
            slack = (margin + radii * (1.0 + motion_of(QB).stretch)) / motion_of(QA).smallest + FB[
                core.DEFECT
            ]
            if least:
                slack += windows[at + CUBIC_ROUNDED] + 2.0 * ROUNDING * (size + radii)
            else:
                slack += windows[at + MISSED] + ROUNDING * (size + radii)
            if not _apart(NA, a, FB, IB, windows, at, slack, H, size, least, E):
                link = LA[NODE * a + LINK]
                first, second = -1, -1
                if link >= 0 and _moves_far(NA, a, windows, at, pair.ball, FB):
                    first = half_of(SA, origin, QA, QB, pair, windows, halves, R, w, 0)
                    second = half_of(SA, origin, QA, QB, pair, windows, halves, R, w, 1)
                if first >= 0 and second >= 0:
                    stack[depth], stack[depth + 1] = a, second
                    stack[depth + 2], stack[depth + 3] = a, first
                    depth += 4
                elif link >= 0:
                    stack[depth], stack[depth + 1] = link, w
                    stack[depth + 2], stack[depth + 3] = link + 1, w
                    depth += 4
                else:
                    _advance_triangle(
                        SA, TA, -1 - link, FB, IB, QA, QB, windows, at, pair, P, K, leaves,
                        hints, R, M, E,
                    )  # fmt: skip
                    H[LAST], H[LAST + 1], H[LAST + 2] = hints[2], hints[3], hints[4]
        if depth == 0:
            pair.now = windows[END] if least else min(windows[END], pair.time)
