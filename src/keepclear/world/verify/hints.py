"""Hints for a pair that touches: its worst instant, the shift that restores the margin then, and the waypoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from keepclear.checks import FloatArray
from keepclear.motion.fixed import Fixed
from keepclear.motion.motion import MOTION_TABLE, head_of
from keepclear.report.parts import Contact, ContactHistory, Hint, Waypoints
from keepclear.report.words import fix_text
from keepclear.scene.timeline import Timeline
from keepclear.world.selection.plan import PairPlan
from keepclear.world.verify.contacts import MOST_PART_PAIRS
from keepclear.world.verify.separating_shift import Placed, depth_measure, separating_shift

if TYPE_CHECKING:
    from keepclear.world.verify.options import Task

MOST_HINTS = 24
"""Greatest number of pairs of a report that get a hint; those that touch first."""

INSTANTS, ROUNDS = 96, 3
"""Instants of the first round of a search for the worst instant, shared by all contacts, and the number of rounds."""


def hint_of(history: ContactHistory, plan: PairPlan, timeline: Timeline, task: Task) -> Hint:
    """Return the hint for a colliding pair.

    Args:
        history: Its contacts.
        plan: When it is checked, and with which margin.
        timeline: The motions.
        task: The options of the check.
    """
    contacts = history.contacts
    mover, other = _mover_first(timeline, plan, contacts[0].time)
    duration = sum(max(_last(one) - one.time, 0.0) for one in contacts)
    around = _waypoints(timeline, mover, contacts[0].time)
    worst, depth, directions = contacts[0].time, None, list[FloatArray]()
    items = timeline.items
    is_known = len(items[plan.i].parts) * len(items[plan.j].parts) <= MOST_PART_PAIRS and not any(
        _deforms(timeline, k, one.time) for one in contacts for k in (mover, other)
    )
    if is_known:
        worst, depth, directions = _worst(contacts, plan, timeline, mover, other)
    near = _waypoints(timeline, mover, worst)
    hint = Hint(around=around, time=worst, near=near, duration=duration, depth=depth)
    if not is_known:
        return hint
    # harmless (_margin(plan, worst)): a hint for a change, which no verdict depends on
    target = _margin(plan, worst) + task.tolerance
    a, b = (
        [(body, X[0]) for body, X in _placed(timeline, item, np.array([worst]))] for item in (mover, other)
    )
    normals = [contact.normal_W for contact in contacts if contact.normal_W is not None]
    directions += [side * np.array(n) for n in normals[:2] for side in (1.0, -1.0)]
    shift = separating_shift(a, b, target, directions)
    if shift is None:
        return hint
    name = items[mover].name
    return Hint(
        around=around, time=worst, near=near, duration=duration, depth=depth, moves=name, shift_W=shift.shift_W,
        distance_lower=shift.lower, text=fix_text(name, shift.shift_W, worst, near),
    )  # fmt: skip


def _worst(
    contacts: tuple[Contact, ...], plan: PairPlan, timeline: Timeline, mover: int, other: int
) -> tuple[float, float | None, list[FloatArray]]:
    """Return the instant at which most is missing to the margin, the greatest depth [m], and directions apart then."""
    best, worst, depth, directions = -np.inf, contacts[0].time, None, list[FloatArray]()
    spans = [(one.time, max(_last(one), one.time)) for one in contacts]
    n = max(INSTANTS // len(contacts), 4)
    knots = _times(timeline, mover, worst)[1]
    for _ in range(ROUNDS):
        some = []
        for begin, end in spans:
            inner = knots[(knots > begin) & (knots < end)]  # contacts are often deepest there
            inner = inner[:: max(-(-len(inner) // n), 1)]
            some.append(np.unique(np.concatenate([np.linspace(begin, end, n), inner])))
        times = np.concatenate(some)
        found = depth_measure(_placed(timeline, mover, times), _placed(timeline, other, times))
        deepest = np.fmax.reduce(found.depth).item()
        if deepest == deepest:
            depth = deepest if depth is None else max(depth, deepest)
        # harmless (_margin(plan, t)): a hint for a change, which no verdict depends on
        missing = np.array([_margin(plan, t) for t in times.tolist()]) - found.values.min(axis=0)
        k = int(np.argmax(missing))
        if not missing[k] > best:
            break
        best, worst, directions = missing.item(k), times.item(k), found.directions(k)
        begin, end = spans[int(np.searchsorted(np.cumsum([len(t) for t in some]), k, side="right"))]
        step = (end - begin) / (n - 1)
        if step <= 0.0:
            break
        spans, n = [(max(begin, worst - step), min(end, worst + step))], 9
    return worst, depth, directions


def _margin(plan: PairPlan, t: float) -> float:
    """Return the margin of a pair at an instant [m]."""
    # harmless (window.margin): a hint for a change, which no verdict depends on
    # harmless (plan.margin): likewise
    return max((window.margin for window in plan.checked if window.t0 <= t <= window.t1), default=plan.margin)


def _last(contact: Contact) -> float:
    return contact.time if contact.t_last is None else contact.t_last


def _placed(timeline: Timeline, item: int, times: FloatArray) -> list[Placed]:
    """Return the parts of an item and their poses at instants."""
    parts = timeline.items[item].parts
    return [(part.body, timeline.poses(item, p, times)) for p, part in enumerate(parts)]


def _deforms(timeline: Timeline, item: int, t: float) -> bool:
    """Return whether a motion deforms its body, so that it has no pose."""
    return bool(head_of(timeline.motion(item, 0, timeline.parent_index(item, t))).affine)


def _mover_first(timeline: Timeline, plan: PairPlan, t: float) -> tuple[int, int]:
    """Return the two items of a pair, first the one that a hint moves: a link or tool, else what moves.

    Of two links of one robot it is the one with more moving joints below it.
    """
    ranks = [(_rank(timeline, item, t), item) for item in (plan.i, plan.j)]
    (_, first), (_, second) = sorted(ranks, reverse=True)
    return first, second


def _rank(timeline: Timeline, item: int, t: float) -> tuple[int, int]:
    parent = timeline.parent_frames[item][timeline.parent_index(item, t)]
    if parent.robot is not None:
        moving = len(parent.robot.program.moving_joints(parent.link))
        return (2 if moving else 0), moving
    return (0 if isinstance(parent.motion, Fixed) else 1), 0


def _waypoints(timeline: Timeline, item: int, t: float) -> Waypoints | None:
    """Return the waypoints around an instant of the motion of an item; None if it has none."""
    name, times = _times(timeline, item, t)
    if not len(times):
        return None
    first = max(int(np.searchsorted(times, t, side="right")) - 1, 0)
    last = min(first + 1, len(times) - 1) if t > times[0] else first
    return Waypoints(
        of=name, first=first, last=last, t_first=float(times[first]), t_last=float(times[last])
    )  # fmt: skip


def _times(timeline: Timeline, item: int, t: float) -> tuple[str, FloatArray]:
    """Return whose waypoints move an item at an instant, its own or those of the robot that holds it, and their times.

    The times are empty for a motion without waypoints.
    """
    parent = timeline.parent_frames[item][timeline.parent_index(item, t)]
    if parent.robot is not None:
        return parent.robot.name, parent.robot.program.times
    motion, name = parent.motion, timeline.items[item].owner.name
    return name, MOTION_TABLE[motion].samples(motion)
