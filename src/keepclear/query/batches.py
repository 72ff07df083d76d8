"""Pairing of poses on two sides, and distribution of a batch over threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from keepclear.errors import ArgumentError, PoseError


def batch_size(n_a: int, single_a: bool, n_b: int, single_b: bool) -> int:
    """Return the number of pairs of poses of two arguments."""
    if single_a or single_b or n_a == n_b:
        return n_b if single_a else n_a
    raise PoseError(
        f"X_WA has {n_a} poses and X_WB has {n_b}; give as many on both sides, or a single (4, 4) on one of them."
    )


def checked_threads(threads: object) -> int:
    """Return a number of threads, or raise an `ArgumentError`."""
    if type(threads) is int and threads == 1:
        return 1
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise ArgumentError(f"threads must be a whole number >= 1, but it is {threads!r}.")
    return min(int(threads), 256)


def in_pieces(n: int, threads: int, piece: Callable[[int, int], object]) -> None:
    """Call `piece(first, last)` for all of 0..n-1, in equal chunks for the threads."""
    threads = min(threads, n)
    if threads < 2:
        if n:
            piece(0, n)
        return
    cuts = [n * k // threads for k in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(piece, cuts[:-1], cuts[1:]))
