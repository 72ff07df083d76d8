"""Test whether two triangles intersect, in float64: certainly crossing, certainly apart, or left to exact arithmetic.

Every sign that decides has a bound on the effect of rounding and of the error of B's corners; the bounds are derived in
`docs/theory/mesh-contacts.md`. Coordinates are finite, and below 1e30.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel

# Rounding error of the determinant of three differences, relative to the product of their lengths (sums of magnitudes):
# 8 roundings of 2**-53 each, and as many again for the bound itself.
ROUNDING = 16.0 * 2.0**-53
# Determinants below this may have lost digits to underflow: their signs are uncertain.
UNDERFLOW = 1e-290


@kernel(inline=True, boundscheck=False)
def _length(x, y, z):
    """Return the sum of magnitudes, which is never below the length."""
    return abs(x) + abs(y) + abs(z)


@kernel(inline=True, boundscheck=False)
def _sides(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, moved, other):
    """Return the determinants of p, q and r with respect to the plane of a, b, c, and their error bounds.

    The corners a, b, c are within `moved` of their true positions, p, q and r within `other`.
    """
    ex, ey, ez = bx - ax, by - ay, bz - az
    fx, fy, fz = cx - ax, cy - ay, cz - az
    nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
    px, py, pz = px - ax, py - ay, pz - az
    qx, qy, qz = qx - ax, qy - ay, qz - az
    rx, ry, rz = rx - ax, ry - ay, rz - az
    p = nx * px + ny * py + nz * pz
    q = nx * qx + ny * qy + nz * qz
    r = nx * rx + ny * ry + nz * rz
    both, twice = moved + other, moved + moved
    e, f = _length(ex, ey, ez), _length(fx, fy, fz)
    far = max(_length(px, py, pz), _length(qx, qy, qz), _length(rx, ry, rz)) + both
    tilt = twice * (e + f + twice) + ROUNDING * (e + twice) * (f + twice)
    return p, q, r, far * tilt + both * _length(nx, ny, nz) + UNDERFLOW


@kernel(inline=True, boundscheck=False)
def _edge_side(ex, ey, ez, gx, gy, gz, hx, hy, hz, delta):
    """Return the sign of det[e, g, h] for an edge e of A and two corners of B relative to its start, 0 if uncertain."""
    d = ex * (gy * hz - gz * hy) + ey * (gz * hx - gx * hz) + ez * (gx * hy - gy * hx)
    g, h = _length(gx, gy, gz) + delta, _length(hx, hy, hz) + delta
    error = _length(ex, ey, ez) * (delta * (g + h) + ROUNDING * g * h) + UNDERFLOW
    if d > error:
        return 1
    return -1 if d < -error else 0


@kernel(boundscheck=False)
def _cross(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, a, b, c, p, q, r, delta):
    """Return 1, -1 or 0, like `meet`, for triangles that both cross the plane of the other.

    The sides a, b, c, p, q, r of the corners are certain. Guigue and Devillers (J. Graphics Tools 8(1), 2003): permuted
    so that a and p are alone on their sides, and mirrored so that both are above, the triangles intersect where
    det[a, b, p, q] <= 0 <= det[a, c, p, r].
    """
    if (a > 0.0) == (c > 0.0):
        ax, bx, cx = bx, cx, ax
        ay, by, cy = by, cy, ay
        az, bz, cz = bz, cz, az
        a = b
    elif (a > 0.0) == (b > 0.0):
        ax, bx, cx = cx, ax, bx
        ay, by, cy = cy, ay, by
        az, bz, cz = cz, az, bz
        a = c
    if (p > 0.0) == (r > 0.0):
        px, qx, rx = qx, rx, px
        py, qy, ry = qy, ry, py
        pz, qz, rz = qz, rz, pz
        p = q
    elif (p > 0.0) == (q > 0.0):
        px, qx, rx = rx, px, qx
        py, qy, ry = ry, py, qy
        pz, qz, rz = rz, pz, qz
        p = r
    if p < 0.0:
        bx, by, bz, cx, cy, cz = cx, cy, cz, bx, by, bz
    if a < 0.0:
        qx, qy, qz, rx, ry, rz = rx, ry, rz, qx, qy, qz
    gx, gy, gz = px - ax, py - ay, pz - az
    first = _edge_side(bx - ax, by - ay, bz - az, gx, gy, gz, qx - ax, qy - ay, qz - az, delta)
    if first > 0:
        return -1
    second = _edge_side(cx - ax, cy - ay, cz - az, gx, gy, gz, rx - ax, ry - ay, rz - az, delta)
    if second < 0:
        return -1
    return 1 if first < 0 and second > 0 else 0


@kernel(boundscheck=False)
def _gap(wx, wy, wz, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, delta):
    """Return whether the triangles 0, b, c and p, q, r are certainly separate along w; differences are rounded once."""
    b, c = wx * bx + wy * by + wz * bz, wx * cx + wy * cy + wz * cz
    p, q, r = wx * px + wy * py + wz * pz, wx * qx + wy * qy + wz * qz, wx * rx + wy * ry + wz * rz
    far = max(_length(bx, by, bz), _length(cx, cy, cz)) + max(
        _length(px, py, pz), _length(qx, qy, qz), _length(rx, ry, rz)
    )
    gap = max(min(p, q, r) - max(0.0, b, c), min(0.0, b, c) - max(p, q, r))
    return gap > _length(wx, wy, wz) * (delta + ROUNDING * far) + UNDERFLOW


@kernel(boundscheck=False)
def _apart(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, delta):
    """Return whether an axis, or an edge normal in the plane of a triangle, certainly separates the triangles."""
    bx, by, bz = bx - ax, by - ay, bz - az
    cx, cy, cz = cx - ax, cy - ay, cz - az
    px, py, pz = px - ax, py - ay, pz - az
    qx, qy, qz = qx - ax, qy - ay, qz - az
    rx, ry, rz = rx - ax, ry - ay, rz - az
    fx, fy, fz = qx - px, qy - py, qz - pz
    gx, gy, gz = rx - px, ry - py, rz - pz
    nx, ny, nz = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    mx, my, mz = fy * gz - fz * gy, fz * gx - fx * gz, fx * gy - fy * gx
    for ux, uy, uz, vx, vy, vz in (
        (1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        (0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        (0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
        (nx, ny, nz, bx, by, bz),
        (nx, ny, nz, cx, cy, cz),
        (nx, ny, nz, cx - bx, cy - by, cz - bz),
        (mx, my, mz, fx, fy, fz),
        (mx, my, mz, gx, gy, gz),
        (mx, my, mz, gx - fx, gy - fy, gz - fz),
    ):
        wx, wy, wz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        if _gap(wx, wy, wz, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, delta):
            return True
    return False


@kernel(inline=True, boundscheck=False)
def meet(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, delta):
    """Return 1 if the triangles a, b, c and p, q, r certainly cross, -1 if they are certainly apart, else 0.

    They cross where they have a segment inside both in common. The corners p, q, r are within `delta` of their true
    positions.
    """
    p, q, r, error = _sides(
        ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, 0.0, delta
    )
    if max(min(p, q, r), -max(p, q, r)) > error:
        return -1
    a, b, c, wrong = _sides(
        px, py, pz, qx, qy, qz, rx, ry, rz, ax, ay, az, bx, by, bz, cx, cy, cz, delta, 0.0
    )
    if max(min(a, b, c), -max(a, b, c)) > wrong:
        return -1
    if min(abs(p), abs(q), abs(r)) > error and min(abs(a), abs(b), abs(c)) > wrong:
        return _cross(
            ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, a, b, c, p, q, r, delta
        )
    if _apart(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, delta):
        return -1
    return 0
