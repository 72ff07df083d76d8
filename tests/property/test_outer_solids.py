"""The excess of random spheres around random components that overlap, are flipped, or miss a triangle."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config
from scipy.spatial.transform import Rotation
from tests.oracles import sphere_cover as oracle
from tests.unit.geometry.sphere_meshes import CUBE, QUADS, ring
from tests.unit.geometry.spheres.test_outer_solid import divided, joined

import keepclear as kc
from keepclear.geometry.spheres.cover_measure import measure_cover

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")
TOLERANCE = 2e-3
N_POINTS = 1500


def random_component(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices and triangles of a closed body, somewhere near the origin, oriented either way."""
    base = ring() if rng.random() < 0.3 else kc.Mesh(CUBE, QUADS)
    vertices, triangles = np.asarray(base.vertices), np.asarray(base.triangles)
    if len(triangles) < 20:
        vertices, triangles = divided(vertices, triangles, 2)
    vertices = (vertices - vertices.mean(axis=0)) / np.ptp(vertices, axis=0).max() * rng.uniform(0.3, 1.0, 3)
    vertices = vertices @ Rotation.random(random_state=rng).as_matrix().T + rng.uniform(-0.4, 0.4, 3)
    return vertices, triangles[:, ::-1] if rng.random() < 0.5 else triangles


@pytest.mark.parametrize("seed", range(12))
def test_excess_bounds_hold_for_points_of_spheres(seed: int) -> None:
    """Inside is where the solid angles of one component, open as it is, sum up to more than half of the sphere."""
    rng = np.random.default_rng(seed)
    whole = [random_component(rng) for _ in range(rng.integers(1, 4))]
    open_ = [(v, np.delete(t, rng.integers(len(t)), axis=0) if rng.random() < 0.7 else t) for v, t in whole]
    mesh = joined(*open_)
    centers, radii = rng.uniform(-0.5, 0.5, (4, 3)), rng.uniform(0.05, 0.5, 4)
    measure = measure_cover(mesh, centers, radii, tolerance=TOLERANCE)
    assert measure.openings == sum(len(t) != len(u) for (_, t), (_, u) in zip(whole, open_, strict=True))
    way = rng.normal(size=(4, N_POINTS, 3))
    way *= rng.uniform(0.0, 1.0, (4, N_POINTS, 1)) ** 0.1 / np.linalg.norm(way, axis=2, keepdims=True)
    points = (centers[:, None] + radii[:, None, None] * way).reshape(-1, 3)
    points = np.append(points, measure.excess_point[None], axis=0)
    away = oracle.distance_to_triangles(points, np.concatenate([v[t] for v, t in whole]))
    for vertices, triangles in open_:
        away[oracle.is_inside(points, vertices[triangles])] = 0.0
    assert away.max() <= measure.excess_upper + 1e-12
    assert measure.excess_lower <= away[-1] + 1e-9  # at its own point
    assert measure.excess_upper - measure.excess_lower <= TOLERANCE * (1.0 + 1e-6)
