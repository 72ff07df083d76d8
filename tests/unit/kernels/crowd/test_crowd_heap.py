"""The queue of a crowd: after any changes the first item is the earliest, and the lowest of those at one time."""

from __future__ import annotations

import numpy as np

from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.heap import drop, set_time

N = 40


def check(K: np.ndarray, H: np.ndarray, C: np.ndarray, times: dict[int, float]) -> None:
    size = int(C[at.HEAP_SIZE])
    assert size == len(times)
    for k in range(size):
        item = int(H[k, at.ITEM])
        assert H[item, at.PLACE] == k
        assert K[k] == times[item]
        up = (k - 1) >> 2
        assert k == 0 or (K[up], H[up, at.ITEM]) < (K[k], item)
    if times:
        assert (K[0], int(H[0, at.ITEM])) == min((time, item) for item, time in times.items())
    for item in set(range(N)) - set(times):
        assert H[item, at.PLACE] == -1


def test_any_changes_leave_a_queue() -> None:
    rng = np.random.default_rng(3)
    K, H, C = np.zeros(N), np.full((N, 2), -1, np.int64), np.zeros(at.C_SIZE, np.int64)
    times: dict[int, float] = {}
    for _ in range(400):
        item = int(rng.integers(N))
        if rng.random() < 0.3:
            drop(K, H, C, item)
            times.pop(item, None)
        else:
            time = float(rng.choice([0.5, 1.0, rng.random(), np.inf]))
            set_time(K, H, C, item, time)
            times[item] = time
        check(K, H, C, times)
    emptied = []
    while times:
        item = int(H[0, at.ITEM])
        emptied.append((times.pop(item), item))
        drop(K, H, C, item)
        check(K, H, C, times)
    assert emptied == sorted(emptied)
