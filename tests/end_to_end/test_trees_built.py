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
from keepclear.cli.commands.demo import copy_cell
from keepclear.geometry.trees import trees as module


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


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
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


def passing(using: Any) -> kc.World:
    """Return a world in which a tetrahedron passes a cube and a ball, near to both."""
    world = kc.World(using)
    path = kc.PoseTrajectory([0, 1], [at(-3.0, 0.1, 0.2), at(3.0, 0.3, 0.1)], "screw")
    world.add("moving", mesh_of(tetrahedron()), path)
    world.add("cube", mesh_of(box_mesh([1, 1, 1])), at(1.0, 1.3))
    world.add("ball", kc.Sphere(0.3), at(0.0, -1.0))
    return world


@pytest.mark.parametrize("using", ["box_tree", "obb_tree"])
def test_a_world_builds_the_trees_that_were_asked_for_and_no_others(using: Any, built: list[Any]) -> None:
    with passing(using) as world:
        assert [tree.kind for tree in built] == [using, using]
        before = world.nbytes
        report = world.verify(contacts="all", curves=5)
        assert report.verdict is kc.Verdict.CLEAR
        assert world.first_contact("moving", "cube").verdict is kc.Verdict.CLEAR
        assert world.first_contact("moving", "cube", margin=0.2).verdict is kc.Verdict.COLLIDING
        assert len(world.distances(0.5)) == 3
        world.contacts(far=1.0, between=True)
        assert world.collisions(0.5) == ()
        moved = at(0.25)
        assert world.submit("moving", "cube", moved, find="all").result(60).using == using
        assert len(built) == 2
        assert world.nbytes == before
    reference = passing(None).verify(contacts="all")
    for ours, other in zip(report.pairs, reference.pairs, strict=True):
        assert (ours.a, ours.b, ours.verdict) == (other.a, other.b, other.verdict)
        if ours.clearance_upper is not None and other.clearance_upper is not None:
            assert ours.clearance_lower <= other.clearance_upper
            assert other.clearance_lower <= ours.clearance_upper


def test_trees_of_boxes_are_compared_without_others(built: list[Any]) -> None:
    cube, other = (kc.build_box_tree(mesh_of(body)) for body in (box_mesh([1, 1, 1]), tetrahedron()))
    built.clear()
    path = kc.PoseTrajectory([0, 1], [at(-3.0), at(3.0)], "screw")
    assert kc.distance(cube, at(0.0), other, at(2.0)).distance > 0.0
    hit = kc.first_contact(cube, at(0.0), other, path)
    assert hit.verdict is kc.Verdict.COLLIDING
    truth = kc.first_contact(cube.mesh, at(0.0), other.mesh, path)
    assert abs(hit.time - truth.time) < 1e-3
    built.clear()  # those of the reference
    assert kc.first_contact(cube, at(9.0), other, path).verdict is kc.Verdict.CLEAR
    assert kc.clearance(cube, at(0.0), kc.Sphere(0.2), path).upper < 1e-12
    tracker = kc.Tracker(cube, other)
    frames = np.array([at(2.0 + 0.01 * k) for k in range(20)])
    assert np.array_equal(
        tracker.distance(at(0.0), frames).distance, kc.distance(cube, at(0.0), other, frames).distance
    )
    assert tracker.statistics.frames == 20
    assert built == []


def test_an_object_that_comes_in_portions_has_the_tree_that_is_asked_for(built: list[Any]) -> None:
    body = box_mesh([1, 1, 1])
    with kc.World() as world:
        with world.begin("small", using="box_tree") as small:
            small.vertices(body.vertices)
            small.faces(body.faces)
            assert built == []
        assert [tree.kind for tree in built] == ["box_tree"]
        assert world.nbytes == built[0].nbytes + built[0].mesh.nbytes
        world.remove("small")
        assert built[0].mesh._packed is None
        with pytest.raises(
            kc.ArgumentError, match="using must be None, 'obb_tree' or 'box_tree', but it is 'octree'"
        ):
            world.begin("other", using="octree")  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="using must be None, 'obb_tree' or 'box_tree', but it is 3"):
        kc.World(3)  # type: ignore[arg-type]
    with (
        kc.World("box_tree") as world,
        pytest.raises(kc.ArgumentError, match=r"the tree OBBTree.* cannot be added where using='box_tree'"),
    ):
        world.add("wrong", kc.build_obb_tree(mesh_of(body)))


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
