"""Which of many poses put one body inside the other, for bodies whose surfaces do not intersect there.

Rays through box trees are here; those through trees of oriented boxes are in `winding`.
"""

from __future__ import annotations

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.box_trees.tree import LEAF, NODE, SPLIT, TRIM, code_and_link
from keepclear.kernels.tables.surface import EXTENT, ORIGIN, ROOT_HALF
from keepclear.kernels.trees.obb_pair import STACK, place
from keepclear.kernels.trees.winding import (
    TOUCHED,
    UNCLEAR,
    UNIT,
    _crossing,
    by_rays,
    contained,
    contained_by,
    is_beyond,
)
from keepclear.kernels.triangles.exact import SCRATCH

MANY = (
    "void(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], int64[::1], int32[::1], int32[::1])"
)
# An entry of the stack: the number of a node, and its box (lower and upper corner).
LOWER, UPPER, WAITING = 1, 4, 7


@kernel(boundscheck=False)
def _may_meet(E, at, mx, my, mz, wx, wy, wz, pad):
    """Return whether the segment m +- w may intersect the box at E[at:], enlarged by pad."""
    x, y = mx - 0.5 * (E[at + LOWER] + E[at + UPPER]), my - 0.5 * (E[at + LOWER + 1] + E[at + UPPER + 1])
    z, u = mz - 0.5 * (E[at + LOWER + 2] + E[at + UPPER + 2]), 0.5 * (E[at + UPPER] - E[at + LOWER]) + pad
    v = 0.5 * (E[at + UPPER + 1] - E[at + LOWER + 1]) + pad
    w = 0.5 * (E[at + UPPER + 2] - E[at + LOWER + 2]) + pad
    a, b, c = abs(wx), abs(wy), abs(wz)
    return (
        abs(x) <= u + a
        and abs(y) <= v + b
        and abs(z) <= w + c
        and abs(x * wy - y * wx) <= u * b + v * a
        and abs(y * wz - z * wy) <= v * c + w * b
        and abs(z * wx - x * wz) <= w * a + u * c
    )


@kernel(boundscheck=False)
def _crossings(S, T, N, L, x, y, z, e, q, exactly, seed, M, digits, E):
    """Return how the ray from (x, y, z) to q crosses all triangles: (UNCLEAR, TOUCHED or 0, sum of the crossings)."""
    mx, my, mz = (
        0.5 * (x + q[0]) - S[ORIGIN],
        0.5 * (y + q[1]) - S[ORIGIN + 1],
        0.5 * (z + q[2]) - S[ORIGIN + 2],
    )
    wx, wy, wz = 0.5 * (q[0] - x), 0.5 * (q[1] - y), 0.5 * (q[2] - z)
    size = 3.0 * S[EXTENT] + abs(mx) + abs(my) + abs(mz) + abs(wx) + abs(wy) + abs(wz)
    pad = 1.01 * e + UNIT * (32.0 + 4.0 * L[L.shape[0] - NODE]) * size
    problem, total, depth = 0, 0, 1
    E[0] = 0.0
    for k in range(3):
        E[LOWER + k], E[UPPER + k] = -S[ROOT_HALF + k], S[ROOT_HALF + k]
    while depth > 0:
        depth -= 1
        at = WAITING * depth
        node = int(E[at])
        code, link = code_and_link(L, node)
        kind, axis = code >> 2, code & 3
        if kind == TRIM or kind == LEAF:
            E[at + LOWER + axis] += np.float64(N[NODE * node + 1])
            E[at + UPPER + axis] -= np.float64(N[NODE * node + 2])
        if not _may_meet(E, at, mx, my, mz, wx, wy, wz, pad):
            continue
        if kind == LEAF:
            crossing = _crossing(S, T, link, x, y, z, e, q, exactly, seed, M, digits)
            if crossing == TOUCHED or (crossing == UNCLEAR and not exactly):
                return crossing, 0
            if crossing == UNCLEAR:  # another triangle may still be certainly touched
                problem = UNCLEAR
            else:
                total += crossing
            continue
        E[at] = link
        depth += 1
        if kind == SPLIT:
            for k in range(WAITING):
                E[at + WAITING + k] = E[at + k]
            E[at + UPPER + axis] -= np.float64(N[NODE * node + 1])
            E[at + WAITING] = link + 1
            E[at + WAITING + LOWER + axis] += np.float64(N[NODE * node + 2])
            depth += 1
    return problem, total


@kernel(boundscheck=False)
def winding(S, T, N, L, x, y, z, e, S_point, vertex, swapped, M, digits, E):
    """Return the winding number of a closed mesh about a point, or ON_SURFACE, like `winding.winding`."""
    if is_beyond(S, (x, y, z), e):
        return 0
    return by_rays(_crossings, S, T, N, L, x, y, z, e, (S_point, vertex, swapped), M, digits, E)


@kernel(boundscheck=False)
def contained_in_boxes(SA, TA, NA, LA, SB, TB, NB, LB, rel, delta, M, digits, E):
    """Do the same as `winding.contained` with box trees; E is WAITING numbers for each level and two more."""
    return contained_by(winding, SA, TA, NA, LA, SB, TB, NB, LB, rel, delta, M, digits, E)


@kernel(inline=True, allocates=True)
def _fill(contained_of, SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, poses, inner, vertices, scratch):
    """Fill the answers of `contained_many` by a kind of tree."""
    Q, M, digits = np.empty(20), np.empty(24), np.empty(SCRATCH, np.int64)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for i in range(poses.shape[0]):
        k = poses[i]
        place(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, Q, M)
        inner[i], vertices[i] = contained_of(SA, TA, NA, LA, SB, TB, NB, LB, Q, Q[13], M, digits, scratch)


@kernel(MANY, allocates=True)
def contained_many(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, poses, inner, vertices):
    """Write 1 where a component of A is inside the solid B, 2 where one of B is inside the solid A, else 0.

    Args:
        SA, TA, NA, LA: Surface A and its tree of oriented boxes; B likewise. The surfaces must be known to be disjoint.
        X_WA, X_WB: Checked poses; one on a side is repeated.
        poses: Which of them to check.
        inner: The answers, one for each of `poses`.
        vertices: For each of them a vertex of the component that is inside, or -1.
    """
    stack = np.empty(STACK, np.int32)
    _fill(contained, SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, poses, inner, vertices, stack)


@kernel(MANY, allocates=True)
def contained_many_in_boxes(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, poses, inner, vertices):
    """Do the same with box trees."""
    E = np.empty(WAITING * (max(LA[LA.shape[0] - NODE], LB[LB.shape[0] - NODE]) + 2))
    _fill(contained_in_boxes, SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, poses, inner, vertices, E)
