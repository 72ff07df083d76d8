"""What two triangles have in common, in float64: the ends of a segment, or the corners of a polygon in one plane.

The triangles are known to meet; no decision is taken here, so points within rounding of a triangle count as part
of it, and there is always a point to return. `cut` is an entry point although kernels call it, so that they need
not compile it again.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel

# Points closer to a plane or an edge than this, relative to the largest coordinate, lie in it.
NEAR = 64.0 * 2.0**-53
# A triangle whose height is below this part of its longest edge is cut as the segment that it nearly is.
NEEDLE = 1e-12
# Segments at an angle below this are cut as parts of one line.
PARALLEL = 1e-9


@kernel(boundscheck=False)
def _store(out, at, k, x, y, z):
    """Write point k and return how many there are then."""
    out[at + 3 * k], out[at + 3 * k + 1], out[at + 3 * k + 2] = x, y, z
    return k + 1


@kernel(boundscheck=False)
def _between(out, at, k, ax, ay, az, bx, by, bz, a, b):
    """Write, as point k, where the segment from a to b passes height 0 between the heights a and b."""
    if abs(a) > abs(b):
        ax, ay, az, bx, by, bz = bx, by, bz, ax, ay, az
        a, b = b, a
    t = a / (a - b)
    return _store(out, at, k, ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az))


@kernel(boundscheck=False)
def _clip(out, at, n, wx, wy, wz, ox, oy, oz, near):
    """Keep of n points, a polygon or a segment, what is above the plane across w at o; return how many are left.

    Sutherland and Hodgman, in place: a corner is read before the place behind it is written. If all is below, the
    highest corner stays.
    """
    near *= abs(wx) + abs(wy) + abs(wz)
    x0, y0, z0 = out[at], out[at + 1], out[at + 2]
    first = wx * (x0 - ox) + wy * (y0 - oy) + wz * (z0 - oz)
    x, y, z = x0, y0, z0
    height, best = first, first
    hx, hy, hz = x, y, z
    m = 0
    for i in range(1, n + 1):
        qx, qy, qz = x0, y0, z0
        h = first
        if i < n:
            qx, qy, qz = out[at + 3 * i], out[at + 3 * i + 1], out[at + 3 * i + 2]
            h = wx * (qx - ox) + wy * (qy - oy) + wz * (qz - oz)
        if h > best:
            best, hx, hy = h, qx, qy
            hz = qz
        if height >= -near and m <= i:
            m = _store(out, at, m, x, y, z)
        if (height < -near) != (h < -near) and (height < 0.0) != (h < 0.0) and m <= i and (n > 2 or i < n):
            m = _between(out, at, m, x, y, z, qx, qy, qz, height, h)
        x, y, z = qx, qy, qz
        height = h
    return m if m > 0 else _store(out, at, 0, hx, hy, hz)


@kernel(boundscheck=False)
def _chord(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, a, b, c, near):
    """Write the part of a triangle at height 0, for the heights of its corners; return how many points it has."""
    n = 0
    for _ in range(3):
        if abs(a) <= near:
            n = _store(out, at, n, ax, ay, az)
        elif abs(b) > near and (a < 0.0) != (b < 0.0):
            n = _between(out, at, n, ax, ay, az, bx, by, bz, a, b)
        ax, bx, cx = bx, cx, ax
        ay, by, cy = by, cy, ay
        az, bz, cz = bz, cz, az
        a, b, c = b, c, a
    if n > 0:
        return n
    if abs(b) < min(abs(a), abs(c)):
        return _store(out, at, 0, bx, by, bz)
    return _store(out, at, 0, ax, ay, az) if abs(a) <= abs(c) else _store(out, at, 0, cx, cy, cz)


@kernel(boundscheck=False)
def _square(x, y, z):
    """Return the square of a length."""
    return x * x + y * y + z * z


@kernel(boundscheck=False)
def _turned(ax, ay, az, bx, by, bz, cx, cy, cz):
    """Return the corners of a triangle, the one opposite its longest edge first."""
    a = _square(bx - cx, by - cy, bz - cz)
    b = _square(cx - ax, cy - ay, cz - az)
    c = _square(ax - bx, ay - by, az - bz)
    if b > a and b >= c:
        return bx, by, bz, cx, cy, cz, ax, ay, az
    if c > a and c > b:
        return cx, cy, cz, ax, ay, az, bx, by, bz
    return ax, ay, az, bx, by, bz, cx, cy, cz


@kernel(boundscheck=False)
def _flatness(ax, ay, az, bx, by, bz, cx, cy, cz):
    """Return the square of height over longest edge, of a triangle turned; 0 for a point."""
    ex, ey, ez = bx - ax, by - ay, bz - az
    fx, fy, fz = cx - ax, cy - ay, cz - az
    longest = _square(bx - cx, by - cy, bz - cz)
    area = _square(ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx)
    return area / (longest * longest) if longest * longest > 0.0 else 0.0


@kernel(boundscheck=False)
def _cut_by_triangle(
    ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, coplanar, near, out, at
):
    """Write what is left of the first triangle in the plane and between the edges of the second, turned."""
    ex, ey, ez = qx - px, qy - py, qz - pz
    fx, fy, fz = rx - px, ry - py, rz - pz
    nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
    if coplanar:
        n = _chord(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, 0.0, 0.0, 0.0, 1.0)
    else:
        a = nx * (ax - px) + ny * (ay - py) + nz * (az - pz)
        b = nx * (bx - px) + ny * (by - py) + nz * (bz - pz)
        c = nx * (cx - px) + ny * (cy - py) + nz * (cz - pz)
        small = near * (abs(nx) + abs(ny) + abs(nz))
        n = _chord(out, at, ax, ay, az, bx, by, bz, cx, cy, cz, a, b, c, small)
    n = _clip(out, at, n, ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex, px, py, pz, near)
    n = _clip(out, at, n, nz * fy - ny * fz, nx * fz - nz * fx, ny * fx - nx * fy, px, py, pz, near)
    ex, ey, ez = fx - ex, fy - ey, fz - ez
    return _clip(out, at, n, ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex, qx, qy, qz, near)


@kernel(boundscheck=False)
def _cut_by_segment(bx, by, bz, cx, cy, cz, qx, qy, qz, rx, ry, rz, near, out, at):
    """Write what the segment bc has in common with qr, which is longer."""
    n = _store(out, at, _store(out, at, 0, bx, by, bz), cx, cy, cz)
    dx, dy, dz = rx - qx, ry - qy, rz - qz
    ux, uy, uz = cx - bx, cy - by, cz - bz
    dd = _square(dx, dy, dz)
    if dd > 0.0:
        t = (ux * dx + uy * dy + uz * dz) / dd
        wx, wy, wz = ux - t * dx, uy - t * dy, uz - t * dz
        if _square(wx, wy, wz) > PARALLEL * PARALLEL * _square(ux, uy, uz):
            n = _clip(out, at, n, wx, wy, wz, qx, qy, qz, near)
            n = _clip(out, at, n, -wx, -wy, -wz, qx, qy, qz, near)
        n = _clip(out, at, n, dx, dy, dz, qx, qy, qz, near)
        n = _clip(out, at, n, -dx, -dy, -dz, rx, ry, rz, near)
    return n


@kernel(boundscheck=False)
def _apart(out, at, i, j):
    """Return the square of the distance of two points."""
    i, j = at + 3 * i, at + 3 * j
    return _square(out[i] - out[j], out[i + 1] - out[j + 1], out[i + 2] - out[j + 2])


@kernel(boundscheck=False)
def _ends(out, at, n):
    """Leave two points of n, those farthest apart; the first alone is both."""
    first, second, best = 0, 0, -1.0
    for i in range(n):
        for j in range(i):
            if _apart(out, at, i, j) > best:
                first, second, best = j, i, _apart(out, at, i, j)
    first, second = at + 3 * first, at + 3 * second
    x, y, z = out[second], out[second + 1], out[second + 2]
    _store(out, at, 0, out[first], out[first + 1], out[first + 2])
    return _store(out, at, 1, x, y, z)


@kernel(boundscheck=False)
def _merged(out, at, n, near):
    """Leave out corners that are where the one before is; return how many are left."""
    m = 1
    for i in range(1, n):
        if _apart(out, at, i, m - 1) > near * near and (i < n - 1 or _apart(out, at, i, 0) > near * near):
            k = at + 3 * i
            m = _store(out, at, m, out[k], out[k + 1], out[k + 2])
    return m


@kernel(boundscheck=False)
def _cut(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, coplanar, out, at):
    """Cut the first triangle by the second, which has the better plane, or, if none has one, is longer."""
    near = NEAR * max(
        max(abs(ax), abs(ay), abs(az), abs(bx), abs(by), abs(bz), abs(cx), abs(cy), abs(cz)),
        max(abs(px), abs(py), abs(pz), abs(qx), abs(qy), abs(qz), abs(rx), abs(ry), abs(rz)),
    )
    if _flatness(px, py, pz, qx, qy, qz, rx, ry, rz) < NEEDLE * NEEDLE:
        n = _cut_by_segment(bx, by, bz, cx, cy, cz, qx, qy, qz, rx, ry, rz, near, out, at)
    else:
        n = _cut_by_triangle(
            ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, coplanar, near, out, at
        )
    if coplanar and n > 2:
        m = _merged(out, at, n, 4.0 * near)
        if m > 2:
            return m
    return _ends(out, at, n)


@kernel(f"int64({'float64, ' * 18}boolean, float64[::1], int64)", boundscheck=False)
def cut(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, coplanar, out, at):
    """Write what two triangles that meet have in common to out[at:], and return how many points.

    Two points are the ends of a segment, equal where it is a single point. Three to six are the corners of a
    polygon, in order; only coplanar triangles have it. Both are in one frame. There is room for six points.
    """
    ax, ay, az, bx, by, bz, cx, cy, cz = _turned(ax, ay, az, bx, by, bz, cx, cy, cz)
    px, py, pz, qx, qy, qz, rx, ry, rz = _turned(px, py, pz, qx, qy, qz, rx, ry, rz)
    a, p = _flatness(ax, ay, az, bx, by, bz, cx, cy, cz), _flatness(px, py, pz, qx, qy, qz, rx, ry, rz)
    if max(a, p) < NEEDLE * NEEDLE:
        a, p = _square(bx - cx, by - cy, bz - cz), _square(qx - rx, qy - ry, qz - rz)
    if a <= p:
        return _cut(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, coplanar, out, at)
    return _cut(px, py, pz, qx, qy, qz, rx, ry, rz, ax, ay, az, bx, by, bz, cx, cy, cz, coplanar, out, at)
