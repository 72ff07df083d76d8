"""The ellipsoid: a ball stretched along the axes of its frame, with its functions for the table of kinds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_triple
from keepclear.geometry.shapes.curved import (
    QUARTER,
    Profile,
    Region,
    Triangulated,
    ball_corners,
    corners_around,
    half_circle,
    patch_sag,
    revolved,
    round_surface,
    triangulated,
)
from keepclear.geometry.shapes.row import (
    ROUND_UP,
    SHAPE_TABLE,
    Ball,
    CellKey,
    Packed,
    Points,
    ShapeRow,
    Size,
    nothing,
    pack_core,
    solid_cells,
)
from keepclear.geometry.shapes.shape import SizedShape, symmetric
from keepclear.kernels.convex import support as core
from keepclear.kernels.spheres import division as forms

__all__ = ["Ellipsoid"]

INSIDE = 1.0 - 2.0**-50
"""Relative reduction of the radii of the core [1]. A support point is rounded by at most 7 units of 2^-53 of the radii;
in the smaller core it is a point of the ellipsoid for certain, so that upper bounds of distances hold."""

OUTSIDE = 2.0**-48
"""Bound of how far the ellipsoid reaches beyond the support points of its core [part of its largest radius]: 8 units
for the smaller core and 7 for rounding, and as much again. Lower bounds of distances are less by it."""


class Ellipsoid(SizedShape):
    """An ellipsoid centred at the origin.

    Args:
        radii: Semi-axes along x, y and z [m].

    Examples:
        >>> Ellipsoid([0.3, 0.2, 0.1]).scaled(2)
        Ellipsoid(radii=(0.6, 0.4, 0.2))
    """

    __slots__ = ()
    _names = ("radii",)

    def __init__(self, radii: Sequence[float] | npt.NDArray[np.floating | np.integer]) -> None:
        self._fill_sizes(*checked_triple("Ellipsoid", "radii", radii))

    @property
    def radii(self) -> tuple[float, float, float]:
        """The semi-axes along x, y and z [m]."""
        x, y, z = self._sizes
        return x, y, z

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the ellipsoid, (3,) each [m]."""
        return symmetric(*self.radii)


def _pack(shape: Ellipsoid) -> Packed:
    a, b, c = (INSIDE * radius for radius in shape.radii)
    largest = max(shape.radii)
    return pack_core(core.ELLIPSOID, (a, b, c), curved=True, extent=largest, defect=OUTSIDE * largest)


def _points(shape: Ellipsoid) -> Points:
    """Return the corners of a polyhedron around the unit ball, stretched as the ball is."""
    return ball_corners() * np.array(shape.radii), 0.0


def _ball(shape: Ellipsoid) -> Ball:
    return Ball(0.0, 0.0, 0.0, max(shape.radii) * ROUND_UP, min(shape.radii) * INSIDE)


def _support(shape: Ellipsoid, direction: FloatArray) -> FloatArray:
    radii = np.array(shape.radii)
    stretched = radii * direction
    length = math.sqrt(stretched @ stretched)
    return np.asarray(radii * stretched / length if length > 0.0 else radii * [1.0, 0.0, 0.0])


def _profile(shape: Ellipsoid, n: int) -> Profile:
    return [(p, shape.radii[2] * z) for p, z in half_circle(n)]


def _triangulate(shape: Ellipsoid, deviation: float) -> Triangulated:
    a, b, c = shape.radii
    largest = max(shape.radii)
    n = corners_around(largest, deviation)
    surface = round_surface(largest, Region((a, b, c), 0.0, -QUARTER, QUARTER))
    return triangulated(_profile(shape, n), n, (a, b), patch_sag(largest, n), surface)


SHAPE_TABLE.add(
    Ellipsoid,
    ShapeRow(
        pack=_pack,
        points=_points,
        ball=_ball,
        corners=nothing,
        support=_support,
        facets=nothing,
        triangles=nothing,
        surface=lambda shape, around: revolved(_profile(shape, around), around, shape.radii[:2]),
        cells=lambda shape: solid_cells(shape, forms.ELLIPSOID, *shape.radii),
        triangulate=_triangulate,
        sizes={"radii": Size(3, "Semi-axes along x, y and z [m].")},
        stored=None,
        urdf=None,
        cell=CellKey("ellipsoid", "Half of the lengths along x, y and z [m], centred.", "[0.3, 0.2, 0.1]"),
        padding=1.0,
    ),
)
