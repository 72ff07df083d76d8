"""What the library has to know about a kind of shape: the columns of the table of kinds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.convex import support as core
from keepclear.kinds import SHAPES, Table

if TYPE_CHECKING:
    from keepclear.geometry.shapes.curved import Triangulated

ROUND_UP = 1.0 + 2.0**-48

Points = tuple[FloatArray, float]
Facets = tuple[FloatArray, Any]
Surface = tuple[FloatArray, npt.NDArray[np.int64]]
Arrays = Mapping[str, npt.NDArray[Any]]


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


class CellSurface(NamedTuple):
    """The data of the test whether a surface passes through a cell; see `kernels.spheres.division`.

    Attributes:
        kind: TRIANGLES, or the number of a solid.
        reals: The concatenated vertices, or the three lengths of the solid [m].
        links: Corners of the triangles.
        pad: By how much cells are enlarged for the test, so that none is missed [m].
        lower, upper: The box around the surface, (3,) each [m].
    """

    kind: int
    reals: FloatArray
    links: IndexArray
    pad: float
    lower: FloatArray
    upper: FloatArray


class Size(NamedTuple):
    """An argument of a class whose shapes are given by lengths: how many there are, and what they are."""

    n: int
    about: str


class Stored(NamedTuple):
    """How shapes of one kind are written and read: values of a header and arrays, and back, with all checks."""

    write: Callable[[Any], tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]]
    read: Callable[[Mapping[str, Any], Arrays], Shape]


class CellKey(NamedTuple):
    """How a cell file gives a shape: the key, its description, and an example of its value."""

    key: str
    about: str
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeRow:
    """One kind of shape. No column has a default: a kind that does not say something raises where it is defined.

    Attributes:
        pack: Returns a shape as the arrays that kernels read; its number of a core chooses the support function there.
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
        cells: Returns the surface for the division of cells into those of a sphere tree.
        triangulate: Returns triangles within a deviation [m] of the surface where that is possible, and how far they
            are from it, for covers by spheres.
        sizes: The arguments of the class in their order, where these are lengths; None for points and triangles.
        stored: How prepared models and digests have its content; None: by `sizes`.
        urdf: The element of robot files whose attributes are `sizes`; None if there is none.
        cell: The key of cell files whose value is `sizes`, or the file of a mesh; None if there is none.
        padding: How far a point moves if all lengths grow by the same one, half lengths by half, in parts of that [1].
    """

    pack: Callable[[Any], Packed] | None
    points: Callable[[Any], Points]
    ball: Callable[[Any], Ball]
    corners: Callable[[Any], FloatArray | None]
    support: Callable[[Any, FloatArray], FloatArray] | None
    facets: Callable[[Any], Facets | None]
    triangles: Callable[[Any], Facets | None]
    surface: Callable[[Any, int], Surface]
    cells: Callable[[Any], CellSurface]
    triangulate: Callable[[Any, float], Triangulated]
    sizes: Mapping[str, Size] | None
    stored: Stored | None
    urdf: str | None
    cell: CellKey | None
    padding: float


SHAPE_TABLE: Table[ShapeRow] = Table(SHAPES)
"""The rows of all kinds; `keepclear.geometry.shapes.table` imports the modules that add them."""


def nothing(_: object) -> None:
    """Return None: a shape without corners or faces."""


def pack_core(
    kind: int,
    sizes: tuple[float, float, float],
    *,
    curved: bool,
    radius: float = 0.0,
    extent: float | None = None,
    defect: float = 0.0,
) -> Packed:
    """Return a core that is given by three lengths.

    Args:
        kind: Which core; see `kernels.convex.support`.
        sizes: What its support function reads as SIZE_X, SIZE_Y and SIZE_Z [m].
        curved: Whether the surface of the core is curved, so that searches converge without end.
        radius: The ball that is added to the core [m].
        extent: A bound of the distance from the origin to any point of the core [m]; None: the corner of the box.
        defect: How far points of the shape may be outside of the core and its ball [m].
    """
    reals = np.zeros(core.HEADER)
    reals[core.KIND], reals[core.RADIUS], reals[core.DEFECT] = kind, radius, defect
    reals[core.SIZE_X : core.SIZE_Z + 1], reals[core.CURVED] = sizes, curved
    reals[core.EXTENT] = (math.hypot(*sizes) if extent is None else extent) * (1 + 2**-50)
    return Packed(reals, np.zeros(1, np.int32))


def solid_cells(shape: Shape, kind: int, *lengths: float) -> CellSurface:
    """Return the surface of a solid of `kernels.spheres.division` that is given by three lengths [m]."""
    return CellSurface(kind, np.array(lengths), np.empty(0, np.int32), 0.0, *shape.bounds)


def shape_of_sizes(cls: type[Shape], sizes: Mapping[str, Size], numbers: Iterable[float]) -> Shape:
    """Return the shape of a class whose lengths are given one after the other."""
    left = iter(numbers)
    return cls(*(next(left) if n == 1 else [next(left) for _ in range(n)] for n, _ in sizes.values()))
