"""How far bodies reach in their own frames: balls and boxes around them, never too small."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from keepclear.kernels.convex import support as core
from keepclear.kinds import SHAPES
from keepclear.motions.extent import ROUND_UP, body_points, body_radius, box_corners
from keepclear.preprocess.box_tree import BoxTree
from keepclear.preprocess.obb_tree import OBBTree
from keepclear.proximity.distance import Body
from keepclear.proximity.packed import packed
from keepclear.shapes.arguments import FloatArray
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.shapes.shape import Shape


class Ball(NamedTuple):
    """A ball around the core of a body in its own frame, and the radius of one inside it around its middle [m]."""

    x: float
    y: float
    z: float
    radius: float
    inner: float


class Outline(NamedTuple):
    """What is known about where a body is in its own frame: whether it is a mesh, how far it reaches, and its ball.

    `ball_row` is its ball as kernels read it, (5,). `around` is a ball around it (centre, radius), and the half sizes
    of a box around the same centre, (7,) [m].
    """

    is_mesh: bool
    extent: float
    ball: Ball
    ball_row: FloatArray
    around: FloatArray


def outline_of(body: Body) -> Outline:
    """Return the outline of a body, from its shape's own slot when it is there."""
    shape = body.mesh if type(body) in (OBBTree, BoxTree) else body  # type: ignore[union-attr]
    found: Outline | None = shape._outline  # type: ignore[union-attr]
    if found is None:
        assert isinstance(shape, Shape)
        ball = _make_ball(shape)
        found = shape._outline = Outline(
            isinstance(shape, Mesh), body_radius(shape), ball, np.array(ball), _make_around(shape)
        )
    return found


def shape_of(body: Body) -> Shape:
    """Return a shape as it is, and the mesh of a tree."""
    return body if isinstance(body, Shape) else body.mesh


def corners_of(shape: Shape) -> FloatArray | None:
    """Return the points (n, 3) whose hull, or part of it, a shape is [m]; None for one with a curved surface."""
    if isinstance(shape, Mesh):
        return shape._vertices
    if isinstance(shape, Convex):
        return shape._points
    if isinstance(shape, Box):
        return box_corners(*shape.bounds)
    if isinstance(shape, Sphere | Capsule | Cylinder):
        return None
    raise SHAPES.error(shape, "the shape")


def extent_of(body: Body) -> float:
    """Return a bound of the distance from the origin of a body's frame to any of its points [m]."""
    return outline_of(body).extent


def ball_and_box(body: Body) -> FloatArray:
    """Return a ball around a body (centre, radius), and the half sizes of a box around the same centre, (7,) [m]."""
    return outline_of(body).around


def _make_around(shape: Shape) -> FloatArray:
    lower, upper = shape.bounds
    center = 0.5 * (lower + upper)
    half = np.maximum(upper - center, center - lower) * ROUND_UP
    points, radius = body_points(shape)
    radius += float(np.sqrt(((points - center) ** 2).sum(axis=1).max()))
    return np.concatenate([center, [radius * ROUND_UP], half])


def _make_ball(shape: Shape) -> Ball:
    match shape:
        case Mesh() | Convex():
            points = shape._vertices if isinstance(shape, Mesh) else shape._points
            center = 0.5 * (points.min(axis=0) + points.max(axis=0))
            radius = float(np.sqrt(((points - center) ** 2).sum(axis=1).max())) * ROUND_UP
            x, y, z = center.tolist()
            return Ball(x, y, z, radius, _inner_radius(shape) if isinstance(shape, Convex) else 0.0)
        case Box():
            size = np.asarray(shape.size)
            return Ball(0.0, 0.0, 0.0, math.hypot(*(size / 2)) * ROUND_UP, float(size.min()) / 2)
        case Cylinder():
            half = shape.length / 2
            return Ball(0.0, 0.0, 0.0, math.hypot(shape.radius, half) * ROUND_UP, min(shape.radius, half))
        case Capsule():
            return Ball(0.0, 0.0, 0.0, shape.length / 2 * ROUND_UP, 0.0)
        case Sphere():
            return Ball(0.0, 0.0, 0.0, 0.0, 0.0)  # its core is a point
    raise SHAPES.error(shape, "the shape")


def _inner_radius(shape: Convex) -> float:
    """Return the radius of a ball inside a hull around the mean of its vertices, with half to spare."""
    graph = shape.graph
    if graph.dimension < 3:
        return 0.0
    center = packed(shape).reals[core.CENTER : core.CENTER + 3]
    a, b, c = (graph.vertices[graph.triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.sqrt((normals * normals).sum(axis=1))
    good = lengths > 0.0
    heights = np.abs(((a - center) * normals).sum(axis=1)[good]) / lengths[good]
    return 0.5 * float(heights.min()) if good.any() else 0.0
