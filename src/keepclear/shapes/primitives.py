"""Sphere and box: shapes given by a few lengths, centred on the origin of their frame, with their rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_triple
from keepclear.kernels.convex import support as core
from keepclear.kernels.spheres import cell_surface as forms
from keepclear.shapes.curved import (
    QUARTER,
    Profile,
    Region,
    Triangulated,
    box_corners,
    corners_around,
    half_circle,
    patch_sag,
    revolved,
    round_surface,
    triangulated,
)
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.row import (
    ROUND_UP,
    SHAPE_TABLE,
    Ball,
    CellKey,
    Facets,
    ShapeRow,
    Size,
    nothing,
    pack_core,
    solid_cells,
)
from keepclear.shapes.shape import SizedShape, symmetric

__all__ = ["Box", "Sphere"]

# Corners of a box in binary order, and its faces: those across x first, the lower one of each two first.
BOX_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_BOX_TRIANGLES = np.array([[quad[0], quad[i], quad[i + 1]] for quad in BOX_FACES for i in (1, 2)])


class Sphere(SizedShape):
    """A ball around the origin.

    Args:
        radius: Its radius [m].

    Examples:
        >>> Sphere(0.25).scaled(2)
        Sphere(radius=0.5)
    """

    __slots__ = ()
    _names = ("radius",)

    def __init__(self, radius: float) -> None:
        self._fill_sizes(radius)

    @property
    def radius(self) -> float:
        """The radius [m]."""
        return self._sizes[0]

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the sphere, (3,) each [m]."""
        return symmetric(*self._sizes * 3)


class Box(SizedShape):
    """A box with its edges along the axes, centred at the origin.

    Args:
        size: The three full edge lengths along x, y and z [m].

    Examples:
        >>> Box([1.2, 0.8, 0.05])
        Box(size=(1.2, 0.8, 0.05))
    """

    __slots__ = ()
    _names = ("size",)

    def __init__(self, size: Sequence[float] | npt.NDArray[np.floating | np.integer]) -> None:
        self._fill_sizes(*checked_triple("Box", "size", size))

    @property
    def size(self) -> tuple[float, float, float]:
        """The full edge lengths along x, y and z [m]."""
        x, y, z = self._sizes
        return x, y, z

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the box, (3,) each [m]."""
        x, y, z = self._sizes
        return symmetric(0.5 * x, 0.5 * y, 0.5 * z)


def _sphere_profile(shape: Sphere, n: int) -> Profile:
    return [(p, shape.radius * z) for p, z in half_circle(n)]


def _triangulate_sphere(shape: Sphere, deviation: float) -> Triangulated:
    r, n = shape.radius, corners_around(shape.radius, deviation)
    surface = round_surface(r, Region((r, r, r), 0.0, -QUARTER, QUARTER), spine=np.zeros((1, 3)))
    return triangulated(_sphere_profile(shape, n), n, (r, r), patch_sag(r, n), surface)


SHAPE_TABLE.add(
    Sphere,
    ShapeRow(
        pack=lambda shape: pack_core(core.POINT, (0.0, 0.0, 0.0), curved=False, radius=shape.radius),
        points=lambda shape: (np.zeros((1, 3)), shape.radius),
        ball=lambda _: Ball(0.0, 0.0, 0.0, 0.0, 0.0),  # its core is a point
        corners=nothing,
        support=lambda shape, direction: shape.radius * direction / np.linalg.norm(direction),
        facets=nothing,
        triangles=nothing,
        surface=lambda shape, around: revolved(_sphere_profile(shape, around), around, (shape.radius,) * 2),
        cells=lambda shape: solid_cells(shape, forms.BALL, *(shape.radius,) * 3),
        triangulate=_triangulate_sphere,
        sizes={"radius": Size(1, "Radius [m].")},
        stored=None,
        urdf="sphere",
        cell=CellKey("sphere", "Radius [m].", "0.1"),
        padding=1.0,
    ),
)


def _box_facets(shape: Box) -> Facets:
    return BOX_CORNERS * np.asarray(shape.size), BOX_FACES


def _box_ball(shape: Box) -> Ball:
    half = np.asarray(shape.size) / 2
    return Ball(0.0, 0.0, 0.0, math.hypot(*half) * ROUND_UP, min(shape.size) / 2)


def _triangulate_box(shape: Box, _: float) -> Triangulated:
    return Triangulated(Mesh(BOX_CORNERS * np.asarray(shape.size), _BOX_TRIANGLES, solid=True), 0.0)


SHAPE_TABLE.add(
    Box,
    ShapeRow(
        pack=lambda shape: pack_core(core.BOX, tuple(np.asarray(shape.size) / 2), curved=False),
        points=lambda shape: (box_corners(*shape.bounds), 0.0),
        ball=_box_ball,
        corners=lambda shape: box_corners(*shape.bounds),
        support=None,
        facets=_box_facets,
        triangles=_box_facets,
        surface=lambda shape, _: (BOX_CORNERS * np.asarray(shape.size), _BOX_TRIANGLES),
        cells=lambda shape: solid_cells(shape, forms.BOX, *(0.5 * edge for edge in shape.size)),
        triangulate=_triangulate_box,
        sizes={"size": Size(3, "Full edge lengths along x, y and z [m].")},
        stored=None,
        urdf="box",
        cell=CellKey("box", "Full edge lengths along x, y and z [m], centred.", "[1.2, 0.8, 0.05]"),
        padding=math.sqrt(3.0),  # corners move along three axes
    ),
)
