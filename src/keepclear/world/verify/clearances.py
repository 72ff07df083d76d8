"""The minimum distances of the pairs of a world: hulls first, in one run, then exact shapes where needed."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.kernels.advance.rows import BELOW, EFFORT, KNOWN, LEAST, LOWER, OWNER, UNKNOWN, WHEN
from keepclear.kernels.tables.pair import Pairs, forget_answers
from keepclear.query.interval.clearance import TOLERANCE_PART, least_below
from keepclear.query.moving.question import Query
from keepclear.scene.scene import Scene
from keepclear.world.selection.windows import Windows
from keepclear.world.verify.options import Task
from keepclear.world.verify.pair_check import Which, row_query
from keepclear.world.verify.units import EXACT_DISTANCE, HULL_DISTANCE, KnownResults, Units

# Part of the tolerance for the search with hulls; the rest is for triangles that are farther apart than their hulls.
HULL_PART = 0.8
FAR, SETTLED, OPEN = 0, 1, 2
CHUNK = 512  # rows in a chunk of a thread; it takes a few milliseconds
PAIRS = 64  # pairs in a chunk that exact shapes decide
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
    part, numbers = HULL_PART * tolerance, np.array(list(units), np.int64)
    asked = np.isin(rows["unit"], numbers)
    scene.hulls.least(rows, np.flatnonzero(asked), far + part, part, budget)
    near = np.flatnonzero(asked & (rows["lower"] < far))
    near = near[np.lexsort((rows["lower"][near], rows["unit"][near]))]
    with_near, first = np.unique(rows["unit"][near], return_index=True)
    found = dict.fromkeys(numbers.tolist(), PairClearance(far, math.inf, math.nan, None, 0, FAR))
    if not len(near):
        return found
    surfaces, store = scene.hulls.surfaces_of(rows[near]), scene.hulls.store
    reached = store.reached(rows, surfaces, near, tolerance, len(with_near))
    efforts = np.add.reduceat(rows["evaluations"][near], first) + reached[:, 3].astype(np.int64)
    for unit, k, line, effort in zip(
        with_near.tolist(), near[first].tolist(), reached.tolist(), efforts.tolist(), strict=True
    ):
        lower, (upper, time, best, _) = rows["lower"].item(k), line
        which = None if best < 0 else _parts(scene, rows, int(best))
        state = SETTLED if upper - lower <= tolerance else OPEN
        found[unit] = PairClearance(lower, upper, time, which, effort, state)
    return found


def exact_clearances(
    scene: Scene,
    rows: Pairs,
    known: Mapping[int, PairClearance],
    tolerance: float,
    budget: int | None,
    far: float,
    apart: npt.NDArray[np.bool_],
) -> dict[int, PairClearance]:
    """Return the minimum distances of units by exact shapes, as far as they are less than `far`.

    Rows and times in which the hulls are farther apart than that, or than what is known, are skipped.

    Args:
        scene: The scene.
        rows: The rows of the units, sorted by unit, with the bounds of hulls.
        known: What hulls found about each unit.
        tolerance: How far apart the bounds may be [m].
        budget: Maximum number of distances for each window of time, or None.
        far: Larger distances are not computed [m].
        apart: Of which rows it is proved that the bodies do not touch, (n,).
    """
    units, first, number = np.unique(rows["unit"], return_index=True, return_inverse=True)
    upper = np.array([known[unit].upper for unit in units.tolist()])
    below = np.minimum(upper, far + tolerance)
    least = rows["lower"]
    is_open = (least < far) & (below[number] - least > tolerance)
    order = np.lexsort((least, number))
    is_open[order[first]] = True  # despite rounding
    lower = np.minimum.reduceat(np.where(is_open, far, least), first)
    order = order[is_open[order]]
    hulls, exact = rows[order], rows[order]
    timeline = scene.timeline

    def query_of(k: int, t0: float, t1: float) -> Query:
        query, _ = row_query(exact, k, timeline, tolerance, budget, (t0, t1))
        return replace(query, margin=0.0)

    def ask(k: int, t0: float, t1: float) -> tuple[float, float, float, int]:
        is_known = found[k, OWNER] != UNKNOWN
        hint = math.nan if is_known else exact["hint"].item(k)
        return least_below(query_of(k, t0, t1), found[k, BELOW].item(), hint)[:4]

    exact["least"], exact["apart"] = 1, exact["apart"] | apart[order]
    exact["tolerance"], exact["margin"] = TOLERANCE_PART * tolerance, 0.0
    exact["limit"] = exact["evaluations"] = exact["box_pairs"] = 0
    forget_answers(exact, slice(None), exact["t0"])
    scene.hulls.fill_exact(exact, lambda k: query_of(k, exact["t0"].item(k), exact["t1"].item(k)))
    found = np.zeros((len(order), LEAST))
    starts = np.searchsorted(exact["unit"], units)
    # harmless (<=): a hint where a search begins
    found[starts, BELOW], found[starts, OWNER] = below, np.where(upper <= below, KNOWN, UNKNOWN)
    scene.hulls.store.least_below(hulls, exact, budget, found, tolerance, TOLERANCE_PART, ask)
    lower = np.minimum(lower, np.minimum.reduceat(found[:, LOWER], starts))
    efforts, last = np.add.reduceat(found[:, EFFORT], starts), np.append(starts[1:], len(found)) - 1
    results = {}
    for unit, low, effort, line in zip(
        units.tolist(), lower.tolist(), efforts.tolist(), found[last].tolist(), strict=True
    ):
        _, up, time, which, before, _ = known[unit]
        if line[OWNER] >= 0.0:
            up, time, which = line[BELOW], line[WHEN], _parts(scene, exact, int(line[OWNER]))
        results[unit] = PairClearance(min(low, up), up, time, which, before + int(effort))
    return results


def _parts(scene: Scene, rows: Pairs, k: int) -> Which:
    """Return the parts of a row."""
    return scene.geoms[rows["geom_a"][k]], scene.geoms[rows["geom_b"][k]]


class UnitClearances(Units):
    """The minimum distances of pair tasks: hulls first, then exact shapes in the windows that may contain the minimum.

    Args:
        scene: See `Units`, like the following.
        task: See there.
        rows: The times at which pairs may be closer than `far`.
        windows: See there.
        known: See there.
        apart: (pairs,) which pairs are proved not to touch.

    Attributes:
        found: The minimum distance of each pair that was searched; None: it is far.
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
        self.found: dict[int, PairClearance | None] = {}
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

    def pairs_in_chunks(self) -> dict[int, list[int]]:
        """Return the pairs in chunks for threads."""
        pairs = list(self.by_pair)
        return {k: pairs[k : k + PAIRS] for k in range(0, len(pairs), PAIRS)}

    def run_exact(self, _: int, pairs: list[int]) -> None:
        """Find the minimum distances of pairs; what hulls leave open is searched in rounds, for all of them at once."""
        searches = {k: self._search(self.by_pair[k]) for k in pairs}
        while searches:
            wanted = []
            for k, search in list(searches.items()):
                try:
                    wanted.append(next(search))
                except StopIteration as ended:
                    self.found[k] = ended.value
                    del searches[k]
            if wanted:
                self._run_units(sorted(wanted))

    def _search(self, numbers: list[int]) -> Generator[int, None, PairClearance | None]:
        """Yield the units of a pair that exact shapes have to decide, and return its minimum distance; None if far.

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
                if unit not in self._exact:
                    yield unit
                found[unit] = self._exact[unit]
                # harmless (min): more units are searched
                best = min(best, found[unit].upper)
        lower = min(one.lower for one in found.values())
        closest = min(found.values(), key=lambda one: one.upper)
        effort = sum(one.effort for one in found.values())
        return PairClearance(lower, closest.upper, closest.time, closest.which, effort)

    def _run_units(self, units: list[int]) -> None:
        """Find the minimum distances of units by exact shapes."""
        task = self._task
        for unit in units:
            if unit not in self._new:  # the stored result of hulls has no results of single rows
                self._of_hulls(range(unit, unit + 1), [unit])
        rows = np.concatenate([self.rows_of(unit) for unit in units])
        apart = np.array(self._apart)[rows["unit"]]
        found = exact_clearances(self._scene, rows, self._hulls, task.tolerance, task.budget, task.far, apart)
        for unit, one in found.items():
            self._exact[unit] = one
            self._keep(EXACT_DISTANCE, unit, self._exact_keys, one)

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
