"""The triangle of a mesh that is nearest to a point, by its tree, and certified bounds on the distance of points."""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.simplex import closest_on_triangle
from keepclear.kernels.tables.surface import EXTENT, ORIGIN, SURFACE_HEADER
from keepclear.kernels.trees.obb_tree import HALF, LINK, NODE, STACK
from keepclear.kernels.vectors import dot, minus, plus, put, three, turned_back, wide

# Row of a point: lower and upper bound on its distance, and the nearest point of the surface, up to rounding.
LOWER, UPPER, NEAREST, ROW = 0, 1, 2, 5

UNIT = 2.0**-53
# Axes of boxes are orthonormal to 4e-7, so that lengths along them have relative errors of less than 1e-6, and squares
# of 2e-6.
BOX = 1.0 - 4e-6


@kernel(inline=True, boundscheck=False)
def square_to_box(N, node, x, y, z):
    """Return approximately the squared distance of a point, relative to the origin of the tree, to a node's box."""
    p, square = NODE * node, 0.0
    away = minus((x, y, z), wide(N, p))
    for i in range(3):
        beyond = max(0.0, abs(dot(away, wide(N, p + 3 + 3 * i))) - np.float64(N[p + HALF + i]))
        square += beyond * beyond
    return square


@kernel(inline=True, boundscheck=False)
def push_two(link, first, second, stack, bounds, depth):
    """Push the nodes `link` and `link` + 1 with these bounds, the nearer one on top; return the depth of the stack."""
    swap = 1 if first < second else 0
    stack[depth], stack[depth + 1] = link + swap, link + 1 - swap
    bounds[depth], bounds[depth + 1] = max(first, second), min(first, second)
    return depth + 2


@kernel(inline=True, boundscheck=False)
def vertices_at(T, t):
    """Return where the corners of a triangle begin in the array of the surface."""
    return SURFACE_HEADER + 3 * T[3 * t], SURFACE_HEADER + 3 * T[3 * t + 1], SURFACE_HEADER + 3 * T[3 * t + 2]


@kernel(inline=True, boundscheck=False)
def _relative(S, T, t, x):
    """Return the corners of a triangle relative to a point."""
    p, q, r = vertices_at(T, t)
    return minus(three(S, p), x), minus(three(S, q), x), minus(three(S, r), x)


@kernel(inline=True, boundscheck=False)
def vector_to_triangle(S, T, t, x, y, z):
    """Return the vector from a point to the nearest point of a triangle."""
    a, b, c = _relative(S, T, t, (x, y, z))
    _, _, _, u, v, w = closest_on_triangle(*a, *b, *c)
    return u, v, w


@kernel(boundscheck=False)
def nearest_triangle(S, T, N, L, x, y, z, stack, bounds):
    """Return the number of the triangle nearest to the point (x, y, z) of the mesh's frame, up to rounding.

    Args:
        S, T, N, L: Surface and tree of the mesh.
        stack, bounds: Scratch of `obb_pair.STACK` numbers each.
    """
    return nearer_triangle(S, T, N, L, x, y, z, math.inf, 0, stack, bounds)


@kernel(boundscheck=False)
def nearer_triangle(S, T, N, L, x, y, z, best, found, stack, bounds):
    """Return the triangle nearest to a point, or `found` where none is nearer than the root of `best`."""
    ox, oy, oz = x - S[ORIGIN], y - S[ORIGIN + 1], z - S[ORIGIN + 2]
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        if bounds[depth] >= best:
            continue
        link = L[NODE * stack[depth] + LINK]
        if link >= 0:
            first, second = square_to_box(N, link, ox, oy, oz), square_to_box(N, link + 1, ox, oy, oz)
            depth = push_two(link, first, second, stack, bounds, depth)
            continue
        t = -1 - link
        u, v, w = vector_to_triangle(S, T, t, x, y, z)
        square = u * u + v * v + w * w
        if square < best:
            best, found = square, t
    return found


@kernel(boundscheck=False)
def _one(S, T, N, L, x, y, z, stack, bounds, out, at):
    """Write the row of one point.

    For any direction n of at most unit length, min over corners v of n . (v - p) is at most the distance of p from a
    triangle. The direction to the nearest point, even if rounded, gives the lower bound of each triangle that is
    tested. The triangles of a box that is skipped are not nearer than the best one found. Differences of coordinates up
    to M, and products with a unit vector, have errors of less than 16 units of 2^-53 of M.
    """
    ox, oy, oz = x - S[ORIGIN], y - S[ORIGIN + 1], z - S[ORIGIN + 2]
    best = lower = math.inf
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        if bounds[depth] >= best:
            continue
        link = L[NODE * stack[depth] + LINK]
        if link >= 0:
            first = BOX * square_to_box(N, link, ox, oy, oz)
            second = BOX * square_to_box(N, link + 1, ox, oy, oz)
            depth = push_two(link, first, second, stack, bounds, depth)
            continue
        a, b, c = _relative(S, T, -1 - link, (x, y, z))
        la, lb, lc, u, v, w = closest_on_triangle(*a, *b, *c)
        length = math.sqrt(u * u + v * v + w * w)
        if length > 0.0:
            n = u / length, v / length, w / length
            nearest = min(dot(n, a), dot(n, b), dot(n, c))
            # harmless (8.0 * UNIT): `rounding` has 16 units to spare for it
            lower = min(lower, max(nearest, 0.0) * (1.0 - 8.0 * UNIT))
        else:
            lower = 0.0
        q = turned_back((a, b, c), (la, lb, lc))
        square = dot(q, q)
        if square < best:
            best = square
            put(out, at + NEAREST, plus((x, y, z), q))
    rounding = 32.0 * UNIT * (abs(x) + abs(y) + abs(z) + 3.0 * S[EXTENT])
    best = math.sqrt(best)
    out[at + LOWER] = max(0.0, min(lower, best) - rounding)
    # harmless (16.0 * UNIT): `rounding` has 16 units to spare for it
    out[at + UPPER] = best * (1.0 + 16.0 * UNIT) + rounding


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64[::1], float64[::1])", allocates=True
)
def point_distances(S, T, N, L, points, out):
    """Write ROW numbers for each point, x, y, z in the frame of the mesh; return 0.

    Args:
        S, T, N, L: Surface and tree of oriented boxes of the mesh.
        points: Three coordinates each.
        out: ROW numbers each.
    """
    stack, bounds = np.zeros(STACK, np.int32), np.zeros(STACK)
    for k in range(points.shape[0] // 3):
        _one(S, T, N, L, points[3 * k], points[3 * k + 1], points[3 * k + 2], stack, bounds, out, ROW * k)
    return 0
