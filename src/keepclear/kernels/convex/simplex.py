"""Point of a segment, triangle or tetrahedron nearest to the origin, with the weights of its corners."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel


@kernel(inline=True, boundscheck=False)
def closest_on_segment(ax, ay, az, bx, by, bz):
    """Return the closest point of a segment to the origin: weights of its ends, and the point."""
    ex, ey, ez = bx - ax, by - ay, bz - az
    t = -(ax * ex + ay * ey + az * ez)
    ee = ex * ex + ey * ey + ez * ez
    if t <= 0.0:
        return 1.0, 0.0, ax, ay, az
    if t >= ee:
        return 0.0, 1.0, bx, by, bz
    t /= ee
    s = 1.0 - t
    if t <= 0.5:
        px, py, pz = ax + t * ex, ay + t * ey, az + t * ez
    else:
        px, py, pz = bx - s * ex, by - s * ey, bz - s * ez
    # A short p is no longer perpendicular to the edge because of rounding; restore that, for the plane perpendicular to
    # p at far corners.
    q = (px * ex + py * ey + pz * ez) / ee
    return s, t, px - q * ex, py - q * ey, pz - q * ez


@kernel(inline=True, boundscheck=False)
def _square_to(nx, ny, nz, ex, ey, ez):
    """Return n without its component along e."""
    q = (nx * ex + ny * ey + nz * ez) / (ex * ex + ey * ey + ez * ez)
    return nx - q * ex, ny - q * ey, nz - q * ez


@kernel
def sliver_normal(nx, ny, nz, ux, uy, uz, vx, vy, vz):
    """Return the normal n of a thin triangle, made perpendicular to its edges u and v again."""
    if ux * ux + uy * uy + uz * uz < vx * vx + vy * vy + vz * vz:
        ux, uy, uz, vx, vy, vz = vx, vy, vz, ux, uy, uz
    vx, vy, vz = _square_to(vx, vy, vz, ux, uy, uz)
    nx, ny, nz = _square_to(nx, ny, nz, ux, uy, uz)
    return _square_to(nx, ny, nz, vx, vy, vz)


@kernel
def _refined(ux, uy, uz, vx, vy, vz, rx, ry, rz, lb, lc):
    """Return weights whose sum moves by r in the plane of the edges u = b - a and v = c - a."""
    swap = ux * ux + uy * uy + uz * uz < vx * vx + vy * vy + vz * vz
    if swap:
        ux, uy, uz, vx, vy, vz = vx, vy, vz, ux, uy, uz
    uu = ux * ux + uy * uy + uz * uz
    q = (ux * vx + uy * vy + uz * vz) / uu
    hx, hy, hz = _square_to(vx, vy, vz, ux, uy, uz)
    second = (rx * hx + ry * hy + rz * hz) / (hx * hx + hy * hy + hz * hz)
    first = (rx * ux + ry * uy + rz * uz) / uu - second * q
    if swap:
        first, second = second, first
    lb, lc = max(0.0, lb + first), max(0.0, lc + second)
    la = max(0.0, 1.0 - lb - lc)
    total = 1.0 / (la + lb + lc)
    return la * total, lb * total, lc * total


@kernel(inline=True, boundscheck=False)
def _combined(px, py, pz, la, lb, lc, ax, ay, az, bx, by, bz, cx, cy, cz):
    """Return p minus the weighted sum of three points."""
    return (
        px - (la * ax + lb * bx + lc * cx),
        py - (la * ay + lb * by + lc * cy),
        pz - (la * az + lb * bz + lc * cz),
    )


@kernel
def closest_on_triangle(ax, ay, az, bx, by, bz, cx, cy, cz):
    """Return the closest point of a triangle to the origin: weights of its corners, and the point.

    Inside, it is the normal times a number. That and the weighted sum of the corners must agree. Where they do not, the
    triangle is so thin that rounding determines its normal, and the best of its edges is as good.
    """
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    # Weights times nn: n . (b x c) and so on, the signed areas viewed from the origin.
    wa = nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx)
    wb = nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)
    wc = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx)
    if wa > 0.0 and wb > 0.0 and wc > 0.0 and nn > 0.0:
        far = ax * ax + ay * ay + az * az
        total = 1.0 / (wa + wb + wc)
        la, lb, lc = wa * total, wb * total, wc * total
        if nn > 1e-6 * far * far and nn > 1e-4 * (ux * ux + uy * uy + uz * uz) * (
            vx * vx + vy * vy + vz * vz
        ):
            s = (nx * ax + ny * ay + nz * az) / nn
            return la, lb, lc, s * nx, s * ny, s * nz
        nx, ny, nz = sliver_normal(nx, ny, nz, ux, uy, uz, vx, vy, vz)
        s = (nx * ax + ny * ay + nz * az) / (nx * nx + ny * ny + nz * nz)
        px, py, pz = s * nx, s * ny, s * nz
        x, y, z = _combined(px, py, pz, la, lb, lc, ax, ay, az, bx, by, bz, cx, cy, cz)
        # harmless (1e-28 * far): weights are refined more often
        if x * x + y * y + z * z > 1e-28 * far:
            la, lb, lc = _refined(ux, uy, uz, vx, vy, vz, x, y, z, lb, lc)
            x, y, z = _combined(px, py, pz, la, lb, lc, ax, ay, az, bx, by, bz, cx, cy, cz)
        if x * x + y * y + z * z <= 1e-24 * far:
            return la, lb, lc, px, py, pz
        wa, wb, wc = 0.0, 0.0, 0.0
    # On an edge: the best of those that have the origin on their outer side.
    best, la, lb = math.inf, 1.0, 0.0
    lc, px, py = 0.0, ax, ay
    pz = az
    if wc <= 0.0:
        s, t, px, py, pz = closest_on_segment(ax, ay, az, bx, by, bz)
        best, la, lb = px * px + py * py + pz * pz, s, t
        lc = 0.0
    if wb <= 0.0:
        s, t, x, y, z = closest_on_segment(ax, ay, az, cx, cy, cz)
        if x * x + y * y + z * z < best:
            best, la, lb = x * x + y * y + z * z, s, 0.0
            lc, px, py = t, x, y
            pz = z
    if wa <= 0.0:
        s, t, x, y, z = closest_on_segment(bx, by, bz, cx, cy, cz)
        if x * x + y * y + z * z < best:
            la, lb, lc = 0.0, s, t
            px, py, pz = x, y, z
    return la, lb, lc, px, py, pz


@kernel(inline=True, boundscheck=False)
def closest_on_tetrahedron(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz, limit, apart):
    """Return the point of a tetrahedron closest to the origin: (-1, ...) inside, else corner left out, weights, point.

    The newest corner d is part of every closest feature, so only the three faces around it are tested: those that have
    the origin and the fourth corner on different sides, or all if the tetrahedron is too flat to decide.
    """
    ux, uy, uz = ax - dx, ay - dy, az - dz
    vx, vy, vz = bx - dx, by - dy, bz - dz
    wx, wy, wz = cx - dx, cy - dy, cz - dz
    ix, iy, iz = vy * wz - vz * wy, vz * wx - vx * wz, vx * wy - vy * wx  # normal of b, c, d
    jx, jy, jz = wy * uz - wz * uy, wz * ux - wx * uz, wx * uy - wy * ux  # of c, a, d
    kx, ky, kz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx  # of a, b, d
    volume = ux * ix + uy * iy + uz * iz
    # harmless (1e-28 * (ix * ix + iy * iy + iz * iz) * (ux * ux + uy * uy + uz * uz)): callers prove what is inside
    flat = volume * volume <= 1e-28 * (ix * ix + iy * iy + iz * iz) * (ux * ux + uy * uy + uz * uz)
    best, out, inside = math.inf, -1, False
    l1, l2, l3 = 0.0, 0.0, 0.0
    px, py, pz = 0.0, 0.0, 0.0
    for _ in range(2):
        if flat or not volume * (ix * dx + iy * dy + iz * dz) < 0.0:
            l1, l2, l3, px, py, pz = closest_on_triangle(bx, by, bz, cx, cy, cz, dx, dy, dz)
            best, out = px * px + py * py + pz * pz, 0
        if flat or not volume * (jx * dx + jy * dy + jz * dz) < 0.0:
            m1, m2, m3, x, y, z = closest_on_triangle(ax, ay, az, cx, cy, cz, dx, dy, dz)
            if x * x + y * y + z * z < best:
                best, out = x * x + y * y + z * z, 1
                l1, l2, l3 = m1, m2, m3
                px, py, pz = x, y, z
        if flat or not volume * (kx * dx + ky * dy + kz * dz) < 0.0:
            m1, m2, m3, x, y, z = closest_on_triangle(ax, ay, az, bx, by, bz, dx, dy, dz)
            if x * x + y * y + z * z < best:
                best, out = x * x + y * y + z * z, 2
                l1, l2, l3 = m1, m2, m3
                px, py, pz = x, y, z
        # harmless (<=): the search continues from another face; planes and points prove its bounds
        if flat or (out >= 0 and best <= limit * limit):
            break
        inside = out < 0 and not apart
        flat = True  # test all faces: the nearest one if inside, or because rounding chose among them
    return inside, out, l1, l2, l3, px, py, pz
