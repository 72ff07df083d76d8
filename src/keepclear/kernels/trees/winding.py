"""Winding numbers of points about closed meshes, by rays with certain signs: whether one body is inside the other.

A ray from the point counts the triangles it leaves through minus those it enters through. Signs that are uncertain in
double precision are taken from another ray, then from exact arithmetic (docs/theory/solids).
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.tables.surface import (
    EXTENT,
    N_SEEDS,
    N_TRIANGLES,
    ORIGIN,
    ROOT_HALF,
    SEAM,
    SOLID,
    SURFACE_HEADER,
)
from keepclear.kernels.trees.obb_tree import AXES, HALF, LINK, NODE
from keepclear.kernels.triangles.digits import place, take, take_vertex
from keepclear.kernels.triangles.exact import SCRATCH, _orient
from keepclear.kernels.vectors import (
    cross,
    dot,
    matrix,
    minus,
    plus,
    scaled,
    sum_of_magnitudes,
    three,
    turned,
    turned_back,
    wide,
)

# Result of `winding` where there is no winding number: the point is on the surface.
ON_SURFACE = 1 << 40
# Results for a triangle and a ray besides 0 and +-1 crossings.
UNCLEAR, TOUCHED = 2, 3

UNIT = 2.0**-53
# Rounding of a determinant of three differences, in units of its largest factors: 8 roundings of six products (48
# units), and a reserve for the roundings of the bound itself. Too small a value makes signs wrong, a larger one needs
# exact arithmetic more often.
ROUNDING = 64.0 * UNIT
# Effect of an error of the point on the same determinant: 3 from Euclidean lengths to largest coordinates, and a
# reserve.
SHIFT = 3.25
UNDERFLOW = 1e-290  # larger than the error of products that underflow
DIRECTIONS = 12
ROUGH_DIRECTIONS = 2  # rays that are cast before exact signs are computed: another ray is cheaper


@kernel(inline=True, boundscheck=False)
def _sign(value, error):
    """Return the sign of a value with an error bound; 0 if it is not known."""
    if value > error:
        return 1
    return -1 if value < -error else 0


@kernel(inline=True, boundscheck=False)
def _largest(a, b, c):
    """Return the largest magnitude of nine numbers."""
    return max(
        max(max(abs(a[0]), abs(a[1])), max(abs(a[2]), abs(b[0]))),
        max(max(max(abs(b[1]), abs(b[2])), max(abs(c[0]), abs(c[1]))), abs(c[2])),
    )


@kernel(boundscheck=False)
def _side_exactly(seed, ax, ay, az, S, ib, ic, M, digits):
    """Return the sign of det[b - a, c - a, p - a] without rounding: b, c at S[ib:], S[ic:], and p the seed."""
    take_vertex(digits, 0, seed[0], seed[1])
    take(digits, 27, ax)
    take(digits, 28, ay)
    take(digits, 29, az)
    for j in range(3):
        take(digits, 30 + j, S[ib + j])
        take(digits, 33 + j, S[ic + j])
    n = place(digits, M, 1, 4, seed[2])
    return _orient(digits, n, 1, 2, 3, 0)


@kernel(boundscheck=False)
def _crossing(S, T, t, x, y, z, e, q, exactly, seed, M, digits):
    """Return how triangle t is crossed by the ray from (x, y, z), known to e, through q: 0, 1 (out), -1 (in).

    Also UNCLEAR if the ray may pass through an edge, TOUCHED if it certainly begins on the triangle. With `exactly`,
    UNCLEAR means that the ray, or the plane of a triangle without area, really passes through an edge.
    """
    ia, ib, ic = (
        SURFACE_HEADER + 3 * T[3 * t],
        SURFACE_HEADER + 3 * T[3 * t + 1],
        SURFACE_HEADER + 3 * T[3 * t + 2],
    )
    corner_a, corner_b, corner_c = three(S, ia), three(S, ib), three(S, ic)
    a, b, c = minus(corner_a, (x, y, z)), minus(corner_b, (x, y, z)), minus(corner_c, (x, y, z))
    u, v, w = minus(corner_b, corner_a), minus(corner_c, corner_b), minus(corner_a, corner_c)
    d = minus(q, (x, y, z))
    far, edge = _largest(a, b, c), _largest(u, v, w)
    seam = S[SEAM] != 0.0  # the corners may move by that: all three edges must certainly be off the line
    if edge == 0.0 and not seam:
        return 0
    reach = max(max(abs(d[0]), abs(d[1])), abs(d[2]))
    error = edge * (ROUNDING * reach * far + SHIFT * e * (reach + far)) + UNDERFLOW
    # The side of the ray's line on which each edge passes. If the signs differ, the line misses the triangle.
    ab = _sign(dot(d, cross(a, u)), error)
    bc = _sign(dot(d, cross(b, v)), error)
    if ab * bc < 0 and not seam:
        return 0
    ca = _sign(dot(d, cross(c, w)), error)
    if seam and ab * bc * ca == 0:
        return UNCLEAR
    if ab * bc < 0 or ab * ca < 0 or bc * ca < 0:
        return 0
    if ab * bc * ca == 0:
        if not exactly:
            return UNCLEAR
        if ab == 0:
            ab = -_side_exactly(seed, q[0], q[1], q[2], S, ia, ib, M, digits)
        if bc == 0:
            bc = -_side_exactly(seed, q[0], q[1], q[2], S, ib, ic, M, digits)
        if ca == 0:
            ca = -_side_exactly(seed, q[0], q[1], q[2], S, ic, ia, M, digits)
        if ab * bc < 0 or ab * ca < 0 or bc * ca < 0:
            return 0
        if ab == 0 and bc == 0 and ca == 0:
            return UNCLEAR
    # The line intersects the triangle, outwards if the sum of the three is positive. Before or after its start?
    out = 1 if ab + bc + ca > 0 else -1
    ahead = _sign(
        dot(a, cross(u, minus(corner_c, corner_a))), edge * edge * (ROUNDING * far + SHIFT * e) + UNDERFLOW
    )
    if ahead == 0:
        if seam:
            return UNCLEAR
        ahead = -_side_exactly(seed, S[ia], S[ia + 1], S[ia + 2], S, ib, ic, M, digits)
        if ahead == 0:
            return TOUCHED
    if ahead != out:
        return 0
    return UNCLEAR if ab * bc * ca == 0 else out


@kernel(boundscheck=False)
def _may_meet(N, at, m, w, pad):
    """Return whether the segment m +- w, relative to the tree's origin, may intersect a node's box enlarged by pad.

    In the coordinates y = (axes) (x - centre) the box is |y| <= half sizes, for any axes.
    """
    m, half = minus(m, wide(N, at)), wide(N, at + HALF)
    u = wide(N, at + AXES)
    h0, m0, w0 = half[0] + pad, dot(u, m), dot(u, w)
    if abs(m0) > h0 + abs(w0):
        return False
    u = wide(N, at + AXES + 3)
    h1, m1, w1 = half[1] + pad, dot(u, m), dot(u, w)
    if abs(m1) > h1 + abs(w1):
        return False
    u = wide(N, at + AXES + 6)
    h2, m2, w2 = half[2] + pad, dot(u, m), dot(u, w)
    if abs(m2) > h2 + abs(w2):
        return False
    return (
        abs(m0 * w1 - m1 * w0) <= h0 * abs(w1) + h1 * abs(w0)
        and abs(m1 * w2 - m2 * w1) <= h1 * abs(w2) + h2 * abs(w1)
        and abs(m2 * w0 - m0 * w2) <= h2 * abs(w0) + h0 * abs(w2)
    )


@kernel(boundscheck=False)
def _far_point(S, x, y, z, e, k):
    """Return the end of ray k: beyond one side of the bounding box, slightly oblique; the nearest side comes first."""
    pad = (S[ROOT_HALF] + S[ROOT_HALF + 1] + S[ROOT_HALF + 2]) / 64.0 + S[EXTENT] * 2.0**-40 + 4.0 * e
    p = (x, y, z)
    side, least = 0, math.inf
    for i in range(6):
        distance = S[ROOT_HALF + i // 2] - (p[i // 2] - S[ORIGIN + i // 2]) * (2 * (i % 2) - 1)
        if distance < least:
            side, least = i, distance
    side = (side + k // 2) % 6
    axis, sense = side // 2, 2 * (side % 2) - 1
    end = S[ORIGIN + axis] + sense * (S[ROOT_HALF + axis] + pad)
    run = abs(end - p[axis])
    # Two sequences that never repeat and fill the square uniformly (Roberts 2018, from the plastic number).
    f, g = (0.7548776662466927 * (k + 1)) % 1.0 - 0.5, (0.5698402909980532 * (k + 1)) % 1.0 - 0.5
    if axis == 0:
        return end, y + f * run, z + g * run
    return (x + g * run, end, z + f * run) if axis == 1 else (x + f * run, y + g * run, end)


@kernel
def _crossings(S, T, N, L, x, y, z, e, q, exactly, seed, M, digits, stack):
    """Return how the ray from (x, y, z) to q crosses all triangles: (UNCLEAR, TOUCHED or 0, sum of the crossings)."""
    m = minus(scaled(0.5, plus((x, y, z), q)), three(S, ORIGIN))
    w = scaled(0.5, minus(q, (x, y, z)))
    pad = 1.01 * e + 32.0 * UNIT * (3.0 * S[EXTENT] + sum_of_magnitudes(m) + sum_of_magnitudes(w))
    problem, total, depth = 0, 0, 1
    stack[0] = 0
    while depth > 0:
        depth -= 1
        at = NODE * stack[depth]
        if not _may_meet(N, at, m, w, pad):
            continue
        link = L[at + LINK]
        if link >= 0:
            stack[depth], stack[depth + 1] = link + 1, link
            depth += 2
            continue
        crossing = _crossing(S, T, -1 - link, x, y, z, e, q, exactly, seed, M, digits)
        if crossing == TOUCHED or (crossing == UNCLEAR and not exactly):
            return crossing, 0
        if crossing == UNCLEAR:  # another triangle may still be certainly touched
            problem = UNCLEAR
        else:
            total += crossing
    return problem, total


@kernel(inline=True, boundscheck=False)
def is_beyond(S, p, e):
    """Return whether a point known to e is outside of the box around a surface."""
    for i in range(3):
        # harmless (4.0 * UNIT * (abs(p[i]) + S[EXTENT])): rounding keeps the order of |p - origin| and half + e
        if abs(p[i] - S[ORIGIN + i]) > S[ROOT_HALF + i] + e + 4.0 * UNIT * (abs(p[i]) + S[EXTENT]):
            return True
    return False


@kernel(inline=True, boundscheck=False)
def by_rays(crossings, S, T, N, L, x, y, z, e, seed, M, digits, scratch):
    """Return the winding number of a closed mesh about a point, or ON_SURFACE, by the crossings of rays with its tree.

    `crossings` is the search of a kind of tree, as `_crossings` for oriented boxes.
    """
    # Where the sides of a seam are this far apart, a crossing counts only if it holds for every position of the edge
    # between them.
    e += S[SEAM]
    for k in range(DIRECTIONS):
        exactly = k >= ROUGH_DIRECTIONS and S[SEAM] == 0.0
        q = _far_point(S, x, y, z, e, k)
        problem, total = crossings(S, T, N, L, x, y, z, e, q, exactly, seed, M, digits, scratch)
        if problem == 0:
            return total
        if problem == TOUCHED:
            return ON_SURFACE
    return _by_solid_angles(S, T, x, y, z)


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64, float64, float64, float64,"
    "float64[::1], int64, boolean, float64[::1], int64[::1], int32[::1])"
)
def winding(S, T, N, L, x, y, z, e, S_point, vertex, swapped, M, digits, stack):
    """Return the winding number of a closed mesh about a point, or ON_SURFACE.

    Args:
        S, T, N, L: The surface and its tree of oriented boxes.
        x, y, z, e: The point in the frame of the surface, known up to a distance e.
        S_point, vertex: The point for exact arithmetic: a vertex of another surface.
        swapped: Order of the matrices in M: the first is that of the point and the second that of the mesh; if swapped,
            vice versa.
        M, digits: The matrices, and scratch, for exact arithmetic.
        stack: Scratch, one entry per level of the tree and one more.
    """
    if is_beyond(S, (x, y, z), e):
        return 0
    # harmless (32.0 * UNIT * (3.0 * S[EXTENT] + abs(x) + abs(y) + abs(z))): boxes have 1.6e-6 of their sizes to spare
    pad = 1.01 * e + 32.0 * UNIT * (3.0 * S[EXTENT] + abs(x) + abs(y) + abs(z))
    if not _may_meet(N, 0, minus((x, y, z), three(S, ORIGIN)), (0.0, 0.0, 0.0), pad):
        return 0
    return by_rays(_crossings, S, T, N, L, x, y, z, e, (S_point, vertex, swapped), M, digits, stack)


@kernel(boundscheck=False)
def _by_solid_angles(S, T, x, y, z):
    """Return the sum of the solid angles of all triangles, in full spheres, to the nearest integer.

    The angle of one triangle is computed after van Oosterom and Strackee (IEEE T-BME 30(2), 1983).
    """
    total = 0.0
    for t in range(int(S[N_TRIANGLES])):
        a = minus(three(S, SURFACE_HEADER + 3 * T[3 * t]), (x, y, z))
        b = minus(three(S, SURFACE_HEADER + 3 * T[3 * t + 1]), (x, y, z))
        c = minus(three(S, SURFACE_HEADER + 3 * T[3 * t + 2]), (x, y, z))
        la, lb, lc = math.sqrt(dot(a, a)), math.sqrt(dot(b, b)), math.sqrt(dot(c, c))
        total += math.atan2(
            dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
        )
    return math.floor(total / (2.0 * math.pi) + 0.5)


@kernel(boundscheck=False)
def _in_frame_of_b(rel, delta, x, y, z):
    """Return a point of A's frame in the frame of B, and a bound on its error there.

    The residual of the transposed matrix is measured, not assumed. delta is counted twice because it was computed for
    points of B, and the corners of the box of B may be farther out than they.
    """
    r = matrix(rel, 0)
    d = minus((x, y, z), three(rel, 9))
    ss = rel[0] * rel[0] + rel[3] * rel[3] + rel[6] * rel[6]
    bx, by, bz = turned_back(r, d)
    bx, by, bz = bx / ss, by / ss, bz / ss
    left = sum_of_magnitudes(minus(turned(r, (bx, by, bz)), d))
    s = math.sqrt(ss)
    around = abs(x) + abs(y) + abs(z) + abs(rel[9]) + abs(rel[10]) + abs(rel[11])
    around += 3.0 * s * (abs(bx) + abs(by) + abs(bz))
    return bx, by, bz, (left + 2.0 * delta + 16.0 * UNIT * around) / s * 1.001


@kernel
def contained(SA, TA, NA, LA, SB, TB, NB, LB, rel, delta, M, digits, stack):
    """Return 1 if a component of A is inside the solid B, 2 if one of B is inside the solid A, else 0; and its vertex.

    The surfaces must be known to be disjoint: then one vertex of a component decides for all of it.

    Args:
        SA, TA, NA, LA: Surface A and its tree of oriented boxes; B likewise.
        rel: B in the frame of A: r00 ... r22, tx, ty, tz first, possibly with a uniform scale.
        delta: Error bound of the position of a point of B mapped by `rel` [A's unit of length].
        M, digits: Poses of A and B, and scratch, for exact arithmetic.
        stack: Scratch, one entry per level of a tree and one more.
    """
    return contained_by(winding, SA, TA, NA, LA, SB, TB, NB, LB, rel, delta, M, digits, stack)


@kernel(inline=True)
def contained_by(winding_of, SA, TA, NA, LA, SB, TB, NB, LB, rel, delta, M, digits, scratch):
    """Do the same with the winding numbers of a kind of tree, as `winding` for oriented boxes."""
    if SB[SOLID] != 0.0:
        for k in range(int(SA[N_SEEDS])):
            v = int(TA[3 * int(SA[N_TRIANGLES]) + k])
            at = SURFACE_HEADER + 3 * v
            x, y, z, e = _in_frame_of_b(rel, delta, SA[at], SA[at + 1], SA[at + 2])
            if winding_of(SB, TB, NB, LB, x, y, z, e, SA, v, False, M, digits, scratch) != 0:
                return 1, v
    if SA[SOLID] != 0.0:
        for k in range(int(SB[N_SEEDS])):
            v = int(TB[3 * int(SB[N_TRIANGLES]) + k])
            at = SURFACE_HEADER + 3 * v
            x, y, z = plus(turned(matrix(rel, 0), three(SB, at)), three(rel, 9))
            if winding_of(SA, TA, NA, LA, x, y, z, delta, SB, v, True, M, digits, scratch) != 0:
                return 2, v
    return 0, -1


@kernel("int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], int64[::1])", allocates=True)
def winding_numbers(S, T, N, L, points, out):
    """Write the winding number of a closed mesh about each point, x, y, z in its frame, or ON_SURFACE; return 0."""
    n = out.shape[0]
    P, M = np.zeros(SURFACE_HEADER + 3 * n), np.zeros(24)
    for i in range(3 * n):
        P[SURFACE_HEADER + i] = points[i]
    for i in range(3):
        M[5 * i], M[12 + 5 * i] = 1.0, 1.0
    digits, stack = np.zeros(SCRATCH, np.int64), np.zeros(L.shape[0] // NODE + 2, np.int32)
    for k in range(n):
        x, y, z = points[3 * k], points[3 * k + 1], points[3 * k + 2]
        out[k] = winding(S, T, N, L, x, y, z, 0.0, P, k, False, M, digits, stack)
    return 0
