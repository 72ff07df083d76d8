"""When pairs of items are checked and with which margin, as columns."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import IntArray
from keepclear.scene.rules import Window, left_over
from keepclear.scene.scene import Scene


class Checked(NamedTuple):
    """A window of time in which a pair is checked, and the distance that it must keep [m]."""

    t0: float
    t1: float
    margin: float


class AtRest(NamedTuple):
    """A window of time before a pair first moves, its margin [m], and how it is checked if it is not in contact."""

    t0: float
    t1: float
    margin: float
    checked: tuple[Checked, ...]


@dataclass(slots=True)
class PairPlan:
    """Two items by number, when they are checked, and when they have not moved relative to each other yet.

    Attributes:
        i: The first item.
        j: The second item.
        checked: When the pair is checked, in order.
        at_rest: Windows before the pair first moves: contact there is listed; without contact they are checked too.
        moves: When the pair first moves relative to each other [s].
        permitted: When permissions to touch end while the pair is checked [s].
    """

    i: int
    j: int
    checked: list[Checked]
    at_rest: list[AtRest]
    moves: float = -math.inf
    permitted: tuple[float, ...] = ()

    @property
    def margin(self) -> float:
        """The largest margin [m]."""
        return max((window.margin for window in self.checked), default=0.0)

    @property
    def least_margin(self) -> float:
        """The distance that a pair that is clear is proved to keep at all times at which it is checked [m]."""
        return min((window.margin for window in self.checked), default=0.0)

    def check(self, windows: Iterable[Checked]) -> None:
        """Check the pair in more windows."""
        self.checked = sorted([*self.checked, *windows])


class PairTable:
    """Pairs of items, and when they are checked.

    Attributes:
        i: (n,) the first item of each pair.
        j: (n,) the second.
        plans: Plans of special pairs, by row; all other pairs are checked during the whole interval with margin 0.
        t0: Start of the interval [s].
        t1: Its end [s].
    """

    def __init__(self, pairs: IntArray, plans: dict[int, PairPlan], t0: float, t1: float) -> None:
        self.i, self.j, self.plans, self.t0, self.t1 = pairs[:, 0], pairs[:, 1], plans, t0, t1

    def __len__(self) -> int:
        return len(self.i)

    def plan(self, k: int) -> PairPlan:
        """Return the plan of a pair."""
        found = self.plans.get(k)
        if found is None:
            found = PairPlan(int(self.i[k]), int(self.j[k]), [Checked(self.t0, self.t1, 0.0)], [])
        return found

    def windows(self, k: int) -> Sequence[Checked]:
        """Return when a pair is checked, in order."""
        return self.plan(k).checked

    @cached_property
    def margins(self) -> npt.NDArray[np.float64]:
        """The largest margin of each pair, (n,) [m]."""
        found = np.zeros(len(self))
        for k, plan in self.plans.items():
            found[k] = plan.margin
        return found

    @cached_property
    def least_margins(self) -> npt.NDArray[np.float64]:
        """The distance that each pair that is clear is proved to keep while it is checked, (n,) [m]."""
        found = np.zeros(len(self))
        for k, plan in self.plans.items():
            found[k] = plan.least_margin
        return found

    def without_unchecked(self) -> tuple[PairTable, npt.NDArray[np.bool_]]:
        """Return the pairs that are checked at any time, and a mask of their rows, (n,)."""
        kept = np.ones(len(self), dtype=bool)
        for k, plan in self.plans.items():
            kept[k] = bool(plan.checked)
        if kept.all():
            return self, kept
        numbers = np.cumsum(kept) - 1
        plans = {int(numbers[k]): plan for k, plan in self.plans.items() if kept[k]}
        return PairTable(np.stack([self.i, self.j], axis=1)[kept], plans, self.t0, self.t1), kept


def plan_pairs(scene: Scene, pairs: IntArray, t0: float, t1: float) -> PairTable:
    """Return when pairs of items (n, 2) are checked from t0 to t1; the pairs move, and none is excluded."""
    i, j = pairs[:, 0], pairs[:, 1]
    rules, frames = scene.pair_rules, scene.frames
    first = frames.unchecked_untils(i, j)
    plain = scene.is_plain[i] & scene.is_plain[j] & ~((t0 < first) & (first < math.inf))
    plain &= ~np.isin(i * len(scene.items) + j, rules.special) & (first < math.inf)
    plans: dict[int, PairPlan] = {}
    for k in np.flatnonzero(~plain).tolist():
        a, b = int(i[k]), int(j[k])
        windows = rules.windows(a, b)
        left = left_over((t0, t1), [rule.window for rule in windows])
        plans[k] = PairPlan(a, b, [], [])
        if left:
            since = frames.may_move(a, b) if first[k] == math.inf else -math.inf
            plans[k] = _plan(scene, (a, b), left, (float(first[k]), since))
            plans[k].permitted = tuple(sorted(rule.window[1] for rule in windows))
    return PairTable(pairs, plans, t0, t1)


def _plan(scene: Scene, pair: tuple[int, int], left: list[Window], moves: tuple[float, float]) -> PairPlan:
    """Split windows where parent frames change, separate those before the pair first moves, and set all margins.

    A pair that moves only because it may be early or late is checked from the earliest time of that motion.
    """
    (i, j), (first, since) = pair, moves
    margin, timeline = scene.pair_rules.margin(i, j), scene.timeline
    plan = PairPlan(i, j, [], [], first)
    cuts = [*timeline.changes(i), *timeline.changes(j), since]
    for start, end in _cut(left, [first]):
        checked = [
            Checked(t0, t1, margin + off)
            for begin, stop in _cut([(start, end)], cuts)
            if stop > since
            for t0, t1, off in scene.errors.during(i, j, begin, stop)
        ]
        if end <= first:
            # harmless (margin): a pair that is not listed as touching at rest is checked then
            plan.at_rest.append(AtRest(start, end, margin, tuple(checked)))
        else:
            plan.checked += checked
    return plan


def _cut(windows: list[Window], cuts: list[float]) -> Iterator[Window]:
    """Yield windows of time, split at the cuts within them."""
    for start, end in windows:
        inner = sorted({cut for cut in cuts if start < cut < end})
        yield from itertools.pairwise([start, *inner, end])
