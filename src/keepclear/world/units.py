"""Pair tasks: the findings about one pair in one window of time, keyed by a digest of everything they depend on.

A pair task is the unit of computing, storing and merging. Its findings do not depend on other pairs or windows, nor on
the process, the time or the order of computing.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from keepclear.continuous.results import FirstContact
from keepclear.kernels.tables.pair import Pairs
from keepclear.report.records import PROOFS, VERDICTS
from keepclear.results import Verdict
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import Timeline
from keepclear.world.clearances import FAR, OPEN, SETTLED, PairClearance, Which
from keepclear.world.content import SceneContent
from keepclear.world.pair_check import PairFinding
from keepclear.world.task import Task
from keepclear.world.windows import Windows

__all__ = ["CHECK", "CONTACTS", "EXACT_DISTANCE", "HULL_DISTANCE", "KnownResults", "Units"]

IntArray = npt.NDArray[np.int64]
CHECK, HULL_DISTANCE, EXACT_DISTANCE, CONTACTS = 1, 2, 3, 4
"""Kinds of results: verdict, minimum distance by hulls, minimum distance by exact shapes, all contacts of a pair."""
_CHECK = struct.Struct("<BBB q dd dddd ddd ddd d ii")
_DISTANCE = struct.Struct("<B ddd ii q")
_NOWHERE = (math.inf, -math.inf)


class KnownResults(Protocol):
    """The interface of a store of results; `keepclear.store` has one on disk.

    Attributes:
        part: A number k and a count n: only the k-th of n parts of all pair tasks is computed. The report of such a run
            covers only that part; a run with (0, 1) and the results of all parts gives the complete report.
        keeps: Whether anything is looked up and kept; False: pair tasks are only counted.
    """

    part: tuple[int, int]
    keeps: bool

    def find(self, kind: int, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the known contents, by key."""

    def keep(self, kind: int, found: Mapping[bytes, bytes]) -> None:
        """Keep contents by key."""

    def count(self, computed: int, stored: int) -> None:
        """Add to the counts of computed and of known pair tasks."""

    def note_pairs(self, found: Sequence[tuple[bytes, ...]]) -> None:
        """Record the pairs of a verification whose results were all found, each by its keys."""


class Units:
    """Rows of PAIR by pair and window.

    Attributes:
        rows: The rows, sorted by unit; units are in the order of pairs, then of windows.
        first: (units + 1,) the first row of each unit, and the number of rows.
        pair: (units,) the row of its pair.
        window: (units,) the number of its window.
    """

    def __init__(self, scene: Scene, rows: Pairs, windows: Windows) -> None:
        self._scene, n = scene, len(windows)
        codes = rows["pair"].astype(np.int64) * n + windows.number_of(rows["t1"])
        if (codes[1:] < codes[:-1]).any():
            order = np.argsort(codes, kind="stable")
            rows, codes = rows[order], codes[order]
        found, first, unit = np.unique(codes, return_index=True, return_inverse=True)
        self.rows = rows
        self.rows["unit"] = unit.reshape(-1)
        self.first = np.append(first, len(rows))
        self.pair, self.window = found // n, found % n

    def __len__(self) -> int:
        return len(self.pair)

    def rows_of(self, unit: int) -> Pairs:
        """Return the rows of a unit, as a view."""
        return self.rows[self.first[unit] : self.first[unit + 1]]

    def by_pair(self) -> dict[int, list[int]]:
        """Return the units of each pair, in the order of windows."""
        found: dict[int, list[int]] = {}
        for unit, pair in enumerate(self.pair.tolist()):
            found.setdefault(pair, []).append(unit)
        return found

    def known_pairs(
        self, found: Collection[int], new: Collection[int], keys: Mapping[int, bytes]
    ) -> dict[int, tuple[bytes, ...] | None]:
        """Return the keys of the results of each pair; None for pairs with a unit that was computed in this run."""
        known: dict[int, tuple[bytes, ...] | None] = {}
        for pair, units in self.by_pair().items():
            if any(unit in new for unit in units):
                known[pair] = None
            elif mine := tuple(keys[unit] for unit in units if unit in found):
                known[pair] = mine
        return known

    def in_part(self, known: KnownResults | None) -> npt.NDArray[np.bool_]:
        """Return which units have to be computed, (units,)."""
        k, n = (0, 1) if known is None else known.part
        return np.asarray((self.pair + self.window) % n == k)

    def keys(self, kind: int, content: SceneContent, task: Task, more: bytes = b"") -> dict[int, bytes]:
        """Return the keys of units by number; units with user-defined motions have none.

        Args:
            kind: The kind of result.
            content: Digests of the scene.
            task: The options of the check.
            more: Further values that the result depends on.
        """
        budget = -1 if task.budget is None else task.budget
        asked = struct.pack("<Bddq", kind, task.tolerance, task.far if kind != CHECK else 0.0, budget) + more
        found, digests = {}, content.rows(self.rows)
        for unit in range(len(self)):
            parts = digests[self.first[unit] : self.first[unit + 1]]
            if None not in parts:
                found[unit] = hashlib.sha256(asked + b"".join(part or b"" for part in parts)).digest()
        return found

    def encode_check(self, unit: int, finding: PairFinding, proof: int) -> bytes:
        """Return a verdict as bytes."""
        found, which, begin = finding.contact, (0, 0), 0.0
        if found is None:
            values = (math.nan,) * 10
        else:
            assert finding.which is not None
            which = finding.which[0][1], finding.which[1][1]
            begin = self._begin(unit, finding)
            values = (found.time, found.t_lo, found.t_hi, found.distance, *found.p_W, *found.normal_W)
        return _CHECK.pack(
            VERDICTS.index(finding.verdict), proof, found is not None, finding.evaluations, *finding.left,
            *map(float, values), begin, *which,
        )  # fmt: skip

    def decode_check(self, unit: int, content: bytes) -> tuple[PairFinding, int] | None:
        """Return a verdict from bytes, and its proof; None if the bytes are not a verdict about this unit."""
        if len(content) != _CHECK.size:
            return None
        code, proof, hit, evaluations, lo, hi, *numbers, p, q = _CHECK.unpack(content)
        time, t_lo, t_hi, distance, *vectors, begin = numbers
        t0, t1 = self._span(unit)
        if not (code < len(VERDICTS) and 0 < proof < len(PROOFS) and evaluations >= 0):
            return None
        verdict, is_left = VERDICTS[code], (lo, hi) != _NOWHERE
        if is_left and not t0 <= lo <= hi <= t1:
            return None
        finding = PairFinding(verdict, evaluations=evaluations, left=(lo, hi))
        if verdict is not Verdict.COLLIDING:
            is_whole = hit == 0 and is_left == (verdict is Verdict.UNDECIDED)
            return (finding, proof) if is_whole else None
        finding.which = self._which(unit, p, q)
        is_within = t0 <= t_lo <= time <= t_hi <= t1 and t0 <= begin <= t1 and not math.isnan(distance)
        if hit != 1 or finding.which is None or not is_within:
            return None
        finding.relative = self._timeline.relative_motion(*finding.which, begin)
        finding.contact = FirstContact(
            verdict=verdict, time=time, t_lo=t_lo, t_hi=t_hi, distance=distance,
            p_W=np.array(vectors[:3]), normal_W=np.array(vectors[3:]),
        )  # fmt: skip
        return finding, proof

    def encode_distance(self, found: PairClearance) -> bytes:
        """Return a minimum distance as bytes."""
        which = (-1, -1) if found.which is None else (found.which[0][1], found.which[1][1])
        return _DISTANCE.pack(found.state, found.lower, found.upper, found.time, *which, found.effort)

    def decode_distance(self, unit: int, content: bytes) -> PairClearance | None:
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

    @property
    def _timeline(self) -> Timeline:
        return self._scene.timeline

    def _span(self, unit: int) -> tuple[float, float]:
        rows = self.rows_of(unit)
        return float(rows["t0"].min()), float(rows["t1"].max())

    def _begin(self, unit: int, finding: PairFinding) -> float:
        """Return a time at which the parent frames are those of a contact [s]."""
        assert finding.which is not None
        assert finding.contact is not None
        times: list[float] = [*self.rows_of(unit)["t0"].tolist(), finding.contact.time]
        relative = self._timeline.relative_motion
        return next(t for t in times if relative(*finding.which, t) is finding.relative)

    def _which(self, unit: int, p: int, q: int) -> Which | None:
        """Return the parts of a unit's items by number; None for invalid numbers."""
        rows, geoms = self.rows_of(unit), self._scene.geoms
        for a, b in zip(rows["geom_a"].tolist(), rows["geom_b"].tolist(), strict=True):
            if (geoms[a][1], geoms[b][1]) == (p, q):
                return geoms[a], geoms[b]
        return None
