"""The depth of moving centres inside of a body; sides are determined again only where they may have changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.spheres.cover_moves import CENTER
from keepclear.kernels.trees import nearest_triangle
from keepclear.preprocess.cover_body import CoverBody
from keepclear.preprocess.outer_solid import points_inside, surface_distances


class Centers(NamedTuple):
    """Centres with their distances from a body, in the form of `kernels.spheres.cover_moves`.

    Attributes:
        table: (n, CENTER) x, y, z, an upper bound of the distance (negative inside) and its gradient.
        near: (outlines, n) lower bounds of the distance from each outline [m].
        inside: (outlines, n) whether a centre is inside of each outline.
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
    outlines = body.outlines
    n = len(points)
    table, near, inside = (
        np.empty((n, CENTER)),
        np.zeros((len(outlines), n)),
        np.zeros((len(outlines), n), bool),
    )
    table[:, :3], table[:, 3] = points, np.inf
    moved = np.full(n, np.inf)
    if before is not None:
        moved = np.sqrt(((points - before.table[:, :3]) ** 2).sum(axis=1)) * (1.0 + 1e-12)
    for k, (mesh, shells, pad, _) in enumerate(outlines):
        rows = surface_distances(mesh, points)
        near[k] = rows[:, nearest_triangle.LOWER]
        if shells:
            unknown = np.ones(n, bool) if before is None else moved >= before.near[k]
            if before is not None:
                inside[k] = before.inside[k]
            which = np.flatnonzero(unknown)
            inside[k, which] = points_inside(shells, points[which])
            inside[k] &= near[k] > pad
        outside = np.where(inside[k], -(near[k] - pad), rows[:, nearest_triangle.UPPER] + pad)
        better = outside < table[:, 3]
        away = points - rows[:, nearest_triangle.NEAREST :]
        length = np.sqrt((away * away).sum(axis=1))
        sign = np.where(inside[k], -1.0, 1.0)
        gradient = away * (sign / np.where(length > 0.0, length, 1.0))[:, None]
        table[better, 3] = outside[better]
        table[better, 4:] = gradient[better]
    return Centers(table, near, inside)
