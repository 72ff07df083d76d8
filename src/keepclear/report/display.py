"""Shapes as triangles to look at: every kind of shape tessellated, large meshes simplified."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.kinds import SHAPES
from keepclear.report.simplify import simplified
from keepclear.shapes.arguments import FloatArray
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.shapes.shape import Shape

__all__ = ["DisplayMesh", "build_display_mesh"]

IntArray = npt.NDArray[np.int64]
Surface = tuple[FloatArray, IntArray]

MOST_TRIANGLES = 20_000
"""How many triangles of one shape a page shows; a phone draws a few hundred thousand in all."""

_AROUND = 40  # corners of a circle: the chord is 0.3 % of the radius inside it


class DisplayMesh(NamedTuple):
    """The surface of a shape for display.

    Attributes:
        positions: (n, 3) float32 in the frame of the shape [m].
        triangles: (m, 3) indices of positions, counter-clockwise seen from outside.
        n_triangles: How many the shape itself has; more than m if it is shown simplified.
    """

    positions: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.uint32]
    n_triangles: int

    @property
    def is_simplified(self) -> bool:
        """Whether this has fewer triangles than the shape itself."""
        return len(self.triangles) < self.n_triangles


def build_display_mesh(shape: Shape, most_triangles: int = MOST_TRIANGLES) -> DisplayMesh:
    """Return a shape's surface as triangles; for display only, a check never sees them."""
    SHAPES.check(shape, "the shape")
    points, triangles = _surface(shape)
    n_triangles = len(triangles)
    if n_triangles > most_triangles:
        points, triangles = simplified(points, triangles, most_triangles)
    used, corner = np.unique(triangles, return_inverse=True)
    positions = np.asarray(points[used], dtype=np.float32)
    return DisplayMesh(positions, corner.reshape(-1, 3).astype(np.uint32), n_triangles)


def _surface(shape: Shape) -> Surface:
    if isinstance(shape, Box):
        return _box(shape)
    if isinstance(shape, Sphere):
        return _revolved(_arc(shape.radius, -0.5, 0.5, 0.0))
    if isinstance(shape, Cylinder):
        r, z = shape.radius, 0.5 * shape.length
        return _revolved([(0.0, -z), (r, -z), (r, z), (0.0, z)])
    if isinstance(shape, Capsule):
        r, z = shape.radius, 0.5 * shape.length
        return _revolved([*_arc(r, -0.5, 0.0, -z), *_arc(r, 0.0, 0.5, z)])
    if isinstance(shape, Mesh):
        return np.asarray(shape.vertices), shape.triangles.astype(np.int64)
    if isinstance(shape, Convex):
        return _hull(shape)
    raise SHAPES.error(shape, "the shape")


def _box(box: Box) -> Surface:
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    triangles = [[q[0], q[i], q[i + 1]] for q in quads for i in (1, 2)]
    return 0.5 * signs * np.array(box.size), np.array(triangles)


def _arc(radius: float, start: float, end: float, z: float) -> list[tuple[float, float]]:
    """Return (r, z) along a circle around (0, z), from angle start to end in units of pi."""
    n = round(_AROUND / 2 * (end - start))
    angles = [math.pi * (start + (end - start) * i / n) for i in range(n + 1)]
    return [(0.0 if abs(a) > 1.57 else radius * math.cos(a), z + radius * math.sin(a)) for a in angles]


def _revolved(profile: list[tuple[float, float]]) -> Surface:
    """Return the surface that a line (r, z) from the lower end of the z axis to its upper end sweeps around it."""
    turn = 2.0 * math.pi * np.arange(_AROUND) / _AROUND
    points: list[FloatArray] = []
    rings: list[IntArray] = []
    count = 0
    for r, z in profile:
        n = _AROUND if r > 0.0 else 1
        points.append(np.stack([r * np.cos(turn[:n]), r * np.sin(turn[:n]), np.full(n, z)], axis=1))
        rings.append(np.resize(count + np.arange(n), _AROUND))
        count += n
    triangles: list[IntArray] = []
    for low, high in itertools.pairwise(rings):
        next_low, next_high = np.roll(low, -1), np.roll(high, -1)
        triangles.append(np.stack([low, next_low, high], axis=1))
        triangles.append(np.stack([next_low, next_high, high], axis=1))
    stacked = np.concatenate(triangles)
    flat = (stacked == np.roll(stacked, 1, axis=1)).any(axis=1)  # two corners of a triangle at a pole are one
    return np.concatenate(points), stacked[~flat]


def _hull(hull: Convex) -> Surface:
    graph = hull.graph
    if len(graph.triangles) > 0 or len(graph.vertices) < 3:
        corners = graph.triangles if len(graph.triangles) > 0 else np.array([[0, len(graph.vertices) - 1, 0]])
        return graph.vertices, corners
    middle = graph.vertices - graph.vertices.mean(axis=0)
    axes = np.linalg.svd(middle, full_matrices=False)[2]
    order = np.argsort(np.arctan2(middle @ axes[1], middle @ axes[0]))
    fan = [[0, i, i + 1] for i in range(1, len(order) - 1)]
    return graph.vertices[order], np.array(fan, dtype=np.int64)
