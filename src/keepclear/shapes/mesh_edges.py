"""The edges of a mesh: the triangles that share them after merging coincident vertices, and connected components."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray
from keepclear.tolerances import SEAM_GAP

Indices = npt.NDArray[np.int64]


class Edges(NamedTuple):
    """The edges of all triangles, each once: its ends lo < hi, and how often it is used in each direction."""

    lo: Indices
    hi: Indices
    forward: Indices
    backward: Indices


class Closure(NamedTuple):
    """Whether a surface encloses an inside, and the widest gap that was closed to find that [m]."""

    is_closed: bool
    seam_gap: float


def find_closure(vertices: FloatArray, triangles: IndexArray) -> Closure:
    """Return whether every edge of a mesh is used equally often in both directions, seams closed."""
    _, gap, edges = merge_and_count_edges(vertices, triangles)
    return Closure(is_balanced(edges), gap)


def is_balanced(edges: Edges) -> bool:
    """Return whether there are edges, and each one is used equally often in both directions."""
    return len(edges.forward) > 0 and bool((edges.forward == edges.backward).all())


def merge_and_count_edges(
    vertices: FloatArray, triangles: IndexArray, gap: float = 0.0
) -> tuple[Indices, float, Edges]:
    """Return the triangles with coincident vertices merged, the widest gap closed by that, and the edges.

    Vertices at exactly the same position are one. Where edges remain open, the ends of these edges (and only
    they) are also merged if they are within rounding of each other, or within `gap` [m]: exporters compute the two
    sides of a seam separately. This decides whether there is an inside; the triangles stay where they are.
    """
    merged = first_at_position(vertices)[triangles]
    edges = _count_edges(merged, len(vertices))
    lo, hi, forward, backward = edges
    ragged = forward != backward
    if not ragged.any():
        return merged, 0.0, edges
    ends = np.unique(np.concatenate((lo[ragged], hi[ragged])))
    joined = np.arange(len(vertices))
    joined[ends] = ends[_near(vertices[ends], max(gap, SEAM_GAP * float(np.abs(vertices).max())))]
    closed = float(np.linalg.norm(vertices[ends] - vertices[joined[ends]], axis=1).max())
    if closed == 0.0:
        return merged, 0.0, edges
    merged = joined[merged]
    return merged, closed, _count_edges(merged, len(vertices))


def _near(points: FloatArray, distance: float) -> Indices:
    """Return for each point the index of the first point of its cluster, a chain of near points, (n,).

    Two points within the distance always meet in a cell of one of eight grids of twice that width, each
    shifted by half a cell along some of the axes; points in one cell are joined.
    """
    label = np.arange(len(points))
    if distance == 0.0:
        return label
    for shift in np.ndindex(2, 2, 2):
        cell = np.floor(points / (2.0 * distance) + 0.5 * np.array(shift))
        label = _joined(label, np.arange(len(points)), first_at_position(cell))
    return label


def first_at_position(vertices: FloatArray) -> Indices:
    """Return for each vertex the index of the first vertex at exactly the same position, (n,).

    Vertices are sorted by one number made of their bits, which is ten times faster than by x, y and z. Where two
    positions have the same number, all are sorted by their coordinates instead.
    """
    bits = (np.ascontiguousarray(vertices, np.float64) + 0.0).view(np.uint64)  # -0.0 is 0.0
    key = ((bits ^ (bits >> np.uint64(32))) * _MIX).sum(axis=1)
    order = np.argsort(key)
    is_new = np.diff(key[order], prepend=~key[order[:1]]) != 0
    same = np.flatnonzero(~is_new)
    if (vertices[order[same]] != vertices[order[same - 1]]).any():
        order = np.lexsort((vertices[:, 2], vertices[:, 1], vertices[:, 0]))
        is_new[1:] = (vertices[order[1:]] != vertices[order[:-1]]).any(axis=1)
    result = np.empty(len(vertices), dtype=np.int64)
    if len(vertices):
        result[order] = np.minimum.reduceat(order, np.flatnonzero(is_new))[np.cumsum(is_new) - 1]
    return result


_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
"""Odd numbers with irregular bits, by which the bits of x, y and z are multiplied."""


def _count_edges(merged: Indices, n_vertices: int) -> Edges:
    """Return the two ends lo < hi of each edge, and how often it is used from lo to hi and back."""
    a, b, c = merged.T
    whole = merged[
        (a != b) & (b != c) & (c != a)
    ]  # others join nothing: their two sides are one edge, there and back
    tail = whole.ravel()
    head = np.roll(whole, -1, axis=1).ravel()
    key = np.sort(2 * (np.minimum(tail, head) * n_vertices + np.maximum(tail, head)) + (tail > head))
    begin = np.flatnonzero(np.diff(key >> 1, prepend=-1))
    backward = np.add.reduceat(key & 1, begin) if len(begin) else np.zeros(0, dtype=np.int64)
    lo, hi = np.divmod(key[begin] >> 1, n_vertices)
    return Edges(lo, hi, np.diff(begin, append=len(key)) - backward, backward)


def count_pieces(merged: Indices, n_vertices: int) -> int:
    """Return the number of parts that share no vertex."""
    return len(np.unique(component_labels(merged, n_vertices)))


def component_labels(merged: Indices, n_vertices: int) -> Indices:
    """Return for each triangle the smallest vertex of its part, which shares no vertex with others, (n,)."""
    u = np.concatenate((merged[:, 0], merged[:, 1]))
    v = np.concatenate((merged[:, 1], merged[:, 2]))
    return _joined(np.arange(n_vertices), u, v)[merged[:, 0]]


def _joined(label: Indices, u: Indices, v: Indices) -> Indices:
    """Return labels (each the smallest index of its part) after joining the parts of u[i] and v[i] for all i.

    Each round hooks every part to a joined part with a smaller label, then lets all members follow.
    """
    label = label.copy()
    while len(u):
        lu, lv = label[u], label[v]
        apart = lu != lv
        u, v, lu, lv = u[apart], v[apart], lu[apart], lv[apart]
        np.minimum.at(label, np.maximum(lu, lv), np.minimum(lu, lv))
        parent = label[label]
        while (parent != label).any():
            label, parent = parent, parent[parent]
    return label
