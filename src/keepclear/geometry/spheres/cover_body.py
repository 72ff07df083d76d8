"""A body for the measurement of covers: the triangles of all its shapes in one frame, and their error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.curved import RoundSurface
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.geometry.spheres.outer_solid import (
    Outline,
    outer_solid_of,
    points_inside,
    shells_of,
    surface_distances,
)
from keepclear.kernels.trees import nearest_triangle

Elements = Iterable[tuple[Shape, FloatArray]]

ROUNDING = 2.0**-49
"""Error of the coordinates of a moved vertex, as a part of the sum of their terms [1]: 16 units of 2^-53."""


class Outside(NamedTuple):
    """Bounds of the distance of points from a body, negative for the depth inside.

    Attributes:
        lower, upper: (n,) bounds [m].
        nearest: (n, 3) points of the surface from which `upper` comes, up to rounding [m].
    """

    lower: FloatArray
    upper: FloatArray
    nearest: FloatArray


class _Part(NamedTuple):
    """The triangles of one shape, a bound of the distance of its true surface from them [m], and that if curved."""

    mesh: Mesh
    pad: float
    curved: RoundSurface | None = None

    @property
    def outlines(self) -> list[Outline]:
        """The solid that it bounds or nearly bounds, and the surface that is left."""
        return [one._replace(pad=one.pad + self.pad) for one in outer_solid_of(self.mesh)]

    def solid_outside(self, points: FloatArray) -> Outside:
        """Return the distances of points (n, 3) from the solid of a closed shape, without any cap."""
        return _outside(Outline(self.mesh, shells_of([self.mesh]), self.pad), points)


class CoverBody(NamedTuple):
    """Triangles of all shapes of a body, in its frame.

    Every point of the true surface of a shape is within its pad of a triangle, and every point of its solid is within
    the pad of the solid that the triangles enclose.

    Attributes:
        parts: One mesh for each shape, with its pad.
        lower, upper: The box around all triangles, (3,) each [m].
    """

    parts: tuple[_Part, ...]
    lower: FloatArray
    upper: FloatArray

    @property
    def largest(self) -> float:
        """The largest coordinate of a triangle [m]."""
        return float(max(np.abs(self.lower).max(), np.abs(self.upper).max()))

    @property
    def size(self) -> float:
        """The diagonal of the box around all triangles [m]."""
        return float(np.linalg.norm(self.upper - self.lower))

    @property
    def pad(self) -> float:
        """The largest pad of a part [m]."""
        return max(part.pad for part in self.parts)

    @property
    def outlines(self) -> list[Outline]:
        """The solids and surfaces from which distances are measured."""
        return [outline for part in self.parts for outline in part.outlines]

    @property
    def openings(self) -> int:
        """How many openings of its meshes count as closed."""
        return sum(outline.openings for outline in self.outlines)

    @property
    def is_closed(self) -> bool:
        """Whether all of the shapes have an inside; of an open mesh only the surface can be covered."""
        return all(part.mesh.is_solid for part in self.parts)

    def corners(self) -> FloatArray:
        """Return the triangles of all parts, (n, 3, 3) [m]."""
        return np.concatenate([part.mesh._vertices[part.mesh._triangles] for part in self.parts])

    def outside(self, points: FloatArray) -> Outside:
        """Return the distances of points (n, 3) from the union of the solids and of the open surfaces.

        An open mesh that nearly bounds a solid counts as that solid (`outer_solid.py`).
        """
        n = len(points)
        lower, upper = np.full(n, np.inf), np.full(n, np.inf)
        nearest = np.zeros((n, 3))
        for outline in self.outlines:
            low, high, near = _outside(outline, points)
            better = high < upper
            nearest[better] = near[better]
            lower, upper = np.minimum(lower, low), np.minimum(upper, high)
        return Outside(lower, upper, nearest)


def _outside(outline: Outline, points: FloatArray) -> Outside:
    """Return bounds for one solid or surface; a point whose side is uncertain counts as one on the surface."""
    rows = surface_distances(outline.mesh, points)
    low = np.maximum(rows[:, nearest_triangle.LOWER] - outline.pad, 0.0) * (1.0 - ROUNDING)
    high = (rows[:, nearest_triangle.UPPER] + outline.pad) * (1.0 + ROUNDING)
    nearest = rows[:, nearest_triangle.NEAREST :]
    if not outline.shells:
        return Outside(low, high, nearest)
    inside, unsure = np.zeros(len(points), bool), low == 0.0
    inside[~unsure] = points_inside(outline.shells, points[~unsure])
    lower = np.where(inside | unsure, -high, low)
    return Outside(lower, np.where(inside, -low, high), nearest)


def build_cover_body(elements: Elements, deviation: float, known: CoverBody | None = None) -> CoverBody:
    """Return the body of shapes with their poses in its frame.

    Args:
        elements: Shapes and poses (4, 4), checked.
        deviation: How far triangles may be inside of a curved surface [m]; more if that would take more corners
            around than its kind allows.
        known: The same body with another deviation: only its curved shapes are divided again.

    Raises:
        ArgumentError: There is no shape.
        ShapeError: A hull whose faces could not be proved.
    """
    if known is not None and all(part.curved is None for part in known.parts):
        return known
    parts = tuple(_part(shape, np.asarray(X_LG, np.float64), deviation) for shape, X_LG in elements)
    if not parts:
        raise ArgumentError("a body without shapes has no cover.")
    bounds = np.array([part.mesh.bounds for part in parts])
    return CoverBody(parts, bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0))


def _part(shape: Shape, X: FloatArray, deviation: float) -> _Part:
    mesh, pad, curved = SHAPE_TABLE[shape].triangulate(shape, deviation)
    if np.array_equal(X, np.eye(4)):
        return _Part(mesh, pad, curved)
    R, t = X[:3, :3], X[:3, 3]
    vertices = mesh._vertices
    moved = vertices @ R.T + t
    # Sums of four terms; and the deviation of the matrix from a rotation, however a caller interprets it.
    largest = float(np.abs(vertices).max(initial=0.0))
    skew = float(np.abs(R.T @ R - np.eye(3)).sum())
    rounding = (ROUNDING + skew) * 3.0 * largest + ROUNDING * float(np.abs(t).max())
    if curved is not None:
        curved = curved._replace(X=X, rounding=curved.rounding + rounding)
    return _Part(
        Mesh(moved, mesh._triangles, solid=mesh.is_solid or mesh._solid, name=mesh.name),
        pad + rounding,
        curved,
    )
