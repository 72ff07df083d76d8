"""Whether bodies, at least one of them a mesh, overlap by more than rounding, although meshes have no depth."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.primitives import Sphere
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.trees.trees import BoxTree, OBBTree
from keepclear.query.instant.collide import collide
from keepclear.query.instant.distance import distance
from keepclear.query.moving.deformed import Placed
from keepclear.results import Distance, State
from keepclear.tolerances import SMALLEST_SIZE

MOST_FACES = 16  # faces of each body that are tried


def surely_meet(a: Placed, b: Placed, answer: Distance, rounding: float) -> bool:
    """Return whether bodies still intersect if every point is moved by some rounding; False if that is uncertain.

    Surfaces have no depth, but single faces do: the shift that separates them. If all faces that touch are coplanar,
    as those of two cubes in a row, the middle of one of them is inside the other solid.
    """
    if not answer._is_of_surfaces:
        return False
    if answer.state is State.CONTAINED:  # rounding moves only a smaller body outside
        return True
    if _faces_cross(a, int(answer.faces[0]), b, int(answer.faces[1]), rounding):
        return True
    if not isinstance(shape_of(a.body), Mesh) or not isinstance(shape_of(b.body), Mesh):
        return False
    two_kinds = {type(a.body), type(b.body)} == {OBBTree, BoxTree}
    bodies = (shape_of(a.body), shape_of(b.body)) if two_kinds else (a.body, b.body)
    pairs = collide(bodies[0], a.X_W, bodies[1], b.X_W, find="all").pairs
    some = pairs[:: max(1, len(pairs) // MOST_FACES)]
    return any(_faces_cross(a, i, b, j, rounding) for i, j in some.tolist()) or any(
        _has_middle_inside(own, np.unique(pairs[:, k])[:MOST_FACES], other, rounding)
        for k, own, other in ((0, a, b), (1, b, a))
    )


def _faces_cross(a: Placed, i: int, b: Placed, j: int, rounding: float) -> bool:
    """Return whether a face of A and a face of B, or a convex body, overlap by more than rounding."""
    return any(
        distance(_as_shape(part_a), a.X_W, _as_shape(part_b), b.X_W).upper + rounding <= 0.0
        for part_a in _parts(a, i)
        for part_b in _parts(b, j)
        if not _touch_a_plane(part_a, a.X_W, part_b, b.X_W, rounding)
    )


def _parts(placed: Placed, face: int) -> list[Shape] | FloatArray:
    """Return the triangles of a mesh's face, (n, 3, 3), or a convex body itself."""
    shape = shape_of(placed.body)
    return _triangles(shape, face) if isinstance(shape, Mesh) else [shape]


def _as_shape(part: Shape | FloatArray) -> Shape:
    return Convex(part) if isinstance(part, np.ndarray) else part


def _touch_a_plane(
    part_a: Shape | FloatArray,
    X_WA: FloatArray,
    part_b: Shape | FloatArray,
    X_WB: FloatArray,
    rounding: float,
) -> bool:
    """Return whether one of two triangles is beyond the plane of the other by less than rounding.

    Then so little separates them, and their depth, which takes a hundred times as long, need not be computed.
    """
    if not isinstance(part_a, np.ndarray) or not isinstance(part_b, np.ndarray):
        return False
    corners = [part @ X[:3, :3].T + X[:3, 3] for part, X in ((part_a, X_WA), (part_b, X_WB))]
    for one, other in (corners, corners[::-1]):
        normal = np.cross(one[1] - one[0], one[2] - one[0])
        sides = (other - one[0]) @ normal
        # harmless (0.5 * rounding): False only means uncertain
        if min(sides.max(), -sides.min()) <= 0.5 * rounding * np.linalg.norm(normal):
            return True
    return False


def _triangles(mesh: Mesh, face: int) -> FloatArray:
    return np.asarray(mesh._vertices[mesh._triangles[mesh._triangle_face == face]])


def _has_middle_inside(own: Placed, faces: npt.NDArray[np.int64], other: Placed, rounding: float) -> bool:
    """Return whether the middle of one of these faces is inside the other body, by more than rounding."""
    mesh = shape_of(own.body)
    assert isinstance(mesh, Mesh)
    ball, X_WP = Sphere(max(4.0 * rounding, SMALLEST_SIZE)), np.eye(4)
    for face in faces.tolist():
        for corners in _triangles(mesh, face):
            X_WP[:3, 3] = own.X_W[:3, :3] @ corners.mean(axis=0) + own.X_W[:3, 3]
            if distance(other.body, other.X_W, ball, X_WP).state is State.CONTAINED:
                return True
    return False
