"""The minimum distances of pair tasks: hulls first, then exact shapes in the windows that may contain the minimum."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from keepclear.kernels.tables.pair import Pairs
from keepclear.scene.scene import Scene
from keepclear.world.clearances import FAR, OPEN, PairClearance, exact_clearance, hull_clearances
from keepclear.world.content import SceneContent
from keepclear.world.task import Task
from keepclear.world.units import EXACT_DISTANCE, HULL_DISTANCE, KnownResults, Units
from keepclear.world.windows import Windows

CHUNK = 512  # rows in a chunk of a thread; it takes a few milliseconds


class UnitClearances:
    """The minimum distances of the pair tasks of a verification.

    Args:
        scene: The scene.
        task: The options of the check.
        rows: The times at which pairs may be closer than `far`.
        windows: The windows of time.
        apart: (pairs,) which pairs are proved not to touch.
        known: Results of earlier work, or None.

    Attributes:
        by_pair: The units of each pair, in the order of windows.
    """

    def __init__(
        self,
        scene: Scene,
        task: Task,
        rows: Pairs,
        windows: Windows,
        apart: npt.NDArray[np.bool_],
        known: KnownResults | None,
    ) -> None:
        self._scene, self._task, self._apart, self._known = scene, task, apart, known
        self._units = Units(scene, rows, windows)
        self.by_pair = self._units.by_pair()
        self._is_mine = self._units.in_part(known)
        self._hulls: dict[int, PairClearance] = {}
        self._exact: dict[int, PairClearance] = {}
        self._keys: dict[int, bytes] = {}
        self._exact_keys: dict[int, bytes] = {}
        self._new: set[int] = set()
        if known is not None and known.keeps:
            self._look_up(known)

    def _look_up(self, known: KnownResults) -> None:
        """Take stored results of earlier work."""
        units, content = self._units, self._scene.kept(("content",), lambda: SceneContent(self._scene))
        self._keys = units.keys(HULL_DISTANCE, content, self._task)
        stored = known.find(HULL_DISTANCE, list(self._keys.values()))
        for unit, key in self._keys.items():
            found = units.decode_distance(unit, stored[key]) if key in stored else None
            if found is not None:
                self._hulls[unit] = found
            is_apart = bool(self._apart[units.pair[unit]])
            self._exact_keys[unit] = hashlib.sha256(key + bytes([EXACT_DISTANCE, is_apart])).digest()
        is_open = [unit for unit, found in self._hulls.items() if found.state == OPEN]
        stored = known.find(EXACT_DISTANCE, [self._exact_keys[unit] for unit in is_open])
        for unit in is_open:
            key = self._exact_keys[unit]
            found = units.decode_distance(unit, stored[key]) if key in stored else None
            if found is not None:
                self._exact[unit] = found
        known.count(0, len(self._hulls))

    def chunks(self) -> Iterator[range]:
        """Yield the units in chunks for threads."""
        first, begin = self._units.first, 0
        while begin < len(self._units):
            end = int(np.searchsorted(first, first[begin] + CHUNK, side="right")) - 1
            yield range(begin, end := max(end, begin + 1))
            begin = end

    def run_hulls(self, _: int, chunk: range) -> None:
        """Find the minimum distances of the units of a chunk that are not known, as far as hulls decide them."""
        units = [unit for unit in chunk if self._is_mine[unit] and unit not in self._hulls]
        for unit, found in self._of_hulls(chunk, units).items():
            self._hulls[unit] = found
            self._new.add(unit)
            self._keep(HULL_DISTANCE, self._keys.get(unit), found)
        if self._known is not None:
            self._known.count(len(units), 0)

    def _of_hulls(self, chunk: range, units: list[int]) -> dict[int, PairClearance]:
        """Return what hulls find about some units of a chunk."""
        task, first = self._task, self._units.first
        rows = self._units.rows[first[chunk.start] : first[chunk.stop]]
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

    def known_pairs(self) -> dict[int, tuple[bytes, ...] | None]:
        """Return the keys of the stored distances of each pair; None if one of them was computed."""
        keys = self._keys | {unit: self._exact_keys[unit] for unit in self._exact}
        return self._units.known_pairs(self._hulls, self._new, keys)

    def _keep(self, kind: int, key: bytes | None, found: PairClearance) -> None:
        """Store the computed result."""
        if self._known is not None and key is not None:
            self._known.keep(kind, {key: self._units.encode_distance(found)})

    def _exact_clearance(self, unit: int) -> PairClearance:
        """Return the minimum distance of a unit by exact shapes."""
        if unit in self._exact:
            return self._exact[unit]
        task = self._task
        if unit not in self._new:  # the stored result of hulls has no results of single rows
            self._of_hulls(range(unit, unit + 1), [unit])
        self._new.add(unit)
        apart, rows = bool(self._apart[self._units.pair[unit]]), self._units.rows_of(unit)
        known = self._hulls[unit]
        found = exact_clearance(self._scene, rows, known, task.tolerance, task.budget, task.far, apart)
        self._keep(EXACT_DISTANCE, self._exact_keys.get(unit), found)
        return found
