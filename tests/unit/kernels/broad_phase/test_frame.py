"""What is near in a frame, kernel by kernel: pairs of boxes, their order, odometers, rooms that are too small."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.broad_phase import frame
from keepclear.kernels.broad_phase.tree import fill_tree
from keepclear.kernels.convex import gjk
from keepclear.kernels.tables.frame import FRAME, FRAME_BODY, NEAR_PAIR
from keepclear.scene.steps import curve_order, n_nodes

Array = np.ndarray


def random_boxes(rng: np.random.Generator, n: int) -> Array:
    low = rng.uniform(-1.0, 1.0, (n, 3))
    return np.concatenate([low, low + rng.uniform(0.0, 0.5, (n, 3)) ** 2], axis=1)


def tree_over(boxes: Array, members: Array) -> tuple[Array, Array]:
    order = members[curve_order(boxes[members])] if len(members) else members
    nodes = np.empty((n_nodes(len(members)), 6))
    fill_tree(boxes, order, nodes)
    return order, nodes


def overlap(a: Array, b: Array) -> bool:
    return bool((a[:3] <= b[3:]).all() and (b[:3] <= a[3:]).all())


@pytest.mark.parametrize("n", [1, 2, 4, 5, 17, 64, 100])
def test_all_pairs_of_boxes_that_overlap_are_found_once(n: int) -> None:
    rng = np.random.default_rng(n)
    boxes = random_boxes(rng, n)
    boxes[rng.random(n) < 0.05] = [-np.inf] * 3 + [np.inf] * 3
    bodies = np.zeros(n, FRAME_BODY)
    bodies["owner"], bodies["group"] = np.arange(n) // 2, rng.integers(1, 1 + n // 2 + 1, n)
    order, nodes = tree_over(boxes, np.arange(n))
    pairs, stack = np.empty((n * n, 2), np.int64), np.empty(frame.STACK, np.int64)
    count = frame._join_trees(order, nodes, order, nodes, True, boxes, bodies, stack, pairs, 0)
    expected = [
        (a, b)
        for a, b in itertools.combinations(range(n), 2)
        if overlap(boxes[a], boxes[b])
        and bodies["owner"][a] != bodies["owner"][b]
        and bodies["group"][a] != bodies["group"][b]
    ]
    assert sorted(map(tuple, pairs[:count].tolist())) == expected


def test_pairs_of_two_trees() -> None:
    rng = np.random.default_rng(3)
    boxes, n = random_boxes(rng, 60), 60
    bodies = np.zeros(n, FRAME_BODY)
    bodies["owner"] = bodies["group"] = np.arange(n)
    moving, still = (
        tree_over(boxes, np.arange(0, n, 3)),
        tree_over(boxes, np.setdiff1d(np.arange(n), np.arange(0, n, 3))),
    )
    pairs, stack = np.empty((n * n, 2), np.int64), np.empty(frame.STACK, np.int64)
    count = frame._join_trees(*moving, *still, False, boxes, bodies, stack, pairs, 0)
    expected = sorted(
        (min(a, b), max(a, b))
        for a in moving[0].tolist()
        for b in still[0].tolist()
        if overlap(boxes[a], boxes[b])
    )
    assert sorted(map(tuple, pairs[:count].tolist())) == expected
    few = np.empty((2, 2), np.int64)
    assert (
        frame._join_trees(*moving, *still, False, boxes, bodies, stack, few, 0) == count
    )  # counts go on without capacity


def test_pairs_are_sorted() -> None:
    rng = np.random.default_rng(5)
    n = 30
    expected = np.unique(rng.integers(0, n * n, 200))
    pairs = np.stack(divmod(rng.permutation(expected), n), axis=1)
    keys = np.full(len(expected), 10**9)
    frame._sort_pairs(pairs, len(pairs), n, np.empty(n + 1, np.int64), keys)
    assert keys.tolist() == expected.tolist()


class Balls:
    """Balls of 0.1 m as the kernel reads them; each is an item and a class."""

    def __init__(self, positions: list[list[float]], capacity: int = 64) -> None:
        n = len(positions)
        self.F, self.L = packed(kc.Sphere(0.1))
        self.bodies = np.zeros(n, FRAME_BODY)
        self.bodies["reals"], self.bodies["links"] = (0, len(self.F)), (0, len(self.L))
        self.bodies["owner"], self.bodies["group"] = np.arange(n), np.arange(1, n + 1)
        self.bodies["radius"], self.bodies["half"] = 0.1, 0.1
        self.X = np.tile(np.eye(4), (n, 1, 1))
        self.X[:, :3, 3] = positions
        self.X_last = self.X.copy()
        self.rules, self.special = np.empty(0, np.int64), np.empty(0)
        self.stack = np.empty(frame.STACK, np.int64)
        self.trees = np.arange(n), np.empty((n_nodes(n), 6)), np.empty(0, np.int64), np.empty((n_nodes(0), 6))
        self.boxes, self.starts, self.frame = np.empty((n, 6)), np.empty(n + 1, np.int64), np.zeros(1, FRAME)
        self.frame["items"], self.frame["selected"] = n, -1
        self.reserve(capacity)

    def reserve(self, capacity: int) -> None:
        self.pairs, self.keys = np.empty((capacity, 2), np.int64), np.empty(capacity, np.int64)
        self.old, self.new = np.empty(capacity, frame.FRAME_PAIR), np.empty(capacity, frame.FRAME_PAIR)
        self.out = np.empty(capacity, NEAR_PAIR), np.empty((capacity, gjk.ROW))

    def run(self, far: float) -> int:
        self.frame["far"], self.frame["renew"] = far, 1
        ended = frame.near_contacts(
            self.F, self.L, self.bodies, self.X, self.X_last, self.rules, self.special, self.stack, *self.trees,
            self.boxes, self.pairs, self.starts, self.keys, self.old, self.new, *self.out, self.frame,
        )  # fmt: skip
        if ended == 0:
            self.old, self.new = self.new, self.old
        return int(ended)

    def reported(self) -> list[Any]:
        m = self.frame["reported"][0]
        pairs, distances = self.out[0][:m], self.out[1][:m, 0]
        return [
            (a, b, round(d, 9))
            for a, b, d in zip(pairs["a"].tolist(), pairs["b"].tolist(), distances.tolist(), strict=True)
        ]


def test_a_frame_of_balls() -> None:
    balls = Balls([[0, 0, 0], [0.23, 0, 0], [0.5, 0, 0], [0.52, 0, 0]])
    assert balls.run(0.05) == 0
    assert balls.reported() == [(0, 1, 0.03), (2, 3, -0.18)]
    balls.X[1, 0, 3] = 0.27
    assert balls.run(0.05) == 0
    assert balls.reported() == [(1, 2, 0.03), (1, 3, 0.05), (2, 3, -0.18)]


def test_pairs_that_have_not_come_near_are_not_asked_again() -> None:
    balls = Balls([[0, 0, 0], [0.21, 0.21, 0]])
    balls.bodies["radius"] = 0.2  # balls around them that prove nothing
    balls.run(0.05)
    (row,) = balls.old[: balls.frame["kept"][0]]
    known, stamp = row.known, row.stamp
    assert known == pytest.approx(np.hypot(0.21, 0.21) - 0.2, abs=1e-12)
    balls.X[1, 0, 3] += 0.01
    balls.run(0.05)
    (row,) = balls.old[: balls.frame["kept"][0]]
    assert (row.known, row.stamp) == (known, stamp)
    assert balls.bodies["odometer"][1] == pytest.approx(0.01)
    balls.X[1, :2, 3] -= 0.04
    balls.run(0.05)
    assert balls.reported() == [(0, 1, round(float(np.hypot(0.18, 0.17) - 0.2), 9))]


def test_a_turn_moves_the_points_of_a_body() -> None:
    balls = Balls([[0, 0, 0]])
    balls.bodies["center"], balls.bodies["radius"], balls.bodies["half"] = (1.0, 0.0, 0.0), 0.5, 0.5
    angle = 0.2
    balls.X[0, :2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    balls.run(0.05)
    assert balls.bodies["odometer"][0] == pytest.approx(2.0 * np.sin(0.5 * angle) * 1.5)
    assert (balls.X_last == balls.X).all()


def test_paths_since_the_last_frame_make_pairs_open() -> None:
    balls = Balls([[0, 0, 0], [0.8, 0, 0]])
    balls.run(0.05)
    assert balls.reported() == []
    balls.bodies["travel"] = 0.31
    balls.run(0.05)
    assert balls.reported() == [(0, 1, 0.6)]
    assert balls.out[0]["open"][0] == 1


def test_room_that_is_too_small_is_said() -> None:
    balls = Balls([[0.01 * k, 0, 0] for k in range(8)], capacity=5)
    assert balls.run(0.05) == 1
    assert balls.frame["needed"][0] == 28
    balls.reserve(28)
    assert balls.run(0.05) == 0
    assert len(balls.reported()) == 28


def test_arrays_that_are_too_small_are_refused() -> None:
    balls = Balls([[0, 0, 0], [0.2, 0, 0]])
    for name in ("keys", "X", "X_last", "boxes", "starts", "stack", "new"):
        whole = getattr(balls, name)
        setattr(balls, name, np.ascontiguousarray(whole[:-1]))
        assert balls.run(0.05) == 3, name
        setattr(balls, name, whole)
    balls.frame["kept"] = 65
    assert balls.run(0.05) == 3


def test_a_pose_that_is_not_rigid_is_refused() -> None:
    balls = Balls([[0, 0, 0], [0.2, 0, 0]])
    balls.X[1, 0, 0] = 2.0
    assert balls.run(0.05) == 2
