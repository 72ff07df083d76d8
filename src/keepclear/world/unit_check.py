"""The verdicts over pair tasks: hulls in one run, then exact shapes in the order of windows until the first contact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from keepclear.kernels.tables.pair import Pairs
from keepclear.report.records import EXACT, HULLS
from keepclear.results import Verdict
from keepclear.scene.scene import Scene
from keepclear.world.content import SceneContent
from keepclear.world.pair_check import PairFinding, check_pair
from keepclear.world.task import Task
from keepclear.world.units import CHECK, KnownResults, Units
from keepclear.world.windows import Windows


class UnitChecks:
    """The verdicts over the pair tasks of a verification.

    Attributes:
        by_pair: The units of each pair, in the order of windows.
        pairs: (n,) the rows of these pairs.
    """

    def __init__(
        self, scene: Scene, task: Task, rows: Pairs, windows: Windows, known: KnownResults | None
    ) -> None:
        self._scene, self._task, self._known = scene, task, known
        self._units = Units(scene, rows, windows)
        is_mine = self._units.in_part(known)
        self.by_pair = {
            pair: mine
            for pair, units in self._units.by_pair().items()
            if (mine := [unit for unit in units if is_mine[unit]])
        }
        self.pairs: npt.NDArray[np.int64] = np.array(list(self.by_pair), np.int64)
        self._found: dict[int, tuple[PairFinding, int]] = {}
        self._new: set[int] = set()
        self._open: dict[int, Pairs] = {}
        self._keys: dict[int, bytes] = {}

    def run_hulls(self) -> None:
        """Look up stored results, and advance the hulls of all other units."""
        task, units = self._task, self._units
        # Results of other methods are not stored, because the report contains the method of each pair.
        if self._known is not None and self._known.keeps and task.method == "hybrid":
            content = self._scene.kept(("content",), lambda: SceneContent(self._scene))
            self._keys = units.keys(CHECK, content, task)
            stored = self._known.find(CHECK, list(self._keys.values()))
            for unit, key in self._keys.items():
                found = units.decode_check(unit, stored[key]) if key in stored else None
                if found is not None:
                    self._found[unit] = found
            self._known.count(0, len(self._found))
        wanted = np.zeros(len(units), dtype=bool)
        for numbers in self.by_pair.values():
            for unit in numbers:
                if unit not in self._found:
                    wanted[unit] = True
                elif self._found[unit][0].contact is not None:
                    break  # later times are not checked
        rows, is_wanted = units.rows, wanted[units.rows["unit"]]
        search = self._scene.hulls.search(rows, task.tolerance, task.budget, np.flatnonzero(is_wanted))
        search.run_within()
        is_open = np.zeros(len(rows), dtype=bool)
        is_open[search.stopped()] = True
        is_open &= is_wanted
        counts = np.bincount(rows["unit"], rows["evaluations"], len(units))
        left = rows[is_open]
        is_left, first = np.unique(left["unit"], return_index=True)
        ends = np.append(first, len(left))[1:]
        for unit, begin, end in zip(is_left.tolist(), first.tolist(), ends.tolist(), strict=True):
            self._open[unit] = left[begin:end]
        for unit in np.flatnonzero(wanted).tolist():
            if unit not in self._open:
                self._found[unit] = PairFinding(evaluations=int(counts[unit])), HULLS
                self._keep(unit)

    def finding(self, numbers: list[int]) -> tuple[PairFinding, int]:
        """Return the finding over the units of a pair, in the order of windows, and the strongest proof needed."""
        finding, proof = None, HULLS
        for unit in numbers:
            if unit not in self._found:
                task = self._task
                found = check_pair(
                    self._open[unit], self._scene.timeline, task.tolerance, task.budget, method=task.method
                )
                self._found[unit] = found, EXACT
                self._keep(unit)
            one, by = self._found[unit]
            if finding is not None:
                one = replace(one)
                one.add(finding)
            finding, proof = one, max(proof, by)
            if finding.verdict is Verdict.COLLIDING:
                break
        assert finding is not None
        return finding, proof

    def known_pairs(self) -> dict[int, tuple[bytes, ...] | None]:
        """Return the keys of the stored verdicts over each pair; None if one of them was computed."""
        return self._units.known_pairs(self._found, self._new, self._keys)

    def _keep(self, unit: int) -> None:
        """Keep the verdict over a unit, and count it."""
        self._new.add(unit)
        if self._known is None:
            return
        self._known.count(1, 0)
        if unit in self._keys:
            content = self._units.encode_check(unit, *self._found[unit])
            self._known.keep(CHECK, {self._keys[unit]: content})
