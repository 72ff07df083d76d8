"""Distance of two moving meshes by their trees of oriented boxes: certified, the minimum over all triangles."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import obb_gap
from keepclear.kernels.trees.first_pair import HULLS, first_pair
from keepclear.kernels.trees.obb_gap import (
    CACHE,
    direction_of_gap,
    keep_leaves,
    measure,
    open_pairs,
    prove,
    squared_limit,
)
from keepclear.kernels.trees.obb_pair import BOX_PAIRS, LEAF_PAIRS, STACK, leaves_meet, opened, place
from keepclear.kernels.trees.obb_tree import LINK, NODE
from keepclear.kernels.trees.pair_heap import (
    CLEARANCE,
    FRAME,
    FRAMES,
    KEPT,
    MOST_PROOFS,
    MOVED,
    PROVED,
    SIZE,
    TRIANGLE_A,
    TRIANGLE_B,
    begin,
    check_proofs,
    insert,
    is_worn,
    keep,
    remove_first,
    travel_since,
)
from keepclear.kernels.trees.winding import contained
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.triangles.exact import APART, SCRATCH
from keepclear.kernels.vectors import dot, matrix, three

SHRINK = obb_gap.SHRINK
CONTAINED = 3  # a state, beside those of `gjk`
FACE_A, FACE_B = 14, 15  # columns of a row
LIMIT = 7  # column of the state: pause when this many pairs of boxes have been compared
FULL = -1
# A front is discarded when B has moved 64 times the size of the scene (Q[13] is 256 u of it): bounds are kept as sums
# with the travel so far, and the rounding of more travel would exceed the allowance of each frame. It is also discarded
# before the frame number exceeds the integers that pairs are stamped with.
FAR_TRAVELLED, MOST_FRAMES = 4.0 * 2.0**-53, 1 << 30


@kernel(inline=True, boundscheck=False)
def _put_aside(keys, nodes, done, key, a, b, stamp):
    """Write a pair that this frame has decided to the end of the heap's arrays, for the next frame; return its row."""
    done -= 1
    keys[done] = key
    nodes[3 * done], nodes[3 * done + 1], nodes[3 * done + 2] = a, b, stamp
    return done


@kernel(boundscheck=False)
def _nearest(
    SA, TA, NA, LA, SB, TB, NB, LB, Q, M, memory, motion, state, keys, nodes, digits, W, best,
    tags, reaches, stack, bounds,
):  # fmt: skip
    """Search one pose; return (contact, lower bound), contact SEPARATE or INTERFERING of the surfaces, or FULL.

    `best` receives what `triangle_distance` writes, `memory` the closest pair. The pair of nodes that may be closest is
    opened first, until none may be closer than the pair found. Boxes prove that, or the reach of the triangles below
    the nodes along the direction between the closest points so far.

    Pairs that were never opened remain: a front through the product of both trees, from which the next frame starts.
    Far pairs stay in the heap with their bound, and are checked again when the motion has used it up. Those around the
    closest points stay as proofs with their direction, which the motion hardly affects.
    """
    r, t = matrix(Q, 0), three(Q, 14)
    scale, slack = math.sqrt(Q[12]), Q[13]
    near = 4.0 * slack
    contact, lower, upper, limit = gjk.SEPARATE, math.inf, math.inf, math.inf
    n = m = (0.0, 0.0, 0.0)  # the direction between the closest points so far, in B's frame and in A's
    best[triangle.SQUARE] = math.inf
    size, frame, capacity = memory[SIZE], memory[FRAME], keys.shape[0]
    done = capacity
    moved = motion[MOVED]
    # The closest pair of the last frame, if there is one, comes first: its distance prunes nearly everything.
    a, b, key, stamp = -1, -1, 0.0, frame
    la, lb = -1 - memory[TRIANGLE_A], -1 - memory[TRIANGLE_B]
    warm = la < 0 and lb < 0
    to_check = memory[KEPT] > 0
    tags[0] += 1
    while warm or to_check or size > 0:
        # Pairs with a greater distance than this need not be checked.
        # harmless (slack): fewer pairs are proved apart, and more opened
        enough = max(upper - slack, near)
        if to_check and not warm:
            if done - size < memory[KEPT] + 5:
                return FULL, 0.0
            size, least = check_proofs(Q, memory, motion, enough, keys, nodes, size)
            lower, to_check = min(lower, least), False
            continue
        if not warm:
            key = keys[0] - moved
            if key > upper:
                break
            if done - size < 5:
                return FULL, 0.0
            a, b, stamp = nodes[0], nodes[1], nodes[2]
            la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
            size = remove_first(keys, nodes, size)
        if la >= 0 or lb >= 0:
            # harmless (>): any unit vector proves; without one, pairs are opened
            # harmless (<): likewise; the vector is 0 then, which proves nothing
            if (stamp == frame or stamp == PROVED) and upper > near and upper < math.inf:
                far_a, far_b = prove(
                    SA, TA, NA, LA, a, SB, TB, NB, LB, b, Q, *m, enough, tags, reaches, stack, bounds
                )
                if far_b < math.inf:
                    gap = dot(m, t) - far_a - far_b
                    lower = min(lower, gap)
                    if memory[KEPT] < MOST_PROOFS:
                        keep(NB, a, b, *m, far_a, far_b, Q, memory, motion)
                    else:
                        # harmless (slack): the travel of each frame includes twice as much
                        # harmless (moved): a smaller key is checked earlier
                        done = _put_aside(keys, nodes, done, gap - slack + moved, a, b, PROVED)
                    continue
            na, nb = 1, 1
            if stamp == frame:
                a, na, b, nb = opened(NA, NB, a, la, b, lb, scale)
            state[BOX_PAIRS] += na * nb
            n_new = open_pairs(NA, a, na, NB, b, nb, r, t, scale, n, limit, slack, True, bounds, stack, 0)
            for i in range(n_new):
                # A key is a distance plus how far B has moved until now: no distance shrinks faster than B moves.
                # harmless (moved): a smaller key is checked earlier
                size = insert(keys, nodes, size, bounds[i] + moved, stack[2 * i], stack[2 * i + 1], frame)
            continue
        ta, tb = -1 - la, -1 - lb
        kind = leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits) if key <= near else APART
        if kind != APART:
            contact = gjk.INTERFERING
            memory[TRIANGLE_A], memory[TRIANGLE_B] = ta, tb
            if not warm:
                # harmless (moved): a smaller key is checked earlier
                done = _put_aside(keys, nodes, done, key + moved, a, b, frame)
            break
        state[LEAF_PAIRS] += 1
        measure(SA, TA, ta, SB, TB, tb, Q, upper, m, W)
        lower = min(lower, W[triangle.LOWER])
        if W[triangle.SQUARE] < best[triangle.SQUARE]:
            for i in range(triangle.RESULT):
                best[i] = W[i]
            memory[TRIANGLE_A], memory[TRIANGLE_B] = ta, tb
            upper = math.sqrt(best[triangle.SQUARE])
            limit = squared_limit(upper, slack)
            tags[0] += 1
            # harmless (>): the direction only saves steps, and is not used at 0
            if upper > 0.0:
                m, n = direction_of_gap(best, upper, scale, Q)
        # harmless (>): as a proof or in the heap, the pair is checked in the next frame
        if not warm and W[triangle.LOWER] > near and memory[KEPT] < MOST_PROOFS:
            keep_leaves(SA, TA, ta, SB, TB, tb, NB, a, b, Q, W, memory, motion)
        elif not warm:
            # harmless (max): a smaller key is checked earlier
            # harmless (slack): the travel of each frame includes twice as much
            # harmless (moved): a smaller key is checked earlier
            done = _put_aside(keys, nodes, done, max(0.0, W[triangle.LOWER] - slack) + moved, a, b, frame)
        warm = False
    for i in range(done, capacity):
        size = insert(keys, nodes, size, keys[i], nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2])
    memory[SIZE] = size
    return contact, lower


@kernel(boundscheck=False)
def write_row(X, k, Q, best, contact, lower, scale_a, rows, at):
    """Write the answer for one pose: transformed from A's frame to the world, lengths times A's scale."""
    slack = Q[13]
    d = math.sqrt(best[triangle.SQUARE])
    rows[at + gjk.STATE] = contact
    if contact != gjk.SEPARATE:
        for i in range(gjk.DISTANCE, gjk.NORMAL + 3):
            rows[at + i] = math.nan
        rows[at + gjk.DISTANCE], rows[at + gjk.LOWER], rows[at + gjk.UPPER] = 0.0, 0.0, 0.0
        return
    # Exact arithmetic has proved that they do not intersect, so the distance is above zero in spite of rounding.
    rows[at + gjk.DISTANCE] = scale_a * d
    rows[at + gjk.LOWER] = max(5e-324, scale_a * ((min(lower, d) - slack) * (1.0 - 1e-15)))
    rows[at + gjk.UPPER] = scale_a * ((d + slack) * (1.0 + 1e-15))
    x, y, z = best[triangle.POINT], best[triangle.POINT + 1], best[triangle.POINT + 2]
    u, v, w = best[triangle.GAP], best[triangle.GAP + 1], best[triangle.GAP + 2]
    for i in range(3):
        p = X[k, i, 0] * x + X[k, i, 1] * y + X[k, i, 2] * z + X[k, i, 3]
        g = X[k, i, 0] * u + X[k, i, 1] * v + X[k, i, 2] * w
        rows[at + gjk.POINT_A + i] = p
        rows[at + gjk.POINT_B + i] = p + g
        rows[at + gjk.NORMAL + i] = g / (scale_a * d) if d > 0.0 else math.nan


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], float64[::1], float64[::1], int64[::1], float64[::1], float64[::1],"
    " int32[::1], int64[::1], int64, int64)",
    allocates=True,
)
def distance(
    SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, scales_a, rows, memory, motion, keys, nodes, state, first, last
):  # fmt: skip
    """Fill the rows of frames of a motion from `first` to before `last`; return where to continue, or -1 - it if full.

    Args:
        SA, TA, NA, LA: Surface and tree of A; likewise B.
        X_WA, X_WB: Checked poses; one on a side is repeated.
        scales_a: The scale in each pose of A.
        rows: Result rows as `gjk` writes them; the last two numbers are the closest triangles.
        memory: MEMORY numbers, the last frame; its FRAME is -1 when there is none.
        motion: MOTION numbers, likewise.
        keys, nodes: Space for the heap: a number and three integers per pair.
        state: Counters, as in `obb_pair`.
    """
    Q, M = np.empty(20), np.empty(24)
    W, best = np.empty(triangle.RESULT), np.empty(triangle.RESULT)
    stack, bounds, digits = np.empty(STACK, np.int32), np.empty(STACK), np.empty(SCRATCH, np.int64)
    tags, reaches, turn = np.zeros(1 + 2 * CACHE, np.int64), np.empty(1 + 2 * CACHE), np.empty(9)
    H = np.empty(HULLS)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for k in range(first, last):
        i, j, at, gap = 0 if one_a else k, 0 if one_b else k, gjk.ROW * k, -math.inf
        place(SA, SB, X_WA, i, X_WB, j, Q, M)
        travel = travel_since(SB, Q, motion, turn)
        if memory[FRAME] < 0:
            memory[TRIANGLE_A], memory[TRIANGLE_B], gap = first_pair(
                SA, TA, NA, LA, SB, TB, NB, LB, Q, stack, bounds, W, H
            )
            memory[FRAME] = 0
            motion[CLEARANCE] = 0.0
            begin(memory, motion, keys, nodes)
        elif memory[FRAMES] < 0 or FAR_TRAVELLED * motion[MOVED] > Q[13] or memory[FRAME] > MOST_FRAMES:
            memory[FRAME] = 0
            begin(memory, motion, keys, nodes)
        else:
            motion[MOVED] += travel
        memory[FRAME] += 1
        before, leaves_before = state[BOX_PAIRS], state[LEAF_PAIRS]
        contact, lower = _nearest(
            SA, TA, NA, LA, SB, TB, NB, LB, Q, M, memory, motion, state, keys, nodes, digits, W, best, tags, reaches,
            stack, bounds,
        )  # fmt: skip
        if contact == FULL:
            memory[FRAME] = -1
            return -1 - k
        rows[at + gjk.ITERATIONS] = state[BOX_PAIRS] - before
        if is_worn(memory, state[BOX_PAIRS] - before + state[LEAF_PAIRS] - leaves_before):
            memory[FRAMES] = -1
        rows[at + FACE_A], rows[at + FACE_B] = memory[TRIANGLE_A], memory[TRIANGLE_B]
        # Neither body can get inside the other while B moves by less than the distance of the surfaces.
        was_apart = motion[CLEARANCE] > travel or gap > 2.0 * Q[13]
        motion[CLEARANCE] = lower - 2.0 * Q[13] if contact == gjk.SEPARATE else 0.0
        if contact == gjk.SEPARATE and not was_apart:
            inner, _ = contained(SA, TA, NA, LA, SB, TB, NB, LB, Q, Q[13], M, digits, stack)
            if inner != 0:
                contact, motion[CLEARANCE] = CONTAINED, 0.0
                rows[at + FACE_A], rows[at + FACE_B] = -1, inner
        write_row(X_WA, i, Q, best, contact, lower, scales_a[i], rows, at)
        # harmless (>): it pauses earlier or later
        if state[BOX_PAIRS] > state[LIMIT]:
            return k + 1
    return last
