"""Triangle and polygon meshes, and the conversion of meshes of other libraries."""

from __future__ import annotations

import sys
import threading
import warnings
import weakref
from collections.abc import Sequence
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import (
    FloatArray,
    IndexArray,
    checked_points,
    checked_scale,
    read_only,
    real_number,
    shown,
)
from keepclear.errors import ArgumentError, MeshError, UnitWarning
from keepclear.geometry.shapes.mesh_check import (
    Closure,
    MeshCheck,
    check_mesh,
    find_closure,
    signed_volume,
    twice_areas,
)
from keepclear.geometry.shapes.mesh_faces import Faces, checked_faces, triangulated
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.tables.surface import SURFACE_HEADER
from keepclear.kinds import PREPARED, SHAPES
from keepclear.names import counted
from keepclear.tolerances import LARGEST_SIZE

__all__ = ["Mesh", "as_shape"]

SEEDS = 4  # entries for seeds behind the triangles; a surface of more components gets another array of links


class Mesh(Shape):
    """A surface of triangles or convex polygons, and the solid it encloses if it is closed.

    Args:
        vertices: Points (n, 3) [m].
        faces: Vertex indices: an integer array (m, 3) or (m, k), or a list of lists for mixed polygons.
        solid: None: a solid if the mesh is closed; True requires a closed mesh; False: the surface only.
        name: A name for messages; not part of the content.
        tessellation_error: How far the true surface may be from these triangles [m]. It is 0 unless the mesh
            approximates curved surfaces, like one from a STEP file. Margins in worlds and radii of sphere covers grow
            by it; other queries are about the triangles.

    Raises:
        MeshError: The arrays do not form a mesh, or solid=True and the mesh is not closed.

    Examples:
        >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> tetrahedron = Mesh(vertices, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
        >>> tetrahedron
        Mesh(4 vertices, 4 triangles, extent (1, 1, 1) m, solid)
        >>> round(tetrahedron.volume, 6)
        0.166667
    """

    # Vertices and triangles are there once, in the arrays that kernels read (`kernels.trees.surface_layout`):
    # `_vertices` and `_triangles` are views of `_reals` and `_links`. `_surface` is what `preprocess.surface` has found
    # out about them so far, and None at first. `_polygons` is None where all faces are triangles. Threads that fill a
    # slot later than `__init__` hold the lock. `_is_kept` says that the mesh will be there again in the next process,
    # so that what is built for it is worth keeping on disk; `_digest` is what it is kept under. `_hull` is the convex
    # hull, or False if there is none (`preprocess.hulls`).
    __slots__ = (
        "_check",
        "_closure",
        "_digest",
        "_hull",
        "_is_kept",
        "_links",
        "_lock",
        "_name",
        "_polygons",
        "_reals",
        "_solid",
        "_surface",
        "_tessellation_error",
        "_triangle_face",
        "_triangles",
        "_vertices",
    )

    _reals: FloatArray
    _links: IndexArray
    _vertices: FloatArray
    _triangles: IndexArray
    _triangle_face: IndexArray
    _polygons: Faces | None
    _surface: Any
    _lock: threading.RLock
    _solid: bool | None
    _name: str | None
    _tessellation_error: float
    _check: MeshCheck | None
    _closure: Closure | None
    _digest: bytes | None
    _hull: Any
    _is_kept: bool

    def __init__(
        self,
        vertices: npt.ArrayLike,
        faces: npt.NDArray[np.integer] | Sequence[Sequence[int]],
        solid: bool | None = None,
        *,
        name: str | None = None,
        tessellation_error: float = 0.0,
    ) -> None:
        label = _label(name)
        if solid is not None and not isinstance(solid, bool | np.bool_):
            raise MeshError(f"{label}: solid must be None, True or False, but it is {shown(solid)}.")
        error = real_number(tessellation_error)
        if error is None or not 0.0 <= error <= LARGEST_SIZE:
            raise MeshError(
                f"{label}: tessellation_error must be a number from 0 to {LARGEST_SIZE:g} [m], "
                f"but it is {shown(tessellation_error)}."
            )
        points = checked_points(label, "vertices", vertices, error=MeshError)
        polygons = checked_faces(label, faces, len(points))
        triangles, triangle_face = triangulated(label, points, polygons)
        self._fill_mesh(
            points,
            triangles,
            _triangle_face=triangle_face,
            _polygons=None if len(polygons.corners) == 3 * (len(polygons.start) - 1) else polygons,
            _solid=None if solid is None else bool(solid),
            _name=name,
            _tessellation_error=error,
        )
        if solid and not self._closed.is_closed:
            raise MeshError(
                f"{label} has {self.check.why_open()}, so it has no inside; "
                "repair it, or read it with solid=False to check its surface only."
            )

    def _fill_mesh(self, points: FloatArray, triangles: IndexArray, **values: object) -> None:
        """Set all slots; the arrays are copied to where kernels read them."""
        reals, links = np.empty(SURFACE_HEADER + points.size), np.empty(triangles.size + SEEDS, np.int32)
        reals[:SURFACE_HEADER], reals[SURFACE_HEADER:] = 0.0, points.ravel()
        links[: triangles.size], links[triangles.size :] = triangles.ravel(), -1
        self._fill(
            _reals=reals,
            _vertices=reals[SURFACE_HEADER:].reshape(-1, 3),
            _surface=None,
            _lock=threading.RLock(),
            _check=None,
            _closure=None,
            _digest=None,
            _hull=None,
            _is_kept=False,
            **values,
        )
        self._set_links(links, triangles.size)

    def _keep(self) -> None:
        """Mark this mesh so that its structures are stored on disk."""
        object.__setattr__(self, "_is_kept", True)

    def _set_links(self, links: IndexArray, n_corners: int) -> None:
        """Store the triangles at the start of an array, which replaces the earlier array."""
        object.__setattr__(self, "_triangles", links[:n_corners].reshape(-1, 3))
        object.__setattr__(self, "_links", links)

    @classmethod
    def _of_triangles(cls, points: FloatArray, triangles: IndexArray, **values: object) -> Self:
        """Return a mesh of checked points and of triangles, which are checked here: each has three vertices of them.

        Raises:
            MeshError: A triangle is invalid.
        """
        label = _label(cast(Any, values.get("_name")))
        a, b, c = triangles.T
        if len(triangles) == 0 or triangles.min() < 0 or triangles.max() >= len(points):
            raise MeshError(f"{label} has no triangles, or one with a vertex that is not there.")
        if ((a == b) | (b == c) | (c == a)).any():
            raise MeshError(f"{label} has a triangle with fewer than 3 different corners.")
        mesh = object.__new__(cls)
        numbers = np.arange(len(triangles), dtype=np.int32)
        mesh._fill_mesh(points, triangles, _triangle_face=numbers, _polygons=None, **values)
        return mesh

    @classmethod
    def from_trimesh(cls, mesh: Any, *, solid: bool | None = None) -> Self:
        """Return a `trimesh.Trimesh` as a mesh; its numbers are in metres."""
        if not _is_trimesh(mesh):
            raise ArgumentError(f"Mesh.from_trimesh takes a trimesh.Trimesh, but it was given {shown(mesh)}.")
        source = getattr(mesh, "source", None)
        name = (getattr(mesh, "metadata", None) or {}).get("file_name") or getattr(source, "file_name", None)
        units = getattr(mesh, "units", None)
        if units not in (None, "m", "meter", "meters", "metre", "metres"):
            warnings.warn(
                f"{_label(name)}: a trimesh in {units!r} is taken as it is, in metres; "
                "call its convert_units('meters') first, or read the file with kc.read_mesh.",
                UnitWarning,
                stacklevel=2,
            )
        return cls(mesh.vertices, mesh.faces, solid, name=name if isinstance(name, str) else None)

    @property
    def vertices(self) -> FloatArray:
        """The points (n, 3) [m]; read-only."""
        return read_only(self._vertices)

    @property
    def triangles(self) -> IndexArray:
        """The vertex indices of the triangles (t, 3), int32; polygons are cut into fans; read-only."""
        return read_only(self._triangles)

    @property
    def triangle_face(self) -> IndexArray:
        """The index of the face that each triangle came from, (t,), int32; read-only."""
        return read_only(self._triangle_face)

    @property
    def faces(self) -> IndexArray | tuple[tuple[int, ...], ...]:
        """The faces as given: an array (m, k), or a tuple of tuples if their numbers of corners differ."""
        if self._polygons is None:
            return read_only(self._triangles)
        start, corners = self._polygons
        counts = np.diff(start)
        if (counts == counts[0]).all():
            return read_only(corners.reshape(len(counts), -1))
        return tuple(tuple(face.tolist()) for face in np.split(corners, start[1:-1]))

    @property
    def nbytes(self) -> int:
        """Memory of vertices, triangles and faces [bytes]; trees are not included and have their own `nbytes`."""
        polygons = () if self._polygons is None else self._polygons
        return sum(array.nbytes for array in (self._reals, self._links, self._triangle_face, *polygons))

    @property
    def name(self) -> str | None:
        """The name for messages, or None."""
        return self._name

    @property
    def tessellation_error(self) -> float:
        """How far the true surface may be from these triangles [m].

        Worlds add it to the margins of all pairs of an object or link. Queries about two shapes (`kc.distance`,
        `kc.collide`, `kc.first_contact`) are about the triangles: subtract it from `lower`, or add it to a margin.
        """
        return self._tessellation_error

    @property
    def check(self) -> MeshCheck:
        """The problems of the mesh; computed when they are first read."""
        if self._check is None:
            with self._lock:
                if self._check is None:
                    found = check_mesh(self._vertices, self._triangles, self._triangle_face, self._n_faces)
                    object.__setattr__(self, "_check", found)
        return cast(MeshCheck, self._check)

    def _corners_of_face(self, face: int) -> list[int]:
        """Return the vertex indices of one face as given."""
        if self._polygons is None:
            return cast(list[int], self._triangles[face].tolist())
        start, corners = self._polygons
        return cast(list[int], corners[start[face] : start[face + 1]].tolist())

    @property
    def _n_faces(self) -> int:
        return len(self._triangles) if self._polygons is None else len(self._polygons.start) - 1

    @property
    def is_solid(self) -> bool:
        """Whether the mesh has an inside: it is closed, and was not declared a surface with solid=False."""
        return self._closed.is_closed if self._solid is None else self._solid

    @property
    def _closed(self) -> Closure:
        """Whether the mesh is closed, and by which gap: the result of `check` in a quarter of the time."""
        if self._closure is None:
            with self._lock:
                if self._closure is None:
                    object.__setattr__(self, "_closure", find_closure(self._vertices, self._triangles))
        return cast(Closure, self._closure)

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the triangles, (3,) each [m]."""
        columns = used_columns(self._vertices, self._triangles)
        return read_only(columns.min(axis=1)), read_only(columns.max(axis=1))

    @property
    def area(self) -> float:
        """The area of all triangles [m^2]."""
        return 0.5 * float(twice_areas(self._vertices, self._triangles).sum())

    @property
    def volume(self) -> float:
        """The volume of a solid [m^3]; negative if its faces point inwards.

        Raises:
            MeshError: The mesh is a surface only.
        """
        if not self.is_solid:
            reason = f"has {self.check.why_open()}" if self._solid is None else "was made with solid=False"
            raise MeshError(
                f"{_label(self._name)} {reason}, so it has no inside and no volume; repair it first."
            )
        return signed_volume(self._vertices, self._triangles)

    def scaled(self, factor: float) -> Self:
        """Return this mesh with its coordinates times a finite factor > 0, about the origin of its frame."""
        s = checked_scale(_label(self._name), factor)
        return type(self)(
            self._vertices * s,
            cast(Any, self.faces),
            self._solid,
            name=self._name,
            tessellation_error=self._tessellation_error * s,
        )

    def _with_vertices(self, vertices: npt.ArrayLike) -> Self:
        """Return a mesh of the same triangles with its vertices moved; polygons may bend.

        Raises:
            MeshError: The array has another shape, or a number in it is not finite.
        """
        label = _label(self._name)
        points = checked_points(label, "vertices", vertices, error=MeshError)
        if len(points) != len(self._vertices):
            raise MeshError(
                f"{label} has {len(self._vertices)} vertices, but {len(points)} moved ones were given; give all."
            )
        moved = object.__new__(type(self))
        moved._fill_mesh(
            points,
            self._triangles,
            _triangle_face=self._triangle_face,
            _polygons=self._polygons,
            _solid=self._solid,
            _name=self._name,
            _tessellation_error=self._tessellation_error,
        )
        return moved

    def _content(self) -> tuple[object, ...]:
        start, corners = (b"", self._triangles.tobytes())
        if self._polygons is not None:
            start, corners = (part.tobytes() for part in self._polygons)
        return self._vertices.tobytes(), start, corners, self._tessellation_error

    def _arguments(self) -> tuple[object, ...]:
        return self._vertices, self.faces, self._solid, self._name, self._tessellation_error

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        return same if same is not True else self.is_solid == cast(Mesh, other).is_solid

    __hash__ = Shape.__hash__

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), *self._arguments())

    def __repr__(self) -> str:
        lower, upper = self.bounds
        extent = ", ".join(f"{x:.6g}" for x in upper - lower)
        polygons = self._n_faces
        faces = "" if polygons == len(self._triangles) else counted(polygons, "face") + ", "
        name = "" if self._name is None else f"{self._name!r}, "
        kind = "solid" if self.is_solid else "surface"
        counts = f"{len(self._vertices)} vertices, {faces}{counted(len(self._triangles), 'triangle')}"
        return f"Mesh({name}{counts}, extent ({extent}) m, {kind})"


def used_columns(vertices: FloatArray, triangles: IndexArray) -> FloatArray:
    """Return the coordinates of the vertices that triangles use, (3, n): minima along rows are ten times faster."""
    is_used = np.zeros(len(vertices), dtype=bool)
    is_used[triangles.ravel()] = True
    return np.ascontiguousarray((vertices if is_used.all() else vertices[is_used]).T)


def as_shape(shape: object) -> Shape:
    """Return a shape unchanged, the shape of a prepared model, and a `trimesh.Trimesh` as a `Mesh`.

    A trimesh object can change, so it is checked each time; while it has not changed, the same mesh comes back, with
    everything that was computed for it.

    Raises:
        ArgumentError: It is none of these, or a shape of an unknown class.
    """
    if shape in SHAPES:
        return cast(Shape, shape)
    if shape in PREPARED:
        return cast(Shape, cast(Any, shape).shape)
    if isinstance(shape, Shape):
        raise SHAPES.error(shape, "the shape")
    if not _is_trimesh(shape):
        raise ArgumentError(
            f"expected a shape (kc.{', '.join(SHAPES.names)}) or a trimesh.Trimesh, but got {shown(shape)}; "
            "kc.Convex(points) and kc.Mesh(vertices, faces) make shapes from arrays."
        )
    foreign = cast(Any, shape)
    known = _converted.get(id(foreign))
    if known is not None and known[0]() is foreign and _is_unchanged(foreign, known[1]):
        return known[1]
    key = id(foreign)
    mesh = Mesh.from_trimesh(foreign)
    _converted[key] = weakref.ref(foreign, lambda _: _converted.pop(key, None)), mesh
    return mesh


_converted: dict[int, tuple[weakref.ref[Any], Mesh]] = {}


def _is_unchanged(foreign: Any, mesh: Mesh) -> bool:
    return np.array_equal(foreign.vertices, mesh._vertices) and np.array_equal(foreign.faces, mesh._triangles)


def _is_trimesh(value: object) -> bool:
    """Return whether a value is a trimesh mesh, without importing trimesh: a caller that has one has imported it."""
    kind = getattr(sys.modules.get("trimesh"), "Trimesh", None)
    return kind is not None and isinstance(value, kind)


def _label(name: str | None) -> str:
    return "Mesh" if name is None else f"mesh {name!r}"


def _rebuilt(
    kind: type[Mesh], vertices: Any, faces: Any, solid: bool | None, name: str | None, error: float
) -> Mesh:
    return kind(vertices, faces, solid, name=name, tessellation_error=error)
