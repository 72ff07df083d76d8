"""Sphere, box, capsule and cylinder, centred on the origin of their frame, with their rows in the table of kinds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_triple, real_number
from keepclear.errors import ShapeError
from keepclear.geometry.shapes.curved import (
    QUARTER,
    Profile,
    Region,
    RoundSurface,
    Triangulated,
    box_corners,
    corners_around,
    half_circle,
    patch_sag,
    revolved,
    rim_corners,
    round_surface,
    side_sag,
    triangulated,
)
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import (
    ROUND_UP,
    SHAPE_TABLE,
    Ball,
    CellKey,
    Facets,
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

__all__ = ["Box", "Capsule", "Cylinder", "Sphere"]

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


class _Round(SizedShape):
    """What a capsule and a cylinder share: a radius and a length along z."""

    __slots__ = ()
    _names = ("radius", "length")

    def __init__(self, radius: float, length: float) -> None:
        self._fill_sizes(radius, length)

    @property
    def radius(self) -> float:
        """The radius [m]."""
        return self._sizes[0]

    @property
    def length(self) -> float:
        """The length of the straight part along z [m]; the caps of a capsule are added."""
        return self._sizes[1]


class Capsule(_Round):
    """All points within a radius of a centred segment on the z axis: a cylinder with a hemisphere on each end.

    Args:
        radius: Its radius [m].
        length: The length of the segment, without the caps [m]; end to end it measures length + 2 radius.

    Examples:
        >>> lower, upper = Capsule(radius=0.1, length=0.5).bounds
        >>> upper.round(6).tolist()
        [0.1, 0.1, 0.35]
    """

    __slots__ = ()

    def __init__(self, radius: float, length: float) -> None:
        if real_number(length) == 0.0:
            raise ShapeError(
                "Capsule: length must be > 0, but it is 0; "
                "a capsule without length is a sphere, use kc.Sphere(radius)."
            )
        super().__init__(radius, length)

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the capsule, (3,) each [m]."""
        top = _add_up(0.5 * self.length, self.radius)
        return symmetric(self.radius, self.radius, top)


class Cylinder(_Round):
    """A cylinder with flat ends, its axis along z, centred.

    Args:
        radius: Its radius [m].
        length: Its length along z from end to end [m].

    Examples:
        >>> Cylinder(0.05, length=1)
        Cylinder(radius=0.05, length=1.0)
    """

    __slots__ = ()

    def __init__(self, radius: float, length: float) -> None:
        super().__init__(radius, length)  # so that Python's messages about arguments name Cylinder

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the cylinder, (3,) each [m]."""
        return symmetric(self.radius, self.radius, 0.5 * self.length)


def _add_up(a: float, b: float) -> float:
    """Return the sum of two positive numbers, rounded up unless it is exact (Knuth's two-sum)."""
    total = a + b
    part = total - a
    lost = (a - (total - part)) + (b - part)
    return math.nextafter(total, math.inf) if lost > 0.0 else total


def _round_surface(shape: _Round, cap: float, spine: FloatArray | None) -> RoundSurface:
    """Return a side between two caps of a height."""
    r, half = shape.radius, 0.5 * shape.length
    return round_surface(
        r + half,
        Region((r, r, cap), -half, -QUARTER, 0.0),
        Region((r, r, half), 0.0, -1.0, 1.0, is_side=True),
        Region((r, r, cap), half, 0.0, QUARTER),
        spine=spine,
    )


def _capsule_support(shape: Capsule, direction: FloatArray) -> FloatArray:
    point = shape.radius * direction / np.linalg.norm(direction)
    point[2] += np.copysign(0.5 * shape.length, direction[2])
    return np.asarray(point)


def _capsule_profile(shape: Capsule, n: int) -> Profile:
    r, half, unit = shape.radius, 0.5 * shape.length, half_circle(n)
    lower = [(p, r * z - half) for p, z in unit[: n // 4 + 1]]
    return lower + [(p, r * z + half) for p, z in unit[n // 4 :]]


def _triangulate_capsule(shape: Capsule, deviation: float) -> Triangulated:
    r, half, n = shape.radius, 0.5 * shape.length, corners_around(shape.radius, deviation)
    surface = _round_surface(shape, r, np.array([[0.0, 0.0, -half], [0.0, 0.0, half]]))
    return triangulated(_capsule_profile(shape, n), n, (r, r), patch_sag(r, n), surface)


SHAPE_TABLE.add(
    Capsule,
    ShapeRow(
        pack=lambda shape: pack_core(
            core.SEGMENT, (0.0, 0.0, shape.length / 2), curved=False, radius=shape.radius
        ),
        points=lambda shape: (np.array([[0, 0, -0.5], [0, 0, 0.5]]) * shape.length, shape.radius),
        ball=lambda shape: Ball(0.0, 0.0, 0.0, shape.length / 2 * ROUND_UP, 0.0),
        corners=nothing,
        support=_capsule_support,
        facets=nothing,
        triangles=nothing,
        surface=lambda shape, n: revolved(_capsule_profile(shape, n), n, (shape.radius,) * 2),
        cells=lambda shape: solid_cells(shape, forms.CAPSULE, shape.radius, shape.radius, 0.5 * shape.length),
        triangulate=_triangulate_capsule,
        sizes={
            "radius": Size(1, "Radius [m]."),
            "length": Size(1, "Length along z [m]; the caps are added to it."),
        },
        stored=None,
        urdf="capsule",
        cell=CellKey(
            "capsule",
            "{radius:, length:} [m], or [radius, length]; axis z, centred, length without caps.",
            "{radius: 0.05, length: 0.3}",
        ),
        padding=2.0,  # its ends, by the radius and half of the length
    ),
)


def _cylinder_pack(shape: Cylinder) -> Packed:
    r, half = shape.radius, shape.length / 2
    return pack_core(core.CYLINDER, (r, r, half), curved=True, extent=math.hypot(r, 0.0, half))


def _cylinder_points(shape: Cylinder) -> Points:
    rim, top = rim_corners(shape.radius), np.array([0.0, 0.0, 0.5 * shape.length])
    return np.concatenate([rim - top, rim + top]), 0.0


def _cylinder_support(shape: Cylinder, direction: FloatArray) -> FloatArray:
    across = np.hypot(direction[0], direction[1])
    x, y = shape.radius * direction[:2] / across if across > 0.0 else (0.0, 0.0)
    return np.array([x, y, np.copysign(0.5 * shape.length, direction[2])])


def _cylinder_ball(shape: Cylinder) -> Ball:
    half = 0.5 * shape.length
    return Ball(0.0, 0.0, 0.0, math.hypot(shape.radius, half) * ROUND_UP, min(shape.radius, half))


def _cylinder_profile(shape: Cylinder) -> Profile:
    half = 0.5 * shape.length
    return [(0.0, -half), (1.0, -half), (1.0, half), (0.0, half)]


def _triangulate_cylinder(shape: Cylinder, deviation: float) -> Triangulated:
    r, n = shape.radius, corners_around(shape.radius, deviation)
    return triangulated(_cylinder_profile(shape), n, (r, r), side_sag(r, n), _round_surface(shape, 0.0, None))


SHAPE_TABLE.add(
    Cylinder,
    ShapeRow(
        pack=_cylinder_pack,
        points=_cylinder_points,
        ball=_cylinder_ball,
        corners=nothing,
        support=_cylinder_support,
        facets=nothing,
        triangles=nothing,
        surface=lambda shape, n: revolved(_cylinder_profile(shape), n, (shape.radius,) * 2),
        cells=lambda shape: solid_cells(
            shape, forms.CYLINDER, shape.radius, shape.radius, 0.5 * shape.length
        ),
        triangulate=_triangulate_cylinder,
        sizes={"radius": Size(1, "Radius [m]."), "length": Size(1, "Length along z [m].")},
        stored=None,
        urdf="cylinder",
        cell=CellKey(
            "cylinder",
            "{radius:, length:} [m], or [radius, length]; axis z, centred.",
            "{radius: 0.05, length: 0.3}",
        ),
        padding=math.sqrt(2.0),  # rims move along two axes
    ),
)
