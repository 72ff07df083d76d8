"""The surface of a shape for building sphere trees: triangles, or the exact form of a primitive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray, IndexArray
from keepclear.errors import ShapeError
from keepclear.kernels.spheres import cell_surface as forms
from keepclear.kinds import SHAPES, ByKind
from keepclear.shapes.convex import Convex
from keepclear.shapes.ellipsoid import Ellipsoid
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.packed_hull import farthest_left_out
from keepclear.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.shapes.shape import Shape

# Allowance for rounding in the test of triangles, as a part of the largest coordinate: 64 units of 2^-53.
ROUNDING = 2.0**-47
# A flat hull of more corners than this would need half a million triangles.
MOST_FLAT_CORNERS = 1000


class CellSurface(NamedTuple):
    """The data of the test whether a surface passes through a cell; see `kernels.spheres.cell_surface`.

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


def cell_surface_of(shape: Shape) -> CellSurface:
    """Return the surface of a shape for the division of cells; an unknown kind raises."""
    kind, reals, links, defect = _FORMS[shape](shape)
    lower, upper = shape.bounds
    pad = 0.0
    if kind == forms.TRIANGLES:
        pad = defect + ROUNDING * float(max(np.abs(lower).max(), np.abs(upper).max()))
    return CellSurface(kind, reals, links, pad, lower, upper)


_Form = tuple[int, FloatArray, IndexArray, float]
_NO_LINKS = np.empty(0, np.int32)


def _solid(kind: int, *lengths: float) -> _Form:
    return kind, np.array(lengths), _NO_LINKS, 0.0


def _mesh(mesh: Mesh) -> _Form:
    return forms.TRIANGLES, mesh._vertices.reshape(-1), mesh._triangles.reshape(-1), 0.0


def _hull(hull: Convex) -> _Form:
    """Return the triangles of a hull, and how far its true surface may be from them.

    A graph that is proved is the boundary of the hull K' of its vertices. All points are within d of K', so the hull K
    of all points is between K' and K' enlarged by d: a point of the boundary of K is not inside K', and its nearest
    point of K' is on the boundary, within d.

    A hull without an inside, up to rounding, is covered whole: each of its points is in a simplex of vertices of which
    one is the first (Caratheodory's theorem). With all vertices within t of a plane, the triangle of the first and two
    others below or above a point of that simplex is within 2 t.
    """
    graph = hull.graph
    if graph.dimension == 3 and len(graph.triangles) and not graph.proved:
        raise ShapeError(
            f"{hull!r}: its faces could not be proved convex, so no sphere tree can be proved to cover them; "
            "give its surface as a kc.Mesh(vertices, faces)."
        )
    vertices, triangles = graph.vertices, graph.triangles
    defect = farthest_left_out(hull.points, graph)
    if len(triangles) == 0:
        n = len(vertices)
        if n > MOST_FLAT_CORNERS:
            raise ShapeError(
                f"{hull!r}: a flat hull of {n} corners is too large; give it as a kc.Mesh of triangles."
            )
        i, j = np.triu_indices(max(n - 1, 1))
        triangles = np.stack([np.zeros_like(i), i + 1, j + 1], axis=1) if n > 1 else np.zeros((1, 3), int)
        defect += 2.0 * _thickness(vertices)
    return forms.TRIANGLES, vertices.reshape(-1).copy(), triangles.astype(np.int32).reshape(-1), defect


def _thickness(points: FloatArray) -> float:
    """Return a bound of how far points are from a plane [m]."""
    offsets = points - points.mean(axis=0)
    normal = np.linalg.svd(offsets, full_matrices=True)[2][2]
    rounding = 2.0**-47 * float(np.abs(points).max())
    return float(np.abs(offsets @ normal).max()) * (1.0 + 1e-9) + rounding


_FORMS: ByKind[Callable[[Any], _Form]] = SHAPES.by_kind(
    {
        Sphere: lambda shape: _solid(forms.BALL, shape.radius, shape.radius, shape.radius),
        Box: lambda shape: _solid(forms.BOX, *(0.5 * edge for edge in shape.size)),
        Capsule: lambda shape: _solid(forms.CAPSULE, shape.radius, shape.radius, 0.5 * shape.length),
        Cylinder: lambda shape: _solid(forms.CYLINDER, shape.radius, shape.radius, 0.5 * shape.length),
        Ellipsoid: lambda shape: _solid(forms.ELLIPSOID, *shape.radii),
        Convex: _hull,
        Mesh: _mesh,
    }
)
