"""The problems of a mesh: open edges, degenerate and duplicate faces, winding, components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray
from keepclear.shapes.mesh_edges import (
    Indices,
    count_pieces,
    first_at_position,
    is_balanced,
    merge_and_count_edges,
)
from keepclear.tolerances import DEGENERATE_HEIGHT

__all__ = ["MeshCheck"]

_N_EXAMPLES = 5

Edges = tuple[tuple[int, int], ...]


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
    open_edges: Edges
    """The first of them."""
    n_inconsistent_edges: int
    """Number of edges between two triangles with inconsistent winding."""
    inconsistent_edges: Edges
    """The first of them."""
    n_nonmanifold_edges: int
    """Number of edges with more than two triangles."""
    nonmanifold_edges: Edges
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
    def problems(self) -> tuple[str, ...]:
        """One sentence for each kind of problem; empty for a clean closed mesh."""
        found = [
            (self.n_open_edges, "open edge", _edge_text(self.open_edges)),
            (
                self.n_inconsistent_edges,
                "edge with inconsistent winding",
                _edge_text(self.inconsistent_edges),
            ),
            (
                self.n_nonmanifold_edges,
                "edge with more than two triangles",
                _edge_text(self.nonmanifold_edges),
            ),
            (self.n_degenerate_faces, "face without area", _face_text(self.degenerate_faces)),
            (self.n_duplicate_faces, "duplicate face", _face_text(self.duplicate_faces)),
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
        if self.n_open_edges:
            return f"{counted(self.n_open_edges, 'open edge')} (first: vertices {_pair(self.open_edges[0])})"
        if self.n_inconsistent_edges:
            return (
                f"{counted(self.n_inconsistent_edges, 'edge with inconsistent winding')} "
                f"(first: vertices {_pair(self.inconsistent_edges[0])})"
            )
        if self.n_nonmanifold_edges:
            return (
                f"{counted(self.n_nonmanifold_edges, 'edge with more than two triangles')} "
                f"(first: vertices {_pair(self.nonmanifold_edges[0])})"
            )
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


def _examples(lo: Indices, hi: Indices, mask: npt.NDArray[np.bool_]) -> Edges:
    places = np.flatnonzero(mask)[:_N_EXAMPLES]
    return tuple((int(lo[i]), int(hi[i])) for i in places)


def counted(n: int, what: str) -> str:
    if n == 1:
        return f"1 {what}"
    noun, *rest = what.split(" ", 1) if what.startswith(("edge ", "face ")) else (what,)
    plural = noun[:-2] + "ices" if noun.endswith("vertex") else noun + "s"
    return " ".join([str(n), plural, *rest])


def _pair(edge: tuple[int, int]) -> str:
    return f"{edge[0]}-{edge[1]}"


def _edge_text(edges: Edges) -> str:
    return f" (first: vertices {', '.join(map(_pair, edges))})" if edges else ""


def _face_text(faces: tuple[int, ...]) -> str:
    return f" (first: faces {', '.join(map(str, faces))})" if faces else ""
