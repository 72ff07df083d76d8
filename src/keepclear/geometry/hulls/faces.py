"""The faces of a mesh's convex hull, and which of them belong to its surface.

A face of the hull is *real* where triangles of the mesh lie in its plane and cover it, *virtual* where there are none
(the mouth of a U), and *mixed* where they cover a part of it (a plate with a blind hole). A point of a real face is a
point of the mesh, so the distance of hulls that it belongs to is the distance of the meshes.

Real is proved: all triangles in the plane are counted with positive orientation, so the winding number of their common
boundary counts how often a point is covered. If this boundary lies on the outline of the face, the number is the same
all over the face, and their area says whether it is at least 1. What is not proved is mixed: a point of such a face is
compared with the triangles in its plane.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.geometry.hulls.build import hull_of
from keepclear.geometry.shapes.hull import HullGraph, twin_edges
from keepclear.geometry.shapes.hull_witness import find_witnesses
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.mesh_check import first_at_position
from keepclear.geometry.storage.section_file import FileDamage, check_arrays
from keepclear.geometry.trees.trees import kept_trees

Indices = npt.NDArray[np.int64]

REAL, VIRTUAL, MIXED = 0, 1, 2
"""Virtuality of a hull's face: a face of the object; no face of it; partly covered by faces of it."""

IN_PLANE = 1e-13
"""Largest distance of corners from the plane or outline of a face, as a part of the size [1]: rounding, not tolerance.

Hulls leave out vertices that stick out by less than 1e-14. A larger value would call faces real that bulge inwards.
"""

MOST_COMPARED = 2**21
"""Pairs of a boundary edge and an outline edge that are compared at a time, in about 200 MB of workspace."""


@dataclass(frozen=True, eq=False)
class HullFaces:
    """The flat faces of a convex hull around triangles; it never changes.

    Attributes:
        start: (n + 1,) the start of each face's corners in `corners`.
        corners: Indices of points, face by face, counter-clockwise viewed from outside.
        normals: (n, 3) unit vectors to the outside.
        offsets: (n,) the plane of a face is normal . p = offset [m].
        virtuality: (n,) REAL, VIRTUAL or MIXED.
        owner_start: (n + 1,) the start of each face's triangles in `owners`.
        owners: The triangles that lie in the plane of each face, in increasing order.
        tolerance: Greatest distance of corners of owners from the plane [m].
        face_of: (m,) the face that each triangle of the hull's graph belongs to.
        points: (p, 3) the points of which this is the hull [m].
        triangles: (t, 3) the surface, as indices of points.
    """

    start: Indices
    corners: Indices
    normals: FloatArray
    offsets: FloatArray
    virtuality: npt.NDArray[np.int8]
    owner_start: Indices
    owners: Indices
    tolerance: float
    face_of: Indices
    points: FloatArray
    triangles: Indices

    def __len__(self) -> int:
        return len(self.virtuality)

    def __repr__(self) -> str:
        real, virtual, mixed = (int((self.virtuality == kind).sum()) for kind in (REAL, VIRTUAL, MIXED))
        return f"HullFaces({len(self)} faces: {real} real, {virtual} virtual, {mixed} mixed)"

    def corners_of(self, face: int) -> Indices:
        """Return the indices of the corners of a face, counter-clockwise viewed from outside."""
        return self.corners[self.start[face] : self.start[face + 1]]

    def owners_of(self, face: int) -> Indices:
        """Return the triangles that lie in the plane of a face."""
        return self.owners[self.owner_start[face] : self.owner_start[face + 1]]

    def is_real(self, point: FloatArray, tolerance: float) -> bool:
        """Return whether a point of the hull lies on the surface in every face of the hull that it belongs to.

        A corner or an edge of a virtual face is not real: a body that is closest to it may pass it and enter.

        Args:
            point: (3,) [m].
            tolerance: How far it may be from a face or a triangle [m]. A point in no face is not real.
        """
        touched = np.flatnonzero(np.abs(self.normals @ point - self.offsets) <= tolerance)
        kinds = self.virtuality[touched]
        if len(touched) == 0 or (kinds == VIRTUAL).any():
            return False
        return all(self._covers(int(face), point, tolerance) for face in touched[kinds == MIXED])

    def _covers(self, face: int, point: FloatArray, tolerance: float) -> bool:
        """Return whether a triangle in the plane of a face comes within a tolerance of a point."""
        a, b, c = (self.points[self.triangles[self.owners_of(face), k]] - point for k in range(3))
        return bool((_distance_from_origin(a, b, c) <= tolerance).any())


def _distance_from_origin(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Return the distances of the origin from triangles abc, (n, 3) each: inside, or to the nearest edge."""
    n = np.cross(b - a, c - a)
    square = np.einsum("ij,ij->i", n, n)
    inside, nearest = square > 0.0, np.full(len(a), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("ij,ij->i", np.cross(q - p, -p), n) >= 0.0
        along, length = q - p, np.einsum("ij,ij->i", q - p, q - p)
        s = np.clip(-np.einsum("ij,ij->i", p, along) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(p + s[:, None] * along, axis=1))
    height = np.abs(np.einsum("ij,ij->i", a, n)) / np.sqrt(np.where(square > 0.0, square, 1.0))
    return np.where(inside, height, nearest)


def hull_faces_of(mesh: Mesh) -> HullFaces | None:
    """Return the faces of a mesh's convex hull; None for a mesh without a hull, or whose hull has no inside.

    Examples:
        >>> import keepclear as kc
        >>> hull_faces_of(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3]]))
        HullFaces(4 faces: 3 real, 1 virtual, 0 mixed)
    """
    hull, kept = hull_of(mesh), kept_trees(mesh)
    if hull is None or len(hull.graph.triangles) == 0:
        return None
    if kept.hull_faces is None:
        kept.hull_faces = build_hull_faces(mesh._vertices, mesh._triangles.astype(np.int64), hull.graph)
    return cast(HullFaces, kept.hull_faces)


def hull_face_sections(faces: HullFaces) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of the faces of a hull for a file: the face in whose plane each triangle lies, which takes a
    search; -1 for none."""
    face = np.full(len(faces.triangles), -1, np.int32)
    face[faces.owners] = np.repeat(np.arange(len(faces)), np.diff(faces.owner_start))
    return {"face": face}


def hull_faces_from(mesh: Mesh, graph: HullGraph, arrays: Mapping[str, npt.NDArray[Any]]) -> HullFaces:
    """Return the faces of the hull of a mesh, built from the arrays of a file.

    Triangles are compared with the plane of their face again. One that is not in its plane counts for no face, which
    then is virtual or mixed: it costs time, and changes no answer.

    Raises:
        FileDamage: The arrays have another form.
    """
    check_arrays("faces of a hull", arrays, {"face": (np.int32, 1)})
    face, n = arrays["face"], int(graph.facet.max(initial=-1)) + 1
    if len(face) != len(mesh._triangles) or not -1 <= face.min() <= face.max() < n:
        raise FileDamage("has faces of a hull for other triangles than its mesh has")
    return build_hull_faces(mesh._vertices, mesh._triangles.astype(np.int64), graph, face.astype(np.int64))


def build_hull_faces(
    points: FloatArray,
    triangles: Indices,
    graph: HullGraph,
    face: Indices | None = None,
) -> HullFaces:
    """Return the faces of a hull with their virtuality.

    Args:
        points: (p, 3) points [m], of which `graph` is the hull.
        triangles: (t, 3) the surface, as indices of points; orientations do not count.
        graph: The hull of the points, which has an inside. If it is not proved to be convex, all faces are virtual.
        face: (t,) the face in whose plane each triangle may lie, -1 for none; None if it is to be found.
    """
    n = int(graph.facet.max()) + 1
    normals, offsets, areas = _planes(graph, n)
    tolerance = IN_PLANE * float(np.abs(points).max())
    if face is None:
        face = (
            graph.facet[find_witnesses(points[triangles].mean(axis=1), graph)]
            if graph.proved
            else np.full(len(triangles), -1)
        )
    owners, face = _in_planes(points, triangles, face, normals, offsets, tolerance)
    start, corners, tails, heads = _outlines(graph, n)
    virtuality = np.full(n, VIRTUAL, np.int8)
    virtuality[face] = MIXED
    is_covered = _covered(points, triangles[owners], face, normals, areas, tails, heads, start, tolerance)
    virtuality[is_covered & (virtuality == MIXED)] = REAL
    owner_start = np.concatenate([[0], np.cumsum(np.bincount(face, minlength=n))])
    return HullFaces(
        start=read_only(start),
        corners=read_only(corners),
        normals=read_only(normals),
        offsets=read_only(offsets),
        virtuality=read_only(virtuality),
        owner_start=read_only(owner_start),
        owners=read_only(owners),
        tolerance=tolerance,
        face_of=read_only(graph.facet),
        points=read_only(points),
        triangles=read_only(triangles),
    )


def _planes(graph: HullGraph, n: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return unit normals, offsets and areas of the n flat faces of a hull."""
    corners = graph.vertices[graph.triangles]
    a, b, c = (corners[:, k] for k in range(3))
    twice = np.cross(b - a, c - a)
    total = np.stack([np.bincount(graph.facet, twice[:, k], minlength=n) for k in range(3)], axis=1)
    length = np.linalg.norm(total, axis=1)
    normals = total / np.where(length > 0.0, length, 1.0)[:, None]
    heights = np.einsum("ijk,ik->ij", corners, normals[graph.facet]).ravel()
    owner = np.repeat(graph.facet, 3)
    offsets = np.bincount(owner, heights, minlength=n) / np.bincount(owner, minlength=n)
    return normals, offsets, 0.5 * length


def _in_planes(
    points: FloatArray,
    triangles: Indices,
    face: Indices,
    normals: FloatArray,
    offsets: FloatArray,
    tolerance: float,
) -> tuple[Indices, Indices]:
    """Return the triangles whose corners lie in the plane of the face that is given for each, ordered by it, and it."""
    some = np.flatnonzero(face >= 0)
    mine = face[some]
    heights = np.einsum("ijk,ik->ij", points[triangles[some]], normals[mine]) - offsets[mine][:, None]
    inside = some[np.abs(heights).max(axis=1) <= tolerance]
    order = inside[np.argsort(face[inside], kind="stable")]
    return order, face[order]


def _outlines(graph: HullGraph, n: int) -> tuple[Indices, Indices, Indices, Indices]:
    """Return the outlines of the n faces: the start of each, its corners in their order, and the ends of its edges."""
    tails, heads = graph.triangles.ravel(), np.roll(graph.triangles, -1, axis=1).ravel()
    face = np.repeat(graph.facet, 3)
    twin = twin_edges(tails, heads, len(graph.vertices))
    outer = np.ones(len(tails), bool) if twin is None else face != face[twin]
    tails, heads, face = tails[outer], heads[outer], face[outer]
    order = np.lexsort([tails, face])
    tails, heads, face = tails[order], heads[order], face[order]
    start = np.concatenate([[0], np.cumsum(np.bincount(face, minlength=n))])
    key = face * len(graph.vertices) + tails
    following = np.minimum(
        np.searchsorted(key, face * len(graph.vertices) + heads), len(key) - 1
    )  # the edge that begins where this one ends
    corners, edge = np.empty(len(tails), np.int64), start[:-1].copy()
    for k in range(int(np.diff(start).max())):
        here = np.flatnonzero(start[:-1] + k < start[1:])
        corners[start[here] + k] = tails[edge[here]]
        edge[here] = following[edge[here]]
    index = graph.point_index
    return start, index[corners], index[tails], index[heads]


def _covered(
    points: FloatArray,
    triangles: Indices,
    face: Indices,
    normals: FloatArray,
    areas: FloatArray,
    tails: Indices,
    heads: Indices,
    start: Indices,
    tolerance: float,
) -> npt.NDArray[np.bool_]:
    """Return which faces are proved to be covered by triangles in their planes."""
    n, covered = len(areas), np.zeros(len(areas), bool)
    if len(face) == 0:
        return covered
    a, b, c = (points[triangles[:, k]] for k in range(3))
    twice = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals[face])
    covered[:] = np.bincount(face, np.abs(twice), minlength=n) >= areas  # half of it, and so all of it
    first = first_at_position(points)
    welded = first[triangles]
    welded = np.where(twice[:, None] < 0.0, welded[:, ::-1], welded)
    u, v, f = _boundary(welded, face, len(points))
    tails, heads = first[tails], first[heads]
    outline = np.repeat(np.arange(n), np.diff(start))
    keys = _keys(np.r_[f, outline], np.r_[u, tails], np.r_[v, heads], len(points))
    known = np.isin(keys[: len(f)], keys[len(f) :])
    u, v, f = u[~known], v[~known], f[~known]
    on = _on_outline(points, u, v, f, tails, heads, start, tolerance)
    covered[f[~on]] = False
    return covered


def _boundary(triangles: Indices, face: Indices, n_points: int) -> tuple[Indices, Indices, Indices]:
    """Return the edges that do not cancel among triangles of one face, with that face."""
    u, v = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    f = np.repeat(face, 3)
    low, high = np.minimum(u, v), np.maximum(u, v)
    _, where, number = np.unique(_keys(f, low, high, n_points), return_index=True, return_inverse=True)
    net = np.bincount(number, np.where(u < v, 1.0, np.where(u > v, -1.0, 0.0)))
    left = np.flatnonzero(net != 0.0)
    low, high, f, forth = low[where[left]], high[where[left]], f[where[left]], net[left] > 0.0
    return np.where(forth, low, high), np.where(forth, high, low), f


def _keys(f: Indices, u: Indices, v: Indices, n_points: int) -> Indices:
    """Return a number for each (f, u, v), equal only for equal ones; a product of all three could overflow."""
    edge = np.unique(u * n_points + v, return_inverse=True)[1]
    return np.asarray(f * len(edge) + edge, np.int64)


def _on_outline(
    points: FloatArray,
    u: Indices,
    v: Indices,
    f: Indices,
    tails: Indices,
    heads: Indices,
    start: Indices,
    tolerance: float,
) -> npt.NDArray[np.bool_]:
    """Return which edges (u, v) lie on an edge of the outline of their face, within a tolerance."""
    on = np.zeros(len(u), bool)
    sizes = np.diff(start)[f]
    chunk = np.cumsum(sizes) // MOST_COMPARED
    for number in range(int(chunk[-1]) + 1 if len(chunk) else 0):
        mine = np.flatnonzero(chunk == number)
        pair = np.repeat(mine, sizes[mine])
        within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes[mine]) - sizes[mine], sizes[mine])
        edge = start[f[pair]] + within
        a, b = points[tails[edge]], points[heads[edge]]
        length = np.linalg.norm(b - a, axis=1)
        axis = (b - a) / np.where(length > 0.0, length, 1.0)[:, None]
        near = np.ones(len(pair), bool)
        for end in (u, v):
            offset = points[end[pair]] - a
            along = np.clip(np.einsum("ij,ij->i", offset, axis), 0.0, length)
            near &= np.linalg.norm(offset - along[:, None] * axis, axis=1) <= tolerance
        on[pair[near]] = True
    return cast(npt.NDArray[np.bool_], on)
