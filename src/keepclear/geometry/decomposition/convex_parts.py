"""Convex parts whose union contains a solid: the form of non-convex bodies for simulators."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Self
from xml.sax.saxutils import quoteattr

import numpy as np

from keepclear.checks import FloatArray, checked_positive, is_whole, read_only, shown
from keepclear.errors import ArgumentError, KeepclearError, MeshError
from keepclear.files.access import write_named_file
from keepclear.geometry.decomposition.solid_proof import is_empty_proved, proved_part
from keepclear.geometry.decomposition.solid_search import BUDGET, Group, Search, Solid
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh, as_shape
from keepclear.results import compared_by_content

__all__ = ["ConvexParts", "build_convex_parts"]

File = str | os.PathLike[str]

DEFAULT_EXCESS = 0.03
"""Allowed distance of points of a part from the solid, as a part of the diagonal of the box around it [1]."""

SMALLEST_EXCESS = 1e-4
"""Smallest allowed excess, as a part of the same diagonal [1]; pieces reach 1e-6 beyond the planes that cut them."""

MOST_PIECES = 4000
"""Greatest number of pieces that a solid is cut into before they are merged."""

MORE = 1.25
"""Factor by which the allowed excess grows while there are too many parts."""

FINEST = 0.05
"""Smallest bound of the excess of a part, as a part of the allowed one [1].

Smaller values take longer, most of all where faces of a part are those of a finely divided solid.
"""

PRECISION = 0.02
"""Accuracy of the bounds of larger excesses, as a part of the allowed one [1]."""


@compared_by_content
class ConvexParts(tuple[tuple[Convex, FloatArray], ...]):
    """Convex parts whose union contains a solid; immutable.

    It is a tuple of pairs `(part, X)`, X the identity, so it can be used wherever a body of several parts is accepted.

    Attributes:
        mesh: The solid.
        parts: The parts, in the frame of the mesh.
        excess_of: (n,) upper bounds of the distance of a point of each part from the solid [m]; those below a twentieth
            of the allowed excess are not distinguished.
        contains: Whether it is proved that the union of the parts contains the solid: always True.
    """

    mesh: Mesh
    parts: tuple[Convex, ...]
    excess_of: FloatArray
    contains: bool

    def __new__(cls, mesh: Mesh, parts: Sequence[Convex], excess_of: FloatArray) -> Self:
        self = super().__new__(cls, tuple((part, read_only(np.eye(4))) for part in parts))
        self.mesh, self.parts, self.excess_of = mesh, tuple(parts), read_only(np.array(excess_of))
        self.contains = True
        return self

    def __getnewargs__(self) -> tuple[Mesh, tuple[Convex, ...], FloatArray]:
        return self.mesh, self.parts, self.excess_of

    @property
    def excess(self) -> float:
        """Upper bound of the distance of a point of a part from the solid [m]."""
        return float(self.excess_of.max())

    @cached_property
    def volume(self) -> float:
        """The sum of the volumes of the parts [m^3]; overlaps count twice."""
        return sum(_volume(part) for part in self.parts)

    @property
    def n_vertices(self) -> int:
        """The number of vertices of all parts."""
        return sum(len(part.vertices) for part in self.parts)

    def write_obj(self, path: File) -> None:
        """Write an OBJ file with a group for each part, `part_0`, `part_1` and so on.

        Coordinates read back as the same numbers, so the parts of the file contain the solid as well. A program that
        reads them in single precision rounds them to 6e-8 of the coordinates.
        """
        _write_obj(self.parts, path)

    def write_urdf(self, path: File, name: str = "parts") -> list[Path]:
        """Write a URDF file of one link with these collisions, and an OBJ file beside it for each part.

        Returns:
            The paths of the files.
        """
        file = Path(path)
        paths = [file.with_name(f"{file.stem}_part_{k}.obj") for k in range(len(self))]
        for part, mesh in zip(self.parts, paths, strict=True):
            _write_obj([part], mesh)
        lines = [
            '<?xml version="1.0"?>',
            f"<robot name={quoteattr(name)}>",
            f"  <link name={quoteattr(name)}>",
        ]
        for mesh in paths:
            geometry = f"<geometry><mesh filename={quoteattr(mesh.name)}/></geometry>"
            lines.append(f"    <collision>{geometry}</collision>")
        _write(file, [*lines, "  </link>", "</robot>"])
        return [file, *paths]

    def write_mjcf(self, path: File, name: str = "parts") -> None:
        """Write an MJCF file (MuJoCo) of one body with these geoms; the vertices are in the file."""
        lines = [f"<mujoco model={quoteattr(name)}>", "  <asset>"]
        for k, part in enumerate(self.parts):
            vertices = "  ".join(_numbers(vertex) for vertex in part.vertices.tolist())
            lines.append(f'    <mesh name="part_{k}" vertex="{vertices}"/>')
        lines += ["  </asset>", "  <worldbody>", f"    <body name={quoteattr(name)}>"]
        lines += [f'      <geom type="mesh" mesh="part_{k}"/>' for k in range(len(self))]
        _write(path, [*lines, "    </body>", "  </worldbody>", "</mujoco>"])

    def __repr__(self) -> str:
        n = len(self)
        return (
            f"ConvexParts({n} part{'s' * (n != 1)}, {self.n_vertices} vertices, solid contained, "
            f"excess {self.excess:.3g} m)"
        )


def build_convex_parts(
    mesh: Mesh, *, excess: float | None = None, max_parts: int | None = None, max_vertices: int | None = None
) -> ConvexParts:
    """Return convex parts whose union contains the solid of a closed mesh; `kc.decompose(mesh, solid=True)` calls it.

    Args:
        mesh: A closed mesh.
        excess: How far a point of a part may be from the solid [m]; holes of a larger radius stay open. None: 3 % of
            the diagonal of the box around the mesh, or what `max_parts` needs.
        max_parts: Greatest number of parts; the allowed excess grows until they suffice.
        max_vertices: Greatest number of vertices of a part, at least 8; parts grow for it, and `excess_of` bounds how
            far.

    Raises:
        ArgumentError: It is not a mesh, a number is invalid, or `excess` needs more than `max_parts` or
            `max_vertices`.
        MeshError: The mesh is open, so it has no inside, or it has a tessellation error.
    """
    shape = as_shape(mesh)
    if type(shape) is not Mesh:
        raise ArgumentError(f"decompose: {type(shape).__name__} is convex already; give a kc.Mesh.")
    if not shape.is_solid:
        label = "the mesh" if shape.name is None else f"mesh {shape.name!r}"
        reason = f"has {shape.check.why_open()}" if shape.check.why_open() else "was made with solid=False"
        raise MeshError(
            f"decompose: {label} {reason}, so it has no inside that parts could contain; repair it, or leave out "
            "solid=True for the elements of its surface."
        )
    if shape.tessellation_error > 0.0:
        raise MeshError(
            f"decompose: {shape!r} is within {shape.tessellation_error:.3g} m of the true surface, which convex parts "
            "of it need not contain; give kc.Mesh(mesh.vertices, mesh.triangles) for parts that contain the mesh."
        )
    if max_parts is not None and (not is_whole(max_parts) or max_parts < 1):
        raise ArgumentError(f"max_parts must be a whole number >= 1, but it is {shown(max_parts)}.")
    if max_vertices is not None and (not is_whole(max_vertices) or max_vertices < 8):
        raise ArgumentError(f"max_vertices must be a whole number >= 8, but it is {shown(max_vertices)}.")
    solid = Solid(shape)
    least = SMALLEST_EXCESS * solid.size
    if excess is not None and checked_positive("excess", excess, "metres") < least:
        raise ArgumentError(
            f"decompose: excess is {excess:.3g} m, but the mesh is {solid.size:.3g} m large; "
            f"allow at least {least:.3g} m."
        )
    allowed = DEFAULT_EXCESS * solid.size if excess is None else float(excess)
    search = Search(solid, allowed, MOST_PIECES)
    groups = search.merged(search.pieces())
    while max_parts is not None and len(groups) > max_parts:
        if excess is not None:
            raise ArgumentError(
                f"decompose: an excess of {excess:.3g} m takes {len(groups)} parts, more than max_parts = {max_parts}; "
                "allow more of either, or give max_parts only."
            )
        allowed *= MORE
        search = Search(solid, allowed, MOST_PIECES)
        groups = search.merged(search.pieces())
    found = _proved(solid, search, groups, allowed, max_vertices)
    if found.excess > allowed and max_vertices is None:
        raise KeepclearError(
            f"decompose: a part has an excess of {found.excess:.3g} m instead of {allowed:.3g} m; "
            "please report the mesh."
        )
    if excess is not None and found.excess > allowed:
        raise ArgumentError(
            f"decompose: with max_vertices = {max_vertices} the excess is {found.excess:.3g} m, "
            f"more than {excess:.3g} m; allow more of either, or leave excess out."
        )
    return found


def _proved(
    solid: Solid, search: Search, groups: list[Group], allowed: float, max_vertices: int | None
) -> ConvexParts:
    """Return groups of pieces as parts that are proved to contain the solid, and their excess."""
    if not all(is_empty_proved(solid, piece) for piece in search.empty):
        raise KeepclearError("decompose: a cell could not be proved to be empty; please report the mesh.")
    parts = tuple(proved_part(solid, group, max_vertices) for group in groups)
    bounds = np.array([_bound_excess(solid, part, allowed) for part in parts])
    return ConvexParts(solid.mesh, parts, bounds)


def _bound_excess(solid: Solid, part: Convex, allowed: float) -> float:
    """Return an upper bound of the distance of points of a part from the solid."""
    upper, _ = solid.excess(
        part.graph.vertices, part.graph.triangles, FINEST * allowed, np.inf, PRECISION * allowed, BUDGET
    )
    return upper


def _volume(part: Convex) -> float:
    a, b, c = (part.vertices[part.triangles[:, k]] - part.vertices[0] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6.0


def _write_obj(parts: Sequence[Convex], path: File) -> None:
    lines, first = [], 1
    for k, part in enumerate(parts):
        lines += [f"o part_{k}", f"g part_{k}"]
        lines += [f"v {_numbers(vertex)}" for vertex in part.vertices.tolist()]
        lines += [f"f {a + first} {b + first} {c + first}" for a, b, c in part.triangles.tolist()]
        first += len(part.vertices)
    _write(path, lines)


def _numbers(values: Sequence[float]) -> str:
    return " ".join(repr(value) for value in values)


def _write(path: File, lines: list[str]) -> None:
    write_named_file(path, ("\n".join(lines) + "\n").encode(), os.fspath(path), ArgumentError)
