"""The tables of a crowd: larger ones hold what the smaller ones held."""

from __future__ import annotations

import numpy as np

from keepclear.crowd.parts.tables import Tables, build_tables, sphere_tables
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.heap import drop, set_time


def queued(T: Tables, n: int) -> list[tuple[float, str, int]]:
    """Return what is queued, in order, and take it out."""
    found = []
    while T.C[at.HEAP_SIZE]:
        time, item = float(T.K[0]), int(T.H[0, at.ITEM])
        found.append((time, "sphere", item) if item < n else (time, "pair", item - n))
        drop(T.K, T.H, T.C, item)
    return found


def filled(n: int = 5) -> tuple[Tables, list[tuple[float, str, int]]]:
    T = build_tables(n, np.zeros(at.S_SIZE), np.zeros(1))
    expected: list[tuple[float, str, int]] = [(0.5 * i, "sphere", i) for i in range(n)]
    expected += [(0.3 * p + 0.01, "pair", p) for p in range(len(T.Q))]
    for time, kind, k in expected:
        set_time(T.K, T.H, T.C, k if kind == "sphere" else n + k, time)
    return T, sorted(expected)


def test_more_spheres_move_the_pairs_and_nothing_else() -> None:
    T, expected = filled()
    T.F[:, at.RADIUS] = np.arange(5.0)
    rows = T.grow_spheres(2)
    assert list(rows) == list(range(5, 10))
    assert len(T.F) == len(T.N) == 10
    assert len(T.K) == len(T.H) == 10 + len(T.Q)
    assert T.F[:5, at.RADIUS].tolist() == [0, 1, 2, 3, 4]
    assert (T.N[5:, at.FIRST_PAIR] == -1).all()
    assert (T.H[5:10, at.PLACE] == -1).all()
    assert queued(T, 10) == expected
    assert list(T.grow_spheres(37)) == list(range(10, 47))


def test_more_pairs_are_free_pairs() -> None:
    T, expected = filled()
    old = len(T.Q)
    T.C[at.FREE_PAIR] = -1
    T.grow_pairs()
    free, p = [], int(T.C[at.FREE_PAIR])
    while p >= 0:
        free.append(p)
        p = int(T.Q[p, at.NEXT])
    assert sorted(free) == list(range(old, 2 * old))
    assert len(T.K) == len(T.H) == 5 + 2 * old
    assert queued(T, 5) == expected


def test_all_rows_are_free_at_first() -> None:
    T = build_tables(3, np.zeros(at.S_SIZE), np.zeros(1))
    assert T.C[at.HEAP_SIZE] == T.C[at.N_CELLS] == T.C[at.N_BLOCKS] == T.C[at.N_PAIRS] == 0
    assert (T.G[:, at.KEY] == -1).all()
    assert len(T.G) & (len(T.G) - 1) == 0
    assert (T.H == -1).all()
    seen, block = 0, int(T.C[at.FREE_BLOCK])
    while block >= 0:
        seen, block = seen + 1, int(T.B[block, at.FOLLOWING])
    assert seen == len(T.B)
    F, N = sphere_tables(2)
    assert (F[:, at.BURST] == -np.inf).all()
    assert (F[:, at.ANCHOR_END] == np.inf).all()
    assert (N[:, at.ACTIVE] == 0).all()


def test_copies_change_on_their_own() -> None:
    T, _ = filled()
    other = T.copy()
    other.F[0, at.RADIUS] = 9.0
    other.C[at.HEAP_SIZE] = 0
    assert T.F[0, at.RADIUS] == 0.0
    assert T.C[at.HEAP_SIZE] > 0
    assert other.nbytes == T.nbytes == sum(array.nbytes for array in T.packed())


def test_an_emptied_grid_has_no_levels() -> None:
    T, _ = filled()
    T.N[:, at.REGISTERED] = 1
    T.C[at.TOP_LEVEL] = T.C[at.TOPMOST] = 3
    T.empty_grid()
    assert T.C[at.TOP_LEVEL] == T.C[at.TOPMOST] == T.C[at.N_CELLS] == 0
    assert (T.N[:, at.REGISTERED] == 0).all()
