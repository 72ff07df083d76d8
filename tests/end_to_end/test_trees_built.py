"""Which trees a world builds: those that are searched, and no others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.mesh_bodies import box_mesh, tetrahedron

import keepclear as kc
from keepclear.cli.demo import copy_cell
from keepclear.preprocess import trees as module


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list to which every tree is added that is built for a mesh."""
    found: list[Any] = []

    def noted(original: Callable[[kc.Mesh], Any], mesh: kc.Mesh) -> Any:
        found.append(original(mesh))
        return found[-1]

    for name in ("build_obb_tree", "build_box_tree"):
        monkeypatch.setattr(module, name, partial(noted, getattr(module, name)))
    return found


def n_searched(trees: list[Any]) -> int:
    """Return how many of the trees were handed to a kernel that searches."""
    return sum(tree._arrays is not None for tree in trees)


def at(x: float) -> np.ndarray:
    X = np.eye(4)
    X[0, 3] = x
    return X


def mesh_of(body: Any) -> kc.Mesh:
    return kc.Mesh(body.vertices, body.faces)


@pytest.mark.parametrize("options", [{}, {"contacts": "all", "curves": 20}], ids=["verify", "demo"])
def test_the_demo_cell_builds_the_trees_that_it_searches(
    options: dict[str, Any], tmp_path: Path, built: list[Any]
) -> None:
    report = kc.verify(copy_cell(tmp_path) / "cell.yaml", **options)
    assert report.verdict is kc.Verdict.COLLIDING
    assert len(built) == n_searched(built) > 0
    assert len({(id(tree.mesh), tree.kind) for tree in built}) == len(built)


def test_bodies_that_are_far_apart_need_no_tree(built: list[Any]) -> None:
    with kc.World() as world:
        world.add("moving", mesh_of(tetrahedron()), kc.PoseTrajectory([0, 1], [at(0.0), at(1.0)], "screw"))
        world.add("mesh", mesh_of(box_mesh([1, 1, 1])), at(10.0))
        world.add("box", kc.Box([1, 1, 1]), at(20.0))
        before = world.nbytes
        assert world.verify(clearances=False).verdict is kc.Verdict.CLEAR
        assert world.collisions(0.5) == ()
        assert built == []
        assert world.nbytes == before
        world.move("mesh", at(1.2))
        assert world.verify(clearances=False).verdict is kc.Verdict.COLLIDING
        assert len(built) == n_searched(built) == 2
        assert world.nbytes == before + sum(tree.nbytes for tree in built)


def test_an_object_for_submit_is_ready_when_it_is_added(built: list[Any]) -> None:
    mesh = mesh_of(tetrahedron())
    with kc.World() as world:
        world.add("ready", mesh)
        assert len(built) == 1
        assert mesh._closure is not None
        world.add("posed", mesh_of(tetrahedron()), at(0.0))
        world.add("box", kc.Box([1, 1, 1]))
        assert len(built) == 1
        assert world.submit("ready", "posed", at(0.1)).result(60).colliding
        assert len(built) == n_searched(built) == 2


def test_memory_of_a_world_counts_shared_arrays_once() -> None:
    mesh, hull = mesh_of(tetrahedron()), kc.Convex(tetrahedron().vertices)
    tree = kc.build_box_tree(mesh)
    with kc.World() as world:
        world.add("mesh", mesh, at(0.0))
        size = world.nbytes
        assert size == mesh.nbytes
        world.add("again", mesh, at(5.0))
        assert world.nbytes == size
        world.add("tree", tree, at(10.0))
        assert world.nbytes == size + tree.nbytes
        world.add("bent", tree.refit(np.array(mesh.vertices) * 2.0), at(15.0))
        bent = world.nbytes - size - tree.nbytes
        assert (
            bent == tree.nbytes + mesh.nbytes - mesh.triangle_face.nbytes
        )  # which face is which stays shared
        world.add("hull", hull, at(20.0))
        grown = world.nbytes
        assert grown > size + tree.nbytes + bent + hull.points.nbytes
        world.remove("hull")
        world.add("same hull", hull, at(20.0))
        assert world.nbytes == grown
