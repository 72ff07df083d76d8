"""The check of a stored hull against its points, which is cheaper than computing the hull again.

The checks make hill climbing on the surface safe for numbers of any origin:

- each edge belongs to two triangles, once in each direction: the surface is closed;
- each edge is convex, or flat without a fold, in exact arithmetic;
- a point of the inside lies below the plane of every triangle, and the solid angles of the triangles around it add
  up to one sphere.

By the last, the surface projects onto a sphere around that point, with every triangle the right way round, and covers
it once. So it is in one component, does not touch itself at a vertex and does not wind twice around one; it bounds a
star-shaped body. Convex along every edge, this body is convex (Tietze and Nakajima: a closed connected set that is
convex near each of its points is convex).

That no point lies outside is checked to rounding, by the triangles under which points are said to lie
(`hull_witness.py`): in one pass over the points. How far points may stick out within rounding is measured where a hull
is packed, as it is for every hull.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from keepclear.geometry.shapes.hull import (
    FLAT,
    UNIT,
    FloatArray,
    HullGraph,
    HullLayout,
    IntArray,
    bent_edges,
    build_graph,
    is_doubtful,
    is_flat,
    size_of,
)
from keepclear.geometry.shapes.hull_witness import bound_outside
from keepclear.geometry.shapes.packed_hull import is_layout_of

# How far outside a point may be, as a part of the size. Packing makes a vertex of a point that is farther out.
STICKS_OUT = 2e-13
# The smallest length of (determinant, denominator) of a solid angle, relative to the product of the three distances.
# Rounding changes both by less than 1e-14 of it, so the angle by 1e-7: a million triangles by less than half a sphere.
LEAST_ANGLE = 1e-7


def checked_hull_graph(
    points: FloatArray, point_index: IntArray, triangles: IntArray, facet: IntArray, layout: HullLayout
) -> HullGraph | None:
    """Return the graph of the hull of (n, 3) points that has these vertices and triangles; None if it is invalid.

    Args:
        points: The points [m].
        point_index: (k,) which of them are vertices.
        triangles: (m, 3) numbers of vertices, counter-clockwise viewed from outside.
        facet: (m,) number of the flat face each triangle belongs to.
        layout: Data that speeds up proving and packing.
    """
    if not _are_numbers(len(points), point_index, triangles, facet):
        return None
    if not is_layout_of(layout, len(points), len(point_index), len(triangles)):
        return None
    vertices = np.ascontiguousarray(points[point_index])
    size = size_of(points)
    if bent_edges(vertices, triangles) != []:
        return None
    if not _surrounds_once(vertices, triangles):
        return None
    rounded = 8.0 * UNIT * float(np.abs(vertices).max())  # by the middle of a face far from the origin
    if not _are_flat(vertices[triangles], facet, FLAT * size + rounded):
        return None
    graph = build_graph(point_index, vertices, triangles, facet, 3, proved=True)
    outside = bound_outside(points, layout.witness, graph)
    if not bool((outside <= _sticks_out(size, vertices)).all()):
        return None
    return replace(graph, layout=layout, outside=outside)


def is_within(points: FloatArray, witness: npt.NDArray[np.int32], graph: HullGraph) -> bool:
    """Return whether no point lies outside of a hull, to rounding, by the triangle under which each lies."""
    outside = bound_outside(points, witness, graph)
    return bool((outside <= _sticks_out(size_of(graph.vertices), graph.vertices)).all())


def _sticks_out(size: float, vertices: FloatArray) -> float:
    """Return how far outside a point may be [m]."""
    return STICKS_OUT * max(size, float(np.abs(vertices).max()))


def _are_numbers(n_points: int, point_index: IntArray, triangles: IntArray, facet: IntArray) -> bool:
    """Return whether the indices in the arrays are valid: each point once, each vertex in some triangle."""
    k, m = len(point_index), len(triangles)
    if k < 4 or m != 2 * k - 4 or triangles.shape != (m, 3) or facet.shape != (m,):
        return False
    for values, end in ((point_index, n_points), (triangles, k), (facet, m)):
        if values.min() < 0 or values.max() >= end:
            return False
    if len(np.unique(point_index)) < k or len(np.unique(facet)) <= facet.max():
        return False
    return bool(np.bincount(triangles.ravel(), minlength=k).all())


def _are_flat(corners: FloatArray, facet: IntArray, tolerance: float) -> bool:
    """Return whether the facets of (m, 3, 3) triangles are flat within a tolerance; a single triangle is."""
    several = np.bincount(facet)[facet] > 1
    if not several.any():
        return True
    number = np.unique(facet[several], return_inverse=True)[1]
    return bool(is_flat(corners[several], number, tolerance).all())


def _surrounds_once(vertices: FloatArray, triangles: IntArray) -> bool:
    """Return whether triangles surely face away from the mean of the vertices, and cover one sphere around it."""
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
