"""The table of kinds of shapes: one row for each, which everything that treats kinds differently asks.

A kind that is not in the table raises. CONTRIBUTING.md has the recipe for another row.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.convex import support as core
from keepclear.kinds import SHAPES, ByKind
from keepclear.shapes.convex import Convex
from keepclear.shapes.ellipsoid import ELLIPSOID, Ellipsoid
from keepclear.shapes.enclosing import box_corners, rim_corners
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.packed_hull import pack_hull
from keepclear.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.shapes.row import ROUND_UP, Ball, Facets, Points, ShapeRow, Surface, nothing, pack_core
from keepclear.shapes.tessellation import arc, hull_surface, revolved

# Corners of a box in binary order, and its faces: those across x first, the lower one of each two first.
BOX_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_BOX_TRIANGLES = np.array([[quad[0], quad[i], quad[i + 1]] for quad in BOX_FACES for i in (1, 2)])


def _box_facets(shape: Box) -> Facets:
    return BOX_CORNERS * np.asarray(shape.size), BOX_FACES


def _segment_support(shape: Capsule, direction: FloatArray) -> FloatArray:
    point = shape.radius * direction / np.linalg.norm(direction)
    point[2] += np.copysign(0.5 * shape.length, direction[2])
    return np.asarray(point)


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


def _cylinder_surface(shape: Cylinder, around: int) -> Surface:
    r, z = shape.radius, 0.5 * shape.length
    return revolved([(0.0, -z), (r, -z), (r, z), (0.0, z)], around)


def _capsule_surface(shape: Capsule, around: int) -> Surface:
    r, z = shape.radius, 0.5 * shape.length
    return revolved([*arc(r, -0.5, 0.0, -z, around), *arc(r, 0.0, 0.5, z, around)], around)


def _ball_around(points: FloatArray, inner: float) -> Ball:
    columns = np.ascontiguousarray(points.T)  # ten times faster than along the columns of points
    center = 0.5 * (columns.min(axis=1) + columns.max(axis=1))
    radius = float(np.sqrt(((columns - center[:, None]) ** 2).sum(axis=0).max())) * ROUND_UP
    x, y, z = center.tolist()
    return Ball(x, y, z, radius, inner)


def _hull_inner_radius(shape: Convex) -> float:
    """Return the radius of a ball inside a hull around the mean of its vertices, with half to spare."""
    graph = shape.graph
    if graph.dimension < 3:
        return 0.0
    center = pack_hull(shape).reals[core.CENTER : core.CENTER + 3]
    a, b, c = (graph.vertices[graph.triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.sqrt((normals * normals).sum(axis=1))
    good = lengths > 0.0
    heights = np.abs(((a - center) * normals).sum(axis=1)[good]) / lengths[good]
    return 0.5 * float(heights.min()) if good.any() else 0.0


def _hull_triangles(shape: Convex) -> Facets | None:
    return (shape.graph.vertices, shape.graph.triangles) if shape.is_solid else None


SHAPE_TABLE: ByKind[ShapeRow] = SHAPES.by_kind(
    {
        Sphere: ShapeRow(
            pack=lambda shape: pack_core(core.POINT, (0.0, 0.0, 0.0), radius=shape.radius),
            points=lambda shape: (np.zeros((1, 3)), shape.radius),
            ball=lambda _: Ball(0.0, 0.0, 0.0, 0.0, 0.0),  # its core is a point
            corners=nothing,
            support=lambda shape, direction: shape.radius * direction / np.linalg.norm(direction),
            facets=nothing,
            triangles=nothing,
            surface=lambda shape, around: revolved(arc(shape.radius, -0.5, 0.5, 0.0, around), around),
        ),
        Capsule: ShapeRow(
            pack=lambda shape: pack_core(core.SEGMENT, (0.0, 0.0, shape.length / 2), radius=shape.radius),
            points=lambda shape: (np.array([[0, 0, -0.5], [0, 0, 0.5]]) * shape.length, shape.radius),
            ball=lambda shape: Ball(0.0, 0.0, 0.0, shape.length / 2 * ROUND_UP, 0.0),
            corners=nothing,
            support=_segment_support,
            facets=nothing,
            triangles=nothing,
            surface=_capsule_surface,
        ),
        Box: ShapeRow(
            pack=lambda shape: pack_core(core.BOX, tuple(np.asarray(shape.size) / 2)),
            points=lambda shape: (box_corners(*shape.bounds), 0.0),
            ball=lambda shape: Ball(
                0.0, 0.0, 0.0, math.hypot(*(np.asarray(shape.size) / 2)) * ROUND_UP, min(shape.size) / 2
            ),
            corners=lambda shape: box_corners(*shape.bounds),
            support=None,
            facets=_box_facets,
            triangles=_box_facets,
            surface=lambda shape, _: (BOX_CORNERS * np.asarray(shape.size), _BOX_TRIANGLES),
        ),
        Cylinder: ShapeRow(
            pack=lambda shape: pack_core(core.CYLINDER, (shape.radius, 0.0, shape.length / 2)),
            points=_cylinder_points,
            ball=_cylinder_ball,
            corners=nothing,
            support=_cylinder_support,
            facets=nothing,
            triangles=nothing,
            surface=_cylinder_surface,
        ),
        Ellipsoid: ELLIPSOID,
        Convex: ShapeRow(
            pack=pack_hull,
            points=lambda shape: (np.asarray(shape.points), 0.0),
            ball=lambda shape: _ball_around(shape._points, _hull_inner_radius(shape)),
            corners=lambda shape: shape._points,
            support=None,
            facets=lambda shape: (shape.points, shape.faces),
            triangles=_hull_triangles,
            surface=lambda shape, _: hull_surface(shape.graph),
        ),
        Mesh: ShapeRow(
            pack=None,
            points=lambda shape: (np.asarray(shape.vertices), 0.0),
            ball=lambda shape: _ball_around(shape._vertices, 0.0),
            corners=lambda shape: shape._vertices,
            support=None,
            facets=nothing,  # the search says which face touches
            triangles=nothing,  # it is searched as it is
            surface=lambda shape, _: (np.asarray(shape.vertices), shape.triangles.astype(np.int64)),
        ),
    }
)
