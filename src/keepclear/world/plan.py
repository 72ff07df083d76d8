"""Which pairs are checked, when and with which margin, and which are not and why."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from keepclear.report.report import Unchecked
from keepclear.scene.frames import Frames
from keepclear.scene.items import Item, WorldRobot
from keepclear.scene.lag import PathErrors
from keepclear.scene.rules import Rules, Window, allowed_links, left_over
from keepclear.scene.timeline import Timeline


class Judged(NamedTuple):
    """A window of time in which a pair is checked, and the distance that it must keep [m]."""

    t0: float
    t1: float
    margin: float


class AtRest(NamedTuple):
    """A window of time before a pair first moves, its margin [m], and how it is checked if it is not in contact."""

    t0: float
    t1: float
    margin: float
    judged: tuple[Judged, ...]


@dataclass(slots=True)
class PairPlan:
    """Two items by number, when they are checked, and when they have not moved relative to each other yet.

    Attributes:
        i: The first item.
        j: The second item.
        judged: When the pair is checked, in order.
        at_rest: Windows before the pair first moves: contact there is listed; without contact they are checked too.
        moves: When the pair first moves relative to each other [s].
        permitted: When permissions to touch end while the pair is checked [s].
    """

    i: int
    j: int
    judged: list[Judged]
    at_rest: list[AtRest]
    moves: float = -math.inf
    permitted: tuple[float, ...] = ()

    @property
    def margin(self) -> float:
        """The largest margin [m]."""
        return max((window.margin for window in self.judged), default=0.0)

    def check(self, windows: Iterable[Judged]) -> None:
        """Check the pair in more windows."""
        self.judged = sorted([*self.judged, *windows])


class Plans(NamedTuple):
    """What is to be done.

    Attributes:
        pairs: The pairs that are checked at any time.
        resting: The pairs that never move relative to each other, and the distance they should keep.
        unchecked: The pairs, and windows of time, that are not checked for another reason.
    """

    pairs: list[PairPlan]
    resting: list[tuple[int, int, float]]
    unchecked: list[Unchecked]


def plan_pairs(timeline: Timeline, rules: Rules, t0: float, t1: float) -> Plans:
    """Return what is to be done about each pair from t0 to t1."""
    items, frames, errors = timeline.items, Frames(timeline, rules), PathErrors(timeline, rules)
    links = {
        id(item.owner): allowed_links(item.owner) for item in items if isinstance(item.owner, WorldRobot)
    }
    plain = [
        len(timeline.carriers[i]) == 1 and not rules.mentions(item.name) and errors.is_exact(i)
        for i, item in enumerate(items)
    ]
    plans = Plans([], [], [])
    whole = [Judged(t0, t1, 0.0)]
    for i, a in enumerate(items):
        unchecked_until = frames.unchecked_row(i)
        for j in range(i + 1, len(items)):
            b, same = items[j], a.owner is items[j].owner
            first = unchecked_until[j]
            if plain[i] and plain[j] and not same and not t0 < first < math.inf:
                # Nothing was said about either: most pairs of most worlds.
                if first == math.inf:
                    plans.resting.append((i, j, 0.0))
                else:
                    plans.pairs.append(PairPlan(i, j, whole, []))
                continue
            reason = _excluded(rules, a, b, links.get(id(a.owner), {}) if same else {})
            if reason is not None:
                plans.unchecked.append(reason)
            elif first == math.inf == frames.may_move(i, j):
                plans.resting.append((i, j, rules.margin(a.name, b.name)))
            else:
                windows = rules.windows(a.name, b.name)
                plans.unchecked.extend(_window_of(a, b, rule.window, rule.reason) for rule in windows)
                left = left_over((t0, t1), [rule.window for rule in windows])
                if left:
                    since = frames.may_move(i, j) if first == math.inf else -math.inf
                    plan = _plan(timeline, rules, errors, (i, j), left, (first, since))
                    plan.permitted = tuple(sorted(rule.window[1] for rule in windows))
                    plans.pairs.append(plan)
    return plans


def _excluded(
    rules: Rules, a: Item, b: Item, links: dict[frozenset[str], tuple[str, str]]
) -> Unchecked | None:
    """Return why a pair is never checked, or None."""
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
    timeline: Timeline,
    rules: Rules,
    errors: PathErrors,
    pair: tuple[int, int],
    left: list[Window],
    moves: tuple[float, float],
) -> PairPlan:
    """Cut windows where carriers change, set aside those before the pair first moves, and give all their margins.

    A pair that never moves by plan is checked from when on it may move for being early or late.
    """
    (i, j), (first, since) = pair, moves
    margin = rules.margin(timeline.items[i].name, timeline.items[j].name)
    plan = PairPlan(i, j, [], [], first)
    cuts = [*timeline.changes(i), *timeline.changes(j), since]
    for start, end in _cut(left, [first]):
        judged = [
            Judged(t0, t1, margin + off)
            for begin, stop in _cut([(start, end)], cuts)
            if stop > since
            for t0, t1, off in errors.during(i, j, begin, stop)
        ]
        if end <= first:
            plan.at_rest.append(AtRest(start, end, margin, tuple(judged)))
        else:
            plan.judged += judged
    return plan


def _cut(windows: list[Window], cuts: list[float]) -> Iterator[Window]:
    """Give windows of time, divided where a cut is within one."""
    for start, end in windows:
        inner = sorted({cut for cut in cuts if start < cut < end})
        yield from itertools.pairwise([start, *inner, end])
