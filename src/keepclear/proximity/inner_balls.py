"""Balls inside of solids: where two of them overlap, so do the solids, which is sooner known than by their surfaces."""

from __future__ import annotations

import weakref

import numpy as np

from keepclear.checks import FloatArray
from keepclear.proximity.mesh_distance import mesh_distance
from keepclear.results import State
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Sphere

__all__ = ["inner_balls_of"]

GRID, MOST = 10, 12
"""Centres are points of a grid of so many cells along each side of the box around a mesh; so many balls are kept."""
SMALLEST = 0.15  # of the largest ball
SPREAD = 0.8  # centres are at least this part of a radius away from the centres of larger balls
_balls: weakref.WeakKeyDictionary[Mesh, FloatArray] = weakref.WeakKeyDictionary()


def inner_balls_of(mesh: Mesh) -> FloatArray:
    """Return balls (n, 4) inside of a solid mesh, centre and radius in its frame [m]; none where it is no solid."""
    found = _balls.get(mesh)
    if found is None:
        found = _balls[mesh] = _find(mesh) if mesh.is_solid else np.empty((0, 4))
    return found


def _find(mesh: Mesh) -> FloatArray:
    lower, upper = mesh.bounds
    steps = (np.arange(GRID) + 0.5) / GRID
    points = lower + np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3) * (
        upper - lower
    )
    probe = Sphere(1e-6 * float(np.linalg.norm(upper - lower)))
    poses = np.tile(np.eye(4), (len(points), 1, 1))
    poses[:, :3, 3] = points
    inside = np.asarray(mesh_distance(mesh, np.eye(4), probe, poses).state) == State.CONTAINED
    if not inside.any():
        return np.empty((0, 4))
    skin = Mesh(mesh.vertices, mesh.faces, solid=False)
    points, poses = points[inside], np.ascontiguousarray(poses[inside])
    radii = np.asarray(mesh_distance(skin, np.eye(4), probe, poses).lower)
    return _spread(points, radii)


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
