"""Closest points of two triangles that do not intersect, with a lower bound on their distance."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.simplex import closest_on_triangle

# Output of `closest`: squared distance, point of the first, vector from it to the second, certified lower bound.
SQUARE, POINT, GAP, LOWER, RESULT = 0, 1, 4, 7, 8


@kernel(inline=True, boundscheck=False)
def _extremes(ax, ay, az, bx, by, bz, cx, cy, cz, nx, ny, nz):
    """Return the least and the largest of n . a, n . b, n . c."""
    p, q, r = nx * ax + ny * ay + nz * az, nx * bx + ny * by + nz * bz, nx * cx + ny * cy + nz * cz
    return min(p, q, r), max(p, q, r)


@kernel(inline=True, boundscheck=False)
def gap_along(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, nx, ny, nz):
    """Return how far p, q, r are beyond a, b, c along the unit vector n."""
    _, far = _extremes(0.0, 0.0, 0.0, bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az, nx, ny, nz)
    near, _ = _extremes(
        px - ax, py - ay, pz - az, qx - ax, qy - ay, qz - az, rx - ax, ry - ay, rz - az, nx, ny, nz
    )
    return near - far


@kernel(inline=True, boundscheck=False)
def plane_gap(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, sign, W):
    """Return how far p, q, r are from the plane of a, b, c on one side of it; 0 if on both sides, or without a plane.

    The vector from the plane to them, times `sign`, is written to W as the gap (of any length).
    """
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    least, largest = _extremes(
        px - ax, py - ay, pz - az, qx - ax, qy - ay, qz - az, rx - ax, ry - ay, rz - az, nx, ny, nz
    )
    gap = max(least, -largest)
    if largest < 0.0:
        sign = -sign
    W[GAP], W[GAP + 1], W[GAP + 2] = sign * nx, sign * ny, sign * nz
    # A sliver's normal has a large rounding error: cases that are then uncertain are left to `closest`.
    long = (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)
    return gap / math.sqrt(nn) if gap > 0.0 and nn > 1e-6 * long else 0.0


@kernel(boundscheck=False)
def _from_corner(x, y, z, ax, ay, az, bx, by, bz, cx, cy, cz, sign, W):
    """Store the vector from the corner (x, y, z) to the triangle a, b, c if it is shorter than the one in W."""
    _, _, _, vx, vy, vz = closest_on_triangle(
        ax - x, ay - y, az - z, bx - x, by - y, bz - z, cx - x, cy - y, cz - z
    )
    square = vx * vx + vy * vy + vz * vz
    if square < W[SQUARE]:
        W[SQUARE] = square
        if sign > 0.0:
            W[POINT], W[POINT + 1], W[POINT + 2] = x, y, z
        else:
            W[POINT], W[POINT + 1], W[POINT + 2] = x + vx, y + vy, z + vz
        W[GAP], W[GAP + 1], W[GAP + 2] = sign * vx, sign * vy, sign * vz


@kernel(boundscheck=False)
def _between_edges(ax, ay, az, bx, by, bz, px, py, pz, qx, qy, qz, W):
    """Store the vector between the interiors of the edges ab and pq if it is shorter than the one in W.

    With u = b - a, v = q - p, r = p - a and n = u x v the positions along the edges are s = (r x v) . n / n^2 and
    t = (r x u) . n / n^2. At an angle w rounding turns n by u / w, so r . n alone is not a distance: the gap is
    measured between points of the edges. An s with an error of u / w changes the gap by u, since the edges diverge by w
    along it.
    """
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = qx - px, qy - py, qz - pz
    rx, ry, rz = px - ax, py - ay, pz - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    if not nn > 0.0:
        return  # parallel: some corner is as close
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    rn = rx * nx + ry * ny + rz * nz
    s = (ry * vz - rz * vy) * nx + (rz * vx - rx * vz) * ny + (rx * vy - ry * vx) * nz
    # harmless (1e-6 * uu * vv): gaps are measured between points of edges, and planes prove the lower bound
    crossed = nn > 1e-6 * uu * vv
    if crossed:
        t = (ry * uz - rz * uy) * nx + (rz * ux - rx * uz) * ny + (rx * uy - ry * ux) * nz
        if not (rn * rn < W[SQUARE] * nn and s >= 0.0 and s <= nn and t >= 0.0 and t <= nn):
            return
    s = min(max(s / nn, 0.0), 1.0)
    t = min(max(((s * ux - rx) * vx + (s * uy - ry) * vy + (s * uz - rz) * vz) / vv, 0.0), 1.0)
    s = min(max(((t * vx + rx) * ux + (t * vy + ry) * uy + (t * vz + rz) * uz) / uu, 0.0), 1.0)
    gx, gy, gz = rx + t * vx - s * ux, ry + t * vy - s * uy, rz + t * vz - s * uz
    square = gx * gx + gy * gy + gz * gz
    if not square < W[SQUARE]:
        return
    if crossed:  # the same length along n, whose direction is better than that of a short difference
        f = math.sqrt(square / nn) * (1.0 if rn >= 0.0 else -1.0)
        gx, gy, gz = f * nx, f * ny, f * nz
    W[SQUARE] = square
    W[POINT], W[POINT + 1], W[POINT + 2] = ax + s * ux, ay + s * uy, az + s * uz
    W[GAP], W[GAP + 1], W[GAP + 2] = gx, gy, gz


@kernel(boundscheck=False)
def closest(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, W):
    """Write the closest points of two triangles that do not intersect to W.

    Two such triangles are closest between a corner and the other triangle, or between the interiors of two edges: the
    minimum of these fifteen is the distance. The planes perpendicular to the gap at its ends then prove it: no corner
    of the first triangle is beyond the first plane, none of the second is before the second plane, and the distance of
    the planes is the lower bound.
    """
    W[SQUARE] = math.inf
    _from_corner(ax, ay, az, px, py, pz, qx, qy, qz, rx, ry, rz, 1.0, W)
    _from_corner(bx, by, bz, px, py, pz, qx, qy, qz, rx, ry, rz, 1.0, W)
    _from_corner(cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, 1.0, W)
    _from_corner(px, py, pz, ax, ay, az, bx, by, bz, cx, cy, cz, -1.0, W)
    _from_corner(qx, qy, qz, ax, ay, az, bx, by, bz, cx, cy, cz, -1.0, W)
    _from_corner(rx, ry, rz, ax, ay, az, bx, by, bz, cx, cy, cz, -1.0, W)
    for _ in range(3):
        _between_edges(ax, ay, az, bx, by, bz, px, py, pz, qx, qy, qz, W)
        _between_edges(ax, ay, az, bx, by, bz, qx, qy, qz, rx, ry, rz, W)
        _between_edges(ax, ay, az, bx, by, bz, rx, ry, rz, px, py, pz, W)
        ax, bx, cx = bx, cx, ax
        ay, by, cy = by, cy, ay
        az, bz, cz = bz, cz, az
    length = math.sqrt(W[SQUARE])
    W[LOWER] = 0.0
    if length > 0.0:
        nx, ny, nz = W[GAP] / length, W[GAP + 1] / length, W[GAP + 2] / length
        x, y, z = W[POINT], W[POINT + 1], W[POINT + 2]
        _, far = _extremes(ax - x, ay - y, az - z, bx - x, by - y, bz - z, cx - x, cy - y, cz - z, nx, ny, nz)
        near, _ = _extremes(
            px - x, py - y, pz - z, qx - x, qy - y, qz - z, rx - x, ry - y, rz - z, nx, ny, nz
        )
        W[LOWER] = max(0.0, min(near - far, length))
