"""Intersection of two triangles, in float64: the ends of a segment, or the corners of a polygon in one plane.

The triangles are known to intersect, but their positions are known up to rounding only. So nothing is derived from
signs alone. Each candidate for an end is measured, and counts if it is within rounding of both triangles. If none is,
rounding was larger than assumed, and the nearest candidate counts. `cut` is an entry point although kernels call it, so
that they need not compile it again.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.simplex import closest_on_segment

# Points closer to a triangle than this, relative to the largest coordinate, are on it.
NEAR = 64.0 * 2.0**-53
# During the search, out[at:] holds two ends, how many were found, and the square of the distance that counts as near.
FOUND, LIMIT = 6, 7
# Coordinates are scaled to the range of 1 / LARGE to LARGE: sixth powers of lengths occur.
LARGE = 2.0**100


@kernel(boundscheck=False)
def _square(x, y, z):
    """Return the square of a length."""
    return x * x + y * y + z * z


@kernel(boundscheck=False)
def _store(out, at, k, x, y, z):
    """Write point k and return the new number of points."""
    out[at + 3 * k], out[at + 3 * k + 1], out[at + 3 * k + 2] = x, y, z
    return k + 1


@kernel(boundscheck=False)
def _apart(out, at, i, x, y, z):
    """Return the squared distance from point i."""
    i = at + 3 * i
    return _square(out[i] - x, out[i + 1] - y, out[i + 2] - z)


@kernel(boundscheck=False)
def _between(ax, ay, az, bx, by, bz, a, b):
    """Return the point at height 0 on the segment from a to b, whose ends have the heights a and b."""
    if abs(a) > abs(b):
        ax, ay, az, bx, by, bz = bx, by, bz, ax, ay, az
        a, b = b, a
    t = a / (a - b)
    return ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az)


@kernel(boundscheck=False)
def _normal(px, py, pz, qx, qy, qz, rx, ry, rz):
    """Return a normal of a triangle, corners as from `_turned`; perpendicular to the longest edge, even of a sliver."""
    ux, uy, uz = qx - px, qy - py, qz - pz
    wx, wy, wz = rx - px, ry - py, rz - pz
    uu = _square(ux, uy, uz)
    if uu > 0.0:
        for _ in range(
            2
        ):  # the first pass leaves rounding of the long edge, as large as a thin triangle is high
            k = (wx * ux + wy * uy + wz * uz) / uu
            wx, wy, wz = wx - k * ux, wy - k * uy, wz - k * uz
    return uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx


@kernel(boundscheck=False)
def _offer(out, at, x, y, z, vx, vy, vz):
    """Accept a point of one triangle, v from the other, as an end if it is near it and far from the present ends."""
    if not _square(vx, vy, vz) <= out[at + LIMIT]:
        return
    if out[at + FOUND] == 0.0:
        _store(out, at, _store(out, at, 0, x, y, z), x, y, z)
    out[at + FOUND] += 1.0
    first, second = _apart(out, at, 0, x, y, z), _apart(out, at, 1, x, y, z)
    if max(first, second) > _apart(out, at, 0, out[at + 3], out[at + 4], out[at + 5]):
        _store(out, at, 1 if first >= second else 0, x, y, z)


@kernel(boundscheck=False)
def _turned(ax, ay, az, bx, by, bz, cx, cy, cz):
    """Return the corners of a triangle, those of its longest edge first."""
    a = _square(bx - cx, by - cy, bz - cz)
    b = _square(cx - ax, cy - ay, cz - az)
    c = _square(ax - bx, ay - by, az - bz)
    if a > b and a > c:
        return bx, by, bz, cx, cy, cz, ax, ay, az
    if b > c:
        return cx, cy, cz, ax, ay, az, bx, by, bz
    return ax, ay, az, bx, by, bz, cx, cy, cz


@kernel(boundscheck=False)
def _across(px, py, pz, qx, qy, qz, rx, ry, rz):
    """Return the ends of a triangle's section by the plane through the origin perpendicular to its longest edge pq."""
    ux, uy, uz = qx - px, qy - py, qz - pz
    wx, wy, wz = rx - px, ry - py, rz - pz
    s = -(px * ux + py * uy + pz * uz)
    t = wx * ux + wy * uy + wz * uz
    uu = _square(ux, uy, uz)
    if not (s > 0.0 and s < uu):
        return px, py, pz, px, py, pz
    k = s / uu
    fx, fy, fz = px + k * ux, py + k * uy, pz + k * uz
    if s < t:
        k = s / t
        return fx, fy, fz, px + k * wx, py + k * wy, pz + k * wz
    k = (uu - s) / (uu - t)
    return fx, fy, fz, qx + k * (rx - qx), qy + k * (ry - qy), qz + k * (rz - qz)


@kernel(boundscheck=False)
def _shortest_vector(x, y, z, px, py, pz, qx, qy, qz, rx, ry, rz):
    """Return the vector from a point to a triangle, corners as from `_turned`, valid if the point is near it.

    It is the shortest vector to an edge or, inside, to the section of the triangle there. It does not use the normal,
    which is inaccurate if the triangle is thin.
    """
    px, py, pz = px - x, py - y, pz - z
    qx, qy, qz = qx - x, qy - y, qz - z
    rx, ry, rz = rx - x, ry - y, rz - z
    fx, fy, fz, gx, gy, gz = _across(px, py, pz, qx, qy, qz, rx, ry, rz)
    _, _, vx, vy, vz = closest_on_segment(fx, fy, fz, gx, gy, gz)
    for _ in range(3):
        _, _, wx, wy, wz = closest_on_segment(px, py, pz, qx, qy, qz)
        if _square(wx, wy, wz) < _square(vx, vy, vz):
            vx, vy, vz = wx, wy, wz
        px, qx, rx = qx, rx, px
        py, qy, ry = qy, ry, py
        pz, qz, rz = qz, rz, pz
    return vx, vy, vz


@kernel(boundscheck=False)
def _offer_point(out, at, x, y, z, px, py, pz, qx, qy, qz, rx, ry, rz):
    """Offer a point of the other triangle as an end."""
    vx, vy, vz = _shortest_vector(x, y, z, px, py, pz, qx, qy, qz, rx, ry, rz)
    _offer(out, at, x, y, z, vx, vy, vz)


@kernel(boundscheck=False)
def _offer_crossing(out, at, ax, ay, az, bx, by, bz, px, py, pz, qx, qy, qz):
    """Offer the point of ab nearest to the line pq as an end.

    With u = b - a, v = q - p, r = p - a, n = u x v it is at s = (r x v) . n / n^2. With an angle w between the edges, s
    has an error of rounding / w, which moves the point off pq by rounding only.
    """
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = qx - px, qy - py, qz - pz
    rx, ry, rz = px - ax, py - ay, pz - az
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    gap = rx * nx + ry * ny + rz * nz
    if gap * gap > 2.0 * out[at + LIMIT] * _square(ux, uy, uz) * _square(vx, vy, vz):
        return
    nn = _square(nx, ny, nz)
    s = (ry * vz - rz * vy) * nx + (rz * vx - rx * vz) * ny + (rx * vy - ry * vx) * nz
    if s >= 0.0 and s <= nn and nn > 0.0:
        s /= nn
        x, y, z = ax + s * ux, ay + s * uy, az + s * uz
        _, _, vx, vy, vz = closest_on_segment(px - x, py - y, pz - z, qx - x, qy - y, qz - z)
        _offer(out, at, x, y, z, vx, vy, vz)


@kernel(boundscheck=False)
def _offer_edges(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz):
    """Offer the corners of the first triangle, and where its edges cross the plane and the edges of the second."""
    nx, ny, nz = _normal(px, py, pz, qx, qy, qz, rx, ry, rz)
    near = 4.0 * out[at + LIMIT] * _square(nx, ny, nz)
    for _ in range(3):
        a = nx * (ax - px) + ny * (ay - py) + nz * (az - pz)
        b = nx * (bx - px) + ny * (by - py) + nz * (bz - pz)
        if a * a <= near:
            _offer_point(out, at, ax, ay, az, px, py, pz, qx, qy, qz, rx, ry, rz)
        if min(a, b) < 0.0 and max(a, b) > 0.0:
            x, y, z = _between(ax, ay, az, bx, by, bz, a, b)
            _offer_point(out, at, x, y, z, px, py, pz, qx, qy, qz, rx, ry, rz)
        _offer_crossing(out, at, ax, ay, az, bx, by, bz, px, py, pz, qx, qy, qz)
        _offer_crossing(out, at, ax, ay, az, bx, by, bz, qx, qy, qz, rx, ry, rz)
        _offer_crossing(out, at, ax, ay, az, bx, by, bz, rx, ry, rz, px, py, pz)
        ax, bx, cx = bx, cx, ax
        ay, by, cy = by, cy, ay
        az, bz, cz = bz, cz, az


@kernel(boundscheck=False)
def _ends(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, near):
    """Write the ends of the intersection of two triangles; its greatest length if they are almost coplanar."""
    _store(out, at, 0, ax, ay, az)
    _store(out, at, 1, ax, ay, az)
    out[at + FOUND], out[at + LIMIT] = 0.0, near * near
    for _ in range(40):
        _offer_edges(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz)
        _offer_edges(out, at, px, py, pz, qx, qy, qz, rx, ry, rz, ax, ay, az, bx, by, bz, cx, cy, cz)
        if out[at + FOUND] > 0.0:
            break
        out[at + LIMIT] *= 16.0
    return 2


@kernel(boundscheck=False)
def _clip(out, at, n, wx, wy, wz, ox, oy, oz, near):
    """Clip a polygon of n points to the side above the plane perpendicular to w at o; return how many points are left.

    Sutherland and Hodgman, in place: a corner is read before the slot after it is written.
    """
    near *= abs(wx) + abs(wy) + abs(wz)
    x0, y0, z0 = out[at], out[at + 1], out[at + 2]
    first = wx * (x0 - ox) + wy * (y0 - oy) + wz * (z0 - oz)
    x, y, z = x0, y0, z0
    height = first
    m = 0
    for i in range(1, n + 1):
        qx, qy, qz = x0, y0, z0
        h = first
        if i < n:
            qx, qy, qz = out[at + 3 * i], out[at + 3 * i + 1], out[at + 3 * i + 2]
            h = wx * (qx - ox) + wy * (qy - oy) + wz * (qz - oz)
        if height >= -near and m <= i:
            m = _store(out, at, m, x, y, z)
        if min(height, h) < -near and max(height, h) > 0.0 and m <= i:
            x, y, z = _between(x, y, z, qx, qy, qz, height, h)
            m = _store(out, at, m, x, y, z)
        x, y, z = qx, qy, qz
        height = h
    return m


@kernel(boundscheck=False)
def _checked(out, at, n, px, py, pz, qx, qy, qz, rx, ry, rz, near):
    """Remove corners that coincide with the one before; return how many are left, 0 if one is off the triangle."""
    m = 0
    for i in range(n):
        x, y, z = out[at + 3 * i], out[at + 3 * i + 1], out[at + 3 * i + 2]
        vx, vy, vz = _shortest_vector(x, y, z, px, py, pz, qx, qy, qz, rx, ry, rz)
        if _square(vx, vy, vz) > near * near:
            return 0
        last = m > 0 and i == n - 1 and _apart(out, at, 0, x, y, z) <= near * near
        if m == 0 or (_apart(out, at, m - 1, x, y, z) > near * near and not last):
            m = _store(out, at, m, x, y, z)
    return m


@kernel(boundscheck=False)
def _polygon(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, near):
    """Write the part of the first triangle within the edges of the second, in one plane; return its corner count."""
    nx, ny, nz = _normal(px, py, pz, qx, qy, qz, rx, ry, rz)
    n = _store(out, at, _store(out, at, _store(out, at, 0, ax, ay, az), bx, by, bz), cx, cy, cz)
    for _ in range(3):
        ex, ey, ez = qx - px, qy - py, qz - pz
        n = _clip(out, at, n, ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex, px, py, pz, near)
        px, qx, rx = qx, rx, px
        py, qy, ry = qy, ry, py
        pz, qz, rz = qz, rz, pz
    return _checked(out, at, n, px, py, pz, qx, qy, qz, rx, ry, rz, 4.0 * near)


@kernel(boundscheck=False)
def _factor(size):
    """Return the power of two that scales coordinates up to `size` to the range of 1 / LARGE to LARGE."""
    f = 1.0
    while size > 0.0 and f * size < 1.0 / LARGE:
        f *= LARGE
    while f * size > LARGE:
        f /= LARGE
    return f


@kernel(f"int64({'float64, ' * 18}boolean, float64[::1], int64)", boundscheck=False)
def cut(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, coplanar, out, at):
    """Write the intersection of two triangles that intersect to out[at:], and return the number of points.

    Two points are the ends of a segment, equal if it is a single point. Three to six are the corners of a polygon, in
    order; only coplanar triangles have it. Both triangles are in one frame. There is space for six points.
    """
    size = max(
        max(abs(ax), abs(ay), abs(az), abs(bx), abs(by), abs(bz), abs(cx), abs(cy), abs(cz)),
        max(abs(px), abs(py), abs(pz), abs(qx), abs(qy), abs(qz), abs(rx), abs(ry), abs(rz)),
    )
    f = _factor(size)
    ax, ay, az, bx, by, bz, cx, cy, cz = _turned(
        f * ax, f * ay, f * az, f * bx, f * by, f * bz, f * cx, f * cy, f * cz
    )
    px, py, pz, qx, qy, qz, rx, ry, rz = _turned(
        f * px, f * py, f * pz, f * qx, f * qy, f * qz, f * rx, f * ry, f * rz
    )
    near = NEAR * f * size
    n = 0
    if coplanar:
        n = _polygon(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, near)
    if n < 3:
        n = _ends(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, near)
    for i in range(at, at + 3 * n):
        out[i] /= f
    return n
