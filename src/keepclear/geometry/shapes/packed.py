"""Shapes as the flat arrays that the proximity kernels read, created once and kept with the shape."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.row import Packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE

IntArray = npt.NDArray[np.int32]


def packed(shape: Shape) -> Packed:
    """Return the arrays of a convex shape; they are cached in the shape."""
    found = shape._packed
    if type(found) is not Packed:
        pack = SHAPE_TABLE[shape].pack
        if pack is None:
            raise ArgumentError(
                f"{type(shape).__name__} is not a convex shape; its hull is kc.Convex(vertices)."
            )
        found = shape._packed = pack(shape)
    return found
