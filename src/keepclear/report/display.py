"""Shapes as triangles for display: every kind of shape tessellated, large meshes simplified."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.kinds import SHAPES
from keepclear.report.simplify import simplified
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import SHAPE_TABLE
from keepclear.shapes.tessellation import AROUND

__all__ = ["DisplayMesh", "build_display_mesh"]

MOST_TRIANGLES = 20_000
"""How many triangles of one shape a page shows; a phone draws a few hundred thousand in all."""

MOST_VISUAL_TRIANGLES = 6_000
"""The same of a visual shape, which comes in addition to those that were checked."""


class DisplayMesh(NamedTuple):
    """The surface of a shape for display.

    Attributes:
        positions: (n, 3) float32 in the frame of the shape [m].
        triangles: (m, 3) indices of positions, counter-clockwise from outside.
        n_triangles: How many the shape itself has; more than m if it is shown simplified.
    """

    positions: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.uint32]
    n_triangles: int

    @property
    def is_simplified(self) -> bool:
        """Whether this has fewer triangles than the shape itself."""
        return len(self.triangles) < self.n_triangles


def build_display_mesh(
    shape: Shape, most_triangles: int = MOST_TRIANGLES, around: int = AROUND
) -> DisplayMesh:
    """Return a shape's surface as triangles; for display only, a check never sees them.

    Args:
        shape: The shape.
        most_triangles: How many there may be.
        around: How many corners a circle has.
    """
    SHAPES.check(shape, "the shape")
    points, triangles = SHAPE_TABLE[shape].surface(shape, around)
    n_triangles = len(triangles)
    if n_triangles > most_triangles:
        points, triangles = simplified(points, triangles, most_triangles)
    used, corner = np.unique(triangles, return_inverse=True)
    positions = np.asarray(points[used], dtype=np.float32)
    return DisplayMesh(positions, corner.reshape(-1, 3).astype(np.uint32), n_triangles)
