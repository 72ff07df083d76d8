"""First contact, or least distance, of two moving surfaces: a search through both trees and through time.

A pair of boxes with a span of time is dropped when some direction keeps them apart throughout the span. Otherwise the
span is halved, the earlier half first, where the motion is large compared to the boxes; or the boxes are opened; and
two triangles are advanced by steps until the span ends. Spans are shared by all pairs: each is computed once.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance import minimum
from keepclear.kernels.advance.boxes import STATES, WINDOW, boxes_apart, fill_cubic, fill_window, splits_time
from keepclear.kernels.advance.distance_polynomials import SAMPLE
from keepclear.kernels.advance.triangles import CORNERS, advance, allowance, keeps_clear
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import CENTER
from keepclear.kernels.convex.support import HEADER as CORE
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    BEGIN,
    END,
    MISSED,
    ROUND_UP,
    next_knot,
    piece_at,
)
from keepclear.kernels.tables.pair import PAIR
from keepclear.kernels.trees.mesh_convex import ROOM, as_triangle
from keepclear.kernels.trees.obb_tree import HALF, LINK, NODE
from keepclear.kernels.triangles import triangle_distance as triangle

DONE, PAUSED = 0, 1
WORK = 96  # scratch for poses
# Spans are halved while there is space. After that, boxes are opened instead, down to triangles.
MOST_WINDOWS = 1024
# Each step pops one entry and pushes at most four; a tree has fewer than 350 levels, a span fewer than 64.
STACK = 3 * (3 * 700 + 64 + 4)


@kernel(boundscheck=False)
def half_of(SA, SB, QA, QB, pair, windows, halves, work, w, which):
    """Return the earlier (0) or later (1) half of a span, computed when it is first needed; -1 without space."""
    found = halves[2 * w + which]
    if found >= 0:
        return found
    begin, end = windows[WINDOW * w + BEGIN], windows[WINDOW * w + END]
    middle = 0.5 * (begin + end)
    n = pair.spans
    if n >= MOST_WINDOWS or not (begin < middle and middle < end):
        return -1
    if which == 0:
        end = middle
    else:
        begin = middle
    fill_window(
        SA,
        SB,
        QA,
        pair.segment_a,
        QB,
        pair.segment_b,
        begin,
        end,
        pair.ball,
        pair.scale,
        work,
        windows,
        WINDOW * n,
    )
    if pair.least:
        fill_cubic(
            SA, SB, QA, pair.segment_a, QB, pair.segment_b, pair.ball, pair.scale, work, windows, WINDOW * n
        )
    halves[2 * w + which], halves[2 * n], halves[2 * n + 1] = n, -1, -1
    pair.spans = n + 1
    return n


@kernel(boundscheck=False)
def begin_piece(SA, SB, QA, QB, pair, windows, halves, work):
    """Write the span until the next knot of either motion, or as much of it as has an acceleration bound.

    Where no part of it has one, `pair.unproved` is set: neighbouring float64 times cannot be halved.
    """
    now, until = pair.now, pair.end
    until = next_knot(QA, now, until)
    until = next_knot(QB, now, until)
    pair.segment_a, pair.segment_b = piece_at(QA, now), piece_at(QB, now)
    while True:
        fill_window(
            SA,
            SB,
            QA,
            pair.segment_a,
            QB,
            pair.segment_b,
            now,
            until,
            pair.ball,
            pair.scale,
            work,
            windows,
            0,
        )
        if windows[ACCELERATION_BOUND] < math.inf:
            break
        middle = 0.5 * (now + until)  # the halves of a span with a bound have one too
        if not (now < middle and middle < until):
            pair.unproved = 1
            break
        until = middle
    if pair.least:
        fill_cubic(SA, SB, QA, pair.segment_a, QB, pair.segment_b, pair.ball, pair.scale, work, windows, 0)
    pair.spans = 1
    halves[0], halves[1] = -1, -1


@kernel(boundscheck=False)
def open_pair(LA, NA, a, LB, NB, b, w, stack, depth):
    """Push the pairs of children of two nodes, of the larger one or of both if similar in size; return the depth."""
    la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
    size_a, size_b = NA[NODE * a + HALF + 2], NB[NODE * b + HALF + 2]
    na, nb = 1, 1
    if la >= 0 and (lb < 0 or size_a >= 0.5 * size_b):
        a, na = la, 2
    if lb >= 0 and (la < 0 or size_b >= 0.5 * size_a):
        b, nb = lb, 2
    for i in range(a, a + na):
        for j in range(b, b + nb):
            stack[depth], stack[depth + 1], stack[depth + 2] = i, j, w
            depth += 3
    return depth


@kernel(boundscheck=False)
def set_triangle(S, T, t, P, ball):
    """Write the core of a triangle to P, of ROOM numbers, and a ball around it to `ball`, as in `tables.pair`."""
    as_triangle(S, T, t, P)
    x, y, z = P[CENTER], P[CENTER + 1], P[CENTER + 2]
    square = 0.0
    for i in range(3):
        q = CORE + 3 * i
        square = max(square, (P[q] - x) ** 2 + (P[q + 1] - y) ** 2 + (P[q + 2] - z) ** 2)
    ball[0], ball[1], ball[2] = x, y, z
    # harmless (ROUND_UP): bounds on derivatives, which depend on it, are rounded up by as much; this rounds by 5 u
    ball[3], ball[4] = math.sqrt(square) * ROUND_UP, 0.0


@kernel("void(float64[::1], int32[::1], int64, float64[::1], float64[::1])", boundscheck=False)
def write_triangle(S, T, t, P, ball):
    """Write a triangle as `set_triangle` does, for Python."""
    set_triangle(S, T, t, P, ball)


@kernel(boundscheck=False, allocates=True)
def as_leaf(pair):
    """Return a table of one row with the question of another, without a limit, for a search that is a part of it.

    The table is what is passed on: a row does not keep its table alive.
    """
    rows = np.empty(1, PAIR)
    rows[0] = pair
    leaf = rows[0]
    leaf.limit = np.int64(1) << 62
    return rows


@kernel(boundscheck=False)
def _least_leaf(SA, TA, ta, SB, TB, tb, QA, QB, W, at, pair, V, C, PA, PB, K, leaves, hints, E, M):
    """Search the least distance of two triangles during the span at W[at:], if no direction separates them."""
    leaf = leaves[0]
    if keeps_clear(SA, TA, ta, SB, TB, tb, QA, W, at, pair, V, C):
        return
    as_triangle(SA, TA, ta, PA)
    set_triangle(SB, TB, tb, PB, leaf.ball)
    minimum.forget(M)
    hints[0] = -1.0
    leaf.now, leaf.distance, leaf.time = W[at + BEGIN], pair.distance, pair.time
    leaf.lower, leaf.unproved, leaf.evaluations = math.inf, 0, 0
    minimum.borrow_direction(PA, K, 0.0, 0.0, 0.0, pair.scale, E)
    minimum.copy_sample(W, at + STATES, W[at + BEGIN], E, minimum.SAMPLES)
    second = minimum.SAMPLES + SAMPLE
    minimum.copy_sample(W, at + STATES + 24, W[at + END], E, second)
    ka, kb = pair.segment_a, pair.segment_b
    minimum.least_between(PA, K, PB, K, QA, ka, QB, kb, leaf, hints, E, M)
    pair.evaluations += leaf.evaluations
    if leaf.unproved:
        pair.unproved = 1
    if leaf.distance < pair.distance:
        pair.distance, pair.time = leaf.distance, leaf.time
        pair.triangle_a, pair.triangle_b = ta, tb
    nx, ny, nz = minimum.direction(E)
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        V[triangle.GAP], V[triangle.GAP + 1], V[triangle.GAP + 2] = nx, ny, nz


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[::1], float64[::1], PAIR[::1], float64[::1], int32[::1], int32[::1])",
    allocates=True,
)
def search(SA, TA, NA, LA, SB, TB, NB, LB, QA, QB, pairs, windows, halves, stack):
    """Search from the state of the only row of a table to the end, the first contact, or the limit of box pairs.

    Returns:
        DONE, or PAUSED: call again to continue. Everything until `pair.now` is proved in either case.
    """
    pair, leaves = pairs[0], as_leaf(pairs[0])
    work, V, C = np.empty(WORK), np.zeros(triangle.RESULT), np.empty(CORNERS)
    last = V[triangle.GAP : triangle.GAP + 3]  # the vector between the triangles that were advanced last
    least, depth = pair.least, 3 * pair.depth
    PA, PB, K, hints = np.zeros(ROOM), np.zeros(ROOM), np.zeros(1, np.int32), np.zeros(8)
    E, M = np.zeros(minimum.WORK if least else 1), np.zeros(gjk.MEMORY)
    while True:
        if depth == 0:
            if pair.now >= pair.end or (not least and pair.time <= pair.now):
                pair.depth = 0
                return DONE
            begin_piece(SA, SB, QA, QB, pair, windows, halves, work)
            if pair.unproved:
                pair.depth = 0
                return DONE
            stack[0], stack[1], stack[2] = 0, 0, 0
            depth = 3
        if pair.box_pairs + pair.evaluations >= pair.limit:
            pair.depth = depth // 3
            return PAUSED
        depth -= 3
        a, b, w = stack[depth], stack[depth + 1], stack[depth + 2]
        at = WINDOW * w
        margin = pair.margin
        if least:
            # harmless (margin): only distances below the known one, less the tolerance, are asked for
            margin = max(pair.distance - pair.tolerance, margin)
        if not (least and margin == pair.margin) and (least or windows[at + BEGIN] < pair.time):
            pair.box_pairs += 1
            slack = margin / motion_of(QA).smallest + windows[at + MISSED] + allowance(pair.scale)
            if not boxes_apart(NA, a, NB, b, windows, at, slack, last):
                la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
                first, second = -1, -1
                if (la >= 0 or lb >= 0) and splits_time(NA, a, NB, b, windows, at):
                    first = half_of(SA, SB, QA, QB, pair, windows, halves, work, w, 0)
                    second = half_of(SA, SB, QA, QB, pair, windows, halves, work, w, 1)
                if first >= 0 and second >= 0:
                    stack[depth], stack[depth + 1], stack[depth + 2] = a, b, second
                    stack[depth + 3], stack[depth + 4], stack[depth + 5] = a, b, first
                    depth += 6
                elif la >= 0 or lb >= 0:
                    depth = open_pair(LA, NA, a, LB, NB, b, w, stack, depth)
                elif least:
                    _least_leaf(
                        SA, TA, -1 - la, SB, TB, -1 - lb, QA, QB, windows, at, pair, V, C, PA, PB, K,
                        leaves, hints, E, M,
                    )  # fmt: skip
                else:
                    advance(
                        SA, TA, -1 - la, SB, TB, -1 - lb, QA, pair.segment_a, QB, pair.segment_b, windows, at,
                        pair, work, V, C,
                    )  # fmt: skip
        if depth == 0:
            pair.now = windows[END] if least else min(windows[END], pair.time)
