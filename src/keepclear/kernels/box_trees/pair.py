"""Parts of two surfaces that lie between parallel planes: tests whether they are separate along the planes' normal.

Boxes around a slanted part of a surface are as thick as it is long; between the planes of a slab it is thin.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.box_trees.cuts import slab_unit
from keepclear.kernels.box_trees.tree import LEAF, NODE, SLAB, SPLIT, TRIM, code_and_link, slab_of
from keepclear.kernels.tables.surface import ROOT_HALF
from keepclear.kernels.trees.obb_pair import (
    BOX_PAIRS,
    DEPTH,
    DONE,
    FULL,
    HIT,
    HITS,
    HITS_HERE,
    PAUSED,
    POSE,
    ROUNDING_MESH,
    leaves_meet,
    place,
)
from keepclear.kernels.trees.obb_tree import corner
from keepclear.kernels.triangles.exact import APART
from keepclear.kernels.vectors import cross, dot, minus

# A pair of parts: gaps in A's and in B's frame, boxes of a and b (lower corners, and upper ones with the opposite sign,
# so that cuts increase all of them), sums of their edges, the two nodes, and the nodes of the slabs they are in.
BOX_A, BOX_B, SIZES, NODES, IN_SLABS, PAIR = 12, 18, 24, 26, 28, 30
# In Q, after what `obb_pair.place` writes: the widening of gaps, 1 / s^2 and 1 / s.
SLACK, INVERSE, PLACE = 17, 18, 20
# Products with directions of slabs, which are at most sqrt(3) long, need more (docs/theory/box-tree).
SLAB_SLACK = 4.0


@kernel(inline=True, boundscheck=False)
def _misses(mx, my, mz, shift, lower, upper, E, box, nx, ny, nz, least, most, slack):
    """Return whether shift + m . x stays out of lower..upper for all x of a box that lies between two planes.

    n . x is between least and most there (n = 0: no planes). m . x = k n . x + (m - k n) . x for any k; the k that
    makes m - k n shortest leaves the smallest contribution of the edges of the box.
    """
    k = mx * nx + my * ny + mz * nz
    if k != 0.0:
        k /= nx * nx + ny * ny + nz * nz
        mx, my, mz = mx - k * nx, my - k * ny, mz - k * nz
    low = shift + (k * least if k >= 0.0 else k * most)
    high = shift + (k * most if k >= 0.0 else k * least)
    for i in range(3):
        m = mx if i == 0 else (my if i == 1 else mz)
        low += abs(m) * E[box + i if m >= 0.0 else box + 3 + i]
        high -= abs(m) * E[box + 3 + i if m >= 0.0 else box + i]
    return low > upper + slack or high < lower - slack


@kernel(inline=True, boundscheck=False)
def planes_of(S, T, L, slab):
    """Return the normal of two planes, 0 if there are none, and the least and greatest product with it between them.

    The planes are those of a slab, or both are that of a triangle, coded as -2 less the triangle; -1 means none.
    """
    if slab >= 0:
        return slab_of(L, slab, slab_unit(S))
    if slab == -1:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    t = 3 * (-2 - slab)
    a, b, c = corner(S, T, t), corner(S, T, t + 1), corner(S, T, t + 2)
    x, y, z = cross(minus(b, a), minus(c, a))
    length = max(abs(x), abs(y), abs(z))
    if not length > 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    x, y, z = x / length, y / length, z / length
    p, q, r = dot((x, y, z), a), dot((x, y, z), b), dot((x, y, z), c)
    return x, y, z, min(p, q, r), max(p, q, r)


@kernel(inline=True, boundscheck=False)
def planes_apart(SA, TA, LA, SB, TB, LB, Q, E, at):
    """Return whether two parts are separate along the normal of planes that one of them lies between."""
    ax, ay, az, a_least, a_most = planes_of(SA, TA, LA, int(E[at + IN_SLABS]))
    bx, by, bz, b_least, b_most = planes_of(SB, TB, LB, int(E[at + IN_SLABS + 1]))
    slack = SLAB_SLACK * Q[SLACK]
    if (ax != 0.0) | (ay != 0.0) | (az != 0.0):
        x, y = Q[0] * ax + Q[3] * ay + Q[6] * az, Q[1] * ax + Q[4] * ay + Q[7] * az
        z, shift = Q[2] * ax + Q[5] * ay + Q[8] * az, ax * Q[14] + ay * Q[15] + az * Q[16]
        if _misses(x, y, z, shift, a_least, a_most, E, at + BOX_B, bx, by, bz, b_least, b_most, slack):
            return True
    if (bx != 0.0) | (by != 0.0) | (bz != 0.0):
        inverse = Q[INVERSE]
        x, y = inverse * (Q[0] * bx + Q[1] * by + Q[2] * bz), inverse * (Q[3] * bx + Q[4] * by + Q[5] * bz)
        z, slack = inverse * (Q[6] * bx + Q[7] * by + Q[8] * bz), slack * Q[INVERSE + 1]
        shift = -(x * Q[14] + y * Q[15] + z * Q[16])
        return _misses(x, y, z, shift, b_least, b_most, E, at + BOX_A, ax, ay, az, a_least, a_most, slack)
    return False


UNIT = 2.0**-53
# Faces of the two boxes: 6 side + 2 axis + (1 if upper), side 0 for A and 1 for B. For each a row of indices in a pair
# (the gap in the body's own frame, three in the other frame, the coordinate, the sum of edges), and of three factors.
PLACES, FACTORS = 6, 3
LEAF_CODE = 4 * LEAF  # codes of nodes on the stack are those of splits, or of leaves from here on
# A number masked with this is not negative, and the compiler knows it: it can be an index without wrap-around.
SMALL = (1 << 31) - 1
TOO_SHORT = 3  # the stack is too short for the depths of these trees; nothing was done


@kernel(boundscheck=False)
def place_boxes(SA, SB, X_WA, i, X_WB, j, deepest, Q, M, P, F):
    """Write the data of two poses to Q and M, and what a cut of each face changes: indices to P, factors to F."""
    place(SA, SB, X_WA, i, X_WB, j, Q, M)
    Q[SLACK] = Q[13] * (1.0 + UNIT / ROUNDING_MESH * (512.0 + 16.0 * deepest)) + 1e-300
    Q[INVERSE], Q[INVERSE + 1] = 1.0 / Q[12], 1.0 / math.sqrt(Q[12])
    for side in range(2):
        for axis in range(3):
            for upper in range(2):
                face = 6 * side + 2 * axis + upper
                P[PLACES * face] = 6 * side + (axis if upper else 3 + axis)
                P[PLACES * face + 4] = BOX_A + 6 * side + 3 * upper + axis
                P[PLACES * face + 5] = SIZES + side
                for k in range(3):
                    r = Q[3 * k + axis] if side else Q[3 * axis + k] / Q[12]
                    F[FACTORS * face + k] = abs(r)
                    P[PLACES * face + 1 + k] = 6 * (1 - side) + (3 + k if (r > 0.0) == (upper == 1) else k)


@kernel(boundscheck=False)
def begin(SA, SB, Q, E):
    """Write the pair of roots to E, its gaps widened by all later rounding; return whether they overlap."""
    slack, low = Q[SLACK], math.inf
    for i in range(3):
        reach, back, center = SA[ROOT_HALF + i], 0.0, 0.0
        for j in range(3):
            reach += abs(Q[3 * i + j]) * SB[ROOT_HALF + j]
            back += abs(Q[3 * j + i]) * SA[ROOT_HALF + j]
            center += Q[3 * j + i] * Q[14 + j]
        back, center = SB[ROOT_HALF + i] + back / Q[12], center / Q[12]
        E[i], E[3 + i] = reach - Q[14 + i] + slack, reach + Q[14 + i] + slack
        E[6 + i], E[9 + i] = back + center + slack * Q[INVERSE + 1], back - center + slack * Q[INVERSE + 1]
        low = min(low, E[i], E[3 + i], E[6 + i], E[9 + i])
        E[BOX_A + i], E[BOX_A + 3 + i] = -SA[ROOT_HALF + i], -SA[ROOT_HALF + i]
        E[BOX_B + i], E[BOX_B + 3 + i] = -SB[ROOT_HALF + i], -SB[ROOT_HALF + i]
    E[SIZES] = 2.0 * (SA[ROOT_HALF] + SA[ROOT_HALF + 1] + SA[ROOT_HALF + 2])
    E[SIZES + 1] = 2.0 * (SB[ROOT_HALF] + SB[ROOT_HALF + 1] + SB[ROOT_HALF + 2])
    E[IN_SLABS], E[IN_SLABS + 1] = -1.0, -1.0
    E[NODES], E[NODES + 1] = 0.0, 0.0
    return low >= 0.0


@kernel(inline=True, boundscheck=False)
def _try(E, at, face, cut, P, F):
    """Return whether the pair is separate when a face is cut: all gaps that change are compared at once.

    Branches between them would cost more than they save.
    """
    p, f = PLACES * face, FACTORS * face
    return (
        (E[at + P[p]] < cut)
        | (E[at + P[p + 1]] < F[f] * cut)
        | (E[at + P[p + 2]] < F[f + 1] * cut)
        | (E[at + P[p + 3]] < F[f + 2] * cut)
    )


@kernel(inline=True, boundscheck=False)
def cut_face(E, at, face, cut, P, F):
    """Cut a face of a pair of boxes."""
    p, f = PLACES * face, FACTORS * face
    E[at + P[p]] -= cut
    E[at + P[p + 1]] -= F[f] * cut
    E[at + P[p + 2]] -= F[f + 1] * cut
    E[at + P[p + 3]] -= F[f + 2] * cut
    E[at + P[p + 4]] += cut
    E[at + P[p + 5]] -= cut


@kernel(inline=True, boundscheck=False)
def _enter(SA, TA, LA, SB, TB, LB, N, L, side, node, Q, P, F, E, at):
    """Descend one-child nodes from a node of one side to a split or a leaf; return whether the pair still overlaps."""
    while True:
        code, link = code_and_link(L, node)
        kind = code >> 2
        if kind == SPLIT:
            break
        if kind != SLAB:
            # The lower and the upper side along one axis change different gaps: each can be tested separately.
            face = 6 * side + 2 * (code & 3)
            lower, upper = np.float64(N[NODE * node + 1]), np.float64(N[NODE * node + 2])
            if _try(E, at, face, lower, P, F) | _try(E, at, face + 1, upper, P, F):
                return False
            cut_face(E, at, face, lower, P, F)
            cut_face(E, at, face + 1, upper, P, F)
        if kind == LEAF:
            # The test of the triangle's plane pays while the other side is a split; otherwise `meet` tests that
            # plane next anyway.
            other = code_and_link(LA if side else LB, int(E[at + NODES + 1 - side]) & SMALL)[0] >> 2
            if other != SPLIT:
                break
        if kind != TRIM:
            E[at + IN_SLABS + side] = node if kind == SLAB else -2 - link
            if planes_apart(SA, TA, LA, SB, TB, LB, Q, E, at):
                return False
        if kind == LEAF:
            break
        node = link
    E[at + NODES + side] = node
    return True


@kernel(inline=True, boundscheck=False)
def opened_side(E, at, code_a, code_b, scale):
    """Return the side of a pair whose node is opened, with codes of which one is a split: the larger box."""
    if code_b >= LEAF_CODE or (code_a < LEAF_CODE and E[at + SIZES] >= scale * E[at + SIZES + 1]):
        return 0
    return 1


@kernel(inline=True, boundscheck=False)
def _copy(E, source, target):
    """Copy a pair on the stack."""
    for k in range(PAIR):
        E[target + k] = E[source + k]


@kernel(boundscheck=False)
def _advance(SA, TA, NA, LA, SB, TB, NB, LB, Q, M, P, F, state, E, hits, digits, find_all, budget):
    """Continue one pose for at most this many steps; return the status and the steps left."""
    scale, depth = math.sqrt(Q[12]), state[DEPTH]
    while depth > 0:
        if budget <= 0 or HIT * (state[HITS] + 1) > hits.shape[0]:
            state[DEPTH] = depth
            return (PAUSED if budget <= 0 else FULL), budget
        budget -= 1
        at = (PAIR * (depth - 1)) & SMALL
        a, b = int(E[at + NODES]) & SMALL, int(E[at + NODES + 1]) & SMALL
        code_a, link_a = code_and_link(LA, a)
        code_b, link_b = code_and_link(LB, b)
        if code_a >= LEAF_CODE and code_b >= LEAF_CODE:  # two leaves: others have been descended
            depth -= 1
            kind = leaves_meet(SA, TA, link_a, SB, TB, link_b, Q, M, state, digits)
            if kind != APART:
                to = HIT * state[HITS]
                hits[to], hits[to + 1], hits[to + 2] = state[POSE], link_a, link_b
                hits[to + 3] = kind
                state[HITS] += 1
                state[HITS_HERE] += 1
                if not find_all:
                    depth = 0
            continue
        state[BOX_PAIRS] += 2
        side = opened_side(E, at, code_a, code_b, scale)
        N, L = (NA, LA) if side == 0 else (NB, LB)
        node, axis, link = (a, code_a, link_a) if side == 0 else (b, code_b, link_b)
        face = 6 * side + 2 * axis
        # The box of the first child is cut at its upper side, that of the second at its lower side.
        first, second = np.float64(N[NODE * node + 1]), np.float64(N[NODE * node + 2])
        apart, gone = _try(E, at, face + 1, first, P, F), _try(E, at, face, second, P, F)
        if not apart and not gone:
            _copy(E, at, at + PAIR)
        depth -= 1
        for child in range(1, -1, -1):  # the second child stays below the first on the stack
            if gone if child == 1 else apart:
                continue
            slot = at + PAIR if child == 0 and not gone else at
            cut_face(E, slot, face + 1 - child, second if child == 1 else first, P, F)
            if _enter(SA, TA, LA, SB, TB, LB, N, L, side, link + child, Q, P, F, E, slot):
                if slot != PAIR * depth:
                    _copy(E, slot, (PAIR * depth) & SMALL)
                depth += 1
    state[DEPTH] = 0
    return DONE, budget


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], int64[::1], float64[::1], int32[::1], int64[::1], boolean, int64)",
    allocates=True,
)
def collide(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, state, stack, hits, digits, find_all, budget):
    """Write the triangles that intersect, for n pairs of checked poses (one on a side is repeated), to `hits`.

    Args:
        SA, TA, NA, LA: Surface and box tree of A; likewise B.
        state: `obb_pair.STATE` zeros at first, then as the last call left it; DEPTH is -1 when a pose begins.
        stack: Space for PAIR (depth of A + depth of B + 2) numbers, unchanged between calls.
        hits: Space for hits as in `obb_pair`; emptied by the caller, who then sets state[HITS] to 0.
        digits: Scratch of `exact`.
        find_all: All pairs, or one for each pose.
        budget: Steps until the search pauses.

    Returns:
        DONE, PAUSED (call again), FULL (empty `hits`, call again), or TOO_SHORT (the stack is too short).
    """
    deepest = LA[LA.shape[0] - NODE] + LB[LB.shape[0] - NODE]
    if stack.shape[0] < PAIR * (deepest + 2):
        return TOO_SHORT
    Q, M, P, F = np.empty(PLACE), np.empty(24), np.empty(12 * PLACES, np.uint32), np.empty(12 * FACTORS)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    n = max(X_WA.shape[0], X_WB.shape[0])
    while state[POSE] < n:
        k = state[POSE]
        place_boxes(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, deepest, Q, M, P, F)
        if state[DEPTH] < 0:
            state[HITS_HERE] = 0
            state[BOX_PAIRS] += 1
            together = begin(SA, SB, Q, stack)
            for side in range(2):
                N, L = (NB, LB) if side else (NA, LA)
                together = together and _enter(SA, TA, LA, SB, TB, LB, N, L, side, 0, Q, P, F, stack, 0)
            state[DEPTH] = 1 if together else 0
        ended, budget = _advance(
            SA, TA, NA, LA, SB, TB, NB, LB, Q, M, P, F, state, stack, hits, digits, find_all, budget
        )  # fmt: skip
        if ended != DONE:
            return ended
        state[POSE] += 1
        state[DEPTH] = -1
    return DONE
