"""Distance of two meshes without memory of an earlier pose: depth first, with a good upper bound from the start."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.pose import POSE_OK, load_pose
from keepclear.kernels.trees.nearest_triangle import nearer_triangle
from keepclear.kernels.trees.obb_distance import CONTAINED, FACE_A, FACE_B, LIMIT, write_row
from keepclear.kernels.trees.obb_gap import (
    CACHE,
    are_apart_along,
    direction_of_gap,
    measure,
    measure_fully,
    open_pairs,
    squared_limit,
)
from keepclear.kernels.trees.obb_pair import BOX_PAIRS, LEAF_PAIRS, STACK, leaves_meet, opened, place, to_b
from keepclear.kernels.trees.obb_tree import LINK, NODE
from keepclear.kernels.trees.winding import contained
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.triangles.exact import APART, SCRATCH
from keepclear.kernels.vectors import matrix, three

# Rounds in which each body gets the triangle that is nearest to the closest point of the other; two or three suffice.
ROUNDS = 4
NEARER = 1.0 - 1e-9  # factor of a squared distance: a smaller change is rounding
BAD_POSE = -1


@kernel(inline=True, boundscheck=False)
def _take_nearer(SA, TA, ta, SB, TB, tb, Q, best, W):
    """Measure two triangles; return whether they are closer than `best`, which then receives their closest points."""
    measure_fully(SA, TA, ta, SB, TB, tb, Q, W)
    if not W[triangle.SQUARE] < best[triangle.SQUARE]:
        return False
    for i in range(triangle.RESULT):
        best[i] = W[i]
    return True


@kernel(boundscheck=False)
def _approach(SA, TA, NA, LA, ta, SB, TB, NB, LB, tb, Q, stack, bounds, best, W):
    """Return two triangles in a local minimum of the distance, and their closest points in `best`.

    In turn each body gets its triangle that is nearest to the closest point of the other body, while the distance
    decreases. `best` has the closest points of ta and tb at first.
    """
    for _ in range(ROUNDS):
        x, y, z = to_b(Q, best[triangle.POINT], best[triangle.POINT + 1], best[triangle.POINT + 2])
        # harmless (NEARER): which local minimum is found changes only the time of the search
        square = best[triangle.SQUARE] / Q[12] * NEARER
        other = nearer_triangle(SB, TB, NB, LB, x, y, z, square, tb, stack, bounds)
        if other != tb:
            if not _take_nearer(SA, TA, ta, SB, TB, other, Q, best, W):
                break
            tb = other
        x, y, z = (
            best[triangle.POINT] + best[triangle.GAP],
            best[triangle.POINT + 1] + best[triangle.GAP + 1],
            best[triangle.POINT + 2] + best[triangle.GAP + 2],
        )
        # harmless (NEARER): likewise
        square = best[triangle.SQUARE] * NEARER
        other = nearer_triangle(SA, TA, NA, LA, x, y, z, square, ta, stack, bounds)
        if other == ta or not _take_nearer(SA, TA, other, SB, TB, tb, Q, best, W):
            break
        ta = other
    return ta, tb


@kernel(boundscheck=False)
def _nearest(
    SA, TA, NA, LA, SB, TB, NB, LB, Q, M, found, state, digits, W, best, tags, highs, lows, keys, pairs, stack, bounds
):  # fmt: skip
    """Search one pose; return (contact, lower bound), contact SEPARATE or INTERFERING of the surfaces.

    `best` receives what `triangle_distance` writes, `found` the closest triangles. The nearest pair of children is
    opened first, so the search reaches two triangles immediately. These are moved to a local minimum of the distance,
    an upper bound by which nearly all other pairs are pruned: by their boxes, or by the reach of the triangles below
    them along the direction between the closest points so far.
    """
    r, t = matrix(Q, 0), three(Q, 14)
    scale, slack = math.sqrt(Q[12]), Q[13]
    near = 4.0 * slack
    lower, upper, limit = math.inf, math.inf, math.inf
    n = m = (0.0, 0.0, 0.0)  # the direction between the closest points so far, in B's frame and in A's
    best[triangle.SQUARE] = math.inf
    pairs[0], pairs[1], keys[0], depth = 0, 0, -math.inf, 1
    while depth > 0:
        depth -= 1
        key = keys[depth]
        if key > upper:
            continue
        a, b = pairs[2 * depth], pairs[2 * depth + 1]
        la, lb = LA[NODE * a + LINK], LB[NODE * b + LINK]
        if la >= 0 or lb >= 0:
            # harmless (>): any unit vector proves; without one, pairs are opened
            # harmless (<): likewise; the vector is 0 then, which proves nothing
            if upper > near and upper < math.inf:
                # harmless (slack): fewer pairs are proved apart, and more opened
                enough = max(upper - slack, near)
                if are_apart_along(
                    SA, TA, NA, LA, a, SB, TB, NB, LB, b, Q, *m, enough, tags, highs, lows, stack, bounds
                ):  # fmt: skip
                    lower = min(lower, enough)
                    continue
            a, na, b, nb = opened(NA, NB, a, la, b, lb, scale)
            state[BOX_PAIRS] += na * nb
            depth = open_pairs(NA, a, na, NB, b, nb, r, t, scale, n, limit, slack, False, keys, pairs, depth)
            continue
        ta, tb = -1 - la, -1 - lb
        if key <= near and leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits) != APART:
            found[0], found[1] = ta, tb
            return gjk.INTERFERING, 0.0
        state[LEAF_PAIRS] += 1
        measure(SA, TA, ta, SB, TB, tb, Q, upper, m, W)
        lower = min(lower, W[triangle.LOWER])
        if not W[triangle.SQUARE] < best[triangle.SQUARE]:
            continue
        for i in range(triangle.RESULT):
            best[i] = W[i]
        if best[triangle.SQUARE] > 0.0:
            ta, tb = _approach(SA, TA, NA, LA, ta, SB, TB, NB, LB, tb, Q, stack, bounds, best, W)
        found[0], found[1] = ta, tb
        upper = math.sqrt(best[triangle.SQUARE])
        limit = squared_limit(upper, slack)
        tags[0] += 1
        # harmless (>): the direction only saves steps, and is not used at 0
        if upper > 0.0:
            m, n = direction_of_gap(best, upper, scale, Q)
    return gjk.SEPARATE, lower


@kernel(inline=True, boundscheck=False)
def _keep_rigid(X, k, poses, at):
    """Write the rigid pose nearest to X[k] to poses[at]; return whether there is one."""
    status, a, b, c, d, e, f, g, h, i, x, y, z = load_pose(X, k)
    poses[at, 0, 0], poses[at, 0, 1], poses[at, 0, 2], poses[at, 0, 3] = a, b, c, x
    poses[at, 1, 0], poses[at, 1, 1], poses[at, 1, 2], poses[at, 1, 3] = d, e, f, y
    poses[at, 2, 0], poses[at, 2, 1], poses[at, 2, 2], poses[at, 2, 3] = g, h, i, z
    return status == POSE_OK


@kernel(boundscheck=False, allocates=True)
def fill_rows(
    SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, scales_a, rows, state, first, last
):  # fmt: skip
    """Fill the rows of checked poses from `first` to before `last`; see `distance`."""
    Q, M = np.empty(20), np.empty(24)
    W, best, found = np.empty(triangle.RESULT), np.empty(triangle.RESULT), np.empty(2, np.int64)
    keys, pairs = np.empty(STACK // 2), np.empty(STACK, np.int32)
    stack, bounds, digits = np.empty(STACK, np.int32), np.empty(STACK), np.empty(SCRATCH, np.int64)
    tags, highs, lows = np.zeros(1 + 2 * CACHE, np.int64), np.empty(1 + 2 * CACHE), np.empty(1 + 2 * CACHE)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for k in range(first, last):
        i, j, at = 0 if one_a else k, 0 if one_b else k, gjk.ROW * k
        place(SA, SB, X_WA, i, X_WB, j, Q, M)
        before = state[BOX_PAIRS]
        contact, lower = _nearest(
            SA, TA, NA, LA, SB, TB, NB, LB, Q, M, found, state, digits, W, best, tags, highs, lows, keys, pairs, stack,
            bounds,
        )  # fmt: skip
        rows[at + gjk.ITERATIONS] = state[BOX_PAIRS] - before
        rows[at + FACE_A], rows[at + FACE_B] = found[0], found[1]
        if contact == gjk.SEPARATE:
            inner, _ = contained(SA, TA, NA, LA, SB, TB, NB, LB, Q, Q[13], M, digits, stack)
            if inner != 0:
                contact = CONTAINED
                rows[at + FACE_A], rows[at + FACE_B] = -1, inner
        write_row(X_WA, i, Q, best, contact, lower, scales_a[i], rows, at)
        # harmless (>): it pauses earlier or later
        if state[BOX_PAIRS] > state[LIMIT]:
            return k + 1
    return last


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], float64[::1], float64[::1], int64[::1], int64, int64)",
    allocates=True,
)
def distance(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, scales_a, rows, state, first, last):
    """Fill the rows of the poses from `first` to before `last`; return where to continue, or BAD_POSE.

    Args:
        SA, TA, NA, LA: Surface and tree of A; likewise B.
        X_WA, X_WB: Checked poses; one on a side is repeated. Without scales they are one pose each, which is checked.
        scales_a: The scale in each pose of A; empty if the poses must be rigid.
        rows: Result rows as `gjk` writes them; the last two numbers are the closest triangles.
        state: Counters, as in `obb_pair`, and LIMIT.
    """
    if scales_a.shape[0] > 0:
        return fill_rows(
            SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, scales_a, rows, state, first, last
        )  # fmt: skip
    poses, ones = np.empty((2, 4, 4)), np.ones(1)
    if X_WA.shape != (1, 4, 4) or X_WB.shape != (1, 4, 4):
        return BAD_POSE
    if not (_keep_rigid(X_WA, 0, poses, 0) and _keep_rigid(X_WB, 0, poses, 1)):
        return BAD_POSE
    return fill_rows(
        SA, TA, NA, LA, SB, TB, NB, LB, poses[:1], poses[1:], ones, rows, state, 0, 1
    )  # fmt: skip
