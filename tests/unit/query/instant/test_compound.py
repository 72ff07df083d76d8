"""Compounds at one instant: cut bodies answer like whole ones, and the parts are named."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numba import config

import keepclear as kc
from keepclear.geometry.bodies.body import as_body

HERE = np.eye(4)
RNG = np.random.default_rng(14)


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> Any:
    X = np.eye(4)
    c, s = np.cos(turn), np.sin(turn)
    X[:2, :2] = [[c, -s], [s, c]]
    X[:3, 3] = x, y, z
    return X


def random_pose(size: float) -> Any:
    X = np.eye(4)
    X[:3, :3] = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    X[:3, :3] *= np.sign(np.linalg.det(X[:3, :3]))
    X[:3, 3] = RNG.uniform(-size, size, 3)
    return X


def tetrahedron() -> kc.Mesh:
    return kc.Mesh(
        [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    )


HALVES = [(kc.Box([1, 2, 3]), at(-0.5)), (kc.Box([1, 2, 3]), at(0.5, turn=np.pi))]
WHOLE = kc.Box([2, 2, 3])


def test_a_box_cut_in_two_is_as_far_as_the_whole() -> None:
    others: list[Any] = [kc.Sphere(0.3), kc.Cylinder(0.2, 0.9), tetrahedron(), kc.Box([0.3, 0.2, 0.1])]
    for k in range(60):
        other, X_WA, X_WB = others[k % 4], random_pose(1.0), random_pose(6.0)
        whole, cut = kc.distance(WHOLE, X_WA, other, X_WB), kc.distance(HALVES, X_WA, other, X_WB)
        if whole.lower > 1e-9:
            assert cut.distance == pytest.approx(whole.distance, abs=1e-9)
            assert cut.lower <= whole.upper
            assert cut.upper >= whole.lower
            assert cut.upper - cut.lower < 1e-9
            gap = np.linalg.norm(cut.p_WA - cut.p_WB)
            assert gap == pytest.approx(whole.distance, abs=1e-9)
            p_A = np.linalg.inv(X_WA) @ [*cut.p_WA, 1.0]
            assert cut.parts[1] == -1
            assert (p_A[0] <= 1e-9) if cut.parts[0] == 0 else (p_A[0] >= -1e-9)
        else:
            assert cut.colliding == whole.colliding


def test_the_two_closest_parts_answer() -> None:
    tree = [(kc.Sphere(0.1), at(z=0.2 * k)) for k in range(10)]
    row = [(kc.Capsule(0.05, 0.3), at(y=0.5 * k)) for k in range(4)]
    found = kc.distance(tree, HERE, row, at(x=1.0, y=-1.0, z=1.0))
    assert found.parts.tolist() == [5, 2]
    assert found.distance == pytest.approx(1.0 - 0.15)
    assert found.normal_W == pytest.approx([1.0, 0.0, 0.0])
    assert found.faces.tolist() == [-1, -1]


def test_every_pair_of_parts_counts_in_batches() -> None:
    parts_a: list[Any] = [(kc.Box([0.2, 0.3, 0.4]), random_pose(1.0)), (tetrahedron(), random_pose(1.0))]
    parts_b: list[Any] = [(kc.Sphere(0.2), random_pose(1.0)), (kc.Cylinder(0.1, 0.5), random_pose(1.0)),
                          (tetrahedron(), random_pose(1.0))]  # fmt: skip
    X_WA = np.array([random_pose(3.0) for _ in range(40)])
    X_WB = np.array([random_pose(3.0) for _ in range(40)])
    found = kc.distance(parts_a, X_WA, parts_b, X_WB, threads=2)
    each = np.array([
        [[kc.distance(a, X @ X_A, b, Y @ X_B).distance for b, X_B in parts_b] for a, X_A in parts_a]
        for X, Y in zip(X_WA, X_WB, strict=True)
    ])  # fmt: skip
    least = each.reshape(40, -1).min(axis=1)
    assert found.distance == pytest.approx(least, abs=1e-9)
    assert (found.lower <= least + 1e-12).all()
    assert (found.upper >= least - 1e-12).all()
    named = each[np.arange(40), found.parts[:, 0], found.parts[:, 1]]
    assert named == pytest.approx(least, abs=1e-9)
    assert (found.colliding == (least <= 0.0)).all()
    one = kc.distance(parts_a, X_WA[7], parts_b, X_WB[7])
    assert one.distance == pytest.approx(found[7].distance, abs=1e-12)
    assert one.parts.tolist() == found[7].parts.tolist()
    assert pickle.loads(pickle.dumps(found)) == found
    contact = kc.collide(parts_a, X_WA, parts_b, X_WB)
    assert (contact.colliding == found.colliding).all()


def test_bounds_allow_for_products_of_poses() -> None:
    """A part 1e6 m from its frame, which stands 1e6 m away, is where cancellation puts it: digits are lost."""
    for _ in range(50):
        X_AP = random_pose(1e6)
        X_WP = random_pose(1.0)
        X_WA = X_WP @ np.linalg.inv(X_AP)
        # The truth in long double: the product of the given matrices, made orthonormal in double by `nearest_rigid`.
        X_WA = kc.nearest_rigid(X_WA)
        product = X_WA.astype(np.longdouble) @ kc.nearest_rigid(X_AP).astype(np.longdouble)
        center = product[:3, 3]
        gap = np.sqrt(((center - [3.0, 0, 0]) ** 2).sum()) - np.longdouble(0.3)
        found = kc.distance([(kc.Sphere(0.2), X_AP)], X_WA, kc.Sphere(0.1), at(3.0))
        assert found.lower <= gap <= found.upper
        assert found.upper - found.lower < 1e-7


def test_find_all_says_which_parts_the_faces_belong_to() -> None:
    cubes = [(kc.Box([1, 1, 1]), at(x=3.0 * k)) for k in range(3)]
    needle = [(kc.Box([9.0, 0.1, 0.1]), at(x=3.0)), (kc.Box([0.1, 0.1, 0.1]), at(y=9.0))]
    found = kc.collide(cubes, HERE, needle, HERE, find="all")
    assert found.state is kc.State.INTERFERING
    assert len(found.pairs) == len(found.parts) == len(found.segments_W)
    assert set(map(tuple, found.parts.tolist())) == {(0, 0), (1, 0), (2, 0)}
    alone = kc.collide(cubes[2][0], cubes[2][1], needle[0][0], needle[0][1], find="all")
    mine = found.pairs[found.parts[:, 0] == 2]
    assert mine.tolist() == alone.pairs.tolist()
    assert found.segments_W[found.parts[:, 0] == 2] == pytest.approx(alone.segments_W)
    both = kc.collide(cubes, np.array([HERE, at(y=50.0)]), needle[0][0], needle[0][1], find="all")
    assert both.colliding.tolist() == [True, False]
    assert both[0].parts.tolist() == [[k, -1] for k, _ in found.parts.tolist()]
    assert [len(p) for p in both.parts] == [len(found.pairs), 0]
    assert pickle.loads(pickle.dumps(both)) == both


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="half a minute without compiled kernels")
def test_contact_that_products_of_poses_hide_counts() -> None:
    """Faces that touch in true numbers are at a gap of 5e-17 m as the poses are rounded."""
    missed = 0
    for turn in np.linspace(0.1, 3.0, 40):
        X_WA = at(0.3, -0.7, turn=turn)
        X_AP = at(0.5)
        X_WB = X_WA @ at(1.5)
        mesh = kc.collide(kc.Box([1, 1, 1]), X_WA @ X_AP, kc.Box([1, 1, 1]), X_WB, find="all")
        missed += not mesh.colliding
        cut = kc.collide([(kc.Box([1, 1, 1]), X_AP)], X_WA, kc.Box([1, 1, 1]), X_WB, find="all")
        assert cut.colliding
        assert cut.state in (kc.State.TOUCHING, kc.State.INTERFERING)
    assert missed > 0


def test_a_part_inside_a_solid_is_contact() -> None:
    found = kc.collide(
        [(kc.Sphere(0.01), at(5.0)), (kc.Sphere(0.01), at(0.1, 0.1, 0.1))], HERE, tetrahedron(), HERE
    )
    assert found.state is kc.State.CONTAINED
    assert (
        kc.distance(tetrahedron(), HERE, [(kc.Sphere(0.01), at(0.1, 0.1, 0.1))], HERE).state
        is kc.State.CONTAINED
    )


def test_a_tracker_follows_each_pair_of_parts() -> None:
    a = [(kc.Box([0.2, 0.3, 0.4]), at(0.5)), (kc.Convex(RNG.normal(size=(60, 3))), at(-3.0))]
    X_WA = np.array([at(x=0.01 * k, turn=0.02 * k) for k in range(100)])
    tracker = kc.Tracker(a, kc.Capsule(0.1, 0.4))
    frames = tracker.distance(X_WA, at(y=4.0))
    cold = kc.distance(a, X_WA, kc.Capsule(0.1, 0.4), at(y=4.0))
    assert frames.distance == pytest.approx(cold.distance, abs=1e-12)
    assert tracker.statistics.frames == 100
    restored = pickle.loads(pickle.dumps(tracker))
    assert restored.statistics == tracker.statistics
    assert restored.distance(X_WA[3], at(y=4.0)).distance == pytest.approx(frames.distance[3], abs=1e-12)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "at least one part"),
        ((), "at least one part"),
        ([kc.Sphere(1)], r"part 0 of a compound must be \(shape, X\)"),
        ([(kc.Sphere(1), HERE), ([(kc.Sphere(1), HERE)], HERE)], "part 1 of a compound is a list itself"),
        ([(kc.Sphere(1), 2 * HERE)], "part 0"),
        ([(kc.Sphere(1), HERE[None])], r"one pose \(4, 4\), but it has shape \(1, 4, 4\)"),
        ([(3.0, HERE)], "part 0"),
        ([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]], r"kc\.Mesh\(vertices, faces\)"),
    ],
)
def test_what_is_no_compound_is_refused(value: Any, message: str) -> None:
    for ask in (
        lambda: kc.distance(value, HERE, kc.Sphere(1), HERE),
        lambda: kc.collide(kc.Sphere(1), HERE, value, HERE),
        lambda: kc.Tracker(kc.Sphere(1), value),
    ):
        with pytest.raises(kc.KeepclearError, match=message):
            ask()


def test_using_needs_parts_with_faces() -> None:
    round_parts = [(kc.Sphere(1), HERE)]
    with pytest.raises(kc.ArgumentError, match="needs two bodies with faces"):
        kc.collide(round_parts, HERE, tetrahedron(), HERE, using="obb_tree")
    mixed = [(kc.Sphere(0.1), at(9.0)), (tetrahedron(), HERE)]
    assert kc.collide(mixed, HERE, tetrahedron(), at(0.1), using="box_tree").using == "box_tree"
    with pytest.raises(kc.ArgumentError, match="find='all' lists faces"):
        kc.collide(mixed, HERE, tetrahedron(), HERE, find="all")


def test_a_compound_prints_its_parts() -> None:
    assert repr(as_body([(kc.Sphere(0.5), HERE)])) == "[(Sphere(radius=0.5), X)]"
