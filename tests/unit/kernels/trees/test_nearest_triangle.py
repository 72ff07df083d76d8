"""The triangle nearest to a point, beside all of them."""

from __future__ import annotations

import numpy as np
from tests.oracles import mesh_bodies as make
from tests.oracles.motion_bodies import Thing

import keepclear as kc
from keepclear.compiler.kernel import kernel
from keepclear.kernels.tables.surface import N_TRIANGLES, SURFACE_HEADER
from keepclear.kernels.trees.nearest_triangle import nearest_triangle
from keepclear.kernels.trees.obb_pair import STACK
from keepclear.query.instant.mesh_distance import obb_tree_of


@kernel(
    "int64(float64[::1], int32[::1], float32[::1], int32[::1], float64, float64, float64, int32[::1], float64[::1])"
)
def search(S, T, N, L, x, y, z, stack, bounds):  # type: ignore[no-untyped-def]
    """Return the triangle nearest to a point."""
    return nearest_triangle(S, T, N, L, x, y, z, stack, bounds)


def test_the_nearest_of_all_triangles() -> None:
    """The triangle that is found is as close as the mesh: the distance of a ball around the point, plus its radius."""
    rng = np.random.default_rng(5)
    for body in (make.torus(12, 7, 0.5, 0.2), make.star(0.4), make.soup(rng, 40)):
        mesh = Thing(body).library()
        tree = obb_tree_of(mesh)
        assert tree is not None
        stack, bounds = np.empty(STACK, np.int32), np.empty(STACK)
        vertices = tree.arrays[0][SURFACE_HEADER:][: 3 * len(mesh.vertices)].reshape(-1, 3)
        corners = vertices[tree.arrays[1][: 3 * int(tree.arrays[0][N_TRIANGLES])].reshape(-1, 3)]
        for p in rng.normal(size=(30, 3)):
            t = search(*tree.arrays, *p.tolist(), stack, bounds)
            X = np.eye(4)
            X[:3, 3] = p
            ball = kc.Sphere(1e-6)
            whole = kc.distance(kc.Mesh(mesh.vertices, mesh.faces, solid=False), np.eye(4), ball, X).distance
            one = kc.distance(kc.Convex(corners[t]), np.eye(4), ball, X).distance
            assert abs(whole - one) < 1e-12
