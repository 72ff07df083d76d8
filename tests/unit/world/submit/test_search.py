"""What a check runs for each kind of body, what it refuses, and what its answer holds on to."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from tests.oracles.mesh_bodies import box_mesh, tetrahedron
from tests.oracles.mesh_scene import MeshBody

from keepclear.errors import ArgumentError, MeshError, PoseError
from keepclear.geometry.pose import checked_pose
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.primitives import Box, Sphere
from keepclear.geometry.trees.trees import build_box_tree, build_obb_tree
from keepclear.query.instant.collide import collide
from keepclear.results import Collision, State
from keepclear.scene.items import prepared
from keepclear.world.submit.check import Pairs, Search
from keepclear.world.submit.search import checked_request, new_search

HERE = np.eye(4)


def mesh_of(body: MeshBody) -> Mesh:
    return Mesh(body.vertices, body.faces)


def shifted(*p: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = p
    return X


def run(search: Search, budget: int) -> tuple[list[Pairs], Collision]:
    """Run a search to its end, and return the portions it found and its answer."""
    portions = []
    for _ in range(10_000):
        finished = search.run(budget)
        batch = search.take()
        portions.append(batch.pairs[batch.is_new])
        if finished:
            return portions, search.result()
    raise AssertionError("the search does not end")


@pytest.mark.parametrize("quads", [False, True])
@pytest.mark.parametrize("budget", [1, 7, 1_000_000])
def test_pairs_are_found_once_whatever_the_pieces(quads: bool, budget: int) -> None:
    a, b = (prepared(mesh_of(box_mesh(size, quads=quads))) for size in ([1, 1, 1], [0.3, 0.4, 5.0]))
    portions, answer = run(new_search(a, b, HERE, "all", None), budget)
    found = np.concatenate(portions)
    expected = collide(a, HERE, b, HERE, find="all")
    assert len(found) == len(expected.pairs) == len(np.unique(found, axis=0))
    assert sorted(map(tuple, found.tolist())) == list(map(tuple, expected.pairs.tolist()))
    assert np.array_equal(answer.pairs, expected.pairs)
    assert np.array_equal(answer.segments_W, expected.segments_W)
    assert len(portions) > 1 or budget > 7


def test_any_finds_one_pair_or_none() -> None:
    a = prepared(mesh_of(tetrahedron()))
    portions, answer = run(new_search(a, a, shifted(0.1, 0, 0), "any", None), 1)
    assert answer.colliding
    assert np.concatenate(portions).tolist() == answer.pairs.tolist()
    assert len(answer.pairs) == 1
    portions, answer = run(new_search(a, a, shifted(9, 0, 0), "any", None), 1)
    assert answer.state is State.SEPARATE
    assert sum(map(len, portions)) == len(answer.pairs) == len(answer.segments_W) == 0


def test_a_body_inside_another_is_contact_without_pairs() -> None:
    outer, inner = prepared(mesh_of(box_mesh([1, 1, 1]))), prepared(mesh_of(box_mesh([0.1, 0.1, 0.1])))
    portions, answer = run(new_search(outer, inner, HERE, "all", None), 100)
    assert answer.state is State.CONTAINED
    assert sum(map(len, portions)) == 0


def test_bodies_without_faces_are_answered_in_one_go() -> None:
    ball, box, mesh = prepared(Sphere(0.5)), prepared(Box([1, 1, 1])), prepared(mesh_of(box_mesh([1, 1, 1])))
    for a, b in [(ball, ball), (ball, box), (box, box)]:
        for X in (shifted(0.9, 0, 0), shifted(1.1, 0, 0)):
            portions, answer = run(new_search(a, b, X, "any", None), 1)
            assert answer.colliding == (X[0, 3] < 1)
            assert answer.using == "distance"
            assert [portion.shape for portion in portions] == [(0, 2)]
    _, answer = run(new_search(box, mesh, shifted(0.9, 0.1, 0.1), "all", None), 100)
    assert answer.using == "box_tree"
    assert len(answer.pairs) > 0


def test_an_answer_holds_no_tree() -> None:
    mesh = mesh_of(tetrahedron())
    tree = build_obb_tree(mesh)
    reference = weakref.ref(tree)
    search = new_search(tree, mesh_of(tetrahedron()), shifted(0.1, 0, 0), "all", None)
    _, answer = run(search, 1_000_000)
    del tree, search
    gc.collect()
    assert reference() is None
    assert answer.segments_W.shape == (len(answer.pairs), 2, 3)


def test_what_will_be_searched_is_built_and_nothing_else() -> None:
    mesh = mesh_of(tetrahedron())
    assert prepared(mesh) is mesh
    assert mesh._packed is mesh._check is None
    assert prepared(mesh, searched=True) is mesh
    tree = mesh._packed.obb_tree
    assert tree._arrays is None
    assert len(mesh._surface.links) > mesh.triangles.size
    assert mesh._packed.box_tree is None  # built when somebody asks for it
    given = build_box_tree(mesh_of(tetrahedron()))
    assert prepared(given, searched=True) is given
    assert len(given.mesh._surface.links) > given.mesh.triangles.size
    assert given.mesh._packed is None
    with pytest.raises(ArgumentError, match=r"expected a shape \(kc\.Box, Capsule"):
        prepared("part.stl")
    dust = Mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) * 1e-21, [[0, 1, 2]], name="dust")
    with pytest.raises(MeshError, match="mesh 'dust' extends 1e-21 m"):
        prepared(dust)  # at once, and not when it is searched


def test_trees_that_do_not_fit_are_refused_and_others_are_not_built() -> None:
    mesh = mesh_of(tetrahedron())
    obb, box = build_obb_tree(mesh_of(tetrahedron())), build_box_tree(mesh_of(tetrahedron()))
    bad: list[tuple[Any, Any, Any]] = [(obb, box, None), (obb, mesh, "box_tree"), (mesh, box, "obb_tree")]
    for a, b, using in bad:
        with pytest.raises(ArgumentError, match="an OBBTree and a BoxTree cannot be searched together"):
            checked_request(a, b, HERE, "any", using)
    good: list[tuple[Any, Any, Any]] = [
        (obb, mesh, None),
        (mesh, box, None),
        (box, mesh, "box_tree"),
        (mesh, mesh, "box_tree"),
    ]
    for a, b, using in good:
        assert np.array_equal(checked_request(a, b, HERE, "all", using), HERE)
    assert mesh._packed is None


def test_what_bodies_without_faces_cannot_answer_is_refused() -> None:
    ball, mesh = Sphere(0.5), mesh_of(tetrahedron())
    for a, b in [(ball, ball), (ball, mesh), (mesh, ball)]:
        with pytest.raises(
            ArgumentError, match=r"find='all' lists faces that intersect, but Sphere\(.*\) has none"
        ):
            checked_request(a, b, HERE, "all", None)
        with pytest.raises(ArgumentError, match="needs two bodies with faces; leave it out here"):
            checked_request(a, b, HERE, "any", "obb_tree")
        with pytest.raises(PoseError, match="X_AB is not rigid"):
            checked_request(a, b, np.diag([2.0, 2, 2, 1]), "any", None)
        assert np.array_equal(checked_request(a, b, HERE, "any", None), HERE)
    assert np.array_equal(checked_request(mesh, mesh, np.diag([2.0, 2, 2, 1]), "any", None)[0], [2, 0, 0, 0])


def test_one_pose_is_one_pose() -> None:
    with pytest.raises(PoseError, match=r"X_AB must be one pose \(4, 4\), but it has shape \(2, 4, 4\)"):
        checked_pose(np.tile(HERE, (2, 1, 1)), "X_AB", scaled=True)
    X = HERE.copy()
    pose = checked_pose(X, "X_AB", scaled=True)
    X[:] = 5.0
    assert np.array_equal(pose, HERE)
