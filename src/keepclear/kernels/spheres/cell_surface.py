"""Test whether the surface of a shape passes through an axis-aligned box; never a false No, rounding included."""

from __future__ import annotations

from keepclear.kernels._compile import kernel

# Kinds of surface: triangles, or that of a solid given by up to three lengths.
TRIANGLES, BALL, BOX, CAPSULE, CYLINDER, ELLIPSOID = 0, 1, 2, 3, 4, 5

# Sums of three squares of quotients have relative errors of at most 6 units of 2^-53; the limit is 1 within this.
INNER, OUTER = 1.0 - 2.0**-49, 1.0 + 2.0**-49
# Products that leave the range of double have absolute errors of less than this.
TINY = 1e-300


@kernel(inline=True, boundscheck=False)
def _separates(x, y, z, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz):
    """Return whether the direction (x, y, z) separates the triangle a, b, c from the box of half sizes h around 0."""
    p, q, r = x * ax + y * ay + z * az, x * bx + y * by + z * bz, x * cx + y * cy + z * cz
    reach = abs(x) * hx + abs(y) * hy + abs(z) * hz + TINY
    return min(p, q, r) > reach or max(p, q, r) < -reach


@kernel(boundscheck=False)
def triangle_passes(V, a, b, c, x0, y0, z0, x1, y1, z1, pad):
    """Return whether the triangle of vertices a, b, c may touch the closed box from (x0, y0, z0) to (x1, y1, z1).

    Any direction along which the two do not overlap proves that they are separate, even if the direction was rounded;
    so only the projections need an allowance. Coordinates up to M have errors of u |v| after the subtraction of the
    centre, sums of three products of 3 u of the terms, in total less than 16 u M per unit of |x| + |y| + |z|: `pad`, at
    least 64 u M, is added to the half sizes. The directions are those of the separating axis theorem: the faces of the
    box, the normal, and the nine products of edges.
    """
    mx, my, mz = 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)
    hx, hy, hz = max(x1 - mx, mx - x0) + pad, max(y1 - my, my - y0) + pad, max(z1 - mz, mz - z0) + pad
    ax, ay, az = V[3 * a] - mx, V[3 * a + 1] - my, V[3 * a + 2] - mz
    bx, by, bz = V[3 * b] - mx, V[3 * b + 1] - my, V[3 * b + 2] - mz
    cx, cy, cz = V[3 * c] - mx, V[3 * c + 1] - my, V[3 * c + 2] - mz
    if min(ax, bx, cx) > hx or max(ax, bx, cx) < -hx:
        return False
    if min(ay, by, cy) > hy or max(ay, by, cy) < -hy:
        return False
    if min(az, bz, cz) > hz or max(az, bz, cz) < -hz:
        return False
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - bx, cy - by, cz - bz
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    if _separates(x, y, z, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz):
        return False
    for k in range(3):
        if k == 1:
            ux, uy, uz = vx, vy, vz
        elif k == 2:
            ux, uy, uz = ax - cx, ay - cy, az - cz
        if (
            _separates(0.0, -uz, uy, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz)
            or _separates(uz, 0.0, -ux, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz)
            or _separates(-uy, ux, 0.0, ax, ay, az, bx, by, bz, cx, cy, cz, hx, hy, hz)
        ):
            return False
    return True


@kernel(inline=True, boundscheck=False)
def _nearest(lower, upper):
    """Return the least |x| for x from lower to upper."""
    return max(lower, -upper, 0.0)


@kernel(boundscheck=False)
def solid_passes(kind, p, q, r, x0, y0, z0, x1, y1, z1):
    """Return whether the surface of a solid of a `kind` may touch a closed box: part of the box is inside, part is not.

    All solids are symmetric and separable: the least and the greatest value of their function over a box come from the
    least and the greatest |x|, |y| and |z|. Differences of doubles have relative errors of one unit, so relative
    allowances suffice.

    Args:
        kind: BALL (radius p), BOX (half sizes p, q, r), CAPSULE and CYLINDER (radius p, half length r), ELLIPSOID
            (radii p, q, r).
        p, q, r: Its lengths.
        x0, y0, z0, x1, y1, z1: The box.
    """
    ax, ay, az = _nearest(x0, x1), _nearest(y0, y1), _nearest(z0, z1)
    bx, by, bz = max(-x0, x1), max(-y0, y1), max(-z0, z1)
    if kind == BOX:
        return ax <= p and ay <= q and az <= r and (bx >= p or by >= q or bz >= r)
    if kind == CYLINDER:
        if az > r or (ax / p) * (ax / p) + (ay / p) * (ay / p) > OUTER:
            return False
        return bz >= r or (bx / p) * (bx / p) + (by / p) * (by / p) >= INNER
    if kind != BALL and kind != CAPSULE and kind != ELLIPSOID:
        raise ValueError("the number of a solid has no test of cells")
    if kind == CAPSULE:
        az, bz = max(az - r, 0.0), max(bz - r, 0.0)
    if kind != ELLIPSOID:
        q = r = p
    near = (ax / p) * (ax / p) + (ay / q) * (ay / q) + (az / r) * (az / r)
    far = (bx / p) * (bx / p) + (by / q) * (by / q) + (bz / r) * (bz / r)
    return near <= OUTER and far >= INNER
