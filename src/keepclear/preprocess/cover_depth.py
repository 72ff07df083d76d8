"""The depth of moving centres inside of a body; sides are determined again only where they may have changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.spheres.cover_moves import CENTER
from keepclear.kernels.trees import point_distance
from keepclear.kernels.triangles.winding import winding_numbers
from keepclear.preprocess.cover_body import CoverBody
from keepclear.preprocess.trees import tree_of


class Centers(NamedTuple):
    """Centres with their distances from a body, in the form of `kernels.spheres.cover_moves`.

    Attributes:
        table: (n, CENTER) x, y, z, an upper bound of the distance (negative inside) and its gradient.
        near: (parts, n) lower bounds of the distance from the surface of each part [m].
        inside: (parts, n) whether a centre is inside of each part.
    """

    table: FloatArray
    near: FloatArray
    inside: npt.NDArray[np.bool_]

    @property
    def points(self) -> FloatArray:
        """Their positions, (n, 3) [m]."""
        return np.ascontiguousarray(self.table[:, :3])

    def some(self, which: npt.NDArray[np.int64]) -> Centers:
        """Return some of them."""
        return Centers(self.table[which], self.near[:, which], self.inside[:, which])

    def joined(self, other: Centers) -> Centers:
        """Return these and others."""
        joined = [np.concatenate(pair, axis) for *pair, axis in zip(self, other, (0, 1, 1), strict=True)]
        return Centers(*joined)


def centers_at(body: CoverBody, points: FloatArray, before: Centers | None = None) -> Centers:
    """Return centres at points (n, 3); `before` has their earlier positions.

    A centre that moved by less than its distance from a surface is still on the same side of it.
    """
    n, n_parts = len(points), len(body.parts)
    table, near, inside = np.empty((n, CENTER)), np.zeros((n_parts, n)), np.zeros((n_parts, n), bool)
    table[:, :3], table[:, 3] = points, np.inf
    moved = np.full(n, np.inf)
    if before is not None:
        moved = np.sqrt(((points - before.table[:, :3]) ** 2).sum(axis=1)) * (1.0 + 1e-12)
    flat = np.ascontiguousarray(points).reshape(-1)
    for p, (mesh, pad, _) in enumerate(body.parts):
        arrays = tree_of(mesh, "obb_tree").arrays
        rows = np.empty((n, point_distance.ROW))
        point_distance.point_distances(*arrays, flat, rows.reshape(-1))
        near[p] = rows[:, point_distance.LOWER]
        if mesh.is_solid:
            unknown = np.ones(n, bool) if before is None else moved >= before.near[p]
            if before is not None:
                inside[p] = before.inside[p]
            which = np.flatnonzero(unknown)
            if len(which):
                numbers = np.empty(len(which), np.int64)
                winding_numbers(*arrays, np.ascontiguousarray(points[which]).reshape(-1), numbers)
                inside[p, which] = numbers != 0
            inside[p] &= near[p] > pad
        outside = np.where(inside[p], -(near[p] - pad), rows[:, point_distance.UPPER] + pad)
        better = outside < table[:, 3]
        away = points - rows[:, point_distance.NEAREST :]
        length = np.sqrt((away * away).sum(axis=1))
        sign = np.where(inside[p], -1.0, 1.0)
        gradient = away * (sign / np.where(length > 0.0, length, 1.0))[:, None]
        table[better, 3] = outside[better]
        table[better, 4:] = gradient[better]
    return Centers(table, near, inside)
