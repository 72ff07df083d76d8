"""Pair tasks: the findings about one pair in one window of time, keyed by a digest of everything they depend on.

A pair task is the unit of computing, storing and merging. Its findings do not depend on other pairs or windows, nor on
the process, the time or the order of computing.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from keepclear.kernels.tables.pair import Pairs
from keepclear.query.moving.results import FirstContact
from keepclear.report.records import EXACT, HULLS, PROOFS, VERDICTS
from keepclear.results import Verdict
from keepclear.scene.digests import SceneContent
from keepclear.scene.scene import Scene
from keepclear.world.selection.windows import Windows
from keepclear.world.verify.options import Task
from keepclear.world.verify.pair_check import PairFinding, RowChecks, Which

__all__ = ["CHECK", "CONTACTS", "EXACT_DISTANCE", "HULL_DISTANCE", "KnownResults", "UnitChecks", "Units"]

T = TypeVar("T")
CHECK, HULL_DISTANCE, EXACT_DISTANCE, CONTACTS = 1, 2, 3, 4
"""Kinds of results: verdict, minimum distance by hulls, minimum distance by exact shapes, all contacts of a pair."""
# Verdict, proof, whether there is a contact, evaluations, the undecided window; time, bracket and distance of the
# contact, its point and normal in the world, and its parts.
_CHECK = struct.Struct("<BBB q dd dddd ddd ddd ii")
_NOWHERE = (math.inf, -math.inf)
CHUNK = 64  # rows in a chunk of a thread


class KnownResults(Protocol):
    """The interface of a store of results; `keepclear.jobs.store` has one on disk.

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
    """Rows of PAIR by pair and window, and which of their results are stored.

    Args:
        scene: The scene.
        task: The options of the check.
        rows: The times at which pairs may be too close.
        windows: The windows of time.
        known: Results of earlier work, or None.

    Attributes:
        rows: The rows, sorted by unit; units are in the order of pairs, then of windows.
        first: (units + 1,) the first row of each unit, and the number of rows.
        by_pair: The units of each pair, in the order of windows.
        is_mine: (units,) which of them have to be computed.
    """

    def __init__(
        self, scene: Scene, task: Task, rows: Pairs, windows: Windows, known: KnownResults | None
    ) -> None:
        self._scene, self._task, self._known, n = scene, task, known, len(windows)
        codes = rows["pair"].astype(np.int64) * n + windows.number_of(rows["t1"])
        if (codes[1:] < codes[:-1]).any():
            order = np.argsort(codes, kind="stable")
            rows, codes = rows[order], codes[order]
        found, first, unit = np.unique(codes, return_index=True, return_inverse=True)
        self.rows, self.first = rows, np.append(first, len(rows))
        self.rows["unit"] = unit.reshape(-1)
        pair, window = found // n, found % n
        k, n_parts = (0, 1) if known is None else known.part
        self.is_mine: npt.NDArray[np.bool_] = (pair + window) % n_parts == k
        self.by_pair: dict[int, list[int]] = {}
        for number, one in enumerate(pair.tolist()):
            self.by_pair.setdefault(one, []).append(number)
        self._used: dict[int, bytes] = {}  # the keys of stored results that were used, by unit
        self._new: set[int] = set()  # units that were computed

    def rows_of(self, unit: int) -> Pairs:
        """Return the rows of a unit, as a view."""
        return self.rows[self.first[unit] : self.first[unit + 1]]

    def known_pairs(self) -> dict[int, tuple[bytes, ...] | None]:
        """Return the keys of the stored results of each pair; None for pairs with a unit that was computed."""
        known: dict[int, tuple[bytes, ...] | None] = {}
        for pair, units in self.by_pair.items():
            if any(unit in self._new for unit in units):
                known[pair] = None
            elif mine := tuple(self._used[unit] for unit in units if unit in self._used):
                known[pair] = mine
        return known

    def _keys(self, kind: int) -> dict[int, bytes]:
        """Return the keys of the units for a kind of result; units with user-defined motions have none."""
        task, budget = self._task, -1 if self._task.budget is None else self._task.budget
        asked = struct.pack("<Bddq", kind, task.tolerance, task.far if kind != CHECK else 0.0, budget)
        content = self._scene.kept(("content",), lambda: SceneContent(self._scene))
        found, digests = {}, content.rows(self.rows)
        for unit in range(len(self.is_mine)):
            parts = digests[self.first[unit] : self.first[unit + 1]]
            if None not in parts:
                found[unit] = hashlib.sha256(asked + b"".join(part or b"" for part in parts)).digest()
        return found

    def _stored(
        self, kind: int, keys: Mapping[int, bytes], decode: Callable[[int, bytes], T | None]
    ) -> dict[int, T]:
        """Return the valid stored results of units, by their keys."""
        assert self._known is not None
        contents, found = self._known.find(kind, list(keys.values())), {}
        for unit, key in keys.items():
            one = decode(unit, contents[key]) if key in contents else None
            if one is not None:
                found[unit], self._used[unit] = one, key
        return found

    def _span(self, unit: int) -> tuple[float, float]:
        rows = self.rows_of(unit)
        return float(rows["t0"].min()), float(rows["t1"].max())

    def _which(self, unit: int, p: int, q: int) -> Which | None:
        """Return the parts of a unit's items by number; None for invalid numbers."""
        rows, geoms = self.rows_of(unit), self._scene.geoms
        for a, b in zip(rows["geom_a"].tolist(), rows["geom_b"].tolist(), strict=True):
            if (geoms[a][1], geoms[b][1]) == (p, q):
                return geoms[a], geoms[b]
        return None


class UnitChecks(Units):
    """The verdicts over pair tasks: hulls in one run, then exact shapes, windows in order, until a contact.

    Attributes:
        mine: The units of each pair that have to be computed, in the order of windows.
        pairs: (n,) the rows of these pairs.
    """

    def __init__(
        self, scene: Scene, task: Task, rows: Pairs, windows: Windows, known: KnownResults | None
    ) -> None:
        super().__init__(scene, task, rows, windows, known)
        given = {pair: [unit for unit in units if self.is_mine[unit]] for pair, units in self.by_pair.items()}
        self.mine = {pair: units for pair, units in given.items() if units}
        self.pairs: npt.NDArray[np.int64] = np.array(list(self.mine), np.int64)
        self._found: dict[int, tuple[PairFinding, int]] = {}
        self._open = self.rows[:0]
        self._check_keys: dict[int, bytes] = {}

    def run_hulls(self) -> None:
        """Look up stored results, and advance the hulls of all other units."""
        task = self._task
        # Results of other methods are not stored, because the report contains the method of each pair.
        if self._known is not None and self._known.keeps and task.method == "hybrid":
            self._check_keys = self._keys(CHECK)
            self._found = self._stored(CHECK, self._check_keys, self._decode)
            self._known.count(0, len(self._found))
        wanted = np.zeros(len(self.is_mine), dtype=bool)
        for numbers in self.mine.values():
            for unit in numbers:
                if unit not in self._found:
                    wanted[unit] = True
                elif self._found[unit][0].contact is not None:
                    break  # later times are not checked
        rows = self.rows if wanted.all() else self.rows[wanted[self.rows["unit"]]]
        search = self._scene.hulls.search(rows, task.tolerance, task.budget)
        search.run_within()
        counts = np.bincount(rows["unit"], rows["evaluations"], len(wanted))
        self._open = rows[search.stopped()]
        wanted[self._open["unit"]] = False
        for unit in np.flatnonzero(wanted).tolist():
            self._keep(unit, PairFinding(evaluations=int(counts[unit])), HULLS)

    def chunks(self) -> dict[int, Pairs]:
        """Return the rows that hulls leave open, in chunks for threads: all rows of a pair are in one."""
        ends = np.flatnonzero(np.diff(self._open["pair"])) + 1
        ends = ends[np.diff(ends // CHUNK, prepend=0) > 0]
        return dict(enumerate(np.split(self._open, ends))) if len(self._open) else {}

    def run_exact(self, _: int, rows: Pairs) -> None:
        """Decide rows by exact shapes; after Ctrl-C the units that are decided are kept."""
        task, scene = self._task, self._scene
        checks = RowChecks(rows, scene.timeline, task.tolerance, task.budget, task.method, scene.hulls)
        try:
            checks.run()
        finally:
            for unit, found in checks.findings().items():
                self._keep(unit, found, EXACT)

    def finding(self, numbers: list[int]) -> tuple[PairFinding, int] | None:
        """Return the finding over the units of a pair, in the order of windows, and the strongest proof needed.

        None if Ctrl-C left some of them.
        """
        finding, proof = PairFinding(), HULLS
        for unit in numbers:
            if unit not in self._found:
                return None
            one, by = self._found[unit]
            finding, proof = one.after(finding), max(proof, by)
            if finding.verdict is Verdict.COLLIDING:
                break
        return finding, proof

    def _keep(self, unit: int, finding: PairFinding, proof: int) -> None:
        """Keep the verdict over a unit, and count it."""
        self._found[unit] = finding, proof
        self._new.add(unit)
        if self._known is not None:
            self._known.count(1, 0)
            if unit in self._check_keys:
                self._known.keep(CHECK, {self._check_keys[unit]: _encoded(finding, proof)})

    def _decode(self, unit: int, content: bytes) -> tuple[PairFinding, int] | None:
        """Return a verdict from bytes, and its proof; None if the bytes are not a verdict about this unit."""
        if len(content) != _CHECK.size:
            return None
        code, proof, hit, evaluations, lo, hi, time, t_lo, t_hi, distance, *vectors, p, q = _CHECK.unpack(
            content
        )
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
        is_within = t0 <= t_lo <= time <= t_hi <= t1 and not math.isnan(distance)
        if hit != 1 or finding.which is None or not is_within:
            return None
        finding.contact = FirstContact(
            verdict=verdict, time=time, t_lo=t_lo, t_hi=t_hi, distance=distance,
            p_W=np.array(vectors[:3]), normal_W=np.array(vectors[3:]),
        )  # fmt: skip
        return finding, proof


def _encoded(finding: PairFinding, proof: int) -> bytes:
    """Return a verdict as bytes."""
    found, which, values = finding.contact, (0, 0), [math.nan] * 10
    if found is not None:
        assert finding.which is not None
        which = finding.which[0][1], finding.which[1][1]
        p_W, normal_W = finding.in_world()
        values = [found.time, found.t_lo, found.t_hi, found.distance, *p_W.tolist(), *normal_W.tolist()]
    code = VERDICTS.index(finding.verdict)
    return _CHECK.pack(
        code, proof, found is not None, finding.evaluations, *finding.left, *values, *which
    )  # fmt: skip
