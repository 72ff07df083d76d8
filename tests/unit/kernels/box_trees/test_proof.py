"""Trees from files: those that builders make are proved, and any change that could lose a contact is not."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config
from tests.unit.kernels.box_trees.test_tree import sheet, soup

import keepclear as kc
from keepclear.geometry.models.sections import _prove_box_tree, _prove_obb_tree, proved_tree
from keepclear.geometry.storage.section_file import FileDamage
from keepclear.kernels.box_trees import tree as box_kernels
from keepclear.kernels.box_trees.proof import NO_TREE, PROVED, TOO_SMALL
from keepclear.kernels.trees import obb_tree as obb_kernels

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")

MESHES = {
    "one": kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
    "two": kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]),
    "sheet": sheet(6),
    "flat sheet": sheet(6, bend=0.0),
    "soup": soup(70, 1),
    "far away": kc.Mesh(sheet(5).vertices + np.array([1e4, -2e4, 3e3]), sheet(5).triangles),
    "equal": kc.Mesh(np.tile(np.eye(3), (40, 1)), np.arange(120).reshape(-1, 3)),
}
PROOFS = {"obb_tree": (kc.build_obb_tree, _prove_obb_tree), "box_tree": (kc.build_box_tree, _prove_box_tree)}


@pytest.mark.parametrize("kind", PROOFS)
@pytest.mark.parametrize("name", MESHES)
def test_trees_as_built_and_refitted_are_proved(name: str, kind: str) -> None:
    mesh = MESHES[name]
    build, prove = PROOFS[kind]
    tree = build(mesh)
    assert prove(mesh, tree._nodes) == PROVED
    assert proved_tree(mesh, kind, {"nodes": tree._nodes})._nodes is tree._nodes
    moved = mesh.vertices @ np.diag([1.0, 1.5, 0.5]) + 0.25
    again = tree.refit(moved)
    assert prove(again.mesh, again._nodes) == PROVED


@pytest.mark.parametrize("name", ["sheet", "soup", "far away"])
def test_every_half_size_and_every_centre_counts(name: str) -> None:
    mesh = MESHES[name]
    nodes = kc.build_obb_tree(mesh)._nodes
    rows = nodes.reshape(-1, obb_kernels.NODE)
    for node in range(len(rows)):
        for k in range(3):
            bad = rows.copy()
            bad[node, obb_kernels.HALF + k] *= np.float32(0.99)
            assert (
                _prove_obb_tree(mesh, bad.ravel()) == TOO_SMALL
                or rows[node, 12 + k] < 1e-4 * rows[node, 12:15].max()
            )
            bad = rows.copy()
            bad[node, k] += np.float32(0.05) * rows[node, obb_kernels.HALF :][:3].max()
            assert _prove_obb_tree(mesh, bad.ravel()) in (TOO_SMALL, NO_TREE)


@pytest.mark.parametrize("name", ["sheet", "soup"])
def test_every_link_counts(name: str) -> None:
    mesh = MESHES[name]
    rng = np.random.default_rng(5)
    nodes = kc.build_obb_tree(mesh)._nodes
    links = nodes.view(np.int32).reshape(-1, obb_kernels.NODE)[:, obb_kernels.LINK]
    for node in range(len(links)):
        for wrong in (
            0,
            node,
            int(links[node]) + 1,
            -1 - len(mesh.triangles),
            2**31 - 1,
            -(2**31),
            rng.integers(len(links)),
        ):
            bad = nodes.copy()
            bad.view(np.int32).reshape(-1, obb_kernels.NODE)[node, obb_kernels.LINK] = wrong
            assert wrong == links[node] or _prove_obb_tree(mesh, bad) != PROVED


def chain(n: int) -> tuple[kc.Mesh, np.ndarray]:
    """Equal triangles under a tree with one leaf on each level: deeper than searches have scratch for."""
    mesh = kc.Mesh(np.tile(np.eye(3), (n, 1)), np.arange(3 * n).reshape(-1, 3))
    nodes = np.tile(kc.build_obb_tree(mesh)._nodes.reshape(-1, obb_kernels.NODE)[:1], (2 * n - 1, 1))
    links = nodes.view(np.int32)[:, obb_kernels.LINK]
    for k in range(n - 1):
        links[2 * k], links[2 * k + 1] = 2 * k + 1, -1 - k
        if k:
            links[2 * k] = 2 * k + 1
    links[2 * n - 2] = -n
    return mesh, nodes.ravel()


def test_a_tree_that_is_too_deep_is_none() -> None:
    for n in (40, 3000):
        assert _prove_obb_tree(*chain(n)) == NO_TREE
    assert _prove_obb_tree(*chain(3)) == PROVED


@pytest.mark.parametrize("name", ["sheet", "flat sheet", "soup"])
def test_every_word_of_a_box_tree_counts(name: str) -> None:
    """A changed word is refused, or makes boxes larger only: then the search still sees all triangles."""
    mesh = MESHES[name]
    rng = np.random.default_rng(6)
    nodes = kc.build_box_tree(mesh)._nodes
    refused = 0
    for _ in range(600):
        bad = nodes.copy()
        word, bit = rng.integers(len(bad) - 2), rng.integers(32)
        bad.view(np.uint32)[word] ^= np.uint32(1) << np.uint32(bit)
        ended = _prove_box_tree(mesh, bad)
        refused += ended != PROVED
        if ended == PROVED:  # the tree must hold what the tree of the builder holds
            tree = proved_tree(mesh, "box_tree", {"nodes": bad})
            found = kc.collide(tree, np.eye(4), tree, np.eye(4), find="all")
            truth = kc.collide(mesh, np.eye(4), mesh, np.eye(4), find="all", using="box_tree")
            assert len(found.pairs) == len(truth.pairs)
    assert refused > 200


def test_a_cut_that_takes_too_much_is_noticed() -> None:
    mesh = MESHES["sheet"]
    nodes = kc.build_box_tree(mesh)._nodes
    rows = nodes.reshape(-1, box_kernels.NODE)[:-1]
    kinds = (rows.view(np.int32)[:, 0].astype(np.int64) + box_kernels.HIGH) >> (box_kernels.LINK_BITS + 2)
    for node in np.flatnonzero(kinds != box_kernels.SLAB):
        for k in (1, 2):
            bad = nodes.copy()
            bad.reshape(-1, box_kernels.NODE)[node, k] += np.float32(1e-3)
            assert _prove_box_tree(mesh, bad) in (TOO_SMALL, PROVED)
    bad = nodes.copy()
    bad.reshape(-1, box_kernels.NODE)[np.flatnonzero(kinds == box_kernels.LEAF), 1] += np.float32(1.0)
    assert _prove_box_tree(mesh, bad) == TOO_SMALL


def test_arrays_that_are_no_nodes_are_refused() -> None:
    mesh = MESHES["sheet"]
    nodes = kc.build_obb_tree(mesh)._nodes
    for wrong in (
        {},
        {"nodes": nodes.astype(np.float64)},
        {"nodes": nodes[None]},
        {"nodes": nodes, "more": nodes},
    ):
        with pytest.raises(FileDamage, match="has obb tree with other arrays than nodes"):
            proved_tree(mesh, "obb_tree", wrong)
    with pytest.raises(FileDamage, match="none of its mesh"):
        proved_tree(mesh, "box_tree", {"nodes": nodes})
