"""The rows of meshes and hulls in the table of kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_points, real_number
from keepclear.errors import MeshError, ShapeError
from keepclear.files.access import FileDamage
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.curved import Triangulated, hull_surface
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed_hull import farthest_left_out, pack_hull
from keepclear.geometry.shapes.row import (
    ROUND_UP,
    SHAPE_TABLE,
    Arrays,
    Ball,
    CellKey,
    CellSurface,
    Facets,
    ShapeRow,
    Stored,
    nothing,
)
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.convex import support as core
from keepclear.kernels.spheres import division as forms

ROUNDING = 2.0**-47
"""Allowance for rounding in the test of triangles, as a part of the largest coordinate [1]: 64 units of 2^-53."""


def ball_around(points: FloatArray, inner: float) -> Ball:
    columns = np.ascontiguousarray(points.T)  # ten times faster than along the columns of points
    center = 0.5 * (columns.min(axis=1) + columns.max(axis=1))
    radius = float(np.sqrt(((columns - center[:, None]) ** 2).sum(axis=0).max())) * ROUND_UP
    x, y, z = center.tolist()
    return Ball(x, y, z, radius, inner)


def rounding_pad(lower: FloatArray, upper: FloatArray) -> float:
    """Return by how much cells are enlarged for rounding in the test of triangles in a box [m]."""
    return ROUNDING * float(max(np.abs(lower).max(), np.abs(upper).max()))


def _cells(mesh: Mesh) -> CellSurface:
    vertices, triangles, bounds = mesh._vertices.reshape(-1), mesh._triangles.reshape(-1), mesh.bounds
    return CellSurface(forms.TRIANGLES, vertices, triangles, rounding_pad(*bounds), *bounds)


def _write_mesh(mesh: Mesh) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    values = {"name": mesh._name, "solid": mesh._solid, "tessellation_error": mesh._tessellation_error}
    arrays: dict[str, npt.NDArray[Any]] = {"vertices": mesh._vertices}
    if mesh._polygons is None:
        return values, arrays | {"triangles": mesh._triangles}
    return values, arrays | {"start": mesh._polygons.start, "corners": mesh._polygons.corners}


def _read_mesh(values: Mapping[str, Any], arrays: Arrays) -> Shape:
    error, name, solid = (
        real_number(values.get("tessellation_error")),
        values.get("name"),
        values.get("solid"),
    )
    if (
        error is None
        or not 0.0 <= error < np.inf
        or not isinstance(name, str | None)
        or solid not in (None, True, False)
    ):
        raise FileDamage("has a mesh with values that no mesh has")
    if set(arrays) == {"vertices", "triangles"}:
        vertices, triangles = (
            typed_array(arrays, "vertices", np.float64, 2),
            typed_array(arrays, "triangles", np.int32, 2),
        )
        if triangles.shape[1:] != (3,):
            raise FileDamage("has triangles without three corners")
        points = checked_points("the mesh", "vertices", vertices, error=MeshError)
        mesh = Mesh._of_triangles(points, triangles, _solid=solid, _name=name, _tessellation_error=error)
    elif set(arrays) == {"vertices", "start", "corners"}:
        faces = split_faces(
            typed_array(arrays, "start", np.int64, 1), typed_array(arrays, "corners", np.int32, 1)
        )
        mesh = Mesh(
            typed_array(arrays, "vertices", np.float64, 2), faces, solid, name=name, tessellation_error=error
        )
    else:
        raise FileDamage("has a mesh without vertices and faces")
    return mesh


def typed_array(arrays: Arrays, name: str, dtype: type, ndim: int) -> npt.NDArray[Any]:
    array = arrays.get(name)
    if array is None or array.dtype != dtype or array.ndim != ndim:
        raise FileDamage(f"has a shape without its {name}")
    return array


def split_faces(start: npt.NDArray[np.int64], corners: npt.NDArray[np.int32]) -> list[Any]:
    """Return the faces between starts, which must begin at 0, rise, and end with the corners."""
    if len(start) < 2 or start[0] != 0 or start[-1] != len(corners) or (np.diff(start) < 3).any():
        raise FileDamage("has faces that do not follow each other")
    return np.split(corners, start[1:-1])


SHAPE_TABLE.add(
    Mesh,
    ShapeRow(
        pack=None,
        points=lambda shape: (np.asarray(shape.vertices), 0.0),
        ball=lambda shape: ball_around(shape._vertices, 0.0),
        corners=lambda shape: shape._vertices,
        support=None,
        facets=nothing,  # the search says which face touches
        triangles=nothing,  # it is searched as it is
        surface=lambda shape, _: (np.asarray(shape.vertices), shape.triangles.astype(np.int64)),
        cells=_cells,
        triangulate=lambda shape, _: Triangulated(shape, shape._tessellation_error),
        sizes=None,
        stored=Stored(_write_mesh, _read_mesh),
        urdf="mesh",
        cell=CellKey(
            "mesh",
            "Mesh file: STL, OBJ, PLY, OFF, GLB, glTF, DAE, 3MF, or STEP with the extra 'step'.",
            "part.stl",
        ),
        padding=1.0,
    ),
)


# A flat hull of more corners than this would need half a million triangles.
MOST_FLAT_CORNERS = 1000


def _hull_inner_radius(shape: Convex) -> float:
    """Return the radius of a ball inside a hull around the mean of its vertices, with half to spare."""
    graph = shape.graph
    if graph.dimension < 3:
        return 0.0
    center = pack_hull(shape).reals[core.CENTER : core.CENTER + 3]
    a, b, c = (graph.vertices[graph.triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.sqrt((normals * normals).sum(axis=1))
    good = lengths > 0.0
    heights = np.abs(((a - center) * normals).sum(axis=1)[good]) / lengths[good]
    return 0.5 * float(heights.min()) if good.any() else 0.0


def _hull_triangles(shape: Convex) -> Facets | None:
    return (shape.graph.vertices, shape.graph.triangles) if shape.is_solid else None


def _hull_cells(hull: Convex) -> CellSurface:
    """Return the triangles of a hull, and how far its true surface may be from them.

    A graph that is proved is the boundary of the hull K' of its vertices. All points are within d of K', so the hull K
    of all points is between K' and K' enlarged by d: a point of the boundary of K is not inside K', and its nearest
    point of K' is on the boundary, within d.

    A hull without an inside, up to rounding, is covered whole: each of its points is in a simplex of vertices of which
    one is the first (Caratheodory's theorem). With all vertices within t of a plane, the triangle of the first and two
    others below or above a point of that simplex is within 2 t.
    """
    graph = hull.graph
    if graph.dimension == 3 and len(graph.triangles) and not graph.proved:
        raise ShapeError(
            f"{hull!r}: its faces could not be proved convex, so no sphere tree can be proved to cover them; "
            "give its surface as a kc.Mesh(vertices, faces)."
        )
    vertices, triangles = graph.vertices, graph.triangles
    defect = farthest_left_out(hull.points, graph)
    if len(triangles) == 0:
        n = len(vertices)
        if n > MOST_FLAT_CORNERS:
            raise ShapeError(
                f"{hull!r}: a flat hull of {n} corners is too large; give it as a kc.Mesh of triangles."
            )
        i, j = np.triu_indices(max(n - 1, 1))
        triangles = np.stack([np.zeros_like(i), i + 1, j + 1], axis=1) if n > 1 else np.zeros((1, 3), int)
        defect += 2.0 * _thickness(vertices)
    lower, upper = hull.bounds
    pad = defect + rounding_pad(lower, upper)
    return CellSurface(
        forms.TRIANGLES,
        vertices.reshape(-1).copy(),
        triangles.astype(np.int32).reshape(-1),
        pad,
        lower,
        upper,
    )


def _thickness(points: FloatArray) -> float:
    """Return a bound of how far points are from a plane [m]."""
    offsets = points - points.mean(axis=0)
    normal = np.linalg.svd(offsets, full_matrices=True)[2][2]
    rounding = 2.0**-47 * float(np.abs(points).max())
    return float(np.abs(offsets @ normal).max()) * (1.0 + 1e-9) + rounding


def _triangulate_hull(hull: Convex, _: float) -> Triangulated:
    surface = _hull_cells(hull)
    vertices, triangles = surface.reals.reshape(-1, 3), surface.links.reshape(-1, 3)
    if hull.graph.dimension == 3 and len(hull.graph.triangles) > 0:
        return Triangulated(Mesh(vertices, triangles, solid=True), surface.pad)
    corners = vertices[triangles].reshape(-1, 3)  # triangles of a flat hull may be segments and points
    return Triangulated(Mesh(corners, np.arange(len(corners)).reshape(-1, 3), solid=False), surface.pad)


def _write_convex(hull: Convex) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    if hull._given_faces is None:
        return {}, {"points": hull._points}
    start = np.concatenate([[0], np.cumsum([len(face) for face in hull._given_faces])])
    corners = np.concatenate(hull._given_faces).astype(np.int32)
    return {}, {"points": hull._points, "start": start, "corners": corners}


def _read_convex(values: Mapping[str, Any], arrays: Arrays) -> Shape:
    points = typed_array(arrays, "points", np.float64, 2)
    if set(values) != {"kind"} or set(arrays) not in ({"points"}, {"points", "start", "corners"}):
        raise FileDamage("has a hull of points with something else")
    if set(arrays) == {"points"}:
        return Convex(points)
    return Convex(
        points,
        split_faces(typed_array(arrays, "start", np.int64, 1), typed_array(arrays, "corners", np.int32, 1)),
    )


SHAPE_TABLE.add(
    Convex,
    ShapeRow(
        pack=pack_hull,
        points=lambda shape: (np.asarray(shape.points), 0.0),
        ball=lambda shape: ball_around(shape._points, _hull_inner_radius(shape)),
        corners=lambda shape: shape._points,
        support=None,
        facets=lambda shape: (shape.points, shape.faces),
        triangles=_hull_triangles,
        surface=lambda shape, _: hull_surface(shape.graph),
        cells=_hull_cells,
        triangulate=_triangulate_hull,
        sizes=None,
        stored=Stored(_write_convex, _read_convex),
        urdf=None,
        cell=None,
        padding=1.0,
    ),
)
