"""The points of a body that decide how far it gets: those whose hull holds it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from keepclear.errors import ArgumentError
from keepclear.kinds import SHAPES, ByKind
from keepclear.shapes.arguments import FloatArray, real_number, shown
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh, as_shape
from keepclear.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.shapes.shape import Shape
from keepclear.tolerances import LARGEST_SIZE

Points = tuple[FloatArray, float]

ROUND_UP = 1.0 + 2.0**-48
# The corners of the polygon around a cylinder's rim: it is 1.0003 times as large.
RIM_CORNERS = 128
# How often the faces of an icosahedron are halved to enclose a ball: 642 corners, 1.005 times as far out as the ball.
BALL_HALVINGS = 3


def body_points(body: object) -> Points:
    """Return points (n, 3) and a radius: the balls of that radius around the points have a hull that holds the body.

    Args:
        body: A shape, or a number: the radius [m] of a ball around the origin of the body's frame that holds it.
    """
    if isinstance(body, Shape):
        return _POINTS[as_shape(body)](body)
    if real_number(body) is None:
        try:
            return _mesh_points(as_shape(body))
        except ArgumentError:
            raise ArgumentError(
                "the body must be a shape, or the radius in metres of a ball around its origin, "
                f"but it is {shown(body)}."
            ) from None
    radius = real_number(body)
    assert radius is not None
    if not 0.0 <= radius <= LARGEST_SIZE:
        raise ArgumentError(
            f"the extent of a body must lie between 0 and {LARGEST_SIZE:g} m, but it is {shown(body)}."
        )
    return np.zeros((1, 3)), radius


def body_radius(body: object) -> float:
    """Return the radius of a ball around the body's origin that holds it, rounded up [m]."""
    points, radius = body_points(body)
    return (
        (float(np.sqrt((points * points).sum(axis=1).max())) + radius) * ROUND_UP if points.any() else radius
    )


def _capsule_points(shape: Capsule) -> Points:
    return np.array([[0.0, 0.0, -0.5 * shape.length], [0.0, 0.0, 0.5 * shape.length]]), shape.radius


def _cylinder_points(shape: Cylinder) -> Points:
    turn = np.arange(RIM_CORNERS) * (2.0 * math.pi / RIM_CORNERS)
    radius = shape.radius / math.cos(math.pi / RIM_CORNERS) * ROUND_UP
    rim = np.stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(RIM_CORNERS)], axis=1)
    top = np.array([0.0, 0.0, 0.5 * shape.length])
    return np.concatenate([rim - top, rim + top]), 0.0


def _mesh_points(shape: Any) -> Points:
    return np.asarray(shape.vertices), 0.0


_POINTS: ByKind[Callable[[Any], Points]] = SHAPES.by_kind(
    {
        Box: lambda shape: (box_corners(*shape.bounds), 0.0),
        Capsule: _capsule_points,
        Convex: lambda shape: (np.asarray(shape.points), 0.0),
        Cylinder: _cylinder_points,
        Mesh: _mesh_points,
        Sphere: lambda shape: (np.zeros((1, 3)), shape.radius),
    }
)


def box_corners(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the eight corners of a box, (8, 3)."""
    low = np.indices((2, 2, 2)).reshape(3, 8).T == 0
    return np.where(low, lower, upper)


@lru_cache(maxsize=1)
def ball_corners() -> FloatArray:
    """Return the corners (n, 3) of a polyhedron that holds the unit ball: an icosahedron, its faces halved thrice."""
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
