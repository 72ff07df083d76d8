"""Links of a robot, and objects that it holds, as spheres in joint frames, with tests for a body inside another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.bounds import bounding_volumes_of, corners_of, shape_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.primitives import Sphere
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.tables.surface import N_SEEDS, N_TRIANGLES, SURFACE_HEADER
from keepclear.kernels.trees import mesh_convex
from keepclear.query.instant.mesh_distance import obb_tree_of
from keepclear.query.moving.deformed import support_point

UNIT = 2.0**-53
SHORTER = 1.0 - 1e-9  # factor for lengths that must not be too large
WIDER = 1e-6  # cells are enlarged by this [part of their size and position]
ROUNDS = 200  # rounds of the search for a small ball
CELLS = 16  # cells along each side of the box around a body; a power of two
_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_CORNERS = (0.5 * (_SIGNS + 1.0)).astype(np.int64)
PlacedPart = tuple[Geometry, FloatArray]


class Hollow(NamedTuple):
    """The inside of a body that its spheres may not fill, as cells of a box in the frame of its node.

    Attributes:
        parts: Numbers of the parts that have an inside.
        low: Lower corner of the box, (3,) [m].
        per_metre: The number of cells per metre, (3,).
        cells: (CELLS**3,) 1 where a part of the inside may be outside of all spheres; rows along z last.
    """

    parts: tuple[int, ...]
    low: FloatArray
    per_metre: FloatArray
    cells: npt.NDArray[np.int8]


class SphereBody(NamedTuple):
    """A body with spheres, in the frame of its node.

    Attributes:
        node: The node that moves it; 0 for the base.
        spheres: (m, 4) centres and radii [m].
        ball: Centre and radius of a ball around the body, (4,) [m].
        hollow: The part of its inside that the spheres do not fill; None for none.
        seeds: A point of each component of its surface, (k, 3) [m].
        longest: A lower bound of the length of its components [m].
    """

    node: int
    spheres: FloatArray
    ball: FloatArray
    hollow: Hollow | None
    seeds: FloatArray
    longest: float

    def may_hold(self, longest: float) -> bool:
        """Return whether a body of this length may be inside of it without touching its spheres."""
        return self.hollow is not None and longest <= 2.0 * float(self.ball[3])


def sphere_body(node: int, cover: SphereCover, X_NO: FloatArray, parts: Sequence[PlacedPart]) -> SphereBody:
    """Return a body from its cover and its exact parts.

    Args:
        node: The node that moves it.
        cover: Spheres that are proved to cover the body, in the frame of the body.
        X_NO: The pose of that frame in the node's.
        parts: Each part's shape, and its pose in the frame of the node.
    """
    centers = cover.centers @ X_NO[:3, :3].T + X_NO[:3, 3]
    size = np.abs(centers).max() + np.linalg.norm(cover.centers, axis=1).max() + np.abs(X_NO[:3, 3]).max()
    spheres = np.column_stack([centers, cover.radii * (1.0 + 16.0 * UNIT) + 32.0 * UNIT * size])
    points = np.concatenate([_corners(body) @ X[:3, :3].T + X[:3, 3] for body, X in parts])
    seeds = [seeds_of(body) for body, _ in parts]
    return SphereBody(
        node, spheres, _small_ball(points), None if cover.solid else _hollow(spheres, points, parts),
        np.concatenate([found @ X[:3, :3].T + X[:3, 3] for (found, _), (_, X) in zip(seeds, parts, strict=True)]),
        min(longest for _, longest in seeds),
    )  # fmt: skip


def seeds_of(body: Geometry) -> tuple[FloatArray, float]:
    """Return a point of each component of a body's surface, (k, 3), and a lower bound of their lengths [m]."""
    longest = 2.0 * float(bounding_volumes_of(body).around[4:7].max()) * SHORTER
    tree = obb_tree_of(body)
    if tree is not None:
        S, T = tree.arrays[:2]
        first, n = 3 * int(S[N_TRIANGLES]), int(S[N_SEEDS])
        vertices = S[SURFACE_HEADER:].reshape(-1, 3)
        return vertices[T[first : first + n]], longest if n == 1 else 0.0
    return support_point(shape_of(body), np.eye(4), np.array([0.0, 0.0, 1.0]))[None], longest


def _corners(body: Geometry) -> FloatArray:
    """Return points whose hull contains a body, (n, 3)."""
    corners = corners_of(shape_of(body))
    if corners is not None:
        return corners
    around = bounding_volumes_of(body).around  # of a curved surface: the corners of the box around it
    return np.asarray(around[:3] + _SIGNS * around[4:7])


def _hollow(spheres: FloatArray, points: FloatArray, parts: Sequence[PlacedPart]) -> Hollow | None:
    """Return the cells that may contain the inside of a part, but are in no sphere."""
    solid = [
        k
        for k, (body, _) in enumerate(parts)
        if not isinstance(shape := shape_of(body), Mesh) or shape.is_solid
    ]
    if not solid:
        return None
    low, high = points.min(axis=0), points.max(axis=0)
    # harmless: what is this near to a cell is near a sphere, and spheres have a slack of 2^-19 of sizes
    pad = WIDER * (np.abs(points).max() + float((high - low).max()))
    # harmless (pad): what is this near to a cell is near a sphere, and spheres have a slack of 2^-19 of sizes
    low, high = low - pad, high + pad
    numbers, n = np.zeros((1, 3), np.int64), 1
    while n < CELLS and len(numbers):  # subcells of a cell without open space are skipped
        n *= 2
        numbers = (2 * numbers[:, None] + _CORNERS).reshape(-1, 3)
        step = (high - low) / n
        # harmless (WIDER): what is this near to a cell is near a sphere, and spheres have a slack of 2^-19 of sizes
        # harmless (pad): likewise
        middles, reach = low + (numbers + 0.5) * step, 0.5 * float(np.linalg.norm(step)) * (1.0 + WIDER) + pad
        is_open = np.ones(len(middles), np.bool_)
        for x, y, z, radius in spheres:
            is_open &= ~(np.linalg.norm(middles - (x, y, z), axis=1) + reach < radius)
        numbers, middles = numbers[is_open], middles[is_open]
        if n > 2:
            near = np.zeros(len(numbers), np.bool_)
            for body, X in (parts[k] for k in solid):
                near |= _lower_distances(body, (middles - X[:3, 3]) @ X[:3, :3]) <= reach
            numbers = numbers[near]
    if not len(numbers):
        return None
    cells = np.zeros((CELLS, CELLS, CELLS), np.int8)
    cells[tuple(numbers.T)] = 1
    return Hollow(tuple(solid), low, CELLS / (high - low), cells.ravel())


def _lower_distances(body: Geometry, points: FloatArray) -> FloatArray:
    """Return lower bounds of the distances of points from a body, in its frame (n,) [m]; 0 inside of a solid."""
    if not len(points):
        return np.empty(0)
    reals, links = packed(Sphere(1.0))
    reals = reals.copy()
    reals[support.RADIUS] = 0.0
    poses, here = np.tile(np.eye(4), (len(points), 1, 1)), np.eye(4)[None]
    poses[:, :3, 3] = points
    rows = np.zeros((len(points), gjk.ROW))
    tree = obb_tree_of(body)
    if tree is not None:
        mesh_convex.distance(*tree.arrays, reals, links, here, poses, rows.reshape(-1), 0, len(points))
        # harmless (maximum): a smaller distance marks more cells
        return np.maximum(rows[:, gjk.LOWER], 0.0)
    memory = np.zeros(gjk.MEMORY)
    gjk.distance_many(*packed(shape_of(body)), reals, links, here, poses, rows.reshape(-1), memory, False)
    # harmless (maximum): a smaller distance marks more cells
    return np.where(rows[:, gjk.STATE] == gjk.CORES_MEET, 0.0, np.maximum(rows[:, gjk.LOWER], 0.0))


def _small_ball(points: FloatArray) -> FloatArray:
    """Return a small ball around points: its centre moves to the farthest one by smaller steps (Badoiu, Clarkson)."""
    center = 0.5 * (points.min(axis=0) + points.max(axis=0))
    best = center, float(np.linalg.norm(points - center, axis=1).max())
    for k in range(1, ROUNDS):
        away = np.linalg.norm(points - center, axis=1)
        far = int(np.argmax(away))
        if away[far] < best[1]:
            best = center, float(away[far])
        center = center + (points[far] - center) / (k + 1)
    # harmless (1e-12): a ball is compared with a slack of 2^-19 of its distance
    return np.append(best[0], best[1] * (1.0 + 1e-12) + 16.0 * UNIT * float(np.abs(points).max()))
