"""Bodies as corners, edges and triangles with a ball around them, for distances by comparing all pairs."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from tests.oracles.comparison import library_shape
from tests.oracles.exact_points import Body
from tests.oracles.mesh_bodies import QUADS, triangulated
from tests.oracles.mesh_scene import MeshBody

import keepclear as kc


@dataclass(frozen=True, eq=False)
class Thing:
    """A body of any kind: a convex one, or a mesh, which is a solid if it is closed and not told to be a surface."""

    body: Body | MeshBody
    surface: bool = False

    @property
    def is_mesh(self) -> bool:
        return isinstance(self.body, MeshBody)

    @property
    def kind(self) -> str:
        return "mesh" if isinstance(self.body, MeshBody) else self.body.kind

    @cached_property
    def is_solid(self) -> bool:
        """Whether it has an inside."""
        return not self.surface and (not isinstance(self.body, MeshBody) or self.body.is_closed)

    @property
    def extent(self) -> float:
        """Greatest distance from the frame's origin to a point of the body [m]."""
        return float(self.body.extent)

    @property
    def radius(self) -> float:
        """Of the ball around the skeleton [m]."""
        return 0.0 if isinstance(self.body, MeshBody) else self.body.radius

    @cached_property
    def points(self) -> np.ndarray:
        """The corners (n, 3); for a cylinder there are none."""
        if isinstance(self.body, MeshBody):
            return self.body.vertices
        if self.body.points is None:
            raise ValueError("a cylinder has no corners")
        return self.body.points

    @cached_property
    def triangles(self) -> np.ndarray:
        """Corners of the triangles (m, 3) that cover the surface; none for balls and segments."""
        if isinstance(self.body, MeshBody):
            return np.array(self.body.triangles, dtype=np.int64).reshape(-1, 3)
        if self.kind == "box":
            return np.array(triangulated(QUADS), dtype=np.int64)
        if self.kind == "convex":
            return hull_triangles(self.points)
        return np.zeros((0, 3), dtype=np.int64)

    @cached_property
    def edges(self) -> np.ndarray:
        """Ends of all edges (k, 2), each once; a lone point is an edge without length."""
        if self.kind == "sphere":
            return np.array([[0, 0]])
        if self.kind == "capsule":
            return np.array([[0, 1]])
        if self.kind == "box":
            walked = [(f[i], f[i - 1]) for f in QUADS for i in range(4)]
        else:
            walked = [(t[i], t[i - 1]) for t in self.triangles.tolist() for i in range(3)]
        return np.array(sorted({(min(e), max(e)) for e in walked}))

    @cached_property
    def corners(self) -> np.ndarray:
        """The indices of the points that edges end at."""
        return np.unique(self.edges)

    @cached_property
    def seeds(self) -> list[int]:
        """One corner of each connected piece."""
        return self.body.piece_vertices if isinstance(self.body, MeshBody) else [int(self.corners[0])]

    def library(self) -> Any:
        """The library's shape."""
        if isinstance(self.body, MeshBody):
            return kc.Mesh(self.body.vertices, self.body.faces, solid=False if self.surface else None)
        return library_shape(self.body)

    def __repr__(self) -> str:
        return f"Thing({self.body!r}{', surface=True' if self.surface else ''})"


def hull_triangles(points: np.ndarray) -> np.ndarray:
    """Triangles that cover the surface of the hull and look outward; the points must not lie in a plane."""
    try:
        hull = ConvexHull(points)
    except QhullError as fault:
        raise ValueError("these points have no volume; ask by supports") from fault
    found = []
    middle = points[hull.vertices].mean(axis=0)
    for a, b, c in hull.simplices.tolist():
        n = np.cross(points[b] - points[a], points[c] - points[a])
        found.append((a, b, c) if np.dot(n, points[a] - middle) > 0 else (a, c, b))
    return np.array(found)
