"""The hulls of meshes in a scene: made once, of the mesh's own vertices, and let go with the mesh."""

from __future__ import annotations

import gc
import weakref

import numpy as np
from tests.oracles.mesh_bodies import tetrahedron

import keepclear as kc
from keepclear.scene.hulls import hull_of


def new_mesh() -> kc.Mesh:
    body = tetrahedron()
    return kc.Mesh(np.array(body.vertices) + 0.125, body.faces)


def test_a_hull_shares_the_vertices_of_its_mesh() -> None:
    mesh = new_mesh()
    hull = hull_of(mesh)
    assert isinstance(hull, kc.Convex)
    assert hull is hull_of(mesh) is hull_of(kc.build_obb_tree(mesh))
    assert hull == kc.Convex(mesh.vertices)
    assert np.shares_memory(hull.points, mesh.vertices)
    assert not hull.points.flags.writeable


def test_a_hull_lives_as_long_as_its_mesh() -> None:
    mesh = new_mesh()
    hull = hull_of(mesh)
    assert hull is not None
    kept = weakref.ref(mesh), weakref.ref(hull)
    del mesh, hull
    gc.collect()
    assert [reference() for reference in kept] == [None, None]


def test_a_mesh_too_small_for_a_hull_has_none() -> None:
    small = kc.Mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) * 1e-160, [[0, 1, 2]])
    assert hull_of(small) is None
