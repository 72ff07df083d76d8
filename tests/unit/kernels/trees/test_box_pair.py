"""Two box trees against each other: all pairs that brute force finds, in pieces, in one direction and in both."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.box_tree_count import CountedSearch
from tests.oracles.poses import random_rotation
from tests.unit.kernels.trees.box_trees import search
from tests.unit.kernels.trees.test_box_tree import sheet, soup

import keepclear as kc
from keepclear.kernels.trees import box_pair, obb_pair
from keepclear.kernels.trees import box_tree as layout
from keepclear.kernels.triangles import exact
from keepclear.preprocess.surface import bare_surface


def pose(R: object = 1.0, t: object = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = R * np.eye(3) if np.ndim(R) == 0 else R
    X[:3, 3] = t
    return X


def all_pairs(a: kc.BoxTree, X_WA: np.ndarray, b: kc.BoxTree, X_WB: np.ndarray) -> list[tuple[int, int, int]]:
    """Ask the exact test about every pair of triangles."""
    M, digits = np.concatenate([X_WA[:3].ravel(), X_WB[:3].ravel()]), np.zeros(exact.SCRATCH, np.int64)
    sizes = len(a.mesh.triangles), len(b.mesh.triangles)
    return [
        (0, i, j)
        for i, j in np.ndindex(*sizes)
        if exact.meet_exactly(*a.surface, i, *b.surface, j, M, digits) != exact.APART
    ]


RNG = np.random.default_rng(11)
TURN = random_rotation(RNG)
TETRAHEDRON = kc.Mesh(np.eye(4, 3, k=-1), [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
FAR = np.array([1e6, 1e6, 1e6])
SCENES = {
    "crossing soups": (soup(8, 1, 1.0), pose(), soup(8, 2, 1.0), pose()),
    "turned": (
        soup(8, 3, 1.0),
        pose(TURN, -TURN @ [30.0, 0.0, -7.0]),
        soup(8, 4, 1.0),
        pose(t=[-30.0, 0.0, 7.0]),
    ),
    "scaled": (sheet(2), pose(2.0 * TURN), TETRAHEDRON, pose(0.5 * TURN.T, TURN @ [1.0, 0.2, 1.4])),
    "touching faces": (TETRAHEDRON, pose(), TETRAHEDRON, pose(np.diag([1.0, -1.0, -1.0]), [0.0, 0.5, 0.0])),
    "touching corners": (TETRAHEDRON, pose(), TETRAHEDRON, pose(t=[1.0, 0.0, 0.0])),
    "nearly touching": (TETRAHEDRON, pose(), TETRAHEDRON, pose(t=[1.0 + 2.0**-52, 0.0, 0.0])),
    "touching far away": (TETRAHEDRON, pose(t=FAR), TETRAHEDRON, pose(t=FAR + np.array([0.0, 0.0, 1.0]))),
    "itself": (TETRAHEDRON, pose(TURN), TETRAHEDRON, pose(TURN)),
    "a point on a face": (
        TETRAHEDRON,
        pose(),
        kc.Mesh(np.ones((3, 3)), [[0, 1, 2]] * 3),
        pose(t=[-1.0, -0.5, -0.75]),
    ),
    "apart": (TETRAHEDRON, pose(), TETRAHEDRON, pose(t=[9.0, 0.0, 0.0])),
}


@pytest.mark.parametrize("name", SCENES)
def test_all_pairs_that_meet_are_found(name: str) -> None:
    mesh_a, X_WA, mesh_b, X_WB = SCENES[name]
    a, b = kc.build_box_tree(mesh_a), kc.build_box_tree(mesh_b)
    expected = all_pairs(a, X_WA, b, X_WB)
    assert bool(expected) == (name not in ("nearly touching", "apart"))
    for both in (True, False):
        assert search(a, X_WA, b, X_WB, both=both).hits == expected
        swapped = search(b, X_WB, a, X_WA, both=both).hits
        assert sorted((0, i, j) for _, j, i in swapped) == expected
        one = search(a, X_WA, b, X_WB, both=both, find_all=False).hits
        assert len(one) == min(1, len(expected))
        assert set(one) <= set(expected)


def test_a_search_in_pieces_finds_the_same() -> None:
    mesh_a, X_WA, mesh_b, X_WB = SCENES["crossing soups"]
    a, b = kc.build_box_tree(mesh_a), kc.build_box_tree(mesh_b)
    whole = search(a, X_WA, b, X_WB)
    step_by_step = search(a, X_WA, b, X_WB, budget=1)
    small = search(a, X_WA, b, X_WB, capacity=1)
    assert whole.hits == step_by_step.hits == small.hits
    assert whole.calls == 1
    assert step_by_step.calls > 50
    assert small.calls > len(whole.hits)
    for pieces in (step_by_step, small):
        assert np.array_equal(pieces.state[obb_pair.BOX_PAIRS :], whole.state[obb_pair.BOX_PAIRS :])


def test_many_poses_are_answered_one_by_one() -> None:
    a, b = kc.build_box_tree(TETRAHEDRON), kc.build_box_tree(soup(5, 1))
    poses = np.array([pose(t=[x - 30.0, 0.0, 7.0]) for x in (-9.0, -1.0, 0.0, 1.0, 9.0)])
    many = search(a, np.eye(4), b, poses).hits
    single = [(k, i, j) for k, X in enumerate(poses) for _, i, j in search(a, np.eye(4), b, X).hits]
    assert many == single
    assert {k for k, _, _ in many} < {1, 2, 3}
    assert [k for k, _, _ in search(a, np.eye(4), b, poses, find_all=False).hits] == sorted(
        {k for k, _, _ in many}
    )


OPERATIONS = [box_pair.MULTIPLICATIONS, box_pair.ADDITIONS, box_pair.COMPARISONS]


def bare_tree(mesh: kc.Mesh) -> kc.BoxTree:
    """Return a tree of splits alone, as the source has it."""
    surface, n = bare_surface(mesh), len(mesh.triangles)
    nodes, order, triangles = np.empty(8 * n, np.float32), np.empty(n, np.int32), np.empty(10 * n)
    count = layout.build(
        *surface, order, nodes, nodes.view(np.int32), triangles, np.empty(layout.SCRATCH), layout.BARE
    )
    return kc.BoxTree(mesh, nodes[: layout.NODE * (count + 1)].copy())


def test_operations_of_two_triangles_are_those_counted_by_hand() -> None:
    # Two trees of a split and two leaves, along x, at a gap on each side; B is shifted, so one entry of each row of the
    # matrix is 1. Both roots have the same size: A opens first.
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 1], [3, 0, 0], [4, 0, 0], [4, 1, 1]]
    tree = bare_tree(kc.Mesh(vertices, [[0, 1, 2], [3, 4, 5]]))
    assert tree.n_nodes == 3
    X_WB = pose(t=[3.25, 0.3, 0.1])
    state = search(tree, np.eye(4), tree, X_WB, extras=False).state
    # Step 1 opens A: the choice of the side (1 multiplication, 1 comparison); two children at 3 multiplications and 4
    # comparisons each. The first child (x up to 1) is apart from B, which begins at 3.25. The second stays: a gap in
    # A's frame, three in B's and the size, 5 additions. Step 2 opens B beside a leaf: two children again; the second
    # (x from 6.25) is apart, the first stays, 5 additions, and is a pair of leaves.
    assert state[OPERATIONS].tolist() == [1 + 6 + 6, 5 + 5, 1 + 8 + 8]
    counted = state[[box_pair.STEPS, box_pair.CUT_PAIRS, box_pair.SLABS, obb_pair.LEAF_PAIRS]]
    assert counted.tolist() == [2, 4, 0, 1]
    # In A's frame alone a cut of A costs a comparison, a cut of B three of them and three multiplications.
    state = search(tree, np.eye(4), tree, X_WB, both=False, extras=False).state
    assert state[OPERATIONS].tolist() == [1 + 0 + 6, 2 + 4, 1 + 2 + 6]


@pytest.mark.parametrize("both", [True, False], ids=["both", "one"])
@pytest.mark.parametrize("extras", [True, False], ids=["full", "bare"])
def test_operations_are_those_of_numbers_that_count_themselves(both: bool, extras: bool) -> None:
    build = kc.build_box_tree if extras else bare_tree
    a, b = build(sheet(5)), build(soup(30, 6, 0.5))
    planes = 0
    for shift in ([0.5, 0.4, 0.7], [0.45, 0.5, 0.6]):
        X_WB = pose(TURN, shift - TURN @ [30.0, 0.0, -7.0])
        state = search(a, np.eye(4), b, X_WB, both=both, extras=extras).state
        counted = CountedSearch(a, b, X_WB, both=both, extras=extras).run()
        kinds = "multiplications", "additions", "comparisons"
        assert state[OPERATIONS].tolist() == [counted.counts[kind] for kind in kinds]
        assert state[[box_pair.STEPS, box_pair.CUT_PAIRS]].tolist() == [counted.steps, counted.pairs]
        assert state[[box_pair.SLABS, obb_pair.LEAF_PAIRS]].tolist() == [counted.planes, counted.leaves]
        assert counted.steps > 50
        planes += counted.planes
    assert (planes > 20) == extras


def test_a_pair_of_boxes_takes_what_the_source_says() -> None:
    # The source: at most 3 multiplications, 4 additions and 5 comparisons for each pair of boxes in both directions,
    # half of that in one. Ours chooses the body that is opened, which takes a multiplication and a comparison per step,
    # and keeps the sizes of boxes for that, one addition for each pair that stays; a comparison less for each pair.
    a, b = bare_tree(sheet(5)), bare_tree(soup(30, 6, 0.5))
    X_WB = pose(TURN, [0.5, 0.4, 0.7] - TURN @ [30.0, 0.0, -7.0])
    state = search(a, np.eye(4), b, X_WB, extras=False).state
    pairs, steps = state[box_pair.CUT_PAIRS], state[box_pair.STEPS]
    assert pairs == 2 * steps
    multiplications, additions, comparisons = state[OPERATIONS]
    assert 3 * pairs <= multiplications <= 3 * pairs + steps
    assert 2 * pairs < additions <= 5 * pairs
    assert 4 * pairs <= comparisons <= 4 * pairs + steps <= 5 * pairs


def test_two_directions_and_slabs_leave_fewer_triangles() -> None:
    a = kc.build_box_tree(sheet(8))
    b, X_WB = a, pose(t=[-0.06, -0.06, 0.06])  # off the sheet, along its normal
    both, one = search(a, np.eye(4), b, X_WB).state, search(a, np.eye(4), b, X_WB, both=False).state
    assert 0 < both[box_pair.STEPS] <= one[box_pair.STEPS]
    assert both[box_pair.SLABS] > 0
    assert both[obb_pair.LEAF_PAIRS] <= one[obb_pair.LEAF_PAIRS] < 128


def test_bodies_far_apart_cost_one_comparison_of_boxes() -> None:
    a, b = (kc.build_box_tree(SCENES["apart"][k]) for k in (0, 2))
    state = search(a, SCENES["apart"][1], b, SCENES["apart"][3]).state
    assert (state[obb_pair.BOX_PAIRS], state[box_pair.STEPS], state[obb_pair.LEAF_PAIRS]) == (1, 0, 0)


def test_a_stack_without_room_is_refused() -> None:
    tree = kc.build_box_tree(TETRAHEDRON)
    state, digits = np.zeros(box_pair.STATE, np.int64), np.zeros(exact.SCRATCH, np.int64)
    state[obb_pair.DEPTH] = -1
    stack, hits = np.empty(box_pair.PAIR * (2 * tree.depth + 2) - 1), np.empty(obb_pair.HIT, np.int32)
    arrays = tree.arrays
    ended = box_pair.collide(
        *arrays, *arrays, np.eye(4)[None], np.eye(4)[None], state, stack, hits, digits, True, True, True, 9
    )
    assert ended == box_pair.TOO_SHORT
    assert state[obb_pair.DEPTH] == -1
