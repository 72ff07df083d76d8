"""Hulls as the flat arrays that kernels read: vertices to scan, or a graph, a table and a tree of boxes to walk on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.hull import MOST_NEIGHBOURS, HullGraph, HullLayout, insert_points
from keepclear.geometry.shapes.hull_witness import (
    SMALL,
    bound_outside,
    find_witnesses,
    reach_of,
    square_of_directions,
)
from keepclear.geometry.shapes.row import Packed
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex import support as core

# Up to this many vertices looking at all of them is faster than a walk, and needs no proof.
SCAN_LIMIT = 40
LEAF = 8  # vertices in a box of the tree
MOST_INSERTED = 300  # points that are added to a hull one by one; 1 ms each at 10 000 vertices
STICKS_OUT = 2e-13  # of the extent; a point farther out than this is made a vertex after all


def pack_hull(shape: Convex) -> Packed:
    """Return the arrays of a hull, from its own slot when they are there."""
    if type(shape._packed) is not Packed:
        shape._packed = _packed_hull(shape)
    found: Packed = shape._packed
    return found


def _packed_hull(shape: Convex) -> Packed:
    """Pack the hull's vertices, and those points besides that Qhull lost although they stick out."""
    graph = shape.graph
    for last in (False, False, False, True):
        result = _pack_graph(graph)
        sticks_out, defect, largest = _left_out(shape.points, graph, result)
        if last or len(sticks_out) == 0:
            if not graph.proved:  # else exact arithmetic has found them inside
                defect = largest
            break
        if graph.proved and len(sticks_out) <= MOST_INSERTED:
            graph = insert_points(graph, shape.points, sticks_out)
        else:
            graph = _with_loose_vertices(graph, shape.points, sticks_out)
    result.reals[core.DEFECT] = defect
    return result


def farthest_left_out(points: FloatArray, graph: HullGraph) -> float:
    """Return a bound of how far any of the points is outside of the hull of the vertices of a graph [m]."""
    return _left_out(points, graph, _pack_graph(graph))[2]


def find_layout(points: FloatArray, graph: HullGraph) -> HullLayout:
    """Return what takes a search to find about a proved hull of (n, 3) points."""
    witness = find_witnesses(points, graph)
    if len(graph.vertices) <= SCAN_LIMIT:
        return HullLayout(witness, np.empty(0, np.int64), np.empty(0, np.int64))
    order = _box_order(graph.vertices)
    return HullLayout(witness, order, _start_table(graph.vertices[order]))


def is_layout_of(layout: HullLayout, n_points: int, n_vertices: int, n_triangles: int) -> bool:
    """Return whether the numbers of a layout number what is there; then nothing that they say can do harm."""
    edge, walks = _table_edge(n_vertices), n_vertices > SCAN_LIMIT
    sizes = (n_points, n_vertices if walks else 0, edge * edge if walks else 0)
    ends = (n_triangles, n_vertices, n_vertices)
    arrays: tuple[npt.NDArray[Any], ...] = layout
    for values, size, end in zip(arrays, sizes, ends, strict=True):
        if values.shape != (size,) or (size and not 0 <= values.min() <= values.max() < end):
            return False
    return bool(np.bincount(layout.order, minlength=1).max() <= 1)


def _with_loose_vertices(graph: HullGraph, points: FloatArray, extra: npt.NDArray[np.int64]) -> HullGraph:
    """Return a graph with more vertices, which have no neighbours: only the tree of boxes finds them."""
    start = np.concatenate([graph.neighbour_start, np.full(len(extra), graph.neighbour_start[-1])])
    return replace(
        graph,
        point_index=np.concatenate([graph.point_index, extra]),
        vertices=np.concatenate([graph.vertices, points[extra]]),
        neighbour_start=start,
        proved=False,
        layout=None,
        outside=None,
    )


def _pack_graph(graph: HullGraph) -> Packed:
    vertices, n = graph.vertices, len(graph.vertices)
    header = np.zeros(core.HEADER)
    header[core.EXTENT] = float(np.linalg.norm(vertices, axis=1).max()) * (1 + 2**-50)
    header[core.COUNT] = n
    header[core.CENTER : core.CENTER + 3] = vertices.mean(axis=0)
    if n <= SCAN_LIMIT:
        header[core.KIND] = core.SCAN
        return Packed(np.concatenate([header, vertices.ravel()]), np.zeros(1, np.int32))
    header[core.KIND] = core.WALK
    return _pack_walk(header, graph)


def _pack_walk(header: FloatArray, graph: HullGraph) -> Packed:
    """Order the vertices by a tree of boxes (neighbours then lie close in memory), and lay out graph and table."""
    layout = graph.layout
    order = _box_order(graph.vertices) if layout is None else layout.order
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    vertices = graph.vertices[order]
    boxes, box_links = _boxes(vertices)
    degree = np.diff(graph.neighbour_start)[order]
    degree[degree > MOST_NEIGHBOURS] = 0  # the walk does not leave such a vertex; the tree of boxes does
    start = np.concatenate([[0], np.cumsum(degree)])
    entry = np.repeat(graph.neighbour_start[:-1][order] - start[:-1], degree) + np.arange(start[-1])
    neighbours = rank[graph.neighbours[entry]]
    table, edge = _start_table(vertices) if layout is None else layout.table, _table_edge(len(order))
    header[core.TABLE_EDGE], header[core.BOX_COUNT], header[core.PROVED] = edge, len(boxes), graph.proved
    header[core.NEIGHBOURS_AT] = len(start)
    header[core.TABLE_AT] = len(start) + len(neighbours)
    header[core.BOX_LINKS_AT] = len(start) + len(neighbours) + len(table)
    header[core.BOXES_AT] = core.HEADER + 3 * len(order)
    return Packed(
        np.concatenate([header, vertices.ravel(), boxes.ravel()]),
        np.concatenate([start, neighbours, table, box_links.ravel()]).astype(np.int32),
    )


def _ranges(n: int) -> list[npt.NDArray[np.int64]]:
    """Return the ranges (first, last) of the boxes of a tree over n vertices, halved down to LEAF, level by level."""
    levels = [np.array([[0, n]])]
    while True:
        first, last = levels[-1][levels[-1][:, 1] - levels[-1][:, 0] > LEAF].T
        if len(first) == 0:
            return levels
        middle = (first + last) // 2
        levels.append(np.stack([first, middle, middle, last], axis=1).reshape(-1, 2))


def _box_order(vertices: FloatArray) -> npt.NDArray[np.int64]:
    """Return an order of the vertices in which each half of a range is on one side along the longer edge of its box."""
    order = np.arange(len(vertices))
    for level in _ranges(len(vertices)):
        for first, last in level.tolist():
            if last - first > LEAF:
                members = vertices[order[first:last]]
                axis, half = int(np.ptp(members, axis=0).argmax()), (last - first) // 2
                order[first:last] = order[first:last][np.argpartition(members[:, axis], half)]
    return order


def _boxes(vertices: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return the boxes (centre, half size) of ordered vertices, with (skip, first, count) in depth-first order."""
    found = []
    for depth, level in enumerate(_ranges(len(vertices))):
        ends = np.minimum(
            level.ravel(), len(vertices) - 1
        )  # `reduceat` takes no end behind the last; see below
        low, high, large = (
            operation.reduceat(values, ends)[::2]
            for operation, values in (
                (np.minimum, vertices), (np.maximum, vertices), (np.maximum, np.abs(vertices).max(axis=1))
            )
        )  # fmt: skip
        if level[-1, 1] == len(vertices):  # the last vertex is in the last range
            low[-1], high[-1] = np.minimum(low[-1], vertices[-1]), np.maximum(high[-1], vertices[-1])
            large[-1] = max(large[-1], np.abs(vertices[-1]).max())
        half = (high - low) * (0.5 + 2**-50) + large[:, None] * 2**-50
        first, last = level.T
        counts = np.where(last - first <= LEAF, last - first, 0)
        rows = np.column_stack([(low + high) / 2, half, first, last, counts, np.full(len(level), depth)])
        found.append(rows)
    rows = np.concatenate(found)
    rows = rows[np.lexsort((rows[:, 9], rows[:, 6]))]  # depth first: by where they begin, larger ones first
    first, last = rows[:, 6].astype(np.int64), rows[:, 7].astype(np.int64)
    skip = np.searchsorted(first, last)  # all that begin before this one ends are below it
    return np.ascontiguousarray(rows[:, :6]), np.stack([skip, first, rows[:, 8].astype(np.int64)], axis=1)


def _table_edge(n_vertices: int) -> int:
    """Return how many cells the square of directions has per edge."""
    return int(np.clip(2 * math.isqrt(n_vertices), 8, 48))


def _start_table(vertices: FloatArray) -> npt.NDArray[np.int64]:
    """Return the farthest vertex for the middle of each cell of the square of directions."""
    directions = square_of_directions(_table_edge(len(vertices)))
    best = [
        np.argmax(chunk @ vertices.T, axis=1)
        for chunk in np.array_split(directions, 1 + len(directions) // 64)
    ]
    return np.concatenate(best)


def _left_out(
    points: FloatArray, graph: HullGraph, hull: Packed
) -> tuple[npt.NDArray[np.int64], float, float]:
    """Return the points that stick out of the hull of the vertices, how far any other point may, and any at all [m]."""
    is_other = np.ones(len(points), bool)
    is_other[graph.point_index] = False
    others, inside = np.flatnonzero(is_other), 0.0
    if len(others) == 0:
        return others, 0.0, 0.0
    if graph.proved:  # next to all are shown to be inside at once
        outside = _bounds_outside(points, graph, others)
        is_inside = outside <= SMALL * reach_of(graph)
        others, inside = others[~is_inside], float(outside[is_inside].max(initial=0.0))
    point = Packed(np.zeros(core.HEADER), np.zeros(1, np.int32))
    X_WA, X_WP, out = np.eye(4), np.eye(4), np.empty(gjk.ROW + gjk.MEMORY)
    extent, out_by = float(hull.reals[core.EXTENT]), np.zeros(len(others))
    for i, k in enumerate(others):
        X_WP[:3, 3] = points[k]
        gjk.distance_one(hull.reals, hull.links, point.reals, point.links, X_WA, X_WP, out, False)
        if (
            out[gjk.DISTANCE] > 0.0
        ):  # not inside a tetrahedron of vertices; these poses need no allowance for rounding
            out_by[i] = out[gjk.UPPER] - gjk.ROUNDING * (extent + math.hypot(*points[k]))
    sticks_out = out_by > STICKS_OUT * extent
    allowance = 2 * gjk.CONVERGED * extent if len(others) else 0.0
    others_out = max(inside, float(out_by[~sticks_out].max(initial=0.0)) + allowance)
    return others[sticks_out], others_out, max(others_out, float(out_by.max(initial=0.0)) + allowance)


def _bounds_outside(points: FloatArray, graph: HullGraph, others: npt.NDArray[np.int64]) -> FloatArray:
    """Return bounds of how far some of the points are outside of a proved hull [m], known already or found."""
    if graph.outside is not None:
        return graph.outside[others]
    if graph.layout is not None:
        return bound_outside(points[others], graph.layout.witness[others], graph)
    return bound_outside(points[others], find_witnesses(points[others], graph), graph)
