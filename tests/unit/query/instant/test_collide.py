"""Meshes that meet: answers known by hand, forms of answers, bad input."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.errors import ArgumentError, KeepclearError, PoseError
from keepclear.query.instant.pair_search import PairSearch

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
CUBE = kc.Mesh(CORNERS, FACES)
HERE = np.eye(4)
KINDS = ["obb_tree", "box_tree"]


def moved(x: float, y: float = 0.0, z: float = 0.0, turned: bool = False) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    if turned:
        X[:2, :2] = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2.0)
    return X


@pytest.mark.parametrize("using", KINDS)
def test_an_edge_pushed_into_a_face(using: Any) -> None:
    # The turned cube's edge x = 1.5 - 0.707, y = 0.707 ... lies inside; its two slanted sides cut the face x = 1.
    contact = kc.collide(CUBE, HERE, CUBE, moved(1.5, turned=True), "all", using=using)
    assert contact.colliding is True
    assert contact.state is kc.State.INTERFERING
    assert contact.using == using
    assert contact.solid == (True, True)
    assert {tuple(pair) for pair in contact.pairs.tolist()} >= {(1, 0), (1, 3)}
    assert contact.segments_W.shape == (len(contact.pairs), 2, 3)
    cut = contact.segments_W[[tuple(pair) for pair in contact.pairs.tolist()].index((1, 0))]
    np.testing.assert_allclose(cut[:, 0], 1.0, atol=1e-15)
    np.testing.assert_allclose(sorted(cut[:, 2]), [0.0, 1.0], atol=1e-15)


@pytest.mark.parametrize("using", KINDS)
@pytest.mark.parametrize("gap", [1e-16, 1e-9, 0.5])
def test_cubes_apart(using: Any, gap: float) -> None:
    contact = kc.collide(CUBE, HERE, CUBE, moved(1.0 + max(gap, 2.0**-52)), using=using)
    assert contact.colliding is False
    assert contact.state is kc.State.SEPARATE
    assert contact.pairs.shape == (0, 2)
    assert contact.segments_W.shape == (0, 2, 3)
    assert contact.coplanar.shape == (0,)


@pytest.mark.parametrize("using", KINDS)
def test_faces_that_touch_share_a_polygon(using: Any) -> None:
    contact = kc.collide(CUBE, HERE, CUBE, moved(1.0, 0.25), "all", using=using)
    k = [tuple(pair) for pair in contact.pairs.tolist()].index((1, 0))
    assert contact.coplanar[k]
    polygon = contact.polygon_W(k)
    assert len(polygon) == 4
    np.testing.assert_allclose(polygon.min(axis=0), [1.0, 0.25, 0.0])
    np.testing.assert_allclose(polygon.max(axis=0), [1.0, 1.0, 1.0])
    assert np.linalg.norm(np.diff(contact.segments_W[k], axis=0)) == pytest.approx(np.hypot(0.75, 1.0))


@pytest.mark.parametrize("using", KINDS)
def test_a_body_inside_a_solid_is_contact_and_one_in_a_cavity_is_not(using: Any) -> None:
    small = kc.Mesh(0.2 * CORNERS, FACES)
    assert kc.collide(CUBE, HERE, small, moved(0.4, 0.4, 0.4), using=using).state is kc.State.CONTAINED
    assert kc.collide(small, moved(0.4, 0.4, 0.4), CUBE, HERE, using=using).state is kc.State.CONTAINED
    inner = [[i + 8 for i in reversed(face)] for face in FACES]
    hollow = kc.Mesh(np.vstack([CORNERS, 0.8 * CORNERS + 0.1]), [*FACES, *inner])
    assert hollow.is_solid
    assert not kc.collide(hollow, HERE, small, moved(0.4, 0.4, 0.4), using=using).colliding
    sheet = kc.Mesh(0.2 * CORNERS[:4], [FACES[0]])
    within = kc.collide(CUBE, HERE, sheet, moved(0.4, 0.4, 0.4), using=using)
    assert within.state is kc.State.CONTAINED
    assert within.solid == (True, False)
    open_box = kc.Mesh(CORNERS, FACES[:5])
    outside = kc.collide(open_box, HERE, small, moved(0.4, 0.4, 0.4), using=using)
    assert not outside.colliding
    assert "A surface only" in repr(outside)


@pytest.mark.parametrize("using", KINDS)
def test_a_pose_may_carry_a_scale(using: Any) -> None:
    X = moved(1.5)
    X[:3, :3] *= 3.0
    assert not kc.collide(CUBE, HERE, CUBE, X, using=using).colliding
    X[0, 3] = 1.0
    assert kc.collide(CUBE, HERE, CUBE, X, using=using).colliding
    assert kc.collide(CUBE, X, CUBE, HERE, using=using).colliding


@pytest.mark.parametrize("using", KINDS)
def test_a_batch_is_its_single_answers(using: Any) -> None:
    X = np.array([moved(1.5), moved(1.0), moved(0.9, 0.1, 0.2, turned=True), moved(-3.0)])
    for find in ("any", "all"):
        batch = kc.collide(CUBE, HERE, CUBE, X, find, using=using)
        assert len(batch) == 4
        assert batch.colliding.tolist() == [False, True, True, False]
        for k in range(4):
            one = kc.collide(CUBE, HERE, CUBE, X[k], find, using=using)
            assert one == batch[k]
            assert np.array_equal(one.segments_W, batch[k].segments_W)
            assert np.array_equal(one.pairs, batch.pairs[k])
        assert kc.collide(CUBE, HERE, CUBE, X, find, using=using, threads=3) == batch
    assert len(kc.collide(CUBE, HERE, CUBE, X[:0])) == 0


def test_trees_stand_for_their_meshes() -> None:
    X = moved(0.9, 0.2, turned=True)
    expected = kc.collide(CUBE, HERE, CUBE, X, "all")
    for build in (kc.build_obb_tree, kc.build_box_tree):
        tree = build(CUBE)
        found = kc.collide(tree, HERE, CUBE, X, "all")
        assert found.using == tree.kind
        assert found == expected
        loaded = pickle.loads(pickle.dumps(tree))
        assert kc.collide(loaded, HERE, loaded, X, "all") == expected
        shifted = tree.refit(CORNERS + np.array([5.0, 0.0, 0.0]))
        assert not kc.collide(shifted, HERE, CUBE, X).colliding
        assert kc.collide(shifted, moved(-5.0), CUBE, X, "all") == expected
    with pytest.raises(ArgumentError, match="cannot be searched together"):
        kc.collide(kc.build_obb_tree(CUBE), HERE, kc.build_box_tree(CUBE), X)
    with pytest.raises(ArgumentError, match="cannot be searched together"):
        kc.collide(kc.build_obb_tree(CUBE), HERE, CUBE, X, using="box_tree")


def test_the_tree_is_chosen_by_the_shape() -> None:
    assert kc.collide(CUBE, HERE, CUBE, HERE).using == "box_tree"
    slanted = kc.Mesh(CORNERS @ moved(0.0, turned=True)[:3, :3].T, FACES)
    assert kc.collide(slanted, HERE, slanted, HERE).using == "obb_tree"
    assert kc.collide(CUBE, HERE, slanted, HERE).using == "obb_tree"
    assert kc.collide(CUBE, HERE, CUBE, HERE, using="obb_tree").using == "obb_tree"


def test_other_shapes() -> None:
    X = moved(1.0, 0.5, 0.5)
    ball, box = kc.Sphere(0.25), kc.Box([0.5, 0.5, 0.5])
    assert kc.collide(CUBE, HERE, ball, X).using == "distance"
    assert kc.collide(CUBE, HERE, ball, X).colliding
    assert kc.collide(CUBE, HERE, ball, moved(0.5, 0.5, 0.5)).state is kc.State.CONTAINED
    assert not kc.collide(ball, moved(1.3, 0.5, 0.5), CUBE, HERE).colliding
    assert len(kc.collide(CUBE, HERE, box, X, "all").pairs)
    assert kc.collide(box, HERE, ball, HERE).colliding
    with pytest.raises(ArgumentError, match="has none"):
        kc.collide(CUBE, HERE, ball, X, "all")
    with pytest.raises(ArgumentError, match="needs two bodies with faces"):
        kc.collide(CUBE, HERE, ball, X, using="obb_tree")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((CUBE, HERE, CUBE, HERE, "some"), {}, "find must be 'any' or 'all'"),
        ((CUBE, HERE, CUBE, HERE), {"using": "octree"}, "using must be"),
        ((CUBE, HERE, CUBE, HERE), {"threads": 0}, "threads must be"),
        ((CUBE, HERE, "cube", HERE), {}, "expected a shape"),
    ],
)
def test_bad_arguments(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        kc.collide(*arguments, **options)


def test_bad_poses() -> None:
    sheared = np.eye(4)
    sheared[0, 1] = 0.5
    for X in (
        np.full((4, 4), np.nan),
        sheared,
        np.diag([1.0, 1.0, -1.0, 1.0]),
        np.diag([1e-9, 1e-9, 1e-9, 1.0]),
    ):
        with pytest.raises(PoseError, match="X_WB"):
            kc.collide(CUBE, HERE, CUBE, X)
    with pytest.raises(PoseError, match="2 poses and X_WB has 3"):
        kc.collide(CUBE, np.tile(HERE, (2, 1, 1)), CUBE, np.tile(HERE, (3, 1, 1)))


def test_answers_can_be_printed_stored_and_do_not_pass_for_true() -> None:
    contact = kc.collide(CUBE, HERE, CUBE, moved(1.0, 0.25), "all")
    again = pickle.loads(pickle.dumps(contact))
    assert again == contact
    assert np.array_equal(again.segments_W, contact.segments_W)
    assert repr(contact).startswith("Collision(INTERFERING, ")
    with pytest.raises(TypeError, match="has no truth value"):
        bool(contact)
    with pytest.raises(TypeError, match="no length"):
        len(contact)
    batch = kc.collide(CUBE, HERE, CUBE, np.tile(HERE, (2, 1, 1)))
    assert repr(batch).startswith("Collision(2 pairs of poses, 2 colliding")
    with pytest.raises(TypeError, match="ask one of them"):
        batch.polygon_W(0)


@pytest.mark.parametrize("using", KINDS)
def test_a_search_in_pieces_finds_the_same(using: Any) -> None:
    build = kc.build_obb_tree if using == "obb_tree" else kc.build_box_tree
    tree = build(CUBE)
    search = PairSearch(tree, HERE, tree, moved(0.5, 0.25, 0.125), "all")
    taken = []
    for _ in range(10_000):
        ended = search.run(3)
        taken += search.take()[0].tolist()
        if ended:
            break
    whole = kc.collide(tree, HERE, tree, moved(0.5, 0.25, 0.125), "all")
    assert search.result() == whole
    assert {tuple(pair) for pair in taken} == {tuple(pair) for pair in whole.pairs.tolist()}
    assert search.counts["triangle_pairs"] > 0


def test_meshes_of_points_and_of_doubled_faces() -> None:
    points = kc.Mesh(np.zeros((6, 3)), np.arange(6).reshape(2, 3))
    for using in KINDS:
        assert len(kc.collide(points, HERE, points, HERE, "all", using=using).pairs) == 4  # type: ignore[arg-type]
    doubled = kc.Mesh(CORNERS, [FACES[0], FACES[0]])
    assert kc.collide(doubled, HERE, points, HERE, "all").pairs.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert issubclass(ArgumentError, KeepclearError)
