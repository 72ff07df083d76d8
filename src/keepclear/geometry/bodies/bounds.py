"""How far bodies reach in their own frames: balls and boxes around them, never too small."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.body import shape_of as shape_of
from keepclear.geometry.shapes.extent import body_points, body_radius
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import ROUND_UP
from keepclear.geometry.shapes.row import Ball as Ball
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE


class BoundingVolumes(NamedTuple):
    """The bounding volumes of a body in its own frame: whether it is a mesh, its extent, and its ball.

    `ball_row` is its ball in the form of kernels, (5,). `around` is a ball around it (centre, radius), and the half
    sizes of a box around the same centre, (7,) [m].
    """

    is_mesh: bool
    extent: float
    ball: Ball
    ball_row: FloatArray
    around: FloatArray


def bounding_volumes_of(body: Geometry) -> BoundingVolumes:
    """Return the bounding volumes of a body; they are cached in its shape."""
    shape = shape_of(body)
    found: BoundingVolumes | None = shape._bounding_volumes
    if found is None:
        ball = SHAPE_TABLE[shape].ball(shape)
        found = shape._bounding_volumes = BoundingVolumes(
            isinstance(shape, Mesh), body_radius(shape), ball, np.array(ball), _make_around(shape)
        )
    return found


def corners_of(shape: Shape) -> FloatArray | None:
    """Return the points (n, 3) whose hull, or part of it, a shape is [m]; None for one with a curved surface."""
    return SHAPE_TABLE[shape].corners(shape)


def extent_of(body: Geometry) -> float:
    """Return a bound of the distance from the origin of a body's frame to any of its points [m]."""
    return bounding_volumes_of(body).extent


def ball_and_box(body: Geometry) -> FloatArray:
    """Return a ball around a body (centre, radius), and the half sizes of a box around the same centre, (7,) [m]."""
    return bounding_volumes_of(body).around


def _make_around(shape: Shape) -> FloatArray:
    lower, upper = shape.bounds
    center = 0.5 * (lower + upper)
    half = np.maximum(upper - center, center - lower) * ROUND_UP
    points, radius = body_points(shape)
    offsets = np.ascontiguousarray(points.T) - center[:, None]
    radius += float(np.sqrt((offsets * offsets).sum(axis=0).max()))
    return np.concatenate([center, [radius * ROUND_UP], half])
