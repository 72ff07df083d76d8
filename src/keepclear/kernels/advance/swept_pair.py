"""First contact, or least distance, of two moving surfaces: a search through both trees and through time.

A pair of boxes with a span of time is dropped when some direction keeps them apart throughout the span. Otherwise the
span is halved, the earlier half first, where the motion is large compared to the boxes; or the boxes are opened; and
two triangles are advanced by steps until the span ends. Spans are shared by all pairs: each is computed once.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.advance import least_convex
from keepclear.kernels.advance.distance_polynomials import SAMPLE
from keepclear.kernels.advance.swept_boxes import (
    STATES,
    WINDOW,
    boxes_apart,
    fill_cubic,
    fill_window,
    splits_time,
)
from keepclear.kernels.advance.swept_convex import BALL
from keepclear.kernels.advance.swept_leaf import (
    ANSWER,
    BOX_PAIRS,
    CORNERS,
    DEPTH,
    ENDS,
    EVALUATIONS,
    FOUND,
    LEAST,
    LIMIT,
    LOWER,
    MARGIN,
    NOW,
    PIECE_A,
    PIECE_B,
    SIZE,
    TIME,
    TOLERANCE,
    TRIANGLE_A,
    TRIANGLE_B,
    UNPROVED,
    WINDOWS,
    advance,
    allowance,
    keeps_clear,
)
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import CENTER
from keepclear.kernels.convex.support import HEADER as CORE
from keepclear.kernels.motion.state import (
    ACCELERATION_BOUND,
    BEGIN,
    END,
    MISSED,
    ROUND_UP,
    SMALLEST,
    next_knot,
    piece_at,
)
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
def half_of(SA, SB, QA, QB, ball, query, counts, windows, halves, work, w, which):
    """Return the earlier (0) or later (1) half of a span, computed when it is first needed; -1 without space."""
    found = halves[2 * w + which]
    if found >= 0:
        return found
    begin, end = windows[WINDOW * w + BEGIN], windows[WINDOW * w + END]
    middle = 0.5 * (begin + end)
    n = counts[WINDOWS]
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
        counts[PIECE_A],
        QB,
        counts[PIECE_B],
        begin,
        end,
        ball,
        query[SIZE],
        work,
        windows,
        WINDOW * n,
    )
    if query[LEAST] != 0.0:
        fill_cubic(
            SA, SB, QA, counts[PIECE_A], QB, counts[PIECE_B], ball, query[SIZE], work, windows, WINDOW * n
        )
    halves[2 * w + which], halves[2 * n], halves[2 * n + 1] = n, -1, -1
    counts[WINDOWS] = n + 1
    return n


@kernel(boundscheck=False)
def begin_piece(SA, SB, QA, QB, ball, query, answer, counts, windows, halves, work):
    """Write the span until the next knot of either motion, or as much of it as has an acceleration bound.

    Where no part of it has one, `answer[UNPROVED]` is set: neighbouring float64 times cannot be halved.
    """
    now, until = answer[NOW], query[ENDS]
    until = next_knot(QA, now, until)
    until = next_knot(QB, now, until)
    counts[PIECE_A], counts[PIECE_B] = piece_at(QA, now), piece_at(QB, now)
    while True:
        fill_window(
            SA, SB, QA, counts[PIECE_A], QB, counts[PIECE_B], now, until, ball, query[SIZE], work, windows, 0
        )
        if windows[ACCELERATION_BOUND] < math.inf:
            break
        middle = 0.5 * (now + until)  # the halves of a span with a bound have one too
        if not (now < middle and middle < until):
            answer[UNPROVED] = 1.0
            break
        until = middle
    if query[LEAST] != 0.0:
        fill_cubic(SA, SB, QA, counts[PIECE_A], QB, counts[PIECE_B], ball, query[SIZE], work, windows, 0)
    counts[WINDOWS] = 1
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


@kernel("void(float64[::1], int32[::1], int64, float64[::1], float64[::1])", boundscheck=False)
def write_triangle(S, T, t, P, ball):
    """Write the core of a triangle to P, of ROOM numbers, and a ball around it to `ball`, as in `swept_convex`."""
    as_triangle(S, T, t, P)
    x, y, z = P[CENTER], P[CENTER + 1], P[CENTER + 2]
    square = 0.0
    for i in range(3):
        q = CORE + 3 * i
        square = max(square, (P[q] - x) ** 2 + (P[q + 1] - y) ** 2 + (P[q + 2] - z) ** 2)
    ball[0], ball[1], ball[2] = x, y, z
    ball[3], ball[4] = math.sqrt(square) * ROUND_UP, 0.0


@kernel(boundscheck=False)
def _least_leaf(
    SA, TA, ta, SB, TB, tb, QA, QB, W, at, query, answer, counts, V, C, PA, PB, K, ball, leaf, hints, E, M
):
    """Search the least distance of two triangles during the span at W[at:], if no direction separates them."""
    if keeps_clear(SA, TA, ta, SB, TB, tb, QA, W, at, query, answer, counts, V, C):
        return
    as_triangle(SA, TA, ta, PA)
    write_triangle(SB, TB, tb, PB, ball)
    least_convex.forget(M)
    hints[0] = -1.0
    leaf[NOW], leaf[FOUND], leaf[TIME] = W[at + BEGIN], answer[FOUND], answer[TIME]
    leaf[LOWER], leaf[UNPROVED] = math.inf, 0.0
    limit, counts[LIMIT] = counts[LIMIT], np.int64(1) << 62
    least_convex.borrow_direction(PA, K, 0.0, 0.0, 0.0, query[SIZE], E)
    least_convex.copy_sample(W, at + STATES, W[at + BEGIN], E, least_convex.SAMPLES)
    second = least_convex.SAMPLES + SAMPLE
    least_convex.copy_sample(W, at + STATES + 24, W[at + END], E, second)
    ka, kb = counts[PIECE_A], counts[PIECE_B]
    least_convex.least_between(PA, K, PB, K, QA, ka, QB, kb, ball, query, leaf, counts, hints, E, M)
    counts[LIMIT] = limit
    answer[UNPROVED] = max(answer[UNPROVED], leaf[UNPROVED])
    if leaf[FOUND] < answer[FOUND]:
        answer[FOUND], answer[TIME] = leaf[FOUND], leaf[TIME]
        answer[TRIANGLE_A], answer[TRIANGLE_B] = ta, tb
    nx, ny, nz = least_convex.direction(E)
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        V[triangle.GAP], V[triangle.GAP + 1], V[triangle.GAP + 2] = nx, ny, nz


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], int64[::1], float64[::1], int32[::1],"
    " int32[::1])",
    allocates=True,
)
def search(SA, TA, NA, LA, SB, TB, NB, LB, QA, QB, ball, query, answer, counts, windows, halves, stack):
    """Search from the state in `answer` and `counts` to the end, the first contact, or the limit of box pairs.

    Returns:
        DONE, or PAUSED: call again to continue. Everything until `answer[NOW]` is proved in either case.
    """
    work, V, C = np.empty(WORK), np.zeros(triangle.RESULT), np.empty(CORNERS)
    last = V[triangle.GAP : triangle.GAP + 3]  # the vector between the triangles that were advanced last
    least, depth = query[LEAST] != 0.0, 3 * counts[DEPTH]
    PA, PB, K, hints = np.zeros(ROOM), np.zeros(ROOM), np.zeros(1, np.int32), np.zeros(8)
    E, M = np.zeros(least_convex.WORK if least else 1), np.zeros(gjk.MEMORY)
    leaf, own = np.empty(ANSWER), np.empty(BALL + 1)
    while True:
        if depth == 0:
            if answer[NOW] >= query[ENDS] or (not least and answer[TIME] <= answer[NOW]):
                counts[DEPTH] = 0
                return DONE
            begin_piece(SA, SB, QA, QB, ball, query, answer, counts, windows, halves, work)
            if answer[UNPROVED] != 0.0:
                counts[DEPTH] = 0
                return DONE
            stack[0], stack[1], stack[2] = 0, 0, 0
            depth = 3
        if counts[BOX_PAIRS] + counts[EVALUATIONS] >= counts[LIMIT]:
            counts[DEPTH] = depth // 3
            return PAUSED
        depth -= 3
        a, b, w = stack[depth], stack[depth + 1], stack[depth + 2]
        at = WINDOW * w
        margin = max(answer[FOUND] - query[TOLERANCE], query[MARGIN]) if least else query[MARGIN]
        if not (least and margin == query[MARGIN]) and (least or windows[at + BEGIN] < answer[TIME]):
            counts[BOX_PAIRS] += 1
            slack = margin / QA[SMALLEST] + windows[at + MISSED] + allowance(query[SIZE])
            if not boxes_apart(NA, a, NB, b, windows, at, slack, last):
                la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
                first, second = -1, -1
                if (la >= 0 or lb >= 0) and splits_time(NA, a, NB, b, windows, at):
                    first = half_of(SA, SB, QA, QB, ball, query, counts, windows, halves, work, w, 0)
                    second = half_of(SA, SB, QA, QB, ball, query, counts, windows, halves, work, w, 1)
                if first >= 0 and second >= 0:
                    stack[depth], stack[depth + 1], stack[depth + 2] = a, b, second
                    stack[depth + 3], stack[depth + 4], stack[depth + 5] = a, b, first
                    depth += 6
                elif la >= 0 or lb >= 0:
                    depth = open_pair(LA, NA, a, LB, NB, b, w, stack, depth)
                elif least:
                    _least_leaf(
                        SA, TA, -1 - la, SB, TB, -1 - lb, QA, QB, windows, at, query, answer, counts, V, C, PA, PB, K,
                        own, leaf, hints, E, M,
                    )  # fmt: skip
                else:
                    advance(
                        SA, TA, -1 - la, SB, TB, -1 - lb, QA, counts[PIECE_A], QB, counts[PIECE_B], windows, at,
                        query, answer, counts, work, V, C,
                    )  # fmt: skip
        if depth == 0:
            answer[NOW] = windows[END] if least else min(windows[END], answer[TIME])
