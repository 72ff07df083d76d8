"""Test whether two triangles intersect, in float64: certainly crossing, certainly apart, or left to exact arithmetic.

Every sign that decides has a bound on the effect of rounding and of the error of B's corners; the bounds are derived in
`docs/theory/mesh-contacts.md`. Coordinates are finite, and below 1e30.
"""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.vectors import cross, dot, minus, sum_of_magnitudes

# Rounding error of the determinant of three differences, relative to the product of their lengths (sums of magnitudes):
# 8 roundings of 2**-53 each, and as many again for the bound itself.
ROUNDING = 16.0 * 2.0**-53
# Determinants below this may have lost digits to underflow: their signs are uncertain.
UNDERFLOW = 1e-290


@kernel(inline=True, boundscheck=False)
def _sides(a, b, c, p, q, r, moved, other):
    """Return the determinants of p, q and r with respect to the plane of a, b, c, and their error bounds.

    The corners a, b, c are within `moved` of their true positions, p, q and r within `other`.
    """
    u, v = minus(b, a), minus(c, a)
    n = cross(u, v)
    p, q, r = minus(p, a), minus(q, a), minus(r, a)
    both, twice = moved + other, moved + moved
    e, f = sum_of_magnitudes(u), sum_of_magnitudes(v)
    far = max(sum_of_magnitudes(p), sum_of_magnitudes(q), sum_of_magnitudes(r)) + both
    tilt = twice * (e + f + twice) + ROUNDING * (e + twice) * (f + twice)
    return dot(n, p), dot(n, q), dot(n, r), far * tilt + both * sum_of_magnitudes(n) + UNDERFLOW


@kernel(inline=True, boundscheck=False)
def _edge_side(e, g, h, delta):
    """Return the sign of det[e, g, h] for an edge e of A and two corners of B relative to its start, 0 if uncertain."""
    d = dot(e, cross(g, h))
    far, farther = sum_of_magnitudes(g) + delta, sum_of_magnitudes(h) + delta
    error = sum_of_magnitudes(e) * (delta * (far + farther) + ROUNDING * far * farther) + UNDERFLOW
    if d > error:
        return 1
    return -1 if d < -error else 0


@kernel(boundscheck=False)
def _cross(a, b, c, p, q, r, sides_a, sides_b, delta):
    """Return 1, -1 or 0, like `meet`, for triangles that both cross the plane of the other.

    The sides of the corners are certain. Guigue and Devillers (J. Graphics Tools 8(1), 2003): permuted so that a and p
    are alone on their sides, and mirrored so that both are above, the triangles intersect where
    det[a, b, p, q] <= 0 <= det[a, c, p, r].
    """
    side_a, side_b = sides_a[0], sides_b[0]
    if (sides_a[0] > 0.0) == (sides_a[2] > 0.0):
        a, b, c, side_a = b, c, a, sides_a[1]
    elif (sides_a[0] > 0.0) == (sides_a[1] > 0.0):
        a, b, c, side_a = c, a, b, sides_a[2]
    if (sides_b[0] > 0.0) == (sides_b[2] > 0.0):
        p, q, r, side_b = q, r, p, sides_b[1]
    elif (sides_b[0] > 0.0) == (sides_b[1] > 0.0):
        p, q, r, side_b = r, p, q, sides_b[2]
    if side_b < 0.0:
        b, c = c, b
    if side_a < 0.0:
        q, r = r, q
    g = minus(p, a)
    first = _edge_side(minus(b, a), g, minus(q, a), delta)
    if first > 0:
        return -1
    second = _edge_side(minus(c, a), g, minus(r, a), delta)
    if second < 0:
        return -1
    return 1 if first < 0 and second > 0 else 0


@kernel(boundscheck=False)
def _gap(w, b, c, p, q, r, delta):
    """Return whether the triangles 0, b, c and p, q, r are certainly separate along w; differences are rounded once."""
    u, v, x, y, z = dot(w, b), dot(w, c), dot(w, p), dot(w, q), dot(w, r)
    far = max(sum_of_magnitudes(b), sum_of_magnitudes(c))
    far += max(sum_of_magnitudes(p), sum_of_magnitudes(q), sum_of_magnitudes(r))
    gap = max(min(x, y, z) - max(0.0, u, v), min(0.0, u, v) - max(x, y, z))
    return gap > sum_of_magnitudes(w) * (delta + ROUNDING * far) + UNDERFLOW


@kernel(boundscheck=False)
def _apart(a, b, c, p, q, r, delta):
    """Return whether an axis, or an edge normal in the plane of a triangle, certainly separates the triangles."""
    b, c, p, q, r = minus(b, a), minus(c, a), minus(p, a), minus(q, a), minus(r, a)
    f, g = minus(q, p), minus(r, p)
    n, m = cross(b, c), cross(f, g)
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    for u, v in (
        (x, y), (y, z), (z, x), (n, b), (n, c), (n, minus(c, b)), (m, f), (m, g), (m, minus(g, f)),
    ):  # fmt: skip
        if _gap(cross(u, v), b, c, p, q, r, delta):
            return True
    return False


@kernel(inline=True, boundscheck=False)
def meet(a, b, c, p, q, r, delta):
    """Return 1 if the triangles a, b, c and p, q, r certainly cross, -1 if they are certainly apart, else 0.

    They cross where they have a segment inside both in common. The corners p, q, r are within `delta` of their true
    positions.
    """
    x, y, z, error = _sides(a, b, c, p, q, r, 0.0, delta)
    if max(min(x, y, z), -max(x, y, z)) > error:
        return -1
    u, v, w, wrong = _sides(p, q, r, a, b, c, delta, 0.0)
    if max(min(u, v, w), -max(u, v, w)) > wrong:
        return -1
    if min(abs(x), abs(y), abs(z)) > error and min(abs(u), abs(v), abs(w)) > wrong:
        return _cross(a, b, c, p, q, r, (u, v, w), (x, y, z), delta)
    return -1 if _apart(a, b, c, p, q, r, delta) else 0
