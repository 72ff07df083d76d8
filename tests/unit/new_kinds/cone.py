"""A kind of shape that only tests have: the recipe of CONTRIBUTING.md in one module.

Its core is new, so it needs a branch of `support` in the kernels. Machine code of kernels is compiled from their
sources and cached by a digest of these: a branch cannot be added from outside. So this module is imported where kernels
are plain Python (NUMBA_DISABLE_JIT=1), before any of them is, and gives `support` its branch there.
"""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numba.core import config

from keepclear.kernels.convex import support as core

assert config.DISABLE_JIT, "compiled kernels have no branch for it"
CONE = core.WALK + 1
_support = core.support


def support(reals: Any, links: Any, x: float, y: float, z: float, hint: int, rough: bool) -> Any:
    """Return the support point as the kernel does, of a cone too: its apex, or a point of its rim."""
    if int(reals[core.KIND]) != CONE:
        return _support(reals, links, x, y, z, hint, rough)
    r, half, m = reals[core.SIZE_X], reals[core.SIZE_Z], math.sqrt(x * x + y * y)
    if 2.0 * half * z >= r * m:
        return 0.0, 0.0, half, 0, 1
    return r * (x / m) if m > 0.0 else r, r * (y / m) if m > 0.0 else 0.0, -half, 0, 1


core.support = support  # before the modules below import those that call it

from keepclear.checks import FloatArray, checked_scale, checked_size  # noqa: E402
from keepclear.geometry.shapes.curved import (  # noqa: E402
    Triangulated,
    corners_around,
    revolved,
    rim_corners,
    side_sag,
    triangulated,
)
from keepclear.geometry.shapes.row import (  # noqa: E402
    ROUND_UP,
    SHAPE_TABLE,
    Ball,
    CellKey,
    CellSurface,
    Points,
    ShapeRow,
    Size,
    nothing,
    pack_core,
)
from keepclear.geometry.shapes.shape import Shape, symmetric  # noqa: E402
from keepclear.kernels.spheres import division as forms  # noqa: E402


class Cone(Shape):
    """A cone with its axis along z, centred: its base is at -height / 2, its apex at height / 2."""

    __slots__ = ("height", "radius")

    radius: float
    height: float

    def __init__(self, radius: float, height: float) -> None:
        self._fill(
            radius=checked_size("Cone", "radius", radius), height=checked_size("Cone", "height", height)
        )

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        return symmetric(self.radius, self.radius, 0.5 * self.height)

    def scaled(self, factor: float) -> Self:
        s = checked_scale("Cone", factor)
        return type(self)(self.radius * s, self.height * s)

    def _content(self) -> tuple[object, ...]:
        return self.radius, self.height

    _arguments = _content

    def __repr__(self) -> str:
        return f"Cone(radius={self.radius!r}, height={self.height!r})"


def _points(shape: Cone) -> Points:
    top = np.array([0.0, 0.0, 0.5 * shape.height])
    return np.concatenate([rim_corners(shape.radius) - top, top[None]]), 0.0


def _ball(shape: Cone) -> Ball:
    r, h = shape.radius, shape.height
    inner = min(0.5 * r * h / math.hypot(r, h), 0.5 * h) * (1.0 - 1e-9)
    return Ball(0.0, 0.0, 0.0, math.hypot(r, 0.5 * h) * ROUND_UP, inner)


def _farthest(shape: Cone, direction: FloatArray) -> FloatArray:
    x, y, z = direction.tolist()
    reals = pack_core(CONE, (shape.radius, shape.radius, 0.5 * shape.height), curved=True).reals
    return np.array(support(reals, None, x, y, z, 0, False)[:3])


def _triangulate(shape: Cone, deviation: float) -> Triangulated:
    r, half, n = shape.radius, 0.5 * shape.height, corners_around(shape.radius, deviation)
    return triangulated([(0.0, -half), (1.0, -half), (0.0, half)], n, (r, r), side_sag(r, n), None)


def _cells(shape: Cone) -> CellSurface:
    mesh, pad, _ = _triangulate(shape, 0.0)
    vertices, triangles = mesh._vertices.reshape(-1), mesh._triangles.reshape(-1)
    return CellSurface(forms.TRIANGLES, vertices, triangles, pad * (1.0 + 1e-6), *shape.bounds)


def _surface(shape: Cone, around: int) -> Any:
    return revolved(
        [(0.0, -0.5 * shape.height), (shape.radius, -0.5 * shape.height), (0.0, 0.5 * shape.height)], around
    )


SHAPE_TABLE.add(
    Cone,
    ShapeRow(
        pack=lambda shape: pack_core(CONE, (shape.radius, shape.radius, 0.5 * shape.height), curved=True),
        points=_points,
        ball=_ball,
        corners=nothing,
        support=_farthest,
        facets=nothing,
        triangles=nothing,
        surface=_surface,
        cells=_cells,
        triangulate=_triangulate,
        sizes={"radius": Size(1, "Radius of its base [m]."), "height": Size(1, "Height along z [m].")},
        stored=None,
        urdf="cone",
        cell=CellKey("cone", "{radius:, height:} [m], or [radius, height].", "{radius: 0.05, height: 0.3}"),
        padding=math.sqrt(2.0),
    ),
)
