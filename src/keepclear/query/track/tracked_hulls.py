"""Hulls of tracked bodies: of a body, and of members of a group merged while they are at rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry, mesh_of, shape_of
from keepclear.geometry.hulls.build import hull_of
from keepclear.geometry.hulls.faces import HullFaces, build_hull_faces, hull_faces_of
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.extent import body_points
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.query.instant.collide import faces_of

ON_FACE = 1e-9
"""Largest distance of a closest point from its face, as a part of the size [1]; in doubt the point is virtual."""

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
T = TypeVar("T")


class TrackedHull:
    """A convex shape around a body, and which of its faces are real.

    Args:
        shape: The shape, in the frame of the body.
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


def hull_of_leaf(body: Geometry) -> TrackedHull | None:
    """Return the hull of a body: itself, if it is convex; None for a mesh without one."""
    mesh = mesh_of(body)
    if mesh is None:
        return TrackedHull(shape_of(body))
    hull = hull_of(mesh)
    return None if hull is None else TrackedHull(hull, mesh)


def merge_hull(bodies: Sequence[Geometry], relative: FloatArray) -> TrackedHull:
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
    return TrackedHull(hull, None, faces)


def sphere_around(bounds: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, float]:
    """Return centre and radius of the sphere around a box, rounded up."""
    lower, upper = bounds
    center = 0.5 * (lower + upper)
    return center, float(np.linalg.norm(np.maximum(upper - center, center - lower))) * (1.0 + 2.0**-48)


class HullTask(Generic[T]):
    """Builds hulls, one call after the other, in a thread or at once."""

    def __init__(self, background: bool) -> None:
        self._background = background
        self._future: Future[T] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether hulls are being built."""
        return self._future is not None

    def start(self, build: Callable[[], T]) -> None:
        """Begin to build; `finished` returns what `build` returns."""
        if self._background:
            from concurrent.futures import ThreadPoolExecutor

            executor = ThreadPoolExecutor(1, "keepclear-hulls")
            self._future = executor.submit(build)
            executor.shutdown(wait=False)
        else:
            future: Future[T] = Future()
            future.set_result(build())
            self._future = future

    def finished(self) -> T | None:
        """Return what was built, once; None while there is nothing."""
        if self._future is None or not self._future.done():
            return None
        future, self._future = self._future, None
        return future.result()
