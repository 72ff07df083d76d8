"""Two sphere trees at given poses: the source's example, hits of all pairs, gaps, containment, bounds, bad input."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from numba import config
from scipy.spatial.transform import Rotation
from tests.oracles import sphere_cover as oracle
from tests.unit.geometry.sphere_meshes import CUBE, QUADS, ring, soup, spiky

import keepclear as kc
from keepclear.geometry.spheres.tree import SphereTree
from keepclear.query.instant.sphere_search import sphere_collide

HERE = np.eye(4)
OPEN = kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
SMALL = kc.Mesh([[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0]], [[0, 1, 2]])


def at(*position: float, turned: int | None = None) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = position
    if turned is not None:
        X[:3, :3] = Rotation.random(random_state=turned).as_matrix()
    return X


def random_poses(n: int, reach: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = np.tile(np.eye(4), (n, 1, 1))
    X[:, :3, :3] = Rotation.random(n, random_state=seed).as_matrix()
    X[:, :3, 3] = rng.uniform(-reach, reach, (n, 3))
    return X


def tree_of_spheres(ranks: list[list[tuple[float, float, int]]]) -> SphereTree:
    """Return a tree of given spheres on the x axis: position, radius and parent for each; it covers nothing."""
    spheres = np.array([[x, 0.0, 0.0, r] for rank in ranks for x, r, _ in rank])
    starts = np.cumsum([0, *map(len, ranks)])
    counts = [
        sum(p == i for _, _, p in below)
        for rank, below in zip(ranks, [*ranks[1:], []], strict=True)
        for i in range(len(rank))
    ]
    return SphereTree._of(
        _shape=OPEN,
        _spheres=spheres.reshape(-1),
        _first=np.cumsum([1, *counts]).astype(np.int32),
        _parent=np.array([p for rank in ranks for _, _, p in rank], np.int32),
        _cells=np.zeros((len(spheres), 6)),
        _radii=tuple(max(r for _, r, _ in rank) for rank in ranks),
        _rank_start=tuple(starts.tolist()),
        _surface_pad=0.0,
        accuracy=1.0,
        cells="source",
    )


def five_against_three() -> tuple[SphereTree, SphereTree]:
    """Return two trees that meet as those of the source's Fig. 11 do; x1 is index 0, x2 is 1 and so on."""
    x = tree_of_spheres(
        [
            [(0.0, 10.0, -1)],  # x: from -10 to 10
            [(3.0, 3.0, 0), (2.0, 2.0, 0), (-5.0, 3.0, 0)],  # x1, x2 meet y; x3 does not
            [(4.5, 1.5, 0), (4.0, 1.5, 0), (1.0, 1.0, 0)],  # x11, x12 meet y1; x13 does not
            [(3.5, 0.4, 0), (5.2, 0.8, 0), (5.4, 0.5, 0)],  # x111 does not meet y11, x112 does; x113 would
            [(4.6, 0.1, 1), (5.6, 0.2, 1), (5.7, 0.1, 1)],  # x1121 does not meet y11, x1122 does; x1123 would
        ]
    )
    y = tree_of_spheres(
        [
            [(13.0, 10.0, -1)],  # y: from 3 to 23
            [(6.5, 2.5, 0), (11.0, 2.5, 0), (20.0, 2.0, 0)],  # y1, y2 meet x; y3 does not
            [(6.0, 1.0, 0), (6.5, 1.0, 0), (8.5, 0.5, 0)],  # y11, y12 meet x1; y13 does not
        ]
    )
    return x, y


def test_the_example_of_the_source_runs_group_by_group() -> None:
    """Five ranks against three: nine groups of tests, and the first hit is x1122 with y11.

    The source says of groups 4 and 7 that all combinations of marked spheres are tested, and of 8 and 9 that testing
    stops where a pair meets. Here pairs wait on the stack: the first one meets and is opened before the others' turn.
    """
    x, y = five_against_three()
    c = kc.collide(x, HERE, y, HERE, trace=True)
    tests = [(int(t.group), int(t.rank_a), int(t.a), int(t.rank_b), int(t.b), bool(t.met)) for t in c.trace]
    assert tests == [
        (1, 0, 0, 0, 0, True),  # (x, y)
        (2, 0, 0, 1, 0, True),  # x with y1, y2, y3: marks y1 and y2
        (2, 0, 0, 1, 1, True),
        (2, 0, 0, 1, 2, False),
        (3, 1, 0, 0, 0, True),  # y with x1, x2, x3: marks x1 and x2
        (3, 1, 1, 0, 0, True),
        (3, 1, 2, 0, 0, False),
        (4, 1, 0, 1, 0, True),  # (x1, y1)
        (5, 1, 0, 2, 0, True),  # x1 with y11, y12, y13
        (5, 1, 0, 2, 1, True),
        (5, 1, 0, 2, 2, False),
        (6, 2, 0, 1, 0, True),  # y1 with x11, x12, x13
        (6, 2, 1, 1, 0, True),
        (6, 2, 2, 1, 0, False),
        (7, 2, 0, 2, 0, True),  # (x11, y11): y11 is of the lowest rank and stays
        (8, 3, 0, 2, 0, False),  # y11 with x111, x112; x113 is bypassed
        (8, 3, 1, 2, 0, True),
        (9, 4, 0, 2, 0, False),  # y11 with x1121, x1122; x1123 is not tested
        (9, 4, 1, 2, 0, True),
    ]
    assert c.pairs.tolist() == [[1, 0]]
    assert c.positions_W.tolist() == [[5.8, 0.0, 0.0]]
    assert c.n_tests == len(tests)
    assert c.tests.sum(axis=1).tolist() == [4, 7, 4, 2, 2]


def test_all_hits_of_the_example_include_what_was_bypassed() -> None:
    x, y = five_against_three()
    c = kc.collide(x, HERE, y, HERE, find="all", trace=True)
    assert c.trace.group.tolist()[:19] == [1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 5, 6, 6, 6, 7, 8, 8, 9, 9]
    assert [1, 0] in c.pairs.tolist()
    assert [2, 0] in c.pairs.tolist()
    swapped = kc.collide(y, HERE, x, HERE, find="all")
    assert sorted(map(tuple, swapped.pairs[:, ::-1].tolist())) == sorted(map(tuple, c.pairs.tolist()))


build = kc.build_sphere_tree
REACH = {"ring and spikes": 2.0, "box and one sphere": 0.7}
PAIRS: dict[str, Callable[[], tuple[SphereTree, SphereTree]]] = {
    "ring and spikes": lambda: (build(ring(), 0.2), build(spiky(), 0.25, cells="even")),
    "soup and capsule": lambda: (build(soup(8, 5), 0.25), build(kc.Capsule(0.3, 0.8), 0.1, ratio=3.0)),
    "box and one sphere": lambda: (build(kc.Box([1, 0.5, 0.2]), 0.1), build(kc.Sphere(0.2), 1.0)),
    "two ranks and many": lambda: (
        build(kc.Box([1, 1, 1]), 0.2, ranks=2),
        build(kc.Cylinder(0.3, 0.9), 0.1, 1.4),
    ),
}


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="many seconds without compiled kernels")
@pytest.mark.parametrize("name", PAIRS)
def test_hits_are_those_of_all_smallest_pairs(name: str) -> None:
    a, b = PAIRS[name]()
    leaves_a, leaves_b = a.ranks[-1], b.ranks[-1]
    poses = random_poses(20, REACH.get(name, 1.2), 7)
    some, none = 0, 0
    for margin in (0.0, 0.07):
        batch = kc.collide(a, HERE, b, poses, find="all", margin=margin)
        without = sphere_collide(a, HERE, b, poses, "all", margin, False, 1, marks=False)
        first = kc.collide(a, HERE, b, poses, margin=margin)
        for k, X in enumerate(poses):
            expected = oracle.all_hits(
                leaves_a.centers, HERE, leaves_b.centers, X, leaves_a.radius + leaves_b.radius + margin
            ).tolist()
            assert sorted(batch.pairs[k].tolist()) == expected
            assert sorted(without.pairs[k].tolist()) == expected
            assert len(first.pairs[k]) == bool(expected)
            assert first.pairs[k].tolist() == batch.pairs[k].tolist()[:1]
            some, none = some + bool(expected), none + (not expected)
        assert np.array_equal(batch.may_touch, first.may_touch)
    assert some > 2
    assert none > 2


def test_positions_are_midway_between_the_centers() -> None:
    a, b = kc.build_sphere_tree(ring(), 0.1), kc.build_sphere_tree(spiky(), 0.2)
    X_WA, X_WB = at(0.3, -1.0, 2.0, turned=1), at(0.5, -0.7, 2.5, turned=2)
    c = kc.collide(a, X_WA, b, X_WB, find="all")
    assert len(c.pairs) > 10
    for (i, j), position in zip(c.pairs, c.positions_W, strict=True):
        p = X_WA[:3, :3] @ a.ranks[-1].centers[i] + X_WA[:3, 3]
        q = X_WB[:3, :3] @ b.ranks[-1].centers[j] + X_WB[:3, 3]
        assert np.allclose(position, 0.5 * (p + q), atol=1e-12)


@pytest.mark.parametrize("name", PAIRS)
def test_the_lower_bound_is_that_of_all_smallest_pairs(name: str) -> None:
    a, b = PAIRS[name]()
    leaves_a, leaves_b = a.ranks[-1], b.ranks[-1]
    poses = random_poses(16, 2.0, 8)
    found = kc.distance(a, HERE, b, poses)
    for k, X in enumerate(poses):
        moved = leaves_b.centers @ X[:3, :3].T + X[:3, 3]
        apart = np.linalg.norm(leaves_a.centers[:, None] - moved, axis=2)
        least = max(0.0, apart.min() - leaves_a.radius - leaves_b.radius)
        assert found.lower[k] == pytest.approx(0.0 if found.contained[k] else least, abs=1e-12)
        if least > 0.0 and not found.contained[k]:
            assert found.lower[k] <= least
            assert apart[tuple(found.pair[k])] == pytest.approx(apart.min(), abs=1e-12)
    assert (found.lower > 0.0).sum() > 2


def test_gap_and_margin_by_hand() -> None:
    """Two balls of 0.5 m, covered to 0.05 m: covers reach up to 0.1 m beyond them."""
    ball = kc.build_sphere_tree(kc.Sphere(0.5), 0.05)
    c = kc.collide(ball, HERE, ball, at(1.0, 0.0, 0.0))
    assert c.may_touch
    assert 0.2 < c.gap < 0.2000001
    assert "may touch, gap at most 0.2 m, 1 pair of smallest spheres" in repr(c)
    far = kc.collide(ball, HERE, ball, at(1.3, 0.0, 0.0))
    assert not far.may_touch
    assert math.isnan(far.gap)
    assert far.pairs.shape == (0, 2)
    assert far.positions_W.shape == (0, 3)
    wide = kc.collide(ball, HERE, ball, at(1.3, 0.0, 0.0), margin=0.3)
    assert wide.may_touch
    assert 0.5 < wide.gap < 0.5000001
    assert "proved free by more than 0.05 m" in repr(kc.collide(ball, HERE, ball, at(1.3, 0, 0), margin=0.05))
    d = kc.distance(ball, HERE, ball, at(1.3, 0.0, 0.0))
    assert 0.1 <= d.lower <= 0.3 <= d.upper <= d.lower + 0.2000001


def solid_cube(size: float) -> kc.Mesh:
    return kc.Mesh((np.array(CUBE) - 0.5) * size, QUADS)


@pytest.mark.parametrize("accuracy", [0.08, 0.3])
def test_a_body_inside_a_solid_is_never_called_free(accuracy: float) -> None:
    shell = kc.build_sphere_tree(solid_cube(2.0), accuracy)
    for inner in (
        solid_cube(0.3),
        kc.Sphere(0.2),
        kc.Box([0.1, 0.3, 0.2]),
        kc.Ellipsoid([0.3, 0.2, 0.1]),
        SMALL,
    ):
        tree = kc.build_sphere_tree(inner, accuracy)
        for pair in ((shell, HERE, tree, at(0.1, 0.0, -0.1)), (tree, at(0.1, 0.0, -0.1), shell, HERE)):
            c, d = kc.collide(*pair), kc.distance(*pair)
            assert c.may_touch
            assert d.lower == 0.0
            if accuracy == 0.08:
                assert c.contained
                assert d.contained
                assert d.upper == 0.0
                assert "one body is inside the other" in repr(c)
                assert "one body is inside the other" in repr(d)


def test_a_convex_solid_around_a_body_counts_too() -> None:
    for outer in (kc.Box([2, 2, 2]), kc.Sphere(1.2), kc.Convex((np.array(CUBE) - 0.5) * 2)):
        tree = kc.build_sphere_tree(outer, 0.12)
        for inner in (solid_cube(0.3), kc.Capsule(0.1, 0.2), SMALL):
            c = kc.collide(tree, HERE, kc.build_sphere_tree(inner, 0.05), at(0.1, 0.0, 0.2))
            assert c.may_touch
            assert c.contained


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="many seconds without compiled kernels")
def test_a_body_in_a_cavity_or_an_open_shell_is_free() -> None:
    outer, cavity = np.array(CUBE) - 0.5, (np.array(CUBE) - 0.5) * 0.8
    faces = [*QUADS, *([k + 8 for k in reversed(quad)] for quad in QUADS)]
    hollow = kc.Mesh(2.0 * np.concatenate([outer, cavity]), faces, solid=True)
    box = kc.build_sphere_tree(solid_cube(0.5), 0.05)
    c = kc.collide(kc.build_sphere_tree(hollow, 0.1), HERE, box, HERE)
    assert not c.may_touch
    assert kc.distance(kc.build_sphere_tree(hollow, 0.1), HERE, box, HERE).lower > 0.1
    open_ = kc.build_sphere_tree(kc.Mesh((np.array(CUBE) - 0.5) * 2, QUADS[:5]), 0.1)
    c = kc.collide(open_, HERE, box, HERE)
    assert not c.may_touch
    assert c.solid == (False, True)
    assert "A surface only" in repr(c)


def test_one_component_inside_is_enough() -> None:
    two = kc.Mesh(
        np.concatenate([(np.array(CUBE) - 0.5) * 0.3, (np.array(CUBE) - 0.5) * 0.3 + [5.0, 0, 0]]),
        [*QUADS, *([k + 8 for k in quad] for quad in QUADS)],
    )
    c = kc.collide(
        kc.build_sphere_tree(two, 0.05), at(-5.0, 0, 0), kc.build_sphere_tree(solid_cube(2.0), 0.05), HERE
    )
    assert c.contained


def test_batches_and_threads_agree_with_single_calls() -> None:
    a, b = kc.build_sphere_tree(ring(), 0.2), kc.build_sphere_tree(spiky(), 0.3)
    X_WA, X_WB = random_poses(9, 0.9, 1), random_poses(9, 0.9, 2)
    for find in ("any", "all"):
        batch = kc.collide(a, X_WA, b, X_WB, find=find, trace=True)
        shared = kc.collide(a, X_WA, b, X_WB, find=find, trace=True, threads=3)
        assert np.array_equal(batch.trace, shared.trace)
        assert np.array_equal(batch.tests, shared.tests)
        assert len(batch) == 9
        for k in range(9):
            one = kc.collide(a, X_WA[k], b, X_WB[k], find=find, trace=True)
            assert one.may_touch == batch.may_touch[k]
            assert one.contained == batch.contained[k]
            assert np.array_equal(one.gap, batch.gap[k], equal_nan=True)
            assert np.array_equal(one.pairs, batch.pairs[k])
            assert np.array_equal(one.pairs, shared.pairs[k])
            assert np.array_equal(one.positions_W, batch.positions_W[k])
            assert one.trace.group.tolist() == batch.trace.group[batch.trace.pose == k].tolist()
    far = kc.distance(a, X_WA, b, X_WB, threads=3)
    assert [kc.distance(a, x, b, y).lower for x, y in zip(X_WA, X_WB, strict=True)] == far.lower.tolist()
    assert len(far) == 9
    repeated = kc.collide(a, HERE, b, X_WB)
    assert [kc.collide(a, HERE, b, X).may_touch for X in X_WB] == repeated.may_touch.tolist()
    nothing = kc.collide(a, HERE, b, np.empty((0, 4, 4)), find="all", trace=True)
    assert len(nothing) == len(nothing.pairs) == len(nothing.trace) == 0
    assert len(kc.distance(a, HERE, b, np.empty((0, 4, 4)))) == 0


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="many seconds without compiled kernels")
def test_marks_save_tests() -> None:
    a, b = kc.build_sphere_tree(ring(), 0.1), kc.build_sphere_tree(spiky(), 0.1)
    poses = random_poses(3, 1.5, 3)
    marked, all_ = (sphere_collide(a, HERE, b, poses, "all", 0.0, False, 1, marks=m) for m in (True, False))
    assert marked.n_tests < 0.7 * all_.n_tests
    assert all_.n_tests < 0.1 * len(poses) * a.n_leaves * b.n_leaves


def test_covers_cannot_tell_contact() -> None:
    tree = kc.build_sphere_tree(kc.Sphere(0.5), 0.05)
    c, d = kc.collide(tree, HERE, tree, HERE), kc.distance(tree, HERE, tree, HERE)
    with pytest.raises(kc.ArgumentError, match="cannot decide whether their bodies touch; read `may_touch`"):
        _ = c.colliding
    with pytest.raises(kc.ArgumentError, match="cannot decide"):
        _ = d.colliding
    with pytest.raises(kc.ArgumentError, match="only bounds of the distance"):
        _ = d.distance
    for result in (c, d):
        with pytest.raises(TypeError, match="has no truth value"):
            bool(result)
        with pytest.raises(TypeError, match="no length"):
            len(result)
        assert repr(pickle.loads(pickle.dumps(result))) == repr(result)
        with pytest.raises(AttributeError):
            result.contained = False
    assert c.trace is None


def test_bad_questions() -> None:
    ball = kc.Sphere(0.5)
    tree = kc.build_sphere_tree(ball, 0.05)
    for a, b, name in ((tree, ball, "B"), (ball, tree, "A"), (tree, [(tree, HERE)], "B"), (tree, None, "B")):
        for ask in (kc.collide, kc.distance):
            with pytest.raises(
                kc.ArgumentError, match=rf"compared with another sphere tree, but body {name} is"
            ):
                ask(a, HERE, b, HERE)
    for margin in (-0.1, math.nan, math.inf, "wide", None):
        with pytest.raises(kc.ArgumentError, match="margin must be"):
            kc.collide(tree, HERE, tree, HERE, margin=margin)
    with pytest.raises(kc.ArgumentError, match="trace must be True or False"):
        kc.collide(tree, HERE, tree, HERE, trace=1)
    with pytest.raises(kc.ArgumentError, match="find must be"):
        kc.collide(tree, HERE, tree, HERE, find="some")
    with pytest.raises(kc.ArgumentError, match="using='obb_tree'"):
        kc.collide(tree, HERE, tree, HERE, using="obb_tree")
    with pytest.raises(kc.ArgumentError, match="threads"):
        kc.distance(tree, HERE, tree, HERE, threads=0)
    for wrong in ({"margin": 0.1}, {"trace": True}):
        with pytest.raises(kc.ArgumentError, match="margin and trace are for two sphere trees"):
            kc.collide(ball, HERE, ball, HERE, **wrong)
    for X in (2.0 * np.eye(4), np.full((4, 4), np.nan), np.eye(3), "here"):
        for ask in (kc.collide, kc.distance):
            with pytest.raises(kc.PoseError):
                ask(tree, HERE, tree, X)
    with pytest.raises(kc.PoseError, match="X_WA has 2 poses and X_WB has 3"):
        kc.collide(tree, np.tile(HERE, (2, 1, 1)), tree, np.tile(HERE, (3, 1, 1)))


def test_a_tree_stands_for_no_shape() -> None:
    tree = kc.build_sphere_tree(kc.Sphere(0.5), 0.05)
    for door in (
        lambda: kc.World().add("ball", tree, HERE),
        lambda: kc.Tracker(tree, kc.Sphere(1)),
        lambda: kc.first_contact(tree, kc.Fixed(HERE), kc.Sphere(1), kc.Fixed(HERE)),
        lambda: kc.collide([(tree, HERE)], HERE, kc.Sphere(1), HERE),
    ):
        with pytest.raises(kc.ArgumentError, match=r"sphere tree covers a shape|expected a shape"):
            door()
