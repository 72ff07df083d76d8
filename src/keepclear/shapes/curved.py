"""Curved surfaces as patches with exact parameters, and as polyhedra with a bound of their distance from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.tessellation import revolved

ROUNDING = 2.0**-46
"""Error of a computed point of a surface, as a part of its largest coordinate [1]: 128 units of 2^-53."""

FEWEST, MOST = 24, 160
"""Limits of the number of corners of a circle on a curved surface [1]; the error of 160 is 4e-4 of its radius."""

QUARTER = 0.5 * math.pi


class Region(NamedTuple):
    """A part of a surface: the image of a rectangle of angles, or of an angle and a height.

    A point of a cap is (a cos v cos u, b cos v sin u, z + c sin v), with c = 0 for a disc; one of a side is
    (a cos u, b sin u, z + c v) with v in [-1, 1].
    """

    radii: tuple[float, float, float]
    z: float
    v0: float
    v1: float
    is_side: bool = False


class RoundSurface(NamedTuple):
    """A curved surface in the frame of a body.

    Attributes:
        regions: Its regions.
        X: Its pose (4, 4).
        rounding: The error of its computed points [m].
        spine: The centre of a ball, or the ends of the axis of a capsule, (k, 3) in its own frame; else None.
    """

    regions: tuple[Region, ...]
    X: FloatArray
    rounding: float
    spine: FloatArray | None = None


class Triangulated(NamedTuple):
    """The triangles of a shape, a bound of the distance of its true surface from them [m], and that as patches.

    Without patches (None) the triangles stand for the surface, within the bound, however small cells become.
    """

    mesh: Mesh
    pad: float
    curved: RoundSurface | None = None


def round_surface(largest: float, *regions: Region, spine: FloatArray | None = None) -> RoundSurface:
    """Return a surface of regions in its own frame, whose largest coordinate is given [m]."""
    assert regions, "a surface without regions would count as covered by anything"
    return RoundSurface(regions, np.eye(4), ROUNDING * largest, spine)


def corners_around(radius: float, deviation: float) -> int:
    """Return how many corners a circle needs to be within a deviation; a multiple of 4."""
    step = math.sqrt(2.0 * deviation / radius) if deviation > 0.0 else 0.0
    n = MOST if step * MOST <= 2.0 * math.pi else max(FEWEST, math.ceil(2.0 * math.pi / step))
    return 4 * math.ceil(n / 4)


def half_circle(n: int) -> list[tuple[float, float]]:
    """Return (r, z) from the lower to the upper pole of the unit circle, in steps of one n-th of a turn."""
    angles = [-QUARTER + 2.0 * math.pi / n * k for k in range(1, n // 2)]
    return [(0.0, -1.0), *((math.cos(a), math.sin(a)) for a in angles), (0.0, 1.0)]


def patch_sag(radius: float, n: int) -> float:
    """Return how far a sphere, or the image of one, is from triangles in steps of one n-th of a turn [m].

    A patch f(u, v) of the surface over a triangle of parameters of the size du, dv differs from the linear form through
    its corners by at most 1/2 sum l_i |f''| (u_i - u)^2 with weights l_i; for a sphere of radius R, |f''| along (a, b)
    is at most R (|a| + |b|)^2 <= 2 R (a^2 + b^2), and the variance of values in a range du is at most du^2 / 4: so
    R (du^2 + dv^2) / 4. An ellipsoid is an image of the unit sphere, with its largest radius for R.
    """
    step = 2.0 * math.pi / n
    return radius * step * step / 2.0


def side_sag(radius: float, n: int) -> float:
    """Return how far a side with straight lines along the axis is from triangles [m]: R du^2 / 8, and its ends less."""
    step = 2.0 * math.pi / n
    return radius * step * step / 8.0


def triangulated(
    profile: Sequence[tuple[float, float]],
    n: int,
    radii: tuple[float, float],
    sag: float,
    curved: RoundSurface | None,
) -> Triangulated:
    """Return the polyhedron that a profile (r, z) sweeps around the z axis, r in parts of two radii.

    Args:
        profile: From the lower pole to the upper one, of points on the surface.
        n: Corners around.
        radii: Along x and y [m].
        sag: How far the surface is from the triangles, without rounding [m].
        curved: The surface itself, if it has patches.
    """
    vertices, triangles = revolved(list(profile), n)
    vertices[:, :2] *= radii
    largest = float(np.abs(vertices).max())
    return Triangulated(
        Mesh(vertices, triangles, solid=True), sag * (1.0 + 1e-9) + ROUNDING * largest, curved
    )
