"""Distance of two meshes by their box trees: the minimum over all pairs of triangles, certified.

The gaps of `box_pair` are negative where boxes are separate, by the distance along an axis. Three of them give a lower
bound in A's frame, three in B's. Further bounds are along the direction between the closest points so far, and along
the normals of planes.

Pairs are opened depth first, the nearer child first: the stack needs about as many entries as both trees have levels.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.box_trees.containment import WAITING, contained_in_boxes
from keepclear.kernels.box_trees.pair import (
    BOX_A,
    BOX_B,
    FACTORS,
    IN_SLABS,
    LEAF_CODE,
    NODES,
    PAIR,
    PLACE,
    PLACES,
    SLAB_SLACK,
    SLACK,
    SMALL,
    begin,
    cut_face,
    opened_side,
    place_boxes,
    planes_of,
)
from keepclear.kernels.box_trees.tree import LEAF, NODE, SLAB, SPLIT, code_and_link
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees.obb_distance import CONTAINED, FACE_A, FACE_B, LIMIT, write_row
from keepclear.kernels.trees.obb_gap import measure, measure_fully
from keepclear.kernels.trees.obb_pair import BOX_PAIRS, LEAF_PAIRS, leaves_meet
from keepclear.kernels.trees.obb_tree import corner
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.triangles.exact import APART, SCRATCH
from keepclear.kernels.vectors import dot

BOUND, WAITING_PAIR = PAIR, PAIR + 1  # on the stack: a pair as in `box_pair`, and its lower bound
SHRINK = 1.0 - 1e-15


@kernel(boundscheck=False)
def _enter(N, L, side, node, scale, P, F, E, at):
    """Descend one-child nodes from a node of one side to a split or a leaf, and write the bound of the pair."""
    while True:
        code, link = code_and_link(L, node)
        kind = code >> 2
        if kind == SPLIT:
            break
        if kind != SLAB:
            face = 6 * side + 2 * (code & 3)
            cut_face(E, at, face, np.float64(N[NODE * node + 1]), P, F)
            cut_face(E, at, face + 1, np.float64(N[NODE * node + 2]), P, F)
        if kind == LEAF:
            E[at + IN_SLABS + side] = -2 - link
            break
        if kind == SLAB:
            E[at + IN_SLABS + side] = node
        node = link
    E[at + NODES + side] = node
    x, y, z = max(0.0, -E[at], -E[at + 3]), max(0.0, -E[at + 1], -E[at + 4]), max(0.0, -E[at + 2], -E[at + 5])
    u, v, w = (
        max(0.0, -E[at + 6], -E[at + 9]),
        max(0.0, -E[at + 7], -E[at + 10]),
        max(0.0, -E[at + 8], -E[at + 11]),
    )
    own = math.sqrt(x * x + y * y + z * z)
    # harmless (SHRINK): the widening of gaps has 100 u L to spare for it (docs/theory/box-tree)
    E[at + BOUND] = SHRINK * max(own, scale * math.sqrt(u * u + v * v + w * w))


@kernel(inline=True, boundscheck=False)
def _least(mx, my, mz, E, box):
    """Return the minimum of m . x over the points x of a box."""
    low = 0.0
    for i in range(3):
        m = mx if i == 0 else (my if i == 1 else mz)
        low += abs(m) * E[box + i if m >= 0.0 else box + 3 + i]
    return low


@kernel(boundscheck=False)
def _least_of_part(S, T, L, slab, E, box, mx, my, mz):
    """Return a lower bound on m . x over the points x of a part: a triangle, or the points in a box and between planes.

    m . x = k n . x + (m - k n) . x for any k, as in `box_pair`.
    """
    if slab <= -2:
        t = 3 * (-2 - slab)
        m = mx, my, mz
        return min(dot(m, corner(S, T, t)), dot(m, corner(S, T, t + 1)), dot(m, corner(S, T, t + 2)))
    low = _least(mx, my, mz, E, box)
    if slab >= 0:
        nx, ny, nz, least, most = planes_of(S, T, L, slab)
        k = (mx * nx + my * ny + mz * nz) / (nx * nx + ny * ny + nz * nz)
        rest = _least(mx - k * nx, my - k * ny, mz - k * nz, E, box)
        # harmless (max): both are lower bounds
        low = max(low, rest + (k * least if k >= 0.0 else k * most))
    return low


@kernel(boundscheck=False)
def _gap_along(SA, TA, LA, SB, TB, LB, Q, E, at, mx, my, mz):
    """Return a lower bound on the distance of two parts along a unit vector in A's frame that points from A to B."""
    x, y = Q[0] * mx + Q[3] * my + Q[6] * mz, Q[1] * mx + Q[4] * my + Q[7] * mz
    z = Q[2] * mx + Q[5] * my + Q[8] * mz
    gap = mx * Q[14] + my * Q[15] + mz * Q[16] - SLAB_SLACK * Q[SLACK]
    gap += _least_of_part(SA, TA, LA, int(E[at + IN_SLABS]), E, at + BOX_A, -mx, -my, -mz)
    return gap + _least_of_part(SB, TB, LB, int(E[at + IN_SLABS + 1]), E, at + BOX_B, x, y, z)


@kernel(inline=True, boundscheck=False)
def _between(Q, E, at):
    """Return the vector from the centre of the box of A to that of B, in A's frame."""
    a, b = at + BOX_A, at + BOX_B
    x, y, z = 0.5 * (E[b] - E[b + 3]), 0.5 * (E[b + 1] - E[b + 4]), 0.5 * (E[b + 2] - E[b + 5])
    return (
        Q[0] * x + Q[1] * y + Q[2] * z + Q[14] - 0.5 * (E[a] - E[a + 3]),
        Q[3] * x + Q[4] * y + Q[5] * z + Q[15] - 0.5 * (E[a + 1] - E[a + 4]),
        Q[6] * x + Q[7] * y + Q[8] * z + Q[16] - 0.5 * (E[a + 2] - E[a + 5]),
    )


@kernel(boundscheck=False)
def _gap_of_planes(SA, TA, LA, SB, TB, LB, Q, E, at, enough):
    """Return a lower bound on the distance of two parts along the normals of the planes that they lie between.

    Between nearly parallel surfaces it is nearly their distance, even where boxes overlap.
    """
    x, y, z = _between(Q, E, at)
    best = 0.0
    for side in range(2):
        if side == 0:
            u, v, w, _, _ = planes_of(SA, TA, LA, int(E[at + IN_SLABS]))
        else:
            a, b, c, _, _ = planes_of(SB, TB, LB, int(E[at + IN_SLABS + 1]))
            u, v = Q[0] * a + Q[1] * b + Q[2] * c, Q[3] * a + Q[4] * b + Q[5] * c
            w = Q[6] * a + Q[7] * b + Q[8] * c
        length = math.sqrt(u * u + v * v + w * w)
        if not length > 0.0:
            continue
        f = 1.0 / length if u * x + v * y + w * z >= 0.0 else -1.0 / length
        # harmless (max): all are lower bounds
        best = max(best, _gap_along(SA, TA, LA, SB, TB, LB, Q, E, at, f * u, f * v, f * w))
        if best > enough:
            break
    return best


@kernel(inline=True, boundscheck=False)
def _copy(E, source, target):
    for k in range(WAITING_PAIR):
        E[target + k] = E[source + k]


@kernel(boundscheck=False)
def _open(NA, LA, NB, LB, Q, scale, P, F, E, depth):
    """Replace the pair just popped from the stack by those of two children of one side, the nearer one on top.

    Of two with similar bounds, like those of overlapping boxes, it is the one whose centre is nearer.
    """
    at = (WAITING_PAIR * depth) & SMALL
    a, b = int(E[at + NODES]) & SMALL, int(E[at + NODES + 1]) & SMALL
    code_a, link_a = code_and_link(LA, a)
    code_b, link_b = code_and_link(LB, b)
    side = opened_side(E, at, code_a, code_b, scale)
    N, L = (NA, LA) if side == 0 else (NB, LB)
    node, axis, link = (a, code_a, link_a) if side == 0 else (b, code_b, link_b)
    face, second = 6 * side + 2 * axis, at + WAITING_PAIR
    _copy(E, at, second)
    cut_face(E, at, face + 1, np.float64(N[NODE * node + 1]), P, F)
    cut_face(E, second, face, np.float64(N[NODE * node + 2]), P, F)
    _enter(N, L, side, link, scale, P, F, E, at)
    _enter(N, L, side, link + 1, scale, P, F, E, second)
    x, y, z = _between(Q, E, at)
    u, v, w = _between(Q, E, second)
    nearer = x * x + y * y + z * z < u * u + v * v + w * w
    # harmless (>): only the order of the search depends on it
    if E[second + BOUND] > E[at + BOUND] or (nearer and E[second + BOUND] == E[at + BOUND]):
        _copy(E, at, second + WAITING_PAIR)
        _copy(E, second, at)
        _copy(E, second + WAITING_PAIR, second)


@kernel(boundscheck=False)
def _nearest(SA, TA, NA, LA, SB, TB, NB, LB, Q, M, P, F, E, state, digits, warm, W, best):
    """Search one pose; return (contact of the surfaces, lower bound on their distance, whether boxes are separate).

    `best` receives what `triangle_distance` writes, `warm` the closest pair of triangles; on entry it is the pair to
    begin with, -1 for none.
    """
    scale, slack = math.sqrt(Q[12]), Q[13]
    # harmless (4.0 * slack): a key above 0 is a proof: gaps are widened, and slabs reduced
    near = 4.0 * slack
    lower, upper, depth = math.inf, math.inf, 0
    mx, my, mz = 0.0, 0.0, 0.0
    best[triangle.SQUARE] = math.inf
    begin(SA, SB, Q, E)
    _enter(NA, LA, 0, 0, scale, P, F, E, 0)
    _enter(NB, LB, 1, 0, scale, P, F, E, 0)
    are_apart = E[BOUND] > 0.0
    is_warm, depth = warm[0] >= 0, 1
    while depth > 0:
        # harmless (slack): fewer pairs are proved apart, and more opened
        enough = max(upper - slack, near)
        ta, tb, key = warm[0], warm[1], 0.0
        if not is_warm:
            depth -= 1
            at = (WAITING_PAIR * depth) & SMALL
            key = E[at + BOUND]
            # harmless (<): any unit vector proves, and 0 proves nothing
            if key <= enough and near < upper < math.inf:
                # harmless (max): both are lower bounds
                key = max(key, _gap_along(SA, TA, LA, SB, TB, LB, Q, E, at, mx, my, mz))
                if key <= enough:
                    # harmless (max): both are lower bounds
                    key = max(key, _gap_of_planes(SA, TA, LA, SB, TB, LB, Q, E, at, enough))
            if key > enough:
                lower = min(lower, key)
                continue
            code_a, ta = code_and_link(LA, int(E[at + NODES]) & SMALL)
            code_b, tb = code_and_link(LB, int(E[at + NODES + 1]) & SMALL)
            if code_a < LEAF_CODE or code_b < LEAF_CODE:
                E[at + BOUND] = key
                state[BOX_PAIRS] += 2
                _open(NA, LA, NB, LB, Q, scale, P, F, E, depth)
                depth += 2
                continue
        if key <= near and leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits) != APART:
            warm[0], warm[1] = ta, tb
            return gjk.INTERFERING, 0.0, False
        state[LEAF_PAIRS] += 1
        if is_warm:
            measure_fully(SA, TA, ta, SB, TB, tb, Q, W)
        else:
            measure(SA, TA, ta, SB, TB, tb, Q, upper, (mx, my, mz), W)
        is_warm = False
        lower = min(lower, W[triangle.LOWER])
        if W[triangle.SQUARE] < best[triangle.SQUARE]:
            for i in range(triangle.RESULT):
                best[i] = W[i]
            warm[0], warm[1] = ta, tb
            upper = math.sqrt(best[triangle.SQUARE])
            # harmless (>): the direction only saves steps, and is not used at 0
            if upper > 0.0:
                f = 1.0 / upper
                mx, my, mz = f * best[triangle.GAP], f * best[triangle.GAP + 1], f * best[triangle.GAP + 2]
    return gjk.SEPARATE, lower, are_apart


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], float64[::1], float64[::1], int64[::1], float64[::1], int64[::1], boolean,"
    " int64, int64)",
    allocates=True,
)
def distance(
    SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, scales_a, rows, warm, stack, state, tracked, first, last
):  # fmt: skip
    """Fill the rows of the poses from `first` to before `last`; return where to continue.

    Args:
        SA, TA, NA, LA: Surface and box tree of A; likewise B.
        X_WA, X_WB: Checked poses; one on a side is repeated.
        scales_a: The scale in each pose of A.
        rows: Result rows as `gjk` writes them; the last two numbers are the closest triangles.
        warm: The closest triangles of the last frame, -1 where there is none.
        stack: Space for WAITING_PAIR (depth of A + depth of B + 4) numbers.
        state: Counters, as in `obb_pair`; the search returns after LIMIT pairs of boxes.
        tracked: Whether the poses are frames of a motion, each started with the closest triangles of the last.
    """
    Q, M, P, F = np.empty(PLACE), np.empty(24), np.empty(12 * PLACES, np.uint32), np.empty(12 * FACTORS)
    W, best, digits = np.empty(triangle.RESULT), np.empty(triangle.RESULT), np.empty(SCRATCH, np.int64)
    deepest = LA[LA.shape[0] - NODE] + LB[LB.shape[0] - NODE]
    rays = np.empty(WAITING * (max(LA[LA.shape[0] - NODE], LB[LB.shape[0] - NODE]) + 2))
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for k in range(first, last):
        i, j, at = 0 if one_a else k, 0 if one_b else k, gjk.ROW * k
        place_boxes(SA, SB, X_WA, i, X_WB, j, deepest, Q, M, P, F)
        if not tracked:
            warm[0], warm[1] = -1, -1
        before = state[BOX_PAIRS]
        contact, lower, are_apart = _nearest(
            SA, TA, NA, LA, SB, TB, NB, LB, Q, M, P, F, stack, state, digits, warm, W, best
        )
        rows[at + gjk.ITERATIONS] = state[BOX_PAIRS] - before
        rows[at + FACE_A], rows[at + FACE_B] = warm[0], warm[1]
        if contact == gjk.SEPARATE and not are_apart:
            inner, _ = contained_in_boxes(SA, TA, NA, LA, SB, TB, NB, LB, Q, Q[13], M, digits, rays)
            if inner != 0:
                contact = CONTAINED
                rows[at + FACE_A], rows[at + FACE_B] = -1, inner
        write_row(X_WA, i, Q, best, contact, lower, scales_a[i], rows, at)
        # harmless (>): it pauses earlier or later
        if state[BOX_PAIRS] > state[LIMIT]:
            return k + 1
    return last
