"""The contacts of a colliding pair for a page: durations, depths and minimum distances, at a bounded cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from keepclear.continuous.clearance import least_below
from keepclear.report.parts import Contact, ContactHistory
from keepclear.scene.timeline import Timeline
from keepclear.world.contacts import FoundContacts, all_contacts, contact_of
from keepclear.world.distance_query import ItemDistances
from keepclear.world.pair_check import PairFinding, part_rows, row_query
from keepclear.world.plan import PairPlan

if TYPE_CHECKING:
    from keepclear.world.task import Task

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
