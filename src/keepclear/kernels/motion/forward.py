"""Poses of all links of a robot, for many configurations in one call.

The pose of a link in its parent's frame is X_PJ times the rotation or translation of its joint. Rows of a pose do not
mix: row i of the child is row i of the parent times both. Nearly all robots are modelled with axes along x, y or z and
with origins rotated about one of them, and such a rotation mixes only two columns. The tables say which, so that a row
costs about 17 multiplications instead of 36.
"""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel

# Columns of the table of integers: the number of the parent, how the joint moves, how its origin is rotated, and the
# column of q that moves it.
PARENT, MOTION, ORIGIN, COLUMN = 0, 1, 2, 3
# Motion of a joint and rotation of its origin: none, about x, y or z, about any axis; or a translation along an axis.
NONE, ABOUT_X, ABOUT_Y, ABOUT_Z, ABOUT_ANY, ALONG = 0, 1, 2, 3, 4, 5
# Columns of the table of floats: multiplier and offset of q, position of the origin (3), sine and cosine of its
# rotation, its rotation matrix by rows (9), the axis of the joint (3).
MULTIPLIER, OFFSET, PLACE, SINE, COSINE, ROTATION, AXIS = 0, 1, 2, 5, 6, 7, 16
WIDTH = 19

FAR = 1e5  # largest angle for which `sine_cosine` is accurate [rad]
_TWO_OVER_PI = 0.6366197723675814
_TO_WHOLE = 6755399441055744.0  # 1.5 * 2**52: adding and subtracting it rounds to the nearest integer
# pi / 2 in three parts; the first two have 33 bits, so that their products with integers below 2**20 are exact.
_PART_1, _PART_2, _PART_3 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21


@kernel(inline=True, boundscheck=False)
def sine_cosine(x):
    """Return sine and cosine of an angle up to 1e5 rad to 4e-16, in less than half the time of two library calls.

    The angle is reduced to at most pi / 4; the polynomials are those of fdlibm (Sun Microsystems, 1993), k_sin.c and
    k_cos.c. The error is that of the reduction, one rounding of a number below 1, and of the polynomials.
    """
    k = (x * _TWO_OVER_PI + _TO_WHOLE) - _TO_WHOLE
    n = int(k)
    r = ((x - k * _PART_1) - k * _PART_2) - k * _PART_3
    z = r * r
    s = 2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    s = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * s)
    s = r + r * z * (-1.66666666666666324348e-01 + z * s)
    c = -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    c = 4.16666666666666019037e-02 + z * (
        -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * c)
    )
    c = 1.0 - 0.5 * z + z * z * c
    a, b = s, c
    if n & 1 != 0:
        a, b = c, s
    if n & 2 != 0:
        a = -a
    if (n + 1) & 2 != 0:
        b = -b
    return a, b


@kernel(inline=True, boundscheck=False)
def _mixed(a, b, s, c):
    """Return two entries of a row, rotated by an angle with this sine and cosine."""
    return a * c + b * s, b * c - a * s


@kernel(inline=True, boundscheck=False)
def _turned(u, v, w, T, link, s, c):
    """Return a row rotated about any axis a, by Rodrigues' formula: c r + (1 - c) (r . a) a + s r x a."""
    x, y, z = T[link, AXIS], T[link, AXIS + 1], T[link, AXIS + 2]
    d = (1.0 - c) * (u * x + v * y + w * z)
    return (
        c * u + d * x + s * (v * z - w * y),
        c * v + d * y + s * (w * x - u * z),
        c * w + d * z + s * (u * y - v * x),
    )


@kernel(inline=True, boundscheck=False)
def _joint_value(tree, T, q, k, link):
    """Return the value of a link's joint, and its sine and cosine if the joint is revolute."""
    motion = tree[link, MOTION]
    if motion == NONE:
        return 0.0, 0.0, 1.0
    value = T[link, OFFSET] + T[link, MULTIPLIER] * q[k, tree[link, COLUMN]]
    if motion == ALONG:
        return value, 0.0, 1.0
    if abs(value) < FAR:
        s, c = sine_cosine(value)
        return value, s, c
    return value, math.sin(value), math.cos(value)


@kernel(
    "void(int64[:,::1], float64[:,::1], float64[:,::1], float64[:,:,::1], float64[:,:,:,::1])",
    boundscheck=False,
)
def place_links(tree, T, q, X_WB, X):
    """Write the poses of all links for many configurations.

    Args:
        tree: (links, 4) integers, parents before children.
        T: (links, WIDTH) floats.
        q: (n, dof) configurations.
        X_WB: (1, 4, 4) or (n, 4, 4), the pose of link 0.
        X: (n, links, 4, 4), receives the poses.
    """
    for k in range(q.shape[0]):
        base = k if X_WB.shape[0] > 1 else 0
        for i in range(4):
            for j in range(4):
                X[k, 0, i, j] = X_WB[base, i, j]
        for link in range(1, tree.shape[0]):
            parent, motion, origin = tree[link, PARENT], tree[link, MOTION], tree[link, ORIGIN]
            x, y, z = T[link, PLACE], T[link, PLACE + 1], T[link, PLACE + 2]
            s0, c0 = T[link, SINE], T[link, COSINE]
            value, s, c = _joint_value(tree, T, q, k, link)
            for i in range(3):
                u, v, w = X[k, parent, i, 0], X[k, parent, i, 1], X[k, parent, i, 2]
                p = X[k, parent, i, 3] + (u * x + v * y + w * z)
                if origin == ABOUT_X:
                    v, w = _mixed(v, w, s0, c0)
                elif origin == ABOUT_Y:
                    w, u = _mixed(w, u, s0, c0)
                elif origin == ABOUT_Z:
                    u, v = _mixed(u, v, s0, c0)
                elif origin == ABOUT_ANY:
                    r = ROTATION
                    u, v, w = (
                        u * T[link, r] + v * T[link, r + 3] + w * T[link, r + 6],
                        u * T[link, r + 1] + v * T[link, r + 4] + w * T[link, r + 7],
                        u * T[link, r + 2] + v * T[link, r + 5] + w * T[link, r + 8],
                    )
                if motion == ABOUT_Z:
                    u, v = _mixed(u, v, s, c)
                elif motion == ABOUT_X:
                    v, w = _mixed(v, w, s, c)
                elif motion == ABOUT_Y:
                    w, u = _mixed(w, u, s, c)
                elif motion == ALONG:
                    p += value * (u * T[link, AXIS] + v * T[link, AXIS + 1] + w * T[link, AXIS + 2])
                elif motion == ABOUT_ANY:
                    u, v, w = _turned(u, v, w, T, link, s, c)
                X[k, link, i, 0], X[k, link, i, 1], X[k, link, i, 2], X[k, link, i, 3] = u, v, w, p
            X[k, link, 3, 0], X[k, link, 3, 1], X[k, link, 3, 2], X[k, link, 3, 3] = 0.0, 0.0, 0.0, 1.0
