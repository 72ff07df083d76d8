"""Which of many poses put one body inside the other: like `containment`, with rays through box trees."""

from __future__ import annotations

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.trees.box_tree import LEAF, NODE, SPLIT, TRIM, code_and_link
from keepclear.kernels.trees.obb_pair import place
from keepclear.kernels.trees.surface_layout import (
    EXTENT,
    N_SEEDS,
    N_TRIANGLES,
    ORIGIN,
    ROOT_HALF,
    SEAM,
    SOLID,
    SURFACE_HEADER,
)
from keepclear.kernels.triangles.exact import SCRATCH
from keepclear.kernels.triangles.winding import (
    DIRECTIONS,
    ON_SURFACE,
    ROUGH_DIRECTIONS,
    TOUCHED,
    UNCLEAR,
    UNIT,
    _by_solid_angles,
    _crossing,
    _far_point,
    _in_frame_of_b,
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
    seed = (S_point, vertex, swapped)
    p = (x, y, z)
    for i in range(3):
        # harmless (4.0 * UNIT * (abs(p[i]) + S[EXTENT])): rounding keeps the order of |p - origin| and half + e
        if abs(p[i] - S[ORIGIN + i]) > S[ROOT_HALF + i] + e + 4.0 * UNIT * (abs(p[i]) + S[EXTENT]):
            return 0
    e += S[SEAM]
    for k in range(DIRECTIONS):
        exactly = k >= ROUGH_DIRECTIONS and S[SEAM] == 0.0
        q = _far_point(S, x, y, z, e, k)
        problem, total = _crossings(S, T, N, L, x, y, z, e, q, exactly, seed, M, digits, E)
        if problem == 0:
            return total
        if problem == TOUCHED:
            return ON_SURFACE
    return _by_solid_angles(S, T, x, y, z)


@kernel(boundscheck=False)
def _contained(SA, TA, NA, LA, SB, TB, NB, LB, rel, delta, M, digits, E):
    """Return 1 if a component of A is inside solid B, 2 if one of B is inside solid A, else 0; and its vertex."""
    for body in range(2):
        S, T = (SA, TA) if body == 0 else (SB, TB)
        if (SB if body == 0 else SA)[SOLID] == 0.0:
            continue
        for k in range(int(S[N_SEEDS])):
            v = int(T[3 * int(S[N_TRIANGLES]) + k])
            at = SURFACE_HEADER + 3 * v
            x, y, z, e = S[at], S[at + 1], S[at + 2], delta
            if body == 0:
                x, y, z, e = _in_frame_of_b(rel, delta, x, y, z)
                number = winding(SB, TB, NB, LB, x, y, z, e, SA, v, False, M, digits, E)
            else:
                x, y, z = (
                    rel[0] * x + rel[1] * y + rel[2] * z + rel[9],
                    rel[3] * x + rel[4] * y + rel[5] * z + rel[10],
                    rel[6] * x + rel[7] * y + rel[8] * z + rel[11],
                )
                number = winding(SA, TA, NA, LA, x, y, z, e, SB, v, True, M, digits, E)
            if number != 0:
                return body + 1, v
    return 0, -1


@kernel(
    "void(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], int64[::1], int32[::1], int32[::1])",
    allocates=True,
)
def contained_many(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, poses, inner, vertices):
    """Write 1 where a component of A is inside the solid B, 2 where one of B is inside the solid A, else 0.

    Args:
        SA, TA, NA, LA: Surface A and its box tree; B likewise. The surfaces must be known to be disjoint.
        X_WA, X_WB: Checked poses; one on a side is repeated.
        poses: Which of them to check.
        inner: The answers, one for each of `poses`.
        vertices: For each of them a vertex of the component that is inside, or -1.
    """
    Q, M, digits = np.empty(20), np.empty(24), np.empty(SCRATCH, np.int64)
    E = np.empty(WAITING * (max(LA[LA.shape[0] - NODE], LB[LB.shape[0] - NODE]) + 2))
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for i in range(poses.shape[0]):
        k = poses[i]
        place(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, Q, M)
        rel = (Q[0], Q[1], Q[2], Q[3], Q[4], Q[5], Q[6], Q[7], Q[8], Q[9], Q[10], Q[11])
        inner[i], vertices[i] = _contained(SA, TA, NA, LA, SB, TB, NB, LB, rel, Q[13], M, digits, E)
