"""The tables of a crowd that its kernels work on: made, filled, and made larger when they are full."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from keepclear.checks import FloatArray, IntArray
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.grid import rebuild_grid


@dataclass
class Tables:
    """The arrays F, N, Q, K, H, G, B, C, S, D, E and L of `keepclear.kernels.crowd.layout`, in the kernels' order."""

    F: FloatArray
    N: IntArray
    Q: IntArray
    K: FloatArray
    H: IntArray
    G: IntArray
    B: IntArray
    C: IntArray
    S: FloatArray
    D: FloatArray
    E: FloatArray
    L: FloatArray

    def packed(self) -> tuple[Any, ...]:
        """Return the arrays as kernels take them."""
        return tuple(getattr(self, field.name) for field in fields(self))

    def copy(self) -> Tables:
        """Return tables that change on their own."""
        return Tables(*(array.copy() for array in self.packed()))

    @property
    def nbytes(self) -> int:
        """Size of all arrays [bytes]."""
        return sum(array.nbytes for array in self.packed())

    def grow_pairs(self) -> None:
        """Enlarge the tables for twice as many pairs."""
        old = len(self.Q)
        # The queue first: an interrupt halfway leaves tables that fit.
        self.K = np.concatenate([self.K, np.zeros(old)])
        self.H = np.concatenate([self.H, np.full((old, 2), -1, np.int64)])
        self.Q = np.concatenate([self.Q, np.zeros((old, at.Q_COLUMNS), np.int64)])
        self.Q[old:, at.FIRST] = -1
        _chain(self.Q, at.NEXT, old, int(self.C[at.FREE_PAIR]))
        self.C[at.FREE_PAIR] = old

    def grow_grid(self) -> None:
        """Enlarge the tables for more cells, or for coarser levels, and register all members again."""
        C = self.C
        if C[at.TOPMOST] > C[at.TOP_LEVEL]:
            C[at.TOP_LEVEL] = C[at.TOPMOST]
        else:
            self._double_grid()
        while not rebuild_grid(self.N, self.G, self.B, self.C):
            self._double_grid()

    def empty_grid(self) -> None:
        """Forget which cells spheres are in, as before all sizes of cells change."""
        self.N[:, at.REGISTERED], self.C[at.TOP_LEVEL], self.C[at.TOPMOST] = 0, 0, 0
        rebuild_grid(self.N, self.G, self.B, self.C)

    def _double_grid(self) -> None:
        need = 16 * (int(self.C[at.TOP_LEVEL]) + 1)
        if 2 * (self.C[at.N_CELLS] + need) >= len(self.G):
            self.G = np.empty((2 * len(self.G), 3), np.int64)
        if self.C[at.N_BLOCKS] + need >= len(self.B):
            self.B = np.empty((2 * len(self.B), at.IDS + at.SLOTS), np.int64)

    def grow_spheres(self, n: int) -> range:
        """Enlarge the tables for n spheres or more; return the new rows; pairs follow them in the queue."""
        old = len(self.F)
        more = max(n, old)
        F, N = sphere_tables(more)
        self.F, self.N = np.concatenate([self.F, F]), np.concatenate([self.N, N])
        H = np.full((len(self.H) + more, 2), -1, np.int64)
        items = self.H[:, at.ITEM]
        H[: len(self.H), at.ITEM] = np.where(items >= old, items + more, items)
        H[:old, at.PLACE] = self.H[:old, at.PLACE]
        H[old + more :, at.PLACE] = self.H[old:, at.PLACE]
        self.H, self.K = H, np.concatenate([self.K, np.zeros(more)])
        return range(old, old + more)


def sphere_tables(n: int) -> tuple[FloatArray, IntArray]:
    """Return rows for n spheres that are not there yet."""
    F, N = np.zeros((n, at.F_COLUMNS)), np.zeros((n, at.N_COLUMNS), np.int64)
    N[:, at.FIRST_PAIR] = -1
    F[:, at.BURST] = -np.inf
    F[:, at.ANCHOR_END] = np.inf
    return F, N


def build_tables(n: int, settings: FloatArray, data: FloatArray) -> Tables:
    """Return empty tables for n spheres."""
    F, N = sphere_tables(n)
    n_pairs, n_blocks = max(64, n), max(1024, 3 * n)
    Q = np.zeros((n_pairs, at.Q_COLUMNS), np.int64)
    _chain(Q, at.NEXT, 0, -1)
    Q[:, at.FIRST] = -1
    C = np.zeros(at.C_SIZE, np.int64)
    tables = Tables(
        F, N, Q,
        K=np.zeros(n + n_pairs),
        H=np.full((n + n_pairs, 2), -1, np.int64),
        G=np.empty((1 << (max(256, 4 * n)).bit_length(), 3), np.int64),
        B=np.empty((n_blocks, at.IDS + at.SLOTS), np.int64),
        C=C, S=settings, D=data,
        E=np.zeros((max(1024, min(n, 100_000)), at.E_COLUMNS)),
        L=np.zeros((4096 if settings[at.HISTORY] else 2, at.L_COLUMNS)),
    )  # fmt: skip
    rebuild_grid(tables.N, tables.G, tables.B, tables.C)
    return tables


def _chain(table: IntArray, column: int, first: int, last: int) -> None:
    """Chain the rows of a table from `first` on as free, ending at the row `last`."""
    table[first:, column] = np.arange(first + 1, len(table) + 1)
    table[-1, column] = last
