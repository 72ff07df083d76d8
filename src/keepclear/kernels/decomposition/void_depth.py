"""Distance of points from a solid, and upper bounds on the distance of the points of a convex part from it.

The greatest distance is found by branch and bound over tetrahedra. The distance from one triangle is a convex function,
so within a tetrahedron it is largest at a corner: the triangle that is nearest to the centre bounds the distance from
the whole solid. If the centre is inside of the solid, so is the ball that reaches to the surface. If a few planes have
all the surface within a ball above them, the region below is entirely inside of the solid, or entirely outside.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.tables.surface import EXTENT, ORIGIN, SEAM, SURFACE_HEADER
from keepclear.kernels.trees.nearest_triangle import (
    nearest_triangle,
    square_to_box,
    vector_to_triangle,
    vertices_at,
)
from keepclear.kernels.trees.obb_pair import STACK
from keepclear.kernels.trees.obb_tree import LINK, NODE
from keepclear.kernels.trees.winding import winding
from keepclear.kernels.triangles.exact import SCRATCH

UNIT = 2.0**-53
# More than the rounding error of the distance of a point from a triangle, as a fraction of the largest coordinates.
ROUNDING = 1e-12
# A tetrahedron on the stack: its four corners, and the bound of the one that it was cut from.
TETRAHEDRON, BOUND = 13, 12
MOST_TESTED = 32  # triangles nearby
MOST_PLANES = 8  # planes with the surface within a ball above them
# Output of `bound_excess`: lower bound, the point that attains it, tetrahedra examined.
LOWER, WITNESS, EXAMINED, FOUND = 0, 1, 4, 5


@kernel(allocates=True)
def scratch_of(L):
    """Return scratch for `nearest_triangle` and `is_inside`."""
    M = np.zeros(24)
    for i in range(3):
        M[5 * i], M[12 + 5 * i] = 1.0, 1.0
    n = max(STACK, L.shape[0] // NODE + 2)
    return np.zeros(n, np.int32), np.zeros(n), np.zeros(SURFACE_HEADER + 3), M, np.zeros(SCRATCH, np.int64)


@kernel(boundscheck=False)
def to_triangle(S, T, t, x, y, z):
    """Return the distance of a point from triangle t."""
    u, v, w = vector_to_triangle(S, T, t, x, y, z)
    return math.sqrt(u * u + v * v + w * w)


@kernel(boundscheck=False)
def is_inside(S, T, N, L, x, y, z, scratch):
    """Return whether a point lies in the closed solid, decided exactly."""
    stack, _, P, M, digits = scratch
    P[SURFACE_HEADER], P[SURFACE_HEADER + 1], P[SURFACE_HEADER + 2] = x, y, z
    return winding(S, T, N, L, x, y, z, 0.0, P, 0, False, M, digits, stack) != 0


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[:,::1], float64[::1])", allocates=True
)
def depths(S, T, N, L, points, out):
    """Write the distance of each point from the surface of a solid, negative inside of it; return 0."""
    scratch = scratch_of(L)
    for k in range(points.shape[0]):
        x, y, z = points[k, 0], points[k, 1], points[k, 2]
        t = nearest_triangle(S, T, N, L, x, y, z, scratch[0], scratch[1])
        d = to_triangle(S, T, t, x, y, z)
        out[k] = -d if is_inside(S, T, N, L, x, y, z, scratch) else d
    return 0


@kernel(boundscheck=False)
def _planes_around(S, T, N, L, x, y, z, radius, rounding, K, scratch):
    """Write planes, each with the triangles that are above it, for all triangles near a point; return how many.

    Every triangle within twice the radius is above one of the planes n . x = d - e. 0: there would be too many planes,
    or there are so many triangles that smaller tetrahedra are cheaper.
    """
    ox, oy, oz = x - S[ORIGIN], y - S[ORIGIN + 1], z - S[ORIGIN + 2]
    reach = 2.0 * radius + rounding
    stack, n, depth, tested = scratch[0], 0, 1, 0
    stack[0] = 0
    while depth > 0:
        depth -= 1
        link = L[NODE * stack[depth] + LINK]
        if link >= 0:
            for child in range(link, link + 2):
                if square_to_box(N, child, ox, oy, oz) <= reach * reach * (1.0 + 1e-5):
                    stack[depth] = child
                    depth += 1
            continue
        t, tested = -1 - link, tested + 1
        if tested > MOST_TESTED:
            return 0
        if to_triangle(S, T, t, x, y, z) > reach:
            continue
        p, q, r = vertices_at(T, t)
        least, at = math.inf, -1
        for i in range(n):
            below = K[i, 3] - min(
                min(
                    K[i, 0] * S[p] + K[i, 1] * S[p + 1] + K[i, 2] * S[p + 2],
                    K[i, 0] * S[q] + K[i, 1] * S[q + 1] + K[i, 2] * S[q + 2],
                ),
                K[i, 0] * S[r] + K[i, 1] * S[r + 1] + K[i, 2] * S[r + 2],
            )
            if below < least:
                least, at = below, i
        if least <= 0.02 * radius:
            K[at, 4] = max(K[at, 4], least)
            continue
        ux, uy, uz = S[q] - S[p], S[q + 1] - S[p + 1], S[q + 2] - S[p + 2]
        vx, vy, vz = S[r] - S[p], S[r + 1] - S[p + 1], S[r + 2] - S[p + 2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        if length == 0.0 or n == MOST_PLANES:
            return 0
        nx, ny, nz = nx / length, ny / length, nz / length
        a = nx * S[p] + ny * S[p + 1] + nz * S[p + 2]
        b = min(nx * S[q] + ny * S[q + 1] + nz * S[q + 2], nx * S[r] + ny * S[r + 1] + nz * S[r + 2])
        K[n, 0], K[n, 1], K[n, 2], K[n, 3], K[n, 4] = nx, ny, nz, a, max(a - b, 0.0)
        n += 1
    return n


@kernel(boundscheck=False)
def _moved_below(K, n, x, y, z, margin):
    """Return the point, moved below n planes by a margin, one after the other; and whether it is below all."""
    for _ in range(16):
        is_below = True
        for i in range(n):
            h = K[i, 0] * x + K[i, 1] * y + K[i, 2] * z - (K[i, 3] - K[i, 4] - margin)
            if h > 0.0:
                is_below = False
                h += margin
                x, y, z = x - h * K[i, 0], y - h * K[i, 1], z - h * K[i, 2]
        if is_below:
            return True, x, y, z
    return False, x, y, z


@kernel(boundscheck=False)
def _bound_by_planes(S, T, N, L, Q, x, y, z, radius, rounding, K, scratch):
    """Return an upper bound on the distance of a tetrahedron from the solid by the planes around it; inf if none.

    The part of the ball of twice the radius that is below the planes of `_planes_around` is convex and contains no
    surface. If one point of it is in the solid, all of it is. The distance from it is convex, so it is largest at a
    corner.
    """
    n = _planes_around(S, T, N, L, x, y, z, radius, rounding, K, scratch)
    if n == 0:
        return math.inf
    is_below, px, py, pz = _moved_below(K, n, x, y, z, 0.05 * radius)
    if not is_below or (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2 > 3.9 * radius * radius:
        return math.inf
    if not is_inside(S, T, N, L, px, py, pz, scratch):
        return math.inf
    bound = 0.0
    for i in range(4):
        vx, vy, vz = Q[3 * i], Q[3 * i + 1], Q[3 * i + 2]
        is_below, px, py, pz = _moved_below(K, n, vx, vy, vz, rounding)
        if not is_below or (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2 > 3.9 * radius * radius:
            return math.inf
        bound = max(bound, (px - vx) ** 2 + (py - vy) ** 2 + (pz - vz) ** 2)
    return math.sqrt(bound) + rounding


@kernel(
    "float64(float64[::1], int32[::1], float32[::1], int32[::1], float64[:,::1], int64[:,::1], float64, float64,"
    " float64, int64, float64[::1])",
    allocates=True,
)
def bound_excess(S, T, N, L, vertices, triangles, enough, limit, tolerance, budget, found):
    """Return an upper bound on the distance of a convex part's points from a solid; `found` receives a lower one.

    Args:
        S, T, N, L: The surface of the solid and its tree of oriented boxes.
        vertices, triangles: The part: its surface.
        enough: Regions within this distance are not divided further.
        limit: The search ends when a point farther than this is found; the bound is then infinite.
        tolerance: Regions are not divided where they can add no more than this to the lower bound.
        budget: Most tetrahedra to examine.
        found: Lower bound, the point with this distance, tetrahedra examined.
    """
    scratch = scratch_of(L)
    m = triangles.shape[0]
    capacity = m + 400
    W, K = np.empty((capacity, TETRAHEDRON)), np.empty((MOST_PLANES, 5))
    cx, cy, cz = 0.0, 0.0, 0.0
    extent = S[EXTENT]
    for k in range(vertices.shape[0]):
        cx, cy, cz = cx + vertices[k, 0], cy + vertices[k, 1], cz + vertices[k, 2]
        extent = max(extent, math.sqrt(vertices[k, 0] ** 2 + vertices[k, 1] ** 2 + vertices[k, 2] ** 2))
    n = vertices.shape[0]
    rounding = ROUNDING * extent + S[SEAM]
    cx, cy, cz = cx / n, cy / n, cz / n
    lower, upper, examined = 0.0, 0.0, 0
    found[WITNESS], found[WITNESS + 1], found[WITNESS + 2] = cx, cy, cz
    for k in range(n):
        x, y, z = vertices[k, 0], vertices[k, 1], vertices[k, 2]
        t = nearest_triangle(S, T, N, L, x, y, z, scratch[0], scratch[1])
        d = to_triangle(S, T, t, x, y, z)
        if d > lower and not is_inside(S, T, N, L, x, y, z, scratch):
            lower = d
            found[WITNESS], found[WITNESS + 1], found[WITNESS + 2] = x, y, z
    for k in range(m):
        W[k, 0], W[k, 1], W[k, 2] = cx, cy, cz
        for i in range(3):
            for j in range(3):
                W[k, 3 + 3 * i + j] = vertices[triangles[k, i], j]
        W[k, BOUND] = math.inf
    depth = m
    while depth > 0:
        if lower > limit:
            found[LOWER], found[EXAMINED] = lower, examined
            return math.inf
        depth -= 1
        if W[depth, BOUND] <= max(lower + tolerance, enough):
            upper = max(upper, W[depth, BOUND])
            continue
        if (examined >= budget and W[depth, BOUND] < math.inf) or depth + 2 > capacity:
            upper = max(upper, W[depth, BOUND])
            continue
        examined += 1
        x = 0.25 * (W[depth, 0] + W[depth, 3] + W[depth, 6] + W[depth, 9])
        y = 0.25 * (W[depth, 1] + W[depth, 4] + W[depth, 7] + W[depth, 10])
        z = 0.25 * (W[depth, 2] + W[depth, 5] + W[depth, 8] + W[depth, 11])
        t = nearest_triangle(S, T, N, L, x, y, z, scratch[0], scratch[1])
        d = to_triangle(S, T, t, x, y, z)
        radius, bound = 0.0, 0.0
        for i in range(4):
            px, py, pz = W[depth, 3 * i], W[depth, 3 * i + 1], W[depth, 3 * i + 2]
            radius = max(radius, (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2)
            bound = max(bound, to_triangle(S, T, t, px, py, pz))
        radius = math.sqrt(radius) + rounding
        bound = min(bound, d + radius) + rounding
        if bound > max(lower + tolerance, enough):
            inside = is_inside(S, T, N, L, x, y, z, scratch)
            if inside:  # so is the ball that reaches to the surface
                bound = min(bound, max(radius - d, 0.0) + rounding)
            elif d > lower:
                lower = d
                found[WITNESS], found[WITNESS + 1], found[WITNESS + 2] = x, y, z
        bound = min(bound, W[depth, BOUND])
        if d < radius and bound > max(lower + tolerance, enough):
            bound = min(bound, _bound_by_planes(S, T, N, L, W[depth], x, y, z, radius, rounding, K, scratch))
        if bound <= max(lower + tolerance, enough):
            upper = max(upper, bound)
            continue
        longest, p, q = -1.0, 0, 1
        for i in range(4):
            for j in range(i):
                s = 0.0
                for k in range(3):
                    s += (W[depth, 3 * i + k] - W[depth, 3 * j + k]) ** 2
                if s > longest:
                    longest, p, q = s, i, j
        W[depth, BOUND] = bound
        for k in range(TETRAHEDRON):
            W[depth + 1, k] = W[depth, k]
        for k in range(3):
            middle = 0.5 * (W[depth, 3 * p + k] + W[depth, 3 * q + k])
            W[depth, 3 * p + k], W[depth + 1, 3 * q + k] = middle, middle
        depth += 2
    found[LOWER], found[EXAMINED] = lower, examined
    return max(upper, lower) + rounding
