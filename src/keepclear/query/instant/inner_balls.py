"""Balls inside of solids: if two of them overlap, so do the solids, which is faster than comparing surfaces."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.primitives import Sphere
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.convex import gjk
from keepclear.kernels.tables import surface
from keepclear.kernels.trees import mesh_convex
from keepclear.query.instant.distance import distance
from keepclear.query.instant.mesh_distance import obb_tree_of
from keepclear.results import State
from keepclear.tolerances import SMALLEST_SIZE

GRID, MOST = 6, 12
"""Number of grid cells along each side of the box around a mesh, for centres, and number of balls that are kept."""
LEAST_DIAGONAL = 2e-3  # smaller meshes have none [m]; balls that represent points are 1e-6 of the diagonal
SMALLEST = 0.15  # part of the largest ball
SPREAD = 0.8  # centres are at least this part of a radius away from the centres of larger balls
_distance: Callable[..., None] = mesh_convex.distance
_balls: weakref.WeakKeyDictionary[Mesh, FloatArray] = weakref.WeakKeyDictionary()


def inner_balls_of(mesh: Mesh) -> FloatArray:
    """Return balls (n, 4) inside of a solid mesh, centre and radius [m]; none if it is not a solid, or tiny."""
    found = _balls.get(mesh)
    if found is None:
        lower, upper = mesh.bounds
        is_large = float(np.linalg.norm(upper - lower)) >= LEAST_DIAGONAL
        found = _balls[mesh] = _find(mesh) if is_large and mesh.is_solid else np.empty((0, 4))
    return found


def inner_depths(shape: Shape, points: FloatArray) -> FloatArray:
    """Return the depth of points (n, 3) inside of a shape, in its frame, or minus their distance, (n,) [m].

    A ball around a point with a positive depth as its radius is inside the shape; a negative value is minus an upper
    bound of the distance. Depths are never too large, and inside of a thin solid often too small. Surfaces have no
    inside.
    """
    lower, upper = shape.bounds
    # harmless (SMALLEST_SIZE): a smaller ball is refused
    probe = max(1e-6 * float(np.linalg.norm(upper - lower)), SMALLEST_SIZE)
    points = np.ascontiguousarray(points)
    if not isinstance(shape, Mesh):
        X = np.tile(np.eye(4), (len(points), 1, 1))
        X[:, :3, 3] = points
        upper = np.atleast_1d(distance(shape, np.eye(4), Sphere(probe), X).upper)
        return np.asarray(-upper - probe)
    tree = obb_tree_of(shape)
    assert tree is not None
    rows = _rows(tree.arrays, shape, points)
    depths = -(np.maximum(rows[:, gjk.UPPER], 0.0) + probe)
    inside = np.flatnonzero(rows[:, gjk.STATE] == State.CONTAINED)
    if len(inside):
        depths[inside] = _rows(_skin(tree.arrays), shape, points[inside])[:, gjk.LOWER]
    return depths


def _find(mesh: Mesh) -> FloatArray:
    lower, upper = mesh.bounds
    steps = (np.arange(GRID) + 0.5) / GRID
    cells = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    points = lower + cells * (upper - lower)
    tree = obb_tree_of(mesh)
    assert tree is not None
    state = _rows(tree.arrays, mesh, points)[:, gjk.STATE]
    points = np.ascontiguousarray(points[state == State.CONTAINED])
    return (
        _spread(points, _rows(_skin(tree.arrays), mesh, points)[:, gjk.LOWER])
        if len(points)
        else np.empty((0, 4))
    )


def _skin(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arrays of a solid as those of its surface: distances inside are those from the surface, too."""
    S, *others = arrays
    S = S.copy()
    S[surface.SOLID] = 0.0
    return S, *others


def _rows(arrays: tuple[Any, ...], mesh: Mesh, points: FloatArray) -> FloatArray:
    """Return the results of the distance kernel for a mesh and tiny balls at points, (n, ROW)."""
    lower, upper = mesh.bounds
    # harmless: a smaller ball is nearer to its centre, the point, and depths do not count on its size
    probe = packed(Sphere(max(1e-6 * float(np.linalg.norm(upper - lower)), SMALLEST_SIZE)))
    poses = np.tile(np.eye(4), (len(points), 1, 1))
    poses[:, :3, 3] = points
    rows = np.empty((len(points), gjk.ROW))
    _distance(*arrays, *probe, np.eye(4)[None], poses, rows.reshape(-1), 0, len(points))
    return rows


def _spread(points: FloatArray, radii: FloatArray) -> FloatArray:
    """Return the largest balls whose centres are not near those of larger ones."""
    chosen: list[int] = []
    for k in np.argsort(-radii, kind="stable").tolist():
        if len(chosen) == MOST or radii[k] < SMALLEST * radii.max():
            break
        away = np.linalg.norm(points[chosen] - points[k], axis=1)
        if (away >= SPREAD * radii[chosen]).all():
            chosen.append(k)
    return np.column_stack([points[chosen], radii[chosen]])
