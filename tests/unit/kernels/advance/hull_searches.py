"""What surfaces reach near the witnesses of their hulls, and when hulls are near, for rows of a table of bodies."""

from __future__ import annotations

import numpy as np

from keepclear.kernels.advance import hull_windows, minimum
from keepclear.kernels.convex import gjk
from keepclear.kernels.tables.pair import Pairs, new_pairs
from keepclear.query.moving.moving_pair import MOST_WINDOWS, BodyTable


def reached(
    store: BodyTable, rows: Pairs, surfaces: list[int], t: float, enough: float, tolerance: float
) -> tuple[float, float]:
    """An upper bound for the only row and when it is reached, beginning with an instant.

    Args:
        surfaces: The bodies themselves by number, that of A first.
        enough: The bound is not improved below this.
        tolerance: Nor by less than this.
    """
    rows["time"], rows["lower"] = t, enough - 10.0 * tolerance
    rows["geom_a"], rows["geom_b"] = 0, 1
    found = store.reached(rows, np.array(surfaces), np.zeros(1, np.int64), 10.0 * tolerance, 1)
    return float(found[0, 0]), float(found[0, 1])


def windows_of(store: BodyTable, rows: Pairs, k: int, limit: float, tolerance: float) -> list[list[float]]:
    """The windows of time in which a row may be closer than a limit."""
    spans, W, M = np.empty(2 * MOST_WINDOWS), np.empty(minimum.WORK), np.zeros(gjk.MEMORY)
    n = hull_windows.near_windows(*store.arrays(rows), k, limit, tolerance, spans, new_pairs(1), W, M)
    return spans[: 2 * n].reshape(-1, 2).tolist()
