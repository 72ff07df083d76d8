"""Contacts of a pair in the world frame: the first one, all of them, or those of a page with depths and distances."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.query.interval.clearance import least_below
from keepclear.query.moving.results import FirstContact
from keepclear.report.parts import Contact, ContactHistory
from keepclear.results import Verdict
from keepclear.scene.distances import ItemDistances
from keepclear.scene.rules import Window
from keepclear.scene.timeline import Timeline, part_of
from keepclear.world.selection.plan import PairPlan
from keepclear.world.verify.options import Task
from keepclear.world.verify.pair_check import PairFinding, check_pair, part_rows, row_query

# Number of instants at which the end of a contact is searched; a shorter separation joins two contacts.
SAMPLES, FIRST_SAMPLES = 256, 8  # in all, and in the first kernel call
HALVINGS, AHEAD = (
    30,
    (4, 2, 1),
)  # of the interval in which it ends; steps between the instants of a kernel call
# Instants of each round of a search for the depth; further rounds are between the neighbours of the deepest instant.
DEPTH_SAMPLES, DEPTH_ROUNDS = 17, 3
MOST_CONTACTS = 40
"""Greatest number of contacts of one pair; more cannot be distinguished on a time line."""

MOST_QUERIES = 4_000
"""Distance queries for the contacts of one pair; a contact takes about 100, and 340 if it lasts the whole interval."""

MOST_PART_PAIRS = 100
"""Greatest number of pairs of parts, each with a query at every instant; above, only the first contact is shown."""

LEAST_BUDGET = 2_000
"""Distance queries for the minimum distance of two parts during a contact."""

LEAST_PART = 5e-4
"""Relative difference of the bounds of a minimum distance: less than its third digit, which pages show."""
_UNKNOWN = np.full(3, np.nan)


def contact_of(finding: PairFinding, plan: PairPlan | None = None) -> Contact:
    """Return the contact of a finding in the world frame; the plan has the ends of permissions to touch."""
    found = finding.contact
    assert found is not None
    p, n = finding.in_world()
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
    samples = ItemDistances(timeline, plan.i, plan.j)
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


def _apart_again(plan: PairPlan, samples: ItemDistances, t: float, task: Task) -> tuple[float, float | None]:
    """Return the last instant after t at which a pair was found in contact while it is checked without a break.

    The second value is the first instant found at which the pair is apart again, or None.
    """
    step, stop = (task.t1 - task.t0) / SAMPLES, _checked_until(plan, t)
    # A contact may lie between two neighbouring float64 times: it ends at the later one at the earliest.
    # harmless (math.nextafter(t, math.inf)): without it, it may end at t, and `all_contacts` goes on after that
    times = np.minimum(np.maximum(t + step * np.arange(1, SAMPLES + 1), math.nextafter(t, math.inf)), stop)
    times = times[: int(np.searchsorted(times, stop)) + 1]
    last, begin, end = t, 0, FIRST_SAMPLES
    while begin < len(times):  # each time as many instants as before: contacts are often short
        some = times[begin:end]
        for now, is_apart in zip(some.tolist(), _are_apart(plan, samples, some, task.tolerance), strict=True):
            samples.queries += len(samples.pairs)
            if is_apart:
                return _first_apart(plan, samples, last, now, task.tolerance)
            last = now
        begin, end = end, 2 * end
    return last, None


def _checked_until(plan: PairPlan, t: float) -> float:
    """Return the end of the time after an instant in which a pair is checked without a break."""
    for window in plan.checked:
        if window.t0 <= t < window.t1:
            t = window.t1
    return t


def _first_apart(
    plan: PairPlan, samples: ItemDistances, touching: float, apart: float, tolerance: float
) -> tuple[float, float]:
    """Return the last instant in contact and the first instant apart, found by bisection."""
    for _ in range(HALVINGS // len(AHEAD)):
        times = np.linspace(touching, apart, 2 * AHEAD[0] + 1)
        for step in AHEAD:  # the middle, and the middles of what it leaves
            times[step :: 2 * step] = 0.5 * (times[: -step : 2 * step] + times[2 * step :: 2 * step])
        are_apart = _are_apart(plan, samples, times[1:-1], tolerance)
        begin, end = 0, 2 * AHEAD[0]
        while end - begin > 1:
            middle = (begin + end) // 2
            if not times[begin] < times[middle] < times[end]:
                return touching, apart
            samples.queries += len(samples.pairs)
            begin, end = (begin, middle) if are_apart[middle - 1] else (middle, end)
            touching, apart = times.item(begin), times.item(end)
    return touching, apart


def _distance_upper(plan: PairPlan, samples: ItemDistances, begin: float, end: float) -> float | None:
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
        instants = np.unique(np.linspace(begin, end, DEPTH_SAMPLES))
        samples.queries += len(samples.pairs) * len(instants)
        upper = samples.bounds(instants)[1]
        k = int(np.argmin(upper))
        if upper[k] < best:
            best, deepest = upper.item(k), instants.item(k)
        step = (end - begin) / (DEPTH_SAMPLES - 1)
        begin, end = max(begin, deepest - step), min(end, deepest + step)
    return best


def _are_apart(plan: PairPlan, samples: ItemDistances, times: FloatArray, tolerance: float) -> list[bool]:
    """Return at which instants a pair is checked, and farther apart than margin and tolerance."""
    margins = np.full(len(times), np.nan)
    for window in plan.checked:
        inside = (window.t0 <= times) & (times <= window.t1)
        margins[inside] = np.fmax(margins[inside], window.margin)
    are_apart: list[bool] = (samples.bounds(times)[0] > margins + tolerance).tolist()
    return are_apart


def history_of(
    finding: PairFinding, plan: PairPlan, timeline: Timeline, task: Task, known: FoundContacts | None
) -> ContactHistory:
    """Return the contacts of a colliding pair, how long each lasts, and how close the pair comes.

    Args:
        finding: The result of the pair.
        plan: When it is checked.
        timeline: The motions.
        task: What was asked.
        known: All contacts, where they were asked for; a budget may have left out later ones.
    """
    samples = ItemDistances(timeline, plan.i, plan.j)
    if known is not None:
        found = known._replace(queries=0)
    elif len(samples.pairs) > MOST_PART_PAIRS:
        first = contact_of(finding, plan)
        found = FoundContacts((first,), first.time, 0)
    else:
        most = 1 if task.contacts == "earliest" else MOST_CONTACTS
        found = all_contacts(
            finding, plan, timeline, task, most_contacts=most, most_queries=MOST_QUERIES
        )  # fmt: skip
    least = tuple(
        _least_distance(contact, plan, samples, task, is_searched=k < MOST_CONTACTS)
        for k, contact in enumerate(found.contacts)
    )
    rest = _least_of_rest(found, least, plan, samples, task)
    queries = found.queries + samples.queries
    return ContactHistory(
        contacts=found.contacts, least=least, left=found.left, rest=rest, queries=queries
    )  # fmt: skip


def _least_distance(
    contact: Contact, plan: PairPlan, samples: ItemDistances, task: Task, *, is_searched: bool
) -> tuple[float, float] | None:
    """Return certified bounds of the minimum distance during a contact; None if the pair has no margin then.

    The bounds are wide, without a search, if the shapes were found to touch, or if `is_searched` is False.
    """
    if max((w.margin for w in plan.checked if w.t0 <= contact.time <= w.t1), default=0.0) <= 0.0:
        return None
    known = contact.distance_upper
    if known is None:
        samples.queries += len(samples.pairs)
        known = samples.bounds(np.array([contact.time]))[1].item()
    upper = max(known, 0.0)
    if upper <= task.tolerance or len(samples.pairs) > MOST_PART_PAIRS or not is_searched:
        return 0.0, upper
    begin = min(contact.t_lo, contact.time)
    end = next(t for t in (contact.t_end, contact.t_last, contact.time) if t is not None)
    return _least_between(begin, end, upper, contact.time, plan, samples, task)


def _least_of_rest(
    found: FoundContacts,
    least: tuple[tuple[float, float] | None, ...],
    plan: PairPlan,
    samples: ItemDistances,
    task: Task,
) -> tuple[float, float] | None:
    """Return certified bounds of the least distance after the contacts that were searched one by one.

    A pair that only came too close until then may touch later. Nothing is searched where it was found to touch.
    """
    begin = found.left
    if len(found.contacts) > MOST_CONTACTS:
        begin = found.contacts[MOST_CONTACTS].t_lo
    if begin is None or len(samples.pairs) > MOST_PART_PAIRS:
        return None
    upper = min((0.0 if one is None else one[1] for one in least), default=math.inf)
    if not task.tolerance < upper < math.inf:
        return None
    return _least_between(begin, task.t1, upper, begin, plan, samples, task)


def _least_between(
    begin: float, end: float, upper: float, hint: float, plan: PairPlan, samples: ItemDistances, task: Task
) -> tuple[float, float]:
    """Return certified bounds of the least distance while a pair is checked, as far as it is less than `upper`."""
    # harmless (min): bounds hold for any tolerance
    lower, tolerance = math.inf, min(task.tolerance, LEAST_PART * upper)
    windows = [(max(window.t0, begin), min(window.t1, end), 0.0) for window in plan.checked]
    rows = part_rows(samples.timeline, plan.i, plan.j, [one for one in windows if one[0] <= one[1]])
    for k, window in enumerate(zip(rows["t0"].tolist(), rows["t1"].tolist(), strict=True)):
        query, _ = row_query(rows, k, samples.timeline, tolerance, LEAST_BUDGET, window)
        found = least_below(query, upper, hint)
        samples.queries += found.effort
        lower, upper = min(lower, found.lower), min(upper, found.upper)
    return max(min(lower, upper), 0.0), upper


def contact_of_pair(
    timeline: Timeline,
    names: tuple[str, str],
    window: Window,
    tolerance: float,
    margin: float,
    budget: int | None,
    method: str,
) -> FirstContact:
    """Return the first contact of two items, in the world; the margin grows by the errors of their shapes.

    Raises:
        ArgumentError: A name is that of a robot with links, or the method cannot answer this pair.
    """
    i, j = _number(timeline, names[0]), _number(timeline, names[1])
    cuts = sorted({t for t in (*timeline.changes(i), *timeline.changes(j)) if window[0] < t < window[1]})
    ends = [window[0], *cuts, window[1]]
    margin += timeline.items[i].error + timeline.items[j].error
    rows = part_rows(timeline, i, j, ((*window, margin) for window in itertools.pairwise(ends)))
    finding = check_pair(rows, timeline, tolerance, budget, method=method)
    if finding.refused:
        raise ArgumentError(
            f"first_contact of {names[0]!r} and {names[1]!r}: method={method!r} {finding.refused}; "
            "use method='hybrid'."
        )
    facts: dict[str, Any] = {
        "evaluations": finding.evaluations, "method": method, "margin": margin, "tolerance": tolerance,
        "names": names,
    }  # fmt: skip
    if finding.verdict is Verdict.COLLIDING:
        return _contact(timeline, finding, facts)
    t_lo, t_hi = (window[1], window[1]) if finding.verdict is Verdict.CLEAR else finding.left
    return FirstContact(
        verdict=finding.verdict, time=np.nan, t_lo=t_lo, t_hi=t_hi, X_WA=None, X_WB=None, p_W=_UNKNOWN,
        normal_W=_UNKNOWN, **facts,
    )  # fmt: skip


def _contact(timeline: Timeline, finding: PairFinding, facts: dict[str, Any]) -> FirstContact:
    found, reported = finding.contact, contact_of(finding)
    assert found is not None
    assert finding.which is not None
    facts |= {name: getattr(found, name) for name in ("distance", "features", "holds", "deviation")}
    X_WA, X_WB = (timeline.poses(*which, np.array([found.time]))[0] for which in finding.which)
    p_W, normal_W = (
        _UNKNOWN if value is None else np.array(value) for value in (reported.p_W, reported.normal_W)
    )
    return FirstContact(
        verdict=Verdict.COLLIDING, time=found.time, t_lo=finding.bracket[0], t_hi=found.t_hi,
        X_WA=X_WA, X_WB=X_WB, p_W=p_W, normal_W=normal_W, **facts,
    )  # fmt: skip


def _number(timeline: Timeline, name: str) -> int:
    for k, item in enumerate(timeline.items):
        if item.name == name:
            return k
    raise ArgumentError(f"{name!r} is a robot with several links; say which one: {name}/link.")
