"""Search of a mesh's tree for the triangle that is nearest to a point."""

from __future__ import annotations

import math

import numpy as np

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.simplex import closest_on_triangle
from keepclear.kernels.trees.obb_tree import HALF, LINK, NODE
from keepclear.kernels.trees.surface_layout import ORIGIN, SURFACE_HEADER


@kernel(inline=True, boundscheck=False)
def _square_to_box(N, node, x, y, z):
    """Return approximately the squared distance of a point, relative to the origin of the tree, to a node's box."""
    p, square = NODE * node, 0.0
    x, y, z = x - np.float64(N[p]), y - np.float64(N[p + 1]), z - np.float64(N[p + 2])
    for i in range(3):
        q = p + 3 + 3 * i
        along = x * np.float64(N[q]) + y * np.float64(N[q + 1]) + z * np.float64(N[q + 2])
        beyond = max(0.0, abs(along) - np.float64(N[p + HALF + i]))
        square += beyond * beyond
    return square


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
            first, second = _square_to_box(N, link, ox, oy, oz), _square_to_box(N, link + 1, ox, oy, oz)
            swap = 1 if first < second else 0  # the nearer one on top
            stack[depth], stack[depth + 1] = link + swap, link + 1 - swap
            bounds[depth], bounds[depth + 1] = max(first, second), min(first, second)
            depth += 2
            continue
        t = -1 - link
        p, q, r = (
            SURFACE_HEADER + 3 * T[3 * t],
            SURFACE_HEADER + 3 * T[3 * t + 1],
            SURFACE_HEADER + 3 * T[3 * t + 2],
        )
        _, _, _, u, v, w = closest_on_triangle(
            S[p] - x, S[p + 1] - y, S[p + 2] - z,
            S[q] - x, S[q + 1] - y, S[q + 2] - z,
            S[r] - x, S[r + 1] - y, S[r + 2] - z,
        )  # fmt: skip
        square = u * u + v * v + w * w
        if square < best:
            best, found = square, t
    return found
