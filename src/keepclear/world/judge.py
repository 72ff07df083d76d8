"""The verdict over one pair of a world: cheap bounds first, exact shapes only where they are needed."""

from __future__ import annotations

import itertools
import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.continuous.arguments import Query, checked_query
from keepclear.continuous.clearance import least_below
from keepclear.continuous.first_contact import answer_query
from keepclear.continuous.followed import FollowedContact
from keepclear.continuous.moving_pair import ConvexPairs
from keepclear.continuous.results import FirstContact
from keepclear.errors import KeepclearError
from keepclear.kernels.advance.swept_leaf import EVALUATIONS, UNPROVED
from keepclear.motions.motion import Motion
from keepclear.proximity.distance import Body
from keepclear.results import Verdict
from keepclear.scene.timeline import Seen, Timeline, part_of
from keepclear.shapes.arguments import FloatArray
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.world.look import look_at
from keepclear.world.plan import Judged, PairPlan
from keepclear.world.sweep import Sweep, runs

# Hulls are followed with at most so many distances for each pair; exact shapes take over where that does not do.
HULL_BUDGET = 40
# A window in which the least distance is searched is looked at in at most so many parts, most of which hulls rule out.
PARTS = 24
AT_ONCE = 4_000_000  # gaps between boxes that are computed before they are looked at: slots times pairs


class Job(NamedTuple):
    """A question about two parts (item, part), for a window of time in which their boxes come close.

    `hint` is a time at which they are likely to be near each other.
    """

    pair: int
    a: tuple[int, int]
    b: tuple[int, int]
    t0: float
    t1: float
    margin: float
    hint: float = math.nan


@dataclass(slots=True)
class PairFinding:
    """What is known about a pair so far.

    Attributes:
        contact: Its first contact in the frame of `seen`, or the window that is left open; None: CLEAR.
        seen: The motions that `contact` is about.
        lower: The least distance over the judged time is at least this [m].
        upper: It is at most this, infinite where nobody looked [m].
        time: When it is `upper` [s].
        which: The parts that come closest.
        proof: What proved it.
        evaluations: How many distances it took.
    """

    verdict: Verdict = Verdict.CLEAR
    contact: FirstContact | None = None
    seen: Seen | None = None
    lower: float = 0.0
    upper: float = math.inf
    time: float = math.nan
    which: tuple[tuple[int, int], tuple[int, int]] | None = None
    proof: str = "swept boxes"
    evaluations: int = 0
    left: tuple[float, float] = (math.inf, -math.inf)


_hulls: weakref.WeakKeyDictionary[Mesh, Convex | None] = weakref.WeakKeyDictionary()


def hull_of(body: Body) -> Body | None:
    """Return a convex body that holds the given one: itself, the hull of a mesh, or None where there is none.

    Hulls are made once, and live as long as their meshes.
    """
    mesh = getattr(body, "mesh", body)
    if not isinstance(mesh, Mesh):
        return body
    try:
        return _hulls[mesh]
    except KeyError:
        try:
            hull: Convex | None = Convex(mesh.vertices)
        except KeepclearError:
            hull = None
        _hulls[mesh] = hull
        return hull


def near_jobs(plans: Sequence[PairPlan], sweep: Sweep, timeline: Timeline, beyond: float | None) -> list[Job]:
    """Return the questions that boxes leave open.

    Args:
        plans: The pairs.
        sweep: The boxes.
        timeline: All items.
        beyond: Ask about all times at which a pair may be closer than this; None: than its margin [m].
    """
    items = timeline.items
    rows = [
        (k, (plan.i, p), (plan.j, q))
        for k, plan in enumerate(plans)
        for p in range(len(items[plan.i].parts))
        for q in range(len(items[plan.j].parts))
    ]
    if not rows:
        return []
    limits = [plan.margin if beyond is None else beyond for plan in plans]
    jobs: list[Job] = []
    block = max(1, AT_ONCE // len(sweep.lower))
    for start in range(0, len(rows), block):
        some = rows[start : start + block]
        a, b = (
            np.array([sweep.number[p] for _, p, _ in some]),
            np.array([sweep.number[q] for _, _, q in some]),
        )
        gaps = sweep.gaps(a, b)
        limit = np.array([limits[k] for k, _, _ in some])
        for row in np.flatnonzero((gaps <= limit).any(axis=0)).tolist():
            k, one, other = some[row]
            jobs += _near_windows(k, one, other, plans[k].judged, sweep, gaps[:, row], beyond)
    return jobs


def _near_windows(
    k: int,
    a: tuple[int, int],
    b: tuple[int, int],
    judged: Sequence[Judged],
    sweep: Sweep,
    gaps: FloatArray,
    beyond: float | None,
) -> list[Job]:
    """Return the windows of two parts in which their boxes come close."""
    found = []
    for window in judged:
        for begin, end in runs(gaps <= (window.margin if beyond is None else beyond)):
            t0, t1 = max(window.t0, float(sweep.times[begin])), min(window.t1, float(sweep.times[end]))
            if t0 <= t1:
                slot = begin + int(np.argmin(gaps[begin:end]))
                hint = 0.5 * float(sweep.times[slot] + sweep.times[slot + 1])
                found.append(Job(k, a, b, t0, t1, window.margin, min(max(hint, t0), t1)))
    return found


def open_jobs(
    jobs: Sequence[Job],
    timeline: Timeline,
    tolerance: float,
    budget: int | None,
    margins: FloatArray | None = None,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Follow convex hulls through all jobs at once; return which jobs they leave open, and the distances it took."""
    left = np.ones(len(jobs), dtype=bool)
    counts = np.zeros(len(jobs), dtype=np.int64)
    bodies: dict[int, tuple[int, Body]] = {}
    motions: dict[int, tuple[int, Motion]] = {}
    rows, cases = [], []
    for row, job in enumerate(jobs):
        hull_a = hull_of(part_of(timeline.items, job.a).body)
        hull_b = hull_of(part_of(timeline.items, job.b).body)
        if hull_a is None or hull_b is None:
            continue
        seen = timeline.seen(job.a, job.b, job.t0, hulls=True)
        rows.append(row)
        cases.append([
            bodies.setdefault(id(hull_a), (len(bodies), hull_a))[0],
            motions.setdefault(id(seen.motion_a), (len(motions), seen.motion_a))[0],
            bodies.setdefault(id(hull_b), (len(bodies), hull_b))[0],
            motions.setdefault(id(seen.motion_b), (len(motions), seen.motion_b))[0],
        ])  # fmt: skip
    if not rows:
        return left, counts
    t0, t1 = (np.array([getattr(jobs[row], end) for row in rows]) for end in ("t0", "t1"))
    margin = np.array([job.margin for job in jobs])[rows] if margins is None else margins[rows]
    pairs = ConvexPairs(
        [body for _, body in bodies.values()], [motion for _, motion in motions.values()],
        np.array(cases), t0, t1, (margin, tolerance), HULL_BUDGET if budget is None else min(budget, HULL_BUDGET),
    )  # fmt: skip
    pairs.run(0, len(rows))
    verdicts, *_ = FollowedContact.brackets(pairs.answers, t0, t1, math.inf)
    clear = (verdicts == Verdict.CLEAR) & (pairs.answers[:, UNPROVED] == 0.0)
    left[rows] = ~clear
    counts[rows] = pairs.counts[:, EVALUATIONS]
    return left, counts


def judge_pair(
    jobs: Sequence[Job], timeline: Timeline, tolerance: float, budget: int | None, limit: float = math.inf
) -> PairFinding:
    """Return the verdict over the jobs of one pair, with exact shapes: the first contact of any two parts.

    Nobody asks about what comes after `limit` [s].
    """
    finding = PairFinding(proof="exact shapes")
    for job in sorted(jobs, key=lambda job: (job.t0, job.a, job.b)):
        if job.t0 > limit:
            break
        query, seen = job_query(job, timeline, tolerance, budget)
        if query.t1 > limit:
            query = replace(query, t1=limit)
        found = answer_query(query, "hybrid", 0)
        finding.evaluations += found.evaluations
        if found.verdict is Verdict.COLLIDING and not (
            finding.contact is not None and found.time >= finding.contact.time
        ):
            finding.contact, finding.seen, finding.which, limit = found, seen, (job.a, job.b), found.time
        elif found.verdict is Verdict.UNDECIDED:
            finding.left = min(finding.left[0], found.t_lo), max(finding.left[1], found.t_hi)
    if finding.contact is not None:
        finding.verdict = Verdict.COLLIDING
    elif finding.left[0] < math.inf:
        finding.verdict = Verdict.UNDECIDED
    return finding


def measure_pair(
    jobs: Sequence[Job], timeline: Timeline, sweep: Sweep, tolerance: float, budget: int | None, far: float
) -> tuple[float, float, float, tuple[tuple[int, int], tuple[int, int]] | None, int]:
    """Return bounds of the least distance within the jobs of a pair, when and between which parts, and the effort.

    Distances of `far` and more are not told apart: then the upper bound is infinite. A look at likely instants gives a
    first upper bound. Parts of the jobs in which not even the hulls come so close are left out; exact shapes are
    searched in what remains.
    """
    upper, time, which, effort = far + tolerance, math.nan, None, 0
    for job in jobs:
        found = look_at(timeline, job.a, job.b, job.hint)
        effort += 1
        if found.upper < upper:
            upper, time, which = max(found.upper, 0.0), job.hint, (job.a, job.b)
    lower = upper
    for job in _narrowed(jobs, timeline, sweep, upper, tolerance):
        if upper <= 0.0:
            break
        query, _ = job_query(job, timeline, tolerance, budget)
        low, high, when, count, _ = least_below(replace(query, margin=0.0), upper, job.hint)
        effort += count
        lower = min(lower, low)
        if high < upper:
            upper, time, which = high, when, (job.a, job.b)
    return min(lower, upper), upper if which is not None else math.inf, time, which, effort


def _narrowed(
    jobs: Sequence[Job], timeline: Timeline, sweep: Sweep, upper: float, tolerance: float
) -> list[Job]:
    """Return the parts of jobs in which hulls come closer than a distance, in order of time."""
    parts: list[Job] = []
    owners: list[int] = []
    for number, job in enumerate(jobs):
        inner = sweep.times[(sweep.times > job.t0) & (sweep.times < job.t1)]
        cuts = np.concatenate([[job.t0], inner[:: max(1, math.ceil(len(inner) / PARTS))], [job.t1]]).tolist()
        parts += [job._replace(t0=t0, t1=t1, hint=0.5 * (t0 + t1)) for t0, t1 in itertools.pairwise(cuts)]
        owners += [number] * (len(cuts) - 1)
    left, _ = open_jobs(parts, timeline, max(tolerance, 0.05 * upper), None, np.full(len(parts), upper))
    joined: list[tuple[int, Job]] = []
    for number, part, is_open in zip(owners, parts, left, strict=True):
        if not is_open:
            continue
        if joined and joined[-1][0] == number and joined[-1][1].t1 == part.t0:
            last = joined[-1][1]
            joined[-1] = number, last._replace(t1=part.t1, hint=0.5 * (last.t0 + part.t1))
        else:
            joined.append((number, part))
    return sorted((part for _, part in joined), key=lambda job: (job.t0, job.a, job.b))


def job_query(job: Job, timeline: Timeline, tolerance: float, budget: int | None) -> tuple[Query, Seen]:
    """Return the question of a job in the frame in which it is best answered."""
    seen = timeline.seen(job.a, job.b, job.t0)
    query = checked_query(
        part_of(timeline.items, job.a).body, seen.motion_a, part_of(timeline.items, job.b).body, seen.motion_b,
        tolerance=tolerance, margin=job.margin, budget=budget, t0=job.t0, t1=job.t1,
    )  # fmt: skip
    return query, seen
