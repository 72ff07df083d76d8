"""Small meshes for tests of sphere trees."""

from __future__ import annotations

import numpy as np
from tests.oracles.mesh_bodies import star, torus

import keepclear as kc

CUBE = [[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def soup(n: int, seed: int) -> kc.Mesh:
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (n, 1, 3)) + rng.normal(0, 0.3, (n, 3, 3))
    return kc.Mesh(points.reshape(-1, 3), np.arange(3 * n).reshape(-1, 3))


def ring() -> kc.Mesh:
    body = torus(12, 8, 0.6, 0.25)
    return kc.Mesh(np.array(body.vertices, dtype=float), [list(face) for face in body.faces])


def spiky() -> kc.Mesh:
    body = star(0.7)
    return kc.Mesh(np.array(body.vertices, dtype=float), [list(face) for face in body.faces])
