"""Intersection of two triangles, in float64: the ends of a segment, or the corners of a polygon in one plane.

The triangles are known to intersect, but their positions are known up to rounding only. So nothing is derived from
signs alone. Each candidate for an end is measured, and counts if it is within rounding of both triangles. If none is,
rounding was larger than assumed, and the nearest candidate counts. `cut` is an entry point although kernels call it, so
that they need not compile it again.
"""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.simplex import closest_on_segment
from keepclear.kernels.vectors import cross, dot, minus, moved, put, scaled, three

# Points closer to a triangle than this, relative to the largest coordinate, are on it.
NEAR = 64.0 * 2.0**-53
# During the search, out[at:] holds two ends, how many were found, and the square of the distance that counts as near.
FOUND, LIMIT = 6, 7
# Coordinates are scaled to the range of 1 / LARGE to LARGE: sixth powers of lengths occur.
LARGE = 2.0**100


@kernel(boundscheck=False)
def _square(a):
    """Return the square of a length."""
    return dot(a, a)


@kernel(boundscheck=False)
def _store(out, at, k, x):
    """Write point k and return the new number of points."""
    put(out, at + 3 * k, x)
    return k + 1


@kernel(boundscheck=False)
def _apart(out, at, i, x):
    """Return the squared distance from point i."""
    return _square(minus(three(out, at + 3 * i), x))


@kernel(boundscheck=False)
def _between(a, b, high, low):
    """Return the point at height 0 on the segment from a to b, whose ends have these heights."""
    if abs(high) > abs(low):
        a, b, high, low = b, a, low, high
    return moved(a, high / (high - low), minus(b, a))


@kernel(boundscheck=False)
def _normal(p, q, r):
    """Return a normal of a triangle, corners as from `_turned`; perpendicular to the longest edge, even of a sliver."""
    u, w = minus(q, p), minus(r, p)
    uu = _square(u)
    if uu > 0.0:
        for _ in range(
            2
        ):  # the first pass leaves rounding of the long edge, as large as a thin triangle is high
            w = minus(w, scaled(dot(w, u) / uu, u))
    return cross(u, w)


@kernel(boundscheck=False)
def _offer(out, at, x, v):
    """Accept a point of one triangle, v from the other, as an end if it is near it and far from the present ends."""
    if not _square(v) <= out[at + LIMIT]:
        return
    if out[at + FOUND] == 0.0:
        _store(out, at, _store(out, at, 0, x), x)
    out[at + FOUND] += 1.0
    first, second = _apart(out, at, 0, x), _apart(out, at, 1, x)
    if max(first, second) > _apart(out, at, 0, three(out, at + 3)):
        _store(out, at, 1 if first >= second else 0, x)


@kernel(boundscheck=False)
def _turned(a, b, c):
    """Return the corners of a triangle, those of its longest edge first."""
    x, y, z = _square(minus(b, c)), _square(minus(c, a)), _square(minus(a, b))
    if x > y and x > z:
        return b, c, a
    return (c, a, b) if y > z else (a, b, c)


@kernel(boundscheck=False)
def _across(p, q, r):
    """Return the ends of a triangle's section by the plane through the origin perpendicular to its longest edge pq."""
    u, w = minus(q, p), minus(r, p)
    s, t, uu = -dot(p, u), dot(w, u), _square(u)
    if not (s > 0.0 and s < uu):
        return p, p
    f = moved(p, s / uu, u)
    if s < t:
        return f, moved(p, s / t, w)
    return f, moved(q, (uu - s) / (uu - t), minus(r, q))


@kernel(boundscheck=False)
def _to_segment(f, g):
    """Return the shortest vector from the origin to a segment."""
    _, _, x, y, z = closest_on_segment(*f, *g)
    return x, y, z


@kernel(boundscheck=False)
def _shortest_vector(x, p, q, r):
    """Return the vector from a point to a triangle, corners as from `_turned`, valid if the point is near it.

    It is the shortest vector to an edge or, inside, to the section of the triangle there. It does not use the normal,
    which is inaccurate if the triangle is thin.
    """
    p, q, r = minus(p, x), minus(q, x), minus(r, x)
    f, g = _across(p, q, r)
    v = _to_segment(f, g)
    for _ in range(3):
        w = _to_segment(p, q)
        if _square(w) < _square(v):
            v = w
        p, q, r = q, r, p
    return v


@kernel(boundscheck=False)
def _offer_crossing(out, at, a, b, p, q):
    """Offer the point of ab nearest to the line pq as an end.

    With u = b - a, v = q - p, r = p - a, n = u x v it is at s = (r x v) . n / n^2. With an angle w between the edges, s
    has an error of rounding / w, which moves the point off pq by rounding only.
    """
    u, v, r = minus(b, a), minus(q, p), minus(p, a)
    n = cross(u, v)
    gap = dot(r, n)
    if gap * gap > 2.0 * out[at + LIMIT] * _square(u) * _square(v):
        return
    nn, s = _square(n), dot(cross(r, v), n)
    if s >= 0.0 and s <= nn and nn > 0.0:
        x = moved(a, s / nn, u)
        _offer(out, at, x, _to_segment(minus(p, x), minus(q, x)))


@kernel(boundscheck=False)
def _offer_edges(out, at, a, b, c, p, q, r):
    """Offer the corners of the first triangle, and where its edges cross the plane and the edges of the second."""
    n = _normal(p, q, r)
    near = 4.0 * out[at + LIMIT] * _square(n)
    for _ in range(3):
        high, low = dot(n, minus(a, p)), dot(n, minus(b, p))
        if high * high <= near:
            _offer(out, at, a, _shortest_vector(a, p, q, r))
        if min(high, low) < 0.0 and max(high, low) > 0.0:
            x = _between(a, b, high, low)
            _offer(out, at, x, _shortest_vector(x, p, q, r))
        _offer_crossing(out, at, a, b, p, q)
        _offer_crossing(out, at, a, b, q, r)
        _offer_crossing(out, at, a, b, r, p)
        a, b, c = b, c, a


@kernel(boundscheck=False)
def _ends(out, at, a, b, c, p, q, r, near):
    """Write the ends of the intersection of two triangles; its greatest length if they are almost coplanar."""
    _store(out, at, 0, a)
    _store(out, at, 1, a)
    out[at + FOUND], out[at + LIMIT] = 0.0, near * near
    for _ in range(40):
        _offer_edges(out, at, a, b, c, p, q, r)
        _offer_edges(out, at, p, q, r, a, b, c)
        if out[at + FOUND] > 0.0:
            break
        out[at + LIMIT] *= 16.0
    return 2


@kernel(boundscheck=False)
def _clip(out, at, n, w, o, near):
    """Clip a polygon of n points to the side above the plane perpendicular to w at o; return how many points are left.

    Sutherland and Hodgman, in place: a corner is read before the slot after it is written.
    """
    near *= abs(w[0]) + abs(w[1]) + abs(w[2])
    start = x = three(out, at)
    first = height = dot(w, minus(start, o))
    m = 0
    for i in range(1, n + 1):
        q, h = start, first
        if i < n:
            q = three(out, at + 3 * i)
            h = dot(w, minus(q, o))
        if height >= -near and m <= i:
            m = _store(out, at, m, x)
        if min(height, h) < -near and max(height, h) > 0.0 and m <= i:
            m = _store(out, at, m, _between(x, q, height, h))
        x, height = q, h
    return m


@kernel(boundscheck=False)
def _checked(out, at, n, p, q, r, near):
    """Remove corners that coincide with the one before; return how many are left, 0 if one is off the triangle."""
    m = 0
    for i in range(n):
        x = three(out, at + 3 * i)
        if _square(_shortest_vector(x, p, q, r)) > near * near:
            return 0
        last = m > 0 and i == n - 1 and _apart(out, at, 0, x) <= near * near
        if m == 0 or (_apart(out, at, m - 1, x) > near * near and not last):
            m = _store(out, at, m, x)
    return m


@kernel(boundscheck=False)
def _polygon(out, at, a, b, c, p, q, r, near):
    """Write the part of the first triangle within the edges of the second, in one plane; return its corner count."""
    normal = _normal(p, q, r)
    n = _store(out, at, _store(out, at, _store(out, at, 0, a), b), c)
    for _ in range(3):
        n = _clip(out, at, n, cross(normal, minus(q, p)), p, near)
        p, q, r = q, r, p
    return _checked(out, at, n, p, q, r, 4.0 * near)


@kernel(boundscheck=False)
def _factor(size):
    """Return the power of two that scales coordinates up to `size` to the range of 1 / LARGE to LARGE."""
    f = 1.0
    while size > 0.0 and f * size < 1.0 / LARGE:
        f *= LARGE
    while f * size > LARGE:
        f /= LARGE
    return f


@kernel(f"int64({'UniTuple(float64, 3), ' * 6}boolean, float64[::1], int64)", boundscheck=False)
def cut(a, b, c, p, q, r, coplanar, out, at):
    """Write the intersection of two triangles that intersect to out[at:], and return the number of points.

    Two points are the ends of a segment, equal if it is a single point. Three to six are the corners of a polygon, in
    order; only coplanar triangles have it. Both triangles are in one frame. There is space for six points.
    """
    size = 0.0
    for x, y, z in (a, b, c, p, q, r):
        size = max(size, abs(x), abs(y), abs(z))
    f = _factor(size)
    a, b, c = _turned(scaled(f, a), scaled(f, b), scaled(f, c))
    p, q, r = _turned(scaled(f, p), scaled(f, q), scaled(f, r))
    near = NEAR * f * size
    n = 0
    if coplanar:
        n = _polygon(out, at, a, b, c, p, q, r, near)
    if n < 3:
        n = _ends(out, at, a, b, c, p, q, r, near)
    for i in range(at, at + 3 * n):
        out[i] /= f
    return n
