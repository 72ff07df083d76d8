"""Convex polyhedra: the hull of points, with the graph of its surface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_points, checked_scale, read_only
from keepclear.errors import ShapeError
from keepclear.geometry.shapes.hull import HullGraph, build_hull_graph, facet_polygons, size_of, twin_edges
from keepclear.geometry.shapes.mesh_faces import Faces, checked_faces
from keepclear.geometry.shapes.shape import Shape
from keepclear.tolerances import SMALLEST_HULL

__all__ = ["Convex"]

Polygons = tuple[npt.NDArray[np.int64], ...]

# Largest distance of points outside of the faces given with them, as a part of the size: coordinates printed
# with seven digits have an error of 1e-7. The shape is the hull of all points; the faces only describe it.
FACE_TOLERANCE = 1e-6


class Convex(Shape):
    """The convex hull of points: a polyhedron, or a flat polygon, a segment or a single point.

    Args:
        points: (n, 3) points [m]; points inside the hull or a face, and repeated ones, are allowed.
        faces: Its faces as lists of point indices (polygons or triangles, counter-clockwise viewed from outside), if
            they are known. They must be faces of the hull. Without them Qhull finds the faces, and coplanar triangles
            are merged into polygons.

    Examples:
        >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        >>> cube = Convex([*corners, [0.5, 0.5, 0.5]])
        >>> cube
        Convex(8 vertices, 6 faces, size 1 x 1 x 1 m)
        >>> sorted(len(face) for face in cube.faces)
        [4, 4, 4, 4, 4, 4]
    """

    __slots__ = ("_faces", "_find_graph", "_given_faces", "_graph", "_points")

    _points: FloatArray
    _given_faces: Polygons | None
    _faces: Polygons | None
    _graph: HullGraph | None
    _find_graph: Callable[[FloatArray], HullGraph]

    def __init__(
        self, points: npt.ArrayLike, faces: Sequence[Sequence[int]] | npt.ArrayLike | None = None
    ) -> None:
        checked = checked_points("Convex", "points", points)
        if len(checked) == 0:
            raise ShapeError("Convex: points is empty; give at least one point.")
        _check_size(checked)
        given = None
        if faces is not None:
            table = checked_faces("Convex", faces, len(checked))
            _check_faces_of_hull(checked, table)
            given = tuple(np.split(table.corners.astype(np.int64), table.start[1:-1]))
        self._fill(
            _points=checked, _given_faces=given, _faces=None, _graph=None, _find_graph=build_hull_graph
        )

    @classmethod
    def _around(cls, points: FloatArray, find_graph: Callable[[FloatArray], HullGraph]) -> Self:
        """Return the hull of the vertices of a mesh, which has checked them; they are shared with it, not copied.

        Args:
            points: The vertices, (n, 3) [m].
            find_graph: Finds its graph, when that is first needed.
        """
        _check_size(points)
        hull = object.__new__(cls)
        hull._fill(_points=points, _given_faces=None, _faces=None, _graph=None, _find_graph=find_graph)
        return hull

    @property
    def points(self) -> FloatArray:
        """The points as given, (n, 3) [m]."""
        return read_only(self._points)

    @property
    def graph(self) -> HullGraph:
        """The graph of the surface: extreme vertices, triangles and each vertex's neighbours (built once)."""
        if self._graph is None:
            object.__setattr__(self, "_graph", self._find_graph(self._points))
        assert self._graph is not None
        return self._graph

    @property
    def vertices(self) -> FloatArray:
        """The extreme points, (m, 3) [m]."""
        return read_only(self.graph.vertices)

    @property
    def triangles(self) -> npt.NDArray[np.int64]:
        """The surface as triangles of `vertices` indices, (k, 3), counter-clockwise viewed from outside."""
        return read_only(self.graph.triangles)

    @property
    def faces(self) -> Polygons:
        """The faces as polygons of `points` indices: as given, or coplanar triangles merged."""
        if self._given_faces is not None:
            return self._given_faces
        if self._faces is None:
            object.__setattr__(self, "_faces", facet_polygons(self.graph))
        assert self._faces is not None
        return self._faces

    @property
    def edges(self) -> npt.NDArray[np.int64]:
        """The edges of the triangulated surface as `vertices` indices, (e, 2), smaller index first."""
        start = np.repeat(np.arange(len(self.graph.vertices)), np.diff(self.graph.neighbour_start))
        once = start < self.graph.neighbours
        return np.stack([start[once], self.graph.neighbours[once]], axis=1)

    def neighbours(self, vertex: int) -> npt.NDArray[np.int64]:
        """Return the vertices that share an edge with a vertex, in their order around it."""
        graph = self.graph
        if not 0 <= vertex < len(graph.vertices):
            raise ShapeError(
                f"Convex: vertex {vertex} is out of range; it has {len(graph.vertices)} vertices."
            )
        return graph.neighbours[graph.neighbour_start[vertex] : graph.neighbour_start[vertex + 1]].copy()

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the points, (3,) each [m]."""
        return read_only(self._points.min(axis=0)), read_only(self._points.max(axis=0))

    @property
    def is_solid(self) -> bool:
        """Whether the hull has an inside: False for flat polygons, segments and points."""
        return self.graph.dimension == 3

    def scaled(self, factor: float) -> Self:
        """Return this hull with all points times a finite factor > 0."""
        return type(self)(self._points * checked_scale("Convex", factor), self._given_faces)

    def _content(self) -> tuple[object, ...]:
        faces = self._given_faces
        return self._points.tobytes(), None if faces is None else tuple(face.tobytes() for face in faces)

    def _arguments(self) -> tuple[object, ...]:
        return self._points, self._given_faces

    def __repr__(self) -> str:
        size = " x ".join(f"{x:.6g}" for x in np.ptp(self._points, axis=0))
        graph = self.graph
        n = len(graph.vertices)
        what = f"{n} vertices" if n > 1 else "1 vertex"
        if graph.dimension == 3:
            what += f", {len(self.faces)} faces"
        return f"Convex({what}, size {size} m)"


def _check_size(points: FloatArray) -> None:
    size = size_of(points)
    if 0.0 < size < SMALLEST_HULL:
        raise ShapeError(
            f"Convex: the points lie within {size:g} m, less than {SMALLEST_HULL:g} m; give metres, or one point."
        )


def _check_faces_of_hull(points: FloatArray, faces: Faces) -> None:
    """Raise a `ShapeError` unless the faces close up and every edge between them is convex.

    A closed surface that is convex at each edge is convex, so only neighbours are compared.
    """
    size = float(np.ptp(points, axis=0).max())
    start, corners = faces.start, faces.corners.astype(np.int64)
    face = np.repeat(np.arange(len(start) - 1), np.diff(start))
    following = np.arange(1, len(corners) + 1)
    following[start[1:] - 1] = start[:-1]
    after = corners[following]
    origin = points[corners[start[:-1]]]
    normals = np.add.reduceat(
        np.cross(points[corners] - origin[face], points[after] - origin[face]), start[:-1]
    )
    lengths = np.linalg.norm(normals, axis=1)
    if (lengths <= 1e-12 * size * size).any():
        raise ShapeError(
            f"Convex: faces[{int(lengths.argmin())}] has no area; leave it out, or give points only."
        )
    normals /= lengths[:, None]
    twin = twin_edges(corners, after, len(points))
    if twin is None:
        raise ShapeError(
            "Convex: the faces do not close up: each edge must belong to two faces, once in each direction; "
            "list corners counter-clockwise viewed from outside, or give points only."
        )
    beyond = corners[following[following[twin]]]  # the corner of the neighbour that follows the common edge
    height = np.einsum("ij,ij->i", points[beyond] - origin[face], normals[face])
    worst = int(height.argmax())
    if height[worst] > FACE_TOLERANCE * size:
        raise ShapeError(
            f"Convex: the faces are not convex: points[{beyond[worst]}] is {height[worst]:g} m outside of "
            f"faces[{face[worst]}]; give points only for their hull, or use kc.Mesh for a concave shape. "
            "(If all faces are listed clockwise, reverse them.)"
        )
