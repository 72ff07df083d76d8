"""The minimum distances of the pairs of a world: hulls first, in one run, then exact shapes where needed."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.continuous.clearance import TOLERANCE_PART, least_below
from keepclear.kernels.tables.pair import Pairs
from keepclear.scene.scene import Scene
from keepclear.world.pair_check import Which, row_query
from keepclear.world.task import Task
from keepclear.world.units import EXACT_DISTANCE, HULL_DISTANCE, KnownResults, Units
from keepclear.world.windows import Windows

# Part of the tolerance for the search with hulls; the rest is for triangles that are farther apart than their hulls.
HULL_PART = 0.8
FAR, SETTLED, OPEN = 0, 1, 2
CHUNK = 512  # rows in a chunk of a thread; it takes a few milliseconds
_DISTANCE = struct.Struct("<B ddd ii q")  # state, bounds and time, the closest parts, effort


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


class UnitClearances(Units):
    """The minimum distances of pair tasks: hulls first, then exact shapes in the windows that may contain the minimum.

    Args:
        scene: See `Units`, like the following.
        task: See there.
        rows: The times at which pairs may be closer than `far`.
        windows: See there.
        known: See there.
        apart: (pairs,) which pairs are proved not to touch.
    """

    def __init__(
        self,
        scene: Scene,
        task: Task,
        rows: Pairs,
        windows: Windows,
        known: KnownResults | None,
        apart: npt.NDArray[np.bool_],
    ) -> None:
        super().__init__(scene, task, rows, windows, known)
        self._apart: list[bool] = apart[self.rows["pair"][self.first[:-1]]].tolist()
        self._hulls: dict[int, PairClearance] = {}
        self._exact: dict[int, PairClearance] = {}
        self._hull_keys: dict[int, bytes] = {}
        self._exact_keys: dict[int, bytes] = {}
        if known is not None and known.keeps:
            self._hull_keys = self._keys(HULL_DISTANCE)
            self._hulls = self._stored(HULL_DISTANCE, self._hull_keys, self._decode)
            self._exact_keys = {
                unit: hashlib.sha256(key + bytes([EXACT_DISTANCE, self._apart[unit]])).digest()
                for unit, key in self._hull_keys.items()
            }
            is_open = [unit for unit, found in self._hulls.items() if found.state == OPEN]
            keys = {unit: self._exact_keys[unit] for unit in is_open}
            self._exact = self._stored(EXACT_DISTANCE, keys, self._decode)
            known.count(0, len(self._hulls))

    def chunks(self) -> Iterator[range]:
        """Yield the units in chunks for threads."""
        first, begin = self.first, 0
        while begin < len(self.is_mine):
            end = int(np.searchsorted(first, first[begin] + CHUNK, side="right")) - 1
            yield range(begin, end := max(end, begin + 1))
            begin = end

    def run_hulls(self, _: int, chunk: range) -> None:
        """Find the minimum distances of the units of a chunk that are not known, as far as hulls decide them."""
        units = [unit for unit in chunk if self.is_mine[unit] and unit not in self._hulls]
        for unit, found in self._of_hulls(chunk, units).items():
            self._hulls[unit] = found
            self._keep(HULL_DISTANCE, unit, self._hull_keys, found)
        if self._known is not None:
            self._known.count(len(units), 0)

    def _of_hulls(self, chunk: range, units: list[int]) -> dict[int, PairClearance]:
        """Return what hulls find about some units of a chunk."""
        task, rows = self._task, self.rows[self.first[chunk.start] : self.first[chunk.stop]]
        return hull_clearances(self._scene, rows, units, task.tolerance, task.budget, task.far)

    def clearance(self, numbers: list[int]) -> PairClearance | None:
        """Return the minimum distance over the units of a pair; None if all are far.

        Windows are searched in the order of the lower bounds by hulls, as long as one may be closer than the closest
        known one by more than the tolerance.
        """
        near = [unit for unit in numbers if unit in self._hulls and self._hulls[unit].state != FAR]
        if not near:
            return None
        found = {unit: self._hulls[unit] for unit in near}
        best = min([one.upper for one in found.values()] + [self._task.far + self._task.tolerance])
        waiting = sorted(
            (unit for unit in near if self._hulls[unit].state == OPEN), key=lambda unit: (found[unit].lower, unit)
        )  # fmt: skip
        for unit in waiting:
            # harmless (<): bounds by hulls hold, too, though they are wider
            if len(numbers) == 1 or found[unit].lower < best - self._task.tolerance:
                found[unit] = self._exact_clearance(unit)
                # harmless (min): more units are searched
                best = min(best, found[unit].upper)
        lower = min(one.lower for one in found.values())
        closest = min(found.values(), key=lambda one: one.upper)
        effort = sum(one.effort for one in found.values())
        return PairClearance(lower, closest.upper, closest.time, closest.which, effort)

    def _exact_clearance(self, unit: int) -> PairClearance:
        """Return the minimum distance of a unit by exact shapes."""
        if unit in self._exact:
            return self._exact[unit]
        task, rows, known = self._task, self.rows_of(unit), self._hulls[unit]
        if unit not in self._new:  # the stored result of hulls has no results of single rows
            self._of_hulls(range(unit, unit + 1), [unit])
        found = exact_clearance(
            self._scene, rows, known, task.tolerance, task.budget, task.far, self._apart[unit]
        )
        self._keep(EXACT_DISTANCE, unit, self._exact_keys, found)
        return found

    def _keep(self, kind: int, unit: int, keys: dict[int, bytes], found: PairClearance) -> None:
        """Store a computed result."""
        self._new.add(unit)
        if self._known is not None and unit in keys:
            p, q = (-1, -1) if found.which is None else (found.which[0][1], found.which[1][1])
            content = _DISTANCE.pack(found.state, found.lower, found.upper, found.time, p, q, found.effort)
            self._known.keep(kind, {keys[unit]: content})

    def _decode(self, unit: int, content: bytes) -> PairClearance | None:
        """Return a minimum distance from bytes; None if the bytes are not a distance of this unit."""
        if len(content) != _DISTANCE.size:
            return None
        state, lower, upper, time, p, q, effort = _DISTANCE.unpack(content)
        t0, t1 = self._span(unit)
        which = None if p < 0 else self._which(unit, p, q)
        if state not in (FAR, SETTLED, OPEN) or effort < 0 or not (lower >= 0.0 and upper >= 0.0):
            return None
        if p >= 0 and (which is None or not t0 <= time <= t1):
            return None
        return PairClearance(lower, upper, time, which, effort, state)
