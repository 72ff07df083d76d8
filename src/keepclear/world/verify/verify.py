"""The verdict over a whole world and an interval of time: plan, boxes, hulls, exact shapes, clearances, report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.kernels.tables.pair import Pairs
from keepclear.report.parts import RULE, Assumption, Contact, ContactHistory, Curve, FarPairs, Unchecked
from keepclear.report.records import (  # fmt: skip
    BOXES,
    CLEAR,
    COLLIDING,
    EXACT,
    HULLS,
    PROOFS,
    UNDECIDED,
    VERDICT,
    VERDICTS,
    Histories,
    OnDemand,
    PairRecords,
    Points,
    Verdicts,
    histories_within,
    order_key,
)
from keepclear.report.report import Report
from keepclear.report.words import counted
from keepclear.results import Verdict
from keepclear.scene.display import make_scene
from keepclear.scene.distances import DistanceSample, query_distances
from keepclear.scene.hulls import HullSearch
from keepclear.scene.scene import Scene
from keepclear.world.selection.plan import PairPlan, PairTable, Plan, make_plan, unchecked_order
from keepclear.world.selection.windows import Windows
from keepclear.world.verify.assumptions import methods_used
from keepclear.world.verify.clearances import PairClearance, UnitClearances
from keepclear.world.verify.contacts import FoundContacts, all_contacts, contact_of, history_of, point
from keepclear.world.verify.cross_check import Repetition
from keepclear.world.verify.curves import curves_of
from keepclear.world.verify.hints import MOST_HINTS, hint_of
from keepclear.world.verify.options import Task
from keepclear.world.verify.pair_check import PairFinding, RowChecks
from keepclear.world.verify.threads import Pool, Progress
from keepclear.world.verify.units import CHUNK, KnownResults, UnitChecks

IntArray = npt.NDArray[np.int64]
# Horizons of the search for the earliest contact: parts of the interval after the first hulls that come too near.
HORIZONS = 1 / 256, 1 / 32, 1 / 4, math.inf
MOST_CURVES = 32
"""Greatest number of pairs whose curves are computed together, between two progress reports."""


_NO_PAIRS = np.empty((0, 2), np.int64)


@dataclass(slots=True)
class Verification:
    """A verification; results of earlier work are read from `known`, and those of this one are added to it."""

    scene: Scene
    task: Task
    progress: Progress
    known: KnownResults | None = None
    table: PairTable = field(init=False)
    verdicts: Verdicts = field(init=False)
    n_far: int = 0
    unchecked: list[Unchecked] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    findings: dict[int, PairFinding] = field(default_factory=dict)
    contacts: dict[int, FoundContacts] = field(default_factory=dict)
    points: dict[int, tuple[tuple[int, int], tuple[int, int], float]] = field(default_factory=dict)
    curves: dict[int, Curve] = field(default_factory=dict)
    interrupted: bool = False
    earliest: float = math.inf
    apart_at_rest: int = 0
    repetition: Repetition | None = None
    _bodies: IntArray = field(init=False)
    _found: dict[int, tuple[bytes, ...] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.table = PairTable(_NO_PAIRS, {}, self.task.t0, self.task.t1)
        self.verdicts = np.zeros(0, VERDICT)

    def run(self) -> None:
        """Run the verification; pairs that Ctrl-C interrupts stay open."""
        try:
            self._run()
        except KeyboardInterrupt:
            self.interrupted = True

    def _run(self) -> None:
        task, scene = self.task, self.scene
        plan = self._plan()
        self.unchecked += plan.unchecked
        self.warnings += plan.warnings
        self.n_far, self.apart_at_rest = plan.n_far, plan.apart_at_rest
        self.table, self._bodies, self.verdicts = plan.table, plan.bodies, _undecided(plan.table)
        self.progress(0, len(self.table), "comparing boxes")
        windows = scene.kept(("windows", task.t0, task.t1), partial(Windows, scene, task.t0, task.t1))
        rows = windows.near_rows(self.table, self._bodies, None)
        with Pool(task.threads, self.progress) as pool:
            if task.contacts == "earliest":
                self._check_earliest(pool, rows)
            else:
                checks = UnitChecks(scene, task, rows, windows, self.known)
                checks.run_hulls()
                self._set(slice(None), CLEAR, task.t1, BOXES)
                self._set(checks.pairs, UNDECIDED, task.t0, 0)
                try:
                    pool.each("checking pairs", checks.chunks(), checks.run_exact)
                finally:
                    self._keep_checked(checks)
                self._note(checks.known_pairs())
            if task.cross_check:
                self._cross_check(pool)
            if task.contacts == "all":
                hit = [k for k, f in self.findings.items() if f.verdict is Verdict.COLLIDING]
                pool.each("all contacts", {k: k for k in hit}, self._find_all)
            if task.clearances:
                self._measure(pool, windows)
            if self.repetition is not None:  # a disputed pair has no minimum distance
                self.verdicts["clearance_lower"][list(self.repetition.disagreements)] = 0.0
            if task.curves:
                hit = self.verdicts["verdict"] == COLLIDING
                known = np.flatnonzero(np.isfinite(self.verdicts["clearance_upper"]) | hit)
                # harmless: it is how pairs are shared out; each has its curve
                n = max(min(task.threads, len(known)), -(-len(known) // MOST_CURVES), 1)
                pool.each("curves", {k: known[k::n].tolist() for k in range(n)}, self._draw)
        if self.known is not None:
            whole = [keys for k, keys in self._found.items() if keys is not None and k not in self.contacts]
            self.known.note_pairs(whole)

    def _plan(self) -> Plan:
        """Return the plan of this verification; one of the same interval is reused."""
        task = self.task
        within = max(task.tolerance, task.far) if task.clearances else task.tolerance
        key = "plan", task.t0, task.t1, task.tolerance, within
        return self.scene.kept(key, partial(make_plan, self.scene, task.t0, task.t1, task.tolerance, within))

    def _keep_proved(self, search: HullSearch) -> None:
        """Record which pairs are proved clear by boxes and hulls; the others stay open."""
        verdicts, task, pair = self.verdicts, self.task, search.rows["pair"]
        is_open = pair[search.is_open]
        self._set(slice(None), CLEAR, task.t1, BOXES)
        verdicts["proof"][pair] = HULLS
        verdicts["evaluations"] = np.bincount(pair, search.rows["evaluations"], len(self.table))
        self._set(is_open, UNDECIDED, task.t0, 0)
        # Pairs that exact shapes left undecided until a horizon are no longer open to hulls, but they are not clear.
        for k in self.findings.keys() - set(is_open.tolist()):
            if self.findings[k].verdict is Verdict.UNDECIDED:
                self._keep(k, self.findings[k], BOXES)

    def _keep_checked(self, checks: UnitChecks) -> None:
        """Record the findings about all pairs whose units are decided."""
        for k, units in checks.mine.items():
            found = checks.finding(units)
            if found is not None and (found[0].verdict is not Verdict.CLEAR or found[1] != HULLS):
                self._keep(k, *found)
            elif found is not None:
                self._set(k, CLEAR, self.task.t1, HULLS, found[0].evaluations)

    def _cross_check(self, pool: Pool) -> None:
        """Repeat the findings about all pairs that are not open, by another method."""
        self.repetition = Repetition(self.scene.timeline, self.task)
        pool.each("cross-checking", {k: k for k in self._repeated()}, self._repeat)

    def _repeated(self) -> list[int]:
        """Return the rows of the pairs whose findings are repeated."""
        disagreements = () if self.repetition is None else self.repetition.disagreements
        return sorted({*np.flatnonzero(self.verdicts["verdict"] != UNDECIDED).tolist(), *disagreements})

    def _repeat(self, k: int, _: int) -> None:
        """Repeat the finding about a pair; a clear pair whose finding is contradicted becomes open."""
        assert self.repetition is not None
        name = PROOFS[self.verdicts["proof"][k]]
        finding = self.findings.get(k)
        if finding is None or self.verdicts["proof"][k] != EXACT:
            finding = PairFinding(method=name)
        if self.repetition.repeat(k, self.table.plan(k), finding) and finding.contact is None:
            left = self.task.t0, self.task.t1
            self._keep(k, PairFinding(Verdict.UNDECIDED, left=left, refused=finding.refused), 0)

    def _check_earliest(self, pool: Pool, rows: Pairs) -> None:
        """Find the earliest contact: hulls bound its time from below, and exact shapes are checked near there first.

        Most bodies touch soon after their hulls. So times later than a horizon, shortly after the first two hulls come
        too near, are checked only if there is no contact before.
        """
        task, scene = self.task, self.scene
        rows = rows[np.argsort(rows["t0"], kind="stable")]
        search = scene.hulls.search(rows, task.tolerance, task.budget)
        parts = HORIZONS if task.budget is None else HORIZONS[-1:]  # a budget is for a whole row
        for part in parts:
            horizon = search.run_within(part * (task.t1 - task.t0) if part < math.inf else part)
            self._keep_proved(search)
            which = search.stopped(horizon)
            pool.each("checking pairs", _by_start(rows[which]), partial(self._check_until, horizon))
            if self.earliest < math.inf:
                break
            if len(which):
                clear = [self.findings[k].verdict is Verdict.CLEAR for k in rows["pair"][which].tolist()]
                search.go_on(which, horizon, np.array(clear, dtype=bool))
            if not search.is_open.any():
                break
        self._keep_earliest(rows["pair"][search.is_open])

    def _check_until(self, horizon: float, _: int, rows: Pairs) -> None:
        """Check rows until a horizon, or the earliest contact that is known."""
        task, scene = self.task, self.scene
        checks = RowChecks(
            rows, scene.timeline, task.tolerance, task.budget, task.method, scene.hulls,
            horizon=min(horizon, self.earliest), falls=True,
        )  # fmt: skip
        pairs = dict(zip(checks.rows["unit"].tolist(), checks.rows["pair"].tolist(), strict=True))
        try:
            checks.run()
        finally:
            for unit, finding in checks.findings().items():
                k = pairs[unit]
                if k in self.findings:
                    finding = finding.after(self.findings[k])
                self.findings[k] = finding
                if finding.contact is not None:
                    self.earliest = min(self.earliest, finding.contact.time)
                    self._keep(k, finding, EXACT)

    def _keep_earliest(self, is_open: IntArray) -> None:
        """Record the findings; times after the earliest contact stay open, so that results do not depend on the order.

        Args:
            is_open: The pairs that neither hulls nor exact shapes have decided until the end.
        """
        verdicts, earliest, t1 = self.verdicts, self.earliest, self.task.t1
        if earliest == math.inf:
            for k in self.findings.keys() - set(is_open.tolist()):
                self._keep(k, self.findings[k], EXACT)
            return
        self._set(is_open, UNDECIDED, earliest, BOXES)
        verdicts["t_hi"][is_open], verdicts["clearance_lower"][is_open] = t1, 0.0
        for k, finding in self.findings.items():
            if finding.contact is None or finding.contact.time > earliest:
                verdicts["clearance_upper"][k] = verdicts["clearance_time"][k] = math.nan
                left = min(finding.left[0], earliest), t1
                finding = PairFinding(Verdict.UNDECIDED, left=left, refused=finding.refused)
            self._keep(k, finding, EXACT if finding.contact is not None else BOXES)

    def _set(
        self, which: int | slice | IntArray, verdict: int, t_lo: float, proof: int, evaluations: int = 0
    ) -> None:
        """Record the same finding about some pairs."""
        rows = self.verdicts
        rows["verdict"][which], rows["t_lo"][which], rows["proof"][which] = verdict, t_lo, proof
        rows["evaluations"][which] = evaluations

    def _keep(self, k: int, finding: PairFinding, proof: int) -> None:
        """Record the finding about a pair in its row."""
        row, found = self.verdicts[k], finding.contact
        self.findings[k] = finding
        row.time, row.t_lo, row.t_hi = math.nan, self.task.t1, self.task.t1
        if finding.verdict is Verdict.COLLIDING:
            assert found is not None
            row.time, (row.t_lo, row.t_hi) = found.time, finding.bracket
            row.clearance_lower, row.clearance_upper = 0.0, max(0.0, found.distance)
            row.clearance_time = found.time
        elif finding.verdict is Verdict.UNDECIDED:
            row.t_lo, row.t_hi = finding.left
            row.clearance_lower = 0.0
        row.verdict, row.proof = VERDICTS.index(finding.verdict), proof
        row.evaluations = finding.evaluations

    def _find_all(self, k: int, _: int) -> None:
        plan, items = self.table.plan(k), self.scene.items
        found = all_contacts(self.findings[k], plan, self.scene.timeline, self.task)
        self.contacts[k], left = found, found.left
        if left is not None:
            detail = "the budget ended before later contacts were found"
            a, b = items[plan.i].name, items[plan.j].name
            self.unchecked.append(
                Unchecked(a=a, b=b, reason="undecided", detail=detail, t_from=left, t_to=self.task.t1)
            )

    def _measure(self, pool: Pool, windows: Windows) -> None:
        """Find the minimum distances of all pairs that are not in contact; far pairs are left to boxes and hulls."""
        task, verdict = self.task, self.verdicts["verdict"]
        hit = verdict == COLLIDING
        for k in np.flatnonzero(hit).tolist():
            which = self.findings[k].which
            assert which is not None
            self.points[k] = *which, self.verdicts["clearance_time"].item(k)
        rows = windows.near_rows(self.table, self._bodies, task.far, ~hit)
        far = ~hit
        far[rows["pair"]] = False
        self._keep_far(far)
        units = UnitClearances(self.scene, task, rows, windows, self.known, verdict == CLEAR)
        pool.each("clearances", dict(enumerate(units.chunks())), units.run_hulls)
        try:
            pool.each("exact clearances", units.pairs_in_chunks(), units.run_exact)
        finally:
            for k, found in units.found.items():
                if found is not None:
                    self._keep_clearance(k, found)
            self._keep_far(
                np.isin(np.arange(len(far)), [k for k, found in units.found.items() if found is None])
            )
        self._note(units.known_pairs())

    def _note(self, pairs: Mapping[int, tuple[bytes, ...] | None]) -> None:
        """Record which pairs were taken entirely from the store."""
        for k, keys in pairs.items():
            before = self._found.get(k, ())
            self._found[k] = None if keys is None or before is None else (*before, *keys)

    def _keep_far(self, far: npt.NDArray[np.bool_]) -> None:
        """Record that pairs are always farther apart than `far`."""
        kept = np.where(self.verdicts["verdict"][far] == CLEAR, self.table.least_margins[far], 0.0)
        self.verdicts["clearance_lower"][far] = np.maximum(self.task.far, kept)

    def _keep_clearance(self, k: int, found: PairClearance) -> None:
        verdicts, lower, upper = self.verdicts, min(found.lower, self.task.far), found.upper
        if upper > self.task.far + self.task.tolerance:
            upper = math.inf
        if verdicts["verdict"][k] == CLEAR:
            lower = min(max(lower, self.table.least_margins.item(k)), upper)
        verdicts["clearance_lower"][k] = lower
        verdicts["evaluations"][k] += found.effort
        if found.which is not None and upper < math.inf:
            verdicts["clearance_upper"][k], verdicts["clearance_time"][k] = upper, found.time
            self.points[k] = *found.which, found.time

    def _closest_points(self) -> Mapping[int, Points]:
        """Return the closest points of pairs: those of a page at once, others when they are read."""
        asked, ask = self.points, partial(query_distances, self.scene.timeline)
        if self.task.scene:
            return {k: _points_of(one) for k, one in zip(asked, ask(list(asked.values())), strict=True)}
        return OnDemand({k: partial(lambda one: _points_of(ask([one])[0]), one) for k, one in asked.items()})

    def _names(self, k: int) -> tuple[str, str]:
        names = self.scene.names
        return names[self.table.i[k]], names[self.table.j[k]]

    def _draw(self, _: int, rows: list[int]) -> None:
        """Compute the curves of some pairs; an instant has none."""
        if self.task.t0 < self.task.t1:
            closest = self.verdicts["clearance_time"]
            extra = [[closest.item(k)] if math.isfinite(closest[k]) else [] for k in rows]
            pairs = zip(self.table.i[rows].tolist(), self.table.j[rows].tolist(), extra, strict=True)
            self.curves |= zip(rows, curves_of(self.scene.timeline, list(pairs), self.task), strict=True)

    def records(self) -> PairRecords:
        """Return the results of all pairs, in the order of reports."""
        verdicts, table = self.verdicts, self.table
        hit = (verdicts["verdict"] == COLLIDING).nonzero()[0]
        contacts: Mapping[int, tuple[Contact, ...]] = {}
        histories: Mapping[int, ContactHistory] = {}
        if len(hit):
            given = {k: (self.findings[k], table.plan(k)) for k in hit.tolist()}
            contacts = OnDemand({
                k: partial(_contacts_of, *both, self.contacts.get(k)) for k, both in given.items()
            })  # fmt: skip
            histories = Histories({
                k: partial(history_of, *both, self.scene.timeline, self.task, self.contacts.get(k))
                for k, both in given.items()
            })  # fmt: skip
        # Boxes prove of a clear pair that it keeps its margin.
        kept = np.where(verdicts["verdict"] == CLEAR, table.least_margins, 0.0)
        is_known = ~np.isnan(verdicts["clearance_lower"])
        verdicts["clearance_lower"] = np.where(is_known, verdicts["clearance_lower"], kept)
        found = PairRecords(
            names=self.scene.names, rows=verdicts, contacts=contacts, points=self._closest_points(),
            curves=self.curves, histories=histories,
        )  # fmt: skip
        # The order of `PairRecords.sorted`, because the rows of a table are in the order of names.
        return found.take(np.lexsort((order_key(verdicts), verdicts["verdict"])))

    def report(self, **facts: Any) -> Report:
        """Return the report."""
        pairs, task = self.records(), self.task
        verdict = pairs.worst or (Verdict.UNDECIDED if self.interrupted else Verdict.CLEAR)
        if task.hints:
            pairs = self._with_hints(pairs)
        statistics = {
            "pairs": len(pairs) + self.n_far,
            **{f"proved by {name or 'none'}": count for name, count in pairs.proof_counts().items()},
            "at rest and apart": self.apart_at_rest,
            "evaluations": int(pairs.evaluations.sum()),
        }
        if self.repetition is not None:
            facts["cross_check"] = self.repetition.result({k: self._names(k) for k in self._repeated()})
            facts["warnings"] = (*map(str, facts["cross_check"].disagreements), *facts.get("warnings", ()))
        refused = {self._names(k): found.refused for k, found in self.findings.items() if found.refused}
        facts["assumptions"] = (*facts.get("assumptions", ()), *methods_used(task.method, refused))
        far, rule, not_listed = None, RULE, self.scene.pair_rules.not_listed
        if not_listed:
            text = f"{counted(not_listed, 'pair')} were not selected: they are neither checked nor listed"
            rule = f"{RULE} {text}."
            selection = Assumption(kind="selection", subject="all pairs", text=text)
            facts["assumptions"] = (*facts.get("assumptions", ()), selection)
        if self.n_far:
            key = "proved by swept boxes"
            statistics[key] = statistics.get(key, 0) + self.n_far
            far = FarPairs(count=self.n_far, bound=task.far if task.clearances else 0.0, rule=rule)
        scene = None
        if task.scene:
            moments = self._contact_times(pairs)
            scene = make_scene(self.scene.timeline, task.t0, task.t1, pairs, moments)
        unchecked = tuple(self.unchecked)
        if task.contacts == "all":  # the search may have left some pairs undecided
            unchecked = tuple(sorted(unchecked, key=unchecked_order))
        return Report(
            verdict=verdict, t0=task.t0, t1=task.t1, tolerance=task.tolerance, pairs=pairs, objects=self.scene.names,
            at_rest=self.scene.at_rest, far=far, unchecked=unchecked, interrupted=self.interrupted,
            statistics=statistics, scene=scene, **facts,
        )  # fmt: skip

    def _with_hints(self, pairs: PairRecords) -> PairRecords:
        """Return the records with hints for the first pairs in contact, until Ctrl-C."""
        rows = np.flatnonzero(pairs.verdict == COLLIDING).tolist()
        plans = self.table
        numbers = {(plans.i.item(k), plans.j.item(k)): k for k in self.findings} if rows else {}
        hints = {}
        try:
            for n, (row, history) in enumerate(histories_within(pairs.histories, rows[:MOST_HINTS]).items()):
                self.progress(n, len(rows), "hints")
                k = numbers[pairs.a.item(row), pairs.b.item(row)]
                hints[row] = hint_of(history, plans.plan(k), self.scene.timeline, self.task)
        except KeyboardInterrupt:
            self.interrupted = True
        return replace(pairs, hints=hints)

    def _contact_times(self, pairs: PairRecords) -> list[float]:
        """Return the start times of the page's contacts; their durations are searched now, until Ctrl-C."""
        rows = np.flatnonzero(pairs.verdict == COLLIDING).tolist()
        if self.interrupted or not rows:
            return []
        self.progress(0, len(rows), "durations of contacts")
        try:
            found = histories_within(pairs.histories, rows)
        except KeyboardInterrupt:
            return []
        self.progress(len(rows), len(rows), "durations of contacts")
        return [contact.time for history in found.values() for contact in history.contacts]


def _points_of(sample: DistanceSample) -> Points:
    """Return the closest points of two parts; bodies that overlap have none."""
    return (point(sample.p_WA), point(sample.p_WB)) if sample.distance > 0.0 else (None, None)


def _contacts_of(finding: PairFinding, plan: PairPlan, found: FoundContacts | None) -> tuple[Contact, ...]:
    """Return all contacts of a pair where they were found, else its first contact."""
    return (contact_of(finding, plan),) if found is None else found.contacts


def _by_start(rows: Pairs) -> dict[int, Pairs]:
    """Return rows in chunks for threads; pairs that start earlier come first, in the order of units."""
    pairs, number = np.unique(rows["pair"], return_inverse=True)
    since = np.full(len(pairs), math.inf)
    np.minimum.at(since, number, rows["since"])
    rank = np.empty(len(pairs), np.int64)
    rank[np.argsort(since, kind="stable")] = np.arange(len(pairs))
    rows["unit"] = rank[number]
    return dict(enumerate(rows[rows["unit"] // CHUNK == k] for k in range(-(-len(pairs) // CHUNK))))


def _undecided(table: PairTable) -> Verdicts:
    """Return a row for each pair of a table, about which nothing is known."""
    rows = np.zeros(len(table), VERDICT)
    for name in ("time", "clearance_lower", "clearance_upper", "clearance_time"):
        rows[name] = math.nan
    rows["a"], rows["b"], rows["margin"] = table.i, table.j, table.margins
    rows["verdict"], rows["t_lo"], rows["t_hi"] = UNDECIDED, table.t0, table.t1
    return rows
