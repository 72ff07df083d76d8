"""Which pairs are to be judged, when and with which margin, and which are not and why."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

from keepclear.report.report import Unchecked
from keepclear.world.items import Item, WorldRobot
from keepclear.world.lag import late, tolerance_of
from keepclear.world.rules import Rules, Window, allowed_links, left_over
from keepclear.world.timeline import Timeline


class Judged(NamedTuple):
    """A window of time in which a pair is judged, and the distance that it must keep [m]."""

    t0: float
    t1: float
    margin: float


@dataclass(slots=True)
class PairPlan:
    """Two items by number, when they are judged, and when they rest relative to each other."""

    i: int
    j: int
    judged: list[Judged]
    at_rest: list[Window]

    @property
    def margin(self) -> float:
        """The largest margin [m]."""
        return max((window.margin for window in self.judged), default=0.0)


def plan_pairs(
    timeline: Timeline, rules: Rules, t0: float, t1: float
) -> tuple[list[PairPlan], list[tuple[int, int]], list[Unchecked]]:
    """Return the plans of all pairs that are judged at any time, those that always rest, and those not judged."""
    items = timeline.items
    plans, resting, unchecked = [], [], []
    links = {
        id(item.owner): allowed_links(item.owner) for item in items if isinstance(item.owner, WorldRobot)
    }
    frames = [
        timeline.frame(i, 0, t0, t1) if len(timeline.carriers[i]) == 1 else None for i in range(len(items))
    ]
    plain = [
        frame is not None and not rules.mentions(item.name) for frame, item in zip(frames, items, strict=True)
    ]
    nothing_moves = all(frame == () for frame in frames) or t0 == t1
    if nothing_moves:  # then everything is judged as it stands
        frames = [(i,) for i in range(len(items))]
    whole = [Judged(t0, t1, 0.0)]
    for i, a in enumerate(items):
        for j in range(i + 1, len(items)):
            b = items[j]
            same = a.owner is b.owner
            if (
                plain[i] and plain[j] and not same
            ):  # nobody said anything about either: most pairs of most worlds
                if frames[i] == frames[j]:
                    resting.append((i, j))
                else:
                    plans.append(PairPlan(i, j, whole, []))
                continue
            reason = _excluded(rules, a, b, links.get(id(a.owner), {}) if same else {})
            if reason is not None:
                unchecked.append(reason)
            elif not rules.tolerances and frames[i] is not None and frames[i] == frames[j]:
                resting.append((i, j))
            else:
                windows = rules.windows(a.name, b.name)
                unchecked += [_window_of(a, b, rule.window, rule.reason) for rule in windows]
                left = left_over((t0, t1), [rule.window for rule in windows])
                if left:
                    plans.append(_plan(timeline, rules, i, j, left, as_it_stands=nothing_moves))
    return plans, resting, unchecked


def _excluded(
    rules: Rules, a: Item, b: Item, links: dict[frozenset[str], tuple[str, str]]
) -> Unchecked | None:
    """Return why a pair is never judged, or None."""
    if not rules.is_designated(a.name, b.name):
        return Unchecked(a=a.name, b=b.name, reason="not designated", detail="other pairs were designated")
    if links and isinstance(a.owner, WorldRobot):
        names = a.owner.robot.link_names
        found = links.get(frozenset((names[a.link], names[b.link])))
        if found is not None:
            return Unchecked(a=a.name, b=b.name, reason=found[0], detail=found[1])
    for rule in rules.windows(a.name, b.name):
        if rule.window == (-math.inf, math.inf):
            return Unchecked(a=a.name, b=b.name, reason="allowed", detail=rule.reason)
    return None


def _window_of(a: Item, b: Item, window: Window, reason: str) -> Unchecked:
    start = None if window[0] == -math.inf else window[0]
    end = None if window[1] == math.inf else window[1]
    return Unchecked(a=a.name, b=b.name, reason="allowed", detail=reason, t_from=start, t_to=end)


def _plan(
    timeline: Timeline, rules: Rules, i: int, j: int, left: list[Window], *, as_it_stands: bool
) -> PairPlan:
    """Cut windows where carriers change, set aside those at rest, and give the others their margins."""
    margin = rules.margin(timeline.items[i].name, timeline.items[j].name)
    plan = PairPlan(i, j, [], [])
    cuts = sorted({*timeline.changes(i), *timeline.changes(j)})
    for start, end in left:
        ends = [start, *(cut for cut in cuts if start < cut < end), end]
        for begin, stop in itertools.pairwise(ends):
            tolerances = tolerance_of(timeline, rules, i), tolerance_of(timeline, rules, j)
            lag = max(tolerances[0].time, tolerances[1].time)
            window = Judged(begin, stop, margin + tolerances[0].distance + tolerances[1].distance)
            if not as_it_stands and begin < stop and _at_rest(timeline, i, j, begin - lag, stop + lag):
                plan.at_rest.append((begin, stop))
            elif lag == 0.0:
                plan.judged.append(window)
            else:
                plan.judged += [
                    Judged(t0, t1, window.margin + off)
                    for t0, t1, off in late(timeline, i, j, tolerances, begin, stop)
                ]
    return plan


def always_at_rest(timeline: Timeline, i: int, j: int, t0: float, t1: float) -> bool:
    """Tell whether two items never move relative to each other in an interval."""
    return t0 < t1 and _at_rest(timeline, i, j, t0, t1)


def _at_rest(timeline: Timeline, i: int, j: int, t0: float, t1: float) -> bool:
    """Tell whether two items do not move relative to each other."""
    if any(t0 < t < t1 for t in (*timeline.changes(i), *timeline.changes(j))):
        return False
    ki, kj = timeline.carrier(i, t0), timeline.carrier(j, t0)
    return timeline.frame(i, ki, t0, t1) == timeline.frame(j, kj, t0, t1)
