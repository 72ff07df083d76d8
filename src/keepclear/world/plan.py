"""Which pairs are to be judged, when and with which margin, and which are not and why."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from keepclear.continuous.relative_way import WORLD_FRAME
from keepclear.kernels.relative_way import ways
from keepclear.motions.motion import Motion
from keepclear.report.report import Unchecked
from keepclear.shapes.arguments import FloatArray
from keepclear.world.items import Item, Part, WorldRobot
from keepclear.world.rules import Rules, Window, allowed_links, left_over
from keepclear.world.timeline import Timeline, rests

# A margin that grows with speed is constant on so many parts of each piece of a motion.
LAG_PARTS = 8


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
    if (
        all(frame == () for frame in frames) or t0 == t1
    ):  # nothing moves: then everything is judged as it stands
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
            elif frames[i] is not None and frames[i] == frames[j]:
                resting.append((i, j))
            else:
                windows = rules.windows(a.name, b.name)
                unchecked += [_window_of(a, b, rule.window, rule.reason) for rule in windows]
                left = left_over((t0, t1), [rule.window for rule in windows])
                if left:
                    plans.append(_plan(timeline, rules, i, j, left))
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


def _plan(timeline: Timeline, rules: Rules, i: int, j: int, left: list[Window]) -> PairPlan:
    """Cut windows where carriers change, set aside those at rest, and give the others their margins."""
    a, b = timeline.items[i], timeline.items[j]
    margin = rules.margin(a.name, b.name)
    tolerances = rules.path_tolerance(a.name), rules.path_tolerance(b.name)
    margin += tolerances[0].distance + tolerances[1].distance
    lags = tolerances[0].time, tolerances[1].time
    plan = PairPlan(i, j, [], [])
    cuts = sorted({*timeline.changes(i), *timeline.changes(j)})
    for start, end in left:
        ends = [start, *(cut for cut in cuts if start < cut < end), end]
        for begin, stop in itertools.pairwise(ends):
            if begin < stop and _at_rest(timeline, i, j, begin, stop):
                plan.at_rest.append((begin, stop))
            elif max(lags) == 0.0:
                plan.judged.append(Judged(begin, stop, margin))
            else:
                plan.judged += _lagging(timeline, (i, j), lags, Judged(begin, stop, margin))
    return plan


def always_at_rest(timeline: Timeline, i: int, j: int, t0: float, t1: float) -> bool:
    """Tell whether two items never move relative to each other in an interval."""
    if max(len(timeline.carriers[i]), len(timeline.carriers[j])) > 1 or t0 >= t1:
        return False
    return _at_rest(timeline, i, j, t0, t1)


def _at_rest(timeline: Timeline, i: int, j: int, t0: float, t1: float) -> bool:
    """Tell whether two items do not move relative to each other."""
    ki, kj = timeline.carrier(i, t0), timeline.carrier(j, t0)
    return timeline.frame(i, ki, t0, t1) == timeline.frame(j, kj, t0, t1)


def _lagging(
    timeline: Timeline, pair: tuple[int, int], lags: tuple[float, float], window: Judged
) -> list[Judged]:
    """Divide a window so that the margin follows the speed: who is late by a time is off by it times the speed."""
    cuts: list[FloatArray] = [np.array([window.t0, window.t1])]
    moving = []
    for i, lag in zip(pair, lags, strict=True):
        if lag > 0.0:
            carrier = timeline.carrier(i, window.t0)
            for p, part in enumerate(timeline.items[i].parts):
                motion = timeline.motion(i, p, carrier)
                moving.append((motion, part, lag))
                cuts.append(np.asarray(motion.knots))
    times = np.unique(np.concatenate(cuts))
    times = times[(times >= window.t0) & (times <= window.t1)]
    fine = [np.linspace(s, e, LAG_PARTS + 1)[:-1] for s, e in itertools.pairwise(times)]
    times = np.append(np.concatenate(fine) if fine else times[:0], window.t1)
    judged = []
    for s, e in (
        zip(times[:-1].tolist(), times[1:].tolist(), strict=True) if len(times) > 1 else [(window.t0,) * 2]
    ):
        off = [0.0, 0.0]
        for motion, part, lag in moving:
            side = 0 if lag is lags[0] else 1
            off[side] = max(off[side], lag * fastest(motion, part, s - lag, e + lag))
        judged.append(Judged(s, e, window.margin + sum(off)))
    return judged


def fastest(motion: Motion, part: Part, t0: float, t1: float) -> float:
    """Return a bound of the speed of a part's points from t0 to t1, at most a little too large [m/s]."""
    t0, t1 = max(t0, motion.t_start), min(t1, motion.t_end)
    if rests(motion, t0, t1) or t0 >= t1:
        return 0.0
    knots = np.asarray(motion.knots)
    times = np.unique(np.concatenate([np.linspace(t0, t1, 9), knots[(knots > t0) & (knots < t1)]]))
    out = np.empty((len(times) - 1, 3))
    ways(WORLD_FRAME, motion._packed, part.around, times, np.array([0.0, 0.0, 1.0]), out.reshape(-1))
    # The way in a step of half length h is (2 v + h K) h, with v the speed in the middle; the largest speed is v + h K.
    half = 0.5 * np.diff(times)
    return float((out[:, 0] / half - out[:, 1]).max())
