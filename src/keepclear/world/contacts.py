"""Contacts of a pair for a report, in the world frame: the first one, or all of them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.extent import bounding_volumes_of
from keepclear.report.report import Contact
from keepclear.results import Verdict
from keepclear.scene.timeline import Timeline, part_of
from keepclear.world.distance_query import query_distance
from keepclear.world.pair_check import PairFinding, check_pair, part_rows
from keepclear.world.plan import PairPlan

if TYPE_CHECKING:
    from keepclear.world.task import Task

# Number of instants at which the end of a contact is searched; a shorter separation joins two contacts.
SAMPLES = 256
HALVINGS = 30
# Instants of each round of a search for the depth; further rounds are between the neighbours of the deepest instant.
DEPTH_SAMPLES, DEPTH_ROUNDS = 17, 3


def contact_of(finding: PairFinding, plan: PairPlan | None = None) -> Contact:
    """Return the contact of a finding in the world frame; the plan has the ends of permissions to touch."""
    found, relative = finding.contact, finding.relative
    assert found is not None
    assert relative is not None
    p, n = np.asarray(found.p_W), np.asarray(found.normal_W)
    if relative.frame is not None:
        X_WF = relative.frame.pose(found.time)
        p, n = X_WF[:3, :3] @ p + X_WF[:3, 3], X_WF[:3, :3] @ n
    ends = () if plan is None else [t for t in plan.permitted if math.nextafter(t, math.inf) == found.time]
    return Contact(
        time=found.time, t_lo=found.t_lo, t_hi=found.t_hi, p_W=point(p), normal_W=point(n),
        permission_end=ends[0] if ends else None,
    )  # fmt: skip


def point(p: Any) -> tuple[float, float, float] | None:
    """Return three numbers, or None if they are unknown."""
    x, y, z = (float(value) for value in p)
    return (x, y, z) if math.isfinite(x + y + z) else None


class FoundContacts(NamedTuple):
    """The contacts of a pair.

    Attributes:
        contacts: In the order of time, each until the pair is proved apart again.
        left: The time from which contacts were not searched because a limit was reached [s]; None: all were found.
        queries: The number of distance queries for their ends and depths.
    """

    contacts: tuple[Contact, ...]
    left: float | None
    queries: int


class PairSamples:
    """Distances of two items at single instants, counted.

    Attributes:
        pairs: All pairs of their parts.
        queries: The number of distance queries so far.
    """

    def __init__(self, timeline: Timeline, i: int, j: int) -> None:
        self.timeline, self.pairs, self.queries = timeline, _part_pairs(timeline, i, j), 0

    def bounds(self, t: float) -> tuple[float, float]:
        """Return certified bounds of the distance at an instant [m]."""
        self.queries += len(self.pairs)
        found = [query_distance(self.timeline, a, b, t) for a, b in self.pairs]
        return min(one.lower for one in found), min(one.upper for one in found)


def all_contacts(
    finding: PairFinding,
    plan: PairPlan,
    timeline: Timeline,
    task: Task,
    *,
    most_contacts: float = math.inf,
    most_queries: float = math.inf,
) -> FoundContacts:
    """Return all contacts of a pair, each until the pair is proved apart again.

    A contact that lasts until the end of a checked window has no end; contact in the next window is another one.

    Args:
        finding: The result of the pair, with its first contact.
        plan: When it is checked.
        timeline: The motions.
        task: The options of the check.
        most_contacts: The greatest number of contacts that are searched.
        most_queries: After this many distance queries no further contact is searched.
    """
    found: list[Contact] = []
    samples = PairSamples(timeline, plan.i, plan.j)
    while finding.contact is not None:
        contact = contact_of(finding, plan)
        begin = max(contact.t_hi, contact.time)
        last, end = _apart_again(plan, samples, begin, task)
        depth = _distance_upper(plan, samples, contact.time, last)
        found.append(replace(contact, t_end=end, t_last=last, distance_upper=depth))
        if end is not None:  # a contact between two neighbouring float64 times ends at the later one
            # harmless (math.nextafter(contact.time, math.inf)): without it, a contact may be listed twice
            end = max(end, math.nextafter(contact.time, math.inf))
        start = _checked_until(plan, begin) if end is None else end
        rows = part_rows(timeline, plan.i, plan.j, [
            (max(window.t0, start), window.t1, window.margin)
            for window in plan.checked if (window.t1 >= start if end is not None else window.t0 > start)
        ])  # fmt: skip
        if len(rows) and (len(found) >= most_contacts or samples.queries >= most_queries):
            return FoundContacts(tuple(found), start, samples.queries)
        finding = check_pair(rows, timeline, task.tolerance, task.budget, method=task.method)
        if finding.verdict is not Verdict.COLLIDING:
            left = finding.left[0] if finding.verdict is Verdict.UNDECIDED else None
            return FoundContacts(tuple(found), left, samples.queries)
    return FoundContacts(tuple(found), None, samples.queries)


def _apart_again(plan: PairPlan, samples: PairSamples, t: float, task: Task) -> tuple[float, float | None]:
    """Return the last instant after t at which a pair was found in contact while it is checked without a break.

    The second value is the first instant found at which the pair is apart again, or None.
    """
    step, stop = (task.t1 - task.t0) / SAMPLES, _checked_until(plan, t)
    # A contact may lie between two neighbouring float64 times: it ends at the later one at the earliest.
    last, next_time = t, math.nextafter(t, math.inf)
    for k in range(1, SAMPLES + 1):
        now = min(max(t + k * step, next_time), stop)
        if _is_apart(plan, samples, now, task.tolerance):
            return _first_apart(plan, samples, last, now, task.tolerance)
        if now >= stop:
            return now, None
        last = now
    return last, None


def _checked_until(plan: PairPlan, t: float) -> float:
    """Return the end of the time after an instant in which a pair is checked without a break."""
    for window in plan.checked:
        if window.t0 <= t < window.t1:
            t = window.t1
    return t


def _first_apart(
    plan: PairPlan, samples: PairSamples, touching: float, apart: float, tolerance: float
) -> tuple[float, float]:
    """Return the last instant in contact and the first instant apart, found by bisection."""
    for _ in range(HALVINGS):
        middle = 0.5 * (touching + apart)
        if not touching < middle < apart:
            break
        if _is_apart(plan, samples, middle, tolerance):
            apart = middle
        else:
            touching = middle
    return touching, apart


def _distance_upper(plan: PairPlan, samples: PairSamples, begin: float, end: float) -> float | None:
    """Return an upper bound of the distance at the deepest instant found; None for meshes without a margin.

    It is negative where bodies overlap: convex ones have a depth, and meshes have none.
    """
    items = samples.timeline.items
    is_mesh = any(
        bounding_volumes_of(part_of(items, part).body).is_mesh for pair in samples.pairs for part in pair
    )
    # harmless: both are true: a bound, and that none is known
    if is_mesh and max(window.margin for window in plan.checked) <= 0.0:
        return None
    best, deepest = math.inf, begin
    for _ in range(DEPTH_ROUNDS):
        instants = np.unique(np.linspace(begin, end, DEPTH_SAMPLES)).tolist()
        for t in instants:
            found = samples.bounds(t)[1]
            if found < best:
                best, deepest = found, t
        step = (end - begin) / (DEPTH_SAMPLES - 1)
        begin, end = max(begin, deepest - step), min(end, deepest + step)
    return best


def _is_apart(plan: PairPlan, samples: PairSamples, t: float, tolerance: float) -> bool:
    """Return whether a pair is checked at t, and farther apart there than margin and tolerance."""
    margins = [window.margin for window in plan.checked if window.t0 <= t <= window.t1]
    if not margins:
        return False
    return samples.bounds(t)[0] > max(margins) + tolerance


def _part_pairs(timeline: Timeline, i: int, j: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return all pairs of the parts of two items, each as (item, part)."""
    return [
        ((i, p), (j, q))
        for p in range(len(timeline.items[i].parts))
        for q in range(len(timeline.items[j].parts))
    ]


def pose_at(timeline: Timeline, which: tuple[int, int], t: float) -> FloatArray:
    """Return the pose of a part at an instant, (4, 4)."""
    return np.asarray(timeline.motion(*which, timeline.parent_index(which[0], t)).pose(t))
