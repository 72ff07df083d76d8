"""Bodies above a floor: the true distance is that of a support point to a plane, in integers of 240 bits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from tests.oracles.exact_points import sqrt_interval
from tests.oracles.far_points import BITS, ONE, Map, apply, exact_map, fixed, in_fixed_point
from tests.oracles.poses import pose, random_rotation

import keepclear as kc

HALF = (4.0, 3.0, 0.5)  # of the floor


class Body(NamedTuple):
    """A shape, the points whose hull it is after it is grown by a radius, or the semi-axes of an ellipsoid."""

    shape: Any
    points: np.ndarray
    radius: float = 0.0
    axes: tuple[float, float, float] | None = None


def ball_mesh(rng: np.random.Generator, n: int = 60, size: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a hull of points on a lumpy ball."""
    p = rng.normal(size=(n, 3))
    hull = kc.Convex(p / np.linalg.norm(p, axis=1)[:, None] * size * rng.uniform(0.9, 1.0, 3))
    return np.asarray(hull.vertices), np.concatenate([fan(face) for face in hull.faces])


def fan(face: Any) -> np.ndarray:
    """The triangles of a polygon."""
    return np.array([[face[0], face[i], face[i + 1]] for i in range(1, len(face) - 1)])


def grid_mesh(n: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of the floor, its sides divided into n x n squares."""
    vertices: dict[tuple[float, ...], int] = {}
    faces = []
    t = np.linspace(-1.0, 1.0, n + 1)
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1.0, 1.0):
            for i in range(n):
                for j in range(n):
                    square = []
                    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        p = [0.0, 0.0, 0.0]
                        p[axis], p[u], p[v] = side, float(t[i + a]), float(t[j + b])
                        square.append(vertices.setdefault(tuple(p), len(vertices)))
                    faces.append(square if side > 0 else square[::-1])
    triangles = [[f[0], f[k], f[k + 1]] for f in faces for k in (1, 2)]
    return np.array(list(vertices)) * HALF, np.array(triangles)


def bodies(rng: np.random.Generator) -> dict[str, Body]:
    """Bodies of about 1 m, by name."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * [0.3, 0.2, 0.4]
    vertices, triangles = ball_mesh(rng)
    mesh = kc.Mesh(vertices, triangles)
    return {
        "box": Body(kc.Box([0.6, 0.4, 0.8]), corners),
        "sphere": Body(kc.Sphere(0.3), np.zeros((1, 3)), 0.3),
        "capsule": Body(kc.Capsule(0.2, 0.7), np.array([[0, 0, -0.35], [0, 0, 0.35]]), 0.2),
        "hull": Body(kc.Convex(vertices), vertices),
        "ellipsoid": Body(kc.Ellipsoid([0.3, 0.2, 0.4]), np.zeros((1, 3)), 0.0, (0.3, 0.2, 0.4)),
        "mesh": Body(mesh, vertices),
        "box tree": Body(kc.build_box_tree(mesh), vertices),
    }


def floors() -> dict[str, Any]:
    """The floor as each kind of shape."""
    vertices, triangles = grid_mesh()
    mesh = kc.Mesh(vertices, triangles)
    size = [2.0 * h for h in HALF]
    return {
        "box": kc.Box(size),
        "hull": kc.Convex(vertices),
        "mesh": mesh,
        "box tree": kc.build_box_tree(mesh),
    }


def true_height(body: Body, X_WA: Any, X_WB: Any) -> Fraction:
    """How far a body is above the top of the floor, negative below, to 1e-60 m.

    Poses are arrays, which are exact, precise matrices, or maps in fixed point.
    """
    A, B = _map(X_WA), _map(X_WB)
    x, y, o = apply(B, [(ONE, 0, 0), (0, ONE, 0), (0, 0, fixed(HALF[2]))])
    u, v, c = ([p[i] - B[i][3] for i in range(3)] for p in (x, y, o))
    n = [(u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]) >> BITS for i in range(3)]
    points = apply(A, [tuple(fixed(w) for w in p) for p in body.points.tolist()])  # type: ignore[misc]
    height = min(sum(n[i] * (p[i] - c[i] - B[i][3]) for i in range(3)) for p in points)
    length = sqrt_interval(Fraction(sum(w * w for w in n)))[0]
    found = Fraction(height) / length / ONE
    if body.axes is not None:  # the image of the unit ball under R D reaches |D R^T n|
        across = [sum(A[i][j] * n[i] for i in range(3)) / (length * ONE) for j in range(3)]
        found -= sqrt_interval(sum((Fraction(r) * w) ** 2 for r, w in zip(body.axes, across, strict=True)))[0]
    return found - Fraction(body.radius)


def _map(X: Any) -> Map:
    if isinstance(X, tuple):
        return X  # type: ignore[return-value]
    if isinstance(X, np.ndarray):
        return exact_map(X)
    return tuple(tuple(in_fixed_point(X[i, j]) for j in range(4)) for i in range(3))  # type: ignore[return-value]


def placed(
    rng: np.random.Generator, body: Body, gap: float, far: float = 1.0, turned: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Poses of a body and of the floor, with about this gap."""
    R = random_rotation(rng) if turned else np.eye(3)
    X_WB = pose(R, rng.normal(size=3) * far)
    X_WA = pose(random_rotation(rng), X_WB[:3, 3] + R @ [*rng.uniform(-1.0, 1.0, 2), HALF[2]])
    lift = gap - float(true_height(body, X_WA, X_WB))
    X_WA[:3, 3] += R[:, 2] * lift
    return X_WA, X_WB
