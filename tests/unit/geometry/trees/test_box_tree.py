"""Box trees as users hold them: what they say of themselves, storage, moved vertices, bad input."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import trimesh

import keepclear as kc
from keepclear.errors import ArgumentError, MeshError
from keepclear.geometry.trees import trees
from keepclear.kernels.box_trees import tree as layout

CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
CUBE = kc.Mesh(CORNERS, QUADS)


def test_what_a_tree_says() -> None:
    tree = kc.build_box_tree(CUBE)
    assert tree.mesh is CUBE
    assert 23 <= tree.n_nodes <= 31
    assert tree.nbytes == 12 * (tree.n_nodes + 1) <= 32 * 12
    assert 5 <= tree.depth <= 12
    assert repr(tree) == f"BoxTree({tree.n_nodes} boxes, {tree.nbytes} bytes, {CUBE!r})"


def test_building_does_not_look_whether_the_mesh_is_closed() -> None:
    mesh = kc.Mesh(CORNERS, QUADS)
    kc.build_box_tree(mesh)
    assert mesh._check is None


def test_the_surface_is_complete_when_it_is_asked_for() -> None:
    tree = kc.build_box_tree(CUBE)
    reals, links, nodes, words = tree.arrays
    assert (reals[3], reals[4]) == (1.0, 1.0)  # one seed, solid
    assert len(links) == 3 * 12 + 1
    assert words.base is nodes
    assert tree.surface is tree.surface


def test_equal_meshes_make_equal_trees() -> None:
    assert (
        kc.build_box_tree(kc.Mesh(CORNERS, QUADS))._nodes.tobytes()
        == kc.build_box_tree(CUBE)._nodes.tobytes()
    )


def test_trees_are_stored_and_copied() -> None:
    tree = kc.build_box_tree(CUBE)
    for again in (pickle.loads(pickle.dumps(tree)), copy.copy(tree), copy.deepcopy(tree)):
        assert again._nodes.tobytes() == tree._nodes.tobytes()
        assert again.mesh == CUBE
        assert again.depth == tree.depth
        assert kc.collide(again, np.eye(4), tree, np.eye(4)).colliding


def test_a_trimesh_is_taken_as_it_is() -> None:
    tree = kc.build_box_tree(trimesh.creation.box((1, 2, 3)))
    assert len(tree.mesh.triangles) == 12


def test_vertices_move_without_changing_the_tree() -> None:
    tree = kc.build_box_tree(CUBE)
    far = np.eye(4)
    far[0, 3] = 5.0
    stretched = tree.refit(CORNERS * [6.0, 1.0, 1.0])
    assert isinstance(stretched, kc.BoxTree)
    assert stretched.mesh.bounds[1].tolist() == [6.0, 1.0, 1.0]
    assert not kc.collide(tree, np.eye(4), tree, far).colliding
    assert kc.collide(stretched, np.eye(4), tree, far).colliding
    assert tree.mesh is CUBE


def test_bad_vertices_are_refused() -> None:
    tree = kc.build_box_tree(CUBE)
    with pytest.raises(MeshError, match="8 vertices, but 3 moved ones"):
        tree.refit(CORNERS[:3])
    with pytest.raises(MeshError, match=r"shape \(n, 3\)"):
        tree.refit(CORNERS[:, :2])
    with pytest.raises(MeshError, match="not finite"):
        tree.refit(np.full_like(CORNERS, np.nan))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [(kc.Box([1, 1, 1]), "Box"), ("cube", "'cube'"), (None, "None"), (CORNERS, r"shape \(8, 3\)")],
    ids=["box", "text", "nothing", "points"],
)
def test_only_a_mesh_has_a_box_tree(wrong: object, named: str) -> None:
    with pytest.raises(ArgumentError, match=named):
        kc.build_box_tree(wrong)  # type: ignore[arg-type]


def test_a_mesh_that_links_cannot_count_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MOST_NODES", 31)
    with pytest.raises(ArgumentError, match="at most 11 triangles, but the mesh has 12"):
        trees.build_box_tree(CUBE)
