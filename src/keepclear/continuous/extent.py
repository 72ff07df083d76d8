"""How far bodies reach in their own frames: balls and boxes around them, never too small."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from keepclear.motions.extent import ROUND_UP, body_points, body_radius, box_corners
from keepclear.proximity.distance import Body
from keepclear.shapes.arguments import FloatArray
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Box
from keepclear.shapes.shape import Shape

_extents: WeakKeyDictionary[Shape, float] = WeakKeyDictionary()


def shape_of(body: Body) -> Shape:
    """Return a shape as it is, and the mesh of a tree."""
    return body if isinstance(body, Shape) else body.mesh


def corners_of(shape: Shape) -> FloatArray | None:
    """Return the points (n, 3) whose hull, or part of it, a shape is [m]; None for one with a curved surface."""
    if isinstance(shape, Mesh):
        return shape._vertices
    if isinstance(shape, Convex):
        return shape._points
    return box_corners(*shape.bounds) if isinstance(shape, Box) else None


def extent_of(body: Body) -> float:
    """Return a bound of the distance from the origin of a body's frame to any of its points [m], kept beside it."""
    shape = shape_of(body)
    extent = _extents.get(shape)
    if extent is None:
        extent = _extents[shape] = body_radius(shape)
    return extent


def ball_and_box(body: Body) -> FloatArray:
    """Return a ball around a body (centre, radius), and the half sizes of a box around the same centre, (7,) [m]."""
    lower, upper = shape_of(body).bounds
    center = 0.5 * (lower + upper)
    half = np.maximum(upper - center, center - lower) * ROUND_UP
    points, radius = body_points(shape_of(body))
    radius += float(np.sqrt(((points - center) ** 2).sum(axis=1).max()))
    return np.concatenate([center, [radius * ROUND_UP], half])
