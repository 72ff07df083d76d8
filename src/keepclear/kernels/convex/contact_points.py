"""Common points of the pairs of triangles that a search found."""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.trees.obb_pair import (
    HIT,
    STATE,
    corner_of_a,
    corner_of_b,
    leaves_meet,
    place,
    scene_size,
)
from keepclear.kernels.triangles.exact import COPLANAR, CROSS, SCRATCH
from keepclear.kernels.triangles.triangle_cut import cut

HIT_NUMBERS = 18  # numbers per hit: six points
# Heights below this fraction of a triangle's size, and sines of angles below it, are left to `cut`, which takes longer.
# Rounding moves a point along an edge by the rounding of coordinates times size / height: by 1e-13 at worst.
CLEAR = 1e-3


@kernel(inline=True, boundscheck=False)
def _passage(p, q, r, px, py, pz, qx, qy, qz, rx, ry, rz):
    """Return where two edges of a triangle cross height 0; p, q, r are its corners' heights, one alone on its side."""
    if (p > 0.0) == (r > 0.0):  # q alone
        p, q = q, p
        px, qx = qx, px
        py, qy = qy, py
        pz, qz = qz, pz
    elif (p > 0.0) == (q > 0.0):  # r alone
        p, r = r, p
        px, rx = rx, px
        py, ry = ry, py
        pz, rz = rz, pz
    s, t = p / (p - q), p / (p - r)
    return (
        px + s * (qx - px), py + s * (qy - py), pz + s * (qz - pz),
        px + t * (rx - px), py + t * (ry - py), pz + t * (rz - pz),
    )  # fmt: skip


@kernel(inline=True, boundscheck=False)
def _normal(ax, ay, az, bx, by, bz, cx, cy, cz):
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@kernel(boundscheck=False)
def _cut_clearly(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, far, out, at):
    """Write the ends of the common segment of two triangles that cross at a clear angle; return whether they do.

    Each triangle cuts the other's plane in a segment of the planes' common line: the ends are the inner two of four.
    """
    nx, ny, nz = _normal(ax, ay, az, bx, by, bz, cx, cy, cz)
    mx, my, mz = _normal(px, py, pz, qx, qy, qz, rx, ry, rz)
    p = nx * (px - ax) + ny * (py - ay) + nz * (pz - az)
    q = nx * (qx - ax) + ny * (qy - ay) + nz * (qz - az)
    r = nx * (rx - ax) + ny * (ry - ay) + nz * (rz - az)
    a = mx * (ax - px) + my * (ay - py) + mz * (az - pz)
    b = mx * (bx - px) + my * (by - py) + mz * (bz - pz)
    c = mx * (cx - px) + my * (cy - py) + mz * (cz - pz)
    dx, dy, dz = ny * mz - nz * my, nz * mx - nx * mz, nx * my - ny * mx
    nn, mm, dd = nx * nx + ny * ny + nz * nz, mx * mx + my * my + mz * mz, dx * dx + dy * dy + dz * dz
    size_a = abs(bx - ax) + abs(by - ay) + abs(bz - az) + abs(cx - ax) + abs(cy - ay) + abs(cz - az)
    size_b = abs(qx - px) + abs(qy - py) + abs(qz - pz) + abs(rx - px) + abs(ry - py) + abs(rz - pz)
    if not (
        dd > CLEAR * CLEAR * nn * mm
        and min(abs(p), abs(q), abs(r)) > CLEAR * math.sqrt(nn) * size_b
        and min(abs(a), abs(b), abs(c)) > CLEAR * math.sqrt(mm) * size_a
        # harmless (>): that they cross is known; only digits of the points depend on it
        # harmless (1e-9 * far): likewise
        and min(size_a, size_b) > 1e-9 * far
        and min(p, q, r) < 0.0
        and max(p, q, r) > 0.0
        and min(a, b, c) < 0.0
        and max(a, b, c) > 0.0
    ):
        return False
    x1, y1, z1, x2, y2, z2 = _passage(p, q, r, px, py, pz, qx, qy, qz, rx, ry, rz)
    x3, y3, z3, x4, y4, z4 = _passage(a, b, c, ax, ay, az, bx, by, bz, cx, cy, cz)
    if dx * (x2 - x1) + dy * (y2 - y1) + dz * (z2 - z1) < 0.0:
        x1, y1, z1, x2, y2, z2 = x2, y2, z2, x1, y1, z1
    if dx * (x4 - x3) + dy * (y4 - y3) + dz * (z4 - z3) < 0.0:
        x3, y3, z3, x4, y4, z4 = x4, y4, z4, x3, y3, z3
    if dx * (x3 - x1) + dy * (y3 - y1) + dz * (z3 - z1) > 0.0:
        x1, y1, z1 = x3, y3, z3
    if dx * (x4 - x2) + dy * (y4 - y2) + dz * (z4 - z2) < 0.0:
        x2, y2, z2 = x4, y4, z4
    if dx * (x2 - x1) + dy * (y2 - y1) + dz * (z2 - z1) < 0.0:
        return False
    out[at], out[at + 1], out[at + 2] = x1, y1, z1
    out[at + 3], out[at + 4], out[at + 5] = x2, y2, z2
    return True


@kernel(
    "void(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1], int32[::1],"
    " float64[::1], int32[::1])",
    allocates=True,
)
def cut_hits(SA, TA, SB, TB, X_WA, X_WB, hits, points, counts):
    """Write the corners of the intersection of each pair of triangles, in the world, to `points`, and their number.

    The kind of a hit with a negative kind is computed first.
    """
    digits, state = np.empty(SCRATCH, np.int64), np.zeros(STATE, np.int64)
    Q, M = np.empty(20), np.empty(24)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    last, far = -1, 0.0
    for h in range(counts.shape[0]):
        k, ta, tb = hits[HIT * h], hits[HIT * h + 1], hits[HIT * h + 2]
        if k != last:
            place(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, Q, M)
            last, far = k, scene_size(SA, SB, Q)
        ax, ay, az = corner_of_a(SA, TA, 3 * ta)
        bx, by, bz = corner_of_a(SA, TA, 3 * ta + 1)
        cx, cy, cz = corner_of_a(SA, TA, 3 * ta + 2)
        px, py, pz = corner_of_b(SB, TB, 3 * tb, Q)
        qx, qy, qz = corner_of_b(SB, TB, 3 * tb + 1, Q)
        rx, ry, rz = corner_of_b(SB, TB, 3 * tb + 2, Q)
        kind = hits[HIT * h + 3]
        if kind < 0:
            kind = leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits)
        n = 2
        if kind != CROSS or not _cut_clearly(
            ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, far, points, HIT_NUMBERS * h
        ):  # fmt: skip
            coplanar = kind == COPLANAR
            n = cut(
                ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, coplanar, points,
                HIT_NUMBERS * h,
            )  # fmt: skip
        counts[h] = n
        for i in range(HIT_NUMBERS * h, HIT_NUMBERS * h + 3 * n, 3):
            x, y, z = points[i], points[i + 1], points[i + 2]
            points[i] = M[0] * x + M[1] * y + M[2] * z + M[3]
            points[i + 1] = M[4] * x + M[5] * y + M[6] * z + M[7]
            points[i + 2] = M[8] * x + M[9] * y + M[10] * z + M[11]
