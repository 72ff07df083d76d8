"""Files of several parts: each copy of a part in its pose, all of them together one mesh of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.mesh_files.text import Damage, FileMesh
from keepclear.geometry.shapes.mesh_faces import Faces

MAX_COPIES = 50_000
"""Most nodes of a scene, each copy of them counted: copies within copies multiply."""

MAX_DEPTH = 200
"""Most levels of nodes; a node that contains itself has no end of them."""

MAX_CORNERS = 60_000_000
"""Most corners of faces in all copies together, as in a binary STL file of 1 GB."""

Node = TypeVar("Node", bound=Hashable)


class Part(NamedTuple):
    """A surface: points (n, 3) and faces; corners are indices of points."""

    vertices: FloatArray
    faces: Faces


def packed_faces(counts: npt.NDArray[np.int64], corners: npt.NDArray[np.int64], n_vertices: int) -> Faces:
    """Return faces of these numbers of corners, or raise `Damage` for a corner that is not a vertex."""
    if corners.size and not 0 <= corners.min() <= corners.max() < n_vertices:
        raise Damage(f"has a face that uses a vertex outside of the {n_vertices} of its part")
    start = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)))
    return Faces(start, corners.astype(np.int32))


def part_of_shared(
    vertices: FloatArray, counts: npt.NDArray[np.int64], corners: npt.NDArray[np.int64]
) -> Part:
    """Return a surface that uses few of the points of a list, which others use too, with those points only."""
    if len(vertices) > len(corners) and corners.size and 0 <= corners.min() <= corners.max() < len(vertices):
        used, corners = np.unique(corners, return_inverse=True)
        vertices = vertices[used]
    return Part(vertices.astype(np.float64), packed_faces(counts, corners, len(vertices)))


def strip_triangles(corners: npt.NDArray[np.int64], *, is_fan: bool) -> npt.NDArray[np.int64]:
    """Return the triangles (n, 3) of a strip or a fan, all facing the same side as the first."""
    n = max(len(corners) - 2, 0)
    i = np.arange(n)
    if is_fan:
        return np.stack((np.full(n, corners[0] if n else 0), corners[i + 1], corners[i + 2]), axis=1)
    odd = i % 2
    return np.stack((corners[i], corners[i + 1 + odd], corners[i + 2 - odd]), axis=1)


def placed(
    roots: Iterable[tuple[Node, FloatArray]], below: Callable[[Node], Iterable[tuple[Node, FloatArray]]]
) -> Iterator[tuple[Node, FloatArray]]:
    """Yield every node of a scene with its pose in the world, once for each path that leads to it.

    Raises:
        Damage: There are too many of them, as where a node contains itself.
    """
    waiting = [(node, X_WN, 0) for node, X_WN in roots][::-1]
    n_copies = 0
    while waiting:
        node, X_WN, depth = waiting.pop()
        n_copies += 1
        if n_copies + len(waiting) > MAX_COPIES:
            raise Damage(f"has more than {MAX_COPIES} copies of parts; export it as fewer")
        if depth > MAX_DEPTH:
            raise Damage(
                f"has parts in more than {MAX_DEPTH} levels, or a part that contains itself; export it again"
            )
        yield node, X_WN
        waiting.extend([(child, X_WN @ X_NC, depth + 1) for child, X_NC in below(node)][::-1])


def assembled(copies: Iterable[tuple[Part, FloatArray]], unit: float) -> FileMesh:
    """Return copies of parts, each transformed by its matrix (4, 4), as one mesh; `unit` is that of the file [m]."""
    points, counts, corners = [np.zeros((0, 3))], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    n_points = n_corners = 0
    for part, X in copies:
        n_corners += len(part.faces.corners)
        if n_corners > MAX_CORNERS:
            raise Damage(
                f"has more than {MAX_CORNERS} corners of faces in its copies of parts; export it coarser"
            )
        if X.shape != (4, 4) or not np.isfinite(X).all() or (X[3] != [0.0, 0.0, 0.0, 1.0]).any():
            raise Damage("has a part whose matrix is not finite, or not affine; export it again")
        start = part.faces.start
        order = np.arange(len(part.faces.corners))
        if np.linalg.det(X[:3, :3]) < 0.0:  # a mirrored copy would show its inside
            order = np.repeat(start[:-1] + start[1:] - 1, np.diff(start)) - order
        is_still = np.array_equal(X, np.eye(4))
        points.append(part.vertices if is_still else part.vertices @ X[:3, :3].T + X[:3, 3])
        counts.append(np.diff(start))
        corners.append(part.faces.corners[order].astype(np.int64) + n_points)
        n_points += len(part.vertices)
    vertices = np.concatenate(points)
    return FileMesh(
        vertices, packed_faces(np.concatenate(counts), np.concatenate(corners), len(vertices)), unit
    )
