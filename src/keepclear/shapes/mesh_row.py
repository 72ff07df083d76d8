"""The row of meshes in the table of kinds, and what hulls share with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_points, real_number
from keepclear.errors import MeshError
from keepclear.files import FileDamage
from keepclear.kernels.spheres import cell_surface as forms
from keepclear.shapes.curved import Triangulated
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.row import (
    ROUND_UP,
    SHAPE_TABLE,
    Arrays,
    Ball,
    CellKey,
    CellSurface,
    ShapeRow,
    Stored,
    nothing,
)
from keepclear.shapes.shape import Shape

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
