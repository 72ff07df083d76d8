"""Where the triangles that a search found have points in common."""

from __future__ import annotations

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.exact import COPLANAR, SCRATCH
from keepclear.kernels.obb_pair import HIT, STATE, corner_of_a, corner_of_b, leaves_meet, place
from keepclear.kernels.triangle_cut import cut

ROOM = 18  # numbers per hit: six points


@kernel(
    "void(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1], int32[::1],"
    " float64[::1], int32[::1])",
    allocates=True,
)
def cut_hits(SA, TA, SB, TB, X_WA, X_WB, hits, points, counts):
    """Write the corners of what each pair of triangles shares, in the world, to `points`, and their number.

    A hit whose kind is negative is looked at again to find it.
    """
    digits, state = np.empty(SCRATCH, np.int64), np.zeros(STATE, np.int64)
    Q, M = np.empty(20), np.empty(24)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    last = -1
    for h in range(counts.shape[0]):
        k, ta, tb = hits[HIT * h], hits[HIT * h + 1], hits[HIT * h + 2]
        if k != last:
            place(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, Q, M)
            last = k
        ax, ay, az = corner_of_a(SA, TA, 3 * ta)
        bx, by, bz = corner_of_a(SA, TA, 3 * ta + 1)
        cx, cy, cz = corner_of_a(SA, TA, 3 * ta + 2)
        px, py, pz = corner_of_b(SB, TB, 3 * tb, Q)
        qx, qy, qz = corner_of_b(SB, TB, 3 * tb + 1, Q)
        rx, ry, rz = corner_of_b(SB, TB, 3 * tb + 2, Q)
        kind = hits[HIT * h + 3]
        if kind < 0:
            kind = leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits)
        n = cut(
            ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, kind == COPLANAR, points, ROOM * h
        )  # fmt: skip
        counts[h] = n
        for i in range(ROOM * h, ROOM * h + 3 * n, 3):
            x, y, z = points[i], points[i + 1], points[i + 2]
            points[i] = M[0] * x + M[1] * y + M[2] * z + M[3]
            points[i + 1] = M[4] * x + M[5] * y + M[6] * z + M[7]
            points[i + 2] = M[8] * x + M[9] * y + M[10] * z + M[11]
