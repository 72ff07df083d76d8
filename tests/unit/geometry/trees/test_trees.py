"""The trees that a mesh keeps: built when they are first asked for, once also if several threads ask."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from tests.oracles.mesh_bodies import box_mesh, tetrahedron

import keepclear as kc
from keepclear.geometry.trees import trees as module
from keepclear.geometry.trees.trees import Using, tree_of, trees_of


def mesh_of(body: Any) -> kc.Mesh:
    return kc.Mesh(body.vertices, body.faces)


@pytest.mark.parametrize("using", ["obb_tree", "box_tree"])
def test_threads_that_ask_at_once_build_one_tree(using: Using, monkeypatch: pytest.MonkeyPatch) -> None:
    build, built = getattr(module, f"build_{using}"), []

    def slow_build(mesh: kc.Mesh) -> Any:
        time.sleep(0.05)
        built.append(build(mesh))
        return built[-1]

    monkeypatch.setattr(module, f"build_{using}", slow_build)
    mesh, barrier = mesh_of(tetrahedron()), threading.Barrier(6)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: (barrier.wait(), tree_of(mesh, using))[1], range(6)))
    assert len(built) == 1
    assert all(tree is built[0] for tree in found)


def test_a_failed_build_lets_others_try(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_mesh: kc.Mesh) -> Any:
        raise MemoryError

    mesh = mesh_of(tetrahedron())
    with monkeypatch.context() as patch:
        patch.setattr(module, "build_obb_tree", fail)
        with pytest.raises(MemoryError):
            tree_of(mesh, "obb_tree")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(tree_of, mesh, "obb_tree").result(10).mesh is mesh


def test_the_kind_follows_the_surface_and_only_that_kind_is_built() -> None:
    slanted, upright = mesh_of(tetrahedron()), mesh_of(box_mesh([1, 1, 1]))
    assert [tree.kind for tree in trees_of(slanted, upright, None)] == ["obb_tree", "obb_tree"]
    assert slanted._packed.box_tree is upright._packed.box_tree is None
    again = mesh_of(box_mesh([1, 2, 1]))
    assert [tree.kind for tree in trees_of(again, upright, None)] == ["box_tree", "box_tree"]
    assert again._packed.obb_tree is None
    assert np.shares_memory(upright._packed.obb_tree.arrays[0], upright._packed.box_tree.arrays[0])
