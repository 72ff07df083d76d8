"""Curved surfaces: as triangles, as polyhedra around them, and as patches with a bound of their distance from both."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray, IntArray
from keepclear.geometry.shapes.hull import HullGraph
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import ROUND_UP, Surface

Profile = list[tuple[float, float]]

AROUND = 40
"""Corners of a circle: the chord is 0.3 % of the radius inside it."""


def revolved(
    profile: Sequence[tuple[float, float]], around: int, radii: tuple[float, float] = (1.0, 1.0)
) -> Surface:
    """Return the surface that a line (r, z) from the lower end of the z axis to its upper end sweeps around it.

    Args:
        profile: The line; r is in parts of the two radii.
        around: Corners of a circle.
        radii: Along x and y [m].
    """
    turn = 2.0 * math.pi * np.arange(around) / around
    points: list[FloatArray] = []
    rings: list[IntArray] = []
    count = 0
    for r, z in profile:
        n = around if r > 0.0 else 1
        points.append(np.stack([r * np.cos(turn[:n]), r * np.sin(turn[:n]), np.full(n, z)], axis=1))
        rings.append(np.resize(count + np.arange(n), around))
        count += n
    triangles: list[IntArray] = []
    for low, high in itertools.pairwise(rings):
        next_low, next_high = np.roll(low, -1), np.roll(high, -1)
        triangles.append(np.stack([low, next_low, high], axis=1))
        triangles.append(np.stack([next_low, next_high, high], axis=1))
    stacked = np.concatenate(triangles)
    flat = (stacked == np.roll(stacked, 1, axis=1)).any(axis=1)  # two corners of a triangle at a pole are one
    return np.concatenate(points) * [*radii, 1.0], stacked[~flat]


def hull_surface(graph: HullGraph) -> Surface:
    """Return the triangles of a hull; of a flat one those of one side."""
    if len(graph.triangles) > 0 or len(graph.vertices) < 3:
        corners = graph.triangles if len(graph.triangles) > 0 else np.array([[0, len(graph.vertices) - 1, 0]])
        return graph.vertices, corners
    middle = graph.vertices - graph.vertices.mean(axis=0)
    axes = np.linalg.svd(middle, full_matrices=False)[2]
    order = np.argsort(np.arctan2(middle @ axes[1], middle @ axes[0]))
    fan = [[0, i, i + 1] for i in range(1, len(order) - 1)]
    return graph.vertices[order], np.array(fan, dtype=np.int64)


# The corners of the polygon around a cylinder's rim: it is 1.0003 times as large.
RIM_CORNERS = 128
# How often the faces of an icosahedron are halved to enclose a ball: 642 corners, 1.005 times as far out as the ball.
BALL_HALVINGS = 3


def rim_corners(radius: float) -> FloatArray:
    """Return the corners (n, 3) of a polygon around a circle in the plane z = 0."""
    turn = np.arange(RIM_CORNERS) * (2.0 * math.pi / RIM_CORNERS)
    radius = radius / math.cos(math.pi / RIM_CORNERS) * ROUND_UP
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(RIM_CORNERS)], axis=1)


def box_corners(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the eight corners of a box, (8, 3)."""
    low = np.indices((2, 2, 2)).reshape(3, 8).T == 0
    return np.where(low, lower, upper)


@lru_cache(maxsize=1)
def ball_corners() -> FloatArray:
    """Return the corners (n, 3) of a polyhedron that contains the unit ball: an icosahedron, faces halved thrice."""
    g = 0.5 * (1.0 + math.sqrt(5.0))
    corners = [np.roll([0.0, a, b * g], k) for k in range(3) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
    points = np.array(corners) / math.sqrt(1.0 + g * g)
    near = np.linalg.norm(points[:, None] - points, axis=2) < 1.1
    faces = np.array(
        [
            (i, j, k)
            for i in range(12)
            for j in range(i)
            for k in range(j)
            if near[i, j] and near[j, k] and near[k, i]
        ]
    )
    triangles = points[faces]
    for _ in range(BALL_HALVINGS):
        middle = triangles + np.roll(triangles, -1, axis=1)
        middle /= np.linalg.norm(middle, axis=2, keepdims=True)
        a, b, c = np.moveaxis(triangles, 1, 0)
        ab, bc, ca = np.moveaxis(middle, 1, 0)
        quarters = [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = np.concatenate([np.stack(corner, axis=1) for corner in quarters])
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    inner = np.abs((normals * triangles[:, 0]).sum(axis=1)).min()
    unique = np.unique(triangles.reshape(-1, 3).round(12), axis=0)
    result: FloatArray = unique * ((1.0 + 1e-9) / inner)
    result.flags.writeable = False
    return result


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
    vertices, triangles = revolved(profile, n, radii)
    largest = float(np.abs(vertices).max())
    return Triangulated(
        Mesh(vertices, triangles, solid=True), sag * (1.0 + 1e-9) + ROUNDING * largest, curved
    )
