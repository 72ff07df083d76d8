"""Shapes as triangles for display: closed, turned outwards, of the right size, and simplified only where too large."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

import keepclear as kc
from keepclear.geometry.shapes.shape import Shape
from keepclear.report.pages.display import DisplayMesh, build_display_mesh

CUBE = [[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]


def volume(mesh: DisplayMesh) -> float:
    """Return the volume inside triangles that look outwards."""
    a, b, c = (mesh.positions[mesh.triangles[:, k]].astype(np.float64) for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def is_closed(triangles: npt.NDArray[np.uint32]) -> bool:
    """Return whether each edge of a triangle is that of exactly one other, the other way around."""
    edges = [(int(t[i]), int(t[i - 2])) for t in triangles for i in range(3)]
    return len(set(edges)) == len(edges) and {(b, a) for a, b in edges} == set(edges)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (kc.Box([1.0, 2.0, 3.0]), 6.0),
        (kc.Sphere(0.5), math.pi / 6.0),
        (kc.Cylinder(0.5, 2.0), math.pi / 2.0),
        (kc.Capsule(0.5, 2.0), math.pi / 2.0 + math.pi / 6.0),
        (kc.Convex(CUBE), 1.0),
        (
            kc.Mesh(
                [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
            ),
            1 / 6,
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_shapes_are_closed_and_turned_outwards(shape: Shape, expected: float) -> None:
    mesh = build_display_mesh(shape)
    assert is_closed(mesh.triangles)
    assert expected * 0.98 < volume(mesh) < expected * 1.000001
    lower, upper = shape.bounds
    assert np.allclose(mesh.positions.min(axis=0), lower, atol=1e-6)
    assert np.allclose(mesh.positions.max(axis=0), upper, atol=1e-6)
    assert len(mesh.triangles) == mesh.n_triangles
    assert set(np.unique(mesh.triangles)) == set(range(len(mesh.positions)))


def test_thin_hulls_can_be_shown() -> None:
    square = build_display_mesh(kc.Convex([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]))
    a, b, c = (square.positions[square.triangles[:, k]] for k in range(3))
    assert np.isclose(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0, 1.0)
    segment = build_display_mesh(kc.Convex([[0, 0, 0], [1, 0, 0]]))
    assert len(segment.positions) == 2
    assert len(build_display_mesh(kc.Convex([[1, 2, 3]])).positions) == 1


def wavy_mesh(n: int) -> kc.Mesh:
    """Return a sheet of 2 n^2 triangles."""
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1), indexing="ij")
    points = np.stack([x, y, 0.1 * np.sin(6 * x) * np.cos(5 * y)], axis=2).reshape(-1, 3)
    i = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    quads = np.stack([i, i + n + 1, i + n + 2, i + 1], axis=1)
    return kc.Mesh(points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


def test_large_meshes_are_simplified_and_say_so() -> None:
    mesh = wavy_mesh(40)
    shown = build_display_mesh(mesh, most_triangles=500)
    assert shown.n_triangles == 3200
    assert 250 < len(shown.triangles) <= 500
    x, y, z = shown.positions.astype(np.float64).T
    assert np.abs(z - 0.1 * np.sin(6 * x) * np.cos(5 * y)).max() < 0.005
    normals = np.cross(
        *(shown.positions[shown.triangles[:, k]] - shown.positions[shown.triangles[:, 0]] for k in (1, 2))
    )
    assert 0.9 < normals[:, 2].sum() / 2.0 < 1.1
    assert len(build_display_mesh(mesh, most_triangles=3200).triangles) == 3200


def test_simplified_faces_stay_flat_and_corners_sharp() -> None:
    n = 30
    u, v = np.meshgrid(np.linspace(-1, 1, n + 1), np.linspace(-1, 1, n + 1), indexing="ij")
    i = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    quads = np.stack([i, i + n + 1, i + n + 2, i + 1], axis=1)
    points, faces = [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            sheet = np.stack([np.full(u.size, side), u.ravel(), v.ravel()], axis=1)
            faces.append(quads + len(points) * u.size)
            points.append(np.roll(sheet, axis, axis=1))
    shown = build_display_mesh(kc.Mesh(np.concatenate(points), np.concatenate(faces)), most_triangles=1000)
    positions = shown.positions.astype(np.float64)
    assert len(shown.triangles) < shown.n_triangles
    assert np.abs(np.abs(positions).max(axis=1) - 1.0).max() < 1e-6  # on the cube, also beside its edges
    assert len(np.unique(positions[(np.abs(positions) > 1.0 - 1e-6).all(axis=1)], axis=0)) == 8
