"""First contact of two moving surfaces, from the times of impact of vertices with faces and of edges with edges.

Boxes are advanced through time as in `swept_pair`. During a span that is left for two triangles, both move on cubic
paths: those of entrywise cubics themselves, or Hermite cubics through positions and velocities at both ends, from which
screws and straight paths deviate by K h^4 / 384 at most (docs/theory/point-contact). The times of impact of their 6 + 9
pairs of features are computed with that error.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance import features as feature
from keepclear.kernels.advance.boxes import WINDOW, boxes_apart, splits_time, unbounded
from keepclear.kernels.advance.features import (
    BRACKET,
    CONTACT,
    DISTANCE,
    FREE,
    OPEN,
    PATH,
    bring_to_one,
    meet,
)
from keepclear.kernels.advance.mesh_pair import DONE, PAUSED, WORK, begin_piece, half_of, open_pair
from keepclear.kernels.advance.triangles import allowance, closest_corners
from keepclear.kernels.motion.fourth_derivative import fourth_derivative
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import BEGIN, END, MISSED, RATE, STATE, is_still, state_at
from keepclear.kernels.tables.surface import EXTENT, SURFACE_HEADER
from keepclear.kernels.trees.obb_tree import LINK, NODE
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.triangles.exact import APART, SCRATCH, meet_exactly

# `features` of a row, as 9 kind + 3 i + k: corner i of A and a face of B, corner k of B and a face of A, the edges of A
# and B that start at corners i and k, or triangles that have points in common from the start.
VERTEX_A, VERTEX_B, EDGES, CROSSING = 0, 1, 2, 3
# Scratch of a span: four maps of A, four of B, and the paths of their triangles' corners (x, y, z of 4 coefficients).
MAPS_A, MAPS_B, PATHS, SPAN_SCRATCH = 0, 48, 96, 96 + 72
# Relative rounding error of positions and velocities, and of the control points computed from them, with respect to the
# terms of their sums.
ROUNDED = 128.0 * 2.0**-53
BUDGET = 10_000  # greatest number of intervals for a pair of features
# Features that may touch are searched again during spans that are shorter by this factor, where the error of a cubic is
# smaller by its fourth power. A contact that cannot be decided within this many spans is left undecided.
SHORTER, BEFORE, MOST_SPANS = 2.0**-4, 0.25, 256
NEARLY = 0.99  # fraction of the tolerance that is used; the rest is for the rounding of times


@kernel(boundscheck=False)
def _maps(Q, k, begin, end, work, out, at):
    """Write the four control maps (rows of [lin | p]) of a body's cubic from `begin` to `end`, in segment k."""
    state_at(Q, k, begin, work, 0)
    state_at(Q, k, end, work, STATE)
    third = (end - begin) / 3.0
    for i in range(12):
        out[at + i] = work[i]
        out[at + 12 + i] = work[i] + third * work[RATE + i]
        out[at + 24 + i] = work[STATE + i] - third * work[STATE + RATE + i]
        out[at + 36 + i] = work[STATE + i]


@kernel(boundscheck=False)
def _error(Q, k, length, extent):
    """Return how far a point of a body may be from its cubic path, for a span of this length in segment k."""
    rounded = ROUNDED * (motion_of(Q).terms * extent + motion_of(Q).place)
    if is_still(Q, k):
        return rounded
    # harmless (1e-12): products round by 8 u of themselves, and positions leave half of 128 u of the size unused
    return fourth_derivative(Q, k, extent) * length**4 / 384.0 * (1.0 + 1e-12) + rounded


@kernel(boundscheck=False)
def _paths(S, T, t, maps, C, at):
    """Write the paths of the three corners of a triangle under four maps."""
    for i in range(3):
        q = SURFACE_HEADER + 3 * T[3 * t + i]
        x, y, z = S[q], S[q + 1], S[q + 2]
        for k in range(3):
            out = at + 12 * i + 4 * k
            for j in range(4):
                m = maps + 12 * j + 4 * k
                C[out + j] = C[m] * x + C[m + 1] * y + C[m + 2] * z + C[m + 3]


@kernel(boundscheck=False)
def _keeps_apart(C, a, b, error, corners, V):
    """Return whether the vector between the closest points at the start separates the triangles for the whole span."""
    for i in range(9):
        corners[i], corners[9 + i] = C[a + 4 * i], C[b + 4 * i]
    closest_corners(corners, V)
    x, y, z = V[triangle.GAP], V[triangle.GAP + 1], V[triangle.GAP + 2]
    need = 1.001 * error * math.sqrt(x * x + y * y + z * z)
    for j in range(4):
        far, near = -math.inf, math.inf
        for i in range(3):
            p, q = a + 12 * i + j, b + 12 * i + j
            far = max(far, x * C[p] + y * C[p + 4] + z * C[p + 8])
            near = min(near, x * C[q] + y * C[q + 4] + z * C[q + 8])
        if not near - far > need:
            return False
    return True


@kernel(inline=True, boundscheck=False)
def _difference(C, p, q, W, corner):
    """Write the path of one point relative to another as a corner of the polygon."""
    for i in range(12):
        W[PATH + 12 * corner + i] = C[p + i] - C[q + i]


@kernel(boundscheck=False)
def _ask(C, features, tolerance, error, width, W):
    """Search when features of A and B touch; return the result of the search, and their distance then."""
    kind, i, k = features // 9, features // 3 % 3, features % 3
    m, a, b = 3, PATHS, PATHS + 36
    if kind == EDGES:
        p, q = a + 12 * i, a + 12 * ((i + 1) % 3)
        r, s = b + 12 * k, b + 12 * ((k + 1) % 3)
        _difference(C, p, r, W, 0)
        _difference(C, q, r, W, 1)
        _difference(C, q, s, W, 2)
        _difference(C, p, s, W, 3)
        m = 4
    else:
        point, face = (a + 12 * i, b) if kind == VERTEX_A else (b + 12 * k, a)
        for c in range(3):
            _difference(C, face + 12 * c, point, W, c)
    factor = bring_to_one(W, m, 3)
    if factor == 0.0:
        W[BRACKET], W[BRACKET + 1] = 0.0, 1.0
        return OPEN, math.inf
    how = meet(W, m, 3, factor * tolerance, factor * error, width, BUDGET)
    return how, W[DISTANCE] / factor + error


@kernel(inline=True, boundscheck=False)
def _instant(begin, end, share):
    """Return the instant at this fraction of a span, or a little before it."""
    return max(begin, begin + (end - begin) * share * (1.0 - 2.0**-51) - 2.0**-52 * abs(begin))


@kernel(boundscheck=False)
def _note(how, features, begin, end, ta, tb, distance, W, pair):
    """Store an instant at which features touch or are within the tolerance, if it is the earliest."""
    if how == CONTACT:
        last = begin + (end - begin) * W[BRACKET + 1]
        pair.certain = min(pair.certain, min(end, last + 2.0**-51 * (abs(begin) + abs(last))))
    t = _instant(begin, end, W[BRACKET])
    if t < pair.time:
        pair.time, pair.distance, pair.features = t, distance, features
        pair.triangle_a, pair.triangle_b = ta, tb
        pair.unproved = 1 if how == OPEN else 0


@kernel(boundscheck=False)
def _span(SA, TA, ta, SB, TB, tb, QA, ka, QB, kb, begin, end, work, C):
    """Write the paths of the corners of two triangles during a span; return their error."""
    _maps(QA, ka, begin, end, work, C, MAPS_A)
    _maps(QB, kb, begin, end, work, C, MAPS_B)
    _paths(SA, TA, ta, MAPS_A, C, PATHS)
    _paths(SB, TB, tb, MAPS_B, C, PATHS + 36)
    return _error(QA, ka, end - begin, SA[EXTENT]) + _error(QB, kb, end - begin, SB[EXTENT])


@kernel(boundscheck=False)
def _search_shorter_spans(
    SA, TA, ta, SB, TB, tb, QA, ka, QB, kb, features, begin, t, end, piece, pair, work, D, W
):
    """Search two features again from t on, during shorter spans with a smaller error of the cubics; store what remains.

    Spans begin a little before a possible contact and may extend beyond `end`, up to the end of the motion's segment,
    because the proof of contact needs some time before and after it.
    """
    rounded = _error(QA, -1, 0.0, SA[EXTENT]) + _error(QB, -1, 0.0, SB[EXTENT])
    length = SHORTER * (end - begin)
    t = max(begin, t - BEFORE * length)
    for _ in range(MOST_SPANS):
        until = min(piece, t + length)
        error = _span(SA, TA, ta, SB, TB, tb, QA, ka, QB, kb, t, until, work, D)
        width = pair.time_tolerance / (until - t) if until > t else 1.0
        how, distance = _ask(D, features, NEARLY * pair.tolerance, error, width, W)
        if how == FREE:
            if until >= end:
                return
            t = until
            continue
        # harmless (error): then the bracket of longer spans is stored, which holds with their error
        if error <= 2.0 * rounded or not t + SHORTER * length > t:
            _note(how, features, t, until, ta, tb, distance, W, pair)
            return
        length = SHORTER * length
        t = max(begin, _instant(t, until, W[BRACKET]) - BEFORE * length)
    W[BRACKET], W[BRACKET + 1] = 0.0, 1.0
    _note(OPEN, features, t, end, ta, tb, math.inf, W, pair)


@kernel(boundscheck=False, allocates=True)
def _have_common_points(SA, TA, ta, SB, TB, tb, C):
    """Return whether two triangles have common points as the search begins: then no features need to touch."""
    M, digits = np.empty(24), np.empty(SCRATCH, np.int64)
    for i in range(12):
        M[i], M[12 + i] = C[MAPS_A + i], C[MAPS_B + i]
    return meet_exactly(SA, TA, ta, SB, TB, tb, M, digits) != APART


@kernel(boundscheck=False, allocates=True)
def _leaf(SA, TA, ta, SB, TB, tb, QA, ka, QB, kb, begin, end, piece, pair, work, C, D, V, W):
    """Search all pairs of features of two triangles for contact during a span."""
    error = _span(SA, TA, ta, SB, TB, tb, QA, ka, QB, kb, begin, end, work, C)
    if _keeps_apart(C, PATHS, PATHS + 36, error, work, V):
        return
    if begin == pair.t0 and _have_common_points(SA, TA, ta, SB, TB, tb, C):
        pair.time, pair.certain, pair.distance = begin, begin, 0.0
        pair.triangle_a, pair.triangle_b, pair.features = ta, tb, 9 * CROSSING
        pair.unproved = 0
        return
    for features in range(9 * CROSSING):
        kind = features // 9
        if (kind == VERTEX_A and features % 3 > 0) or (kind == VERTEX_B and features % 9 > 2):
            continue
        how, _ = _ask(C, features, NEARLY * pair.tolerance, error, 1.0, W)
        if how != FREE:
            t = _instant(begin, end, W[BRACKET])
            if t < pair.time:
                _search_shorter_spans(
                    SA, TA, ta, SB, TB, tb, QA, ka, QB, kb, features, begin, t, end, piece, pair, work, D, W
                )  # fmt: skip


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[::1], float64[::1], PAIR[::1], float64[::1], int32[::1], int32[::1])",
    allocates=True,
)
def search(SA, TA, NA, LA, SB, TB, NB, LB, QA, QB, pairs, windows, halves, stack):
    """Search for contact as `swept_pair.search` does, with exact times of impact of features."""
    pair = pairs[0]
    work, V, W = np.empty(WORK), np.empty(triangle.RESULT), np.empty(feature.SCRATCH)
    C, D = np.empty(SPAN_SCRATCH), np.empty(SPAN_SCRATCH)
    depth, last = 3 * pair.depth, np.zeros(3)
    while True:
        if depth == 0:
            if pair.now >= pair.end or pair.time <= pair.now:
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
        begin, end = windows[at + BEGIN], windows[at + END]
        if begin < pair.time:
            pair.box_pairs += 1
            endless = unbounded(windows, at)
            slack = windows[at + MISSED] + allowance(pair.scale)
            if endless or not boxes_apart(NA, a, NB, b, windows, at, slack, last):
                la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
                first, second = -1, -1
                ka, kb = pair.segment_a, pair.segment_b
                if la >= 0 or lb >= 0:
                    endless = endless or splits_time(NA, a, NB, b, windows, at)
                else:
                    # harmless (_error(QB, kb, end - begin, SB[EXTENT])): likewise
                    # harmless (_error(QA, ka, end - begin, SA[EXTENT])): it selects whether to halve; see `_span`
                    error = _error(QA, ka, end - begin, SA[EXTENT]) + _error(QB, kb, end - begin, SB[EXTENT])
                    # harmless (error): it selects whether a span is halved
                    endless = endless or error > 0.25 * pair.tolerance
                if endless:
                    first = half_of(SA, SB, QA, QB, pair, windows, halves, work, w, 0)
                    second = half_of(SA, SB, QA, QB, pair, windows, halves, work, w, 1)
                if first >= 0 and second >= 0:
                    stack[depth], stack[depth + 1], stack[depth + 2] = a, b, second
                    stack[depth + 3], stack[depth + 4], stack[depth + 5] = a, b, first
                    depth += 6
                elif la >= 0 or lb >= 0:
                    depth = open_pair(LA, NA, a, LB, NB, b, w, stack, depth)
                else:
                    pair.evaluations += 1
                    _leaf(
                        SA, TA, -1 - la, SB, TB, -1 - lb, QA, ka, QB, kb, begin, min(end, pair.time), windows[END],
                        pair, work, C, D, V, W,
                    )  # fmt: skip
        if depth == 0:
            pair.now = min(windows[END], pair.time)
