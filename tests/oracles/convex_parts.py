"""Whether points are in convex parts, in exact arithmetic and without the kernels of the library."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import keepclear as kc

Point = tuple[Fraction, Fraction, Fraction]


def exact(point: object) -> Point:
    """Return a point of floats as fractions."""
    x, y, z = (Fraction(float(value)) for value in point)  # type: ignore[attr-defined]
    return x, y, z


class ExactPart:
    """A part as half-spaces with exact coefficients; each of them is checked to hold for all vertices."""

    def __init__(self, part: kc.Convex) -> None:
        vertices = [exact(vertex) for vertex in part.vertices]
        self.planes: list[tuple[Point, Fraction]] = []
        edges = set()
        for i, j, k in part.triangles.tolist():
            edges |= {(i, j), (j, k), (k, i)}
            a, b, c = vertices[i], vertices[j], vertices[k]
            u, v = [b[n] - a[n] for n in range(3)], [c[n] - a[n] for n in range(3)]
            normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
            offset = _dot(normal, a)
            assert any(normal)
            assert all(_dot(normal, vertex) <= offset for vertex in vertices)
            self.planes.append((normal, offset))
        assert all((j, i) in edges for i, j in edges)  # closed, so the half-spaces are the hull

    def holds(self, point: Point) -> bool:
        """Tell whether a point is in the part, its border included."""
        return all(_dot(normal, point) <= offset for normal, offset in self.planes)


class ExactParts:
    """All parts; floating point only guesses which of them to ask first."""

    def __init__(self, parts: kc.ConvexParts) -> None:
        self._boxes = [(part.vertices.min(axis=0), part.vertices.max(axis=0)) for part in parts.parts]
        self._parts = [ExactPart(part) for part in parts.parts]

    def holding(self, point: Point) -> int | None:
        """Return a part that holds a point, or None if none does."""
        near = np.array([float(value) for value in point])
        for k, (lower, upper) in enumerate(self._boxes):
            if (near >= lower - 1e-6).all() and (near <= upper + 1e-6).all() and self._parts[k].holds(point):
                return k
        return None


def surface_points(mesh: kc.Mesh, most: int = 400) -> list[Point]:
    """Return vertices, exact midpoints of edges and exact centres of triangles of a mesh, at most so many of each."""
    vertices = [exact(vertex) for vertex in mesh.vertices[:most]]
    found = list(vertices)
    step = max(1, len(mesh.triangles) // most)
    for triangle in mesh.triangles[::step].tolist():
        a, b, c = (exact(mesh.vertices[k]) for k in triangle)
        found.append(_mean(a, b))
        found.append(_mean(a, b, c))
    return found


def _mean(*points: Point) -> Point:
    x, y, z = (sum((p[k] for p in points), Fraction(0)) / len(points) for k in range(3))
    return x, y, z


def _dot(a: Point, b: Point) -> Fraction:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def winding(mesh: kc.Mesh, points: np.ndarray) -> np.ndarray:
    """Return winding numbers of a mesh about points, by the sum of solid angles; not for points on the surface."""
    a, b, c = (mesh.vertices[mesh.triangles[:, k]][None] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(edge, axis=2) for edge in (a, b, c))
    determinant = np.einsum("ptj,ptj->pt", a, np.cross(b, c))
    ab, bc, ca = (np.einsum("ptj,ptj->pt", x, y) for x, y in ((a, b), (b, c), (c, a)))
    angles = np.arctan2(determinant, la * lb * lc + ab * lc + bc * la + ca * lb)
    return np.asarray(np.rint(angles.sum(axis=1) / (2.0 * np.pi)))


def distances(mesh: kc.Mesh, points: np.ndarray) -> np.ndarray:
    """Return distances of points from the nearest triangle, by all triangles, one after the other."""
    best = np.full(len(points), np.inf)
    for triangle in mesh.triangles.tolist():
        corners = mesh.vertices[triangle]
        best = np.minimum(best, _to_triangle(points, *corners))
    return best


def _to_triangle(p: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    best = np.min([_to_segment(p, a, b), _to_segment(p, b, c), _to_segment(p, c, a)], axis=0)
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal)
    if length == 0.0:
        return best
    sides = [np.cross(normal, v - u) @ (p - u).T for u, v in ((a, b), (b, c), (c, a))]
    above = np.all([side >= 0.0 for side in sides], axis=0)
    return np.where(above, np.minimum(best, np.abs((p - a) @ normal) / length), best)


def _to_segment(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    along = b - a
    t = np.clip((p - a) @ along / max(float(along @ along), 1e-300), 0.0, 1.0)
    return np.linalg.norm(p - (a + t[:, None] * along), axis=1)
