"""Grids of a crowd: overlapping boxes share a cell, and cells that nobody is in are gone."""

from __future__ import annotations

import numpy as np

from keepclear.crowd.parts.tables import build_tables
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.grid import cell_key, find_cell, has_capacity, rebuild_grid, register, unregister

N, LEVELS = 24, 4


def ids_in(T, side: int, key: int) -> list[int]:
    """Return who is in a list of a cell."""
    row = find_cell(T.G, key)
    found, block = [], T.G[row, side] if T.G[row, at.KEY] == key else -1
    while block >= 0:
        found += T.B[block, at.IDS : at.IDS + T.B[block, at.COUNT]].tolist()
        block = T.B[block, at.FOLLOWING]
    return found


def cells(a, b, h: int) -> list[tuple[int, int, int]]:
    axes = [range(a[c] >> h, (b[c] >> h) + 1) for c in range(3)]
    return [(x, y, z) for x in axes[0] for y in axes[1] for z in axes[2]]


def check(T, ranges: dict[int, tuple[int, tuple, tuple]]) -> None:
    expected: dict[tuple[int, int], list[int]] = {}
    for i, (level, a, b) in ranges.items():
        for rank in range(level, LEVELS):
            side = at.NATIVES if rank == level else at.VISITORS
            for cell in cells(a, b, rank - level):
                expected.setdefault((side, cell_key(rank, *cell)), []).append(i)
    for (side, key), who in expected.items():
        assert sorted(ids_in(T, side, key)) == who
    assert T.C[at.N_CELLS] == len({key for _, key in expected}) == (T.G[:, at.KEY] >= 0).sum()
    assert T.C[at.N_BLOCKS] >= len(expected) > 0 or not expected


def test_registered_spheres_are_found_and_empty_cells_are_not_kept() -> None:
    rng = np.random.default_rng(1)
    T = build_tables(N, np.zeros(at.S_SIZE), np.zeros(1))
    T.C[at.TOP_LEVEL] = LEVELS - 1
    ranges: dict[int, tuple[int, tuple, tuple]] = {}
    for step in range(300):
        i = int(rng.integers(N))
        if rng.random() < 0.2:
            unregister(T.G, T.B, T.C, T.N, i)
            ranges.pop(i, None)
        else:
            level = int(rng.integers(LEVELS))
            a = tuple(int(c) for c in rng.integers(-3, 3, 3))
            b = tuple(c + int(rng.integers(2)) for c in a)
            register(T.G, T.B, T.C, T.N, i, level, a, b)
            ranges[i] = level, a, b
        if step % 10 == 0:
            check(T, dict(sorted(ranges.items())))
    assert rebuild_grid(T.N, T.G, T.B, T.C)
    check(T, dict(sorted(ranges.items())))
    for i in range(N):
        unregister(T.G, T.B, T.C, T.N, i)
    assert T.C[at.N_CELLS] == T.C[at.N_BLOCKS] == 0
    assert (T.G[:, at.KEY] == -1).all()


def test_too_small_tables_say_so() -> None:
    T = build_tables(N, np.zeros(at.S_SIZE), np.zeros(1))
    for i in range(N):
        register(T.G, T.B, T.C, T.N, i, 0, (4 * i, 0, 0), (4 * i + 1, 1, 1))
    small = np.empty((64, 3), np.int64)
    assert not rebuild_grid(T.N.copy(), small, T.B.copy(), T.C.copy())


def test_room_is_for_two_sets_of_cells_on_every_level() -> None:
    G, B = np.empty((256, 3), np.int64), np.empty((100, at.IDS + at.SLOTS), np.int64)
    C = np.zeros(at.C_SIZE, np.int64)
    C[at.TOP_LEVEL] = 1
    for cells, blocks, roomy in ((95, 67, True), (96, 0, False), (0, 68, False), (0, 0, True)):
        C[at.N_CELLS], C[at.N_BLOCKS] = cells, blocks
        assert has_capacity(G, B, C) == roomy
