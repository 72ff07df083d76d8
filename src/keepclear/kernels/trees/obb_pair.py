"""Two trees of oriented boxes against each other: which triangles intersect, pose after pose, resumable."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.pose import relative_matrix
from keepclear.kernels.tables.surface import EXTENT, ORIGIN, SURFACE_HEADER
from keepclear.kernels.trees.obb_tree import HALF, LINK, NODE
from keepclear.kernels.trees.winding import contained
from keepclear.kernels.triangles.exact import APART, CROSS, meet_exactly
from keepclear.kernels.triangles.triangle_pair import meet
from keepclear.kernels.vectors import dot, matrix, minus, plus, scaled, three, turned_back, wide

# Error of the position of any point of B mapped into A's frame, as a fraction of the scene, for rigid poses and for
# scaled ones (docs/theory/oriented-boxes).
ROUNDING_MESH = 256.0 * 2.0**-53

# Error of products of axes in single precision in the nine directions u_i x v_j, as a fraction of the sizes. Such a
# direction may be almost zero, and then this error decides: without it, boxes that touch at a corner were reported as
# separate.
LOOSE = 4e-6

# The state of a search: pose and depth of its stack (-1 before it begins), hits in total and at this pose, and counts
# of pairs of boxes, pairs of triangles, and those of them that floating point could not decide.
POSE, DEPTH, HITS, HITS_HERE, BOX_PAIRS, LEAF_PAIRS, EXACT_PAIRS, STATE = 0, 1, 2, 3, 4, 5, 6, 8
# A hit: pose, triangle of A, triangle of B, kind (of `exact`, or CONTAINED: then -1, and which body is inside).
HIT, CONTAINED = 4, 4
# Status of a call.
DONE, PAUSED, FULL = 0, 1, 2
# One pair of nodes is replaced by at most four; a tree has fewer than 350 levels.
STACK = 2 * (3 * 700 + 4)


@kernel(inline=True, boundscheck=False)
def scene_size(SA, SB, Q):
    """Return the size of a scene relative to A: both extents and the distance of the two frames [m]."""
    return SA[EXTENT] + math.sqrt(Q[12]) * SB[EXTENT] + math.sqrt(Q[9] * Q[9] + Q[10] * Q[10] + Q[11] * Q[11])


@kernel(boundscheck=False)
def place(SA, SB, X_WA, i, X_WB, j, Q, M):
    """Write the data of two poses for a search: the relative matrix and more to Q, the maps into the world to M.

    Q: r row by row, t, s^2, rounding allowance, then the translation between the origins of the trees.
    """
    r = relative_matrix(X_WA, i, X_WB, j)
    for k in range(13):
        Q[k] = r[k]
    Q[13] = ROUNDING_MESH * scene_size(SA, SB, Q)
    x, y, z = SB[ORIGIN], SB[ORIGIN + 1], SB[ORIGIN + 2]
    for k in range(3):
        Q[14 + k] = Q[3 * k] * x + Q[3 * k + 1] * y + Q[3 * k + 2] * z + Q[9 + k] - SA[ORIGIN + k]
    for k in range(12):
        M[k] = X_WA[i, k // 4, k % 4]
        M[12 + k] = X_WB[j, k // 4, k % 4]


@kernel(inline=True, boundscheck=False)
def corners_of_a(SA, TA, t):
    """Return the three corners of a triangle of A."""
    return (
        three(SA, SURFACE_HEADER + 3 * TA[3 * t]),
        three(SA, SURFACE_HEADER + 3 * TA[3 * t + 1]),
        three(SA, SURFACE_HEADER + 3 * TA[3 * t + 2]),
    )


@kernel(inline=True, boundscheck=False)
def _in_a(Q, p):
    """Return a point of B in A's frame."""
    x, y, z = p
    return (
        Q[0] * x + Q[1] * y + Q[2] * z + Q[9],
        Q[3] * x + Q[4] * y + Q[5] * z + Q[10],
        Q[6] * x + Q[7] * y + Q[8] * z + Q[11],
    )


@kernel(inline=True, boundscheck=False)
def corners_of_b(SB, TB, t, Q):
    """Return the three corners of a triangle of B in A's frame."""
    p, q, r = corners_of_a(SB, TB, t)
    return _in_a(Q, p), _in_a(Q, q), _in_a(Q, r)


@kernel(inline=True, boundscheck=False)
def opposite_in_b(Q, x, y, z):
    """Return minus a direction of A's frame, in B's frame (times the scale)."""
    return (
        -(Q[0] * x + Q[3] * y + Q[6] * z),
        -(Q[1] * x + Q[4] * y + Q[7] * z),
        -(Q[2] * x + Q[5] * y + Q[8] * z),
    )


@kernel(inline=True, boundscheck=False)
def to_b(Q, x, y, z):
    """Return a point of A's frame in B's."""
    f = 1.0 / Q[12]
    x, y, z = f * (x - Q[9]), f * (y - Q[10]), f * (z - Q[11])
    return Q[0] * x + Q[3] * y + Q[6] * z, Q[1] * x + Q[4] * y + Q[7] * z, Q[2] * x + Q[5] * y + Q[8] * z


@kernel(boundscheck=False)
def leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits):
    """Return how two triangles intersect, as a kind of `exact`: by floating point where it is certain, else exactly."""
    state[LEAF_PAIRS] += 1
    certain = meet(*corners_of_a(SA, TA, ta), *corners_of_b(SB, TB, tb, Q), Q[13])
    if certain != 0:
        return CROSS if certain > 0 else APART
    state[EXACT_PAIRS] += 1
    return meet_exactly(SA, TA, ta, SB, TB, tb, M, digits)


@kernel(inline=True, boundscheck=False)
def node_of_a(NA, p, r, t, inverse):
    """Return a node of A in B's frame: axes (times the scale), minus its centre, and half sizes in A's unit.

    The matrix r maps B's frame to A's, t is the translation between the origins of the trees, and `inverse` 1 / s^2.
    """
    f = scaled(inverse, turned_back(r, minus(t, wide(NA, p))))
    u, v, w = wide(NA, p + 3), wide(NA, p + 6), wide(NA, p + 9)
    return turned_back(r, u), turned_back(r, v), turned_back(r, w), f, wide(NA, p + HALF)


@kernel(inline=True, boundscheck=False)
def node_of_b(NB, q):
    """Return the axes, the centre and the half sizes of a node of B."""
    return wide(NB, q + 3), wide(NB, q + 6), wide(NB, q + 9), wide(NB, q), wide(NB, q + HALF)


@kernel(inline=True, boundscheck=False)
def opened(NA, NB, a, la, b, lb, scale):
    """Return the nodes that replace a pair, and how many: children of the larger node, or of both of similar sizes."""
    size_a, size_b = NA[NODE * a + HALF + 2], scale * NB[NODE * b + HALF + 2]
    na, nb = 1, 1
    if la >= 0 and (lb < 0 or size_a >= 0.5 * size_b):
        a, na = la, 2
    if lb >= 0 and (la < 0 or size_b >= 0.5 * size_a):
        b, nb = lb, 2
    return a, na, b, nb


@kernel(inline=True, boundscheck=False)
def _descend(NA, a, na, NB, b, nb, r, t, scale, slack, stack, depth):
    """Push the pairs of na nodes of A from a on and nb of B from b on whose boxes are not separate; return the depth.

    In B's frame, with the matrix r = s R of B in A: w_i = r^T u_i are A's axes, times s, c_ij = w_i . v_j their
    products with B's axes, g the vector between the centres. Along u_i the boxes reach h_i and sum_j k_j |c_ij|; along
    v_j they reach k_j and sum_i h_i |c_ij| / s^2. The thin axes come first: between surfaces they separate most. Then
    come the nine directions u_i x v_j, all times s: without them a fifth more pairs and twice as many triangles are
    left. The data of a node of A are computed once for both nodes of B, so descending on both sides at once saves a
    quarter.
    """
    inverse = 1.0 / (scale * scale)
    slack_b, slack_e = slack / scale, slack * (1.0 + scale)
    bottom, last = depth, 0.0
    for p in range(NODE * a, NODE * (a + na), NODE):
        w0, w1, w2, f, h = node_of_a(NA, p, r, t, inverse)
        h0, h1, h2 = h
        g0, g1, g2 = scaled(inverse, h)
        for q in range(NODE * b, NODE * (b + nb), NODE):
            v0, v1, v2, center, (k0, k1, k2) = node_of_b(NB, q)
            g = plus(center, f)
            c00, c01, c02, t0 = dot(w0, v0), dot(w0, v1), dot(w0, v2), dot(w0, g)
            e00, e01, e02 = abs(c00), abs(c01), abs(c02)
            if abs(t0) > h0 + k0 * e00 + k1 * e01 + k2 * e02 + slack:
                continue
            c10, c20 = dot(w1, v0), dot(w2, v0)
            e10, e20 = abs(c10), abs(c20)
            if abs(dot(v0, g)) > k0 + g0 * e00 + g1 * e10 + g2 * e20 + slack_b:
                continue
            c11, c12, t1 = dot(w1, v1), dot(w1, v2), dot(w1, g)
            e11, e12 = abs(c11), abs(c12)
            if abs(t1) > h1 + k0 * e10 + k1 * e11 + k2 * e12 + slack:
                continue
            c21, c22, t2 = dot(w2, v1), dot(w2, v2), dot(w2, g)
            e21, e22 = abs(c21), abs(c22)
            if (
                abs(dot(v1, g)) > k1 + g0 * e01 + g1 * e11 + g2 * e21 + slack_b
                or abs(t2) > h2 + k0 * e20 + k1 * e21 + k2 * e22 + slack
                or abs(dot(v2, g)) > k2 + g0 * e02 + g1 * e12 + g2 * e22 + slack_b
            ):
                continue
            k0, k1, k2 = scale * k0, scale * k1, scale * k2
            loose = slack_e + LOOSE * (h0 + h1 + h2 + k0 + k1 + k2)
            if (
                abs(t2 * c10 - t1 * c20) > h1 * e20 + h2 * e10 + k1 * e02 + k2 * e01 + loose
                or abs(t2 * c11 - t1 * c21) > h1 * e21 + h2 * e11 + k0 * e02 + k2 * e00 + loose
                or abs(t2 * c12 - t1 * c22) > h1 * e22 + h2 * e12 + k0 * e01 + k1 * e00 + loose
                or abs(t0 * c20 - t2 * c00) > h0 * e20 + h2 * e00 + k1 * e12 + k2 * e11 + loose
                or abs(t0 * c21 - t2 * c01) > h0 * e21 + h2 * e01 + k0 * e12 + k2 * e10 + loose
                or abs(t0 * c22 - t2 * c02) > h0 * e22 + h2 * e02 + k0 * e11 + k1 * e10 + loose
                or abs(t1 * c00 - t0 * c10) > h0 * e10 + h1 * e00 + k1 * e22 + k2 * e21 + loose
                or abs(t1 * c01 - t0 * c11) > h0 * e11 + h1 * e01 + k0 * e22 + k2 * e20 + loose
                or abs(t1 * c02 - t0 * c12) > h0 * e12 + h1 * e02 + k0 * e21 + k1 * e20 + loose
            ):
                continue
            # The pair with the nearest centres ends up on top: it is the most likely to intersect.
            key = dot(g, g)
            if depth > bottom and key > last:
                stack[2 * depth], stack[2 * depth + 1] = stack[2 * depth - 2], stack[2 * depth - 1]
                stack[2 * depth - 2], stack[2 * depth - 1] = p // NODE, q // NODE
            else:
                stack[2 * depth], stack[2 * depth + 1] = p // NODE, q // NODE
                last = key
            depth += 1
    return depth


@kernel(boundscheck=False)
def _advance(SA, TA, NA, LA, SB, TB, NB, LB, Q, M, state, stack, hits, digits, find_all, budget):
    """Continue one pose for at most this many steps; return the status and the steps left."""
    r, t = matrix(Q, 0), three(Q, 14)
    scale, slack, depth = math.sqrt(Q[12]), Q[13], state[DEPTH]
    most, boxes, ended = hits.shape[0] // HIT, 0, DONE
    while depth > 0:
        if budget <= 0:
            ended = PAUSED
            break
        budget -= 1
        depth -= 1
        a, b = stack[2 * depth], stack[2 * depth + 1]
        la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
        if la < 0 and lb < 0:
            if state[HITS] >= most:
                depth += 1
                ended = FULL
                break
            kind = leaves_meet(SA, TA, -1 - la, SB, TB, -1 - lb, Q, M, state, digits)
            if kind != APART:
                at = HIT * state[HITS]
                hits[at], hits[at + 1], hits[at + 2] = state[POSE], -1 - la, -1 - lb
                hits[at + 3] = kind
                state[HITS] += 1
                state[HITS_HERE] += 1
                if not find_all:
                    depth = 0
            continue
        a, na, b, nb = opened(NA, NB, a, la, b, lb, scale)
        boxes += na * nb
        depth = _descend(NA, a, na, NB, b, nb, r, t, scale, slack, stack, depth)
    state[BOX_PAIRS] += boxes
    state[DEPTH] = depth
    return ended, budget


@kernel(boundscheck=False, allocates=True)
def meet_within(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, slip, state, stack, hits, digits):
    """Return whether two surfaces intersect at checked poses, and whether that is certain though poses are rounded.

    Points of B relative to A are `slip` away from their positions at most. That is added to the rounding allowance of
    boxes and triangles: if no pair of triangles had to be decided exactly (EXACT_PAIRS of the state), all are farther
    apart than `slip`, and whether one body is inside the other is the same at the true poses.
    """
    Q, M = np.empty(20), np.empty(24)
    place(SA, SB, X_WA, 0, X_WB, 0, Q, M)
    rounding = Q[13]
    Q[13] += slip
    stack[0], stack[1] = 0, 0
    for i in range(STATE):
        state[i] = 0
    state[DEPTH] = 1
    _advance(SA, TA, NA, LA, SB, TB, NB, LB, Q, M, state, stack, hits, digits, False, 1 << 62)
    if state[HITS] > 0:
        return True, True
    is_certain = state[EXACT_PAIRS] == 0
    # harmless (rounding): where it is certain, surfaces are farther from the vertex than its rounding
    inner, _ = contained(SA, TA, NA, LA, SB, TB, NB, LB, Q, rounding, M, digits, stack)
    return inner > 0, is_certain


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], int64[::1], int32[::1], int32[::1], int64[::1], boolean, int64)",
    allocates=True,
)
def collide(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, state, stack, hits, digits, find_all, budget):
    """Write the triangles that intersect, for n pairs of checked poses (one on a side is repeated), to `hits`.

    Args:
        SA, TA, NA, LA: Surface and tree of A; likewise B.
        state: Zeros at first, then as the last call left it; DEPTH is -1 when a pose begins.
        stack: STACK numbers, unchanged between calls.
        hits: Space for hits; emptied by the caller, who then sets state[HITS] to 0.
        digits: Scratch of `exact`.
        find_all: All pairs, or one for each pose.
        budget: Steps until the search pauses.

    Returns:
        DONE, PAUSED (call again), or FULL (empty `hits`, call again).
    """
    Q, M = np.empty(20), np.empty(24)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    n = max(X_WA.shape[0], X_WB.shape[0])
    while state[POSE] < n:
        k = state[POSE]
        place(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, Q, M)
        if state[DEPTH] < 0:
            state[HITS_HERE] = 0
            stack[0], stack[1] = 0, 0
            state[DEPTH] = 1
        ended, budget = _advance(
            SA, TA, NA, LA, SB, TB, NB, LB, Q, M, state, stack, hits, digits, find_all, budget
        )
        if ended != DONE:
            return ended
        if state[HITS_HERE] == 0:
            if HIT * (state[HITS] + 1) > hits.shape[0]:
                return FULL
            inner, _ = contained(SA, TA, NA, LA, SB, TB, NB, LB, Q, Q[13], M, digits, stack)
            if inner > 0:
                at = HIT * state[HITS]
                hits[at], hits[at + 1], hits[at + 2] = k, -1, inner
                hits[at + 3] = CONTAINED
                state[HITS] += 1
        state[POSE] += 1
        state[DEPTH] = -1
    return DONE
