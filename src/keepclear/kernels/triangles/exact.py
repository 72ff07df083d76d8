"""Tests whether two triangles intersect, without any rounding for the given float64 vertices and poses.

`meet_exactly` and `side_exactly` are entry points although kernels call them: a kernel that calls an entry point takes
its machine code from the cache, and compiles in a second instead of ten.
"""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.triangles import digits as many
from keepclear.kernels.triangles.digits import compare, dot_sign, minor, place, subtract, take_vertex

# Relative position of two triangles.
APART, TOUCH, COPLANAR, CROSS = 0, 1, 2, 3

SCRATCH = many.SCRATCH
POINTS, BASE = many.POINTS, many.BASE
UNIT, STEP = 2.0**-53, 2.0**28
# Signs: sides of B's corners (3), sides of A's corners (3), edges of A and B (9).
SIDES_B, SIDES_A, EDGES = many.SIGNS, many.SIGNS + 3, many.SIGNS + 6
# Signs in a projection: corners of B with respect to edges of A (9), corners of A with respect to edges of B (9).
BESIDE_A, BESIDE_B = many.SIGNS + 6, many.SIGNS + 15
UNKNOWN = 2


@kernel(boundscheck=False)
def _rounded(D, n, p):
    """Return a point in float64, in units of its third highest digits, and the sum of its magnitudes."""
    at = POINTS + 3 * p * n + n - 3
    x = (D[at + 2] * BASE + D[at + 1]) * STEP + D[at]
    at += n
    y = (D[at + 2] * BASE + D[at + 1]) * STEP + D[at]
    at += n
    z = (D[at + 2] * BASE + D[at + 1]) * STEP + D[at]
    return x, y, z, abs(x) + abs(y) + abs(z)


@kernel(boundscheck=False)
def _seen(D, n, p, axis):
    """Return the projection of a point along an axis, in float64, and the sum of its magnitudes."""
    at = POINTS + (3 * p + (axis + 1) % 3) * n + n - 3
    x = (D[at + 2] * BASE + D[at + 1]) * STEP + D[at]
    at = POINTS + (3 * p + (axis + 2) % 3) * n + n - 3
    y = (D[at + 2] * BASE + D[at + 1]) * STEP + D[at]
    return x, y, abs(x) + abs(y)


@kernel(boundscheck=False)
def _likely(D, n, p, q, r, s):
    """Return the sign of det[q - p, r - p, s - p] where it is certain in float64, else 0."""
    px, py, pz, total = _rounded(D, n, p)
    qx, qy, qz, size = _rounded(D, n, q)
    total += size
    rx, ry, rz, size = _rounded(D, n, r)
    total += size
    sx, sy, sz, size = _rounded(D, n, s)
    wrong = 8.0 + 4.0 * UNIT * (total + size)
    qx, qy, qz = qx - px, qy - py, qz - pz
    rx, ry, rz = rx - px, ry - py, rz - pz
    sx, sy, sz = sx - px, sy - py, sz - pz
    d = qx * (ry * sz - rz * sy) + qy * (rz * sx - rx * sz) + qz * (rx * sy - ry * sx)
    # harmless (wrong): products of errors are counted if two of e, f and g include it
    e = abs(qx) + abs(qy) + abs(qz) + wrong
    # harmless (wrong): likewise
    f = abs(rx) + abs(ry) + abs(rz) + wrong
    # harmless (wrong): likewise
    g = abs(sx) + abs(sy) + abs(sz) + wrong
    # harmless (16.0 * UNIT * e * f * g): `wrong` counts rounding twice, which leaves 6 u e f g for this
    error = 16.0 * UNIT * e * f * g + wrong * (e * f + f * g + g * e)
    if abs(d) > error:
        return 1 if d > 0.0 else -1
    return 0


@kernel(boundscheck=False)
def _orient(D, n, p, q, r, s):
    """Return the sign of det[q - p, r - p, s - p], of four points."""
    sign = _likely(D, n, p, q, r, s)
    if sign != 0:
        return sign
    work = POINTS + 18 * n
    normal = work + 9 * n
    for i in range(3):
        o = POINTS + (3 * p + i) * n
        subtract(D, n, POINTS + (3 * q + i) * n, o, work + i * n)
        subtract(D, n, POINTS + (3 * r + i) * n, o, work + (3 + i) * n)
        subtract(D, n, POINTS + (3 * s + i) * n, o, work + (6 + i) * n)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        minor(D, n, work + j * n, work + k * n, work + (3 + j) * n, work + (3 + k) * n, normal + 2 * n * i)
    return dot_sign(D, n, work + 6 * n, normal)


@kernel(boundscheck=False)
def _turn(D, n, p, q, r, axis):
    """Return the sign of det[q - p, r - p], of three points projected along an axis."""
    px, py, total = _seen(D, n, p, axis)
    qx, qy, size = _seen(D, n, q, axis)
    total += size
    rx, ry, size = _seen(D, n, r, axis)
    wrong = 8.0 + 4.0 * UNIT * (total + size)
    qx, qy, rx = qx - px, qy - py, rx - px
    ry -= py
    d = qx * ry - qy * rx
    # harmless (wrong): the product of both errors is counted if one of e and f includes it
    e, f = abs(qx) + abs(qy) + wrong, abs(rx) + abs(ry) + wrong
    # harmless (16.0 * UNIT * e * f): likewise: the spare of `wrong` is 4 u e f
    if abs(d) > 16.0 * UNIT * e * f + wrong * (e + f):
        return 1 if d > 0.0 else -1
    work = POINTS + 18 * n
    for i in range(2):
        c = (axis + 1 + i) % 3
        o = POINTS + (3 * p + c) * n
        subtract(D, n, POINTS + (3 * q + c) * n, o, work + i * n)
        subtract(D, n, POINTS + (3 * r + c) * n, o, work + (2 + i) * n)
    return minor(D, n, work, work + n, work + 2 * n, work + 3 * n, work + 9 * n)


@kernel(boundscheck=False)
def _facing(D, n, p, q, r):
    """Return an axis along which a triangle's projection has an area, -1 if it is a segment or a point."""
    for axis in range(3):
        if _turn(D, n, p, q, r, axis) != 0:
            return axis
    return -1


@kernel(boundscheck=False)
def _edges(D, n, i, k):
    """Return the sign of the determinant of edge i of A and edge k of B, computed once."""
    slot = EDGES + 3 * i + k
    if D[slot] == UNKNOWN:
        D[slot] = _orient(D, n, i, (i + 1) % 3, 3 + k, 3 + (k + 1) % 3)
    return D[slot]


@kernel(boundscheck=False)
def _pierces(D, n, of_a, k):
    """Return how edge k of A, or of B, intersects the other triangle, unless it lies in its plane."""
    sides = SIDES_A if of_a else SIDES_B
    across = D[sides + k] * D[sides + (k + 1) % 3]
    if across > 0 or (D[sides + k] == 0 and D[sides + (k + 1) % 3] == 0):
        return APART
    lowest, highest = 1, -1
    for i in range(3):
        sign = _edges(D, n, k, i) if of_a else _edges(D, n, i, k)
        lowest, highest = min(lowest, sign), max(highest, sign)
        if lowest < 0 and highest > 0:
            return APART
    return CROSS if across < 0 and lowest * highest > 0 else TOUCH


@kernel(boundscheck=False)
def _overlap(D, n, axis, p, q, r, s):
    """Return whether the segments pq and rs overlap along an axis."""
    p, q, r, s = (
        POINTS + (3 * p + axis) * n,
        POINTS + (3 * q + axis) * n,
        POINTS + (3 * r + axis) * n,
        POINTS + (3 * s + axis) * n,
    )
    lowest, highest = 1, -1
    for sign in (compare(D, n, p, r), compare(D, n, p, s), compare(D, n, q, r), compare(D, n, q, s)):
        lowest, highest = min(lowest, sign), max(highest, sign)
    return lowest <= 0 and highest >= 0


@kernel(boundscheck=False)
def _inside(D, at, step):
    """Return whether three signs do not contradict each other: a corner inside a triangle or on its boundary."""
    lowest = min(D[at], D[at + step], D[at + 2 * step])
    highest = max(D[at], D[at + step], D[at + 2 * step])
    return lowest >= 0 or highest <= 0


@kernel(boundscheck=False)
def _meet_seen(D, n, axis):
    """Return whether two triangles, possibly degenerate, have a common point in projection along an axis."""
    for i in range(3):
        for k in range(3):
            D[BESIDE_A + 3 * i + k] = _turn(D, n, i, (i + 1) % 3, 3 + k, axis)
            D[BESIDE_B + 3 * k + i] = _turn(D, n, 3 + k, 3 + (k + 1) % 3, i, axis)
    if _inside(D, BESIDE_A, 3) and _turn(D, n, 0, 1, 2, axis) != 0:
        return True
    if _inside(D, BESIDE_B, 3) and _turn(D, n, 3, 4, 5, axis) != 0:
        return True
    x, y = (axis + 1) % 3, (axis + 2) % 3
    for i in range(3):
        j = (i + 1) % 3
        for k in range(3):
            m = (k + 1) % 3
            if (
                D[BESIDE_A + 3 * i + k] * D[BESIDE_A + 3 * i + m] <= 0
                and D[BESIDE_B + 3 * k + i] * D[BESIDE_B + 3 * k + j] <= 0
                and _overlap(D, n, x, i, j, 3 + k, 3 + m)
                and _overlap(D, n, y, i, j, 3 + k, 3 + m)
            ):
                return True
    return False


@kernel(boundscheck=False)
def _meet_flat(D, n):
    """Return the relative position of two triangles of which neither has a corner off the plane of the other.

    They lie in one plane, or have no plane: segments and points. Segments in space are in one plane where all
    determinants of their edges are zero. Distinct points of one plane have distinct projections along at least one of
    three axes.
    """
    a, b = _facing(D, n, 0, 1, 2), _facing(D, n, 3, 4, 5)
    if a >= 0 or b >= 0:
        if not _meet_seen(D, n, max(a, b) if a < 0 or b < 0 else a):
            return APART
        return COPLANAR if a >= 0 and b >= 0 else TOUCH
    for i in range(3):
        for k in range(3):
            if _edges(D, n, i, k) != 0:
                return APART
    for axis in range(3):
        if not _meet_seen(D, n, axis):
            return APART
    return TOUCH


@kernel(boundscheck=False)
def _same(D, at):
    """Return the common sign of three signs that are all 1, all -1 or all 0, otherwise 2."""
    if D[at] == D[at + 1] and D[at] == D[at + 2]:
        return D[at]
    return 2


@kernel(
    "int64(float64[::1], int32[::1], int64, float64[::1], int32[::1], int64, float64[::1], int64[::1])",
    boundscheck=False,
)
def meet_exactly(SA, TA, ta, SB, TB, tb, M, digits):
    """Return APART, TOUCH, COPLANAR or CROSS for triangle ta of A and tb of B, transformed by the matrices of M.

    CROSS: an edge of one pierces the inside of the other. COPLANAR: both have an area, lie in one plane, and have a
    common point. TOUCH: they have a common point otherwise. `digits` is scratch of SCRATCH words.
    """
    for k in range(3):
        take_vertex(digits, k, SA, TA[3 * ta + k])
        take_vertex(digits, 3 + k, SB, TB[3 * tb + k])
    n = place(digits, M, 3, 6, False)
    for k in range(3):
        digits[SIDES_B + k] = _orient(digits, n, 0, 1, 2, 3 + k)
    b = _same(digits, SIDES_B)
    if abs(b) == 1:
        return APART
    flat = b == 0 and _facing(digits, n, 0, 1, 2) >= 0  # B lies in the plane of A, so A in that of B
    for k in range(3):
        digits[SIDES_A + k] = 0 if flat else _orient(digits, n, 3, 4, 5, k)
    a = _same(digits, SIDES_A)
    if abs(a) == 1:
        return APART
    for slot in range(EDGES, EDGES + 9):
        digits[slot] = UNKNOWN
    if a == 0 and b == 0:
        return _meet_flat(digits, n)
    found = APART
    for k in range(3):
        found = max(found, _pierces(digits, n, False, k), _pierces(digits, n, True, k))
        if found == CROSS:
            break
    return found


@kernel(
    "int64(float64[::1], int64, float64[::1], int32[::1], int64, float64[::1], int64[::1], boolean)",
    boundscheck=False,
)
def side_exactly(S_point, vertex, S, T, t, M, digits, swapped):
    """Return the sign of det[c1 - c0, c2 - c0, p - c0]: p a vertex, c the corners of triangle t.

    The vertex is transformed by the first matrix of M, the triangle by the second; if swapped, vice versa.
    """
    take_vertex(digits, 0, S_point, vertex)
    for k in range(3):
        take_vertex(digits, 1 + k, S, T[3 * t + k])
    n = place(digits, M, 1, 4, swapped)
    return _orient(digits, n, 1, 2, 3, 0)
