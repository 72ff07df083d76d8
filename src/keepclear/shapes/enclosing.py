"""Polyhedra that contain a box, a ball or the rim of a cylinder."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from keepclear.checks import FloatArray
from keepclear.shapes.row import ROUND_UP

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
