"""Bounds on the fourth derivative of the paths of a body's points, on which the error of cubic paths depends."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.motion.rows import jointed_of, motion_of, rigid_of
from keepclear.kernels.motion.state import ROUND_UP, check_rigid, is_affine, is_rigid, is_still
from keepclear.kernels.tables.motion import CUBIC, JOINTED, SCREW


@kernel(inline=True, boundscheck=False)
def _norm(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel(boundscheck=False)
def fourth_derivative(Q, k, extent):
    """Bound the fourth derivative of the paths of a body's points up to `extent` from its origin, in a segment."""
    kind = motion_of(Q).kind
    if kind == CUBIC:
        return 0.0
    if kind == JOINTED:
        return jointed_of(Q, k).fourth_p + jointed_of(Q, k).fourth_R * extent
    check_rigid(kind)
    segment = rigid_of(Q, k)
    w, v, o = segment.w, segment.v, segment.o
    square, push = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], 0.0
    if kind == SCREW:
        push = _norm(w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2], w[0] * v[1] - w[1] * v[0])
    away = _norm(o[0], o[1], o[2])
    return square * (square * (extent + away) + push)


@kernel(boundscheck=False)
def _derivatives(Q, k, cx, cy, cz, radius, out):
    """Write bounds on the first four derivatives of the paths of a rigid body's points within `radius` of c."""
    out[0], out[1], out[2], out[3] = 0.0, 0.0, 0.0, 0.0
    if is_still(Q, k):
        return
    segment = rigid_of(Q, k)
    R, v, o = segment.R, segment.v, segment.o
    wx, wy, wz = segment.w[0], segment.w[1], segment.w[2]
    w = _norm(wx, wy, wz)
    cx, cy, cz = cx + o[0], cy + o[1], cz + o[2]
    x = R[0, 0] * cx + R[0, 1] * cy + R[0, 2] * cz
    y = R[1, 0] * cx + R[1, 1] * cy + R[1, 2] * cz
    z = R[2, 0] * cx + R[2, 1] * cy + R[2, 2] * cz
    x, y, z = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
    if motion_of(Q).kind == SCREW:
        # The velocity rotates about the axis: each derivative is the component perpendicular to the axis, times w once
        # more.
        x, y, z = x + v[0], y + v[1], z + v[2]
        out[0] = _norm(x, y, z) + w * radius
    else:
        out[0] = _norm(v[0], v[1], v[2]) + _norm(x, y, z) + w * radius
    across = _norm(wy * z - wz * y, wz * x - wx * z, wx * y - wy * x) + w * w * radius
    out[1], out[2], out[3] = across, w * across, w * w * across


@kernel(boundscheck=False)
def translates(Q, k):
    """Return whether a body, in segment k of its motion, rests or translates at constant velocity.

    In the frame of such a body a bound on the fourth derivative is known, and is better than one on the acceleration
    until the other body turns by several radians in one interval.
    """
    if is_still(Q, k):
        return True
    if not is_rigid(Q):
        return False
    w = rigid_of(Q, k).w
    return w[0] == 0.0 and w[1] == 0.0 and w[2] == 0.0


@kernel(boundscheck=False)
def fourth_bound(QA, ka, QB, kb, Zs, at, h, cx, cy, cz, radius, out):
    """Bound the fourth derivative in A's frame of the paths of B's points within `radius` of c.

    While A translates at constant velocity, it is that of B in the world, whatever B's kind. For two rigid motions it
    is the fourth derivative of a product, z = R_A^T y: the sum of binomials times w_A^k times the bound on y's
    derivative of order 4 - k. The vector y goes from A's origin to the point.

    Args:
        Zs: Holds the relative pose at one end of the interval, at `at`.
        h: Length of the interval [s].
        out: Scratch of 8 numbers.

    Returns:
        The bound, infinite where none is known.
    """
    still = is_still(QB, kb)
    if translates(QA, ka):
        if is_affine(QB) and not still:
            return 0.0
        if still or is_rigid(QB):
            _derivatives(QB, kb, cx, cy, cz, radius, out)
            found = out[3]
        else:
            found = fourth_derivative(QB, kb, _norm(cx, cy, cz) + radius)
        # harmless (ROUND_UP): `missed_by` rounds up by as much once more, and 20 operations round by 20 u
        return found / motion_of(QA).smallest * ROUND_UP
    if not is_rigid(QA) or is_affine(QB) or not (still or is_rigid(QB)):
        return math.inf
    w = _norm(rigid_of(QA, ka).w[0], rigid_of(QA, ka).w[1], rigid_of(QA, ka).w[2])
    _derivatives(QB, kb, cx, cy, cz, radius, out)
    _derivatives(QA, ka, 0.0, 0.0, 0.0, 0.0, out[4:])
    x = Zs[at] * cx + Zs[at + 1] * cy + Zs[at + 2] * cz + Zs[at + 3]
    y = Zs[at + 4] * cx + Zs[at + 5] * cy + Zs[at + 6] * cz + Zs[at + 7]
    z = Zs[at + 8] * cx + Zs[at + 9] * cy + Zs[at + 10] * cz + Zs[at + 11]
    first = out[0] + out[4]
    away = _norm(x, y, z) + radius + h * first
    found = w * (w * (w * (w * away + 4.0 * first) + 6.0 * (out[1] + out[5])) + 4.0 * (out[2] + out[6]))
    # harmless (ROUND_UP): `missed_by` rounds up by as much once more, and 60 operations round by 60 u
    return (found + out[3] + out[7]) * ROUND_UP
