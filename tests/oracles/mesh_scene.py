"""Meshes, and two of them at their poses as exact triangles on one power-of-two grid."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from tests.oracles.exact_points import Point, cross, integers, map_to_world, refine, sub, triples

ZERO = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class MeshBody:
    """A mesh as a user gives it; polygons are the fans of triangles around their first corners."""

    vertices: np.ndarray
    faces: tuple[tuple[int, ...], ...]

    @cached_property
    def triangles(self) -> list[tuple[int, int, int]]:
        """The corners of all triangles."""
        return [(f[0], f[i], f[i + 1]) for f in self.faces for i in range(1, len(f) - 1)]

    @cached_property
    def triangle_face(self) -> list[int]:
        """The face of each triangle."""
        return [k for k, f in enumerate(self.faces) for _ in f[2:]]

    @cached_property
    def extent(self) -> float:
        """Greatest distance from the frame's origin to a vertex [m]."""
        largest = float(np.max(np.abs(self.vertices))) or 1.0
        return largest * float(np.max(np.linalg.norm(self.vertices / largest, axis=1)))

    @cached_property
    def is_closed(self) -> bool:
        """Whether there are edges, and each, as two positions, is walked equally often both ways."""
        place = [tuple(p) for p in (self.vertices + 0.0).tolist()]
        walked: dict[Any, int] = {}
        for a, b, c in self.triangles:
            corners = [place[a], place[b], place[c]]
            if len(set(corners)) < 3:
                continue  # walks one edge there and back
            for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
                key, way = ((p, q), 1) if p < q else ((q, p), -1)
                walked[key] = walked.get(key, 0) + way
        return bool(walked) and not any(walked.values())

    @cached_property
    def piece_vertices(self) -> list[int]:
        """One vertex of each connected piece: pieces share no position of a vertex."""
        place = [tuple(p) for p in (self.vertices + 0.0).tolist()]
        leader: dict[Any, Any] = {}

        def find(p: Any) -> Any:
            while leader.setdefault(p, p) != p:
                p = leader[p]
            return p

        for triangle in self.triangles:
            roots = [find(place[i]) for i in triangle]
            leader[roots[1]] = roots[0]
            leader[find(roots[2])] = find(roots[0])
        first: dict[Any, int] = {}
        for triangle in self.triangles:
            first.setdefault(find(place[triangle[0]]), triangle[0])
        return list(first.values())

    def __repr__(self) -> str:
        return f"MeshBody(np.array({self.vertices.tolist()}), {self.faces})"


def mesh_body(vertices: Any, faces: Sequence[Sequence[int]] | np.ndarray) -> MeshBody:
    """A mesh of any vertices (n, 3) and faces."""
    points = np.array(vertices, dtype=np.float64).reshape(-1, 3) + 0.0
    return MeshBody(points, tuple(tuple(int(i) for i in f) for f in faces))


class Triangle:
    """Three exact points; with less than two dimensions it is the segment or the point that it is."""

    __slots__ = ("box", "edges", "normal", "offset", "points")

    def __init__(self, p: Point, q: Point, r: Point) -> None:
        self.points = (p, q, r)
        self.edges = (sub(q, p), sub(r, q), sub(p, r))
        self.normal = cross(self.edges[0], self.edges[1])
        n = self.normal
        self.offset = n[0] * p[0] + n[1] * p[1] + n[2] * p[2]
        columns = tuple(zip(p, q, r, strict=True))
        self.box = (*map(min, columns), *map(max, columns))

    @property
    def direction(self) -> Point:
        """An edge that is not zero, if there is one."""
        return next((e for e in self.edges if any(e)), ZERO)


@dataclass(frozen=True, eq=False)
class Scene:
    """Two meshes at their poses: integer triangles in units of 2**-grid metres in the world."""

    a: MeshBody
    b: MeshBody
    triangles_a: list[Triangle]
    triangles_b: list[Triangle]
    points_a: list[Point]
    points_b: list[Point]
    grid: int


def exact_vertices(body: MeshBody, X: np.ndarray) -> tuple[list[Point], int]:
    """The world points of all vertices, in their order, and their grid."""
    flat, k = integers(body.vertices)
    return map_to_world(triples(flat), k, X)


def scene(a: MeshBody, X_WA: np.ndarray, b: MeshBody, X_WB: np.ndarray) -> Scene:
    """Place two meshes on one grid; the matrices are taken bit for bit."""
    (P, k_a), (Q, k_b) = exact_vertices(a, X_WA), exact_vertices(b, X_WB)
    grid = max(k_a, k_b)
    P, Q = refine(P, k_a, grid), refine(Q, k_b, grid)
    of_a = [Triangle(P[i], P[j], P[k]) for i, j, k in a.triangles]
    of_b = [Triangle(Q[i], Q[j], Q[k]) for i, j, k in b.triangles]
    return Scene(a, b, of_a, of_b, P, Q, grid)


def mesh_scene_size(a: MeshBody, X_WA: np.ndarray, b: MeshBody, X_WB: np.ndarray) -> float:
    """The length that tolerances refer to [m]: both extents at their scales, plus the way between the frames."""
    s_a, s_b = (float(np.linalg.norm(X[:3, 0])) for X in (X_WA, X_WB))
    return s_a * a.extent + s_b * b.extent + math.hypot(*(X_WA[:3, 3] - X_WB[:3, 3]))


def scale_defect(X: np.ndarray) -> Fraction:
    """The largest entry of M^T M / s^2 - 1 with s^2 = trace(M^T M) / 3, exactly: how far a pose is from a
    rotation with a uniform scale."""
    flat, _ = integers(X[:3, :3])
    columns = [flat[j::3] for j in range(3)]
    gram = [sum(p * q for p, q in zip(u, v, strict=True)) for u in columns for v in columns]
    square = Fraction(gram[0] + gram[4] + gram[8], 3)
    return max(abs(Fraction(c) / square - (i % 4 == 0)) for i, c in enumerate(gram))
