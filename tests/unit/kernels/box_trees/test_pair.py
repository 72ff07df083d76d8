"""Two box trees against each other: all pairs that brute force finds, in pieces."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.poses import random_rotation
from tests.unit.kernels.box_trees.test_tree import sheet, soup
from tests.unit.kernels.trees.box_trees import search

import keepclear as kc
from keepclear.kernels.box_trees import pair
from keepclear.kernels.trees import obb_pair
from keepclear.kernels.triangles import exact


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
    assert search(a, X_WA, b, X_WB).hits == expected
    swapped = search(b, X_WB, a, X_WA).hits
    assert sorted((0, i, j) for _, j, i in swapped) == expected
    one = search(a, X_WA, b, X_WB, find_all=False).hits
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


def test_slabs_separate_parallel_surfaces_whose_boxes_overlap() -> None:
    a = kc.build_box_tree(sheet(8))
    state = search(a, np.eye(4), a, pose(t=[-0.06, -0.06, 0.06])).state  # off the sheet, along its normal
    assert (state[obb_pair.BOX_PAIRS], state[obb_pair.LEAF_PAIRS]) == (1, 0)


def test_bodies_far_apart_cost_one_comparison_of_boxes() -> None:
    a, b = (kc.build_box_tree(SCENES["apart"][k]) for k in (0, 2))
    state = search(a, SCENES["apart"][1], b, SCENES["apart"][3]).state
    assert (state[obb_pair.BOX_PAIRS], state[obb_pair.LEAF_PAIRS]) == (1, 0)


def test_a_stack_without_room_is_refused() -> None:
    tree = kc.build_box_tree(TETRAHEDRON)
    state, digits = np.zeros(obb_pair.STATE, np.int64), np.zeros(exact.SCRATCH, np.int64)
    state[obb_pair.DEPTH] = -1
    stack, hits = np.empty(pair.PAIR * (2 * tree.depth + 2) - 1), np.empty(obb_pair.HIT, np.int32)
    arrays = tree.arrays
    ended = pair.collide(
        *arrays, *arrays, np.eye(4)[None], np.eye(4)[None], state, stack, hits, digits, True, 9
    )
    assert ended == pair.TOO_SHORT
    assert state[obb_pair.DEPTH] == -1
