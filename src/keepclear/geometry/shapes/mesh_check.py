"""The problems of a mesh, its edges and its components, with coincident vertices merged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray
from keepclear.names import counted
from keepclear.tolerances import DEGENERATE_HEIGHT, SEAM_GAP

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


_N_EXAMPLES = 5

Examples = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class MeshCheck:
    """The problems of a mesh; print it for a summary.

    Vertices at exactly the same position count as one vertex here. Each kind of problem has its number and its first
    few locations: edges as pairs of vertex indices, faces as indices into `Mesh.faces`.
    """

    n_vertices: int
    """Number of vertices."""
    n_faces: int
    """Number of faces as given."""
    n_triangles: int
    """Number of triangles that the faces were cut into."""
    n_pieces: int
    """Number of parts that share no vertex with each other."""
    n_coincident_vertices: int
    """Number of vertices at the position of an earlier one."""
    n_unused_vertices: int
    """Number of vertices that no face uses."""
    n_open_edges: int
    """Number of edges with a triangle on one side only."""
    open_edges: Examples
    """The first of them."""
    n_inconsistent_edges: int
    """Number of edges between two triangles with inconsistent winding."""
    inconsistent_edges: Examples
    """The first of them."""
    n_nonmanifold_edges: int
    """Number of edges with more than two triangles."""
    nonmanifold_edges: Examples
    """The first of them."""
    n_degenerate_faces: int
    """Number of faces that contain a triangle without area."""
    degenerate_faces: tuple[int, ...]
    """The first of them."""
    n_duplicate_faces: int
    """Number of faces that contain a triangle with the corners of an earlier one."""
    duplicate_faces: tuple[int, ...]
    """The first of them."""
    seam_gap: float
    """Widest gap between vertices that were taken as one, to close the mesh [m]; 0 if there is none."""
    is_closed: bool
    """Whether the surface encloses an inside: every edge is used equally often in both directions.

    In an ordinary closed mesh each edge has two triangles, one for each direction. Edges with four are
    closed too: two boxes of one mesh that touch along an edge still have an inside.
    """
    volume: float | None
    """Volume enclosed [m^3]: negative if the faces are oriented inwards, None if the mesh is not closed."""

    @property
    def is_inside_out(self) -> bool:
        """Whether the mesh is closed and its faces point inwards."""
        return self.volume is not None and self.volume < 0.0

    @property
    def _open(self) -> tuple[tuple[int, str, Examples], ...]:
        """What is wrong with edges: how many, in words, and the first of them."""
        return (
            (self.n_open_edges, "open edge", self.open_edges),
            (self.n_inconsistent_edges, "edge with inconsistent winding", self.inconsistent_edges),
            (self.n_nonmanifold_edges, "edge with more than two triangles", self.nonmanifold_edges),
        )

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence for each kind of problem; empty for a clean closed mesh."""
        found = [(n, what, _examples_text("vertices", map(_pair, where))) for n, what, where in self._open]
        found += [
            (self.n_degenerate_faces, "face without area", _examples_text("faces", self.degenerate_faces)),
            (self.n_duplicate_faces, "duplicate face", _examples_text("faces", self.duplicate_faces)),
            (self.n_unused_vertices, "unused vertex", ""),
        ]
        texts = [f"{counted(n, what)}{where}" for n, what, where in found if n]
        if self.is_inside_out:
            texts.append(f"faces are oriented inwards (volume {self.volume:.6g} m^3)")
        return tuple(texts)

    def why_open(self) -> str:
        """Return what keeps the mesh from being closed, after the words 'it has'; empty if it is closed."""
        if self.is_closed:
            return ""
        for n, what, where in self._open:
            if n:
                return f"{counted(n, what)} (first: vertices {_pair(where[0])})"
        return "no triangle with three different corners"

    def __str__(self) -> str:
        polygons = "" if self.n_faces == self.n_triangles else f" from {self.n_faces} faces"
        pieces = counted(self.n_pieces, "piece")
        kind = "not closed, so it has no inside"
        if self.volume is not None:
            seam = f" with seams of up to {self.seam_gap:.2g} m" if self.seam_gap else ""
            kind = f"closed{seam}, volume {self.volume:.6g} m^3"
        head = f"{self.n_vertices} vertices, {self.n_triangles} triangles{polygons}, {pieces}, {kind}"
        return "\n".join([head, *(f"- {text}" for text in self.problems or ("no problems found",))])


def check_mesh(
    vertices: FloatArray, triangles: IndexArray, triangle_face: IndexArray, n_faces: int
) -> MeshCheck:
    """Return the problems of a mesh in O(n log n)."""
    merged, gap, edges = merge_and_count_edges(vertices, triangles)
    lo, hi, forward, backward = edges
    total = forward + backward
    unbalanced = forward != backward
    is_closed = is_balanced(edges)
    degenerate = _faces_where(_without_area(vertices, triangles), triangle_face)
    duplicate = _faces_where(_repeats(merged), triangle_face)
    open_, nonmanifold = total == 1, total > 2
    inconsistent = (total == 2) & unbalanced
    used = np.zeros(len(vertices), dtype=bool)
    used[triangles] = True
    return MeshCheck(
        n_vertices=len(vertices),
        n_faces=n_faces,
        n_triangles=len(triangles),
        n_pieces=count_pieces(merged, len(vertices)),
        n_coincident_vertices=int((first_at_position(vertices) != np.arange(len(vertices))).sum()),
        n_unused_vertices=int((~used).sum()),
        n_open_edges=int(open_.sum()),
        open_edges=_examples(lo, hi, open_),
        n_inconsistent_edges=int(inconsistent.sum()),
        inconsistent_edges=_examples(lo, hi, inconsistent),
        n_nonmanifold_edges=int(nonmanifold.sum()),
        nonmanifold_edges=_examples(lo, hi, nonmanifold),
        n_degenerate_faces=len(degenerate),
        degenerate_faces=tuple(degenerate[:_N_EXAMPLES].tolist()),
        n_duplicate_faces=len(duplicate),
        duplicate_faces=tuple(duplicate[:_N_EXAMPLES].tolist()),
        seam_gap=gap,
        is_closed=is_closed,
        volume=None if not is_closed else signed_volume(vertices, triangles),
    )


def signed_volume(vertices: FloatArray, triangles: IndexArray) -> float:
    """Return the volume inside closed triangles [m^3], negative if they point inwards.

    Derivation: the divergence theorem with the field x/3 gives the sum of det(a, b, c) / 6 of the triangles;
    the origin is moved to the middle of the vertices, where the fewest digits cancel.
    """
    middle = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))
    a, b, c = (vertices[triangles[:, i]] - middle for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


def twice_areas(vertices: FloatArray, triangles: IndexArray) -> FloatArray:
    """Return twice the area of each triangle, (t,) [m^2]."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    result: FloatArray = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return result


def _without_area(vertices: FloatArray, triangles: IndexArray) -> npt.NDArray[np.bool_]:
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    sides = np.stack((b - a, c - b, a - c))
    longest = np.sqrt((sides * sides).sum(axis=2)).max(axis=0)
    result: npt.NDArray[np.bool_] = twice_areas(vertices, triangles) <= DEGENERATE_HEIGHT * longest * longest
    return result


def _repeats(merged: Indices) -> npt.NDArray[np.bool_]:
    """Return which triangles have the same three corners as an earlier triangle."""
    a, b, c = np.sort(merged, axis=1).T
    order = np.lexsort((c, b, a))
    a, b, c = a[order], b[order], c[order]
    same = np.zeros(len(merged), dtype=bool)
    same[order[1:]] = (a[1:] == a[:-1]) & (b[1:] == b[:-1]) & (c[1:] == c[:-1])
    return same


def _faces_where(mask: npt.NDArray[np.bool_], triangle_face: IndexArray) -> IndexArray:
    result: IndexArray = np.unique(triangle_face[mask])
    return result


def _examples(lo: Indices, hi: Indices, mask: npt.NDArray[np.bool_]) -> Examples:
    places = np.flatnonzero(mask)[:_N_EXAMPLES]
    return tuple((int(lo[i]), int(hi[i])) for i in places)


def _pair(edge: tuple[int, int]) -> str:
    return f"{edge[0]}-{edge[1]}"


def _examples_text(what: str, examples: Iterable[object]) -> str:
    texts = ", ".join(map(str, examples))
    return f" (first: {what} {texts})" if texts else ""
