"""How far a shape reaches from the origin of its frame, never too small; a radius is a shape too."""

from __future__ import annotations

import numpy as np

from keepclear.checks import real_number, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.mesh import as_shape
from keepclear.geometry.shapes.row import ROUND_UP, Points
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.tolerances import LARGEST_SIZE


def body_points(body: object) -> Points:
    """Return points (n, 3) and a radius: the hull of the balls of that radius around the points contains the body.

    Args:
        body: A shape, or a number: the radius [m] of a ball around the origin of the body's frame that holds it.
    """
    if isinstance(body, Shape):
        return SHAPE_TABLE[as_shape(body)].points(body)
    if real_number(body) is None:
        try:
            mesh = as_shape(body)
        except ArgumentError:
            raise ArgumentError(
                "the body must be a shape, or the radius in metres of a ball around its origin, "
                f"but it is {shown(body)}."
            ) from None
        return SHAPE_TABLE[mesh].points(mesh)
    radius = real_number(body)
    assert radius is not None
    if not 0.0 <= radius <= LARGEST_SIZE:
        raise ArgumentError(
            f"the extent of a body must lie between 0 and {LARGEST_SIZE:g} m, but it is {shown(body)}."
        )
    return np.zeros((1, 3)), radius


def body_radius(body: object) -> float:
    """Return the radius of a ball around the body's origin that contains it, rounded up [m]."""
    points, radius = body_points(body)
    if not points.any():
        return radius
    columns = np.ascontiguousarray(points.T)
    return (float(np.sqrt((columns * columns).sum(axis=0).max())) + radius) * ROUND_UP
