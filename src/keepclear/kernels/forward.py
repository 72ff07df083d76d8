"""Where all links of a robot are, for many configurations in one call.

The pose of a link in its parent is X_PJ times the joint's own motion. For a turn by θ about the unit axis a,
with K the matrix of the cross product with a, Rodrigues' formula splits it into three constant matrices,
    X_PJ (1 + sin θ K + (1 - cos θ) K²) = A0 + sin θ A1 + cos θ A2,
and for a shift by d into A0 + d A1. So every joint is the same short sum of rows of four numbers, which
the compiler turns into vector instructions, whatever the axis is.
"""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel

# Columns of the table of integers.
PARENT, KIND, COLUMN = 0, 1, 2
# Kinds of links: A0 is the identity, constant, a turn, a shift.
SAME, STILL, TURN, SHIFT = 0, 1, 2, 3
# Where things are in a row of numbers: multiplier and offset of the joint, then A0, A1, A2 by rows (3 x 4 each).
MULTIPLIER, OFFSET, TERMS = 0, 1, 2
WIDTH = TERMS + 36


@kernel(boundscheck=False, inline=True)
def _place_row(X, k, parent, link, i, m00, m01, m02, m03, m10, m11, m12, m13, m20, m21, m22, m23):
    """Write row i of the pose of a link: that of its parent times the rows m of the pose in its parent."""
    a, b, c, d = X[k, parent, i, 0], X[k, parent, i, 1], X[k, parent, i, 2], X[k, parent, i, 3]
    X[k, link, i, 0] = a * m00 + b * m10 + c * m20
    X[k, link, i, 1] = a * m01 + b * m11 + c * m21
    X[k, link, i, 2] = a * m02 + b * m12 + c * m22
    X[k, link, i, 3] = a * m03 + b * m13 + c * m23 + d


@kernel(boundscheck=False, inline=True)
def _row_in_parent(T, link, i, s, c):
    """Return row i of the pose of a link in its parent, A0 + s A1 + c A2."""
    at = TERMS + 4 * i
    return (
        T[link, at] + s * T[link, at + 12] + c * T[link, at + 24],
        T[link, at + 1] + s * T[link, at + 13] + c * T[link, at + 25],
        T[link, at + 2] + s * T[link, at + 14] + c * T[link, at + 26],
        T[link, at + 3] + s * T[link, at + 15] + c * T[link, at + 27],
    )


@kernel(
    "void(int64[:,::1], float64[:,::1], float64[:,::1], float64[:,:,::1], float64[:,:,:,::1])",
    boundscheck=False,
)
def place_links(tree, T, q, X_WB, X):
    """Write the poses (n, links, 4, 4) of all links for configurations q (n, dof), the root at X_WB (1 or n)."""
    for k in range(q.shape[0]):
        base = k if X_WB.shape[0] > 1 else 0
        for link in range(tree.shape[0]):
            if tree[link, PARENT] < 0:
                for i in range(4):
                    for j in range(4):
                        X[k, link, i, j] = X_WB[base, i, j]
                continue
            kind = tree[link, KIND]
            s, c = 0.0, 0.0
            if kind >= TURN:
                value = T[link, OFFSET]
                if tree[link, COLUMN] >= 0:
                    value += T[link, MULTIPLIER] * q[k, tree[link, COLUMN]]
                if kind == TURN:
                    s, c = math.sin(value), math.cos(value)
                else:
                    s = value
            m00, m01, m02, m03 = _row_in_parent(T, link, 0, s, c)
            m10, m11, m12, m13 = _row_in_parent(T, link, 1, s, c)
            m20, m21, m22, m23 = _row_in_parent(T, link, 2, s, c)
            for i in range(3):
                _place_row(
                    X, k, tree[link, PARENT], link, i,
                    m00, m01, m02, m03, m10, m11, m12, m13, m20, m21, m22, m23,
                )  # fmt: skip
            X[k, link, 3, 0], X[k, link, 3, 1], X[k, link, 3, 2], X[k, link, 3, 3] = 0.0, 0.0, 0.0, 1.0
