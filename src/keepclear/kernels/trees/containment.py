"""Which of many poses put one body inside the other, for bodies whose surfaces do not intersect there."""

from __future__ import annotations

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.trees.obb_pair import STACK, place
from keepclear.kernels.triangles.exact import SCRATCH
from keepclear.kernels.triangles.winding import contained


@kernel(
    "void(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int32[::1], float32[::1], int32[::1],"
    " float64[:,:,::1], float64[:,:,::1], int64[::1], int32[::1], int32[::1])",
    allocates=True,
)
def contained_many(SA, TA, NA, LA, SB, TB, NB, LB, X_WA, X_WB, poses, inner, vertices):
    """Write 1 where a component of A is inside the solid B, 2 where one of B is inside the solid A, else 0.

    Args:
        SA, TA, NA, LA: Surface A and its tree of oriented boxes; B likewise.
        X_WA, X_WB: Checked poses; one on a side is repeated.
        poses: Which of them to check.
        inner: The answers, one for each of `poses`.
        vertices: For each of them a vertex of the component that is inside.
    """
    Q, M = np.empty(20), np.empty(24)
    stack, digits = np.empty(STACK, np.int32), np.empty(SCRATCH, np.int64)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    for i in range(poses.shape[0]):
        k = poses[i]
        place(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, Q, M)
        rel = (Q[0], Q[1], Q[2], Q[3], Q[4], Q[5], Q[6], Q[7], Q[8], Q[9], Q[10], Q[11])
        inner[i] = contained(SA, TA, NA, LA, SB, TB, NB, LB, rel, Q[13], M, digits, stack)
        vertices[i] = stack[0]
