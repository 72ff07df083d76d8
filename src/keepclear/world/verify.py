"""The verdict over a whole world and an interval of time: plan, boxes, hulls, exact shapes, clearances, report."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.report.report import Contact, Curve, PairReport, Report, Unchecked
from keepclear.results import Verdict
from keepclear.scene.scene import Scene
from keepclear.scene.steps import Steps
from keepclear.scene.timeline import Timeline
from keepclear.shapes.arguments import FloatArray
from keepclear.world.contacts import all_contacts, contact_of, point
from keepclear.world.curves import curve_of
from keepclear.world.look import look_at
from keepclear.world.near import near_tasks
from keepclear.world.pair_check import PairFinding, PairTask, check_pair, measure_pair, pair_tasks
from keepclear.world.plan import PairTable
from keepclear.world.planning import Plan, make_plan, unchecked_order
from keepclear.world.scene import make_scene
from keepclear.world.threads import Pool, Progress

IntArray = npt.NDArray[np.int64]
ORDER = {Verdict.COLLIDING: 0, Verdict.UNDECIDED: 1, Verdict.CLEAR: 2}


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked about a world, checked.

    Attributes:
        t0: Start of the interval [s].
        t1: Its end [s].
        tolerance: What a decision may be off by [m].
        contacts: "earliest", "first" or "all".
        clearances: Whether the least distance of each pair is asked for.
        far: Distances from here on are not told apart [m].
        curves: At how many instants distances over time are asked for; 0: not at all.
        budget: Largest number of distances for each pair and window, or None.
        threads: How many threads work.
        scene: Whether the report shall have what a page shows.
    """

    t0: float
    t1: float
    tolerance: float
    contacts: str
    clearances: bool
    far: float
    curves: int
    budget: int | None
    threads: int
    scene: bool


@dataclass(slots=True)
class Verification:
    """The work on one task."""

    scene: Scene
    task: Task
    progress: Progress
    table: PairTable = field(init=False)
    n_far: int = 0
    unchecked: list[Unchecked] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    findings: dict[int, PairFinding] = field(default_factory=dict)
    contacts: dict[int, tuple[Contact, ...]] = field(default_factory=dict)
    points: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    curves: dict[int, Curve] = field(default_factory=dict)
    measured: set[int] = field(default_factory=set)
    interrupted: bool = False
    earliest: float = math.inf
    apart_at_rest: int = 0
    _bodies: IntArray = field(init=False)

    def __post_init__(self) -> None:
        self.table = PairTable(np.empty((0, 2), np.int64), {}, self.task.t0, self.task.t1)

    @property
    def timeline(self) -> Timeline:
        """All items, and what carries them."""
        return self.scene.timeline

    def run(self) -> None:
        """Do all that was asked for; what Ctrl-C interrupts stays open."""
        try:
            self._run()
        except KeyboardInterrupt:
            self.interrupted = True

    def _run(self) -> None:
        task, scene = self.task, self.scene
        plan, steps = self._plan(), scene.steps(task.t0, task.t1)
        self.table, self._bodies, self.n_far, self.apart_at_rest = (
            plan.table, plan.bodies, plan.n_far, plan.apart_at_rest
        )  # fmt: skip
        self.unchecked += plan.unchecked
        self.warnings += plan.warnings
        self.progress(0, len(self.table), "comparing boxes")
        tasks = near_tasks(self.table, self._bodies, steps, None)
        for k in np.setdiff1d(np.arange(len(self.table)), tasks.pair).tolist():
            self.findings[k] = PairFinding()
        left, counts, clear_until = scene.hulls.left_open(tasks, tasks.margin, task.tolerance, task.budget)
        tasks.t0 = clear_until
        by_pair = pair_tasks(scene, tasks[left])
        if task.contacts == "earliest":
            by_pair = dict(sorted(by_pair.items(), key=lambda item: min(one.t0 for one in item[1])))
        for k, count in zip(tasks.pair.tolist(), counts.tolist(), strict=True):
            if k not in by_pair:
                finding = self.findings.setdefault(k, PairFinding(proof="hulls"))
                finding.evaluations += count
        with Pool(task.threads, self.progress) as pool:
            pool.each("checking pairs", by_pair, self._check)
            if task.contacts == "earliest":
                self._forget_later(by_pair)
            if task.contacts == "all":
                hit = [k for k, f in self.findings.items() if f.verdict is Verdict.COLLIDING]
                pool.each("all contacts", {k: k for k in hit}, self._find_all)
            if task.clearances:
                self._measure(pool, steps)
            if task.curves:
                near = {k: k for k, f in self.findings.items() if f.upper < math.inf or f.contact is not None}
                pool.each("curves", near, self._draw)

    def _plan(self) -> Plan:
        """Return the plan of this task; another one about the same interval may have made it."""
        task = self.task
        within = max(task.tolerance, task.far) if task.clearances else task.tolerance
        key = "plan", task.t0, task.t1, task.tolerance, within
        return self.scene.kept(key, partial(make_plan, self.scene, task.t0, task.t1, task.tolerance, within))

    def _check(self, k: int, tasks: list[PairTask]) -> None:
        task, limit = self.task, self.earliest if self.task.contacts == "earliest" else math.inf
        finding = check_pair(tasks, self.timeline, task.tolerance, task.budget, limit)
        if finding.verdict is Verdict.CLEAR and any(one.t1 > limit for one in tasks):
            # What comes later was not checked.
            finding.verdict, finding.left = Verdict.UNDECIDED, (limit, task.t1)
        self.findings[k] = finding
        if finding.contact is not None:
            self.earliest = min(self.earliest, finding.contact.time)

    def _forget_later(self, checked: Iterable[int]) -> None:
        """Leave open what comes after the earliest contact, so that answers do not depend on the order of checks."""
        times = [finding.contact.time for finding in self.findings.values() if finding.contact is not None]
        for k in checked if times else ():
            finding, earliest = self.findings[k], min(times)
            if finding.contact is None or finding.contact.time > earliest:
                self.findings[k] = PairFinding(
                    Verdict.UNDECIDED, left=(min(finding.left[0], earliest), self.task.t1)
                )

    def _find_all(self, k: int, _: int) -> None:
        plan, items = self.table.plan(k), self.timeline.items
        self.contacts[k], left = all_contacts(self.findings[k], plan, self.timeline, self.task)
        if left is not None:
            detail = "the budget ended before later contacts were found"
            a, b = items[plan.i].name, items[plan.j].name
            self.unchecked.append(
                Unchecked(a=a, b=b, reason="undecided", detail=detail, t_from=left, t_to=self.task.t1)
            )

    def _measure(self, pool: Pool, steps: Steps) -> None:
        """Find the least distances of all pairs that are not in contact; far pairs are left to boxes and hulls."""
        task = self.task
        hit = [k for k, finding in self.findings.items() if finding.verdict is Verdict.COLLIDING]
        wanted = np.ones(len(self.table), dtype=bool)
        wanted[hit] = False
        tasks = near_tasks(self.table, self._bodies, steps, task.far, wanted)
        margins = np.full(len(tasks), task.far)
        left, *_ = self.scene.hulls.left_open(tasks, margins, 0.1 * task.far, task.budget)
        by_pair = pair_tasks(self.scene, tasks[left])
        for k, finding in self.findings.items():
            if finding.verdict is Verdict.COLLIDING:
                assert finding.which is not None
                self._point_out(k, finding.which, _contact(finding).time)
            elif k not in by_pair:
                kept = self.table.plan(k).least_margin if finding.verdict is Verdict.CLEAR else 0.0
                finding.lower = max(task.far, kept)
                self.measured.add(k)
        pool.each("clearances", by_pair, partial(self._measure_pair, steps.times))

    def _measure_pair(self, times: FloatArray, k: int, tasks: list[PairTask]) -> None:
        task, finding = self.task, self.findings[k]
        lower, upper, time, which, effort = measure_pair(
            tasks, self.scene, times, task.tolerance, task.budget, task.far
        )
        finding.lower, finding.upper, finding.time, finding.which = min(lower, task.far), upper, time, which
        finding.evaluations += effort
        if finding.verdict is Verdict.CLEAR:
            finding.lower = min(max(finding.lower, self.table.plan(k).least_margin), upper)
        if which is not None:
            self._point_out(k, which, time)
        self.measured.add(k)

    def _point_out(self, k: int, which: tuple[tuple[int, int], tuple[int, int]], t: float) -> None:
        look = look_at(self.timeline, *which, t)
        if look.distance > 0.0:  # bodies that overlap have no closest points
            self.points[k] = point(look.p_WA), point(look.p_WB)

    def _draw(self, k: int, _: int) -> None:
        finding, plan = self.findings[k], self.table.plan(k)
        extra = [finding.time] if finding.contact is None else [finding.contact.time]
        curve = curve_of(self.timeline, plan.i, plan.j, self.task, [t for t in extra if math.isfinite(t)])
        if curve is not None:
            self.curves[k] = curve

    def pair_report(self, k: int) -> PairReport:
        """Return what was found about a pair."""
        plan, task, finding = self.table.plan(k), self.task, self.findings.get(k)
        a, b, margin = self.timeline.items[plan.i].name, self.timeline.items[plan.j].name, plan.margin
        if finding is None:  # interrupted before its turn
            return PairReport(
                a=a, b=b, verdict=Verdict.UNDECIDED, time=None, t_lo=task.t0, t_hi=task.t1, margin=margin
            )
        contacts: tuple[Contact, ...] = ()
        time, (t_lo, t_hi), lower = None, finding.left, finding.lower
        upper: float | None = finding.upper if finding.upper < math.inf else None
        closest = None if upper is None else finding.time
        if finding.verdict is Verdict.COLLIDING:
            contacts = self.contacts.get(k) or (contact_of(finding, plan),)
            time, t_lo, t_hi = contacts[0].time, min(contacts[0].t_lo, finding.left[0]), contacts[0].t_hi
            lower, upper, closest = 0.0, max(0.0, _contact(finding).distance), time
        elif finding.verdict is Verdict.CLEAR:
            t_lo = t_hi = task.t1
            if k not in self.measured:
                lower = plan.least_margin
        p_WA, p_WB = self.points.get(k, (None, None))
        return PairReport(
            a=a, b=b, verdict=finding.verdict, time=time, t_lo=t_lo, t_hi=t_hi, margin=margin, clearance_lower=lower,
            clearance_upper=upper, clearance_time=closest, p_WA=p_WA, p_WB=p_WB, contacts=contacts,
            curve=self.curves.get(k), proof=finding.proof, evaluations=finding.evaluations,
        )  # fmt: skip

    def report(self, **facts: Any) -> Report:
        """Return everything that was found."""
        pairs = sorted((self.pair_report(k) for k in range(len(self.table))), key=_rank)
        verdict = min((pair.verdict for pair in pairs), key=ORDER.__getitem__, default=Verdict.CLEAR)
        if self.interrupted and not pairs:
            verdict = Verdict.UNDECIDED
        proofs: dict[str, int] = defaultdict(int)
        for pair in pairs:
            proofs[pair.proof or "none"] += 1
        statistics = {
            "pairs": len(pairs),
            **{f"proved by {name}": count for name, count in sorted(proofs.items())},
            "at rest and apart": self.apart_at_rest,
            "evaluations": sum(pair.evaluations for pair in pairs),
            "far": self.n_far,
        }
        task = self.task
        scene = make_scene(self.timeline, task.t0, task.t1, pairs) if task.scene else None
        unchecked = tuple(self.unchecked)
        if task.contacts == "all":  # which may have left some undecided
            unchecked = tuple(sorted(unchecked, key=unchecked_order))
        return Report(
            verdict=verdict, t0=task.t0, t1=task.t1, tolerance=task.tolerance, pairs=tuple(pairs), unchecked=unchecked,
            interrupted=self.interrupted, statistics=statistics, scene=scene, **facts,
        )  # fmt: skip


def _contact(finding: PairFinding) -> Any:
    assert finding.contact is not None
    return finding.contact


def _rank(pair: PairReport) -> tuple[Any, ...]:
    """Return what reports are sorted by: contacts by time, then undecided pairs, then clear ones by clearance."""
    if pair.verdict is Verdict.COLLIDING:
        return 0, pair.time, pair.a, pair.b
    close = pair.clearance_lower if pair.clearance_upper is None else pair.clearance_upper
    return ORDER[pair.verdict], close, pair.a, pair.b
