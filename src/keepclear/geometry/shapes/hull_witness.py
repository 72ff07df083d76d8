"""Witnesses that points are in a hull: for each the triangle of the surface under which it lies, viewed from the
middle.

A point of the hull is a combination of the middle and of the three corners of its triangle, with weights that are not
negative and at most 1 in sum; every such combination is in the hull. So for any triangle and any rounding of the
weights, the distance from a point to the combination bounds how far outside it can be. Finding the
triangles takes a search, this test takes none: a file keeps them (docs/theory/stored-models).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.geometry.shapes.hull import UNIT, FloatArray, HullGraph, IntArray, is_doubtful, twin_edges
from keepclear.kernels.convex import hull_witness as kernels

SMALL = 24.0 * UNIT
"""A bound that means "inside, up to rounding", as a part of the greatest distance from the middle to a vertex [1]."""

# Error of the weights and their combination, as a part of the same distance: 4 units for the combination, 4
# for weights whose sum is above 1, 1 each for the differences to the middle, and as much again.
ALLOWANCE = 16.0 * UNIT
CELLS = 32  # cells per edge of the square of directions from which searches begin
MOST_STEPS = 4000  # of the first searches; those from the cells need a few


def find_witnesses(points: FloatArray, graph: HullGraph) -> npt.NDArray[np.int32]:
    """Return for each of (n, 3) points the triangle of a proved hull under which it lies, as far as that is found.

    From any triangle the search crosses the edge that the point is farthest beyond. If rounding causes a loop, it ends
    at any triangle, and `bound_outside` finds that this is not a witness.
    """
    middle = graph.vertices.mean(axis=0)
    sides = _sides(graph, middle)
    start, end = graph.triangles.ravel(), np.roll(graph.triangles, -1, axis=1).ravel()
    twin = twin_edges(start, end, len(graph.vertices))
    if twin is None:
        return np.zeros(len(points), np.int32)
    beyond = (twin // 3).reshape(-1, 3)
    cells = _walk(square_of_directions(CELLS), np.zeros(CELLS * CELLS, np.int64), sides, beyond)
    offsets = points - middle
    return _walk(offsets, cells[_cell_of(offsets)], sides, beyond).astype(np.int32)


def bound_outside(points: FloatArray, witness: npt.NDArray[np.int32], graph: HullGraph) -> FloatArray:
    """Return for each point a bound of how far outside of a proved hull it is, (n,) [m]; never too small.

    It is infinite for all of them where the middle of the vertices is not surely inside.
    """
    middle = graph.vertices.mean(axis=0)
    a, b, c = (graph.vertices[graph.triangles[:, k]] for k in range(3))
    if is_doubtful(a, b, c, middle[None, :]).any():
        return np.full(len(points), np.inf)
    sides, corners = _sides(graph, middle), graph.vertices[graph.triangles] - middle
    volume = np.einsum("ij,ij->i", sides[:, 0], corners[:, 2])
    with np.errstate(divide="ignore", invalid="ignore"):
        heights = (
            sides[:, [1, 2, 0]] / volume[:, None, None]
        )  # the weight of a corner is the height above its opposite
    reach, result = reach_of(graph), np.empty(len(points))
    tables = heights.reshape(-1, 9), corners.reshape(-1, 9)
    kernels.bound_outside(points, witness, middle, *tables, (SMALL - ALLOWANCE) * reach, result)
    return result + ALLOWANCE * reach


def reach_of(graph: HullGraph) -> float:
    """Return the greatest distance from the middle of the vertices to one of them [m]."""
    return float(np.linalg.norm(graph.vertices - graph.vertices.mean(axis=0), axis=1).max()) * (
        1.0 + 2.0**-50
    )


def _sides(graph: HullGraph, middle: FloatArray) -> FloatArray:
    """Return for each triangle the normals, to its inside, of the planes through the middle and an edge, (m, 3, 3)."""
    corners = graph.vertices[graph.triangles] - middle
    return np.cross(corners, np.roll(corners, -1, axis=1))


def _walk(offsets: FloatArray, triangle: IntArray, sides: FloatArray, beyond: IntArray) -> IntArray:
    """Return the triangles in which searches end that begin in given ones."""
    triangle, active = triangle.copy(), np.arange(len(offsets))
    for _ in range(MOST_STEPS):
        heights = np.einsum("nkj,nj->nk", sides[triangle[active]], offsets[active])
        worst = heights.argmin(axis=1)
        out = heights[np.arange(len(active)), worst] < 0.0
        if not out.any():
            break
        active, worst = active[out], worst[out]
        triangle[active] = beyond[triangle[active], worst]
    return triangle


def square_of_directions(edge: int) -> FloatArray:
    """Return the middle of each cell of a square of directions, folded onto an octahedron, (edge^2, 3).

    The lower half of the octahedron fills the corners of the square.
    """
    ticks = (np.arange(edge) + 0.5) * (2.0 / edge) - 1.0
    u, v = (x.ravel() for x in np.meshgrid(ticks, ticks, indexing="ij"))
    z = 1.0 - np.abs(u) - np.abs(v)
    x = np.where(z < 0.0, (1.0 - np.abs(v)) * np.sign(u), u)
    y = np.where(z < 0.0, (1.0 - np.abs(u)) * np.sign(v), v)
    return np.stack([x, y, z], axis=1)


def _cell_of(offsets: FloatArray) -> IntArray:
    """Return the cell of the square of directions that each offset points into."""
    length = np.abs(offsets).sum(axis=1)
    x, y, z = (offsets / np.where(length > 0.0, length, 1.0)[:, None]).T
    u = np.where(z < 0.0, (1.0 - np.abs(y)) * np.where(x < 0.0, -1.0, 1.0), x)
    v = np.where(z < 0.0, (1.0 - np.abs(x)) * np.where(y < 0.0, -1.0, 1.0), y)
    i, j = (np.clip((w + 1.0) * (0.5 * CELLS), 0, CELLS - 1).astype(np.int64) for w in (u, v))
    return np.asarray(i * CELLS + j)
