"""The minimum distances of the pairs of a world: hulls first, in one run, then exact shapes where needed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from keepclear.continuous.clearance import TOLERANCE_PART, least_below
from keepclear.scene.hulls import HullDistances, Tasks
from keepclear.scene.scene import Scene
from keepclear.world.pair_check import pair_task, task_query

# Part of the tolerance for the search with hulls; the rest is for triangles that are farther apart than their hulls.
HULL_PART = 0.8
CHUNK = 512  # tasks in a chunk of a thread; it takes a few milliseconds

Which = tuple[tuple[int, int], tuple[int, int]]


class PairClearance(NamedTuple):
    """Bounds of the minimum distance of a pair.

    Attributes:
        lower: It is at least this [m].
        upper: It is at most this [m]; infinity if nothing closer than `far` was found.
        time: When `upper` is reached [s].
        which: The two closest parts.
        effort: The number of distance queries.
    """

    lower: float
    upper: float
    time: float
    which: Which | None
    effort: int


def in_chunks(tasks: Tasks) -> Iterator[Tasks]:
    """Return tasks in chunks for threads; all tasks of a pair are in one chunk."""
    order = np.argsort(tasks.pair, kind="stable")
    pair = tasks.pair[order]
    begin = 0
    while begin < len(order):
        last = pair[min(begin + CHUNK, len(order)) - 1]
        end = int(np.searchsorted(pair, last, side="right"))
        yield tasks[order[begin:end]]
        begin = end


class OpenPair(NamedTuple):
    """A pair whose minimum distance hulls do not decide.

    Attributes:
        known: Their bounds; the lower one holds for all other tasks.
        whole: The same, with a lower bound for all tasks.
        tasks: The tasks.
        hulls: The results of their hulls.
        rows: Those of this pair in which the distance may be less than `known.upper` by more than the tolerance.
    """

    known: PairClearance
    whole: PairClearance
    tasks: Tasks
    hulls: HullDistances
    rows: list[int]


def hull_clearances(
    scene: Scene, tasks: Tasks, tolerance: float, budget: int | None, far: float
) -> tuple[dict[int, PairClearance], dict[int, OpenPair]]:
    """Return the minimum distances that hulls decide, by the row of the pair, and the remaining pairs.

    Hulls contain their bodies, so bodies are never closer than their hulls. Where the hulls are closest, triangles of
    meshes are usually as close: then that is the minimum distance. Pairs that are always farther apart than `far` are
    in neither result.
    """
    part = HULL_PART * tolerance
    hulls = scene.hulls.least(tasks, far + part, part, budget)
    rows: dict[int, list[int]] = {}
    near = np.flatnonzero(hulls.lower < far)
    for row, pair in zip(near.tolist(), tasks.pair[near].tolist(), strict=True):
        rows.setdefault(pair, []).append(row)
    settled: dict[int, PairClearance] = {}
    left: dict[int, OpenPair] = {}
    for pair in sorted(rows):
        known = _reached(scene, tasks, hulls, rows[pair], tolerance)
        if known.upper - known.lower <= tolerance:
            settled[pair] = known
        else:
            least = hulls.lower[rows[pair]]
            is_open = min(known.upper, far + tolerance) - least > tolerance
            is_open[least.argmin()] = True  # despite rounding
            chosen = [row for row, one in zip(rows[pair], is_open.tolist(), strict=True) if one]
            others = known._replace(lower=float(np.where(is_open, far, least).min()))
            left[pair] = OpenPair(others, known, tasks, hulls, chosen)
    return settled, left


def _reached(
    scene: Scene, tasks: Tasks, hulls: HullDistances, rows: list[int], tolerance: float
) -> PairClearance:
    """Return bounds of the minimum distance within some tasks of a pair: lower by hulls, upper by triangles."""
    upper, time, best, lower, effort = math.inf, math.nan, -1, math.inf, 0
    for row in sorted(rows, key=hulls.lower.item):
        low = hulls.lower.item(row)
        lower, effort = min(lower, low), effort + hulls.effort.item(row)
        if low < upper - tolerance:
            found, when = hulls.reached(row, low + tolerance, 0.1 * tolerance)
            effort += 1
            if found < upper:
                upper, time, best = found, when, row
    if best < 0:
        return PairClearance(lower, upper, math.nan, None, effort)
    which = scene.geoms[tasks.a.item(best)], scene.geoms[tasks.b.item(best)]
    return PairClearance(lower, upper, time, which, effort)


def exact_clearance(
    scene: Scene, pair: OpenPair, tolerance: float, budget: int | None, far: float, apart: bool
) -> PairClearance:
    """Return the minimum distance of a pair by exact shapes, as far as it is less than `far`.

    Times at which the hulls are farther apart than that are skipped.

    Args:
        scene: The scene.
        pair: The pair.
        tolerance: How far apart the bounds may be [m].
        budget: Maximum number of distances for each window of time, or None.
        far: Larger distances are not computed [m].
        apart: Whether it is proved that the bodies do not touch.
    """
    lower, upper, time, which, effort = pair.known
    below = min(upper, far + tolerance)
    for row in sorted(pair.rows, key=pair.hulls.lower.item):
        limit, task = below - TOLERANCE_PART * tolerance, pair_task(scene, pair.tasks, row)
        lower = min(lower, max(limit, 0.0))
        if limit <= 0.0:
            break
        windows = [(task.t0, task.t1)]
        if budget is None:  # else each distance is needed
            windows = pair.hulls.near_windows(row, limit, max(tolerance, 0.05 * limit))
        for t0, t1 in windows:
            part = task._replace(t0=t0, t1=t1, apart=task.apart or apart)
            query, _ = task_query(part, scene.timeline, tolerance, budget)
            found = least_below(replace(query, margin=0.0), below, math.nan if upper <= below else task.hint)
            lower, effort = min(lower, found.lower), effort + found.effort
            if found.upper < below:
                below = upper = found.upper
                time, which = found.time, (task.a, task.b)
    return PairClearance(min(lower, upper), upper, time, which, effort)
