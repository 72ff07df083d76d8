"""Whether two triangles meet, in float64: crossing for certain, apart for certain, or left to exact arithmetic.

Every sign that decides has a bound for what rounding and the error of B's corners can do to it; the bounds are
derived in `docs/theory/mesh-contacts.md`. A number that is not finite makes comparisons fail, so it leaves the
pair undecided.
"""

from __future__ import annotations

from keepclear.kernels._compile import kernel

# What rounding does to the determinant of three differences, relative to the product of their lengths (sums of
# magnitudes): 8 roundings of 2**-53 each, and as many again for the bound itself.
ROUNDING = 16.0 * 2.0**-53
# Products below this may have lost digits to underflow: no sign of theirs is certain.
UNDERFLOW = 1e-290


@kernel(inline=True, boundscheck=False)
def _length(x, y, z):
    """Return the sum of magnitudes, which is never below the length."""
    return abs(x) + abs(y) + abs(z)


@kernel(inline=True, boundscheck=False)
def _sides(
    ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, moved, other
):  # fmt: skip
    """Return the determinants of p, q and r beside the plane of a, b, c, and how wrong they can be.

    The corners a, b, c are within `moved` of their true places, p, q and r within `other`.
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
    e, f = _length(ex, ey, ez), _length(fx, fy, fz)
    far = max(_length(px, py, pz), _length(qx, qy, qz), _length(rx, ry, rz)) + other + moved
    twice = moved + moved
    wrong = twice * (e + f + twice)
    return (
        p,
        q,
        r,
        (other + moved) * _length(nx, ny, nz)
        + far * (wrong + ROUNDING * (e + twice) * (f + twice))
        + UNDERFLOW,
    )


@kernel(inline=True, boundscheck=False)
def _edge_side(ex, ey, ez, gx, gy, gz, hx, hy, hz, delta):
    """Return the determinant of an edge e of A and two corners of B seen from its start: 1, -1, or 0 uncertain."""
    d = ex * (gy * hz - gz * hy) + ey * (gz * hx - gx * hz) + ez * (gx * hy - gy * hx)
    g, h = _length(gx, gy, gz) + delta, _length(hx, hy, hz) + delta
    error = _length(ex, ey, ez) * (delta * (g + h) + ROUNDING * g * h) + UNDERFLOW
    if d > error:
        return 1
    return -1 if d < -error else 0


@kernel(boundscheck=False)
def _cross(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, a_above, p_above, delta):
    """Tell whether two triangles cross on the line of their planes: 1, -1 or 0, as `meet`.

    Corner a is alone on its side of the plane of p, q, r, corner p on its side of that of a, b, c.
    """
    if not p_above:
        bx, cx = cx, bx
        by, cy = cy, by
        bz, cz = cz, bz
    if not a_above:
        qx, rx = rx, qx
        qy, ry = ry, qy
        qz, rz = rz, qz
    gx, gy, gz = px - ax, py - ay, pz - az
    first = _edge_side(bx - ax, by - ay, bz - az, gx, gy, gz, qx - ax, qy - ay, qz - az, delta)
    if first > 0:
        return -1
    second = _edge_side(cx - ax, cy - ay, cz - az, gx, gy, gz, rx - ax, ry - ay, rz - az, delta)
    if second < 0:
        return -1
    return 1 if first < 0 and second > 0 else 0


@kernel(inline=True, boundscheck=False)
def meet(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, delta):
    """Return 1 if the triangles a, b, c and p, q, r cross for certain, -1 if they are apart for certain, else 0.

    The corners of the second are within `delta` of their true places.
    """
    p, q, r, error = _sides(
        ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, 0.0, delta
    )  # fmt: skip
    if min(p, q, r) > error or max(p, q, r) < -error:
        return -1
    a, b, c, wrong = _sides(
        px, py, pz, qx, qy, qz, rx, ry, rz, ax, ay, az, bx, by, bz, cx, cy, cz, delta, 0.0
    )  # fmt: skip
    if min(a, b, c) > wrong or max(a, b, c) < -wrong:
        return -1
    if not (min(abs(p), abs(q), abs(r)) > error and min(abs(a), abs(b), abs(c)) > wrong):
        return 0
    if (a > 0.0) == (c > 0.0):  # b alone
        ax, bx, cx = bx, cx, ax
        ay, by, cy = by, cy, ay
        az, bz, cz = bz, cz, az
        a = b
    elif (a > 0.0) == (b > 0.0):  # c alone
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
    return _cross(
        ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, a > 0.0, p > 0.0, delta
    )  # fmt: skip
