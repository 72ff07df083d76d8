"""Trees of oriented boxes: every box holds its triangles, and they follow vertices that move."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import keepclear as kc
from keepclear.errors import ArgumentError, MeshError
from keepclear.kernels.tables import surface
from keepclear.kernels.trees import obb_tree as layout


def soup(n: int, seed: int) -> kc.Mesh:
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(n, 1, 3))
    vertices = (centers + 0.2 * rng.normal(size=(n, 3, 3))).reshape(-1, 3) + np.array([100.0, 0.0, 0.0])
    return kc.Mesh(vertices, np.arange(3 * n).reshape(n, 3))


def check_boxes(tree: kc.OBBTree) -> None:
    """Walk the tree: leaves hold each triangle once, and each box holds all corners below it."""
    nodes = tree._nodes.reshape(-1, layout.NODE).astype(float)
    links = tree._nodes.view(np.int32).reshape(-1, layout.NODE)[:, layout.LINK]
    origin = tree.surface.reals[surface.ORIGIN : surface.ORIGIN + 3]
    corners = tree.mesh.vertices[tree.mesh.triangles] - origin
    seen = []

    def below(node: int) -> list[int]:
        if links[node] < 0:
            seen.append(-1 - links[node])
            found = [-1 - links[node]]
        else:
            found = below(links[node]) + below(links[node] + 1)
        axes = nodes[node, 3:12].reshape(3, 3)
        along = (corners[found].reshape(-1, 3) - nodes[node, :3]) @ axes.T
        assert (np.abs(along) <= nodes[node, 12:15]).all()
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-6)
        return found

    assert sorted(below(0)) == list(range(len(tree.mesh.triangles)))
    assert sorted(seen) == list(range(len(tree.mesh.triangles)))


@pytest.mark.parametrize("n", [1, 2, 3, 40])
def test_boxes_hold_their_triangles(n: int) -> None:
    tree = kc.build_obb_tree(soup(n, n))
    assert tree.n_nodes == 2 * n - 1
    assert tree.nbytes == 64 * tree.n_nodes
    check_boxes(tree)


def test_boxes_follow_moved_vertices() -> None:
    mesh = soup(30, 5)
    tree = kc.build_obb_tree(mesh)
    bent = mesh.vertices * [1.0, 2.0, 0.5] + np.sin(mesh.vertices[:, [1, 2, 0]])
    refitted = tree.refit(bent)
    check_boxes(refitted)
    check_boxes(tree)
    assert np.array_equal(refitted.mesh.vertices, bent)
    assert np.array_equal(refitted.mesh.triangles, mesh.triangles)
    assert refitted.mesh.triangle_face is not None
    with pytest.raises(MeshError, match="90 vertices, but 3 moved ones"):
        tree.refit(bent[:3])
    with pytest.raises(MeshError, match="finite"):
        tree.refit(np.full_like(bent, np.nan))


def test_flat_and_pointlike_triangles_have_boxes() -> None:
    places = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 0, 0], [5, 5, 5], [5, 5, 5], [5, 5, 5]]
    mesh = kc.Mesh(np.array(places, dtype=float), [[0, 1, 2], [1, 3, 0], [4, 5, 6], [0, 4, 2]])
    check_boxes(kc.build_obb_tree(mesh))


def test_storage_and_bad_input() -> None:
    tree = kc.build_obb_tree(soup(10, 1))
    stored = pickle.dumps(tree)
    assert len(stored) < tree.nbytes + tree.mesh.nbytes + 500  # the mesh once
    again = pickle.loads(stored)
    check_boxes(again.refit(again.mesh.vertices * [1.0, 2.0, 0.5]))
    assert again._nodes.tobytes() == tree._nodes.tobytes()
    assert repr(tree).startswith("OBBTree(19 boxes, 1216 bytes, Mesh(")
    for wrong in (kc.Box([1, 1, 1]), "mesh", None):
        with pytest.raises(ArgumentError):
            kc.build_obb_tree(wrong)  # type: ignore[arg-type]
