"""The table of kinds: each row agrees with itself, and nothing is treated that is not in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear import kinds
from keepclear.geometry.shapes.curved import AROUND
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.table import SHAPE_TABLE

RNG = np.random.default_rng(9)
CLOUD = RNG.normal(size=(80, 3))
SAMPLES: dict[str, Any] = {
    "Box": kc.Box([0.3, 2.0, 0.7]),
    "Capsule": kc.Capsule(0.4, 1.3),
    "Convex": kc.Convex(CLOUD),
    "Cylinder": kc.Cylinder(0.4, 1.3),
    "Ellipsoid": kc.Ellipsoid([0.3, 2.0, 0.7]),
    "Mesh": kc.Mesh(kc.Convex(CLOUD).graph.vertices, kc.Convex(CLOUD).graph.triangles),
    "Sphere": kc.Sphere(0.6),
}


def facing(n: Any, far: float) -> Any:
    """Return the pose of a frame whose z axis is n, at n times a distance."""
    X, (u, _, _) = np.eye(4), np.linalg.svd(n[:, None])
    X[:3, :3] = np.column_stack([u[:, 1], u[:, 2], n])
    X[:3, 0] *= np.sign(np.linalg.det(X[:3, :3]))
    X[:3, 3] = far * n
    return X


def test_there_is_a_sample_of_each_kind() -> None:
    assert sorted(SAMPLES) == sorted(kinds.SHAPES.names)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_row_agrees_with_itself(name: str) -> None:
    """What kernels, trajectories, bounds and pages know about a shape is the same shape."""
    shape, row = SAMPLES[name], SHAPE_TABLE[SAMPLES[name]]
    lower, upper = shape.bounds
    points, radius = row.points(shape)
    ball, corners = row.ball(shape), row.corners(shape)
    core = 0.0 if row.pack is None else float(packed(shape).reals[1])
    shown, triangles = row.surface(shape, AROUND)
    coarse = row.surface(shape, 12)[1]
    assert 0 < len(coarse) <= len(triangles)
    assert (corners is None) == (row.support is not None)
    assert triangles.max() < len(shown)
    for n in RNG.normal(size=(60, 3)):
        n /= np.linalg.norm(n)
        wall = kc.distance(shape, np.eye(4), kc.Box([50, 50, 2]), facing(n, 10.0))
        height = 9.0 - wall.distance
        exact = (corners @ n).max() if corners is not None else n @ row.support(shape, n)
        assert height == pytest.approx(exact, abs=1e-11)
        assert (points @ n).max() + radius >= height - 1e-12
        assert np.array(ball[:3]) @ n + ball.radius + core >= height - 1e-12
        assert np.maximum(lower * n, upper * n).sum() >= height - 1e-12
        assert height - 0.02 * np.ptp(shown) <= (shown @ n).max() <= height + 1e-6
    for axis in range(3):
        assert kc.distance(shape, np.eye(4), kc.Box([50, 50, 2]), facing(np.eye(3)[axis], 10.0)).distance == (
            pytest.approx(9.0 - upper[axis], abs=1e-11)
        )


@pytest.mark.parametrize("name", SAMPLES)
def test_faces_are_those_of_the_shape(name: str) -> None:
    shape, row = SAMPLES[name], SHAPE_TABLE[SAMPLES[name]]
    for found in (row.facets(shape), row.triangles(shape)):
        if found is not None:
            points, faces = found
            used = points[sorted({int(v) for face in faces for v in face})]
            assert used.min(axis=0) == pytest.approx(shape.bounds[0])
            assert used.max(axis=0) == pytest.approx(shape.bounds[1])


def test_what_is_not_in_the_table_raises() -> None:
    for value in (3.0, None, type("Sphere", (kc.Sphere,), {})(1.0)):
        with pytest.raises(kc.ArgumentError, match=r"kc\.Box, Capsule"):
            SHAPE_TABLE[value]
    with pytest.raises(kc.ArgumentError, match="Mesh is not a convex shape"):
        packed(SAMPLES["Mesh"])
