"""The minimum distances of the pairs of a world: hulls first, in one run, then exact shapes where needed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.continuous.clearance import TOLERANCE_PART, least_below
from keepclear.kernels.tables.pair import Pairs
from keepclear.scene.scene import Scene
from keepclear.world.pair_check import row_query

# Part of the tolerance for the search with hulls; the rest is for triangles that are farther apart than their hulls.
HULL_PART = 0.8
FAR, SETTLED, OPEN = 0, 1, 2

Which = tuple[tuple[int, int], tuple[int, int]]


class PairClearance(NamedTuple):
    """Bounds of the minimum distance of a pair.

    Attributes:
        lower: It is at least this [m].
        upper: It is at most this [m]; infinity if nothing closer than `far` was found.
        time: When `upper` is reached [s].
        which: The two closest parts.
        effort: The number of distance queries.
        state: FAR (always farther than `far`), SETTLED, or OPEN: exact shapes are compared if it may be the minimum.
    """

    lower: float
    upper: float
    time: float
    which: Which | None
    effort: int
    state: int = SETTLED


def hull_clearances(
    scene: Scene, rows: Pairs, units: Iterable[int], tolerance: float, budget: int | None, far: float
) -> dict[int, PairClearance]:
    """Return what hulls find about the minimum distances of some units.

    Hulls contain their bodies, so bodies are never closer than their hulls. Where the hulls are closest, triangles of
    meshes are usually as close: then that is the minimum distance.

    Args:
        scene: The scene.
        rows: Rows of PAIR, sorted by unit; they receive the bounds of hulls.
        units: The units.
        tolerance: How far apart the bounds may be [m].
        budget: Maximum number of distances for each row, or None.
        far: Larger distances are not computed [m].
    """
    part, numbers = HULL_PART * tolerance, list(units)
    which = np.flatnonzero(np.isin(rows["unit"], numbers))
    scene.hulls.least(rows, which, far + part, part, budget)
    first, last = (np.searchsorted(rows["unit"], numbers, side).tolist() for side in ("left", "right"))
    return {
        unit: _reached(scene, rows, begin, end, tolerance, far)
        for unit, begin, end in zip(numbers, first, last, strict=True)
    }


def _reached(scene: Scene, rows: Pairs, begin: int, end: int, tolerance: float, far: float) -> PairClearance:
    """Return bounds of the minimum distance within some rows of a pair: lower by hulls, upper by triangles."""
    upper, time, best, effort = math.inf, math.nan, -1, 0
    least = rows["lower"][begin:end]
    near = [begin + k for k in np.argsort(least, kind="stable").tolist() if least[k] < far]
    if not near:
        return PairClearance(far, math.inf, math.nan, None, 0, FAR)
    for k in near:
        low = rows["lower"].item(k)
        effort += rows["evaluations"].item(k)
        if low < upper - tolerance:
            found, when = scene.hulls.reached(rows, k, low + tolerance, 0.1 * tolerance)
            effort += 1
            if found < upper:
                upper, time, best = found, when, k
    lower, which = float(least.min()), None
    if best >= 0:
        which = scene.geoms[rows["geom_a"][best]], scene.geoms[rows["geom_b"][best]]
    state = SETTLED if upper - lower <= tolerance else OPEN
    return PairClearance(lower, upper, time, which, effort, state)


def exact_clearance(
    scene: Scene,
    rows: Pairs,
    known: PairClearance,
    tolerance: float,
    budget: int | None,
    far: float,
    apart: bool,
) -> PairClearance:
    """Return the minimum distance of a pair by exact shapes, as far as it is less than `far`.

    Rows and times in which the hulls are farther apart than that, or than what is known, are skipped.

    Args:
        scene: The scene.
        rows: The rows of the pair, with the bounds of hulls.
        known: What hulls found about them.
        tolerance: How far apart the bounds may be [m].
        budget: Maximum number of distances for each window of time, or None.
        far: Larger distances are not computed [m].
        apart: Whether it is proved that the bodies do not touch.
    """
    _, upper, time, which, effort, _ = known
    below, least = min(upper, far + tolerance), rows["lower"]
    is_open: npt.NDArray[np.bool_] = (least < far) & (below - least > tolerance)
    is_open[least.argmin()] = True  # despite rounding
    lower = float(least[~is_open].min(initial=far))
    for k in np.argsort(least, kind="stable").tolist():
        if not is_open[k]:
            continue
        limit = below - TOLERANCE_PART * tolerance
        lower = min(lower, max(limit, 0.0))
        if limit <= 0.0:
            break
        windows = [(rows["t0"].item(k), rows["t1"].item(k))]
        if budget is None:  # else each distance is needed
            # harmless (max): outside of the windows the distance is proved, however exact their ends are
            windows = scene.hulls.store.near_windows(rows, k, limit, max(tolerance, 0.05 * limit))
        for window in windows:
            query, _ = row_query(rows, k, scene.timeline, tolerance, budget, window)
            query = replace(query, margin=0.0, starts_apart=query.starts_apart or apart)
            # harmless (<=): a hint where a search begins
            found = least_below(query, below, math.nan if upper <= below else rows["hint"].item(k))
            lower, effort = min(lower, found.lower), effort + found.effort
            if found.upper < below:
                below = upper = found.upper
                time = found.time
                which = scene.geoms[rows["geom_a"][k]], scene.geoms[rows["geom_b"][k]]
    return PairClearance(min(lower, upper), upper, time, which, effort)
