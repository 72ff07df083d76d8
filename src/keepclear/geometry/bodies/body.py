"""Bodies as tuples of parts: a shape, or the tree of a mesh, is a body of one part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.geometry.pose import checked_pose
from keepclear.geometry.shapes.mesh import Mesh, as_shape
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.trees.trees import BoxTree, MeshTree, OBBTree
from keepclear.kinds import SHAPES, SPHERE_TREES, TREES

Geometry = Shape | OBBTree | BoxTree
"""What one part is: a shape, or the tree of a mesh."""

HERE = np.eye(4)
_TREES = frozenset((OBBTree, BoxTree))  # compared by exact class, as in `kinds`
WITH_TRIANGLES = frozenset((Mesh, *_TREES))


class Ball(NamedTuple):
    """A ball around a part in its own frame [m], and the size of the terms of products of poses with that of the part.

    `shift` is 0 for a part at the origin of its body, which needs no product.
    """

    center: FloatArray
    radius: float
    shift: float


@dataclass(slots=True, eq=False)
class Part:
    """One shape of a body, an object or a link, and its pose in the frame of the whole."""

    body: Geometry
    X_OP: FloatArray
    _ball: Ball | None = None

    @property
    def ball(self) -> Ball:
        """A ball around it; made on first use."""
        if self._ball is None:
            lower, upper = shape_of(self.body).bounds
            center = 0.5 * (lower + upper)
            # harmless (maximum): they differ by rounding of the centre, for which `_apart` has 32 units
            # harmless (2.0**-48): `_apart` subtracts 32 units of radii, and its own sums need 10
            radius = float(np.linalg.norm(np.maximum(upper - center, center - lower))) * (1.0 + 2.0**-48)
            shift = 0.0
            if not np.array_equal(self.X_OP, HERE):
                shift = float(np.linalg.norm(self.X_OP[:3, 3])) + float(np.linalg.norm(center)) + radius
            self._ball = Ball(center, radius, shift)
        return self._ball

    @property
    def error(self) -> float:
        """How far the true surface may be from the shape [m]: that of a mesh made from curved surfaces."""
        mesh = mesh_of(self.body)
        return 0.0 if mesh is None else mesh.tessellation_error


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Body:
    """Parts that move together; `numbered` tells whether they were given as a list, so that answers name them."""

    parts: tuple[Part, ...]
    numbered: bool

    @property
    def is_solid(self) -> bool:
        """Whether all parts are solids."""
        return all(shape_of(part.body).is_solid for part in self.parts)

    def __repr__(self) -> str:
        return f"[{', '.join(f'({part.body!r}, X)' for part in self.parts)}]"


_LISTS = (list, tuple, Body)
Parts = Body | Sequence[tuple[Geometry, npt.ArrayLike]]
"""A body of several parts; users give it as `[(shape, X), ...]`."""


def has_parts(value: object, other: object = None) -> bool:
    """Return whether one of two values is meant as a body of several parts: a list or a tuple is."""
    return isinstance(value, _LISTS) or isinstance(other, _LISTS)


def lists_shapes(value: object) -> bool:
    """Return whether a value is a list of shapes with poses, and not vertices with faces."""
    return has_parts(value) and all(_is_pair(entry) and not _is_array(entry[0]) for entry in cast(Any, value))


def as_body(value: object, *, bare: bool = False) -> Body:
    """Return a list of (shape, pose) as a body, and a shape or a tree as a body of one part.

    Args:
        value: What was given.
        bare: Whether entries of a list may be shapes without poses.

    Raises:
        ArgumentError: The list is empty, an entry is not a pair of a shape and a pose, or is a list itself.
        PoseError: A pose is not rigid.
    """
    if isinstance(value, Body):
        return value
    if not has_parts(value):
        return Body((Part(as_geometry(value), HERE),), numbered=False)
    entries = cast(Sequence[Any], value)
    if len(entries) == 0:
        raise ArgumentError("a compound needs at least one part (shape, X), but the list is empty.")
    return Body(tuple(_part(k, entry, bare) for k, entry in enumerate(entries)), numbered=True)


def given_body(value: object) -> Body | Geometry:
    """Return a list of (shape, pose) as a body, and a shape or a tree unchanged."""
    return as_body(value) if has_parts(value) else as_geometry(value)


def _part(k: int, entry: Any, bare: bool) -> Part:
    if bare and not has_parts(entry):
        entry = entry, HERE
    if not _is_pair(entry):
        raise ArgumentError(
            f"part {k} of a compound must be (shape, X) with its pose X (4, 4), but it is {shown(entry)}; a mesh from "
            "arrays is kc.Mesh(vertices, faces)."
        )
    shape, X = entry
    if has_parts(shape):
        raise ArgumentError(
            f"part {k} of a compound is a list itself; give all parts in one list, with their poses multiplied."
        )
    try:
        X_OP = checked_pose(X, f"the pose of part {k}", scaled=False)
        return Part(as_geometry(shape), X_OP)
    except KeepclearError as error:
        raise type(error)(f"compound: part {k}: {error}") from None


def _is_pair(entry: Any) -> bool:
    return has_parts(entry) and not isinstance(entry, Body) and len(entry) == 2


def _is_array(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray)


def as_geometry(value: object) -> Geometry:
    """Return a shape or a tree unchanged, and a `trimesh.Trimesh` as a mesh."""
    if value in SHAPES or value in TREES:
        return cast(Geometry, value)
    if isinstance(value, MeshTree):
        raise TREES.error(value, "the tree")
    if value in SPHERE_TREES:
        raise ArgumentError(
            "a sphere tree covers a shape and cannot stand for it here; give its `shape`, or call kc.collide "
            "or kc.distance with two sphere trees."
        )
    return as_shape(value)


def has_triangles(body: Geometry) -> bool:
    """Return whether a body is a mesh, or the tree of one."""
    return type(body) in WITH_TRIANGLES


def is_on_boxes(a: Geometry, b: Geometry) -> bool:
    """Return whether box trees are used: one body is given as a BoxTree, and none as an OBBTree."""
    kinds = type(a), type(b)
    return BoxTree in kinds and OBBTree not in kinds


def shape_of(body: Geometry) -> Shape:
    """Return a shape unchanged, and the mesh of a tree."""
    return body.mesh if type(body) in _TREES else body  # type: ignore[union-attr, return-value]


def mesh_of(body: Geometry) -> Mesh | None:
    """Return a mesh unchanged, and the mesh of a tree; None for a convex shape."""
    shape = shape_of(body)
    return shape if type(shape) is Mesh else None
