"""Shapes as triangles for display: every kind of shape tessellated, large meshes simplified."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.curved import AROUND
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.kinds import SHAPES

MOST_TRIANGLES = 20_000
"""Greatest number of triangles that a page shows of one shape; a phone draws a few hundred thousand in total."""

MOST_VISUAL_TRIANGLES = 6_000
"""Greatest number of triangles of a visual shape, which is shown in addition to the checked shapes."""

IntArray = npt.NDArray[np.int64]


class DisplayMesh(NamedTuple):
    """The surface of a shape for display.

    Attributes:
        positions: (n, 3) float32 in the frame of the shape [m].
        triangles: (m, 3) indices of positions, counter-clockwise from outside.
        n_triangles: How many triangles the shape itself has; more than m if it is shown simplified.
    """

    positions: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.uint32]
    n_triangles: int


def build_display_mesh(
    shape: Shape, most_triangles: int = MOST_TRIANGLES, around: int = AROUND
) -> DisplayMesh:
    """Return a shape's surface as triangles, for display only; checks do not use them.

    Args:
        shape: The shape.
        most_triangles: The greatest number of triangles.
        around: The number of corners of a circle.
    """
    SHAPES.check(shape, "the shape")
    points, triangles = SHAPE_TABLE[shape].surface(shape, around)
    n_triangles = len(triangles)
    if n_triangles > most_triangles:
        points, triangles = simplified(points, triangles, most_triangles)
    used, corner = np.unique(triangles, return_inverse=True)
    positions = np.asarray(points[used], dtype=np.float32)
    return DisplayMesh(positions, corner.reshape(-1, 3).astype(np.uint32), n_triangles)


_ROUNDS = 8  # attempts to find the grid; three or four are typical
_FLAT = 0.02  # eigenvalues of a quadric, relative to the largest, below which a direction is not decided by planes


def simplified(points: FloatArray, triangles: IntArray, most_triangles: int) -> tuple[FloatArray, IntArray]:
    """Return an approximate surface with a limited number of triangles.

    All vertices in a cell of a grid become one (Rossignac and Borrel, 1993), at the position in the cell closest to
    the planes of their triangles (Lindstrom, 2000): flat regions stay flat, and edges and corners stay sharp.
    Triangles with two corners in one cell vanish. Nothing moves farther than the diagonal of a cell. The number of
    triangles grows with the square of the number of cells along a side, so a few attempts find a grid that leaves
    almost the allowed number.
    """
    lower, upper = points.min(axis=0), points.max(axis=0)
    size = max(float(np.max(upper - lower)), np.finfo(float).tiny)
    best, left = np.inf, np.empty((0, 3), dtype=np.int64)
    cells = max(np.sqrt(0.3 * most_triangles), 1.0)
    for _ in range(_ROUNDS):
        found = _joined(_cells_of(points, lower, size / cells)[0], triangles)
        n = len(found)
        if len(left) < n <= most_triangles:
            best, left = size / cells, found
        if 0.8 * most_triangles <= n <= most_triangles or (n <= most_triangles and cells <= 1.0):
            break
        cells = max(cells * np.sqrt(0.92 * most_triangles / max(n, 1)), 1.0)
    if len(left) == 0:
        return points[:1], left
    return _positions(points, triangles, lower, best), left


def _cells_of(points: FloatArray, origin: FloatArray, cell: float) -> tuple[IntArray, IntArray]:
    """Return for each point the number of its cell, and for each cell that is used its column, row and layer."""
    place = np.floor((points - origin) / cell).astype(np.int64)
    width = place.max(axis=0) + 1
    key = (place[:, 0] * width[1] + place[:, 1]) * width[2] + place[:, 2]
    _, first, cluster = np.unique(key, return_index=True, return_inverse=True)
    return cluster, place[first]


def _joined(cluster: IntArray, triangles: IntArray) -> IntArray:
    """Return the triangles between three cells, each once."""
    n = int(cluster.max()) + 1
    corners = cluster[triangles]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (c != a)]
    first = np.argmin(corners, axis=1)  # equal triangles begin with the same corner, and are kept once
    turned = np.take_along_axis(corners, (first[:, None] + np.arange(3)) % 3, axis=1)
    once = np.unique((turned[:, 0] * n + turned[:, 1]) * n + turned[:, 2], return_index=True)[1]
    return np.asarray(turned[once])


def _positions(points: FloatArray, triangles: IntArray, origin: FloatArray, cell: float) -> FloatArray:
    """Return for each cell the point that minimises the sum of squared distances to the planes of its triangles.

    With normals n (as long as twice the areas) and corners a, the sum is that of (n . (x - a))^2. Around the mean m of
    the vertices it is least at m + A^+ sum n n . (a - m), A the sum of n n^T. Directions in which the planes say little
    (small eigenvalues of A) stay at the mean.
    """
    cluster, place = _cells_of(points, origin, cell)
    n = len(place)
    count = np.bincount(cluster, minlength=n)[:, None]
    mean = np.stack([np.bincount(cluster, points[:, k], n) for k in range(3)], axis=1) / count
    corners = points[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / cell**2
    A, b = np.zeros((n, 3, 3)), np.zeros((n, 3))
    for corner in range(3):
        at = cluster[triangles[:, corner]]
        height = np.einsum("ij,ij->i", normal, corners[:, corner] - mean[at])
        for i in range(3):
            b[:, i] += np.bincount(at, normal[:, i] * height, n)
            for j in range(3):
                A[:, i, j] += np.bincount(at, normal[:, i] * normal[:, j], n)
    values, vectors = np.linalg.eigh(A)
    kept = values > _FLAT * values[:, 2:]
    along = np.einsum("nji,nj->ni", vectors, b) / np.where(kept, values, 1.0)
    moved = mean + np.einsum("nij,nj->ni", vectors, np.where(kept, along, 0.0))
    return np.asarray(np.clip(moved, origin + place * cell, origin + (place + 1) * cell))
