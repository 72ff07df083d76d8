"""A body for the measurement of covers: the triangles of all its shapes in one frame, and their error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.kernels.trees import point_distance
from keepclear.kinds import SHAPES, ByKind
from keepclear.preprocess.outer_solid import (
    Outline,
    outer_solid_of,
    points_inside,
    shells_of,
    surface_distances,
)
from keepclear.preprocess.round_surface import RoundSurface, round_surface_of
from keepclear.preprocess.sphere_surface import cell_surface_of
from keepclear.shapes.convex import Convex
from keepclear.shapes.ellipsoid import Ellipsoid
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import BOX_CORNERS, SHAPE_TABLE
from keepclear.shapes.tessellation import AROUND

__all__ = ["CoverBody", "Outside", "build_cover_body"]

Elements = Iterable[tuple[Shape, FloatArray]]

ROUNDING = 2.0**-49
"""Error of the coordinates of a moved vertex, as a part of the sum of their terms [1]: 16 units of 2^-53."""

FEWEST, MOST = 24, 160
"""Limits of the number of corners of a circle on a curved surface [1]; the error of 160 is 4e-4 of its radius."""


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
    low = np.maximum(rows[:, point_distance.LOWER] - outline.pad, 0.0) * (1.0 - ROUNDING)
    high = (rows[:, point_distance.UPPER] + outline.pad) * (1.0 + ROUNDING)
    nearest = rows[:, point_distance.NEAREST :]
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
        deviation: How far triangles may be inside of a curved surface [m]; more if that would take more than MOST
            corners around.
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
    mesh, pad = _TRIANGLES[shape](shape, deviation)
    curved = round_surface_of(shape) if isinstance(shape, Sphere | Capsule | Cylinder | Ellipsoid) else None
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


def _of_mesh(mesh: Mesh, _: float) -> tuple[Mesh, float]:
    return mesh, 0.0


def _of_hull(hull: Convex, _: float) -> tuple[Mesh, float]:
    surface = cell_surface_of(hull)
    vertices, triangles = surface.reals.reshape(-1, 3), surface.links.reshape(-1, 3)
    if hull.graph.dimension == 3 and len(hull.graph.triangles) > 0:
        return Mesh(vertices, triangles, solid=True), surface.pad
    corners = vertices[triangles].reshape(-1, 3)  # triangles of a flat hull may be segments and points
    return Mesh(corners, np.arange(len(corners)).reshape(-1, 3), solid=False), surface.pad


def _of_box(box: Box, _: float) -> tuple[Mesh, float]:
    vertices, triangles = SHAPE_TABLE[box].surface(box, AROUND)
    assert len(vertices) == len(BOX_CORNERS)
    return Mesh(vertices, triangles, solid=True), 0.0


def _turn(radius: float, deviation: float) -> int:
    """Return how many corners a circle needs; a multiple of 4."""
    step = math.sqrt(2.0 * deviation / radius) if deviation > 0.0 else 0.0
    n = MOST if step * MOST <= 2.0 * math.pi else max(FEWEST, math.ceil(2.0 * math.pi / step))
    return 4 * math.ceil(n / 4)


def _of_round(shape: Sphere | Capsule | Cylinder | Ellipsoid, deviation: float) -> tuple[Mesh, float]:
    """Return a polyhedron with corners on a curved surface, and how far the surface is from it.

    A patch f(u, v) of the surface over a triangle of parameters of the size du, dv differs from the linear form through
    its corners by at most 1/2 sum l_i |f''| (u_i - u)^2 with weights l_i; for a sphere of radius R, |f''| along (a, b)
    is at most R (|a| + |b|)^2 <= 2 R (a^2 + b^2), and the variance of values in a range du is at most du^2 / 4: so
    R (du^2 + dv^2) / 4. An ellipsoid is an image of the unit sphere, with its largest radius for R. The side of a
    cylinder has R du^2 / 8 and its ends less.
    """
    radii = shape.radii if isinstance(shape, Ellipsoid) else (shape.radius,) * 3
    largest = max(radii)
    n = _turn(largest, deviation)
    step = 2.0 * math.pi / n
    half = 0.5 * shape.length if isinstance(shape, Capsule | Cylinder) else 0.0
    if type(shape) is Cylinder:
        profile = [(0.0, -half), (1.0, -half), (1.0, half), (0.0, half)]
        pad = largest * step * step / 8.0
    else:
        angles = [-0.5 * math.pi + step * k for k in range(n // 2 + 1)]
        profile = [(math.cos(a), math.sin(a)) for a in angles]
        profile[0], profile[-1] = (0.0, -1.0), (0.0, 1.0)
        pad = largest * step * step / 2.0
        if isinstance(shape, Capsule):
            lower, upper = profile[: n // 4 + 1], profile[n // 4 :]
            r = shape.radius
            profile = [(p, r * z - half) for p, z in lower] + [(p, r * z + half) for p, z in upper]
        else:
            profile = [(p, radii[2] * z) for p, z in profile]
    vertices, triangles = _revolved(profile, n)
    vertices[:, :2] *= radii[:2]
    largest = max(largest, float(np.abs(vertices).max()))
    return Mesh(vertices, triangles, solid=True), pad * (1.0 + 1e-9) + 2.0**-46 * largest


def _revolved(profile: Sequence[tuple[float, float]], n: int) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return points and triangles of a profile (r, z), from the lower pole to the upper one, around the z axis."""
    turn = 2.0 * math.pi * np.arange(n) / n
    points = [np.array([[0.0, 0.0, profile[0][1]]])]
    for r, z in profile[1:-1]:
        points.append(np.stack([r * np.cos(turn), r * np.sin(turn), np.full(n, z)], axis=1))
    points.append(np.array([[0.0, 0.0, profile[-1][1]]]))
    i, j = np.arange(n), (np.arange(n) + 1) % n
    first, last = np.zeros(n, np.int64), np.full(n, 1 + n * (len(profile) - 2))
    triangles = [np.stack([first, 1 + j, 1 + i], axis=1)]
    for k in range(len(profile) - 3):
        low, high = 1 + n * k, 1 + n * (k + 1)
        triangles.append(np.stack([low + i, low + j, high + i], axis=1))
        triangles.append(np.stack([low + j, high + j, high + i], axis=1))
    top = 1 + n * (len(profile) - 3)
    triangles.append(np.stack([top + i, top + j, last], axis=1))
    return np.concatenate(points), np.concatenate(triangles)


_TRIANGLES: ByKind[Callable[[Any, float], tuple[Mesh, float]]] = SHAPES.by_kind(
    {
        Sphere: _of_round,
        Box: _of_box,
        Capsule: _of_round,
        Cylinder: _of_round,
        Ellipsoid: _of_round,
        Convex: _of_hull,
        Mesh: _of_mesh,
    }
)
