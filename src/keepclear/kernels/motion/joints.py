"""Kinematics of joints: a row of a pose after a constant map and after a joint, and the poses of a tree of joints.

Rows of a pose [R | p] do not mix: row i of the child is row i of the parent, times the map to the frame of the joint,
times the rotation about its z axis or the translation along it. All kernels that move joints are made of `mapped` and
`moved`.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel

# Numbers of a pose, R by rows and p.
TURN, PLACE = 0, 9

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
def mixed(a, b, s, c):
    """Return two entries of a row, rotated by an angle with this sine and cosine."""
    return a * c + b * s, b * c - a * s


@kernel(inline=True, boundscheck=False)
def turn(value):
    """Return sine and cosine of the value of a revolute joint."""
    if abs(value) < FAR:
        return sine_cosine(value)
    return math.sin(value), math.cos(value)


@kernel(inline=True, boundscheck=False)
def map_of(joint):
    """Return the map of a joint or link, rows of [R | p]."""
    M = joint.map
    return (
        M[0, 0], M[0, 1], M[0, 2], M[0, 3], M[1, 0], M[1, 1], M[1, 2], M[1, 3], M[2, 0], M[2, 1], M[2, 2], M[2, 3],
    )  # fmt: skip


@kernel(inline=True, boundscheck=False)
def shift(u, v, w, M):
    """Return how far a map translates along a row of a rotation."""
    return u * M[3] + v * M[7] + w * M[11]


@kernel(inline=True, boundscheck=False)
def mapped(u, v, w, p, M):
    """Return a row of a pose times a map."""
    return (
        u * M[0] + v * M[4] + w * M[8],
        u * M[1] + v * M[5] + w * M[9],
        u * M[2] + v * M[6] + w * M[10],
        p + shift(u, v, w, M),
    )


@kernel(inline=True, boundscheck=False)
def moved(u, v, w, p, is_revolute, value, s, c):
    """Return a row of a pose after a joint: rotated about z, with sine and cosine, or translated along z by a value."""
    if is_revolute:
        u, v = mixed(u, v, s, c)
    else:
        p += value * w
    return u, v, w, p


@kernel(inline=True, boundscheck=False)
def one():
    """Return 1: the lanes of `place_nodes` for a single configuration."""
    return 1


@kernel(inline=True, boundscheck=False)
def place_nodes(lanes, joints, q, turns, states):
    """Write the poses of all nodes of a tree but node 0, for some configurations side by side.

    Args:
        lanes: Kernel without arguments: how many configurations, a constant for the compiler.
        joints: Rows of JOINT, parents first.
        q: (columns, lanes) configurations.
        turns: (3, lanes) scratch.
        states: (nodes, 12, lanes); receives R by rows and p of each node, those of node 0 are given.
    """
    for n in range(1, joints.shape[0]):
        joint = joints[n]
        parent, column, offset, multiplier = joint.parent, joint.column, joint.offset, joint.multiplier
        is_revolute = joint.revolute != 0
        for k in range(lanes()):
            turns[2, k] = offset + multiplier * q[column, k]
            if is_revolute:
                turns[0, k], turns[1, k] = turn(turns[2, k])
        M = map_of(joint)
        for i in range(3):
            j = TURN + 3 * i
            for k in range(lanes()):
                u, v, w, p = mapped(
                    states[parent, j, k],
                    states[parent, j + 1, k],
                    states[parent, j + 2, k],
                    states[parent, PLACE + i, k],
                    M,
                )
                u, v, w, p = moved(u, v, w, p, is_revolute, turns[2, k], turns[0, k], turns[1, k])
                states[n, j, k], states[n, j + 1, k], states[n, j + 2, k] = u, v, w
                states[n, PLACE + i, k] = p
