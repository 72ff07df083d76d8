"""A hull that was found before, checked against its points before anything uses it: cheaper than finding it again.

What is checked is enough for a walk on the surface to be safe, wherever the numbers come from:

- each edge belongs to two triangles, once in each direction: the surface is closed;
- each edge is convex, or flat without a fold, in exact arithmetic;
- a point of the inside lies below the plane of every triangle, and the solid angles of the triangles around it add
  up to one sphere.

By the last, the surface projects onto a sphere around that point, with every triangle the right way round, and covers
it once. So it is in one component, does not touch itself at a vertex and does not wind twice around one; it bounds a
star-shaped body. Convex along every edge, this body is convex (Tietze and Nakajima: a closed connected set that is
convex near each of its points is convex).

That no point lies outside is checked to rounding. How far points may stick out within rounding is measured where a
hull is packed, as it is for every hull.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.shapes.hull import (
    FLAT,
    UNIT,
    FloatArray,
    HullGraph,
    IntArray,
    bent_edges,
    build_graph,
    is_doubtful,
    is_flat,
)

__all__ = ["MOST_PRODUCTS", "checked_hull_graph"]

# How many products of points and triangles are compared [30 ms]. Larger hulls are found again: that takes no longer.
MOST_PRODUCTS = 20_000_000
AT_ONCE = 1_000_000  # of these products, 8 MB
# How far outside a point may be, as a part of the size. Packing makes a vertex of a point that is farther out.
STICKS_OUT = 2e-13
# The least length of (determinant, denominator) of a solid angle, relative to the product of the three distances.
# Rounding changes both by less than 1e-14 of it, so the angle by 1e-7: a million triangles by less than half a sphere.
LEAST_ANGLE = 1e-7


def checked_hull_graph(
    points: FloatArray, point_index: IntArray, triangles: IntArray, facet: IntArray
) -> HullGraph | None:
    """Return the graph of the hull of (n, 3) points that has these vertices and triangles; None if it is not that.

    Args:
        points: The points [m].
        point_index: (k,) which of them are vertices.
        triangles: (m, 3) numbers of vertices, counter-clockwise seen from outside.
        facet: (m,) number of the flat face each triangle belongs to.
    """
    if len(points) * len(triangles) > MOST_PRODUCTS or not _are_numbers(
        len(points), point_index, triangles, facet
    ):
        return None
    vertices = np.ascontiguousarray(points[point_index])
    size = float(np.ptp(points, axis=0).max())
    if bent_edges(vertices, triangles) != []:
        return None
    if not _surrounds_once(vertices, triangles) or _sticks_out(points, vertices, triangles, size):
        return None
    rounded = 8.0 * UNIT * float(np.abs(vertices).max())  # by the middle of a face far from the origin
    if not is_flat(vertices[triangles], facet, FLAT * size + rounded).all():
        return None
    return build_graph(point_index, vertices, triangles, facet, 3, proved=True)


def _are_numbers(n_points: int, point_index: IntArray, triangles: IntArray, facet: IntArray) -> bool:
    """Tell whether the arrays number what is there: each point once, each vertex in some triangle."""
    k, m = len(point_index), len(triangles)
    if k < 4 or m != 2 * k - 4 or triangles.shape != (m, 3) or facet.shape != (m,):
        return False
    for values, end in ((point_index, n_points), (triangles, k), (facet, m)):
        if values.min() < 0 or values.max() >= end:
            return False
    if len(np.unique(point_index)) < k or len(np.unique(facet)) <= facet.max():
        return False
    return bool(np.bincount(triangles.ravel(), minlength=k).all())


def _surrounds_once(vertices: FloatArray, triangles: IntArray) -> bool:
    """Tell whether triangles surely face away from the mean of the vertices, and cover one sphere around it."""
    inside = vertices.mean(axis=0)
    corners = vertices[triangles]
    if is_doubtful(corners[:, 0], corners[:, 1], corners[:, 2], inside[None, :]).any():
        return False
    # Solid angles by van Oosterom and Strackee (IEEE T-BME 30(2), 1983).
    a, b, c = (corners[:, k] - inside for k in range(3))
    la, lb, lc = (np.linalg.norm(edge, axis=1) for edge in (a, b, c))
    determinant = np.einsum("ij,ij->i", a, np.cross(b, c))
    ab, bc, ca = (np.einsum("ij,ij->i", x, y) for x, y in ((a, b), (b, c), (c, a)))
    denominator = la * lb * lc + ab * lc + bc * la + ca * lb
    if (np.hypot(determinant, denominator) <= LEAST_ANGLE * la * lb * lc).any():
        return False  # too close to a vertex or an edge to tell
    return abs(2.0 * float(np.arctan2(determinant, denominator).sum()) - 4.0 * math.pi) < 1.0


def _sticks_out(points: FloatArray, vertices: FloatArray, triangles: IntArray, size: float) -> bool:
    """Tell whether a point is farther outside of some triangle's plane than rounding explains."""
    inside = vertices.mean(axis=0)
    offsets = points - inside
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    u, v = b - a, c - a
    normals = np.cross(u, v)
    reach = np.abs(offsets).max()
    rounding = 48.0 * UNIT * np.abs(u).max(axis=1) * np.abs(v).max(axis=1) * reach  # as in `is_doubtful`
    rounding += STICKS_OUT * size * np.linalg.norm(normals, axis=1)
    limits = np.einsum("ij,ij->i", normals, a - inside) + rounding
    rows = max(1, AT_ONCE // len(triangles))
    transposed = np.ascontiguousarray(normals.T)
    return any(
        bool((offsets[start : start + rows] @ transposed > limits).any())
        for start in range(0, len(points), rows)
    )
