"""Hulls as the flat arrays that kernels read: vertices to scan, or a graph, a table and a tree of boxes to walk on."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex import support as core
from keepclear.shapes.convex import Convex
from keepclear.shapes.hull import MOST_NEIGHBOURS, HullGraph, insert_points
from keepclear.shapes.row import Packed

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


def _with_loose_vertices(graph: HullGraph, points: FloatArray, extra: npt.NDArray[np.int64]) -> HullGraph:
    """Return a graph with more vertices, which have no neighbours: only the tree of boxes finds them."""
    start = np.concatenate([graph.neighbour_start, np.full(len(extra), graph.neighbour_start[-1])])
    return replace(
        graph,
        point_index=np.concatenate([graph.point_index, extra]),
        vertices=np.concatenate([graph.vertices, points[extra]]),
        neighbour_start=start,
        proved=False,
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
    order, boxes, box_links = _box_tree(graph.vertices)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    vertices = graph.vertices[order]
    degree = np.diff(graph.neighbour_start)[order]
    degree[degree > MOST_NEIGHBOURS] = 0  # the walk does not leave such a vertex; the tree of boxes does
    starts = graph.neighbour_start[:-1][order]
    neighbours = np.concatenate(
        [rank[graph.neighbours[s : s + d]] for s, d in zip(starts, degree, strict=True)]
    )
    table, edge = _start_table(vertices)
    start = np.concatenate([[0], np.cumsum(degree)])
    header[core.TABLE_EDGE], header[core.BOX_COUNT], header[core.PROVED] = edge, len(boxes), graph.proved
    header[core.NEIGHBOURS_AT] = len(start)
    header[core.TABLE_AT] = len(start) + len(neighbours)
    header[core.BOX_LINKS_AT] = len(start) + len(neighbours) + len(table)
    header[core.BOXES_AT] = core.HEADER + 3 * len(order)
    return Packed(
        np.concatenate([header, vertices.ravel(), boxes.ravel()]),
        np.concatenate([start, neighbours, table, box_links.ravel()]).astype(np.int32),
    )


def _box_tree(vertices: FloatArray) -> tuple[npt.NDArray[np.int64], FloatArray, npt.NDArray[np.int64]]:
    """Return an order of the vertices, and boxes (centre, half size) with (skip, first, count) in depth-first order."""
    order = np.arange(len(vertices))
    boxes: list[FloatArray] = []
    links: list[list[int]] = []
    pending: list[tuple[int, int, int]] = [(0, len(vertices), -1)]
    while pending:
        first, last, closes = pending.pop()
        if first < 0:  # all below box `closes` is done: the next box is where its skip leads
            links[closes][0] = len(boxes)
            continue
        members = vertices[order[first:last]]
        low, high = members.min(axis=0), members.max(axis=0)
        half = (high - low) * (0.5 + 2**-50) + np.abs(members).max() * 2**-50
        me, leaf = len(boxes), last - first <= LEAF
        boxes.append(np.concatenate([(low + high) / 2, half]))
        links.append([0, first, last - first if leaf else 0])
        pending.append((-1, -1, me))
        if not leaf:
            middle = (first + last) // 2
            axis = int((high - low).argmax())
            order[first:last] = order[first:last][np.argpartition(members[:, axis], middle - first)]
            pending.extend([(middle, last, -1), (first, middle, -1)])
    return order, np.array(boxes), np.array(links)


def _start_table(vertices: FloatArray) -> tuple[npt.NDArray[np.int64], int]:
    """Return the farthest vertex for the middle of each cell of the square of directions, and cells per edge."""
    edge = int(np.clip(2 * math.isqrt(len(vertices)), 8, 48))
    ticks = (np.arange(edge) + 0.5) * (2.0 / edge) - 1.0
    u, v = (x.ravel() for x in np.meshgrid(ticks, ticks, indexing="ij"))
    z = 1.0 - np.abs(u) - np.abs(v)
    folded = z < 0.0  # the lower half of the octahedron fills the corners of the square
    x = np.where(folded, (1.0 - np.abs(v)) * np.sign(u), u)
    y = np.where(folded, (1.0 - np.abs(u)) * np.sign(v), v)
    directions = np.stack([x, y, z], axis=1)
    best = [
        np.argmax(chunk @ vertices.T, axis=1)
        for chunk in np.array_split(directions, 1 + len(directions) // 64)
    ]
    return np.concatenate(best), edge


def _left_out(
    points: FloatArray, graph: HullGraph, hull: Packed
) -> tuple[npt.NDArray[np.int64], float, float]:
    """Return the points that stick out of the hull of the vertices, how far any other point may, and any at all [m]."""
    others = np.setdiff1d(np.arange(len(points)), graph.point_index)
    if len(others) == 0:
        return others, 0.0, 0.0
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
    allowance = 2 * gjk.CONVERGED * extent
    others_out = float(out_by[~sticks_out].max(initial=0.0)) + allowance
    return others[sticks_out], others_out, float(out_by.max(initial=0.0)) + allowance
