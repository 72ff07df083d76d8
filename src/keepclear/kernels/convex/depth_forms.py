"""Penetration depth of two cores in closed form: parallel cylinders, and boxes with each other."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.simplex import sliver_normal
from keepclear.kernels.convex.support import (
    BOX,
    CYLINDER,
    EXTENT,
    KIND,
    POINT,
    SEGMENT,
    SIZE_X,
    SIZE_Y,
    SIZE_Z,
)


@kernel
def parallel_cylinders(FA, FB, pose):
    """Return the depth and direction in closed form where A - B is an upright cylinder, exactly or nearly.

    The Minkowski sum of points, segments and cylinders with parallel axes is one cylinder; its nearest surface is the
    side or a cap. A polytope would need 70 000 faces for nine digits of the side.

    Returns:
        (found, depth, direction, error): error bounds the effect of a slight angle between the axes [m].
    """
    r02, r12, r22 = pose[2], pose[5], pose[8]
    px, py, pz = pose[9], pose[10], pose[11]
    ka, kb = int(FA[KIND]), int(FB[KIND])
    round_a, round_b = (
        ka == POINT or ka == SEGMENT or ka == CYLINDER,
        kb == POINT or kb == SEGMENT or kb == CYLINDER,
    )
    x, y, z = 0.0, 0.0, 1.0
    angle = 0.0
    if ka == POINT:
        x, y, z = r02, r12, r22
    elif kb != POINT:
        angle = math.sqrt(r02 * r02 + r12 * r12)
    # harmless (1e-9): cylinders that are not exactly parallel are then searched like other bodies
    if not (round_a and round_b) or angle > 1e-9:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0
    # The offset of B along the common axis, and perpendicular to it: s times the unit vector (ux, uy, uz).
    along = x * px + y * py + z * pz
    ux, uy, uz = px - along * x, py - along * y, pz - along * z
    s = math.sqrt(ux * ux + uy * uy + uz * uz)
    error = angle * (FA[EXTENT] + FB[EXTENT])
    # harmless (1e-12 * (FA[EXTENT] + FB[EXTENT])): the direction of a shorter offset is right too
    if s > 1e-12 * (FA[EXTENT] + FB[EXTENT]):
        ux, uy, uz = ux / s, uy / s, uz / s
    else:  # on the axis all perpendicular directions are equivalent: take one
        ux, uy, uz = (0.0, z, -y) if abs(x) <= 0.6 else (-z, 0.0, x)
        u = math.sqrt(ux * ux + uy * uy + uz * uz)
        ux, uy, uz = ux / u, uy / u, uz / u
        error += 2.0 * s
    side, cap = FA[SIZE_X] + FB[SIZE_X] - s, FA[SIZE_Z] + FB[SIZE_Z] - abs(along)
    if cap <= side:
        sign = 1.0 if along >= 0.0 else -1.0
        return True, cap, sign * x, sign * y, sign * z, error
    return True, side, ux, uy, uz, error


@kernel(inline=True, boundscheck=False)
def _store_edges(F, points, n, r00, r01, r02, r10, r11, r12, r20, r21, r22):
    """Append the half edges of a box or segment, rotated by r, to the rows of points; return their number."""
    if F[KIND] == BOX:
        points[n, 0], points[n, 1], points[n, 2] = F[SIZE_X] * r00, F[SIZE_X] * r10, F[SIZE_X] * r20
        points[n + 1, 0], points[n + 1, 1], points[n + 1, 2] = (
            F[SIZE_Y] * r01,
            F[SIZE_Y] * r11,
            F[SIZE_Y] * r21,
        )
        n += 2
    if F[KIND] != POINT:
        points[n, 0], points[n, 1], points[n, 2] = F[SIZE_Z] * r02, F[SIZE_Z] * r12, F[SIZE_Z] * r22
        n += 1
    return n


@kernel(boundscheck=False)
def box_axes(FA, FB, pose, points):
    """Return the depth and direction in closed form where A and B are boxes, segments or points, one of them a box.

    The edges of both span A - B, and each of its faces is spanned by two of them: 15 directions for two boxes (the
    separating axes of Gottschalk, Lin and Manocha, 1996), 6 for a box and a segment, 3 for a box and a point.
    """
    ka, kb = int(FA[KIND]), int(FB[KIND])
    if not (ka <= BOX and kb <= BOX and (ka == BOX or kb == BOX)):
        return False, 0.0, 0.0, 0.0, 0.0
    r00, r01, r02, r10, r11, r12, r20, r21, r22, px, py, pz = pose
    n = _store_edges(FA, points, 0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    n = _store_edges(FB, points, n, r00, r01, r02, r10, r11, r12, r20, r21, r22)
    depth = math.inf
    bx, by, bz = 1.0, 0.0, 0.0
    for i in range(n):
        ux, uy, uz = points[i, 0], points[i, 1], points[i, 2]
        for j in range(i):
            vx, vy, vz = points[j, 0], points[j, 1], points[j, 2]
            x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            nn = x * x + y * y + z * z
            # harmless (1e-30 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)): each bounds the depth
            if nn <= 1e-30 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
                continue  # parallel to rounding: a face that others span as well, within the slack of `least`
            if nn < 1e-4 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
                x, y, z = sliver_normal(x, y, z, ux, uy, uz, vx, vy, vz)
                nn = x * x + y * y + z * z
            along = x * px + y * py + z * pz
            height = -abs(along)
            for k in range(n):
                height += abs(x * points[k, 0] + y * points[k, 1] + z * points[k, 2])
            length = math.sqrt(nn)
            if height < depth * length:
                sign = 1.0 if along >= 0.0 else -1.0
                depth = height / length
                bx, by, bz = sign * x / length, sign * y / length, sign * z / length
    return True, depth, bx, by, bz
