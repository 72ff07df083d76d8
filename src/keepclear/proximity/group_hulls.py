"""Hulls of tracked nodes: of a body, and of members of a group merged while they are at rest."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

import numpy as np

from keepclear.checks import FloatArray
from keepclear.motions.travel import body_points
from keepclear.preprocess.hulls import hull_of
from keepclear.preprocess.virtuality import HullFaces, build_hull_faces, hull_faces_of
from keepclear.proximity.body import Geometry, mesh_of, shape_of
from keepclear.proximity.collide import faces_of
from keepclear.proximity.mesh_states import ON_FACE
from keepclear.proximity.packed import packed
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.shape import Shape

__all__ = ["HullTask", "NodeHull", "hull_of_leaf", "merge_hull"]

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
K = TypeVar("K")


class NodeHull:
    """A convex shape around a node, and which of its faces are real.

    Args:
        shape: The shape, in the frame of the node.
        mesh: The mesh whose hull it is; its faces are computed on first use.
        faces: Its faces; None for a convex body, which is its own hull, and for hulls without an inside.
    """

    __slots__ = ("_faces", "_mesh", "packed", "radius", "shape")

    def __init__(self, shape: Shape, mesh: Mesh | None = None, faces: HullFaces | None = None) -> None:
        self.shape, self._mesh, self._faces = shape, mesh, faces
        self.packed = packed(shape)
        lower, upper = shape.bounds
        self.radius = 0.5 * float(np.linalg.norm(upper - lower))

    @property
    def faces(self) -> HullFaces | None:
        """The faces with their virtuality; None for none."""
        if self._mesh is not None:
            self._faces, self._mesh = hull_faces_of(self._mesh), None
        return self._faces

    @property
    def is_convex(self) -> bool:
        """Whether all faces are real, so that nothing can enter the hull without contact."""
        return self.faces is not None and not self.faces.virtuality.any()

    def is_virtual(self, p_W: FloatArray, X_W: FloatArray) -> bool:
        """Return whether a closest point of the hull, in the world, may not belong to a member."""
        p = X_W[:3, :3].T @ (p_W - X_W[:3, 3])
        # harmless (ON_FACE * self.radius): states decide which work is done, and no answer depends on them
        return self.faces is None or not self.faces.is_real(p, ON_FACE * self.radius)


def hull_of_leaf(body: Geometry) -> NodeHull | None:
    """Return the hull of a body: itself, if it is convex; None for a mesh without one."""
    mesh = mesh_of(body)
    if mesh is None:
        return NodeHull(shape_of(body))
    hull = hull_of(mesh)
    return None if hull is None else NodeHull(hull, mesh)


def merge_hull(bodies: Sequence[Geometry], relative: FloatArray) -> NodeHull:
    """Return the hull of bodies at poses relative to one of them, (n, 3, 4).

    Curved bodies are replaced by boxes around them, so that faces next to them are virtual; polyhedra are exact.
    """
    points, triangles, n = [], [], 0
    for body, X in zip(bodies, relative, strict=True):
        mesh = faces_of(body)
        if mesh is None:
            corners, radius = body_points(shape_of(body))
            corners = (corners[:, None, :] + radius * CUBE).reshape(-1, 3) if radius > 0.0 else corners
        else:
            mesh = mesh if isinstance(mesh, Mesh) else mesh.mesh
            corners = mesh._vertices
            triangles.append(mesh._triangles.astype(np.int64) + n)
        points.append(corners @ X[:, :3].T + X[:, 3])
        n += len(corners)
    hull = Convex(np.concatenate(points))
    faces = None
    if len(hull.graph.triangles):
        surface = np.concatenate([np.empty((0, 3), np.int64), *triangles])
        faces = build_hull_faces(hull._points, surface, hull.graph)
    return NodeHull(hull, None, faces)


class HullTask(Generic[K]):
    """Merges one hull at a time, in a thread or at once."""

    def __init__(self, background: bool) -> None:
        self._background = background
        self._future: Future[NodeHull] | None = None
        self._key: K | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a hull is being merged."""
        return self._future is not None

    def start(self, key: K, bodies: Sequence[Geometry], relative: FloatArray) -> None:
        """Begin to merge a hull; `finished` returns it with its key."""
        self._key = key
        if self._background:
            from concurrent.futures import ThreadPoolExecutor

            executor = ThreadPoolExecutor(1, "keepclear-merge")
            self._future = executor.submit(merge_hull, bodies, relative.copy())
            executor.shutdown(wait=False)
        else:
            self._future = Future()
            self._future.set_result(merge_hull(bodies, relative))

    def finished(self) -> tuple[K, NodeHull] | None:
        """Return the merged hull once, with its key; None while there is none."""
        if self._future is None or not self._future.done():
            return None
        future, self._future = self._future, None
        assert self._key is not None
        return self._key, future.result()
