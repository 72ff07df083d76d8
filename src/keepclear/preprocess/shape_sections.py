"""The shape of a prepared model as plain values and arrays, and back, with all checks that its class makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import checked_points, real_number
from keepclear.errors import KeepclearError, MeshError
from keepclear.kinds import SHAPES, ByKind
from keepclear.preprocess.section_file import FileDamage
from keepclear.shapes.convex import Convex
from keepclear.shapes.ellipsoid import Ellipsoid
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.shapes.shape import Shape

__all__ = ["shape_from", "shape_values"]

Arrays = Mapping[str, npt.NDArray[Any]]


class _Form(NamedTuple):
    """How shapes of one kind are written and read: values of the header, arrays."""

    write: Callable[[Any], tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]]
    read: Callable[[Mapping[str, Any], Arrays], Shape]


def shape_values(shape: Shape) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return a shape as values of a header, including its kind, and arrays; an unknown kind raises."""
    values, arrays = _FORMS[shape].write(shape)
    return {"kind": type(shape).__name__, **values}, arrays


def shape_from(values: Any, arrays: Arrays) -> Shape:
    """Return the shape of a header's values and of arrays.

    Raises:
        FileDamage: They do not describe a shape.
    """
    kind = values.get("kind") if isinstance(values, dict) else None
    form = _BY_NAME.get(kind) if isinstance(kind, str) else None
    if form is None:
        raise FileDamage("has a shape of an unknown kind")
    try:
        return form.read(values, arrays)
    except KeepclearError as cause:
        raise FileDamage(f"has an invalid shape: {cause}") from cause


def _numbers(make: Callable[..., Shape], *names: str) -> _Form:
    """Return the form of a primitive: its lengths, numbers or triples."""

    def write(shape: Any) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        return {name: getattr(shape, name) for name in names}, {}

    def read(values: Mapping[str, Any], arrays: Arrays) -> Shape:
        if arrays or set(values) != {"kind", *names}:
            raise FileDamage("has a shape with other values than its kind has")
        return make(*(values[name] for name in names))

    return _Form(write, read)


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
            _typed(arrays, "vertices", np.float64, 2),
            _typed(arrays, "triangles", np.int32, 2),
        )
        if triangles.shape[1:] != (3,):
            raise FileDamage("has triangles without three corners")
        points = checked_points("the mesh", "vertices", vertices, error=MeshError)
        mesh = Mesh._of_triangles(points, triangles, _solid=solid, _name=name, _tessellation_error=error)
    elif set(arrays) == {"vertices", "start", "corners"}:
        faces = _split(_typed(arrays, "start", np.int64, 1), _typed(arrays, "corners", np.int32, 1))
        mesh = Mesh(
            _typed(arrays, "vertices", np.float64, 2), faces, solid, name=name, tessellation_error=error
        )
    else:
        raise FileDamage("has a mesh without vertices and faces")
    return mesh


def _write_convex(hull: Convex) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    if hull._given_faces is None:
        return {}, {"points": hull._points}
    start = np.concatenate([[0], np.cumsum([len(face) for face in hull._given_faces])])
    corners = np.concatenate(hull._given_faces).astype(np.int32)
    return {}, {"points": hull._points, "start": start, "corners": corners}


def _read_convex(values: Mapping[str, Any], arrays: Arrays) -> Shape:
    points = _typed(arrays, "points", np.float64, 2)
    if set(values) != {"kind"} or set(arrays) not in ({"points"}, {"points", "start", "corners"}):
        raise FileDamage("has a hull of points with something else")
    if set(arrays) == {"points"}:
        return Convex(points)
    return Convex(
        points, _split(_typed(arrays, "start", np.int64, 1), _typed(arrays, "corners", np.int32, 1))
    )


def _typed(arrays: Arrays, name: str, dtype: type, ndim: int) -> npt.NDArray[Any]:
    array = arrays.get(name)
    if array is None or array.dtype != dtype or array.ndim != ndim:
        raise FileDamage(f"has a shape without its {name}")
    return array


def _split(start: npt.NDArray[np.int64], corners: npt.NDArray[np.int32]) -> list[Any]:
    """Return the faces between starts, which must begin at 0, rise, and end with the corners."""
    if len(start) < 2 or start[0] != 0 or start[-1] != len(corners) or (np.diff(start) < 3).any():
        raise FileDamage("has faces that do not follow each other")
    return np.split(corners, start[1:-1])


_BY_CLASS: dict[type, _Form] = {
    Sphere: _numbers(Sphere, "radius"),
    Box: _numbers(Box, "size"),
    Capsule: _numbers(Capsule, "radius", "length"),
    Cylinder: _numbers(Cylinder, "radius", "length"),
    Ellipsoid: _numbers(Ellipsoid, "radii"),
    Convex: _Form(_write_convex, _read_convex),
    Mesh: _Form(_write_mesh, _read_mesh),
}
_FORMS: ByKind[_Form] = SHAPES.by_kind(_BY_CLASS)
_BY_NAME = {cls.__name__: form for cls, form in _BY_CLASS.items()}
