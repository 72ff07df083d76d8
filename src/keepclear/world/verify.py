"""The verdict over a whole world and an interval of time: plan, boxes, hulls, exact shapes, clearances, report."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from keepclear.report.report import Contact, Curve, PairReport, Report, Unchecked
from keepclear.results import Verdict
from keepclear.scene.rules import Rules
from keepclear.scene.timeline import Timeline
from keepclear.world.contacts import all_contacts, contact_of, point
from keepclear.world.curves import curve_of
from keepclear.world.distant import unit_mistakes
from keepclear.world.judge import Job, PairFinding, judge_pair, measure_pair, near_jobs, open_jobs
from keepclear.world.look import look_at
from keepclear.world.plan import PairPlan, Plans, plan_pairs
from keepclear.world.resting import resting_contacts
from keepclear.world.scene import make_scene
from keepclear.world.sweep import Sweep
from keepclear.world.threads import Pool, Progress

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

    timeline: Timeline
    rules: Rules
    task: Task
    progress: Progress
    plans: list[PairPlan] = field(default_factory=list)
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

    def run(self) -> None:
        """Do all that was asked for; what Ctrl-C interrupts stays open."""
        try:
            self._run()
        except KeyboardInterrupt:
            self.interrupted = True

    def _run(self) -> None:
        task = self.task
        plans = plan_pairs(self.timeline, self.rules, task.t0, task.t1)
        self.plans, self.unchecked = plans.pairs, plans.unchecked
        self.progress(0, len(self.plans), "looking at boxes")
        sweep = Sweep(self.timeline, task.t0, task.t1)
        self.warnings += unit_mistakes(sweep, self.timeline)
        self._list_at_rest(plans, sweep)
        self.plans = [plan for plan in self.plans if plan.judged]
        jobs = near_jobs(self.plans, sweep, self.timeline, None)
        for k in set(range(len(self.plans))) - {job.pair for job in jobs}:
            self.findings[k] = PairFinding()
        left, counts = open_jobs(jobs, self.timeline, task.tolerance, task.budget)
        by_pair = _grouped([job for job, open_ in zip(jobs, left, strict=True) if open_])
        if task.contacts == "earliest":
            by_pair = dict(sorted(by_pair.items(), key=lambda item: min(job.t0 for job in item[1])))
        for job, count in zip(jobs, counts.tolist(), strict=True):
            if job.pair not in by_pair:
                finding = self.findings.setdefault(job.pair, PairFinding(proof="hulls"))
                finding.evaluations += count
        with Pool(task.threads, self.progress) as pool:
            pool.each("judging pairs", by_pair, self._judge)
            if task.contacts == "earliest":
                self._forget_later(by_pair)
            if task.contacts == "all":
                hit = [k for k, f in self.findings.items() if f.verdict is Verdict.COLLIDING]
                pool.each("all contacts", {k: k for k in hit}, self._find_all)
            if task.clearances:
                self._measure(pool, sweep)
            if task.curves:
                near = {k: k for k, f in self.findings.items() if f.upper < math.inf or f.contact is not None}
                pool.each("curves", near, self._draw)

    def _list_at_rest(self, plans: Plans, sweep: Sweep) -> None:
        """List pairs that touch and have not moved relative to each other; those that do not touch are checked."""
        whole = self.task.t0, self.task.t1
        never = [(i, j, *whole, margin, math.inf) for i, j, margin in plans.resting]
        before = [(plan, rest) for plan in plans.pairs for rest in plan.at_rest]
        rows = never + [(plan.i, plan.j, rest.t0, rest.t1, rest.margin, plan.moves) for plan, rest in before]
        found = resting_contacts(self.timeline, rows, sweep, self.task.tolerance, whole)
        self.apart_at_rest = sum(contact is None for contact in found[: len(never)])
        for (plan, rest), contact in zip(before, found[len(never) :], strict=True):
            if contact is None:
                plan.check(rest.judged)
        self.unchecked += [contact.listed for contact in found if contact is not None]
        self.warnings += [contact.warning for contact in found if contact is not None and contact.warning]

    def _judge(self, k: int, jobs: list[Job]) -> None:
        task, limit = self.task, self.earliest if self.task.contacts == "earliest" else math.inf
        finding = judge_pair(jobs, self.timeline, task.tolerance, task.budget, limit)
        if finding.verdict is Verdict.CLEAR and any(job.t1 > limit for job in jobs):
            finding.verdict, finding.left = (
                Verdict.UNDECIDED,
                (limit, task.t1),
            )  # nobody looked at what comes later
        self.findings[k] = finding
        if finding.contact is not None:
            self.earliest = min(self.earliest, finding.contact.time)

    def _forget_later(self, judged: Iterable[int]) -> None:
        """Leave open what comes after the earliest contact, so that answers do not depend on who was judged first."""
        times = [finding.contact.time for finding in self.findings.values() if finding.contact is not None]
        for k in judged if times else ():
            finding, earliest = self.findings[k], min(times)
            if finding.contact is None or finding.contact.time > earliest:
                self.findings[k] = PairFinding(
                    Verdict.UNDECIDED, left=(min(finding.left[0], earliest), self.task.t1)
                )

    def _find_all(self, k: int, _: int) -> None:
        plan, items = self.plans[k], self.timeline.items
        self.contacts[k], left = all_contacts(self.findings[k], plan, self.timeline, self.task)
        if left is not None:
            detail = "the budget ended before later contacts were found"
            a, b = items[plan.i].name, items[plan.j].name
            self.unchecked.append(
                Unchecked(a=a, b=b, reason="undecided", detail=detail, t_from=left, t_to=self.task.t1)
            )

    def _measure(self, pool: Pool, sweep: Sweep) -> None:
        """Find the least distances of all pairs that are not in contact; far pairs are left to boxes and hulls."""
        task = self.task
        jobs = near_jobs(self.plans, sweep, self.timeline, task.far)
        jobs = [job for job in jobs if self.findings[job.pair].verdict is not Verdict.COLLIDING]
        margins = np.full(len(jobs), task.far)
        left, _ = open_jobs(jobs, self.timeline, 0.1 * task.far, task.budget, margins)
        by_pair = _grouped([job for job, open_ in zip(jobs, left, strict=True) if open_])
        for k, finding in self.findings.items():
            if finding.verdict is Verdict.COLLIDING:
                assert finding.which is not None
                self._point_out(k, finding.which, _contact(finding).time)
            elif k not in by_pair:
                kept = _least_margin(self.plans[k]) if finding.verdict is Verdict.CLEAR else 0.0
                finding.lower = max(task.far, kept)
                self.measured.add(k)
        pool.each("clearances", by_pair, partial(self._measure_pair, sweep))

    def _measure_pair(self, sweep: Sweep, k: int, jobs: list[Job]) -> None:
        task, finding = self.task, self.findings[k]
        lower, upper, time, which, effort = measure_pair(
            jobs, self.timeline, sweep, task.tolerance, task.budget, task.far
        )
        finding.lower, finding.upper, finding.time, finding.which = min(lower, task.far), upper, time, which
        finding.evaluations += effort
        if finding.verdict is Verdict.CLEAR:
            finding.lower = min(max(finding.lower, _least_margin(self.plans[k])), upper)
        if which is not None:
            self._point_out(k, which, time)
        self.measured.add(k)

    def _point_out(self, k: int, which: tuple[tuple[int, int], tuple[int, int]], t: float) -> None:
        look = look_at(self.timeline, *which, t)
        if look.distance > 0.0:  # bodies that overlap have no closest points
            self.points[k] = point(look.p_WA), point(look.p_WB)

    def _draw(self, k: int, _: int) -> None:
        finding, plan = self.findings[k], self.plans[k]
        extra = [finding.time] if finding.contact is None else [finding.contact.time]
        curve = curve_of(self.timeline, plan.i, plan.j, self.task, [t for t in extra if math.isfinite(t)])
        if curve is not None:
            self.curves[k] = curve

    def pair_report(self, k: int) -> PairReport:
        """Return what was found about a pair."""
        plan, task, finding = self.plans[k], self.task, self.findings.get(k)
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
                lower = _least_margin(plan)
        p_WA, p_WB = self.points.get(k, (None, None))
        return PairReport(
            a=a, b=b, verdict=finding.verdict, time=time, t_lo=t_lo, t_hi=t_hi, margin=margin, clearance_lower=lower,
            clearance_upper=upper, clearance_time=closest, p_WA=p_WA, p_WB=p_WB, contacts=contacts,
            curve=self.curves.get(k), proof=finding.proof, evaluations=finding.evaluations,
        )  # fmt: skip

    def report(self, **facts: Any) -> Report:
        """Return everything that was found."""
        pairs = sorted((self.pair_report(k) for k in range(len(self.plans))), key=_rank)
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
        }
        task = self.task
        scene = make_scene(self.timeline, task.t0, task.t1, pairs) if task.scene else None
        unchecked = tuple(sorted(self.unchecked, key=lambda u: (u.a, u.b, u.reason, u.t_from or -math.inf)))
        return Report(
            verdict=verdict, t0=task.t0, t1=task.t1, tolerance=task.tolerance, pairs=tuple(pairs), unchecked=unchecked,
            interrupted=self.interrupted, statistics=statistics, scene=scene, **facts,
        )  # fmt: skip


def _contact(finding: PairFinding) -> Any:
    assert finding.contact is not None
    return finding.contact


def _least_margin(plan: PairPlan) -> float:
    """Return the distance that a pair that is clear is proved to keep at all judged times [m]."""
    return min((window.margin for window in plan.judged), default=0.0)


def _rank(pair: PairReport) -> tuple[Any, ...]:
    """Return what reports are sorted by: contacts by time, then undecided pairs, then clear ones by clearance."""
    if pair.verdict is Verdict.COLLIDING:
        return 0, pair.time, pair.a, pair.b
    close = pair.clearance_lower if pair.clearance_upper is None else pair.clearance_upper
    return ORDER[pair.verdict], close, pair.a, pair.b


def _grouped(jobs: Sequence[Job]) -> dict[int, list[Job]]:
    found: dict[int, list[Job]] = defaultdict(list)
    for job in jobs:
        found[job.pair].append(job)
    return dict(sorted(found.items()))
