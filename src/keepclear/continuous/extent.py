"""How far bodies reach in their own frames: balls and boxes around them, never too small."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.proximity.distance import Body
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Capsule, Cylinder, Sphere
from keepclear.shapes.shape import Shape

FloatArray = npt.NDArray[np.float64]

ROUND_UP = 1.0 + 2.0**-48


def shape_of(body: Body) -> Shape:
    """Return a shape as it is, and the mesh of a tree."""
    return body if isinstance(body, Shape) else body.mesh


def corners_of(shape: Shape) -> FloatArray | None:
    """Return the points (n, 3) whose hull, or part of it, a shape is [m]; None for one with a curved surface."""
    if isinstance(shape, Mesh):
        return shape._vertices
    if isinstance(shape, Convex):
        return shape._points
    if isinstance(shape, Sphere | Capsule | Cylinder):
        return None
    lower, upper = shape.bounds
    return np.array(
        [[x, y, z] for x in (lower[0], upper[0]) for y in (lower[1], upper[1]) for z in (lower[2], upper[2])]
    )


def extent_of(body: Body) -> float:
    """Return a bound of the distance from the origin of a body's frame to any of its points [m]."""
    shape = shape_of(body)
    return _farthest(shape, np.zeros(3))


def ball_and_box(body: Body) -> FloatArray:
    """Return a ball around a body (centre, radius), and the half sizes of a box around the same centre, (7,) [m]."""
    shape = shape_of(body)
    lower, upper = shape.bounds
    center = 0.5 * (lower + upper)
    half = np.maximum(upper - center, center - lower) * ROUND_UP
    return np.concatenate([center, [_farthest(shape, center)], half])


def _farthest(shape: Shape, center: FloatArray) -> float:
    """Return a bound of the distance from a centre to any point of a shape; curved shapes are centred on 0 [m]."""
    points = corners_of(shape)
    if points is not None:
        return float(np.sqrt(((points - center) ** 2).sum(axis=1).max(initial=0.0))) * ROUND_UP
    _, upper = shape.bounds
    if isinstance(shape, Cylinder):
        return float(np.hypot(upper[0], upper[2])) * ROUND_UP
    return float(upper.max()) * ROUND_UP
