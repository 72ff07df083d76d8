"""Closest points of two triangles that do not intersect, with a lower bound on their distance."""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.simplex import closest_on_triangle
from keepclear.kernels.vectors import cross, dot, minus, moved, put, scaled, three

# Output of `closest`: squared distance, point of the first, vector from it to the second, certified lower bound.
SQUARE, POINT, GAP, LOWER, RESULT = 0, 1, 4, 7, 8


@kernel(inline=True, boundscheck=False)
def _extremes(a, b, c, n):
    """Return the least and the largest of n . a, n . b, n . c."""
    p, q, r = dot(n, a), dot(n, b), dot(n, c)
    return min(p, q, r), max(p, q, r)


@kernel(inline=True, boundscheck=False)
def gap_along(a, b, c, p, q, r, n):
    """Return how far p, q, r are beyond a, b, c along the unit vector n."""
    _, far = _extremes((0.0, 0.0, 0.0), minus(b, a), minus(c, a), n)
    near, _ = _extremes(minus(p, a), minus(q, a), minus(r, a), n)
    return near - far


@kernel(inline=True, boundscheck=False)
def plane_gap(a, b, c, p, q, r, sign, W):
    """Return how far p, q, r are from the plane of a, b, c on one side of it; 0 if on both sides, or without a plane.

    The vector from the plane to them, times `sign`, is written to W as the gap (of any length).
    """
    u, v = minus(b, a), minus(c, a)
    n = cross(u, v)
    nn = dot(n, n)
    least, largest = _extremes(minus(p, a), minus(q, a), minus(r, a), n)
    gap = max(least, -largest)
    put(W, GAP, scaled(-sign if largest < 0.0 else sign, n))
    # A sliver's normal has a large rounding error: cases that are then uncertain are left to `closest`.
    return gap / math.sqrt(nn) if gap > 0.0 and nn > 1e-6 * (dot(u, u) * dot(v, v)) else 0.0


@kernel(boundscheck=False)
def _from_corner(x, a, b, c, sign, W):
    """Store the vector from the corner x to the triangle a, b, c if it is shorter than the one in W."""
    _, _, _, vx, vy, vz = closest_on_triangle(*minus(a, x), *minus(b, x), *minus(c, x))
    v = vx, vy, vz
    square = dot(v, v)
    if square < W[SQUARE]:
        W[SQUARE] = square
        put(W, POINT, x if sign > 0.0 else moved(x, 1.0, v))
        put(W, GAP, scaled(sign, v))


@kernel(boundscheck=False)
def _between_edges(a, b, p, q, W):
    """Store the vector between the interiors of the edges ab and pq if it is shorter than the one in W.

    With u = b - a, v = q - p, r = p - a and n = u x v the positions along the edges are s = (r x v) . n / n^2 and
    t = (r x u) . n / n^2. At an angle w rounding turns n by u / w, so r . n alone is not a distance: the gap is
    measured between points of the edges. An s with an error of u / w changes the gap by u, since the edges diverge by w
    along it.
    """
    u, v, r = minus(b, a), minus(q, p), minus(p, a)
    n = cross(u, v)
    nn = dot(n, n)
    if not nn > 0.0:
        return  # parallel: some corner is as close
    uu, vv, rn, s = dot(u, u), dot(v, v), dot(r, n), dot(cross(r, v), n)
    # harmless (1e-6 * uu * vv): gaps are measured between points of edges, and planes prove the lower bound
    crossed = nn > 1e-6 * uu * vv
    if crossed:
        t = dot(cross(r, u), n)
        if not (rn * rn < W[SQUARE] * nn and s >= 0.0 and s <= nn and t >= 0.0 and t <= nn):
            return
    s = min(max(s / nn, 0.0), 1.0)
    t = min(max(dot(minus(scaled(s, u), r), v) / vv, 0.0), 1.0)
    s = min(max(dot(moved(r, t, v), u) / uu, 0.0), 1.0)
    g = minus(moved(r, t, v), scaled(s, u))
    square = dot(g, g)
    if not square < W[SQUARE]:
        return
    if crossed:  # the same length along n, whose direction is better than that of a short difference
        g = scaled(math.sqrt(square / nn) * (1.0 if rn >= 0.0 else -1.0), n)
    W[SQUARE] = square
    put(W, POINT, moved(a, s, u))
    put(W, GAP, g)


@kernel(boundscheck=False)
def closest(a, b, c, p, q, r, W):
    """Write the closest points of two triangles that do not intersect to W.

    Two such triangles are closest between a corner and the other triangle, or between the interiors of two edges: the
    minimum of these fifteen is the distance. The planes perpendicular to the gap at its ends then prove it: no corner
    of the first triangle is beyond the first plane, none of the second is before the second plane, and the distance of
    the planes is the lower bound.
    """
    W[SQUARE] = math.inf
    _from_corner(a, p, q, r, 1.0, W)
    _from_corner(b, p, q, r, 1.0, W)
    _from_corner(c, p, q, r, 1.0, W)
    _from_corner(p, a, b, c, -1.0, W)
    _from_corner(q, a, b, c, -1.0, W)
    _from_corner(r, a, b, c, -1.0, W)
    for _ in range(3):
        _between_edges(a, b, p, q, W)
        _between_edges(a, b, q, r, W)
        _between_edges(a, b, r, p, W)
        a, b, c = b, c, a
    length = math.sqrt(W[SQUARE])
    W[LOWER] = 0.0
    if length > 0.0:
        gap, x = three(W, GAP), three(W, POINT)
        n = gap[0] / length, gap[1] / length, gap[2] / length
        _, far = _extremes(minus(a, x), minus(b, x), minus(c, x), n)
        near, _ = _extremes(minus(p, x), minus(q, x), minus(r, x), n)
        W[LOWER] = max(0.0, min(near - far, length))
