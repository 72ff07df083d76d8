"""Shapes as triangles for display: every kind of shape tessellated, large meshes simplified."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.kinds import SHAPES
from keepclear.report.simplify import simplified
from keepclear.shapes.curved import AROUND
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import SHAPE_TABLE

__all__ = ["DisplayMesh", "build_display_mesh"]

MOST_TRIANGLES = 20_000
"""Greatest number of triangles that a page shows of one shape; a phone draws a few hundred thousand in total."""

MOST_VISUAL_TRIANGLES = 6_000
"""Greatest number of triangles of a visual shape, which is shown in addition to the checked shapes."""


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

    @property
    def is_simplified(self) -> bool:
        """Whether this has fewer triangles than the shape itself."""
        return len(self.triangles) < self.n_triangles


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
