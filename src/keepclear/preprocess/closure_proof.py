"""Proofs that a mesh is closed, or open, which are checked in one pass; finding them takes sorting.

Kept are the order of the vertices by position and, for a closed mesh, for each edge of a triangle the one that runs
the other way between the same positions. Every edge then has its counterpart, so each is used equally often both ways.
For an open mesh the proof is one edge that is not, between two positions without a neighbour that a seam could join:
closing other seams does not close it. Meshes with closed seams, and those that fit neither form, have no proof here,
    and are checked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray
from keepclear.kernels.triangles import closure_proof as kernels
from keepclear.shapes.mesh_check import Closure, Edges, Indices, merge_and_count_edges
from keepclear.tolerances import SEAM_GAP

__all__ = [
    "CLOSURE_VERSION",
    "ClosureProof",
    "find_closure_proof",
    "first_in_order",
    "proof_from",
    "proved_closure",
]

CLOSURE_VERSION = 1
"""Number of this form of proof, and of what counts as closed."""

ALONE = 8.0 * SEAM_GAP
"""A position without others within this part of the largest coordinate belongs to no seam [1].

Seams join chains of neighbours that are at most 2 sqrt(3) SEAM_GAP apart, so no chain reaches such a position.
"""


class ClosureProof(NamedTuple):
    """Arrays of a file: vertices by position (n,), counterparts of edges (3 t,) or none, an open edge (2,) or none."""

    order: IndexArray
    twins: IndexArray
    open_edge: IndexArray


def proof_from(sections: Mapping[str, npt.NDArray[Any]]) -> ClosureProof:
    """Return the proof in a file, or one that proves nothing if the content is invalid."""
    arrays = [sections.get(name) for name in ClosureProof._fields]
    if len(sections) == len(arrays) and all(
        a is not None and a.dtype == np.int32 and a.ndim == 1 for a in arrays
    ):
        return ClosureProof(*cast(list[IndexArray], arrays))
    return ClosureProof(*(np.empty(0, np.int32) for _ in arrays))


def find_closure_proof(vertices: FloatArray, triangles: IndexArray) -> ClosureProof | None:
    """Return the proof that a mesh is closed, or open; None if neither form applies."""
    order = np.lexsort((vertices[:, 2], vertices[:, 1], vertices[:, 0])).astype(np.int32)
    first = first_in_order(vertices, order)
    assert first is not None
    tail = first[triangles].ravel()
    head = first[np.roll(triangles, -1, axis=1)].ravel()
    twins = _counterparts(tail, head, len(vertices))
    if _are_twins(twins, triangles, first):
        return ClosureProof(order, twins, np.empty(0, np.int32))
    edge = _open_edge(vertices, *merge_and_count_edges(vertices, triangles)[1:])
    return None if edge is None else ClosureProof(order, np.empty(0, np.int32), edge)


def _counterparts(tail: Indices, head: Indices, n: int) -> IndexArray:
    """Return for the j-th edge from a to b the j-th from b to a, (m,), where both are used equally often."""
    key = np.minimum(tail, head) * n + np.maximum(tail, head)
    order = np.lexsort((tail > head, key))
    is_new = np.diff(key[order], prepend=-1) != 0
    group, begin = np.cumsum(is_new) - 1, np.flatnonzero(is_new)
    half = np.diff(begin, append=len(key)) // 2
    within = np.arange(len(key)) - begin[group]
    is_loop = (tail == head)[order]
    partner = np.where(within < half[group], within + half[group], within - half[group])
    partner = np.where(is_loop, within, partner)
    result = np.empty(len(key), np.int32)
    result[order] = order[begin[group] + partner]
    return result


def _open_edge(vertices: FloatArray, gap: float, edges: Edges) -> IndexArray | None:
    """Return the ends of an edge that no seam can close, or None."""
    if gap > 0.0:  # then merged numbers are no longer positions
        return None
    near = ALONE * float(np.abs(vertices).max())
    for k in np.flatnonzero(edges.forward != edges.backward)[:16]:
        ends = np.array([edges.lo[k], edges.hi[k]])
        if all(_is_alone(vertices, end, near) for end in ends):
            return ends.astype(np.int32)
    return None


def _is_alone(vertices: FloatArray, vertex: int, near: float) -> bool:
    """Return whether all vertices near one are at exactly its position."""
    offsets = np.abs(vertices - vertices[vertex]).max(axis=1)
    return bool(((offsets == 0.0) | (offsets > near)).all())


def first_in_order(vertices: FloatArray, order: IndexArray) -> Indices | None:
    """Return for each vertex the first one at its position, (n,), from their order by position; None if it is wrong."""
    first = np.empty(len(vertices), np.int64)
    is_order = order.shape == first.shape and kernels.fill_first(vertices, order, first)
    return first if is_order else None


def proved_closure(
    vertices: FloatArray, triangles: IndexArray, proof: ClosureProof
) -> tuple[Closure, Indices] | None:
    """Return the statement of a proof, and for each vertex the first one at its position; None if it is invalid."""
    first = first_in_order(vertices, proof.order)
    if first is None:
        return None
    if len(proof.twins):
        return (Closure(True, 0.0), first) if _are_twins(proof.twins, triangles, first) else None
    if proof.open_edge.shape != (2,) or proof.open_edge.min() < 0 or proof.open_edge.max() >= len(vertices):
        return None
    a, b = proof.open_edge
    near = ALONE * float(np.abs(vertices).max())
    tail = first[triangles.ravel()]
    head = np.roll(tail.reshape(-1, 3), -1, axis=1).ravel()
    forward = np.count_nonzero((tail == first[a]) & (head == first[b]))
    backward = np.count_nonzero((tail == first[b]) & (head == first[a]))
    is_open = forward != backward and _is_alone(vertices, a, near) and _is_alone(vertices, b, near)
    return (Closure(False, 0.0), first) if is_open else None


def _are_twins(twins: IndexArray, triangles: IndexArray, first: Indices) -> bool:
    """Return whether each edge has one counterpart, whose counterpart it is, and which runs the other way."""
    return twins.shape == (triangles.size,) and bool(
        kernels.are_counterparts(triangles.reshape(-1), first, twins)
    )
