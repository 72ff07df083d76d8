"""Meshes with fewer triangles, for display only: vertices in one cell of a grid become one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["simplified"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ROUNDS = 8  # attempts to find the grid; three or four are typical


def simplified(points: FloatArray, triangles: IntArray, most_triangles: int) -> tuple[FloatArray, IntArray]:
    """Return an approximate surface with a limited number of triangles (Rossignac and Borrel, 1993).

    All vertices in a cell of a grid become the one nearest to their mean, and triangles with two corners in one cell
    vanish. Nothing moves farther than the diagonal of a cell. The number of triangles grows with the square of the
    number of cells along a side, so a few attempts find a grid that leaves almost the allowed number.
    """
    lower, upper = points.min(axis=0), points.max(axis=0)
    size = max(float(np.max(upper - lower)), np.finfo(float).tiny)
    best = points[:1], np.empty((0, 3), dtype=np.int64)
    cells = max(np.sqrt(0.3 * most_triangles), 1.0)
    for _ in range(_ROUNDS):
        found = _clustered(points, triangles, lower, size / cells)
        n = len(found[1])
        if len(best[1]) < n <= most_triangles:
            best = found
        if 0.8 * most_triangles <= n <= most_triangles or (n <= most_triangles and cells <= 1.0):
            break
        cells = max(cells * np.sqrt(0.92 * most_triangles / max(n, 1)), 1.0)
    return best


def _clustered(
    points: FloatArray, triangles: IntArray, origin: FloatArray, cell: float
) -> tuple[FloatArray, IntArray]:
    place = np.floor((points - origin) / cell).astype(np.int64)
    width = place.max(axis=0) + 1
    key = (place[:, 0] * width[1] + place[:, 1]) * width[2] + place[:, 2]
    used, cluster = np.unique(key, return_inverse=True)
    n = len(used)
    count = np.bincount(cluster, minlength=n)[:, None]
    mean = np.stack([np.bincount(cluster, points[:, k], n) for k in range(3)], axis=1) / count
    off = ((points - mean[cluster]) ** 2).sum(axis=1)
    order = np.lexsort((off, cluster))
    representative = order[np.searchsorted(cluster[order], np.arange(n))]
    corners = cluster[triangles]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (c != a)]
    first = np.argmin(corners, axis=1)  # equal triangles begin with the same corner, and are kept once
    turned = np.take_along_axis(corners, (first[:, None] + np.arange(3)) % 3, axis=1)
    once = np.unique((turned[:, 0] * n + turned[:, 1]) * n + turned[:, 2], return_index=True)[1]
    return points[representative], turned[once]
