"""Trees over boxes and runs of time steps: the same as all pairs one by one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numba import config

from keepclear.kernels.broad_phase import tree

Array = np.ndarray


def random_boxes(rng: np.random.Generator, n: int) -> Array:
    """Boxes of sizes from 1e-3 to 1e3 m: crowds, a floor, some that coincide, some without thickness, some infinite."""
    size = 10.0 ** rng.uniform(-3, 3, (n, 1)) * rng.uniform(0.1, 1.0, (n, 3))
    size[rng.random(n) < 0.7] *= 0.01
    center = rng.choice([0.1, 1.0, 30.0]) * rng.normal(size=(n, 3))
    if n > 3:
        size[0], center[0] = (500.0, 500.0, 0.01), (0.0, 0.0, -0.5)
        center[1], size[1] = center[2], size[2]
        center[n // 2 :][rng.random(n - n // 2) < 0.1] = center[3]
        size[rng.random(n) < 0.05] = 0.0
    boxes = np.concatenate([center - 0.5 * size, center + 0.5 * size], axis=1)
    boxes[rng.random(n) < 0.02] = [-math.inf] * 3 + [math.inf] * 3
    return boxes


def overlaps(A: Array, B: Array) -> Array:
    """Which boxes of A (n, 6) and B (m, 6) overlap or touch, (n, m)."""
    below = (A[:, None, :3] <= B[None, :, 3:]).all(axis=2)
    return below & (B[None, :, :3] <= A[:, None, 3:]).all(axis=2)


def build(boxes: Array, members: Array, order: Array | None = None) -> tuple[Array, Array]:
    """Return the nodes of a tree over some boxes, and the order along the curve, or the given one."""
    mine = boxes[members]
    if order is None:
        codes = np.empty(len(mine), np.int64)
        placed = np.where(np.isfinite(mine), mine, 0.0)
        center = 0.5 * (placed[:, :3] + placed[:, 3:])
        scale = 1048575.0 / np.maximum(np.ptp(center, axis=0), 1e-9)
        tree.morton_codes(placed, center.min(axis=0), scale, codes)
        order = np.argsort(codes, kind="stable")
    leaves = 1
    while leaves * tree.LEAF < len(mine):
        leaves *= 2
    nodes = np.empty((2 * leaves, 6))
    tree.fill_tree(mine, order, nodes)
    return nodes, order


def found_pairs(
    boxes: Array, members: Array, queries: Array, keys: Array, mode: int, order: Array | None = None
) -> list[tuple[int, int]]:
    """All pairs that the tree finds, however many: each as often as it was written."""
    nodes, order = build(boxes, members, order)
    out = np.full((1, 2), -7)
    count = tree.near_pairs(nodes, order, members, boxes, queries, keys, mode, out)
    out = np.full((count + 3, 2), -7)
    assert tree.near_pairs(nodes, order, members, boxes, queries, keys, mode, out) == count
    assert (out[count:] == -7).all()
    return sorted(map(tuple, out[:count].tolist()))


def expected_pairs(
    boxes: Array, members: Array, queries: Array, keys: Array, mode: int
) -> list[tuple[int, int]]:
    near = overlaps(boxes[queries], boxes[members])
    a, b = queries[:, None], members[None, :]
    near &= keys[a, 0] != keys[b, 0]
    near &= (keys[a, 1] == keys[b, 1]) == bool(mode & tree.SAME)
    if mode & tree.ONCE:
        near &= a < b
    rows, columns = np.nonzero(near)
    pairs = np.stack([queries[rows], members[columns]], axis=1)
    return sorted(map(tuple, np.sort(pairs, axis=1).tolist()))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9, 33, 150])
def test_near_pairs_are_those_of_all_pairs(n: int) -> None:
    total = 0
    for seed in range(3 if n > 100 else 8):
        rng = np.random.default_rng([seed, n])
        boxes = random_boxes(rng, n)
        items = np.sort(rng.integers(0, n, n))  # some items have several bodies
        keys = np.stack([items, rng.integers(0, max(1, n // 4), n)[items]], axis=1)
        everything = np.arange(n)
        for mode, order in itertools.product(
            (tree.DIFFERENT | tree.ONCE, tree.SAME | tree.ONCE), (None, rng.permutation(n))
        ):
            found = found_pairs(boxes, everything, everything, keys, mode, order)
            assert found == expected_pairs(boxes, everything, everything, keys, mode)
            total += len(found)
        some = rng.random(n) < 0.5  # bodies that move are compared with a tree over those that rest
        members, queries = np.flatnonzero(some), np.flatnonzero(~some)
        if len(members) and len(queries):
            for mode in (tree.DIFFERENT, tree.SAME):
                found = found_pairs(boxes, members, queries, keys, mode)
                assert found == expected_pairs(boxes, members, queries, keys, mode)
    assert total > 0 or n <= 3


def test_near_pairs_of_many_bodies() -> None:
    rng, n = np.random.default_rng(1), 300 if config.DISABLE_JIT else 2000
    boxes = random_boxes(rng, n) + np.tile(100.0 * rng.normal(size=(n, 3)), 2)
    boxes[np.isinf(boxes).any(axis=1)] = 0.0
    boxes[7] = [-math.inf] * 3 + [math.inf] * 3
    keys = np.stack([np.arange(n), rng.integers(0, n // 2, n)], axis=1)
    everything = np.arange(n)
    found = found_pairs(boxes, everything, everything, keys, tree.DIFFERENT | tree.ONCE)
    assert found == expected_pairs(boxes, everything, everything, keys, tree.DIFFERENT | tree.ONCE)
    assert n < len(found) < n * n // 4


def test_coincident_boxes_and_boxes_that_touch() -> None:
    boxes = np.tile([0.0, 0, 0, 1, 1, 1], (40, 1))
    boxes[20:, [0, 3]] += 1.0  # they touch the others
    boxes[30:, [0, 3]] = np.nextafter(boxes[30:, [0, 3]], 9.0)  # these do not
    keys = np.stack([np.arange(40), np.arange(40)], axis=1)
    found = found_pairs(boxes, np.arange(40), np.arange(40), keys, tree.ONCE)
    assert found == [
        pair for pair in itertools.combinations(range(40), 2) if not (pair[0] < 20 and pair[1] >= 30)
    ]


def test_a_search_ends_when_there_is_no_room() -> None:
    boxes = np.tile([0.0, 0, 0, 1, 1, 1], (50, 1))
    keys = np.stack([np.arange(50), np.arange(50)], axis=1)
    nodes, order = build(boxes, np.arange(50))
    for capacity in (0, 1, 10, 1224):
        out = np.full((capacity, 2), -7)
        mode = tree.ONCE | tree.STOP
        count = tree.near_pairs(nodes, order, np.arange(50), boxes, np.arange(50), keys, mode, out)
        assert count == capacity + 1
        assert len({tuple(pair) for pair in out.tolist()}) == capacity
    out = np.empty((1225, 2), np.int64)
    mode = tree.ONCE | tree.STOP
    assert tree.near_pairs(nodes, order, np.arange(50), boxes, np.arange(50), keys, mode, out) == 1225


def test_nodes_hold_their_children() -> None:
    rng = np.random.default_rng(3)
    for n in (1, 4, 5, 16, 17, 100):
        boxes = random_boxes(rng, n)
        nodes, order = build(boxes, np.arange(n))
        leaves = len(nodes) // 2
        assert leaves * tree.LEAF >= n
        assert sorted(order.tolist()) == list(range(n))
        for place, box in enumerate(order.tolist()):
            node = leaves + place // tree.LEAF
            while node:
                assert (nodes[node, :3] <= boxes[box, :3]).all()
                assert (nodes[node, 3:] >= boxes[box, 3:]).all()
                node //= 2
        assert nodes[1].tolist() == [*boxes[:, :3].min(axis=0), *boxes[:, 3:].max(axis=0)]


def test_morton_codes_interleave_cells() -> None:
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 2**20 - 1, (50, 3))
    boxes = np.concatenate([cells + 0.25, cells + 0.75], axis=1)
    codes = np.empty(50, np.int64)
    tree.morton_codes(boxes, np.zeros(3), np.ones(3), codes)
    for cell, code in zip(cells.tolist(), codes.tolist(), strict=True):
        bits = [format(x, "020b") for x in cell[::-1]]
        assert int("".join(itertools.chain(*zip(*bits, strict=True))), 2) == code
    outside = np.array([[-9.0] * 6, [3e6] * 6, [1048575.0] * 6])
    codes = np.empty(3, np.int64)
    tree.morton_codes(outside, np.zeros(3), np.ones(3), codes)
    assert codes.tolist() == [0, 2**60 - 1, 2**60 - 1]


def gaps_of(A: Array, B: Array) -> Array:
    """The distances of boxes (n, 6), one by one."""
    with np.errstate(invalid="ignore"):
        away = np.maximum(np.maximum(B[:, :3] - A[:, 3:], A[:, :3] - B[:, 3:]), 0.0)
    return np.sqrt((away * away).sum(axis=1))


@pytest.mark.parametrize("seed", range(10))
def test_near_runs_are_those_of_all_steps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_steps, n, n_moving = [(1, 6, 3), (2, 6, 6), (30, 12, 7), (17, 9, 0), (40, 20, 20)][seed % 5]
    column = np.full(n, -1)
    column[rng.permutation(n)[:n_moving]] = np.arange(n_moving)
    lower = rng.integers(0, 6, (n_steps, n_moving, 3)).astype(float)
    steps = np.concatenate([lower, lower + rng.integers(0, 3, lower.shape)], axis=2)
    still = np.concatenate([np.zeros((n, 3)), rng.integers(0, 3, (n, 3))], axis=1) + rng.integers(0, 4)
    if n_moving > 3:
        steps[0, 1] = [-math.inf] * 3 + [math.inf] * 3
    pairs = np.array(list(itertools.combinations(range(n), 2)))
    limits = rng.choice([0.0, 0.5, 1.0, 2.0, math.inf], len(pairs))
    expected, least = [], []
    for k, (a, b) in enumerate(pairs.tolist()):
        boxes = [steps[:, column[g]] if column[g] >= 0 else np.tile(still[g], (n_steps, 1)) for g in (a, b)]
        gaps = gaps_of(*boxes)
        least.append(gaps.min())
        near = np.concatenate([[False], gaps <= limits[k], [False]])
        for begin, end in np.flatnonzero(np.diff(near)).reshape(-1, 2).tolist():
            expected.append((k, begin, end, begin + int(np.argmin(gaps[begin:end]))))
    nearest = np.full(len(pairs), -1.0)
    out = np.full((1, 4), -7)
    count = tree.near_runs(pairs, limits, still, column, steps, out, nearest)
    assert nearest == pytest.approx(least, abs=1e-12)
    out = np.full((count + 2, 4), -7)
    assert tree.near_runs(pairs, limits, still, column, steps, out, nearest) == count
    assert (out[count:] == -7).all()
    assert [tuple(row) for row in out[:count].tolist()] == expected
    assert expected
