"""Common points of the pairs of triangles that a search found."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.trees.obb_pair import (
    HIT,
    STATE,
    corners_of_a,
    corners_of_b,
    leaves_meet,
    place,
    scene_size,
)
from keepclear.kernels.triangles.exact import COPLANAR, CROSS, SCRATCH
from keepclear.kernels.triangles.triangle_cut import cut
from keepclear.kernels.vectors import cross, dot, minus, moved, put

HIT_NUMBERS = 18  # numbers per hit: six points
# Heights below this fraction of a triangle's size, and sines of angles below it, are left to `cut`, which takes longer.
# Rounding moves a point along an edge by the rounding of coordinates times size / height: by 1e-13 at worst.
CLEAR = 1e-3


@kernel(inline=True, boundscheck=False)
def _passage(a, b, c, p, q, r):
    """Return where two edges of a triangle cross height 0; a, b, c are its corners' heights, one alone on its side."""
    if (a > 0.0) == (c > 0.0):  # q alone
        a, b, p, q = b, a, q, p
    elif (a > 0.0) == (b > 0.0):  # r alone
        a, c, p, r = c, a, r, p
    return moved(p, a / (a - b), minus(q, p)), moved(p, a / (a - c), minus(r, p))


@kernel(inline=True, boundscheck=False)
def _size(a, b, c):
    """Return the magnitudes of two edges of a triangle, added up."""
    u, v = minus(b, a), minus(c, a)
    return abs(u[0]) + abs(u[1]) + abs(u[2]) + abs(v[0]) + abs(v[1]) + abs(v[2])


@kernel(boundscheck=False)
def _cut_clearly(a, b, c, p, q, r, far, out, at):
    """Write the ends of the common segment of two triangles that cross at a clear angle; return whether they do.

    Each triangle cuts the other's plane in a segment of the planes' common line: the ends are the inner two of four.
    """
    n, m = cross(minus(b, a), minus(c, a)), cross(minus(q, p), minus(r, p))
    pa, qa, ra = dot(n, minus(p, a)), dot(n, minus(q, a)), dot(n, minus(r, a))
    ap, bp, cp = dot(m, minus(a, p)), dot(m, minus(b, p)), dot(m, minus(c, p))
    d = cross(n, m)
    nn, mm, dd = dot(n, n), dot(m, m), dot(d, d)
    size_a = _size(a, b, c)
    size_b = _size(p, q, r)
    if not (
        dd > CLEAR * CLEAR * nn * mm
        and min(abs(pa), abs(qa), abs(ra)) > CLEAR * math.sqrt(nn) * size_b
        and min(abs(ap), abs(bp), abs(cp)) > CLEAR * math.sqrt(mm) * size_a
        # harmless (>): that they cross is known; only digits of the points depend on it
        # harmless (1e-9 * far): likewise
        and min(size_a, size_b) > 1e-9 * far
        and min(pa, qa, ra) < 0.0
        and max(pa, qa, ra) > 0.0
        and min(ap, bp, cp) < 0.0
        and max(ap, bp, cp) > 0.0
    ):
        return False
    x, y = _passage(pa, qa, ra, p, q, r)
    u, v = _passage(ap, bp, cp, a, b, c)
    if dot(d, minus(y, x)) < 0.0:
        x, y = y, x
    if dot(d, minus(v, u)) < 0.0:
        u, v = v, u
    if dot(d, minus(u, x)) > 0.0:
        x = u
    if dot(d, minus(v, y)) < 0.0:
        y = v
    if dot(d, minus(y, x)) < 0.0:
        return False
    put(out, at, x)
    put(out, at + 3, y)
    return True


@kernel(
    "void(float64[::1], int32[::1], float64[::1], int32[::1], float64[:,:,::1], float64[:,:,::1], int32[::1],"
    " float64[::1], int32[::1])",
    allocates=True,
)
def cut_hits(SA, TA, SB, TB, X_WA, X_WB, hits, points, counts):
    """Write the corners of the intersection of each pair of triangles, in the world, to `points`, and their number.

    The kind of a hit with a negative kind is computed first.
    """
    digits, state = np.empty(SCRATCH, np.int64), np.zeros(STATE, np.int64)
    Q, M = np.empty(20), np.empty(24)
    one_a, one_b = X_WA.shape[0] == 1, X_WB.shape[0] == 1
    last, far = -1, 0.0
    for h in range(counts.shape[0]):
        k, ta, tb = hits[HIT * h], hits[HIT * h + 1], hits[HIT * h + 2]
        if k != last:
            place(SA, SB, X_WA, 0 if one_a else k, X_WB, 0 if one_b else k, Q, M)
            last, far = k, scene_size(SA, SB, Q)
        a, b, c = corners_of_a(SA, TA, ta)
        p, q, r = corners_of_b(SB, TB, tb, Q)
        kind = hits[HIT * h + 3]
        if kind < 0:
            kind = leaves_meet(SA, TA, ta, SB, TB, tb, Q, M, state, digits)
        n, at = 2, HIT_NUMBERS * h
        if kind != CROSS or not _cut_clearly(a, b, c, p, q, r, far, points, at):
            n = cut(a, b, c, p, q, r, kind == COPLANAR, points, at)
        counts[h] = n
        for i in range(at, at + 3 * n, 3):
            x, y, z = points[i], points[i + 1], points[i + 2]
            points[i] = M[0] * x + M[1] * y + M[2] * z + M[3]
            points[i + 1] = M[4] * x + M[5] * y + M[6] * z + M[7]
            points[i + 2] = M[8] * x + M[9] * y + M[10] * z + M[11]
