"""What the library has to know about a kind of shape: the columns of the table of kinds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.convex import support as core

ROUND_UP = 1.0 + 2.0**-48

Points = tuple[FloatArray, float]
Facets = tuple[FloatArray, Any]
Surface = tuple[FloatArray, npt.NDArray[np.int64]]


class Packed(NamedTuple):
    """One convex shape for the kernels: see `kernels.convex.support` for the layout."""

    reals: FloatArray
    links: npt.NDArray[np.int32]


class Ball(NamedTuple):
    """A ball around the core of a body in its own frame, and the radius of one inside it around its middle [m]."""

    x: float
    y: float
    z: float
    radius: float
    inner: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeRow:
    """One kind of shape.

    Attributes:
        pack: Returns a shape as the arrays that kernels read; its number of a kind chooses the support function there.
            None: a surface of triangles, which is searched by trees.
        points: Returns points (n, 3) and a radius: the balls of that radius around the points have a hull that holds
            the shape [m].
        ball: Returns a ball around the core, which is the shape less the radius that `pack` gives it, and one inside.
        corners: Returns the points (n, 3) whose hull, or part of it, a shape is; None for one with a curved surface.
        support: Returns the point that is farthest along a direction, (3,), where `corners` returns None.
        facets: Returns points and the faces between them, by which contacts are named; None without faces.
        triangles: Returns vertices and faces of a closed surface for exact contacts; None without faces.
        surface: Returns positions (n, 3) and triangles (m, 3), counter-clockwise viewed from outside, for display only;
            its second argument is how many corners a circle has.
    """

    pack: Callable[[Any], Packed] | None
    points: Callable[[Any], Points]
    ball: Callable[[Any], Ball]
    corners: Callable[[Any], FloatArray | None]
    support: Callable[[Any, FloatArray], FloatArray] | None
    facets: Callable[[Any], Facets | None]
    triangles: Callable[[Any], Facets | None]
    surface: Callable[[Any, int], Surface]


def nothing(_: object) -> None:
    """Return None: a shape without corners or faces."""


def pack_core(
    kind: int,
    sizes: tuple[float, float, float],
    *,
    radius: float = 0.0,
    extent: float | None = None,
    defect: float = 0.0,
) -> Packed:
    """Return a core that is given by three lengths.

    Args:
        kind: Which core; see `kernels.convex.support`.
        sizes: What its support function reads as SIZE_X, SIZE_Y and SIZE_Z [m].
        radius: The ball that is added to the core [m].
        extent: A bound of the distance from the origin to any point of the core [m]; None: the corner of the box.
        defect: How far points of the shape may be outside of the core and its ball [m].
    """
    reals = np.zeros(core.HEADER)
    reals[core.KIND], reals[core.RADIUS], reals[core.DEFECT] = kind, radius, defect
    reals[core.SIZE_X : core.SIZE_Z + 1] = sizes
    reals[core.EXTENT] = (math.hypot(*sizes) if extent is None else extent) * (1 + 2**-50)
    return Packed(reals, np.zeros(1, np.int32))
