"""Meshes with fewer triangles, for display only: vertices in one cell of a grid become one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["simplified"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ROUNDS = 14  # of bisection: the grid is then known to a part in 16 000 of its range


def simplified(points: FloatArray, triangles: IntArray, most_triangles: int) -> tuple[FloatArray, IntArray]:
    """Return about the same surface with at most so many triangles (Rossignac and Borrel, 1993).

    The finest grid that is coarse enough is found by bisection. All vertices in a cell of it become the one nearest to
    their mean, and triangles with two corners in one cell vanish. Nothing moves farther than the diagonal of a cell.
    """
    lower, upper = points.min(axis=0), points.max(axis=0)
    size = float(np.max(upper - lower))
    coarse, fine = 1.0, 8.0 * np.sqrt(most_triangles)  # cells along the longest side
    best = _clustered(points, triangles, lower, size / coarse)
    for _ in range(_ROUNDS):
        cells = np.sqrt(coarse * fine)
        found = _clustered(points, triangles, lower, size / cells)
        if len(found[1]) <= most_triangles:
            coarse, best = cells, found
        else:
            fine = cells
    return best


def _clustered(
    points: FloatArray, triangles: IntArray, origin: FloatArray, cell: float
) -> tuple[FloatArray, IntArray]:
    place = np.floor((points - origin) / cell).astype(np.int64)
    width = place.max(axis=0) + 1
    key = (place[:, 0] * width[1] + place[:, 1]) * width[2] + place[:, 2]
    cluster, n = np.unique(key, return_inverse=True)[1].ravel(), 0
    n = int(cluster.max()) + 1
    count = np.bincount(cluster, minlength=n)[:, None]
    mean = np.stack([np.bincount(cluster, points[:, k], n) for k in range(3)], axis=1) / count
    off = ((points - mean[cluster]) ** 2).sum(axis=1)
    order = np.lexsort((off, cluster))
    representative = order[np.searchsorted(cluster[order], np.arange(n))]
    corners = cluster[triangles]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (c != a)]
    first = np.argmin(corners, axis=1)
    turned = np.take_along_axis(corners, (first[:, None] + np.arange(3)) % 3, axis=1)
    return points[representative], np.unique(turned, axis=0).reshape(-1, 3)
