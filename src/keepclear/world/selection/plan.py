"""The plan of a query over time: which pairs of a scene are checked, when, with which margin, and those listed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from keepclear.checks import BoolArray, FloatArray, IntArray
from keepclear.kernels.tables.pair import Pairs
from keepclear.report.parts import Unchecked
from keepclear.scene.pair_rules import reach_of
from keepclear.scene.rules import Window, left_over
from keepclear.scene.scene import Scene
from keepclear.scene.steps import Steps
from keepclear.world.selection.distant import unit_mistakes
from keepclear.world.selection.resting import resting_contacts

# Worlds with at most this many checked pairs list all of them; larger ones list near pairs, and count the others.
MOST_LISTED = 2_000


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
    def margins(self) -> FloatArray:
        """The largest margin of each pair, (n,) [m]."""
        found = np.zeros(len(self))
        for k, plan in self.plans.items():
            found[k] = plan.margin
        return found

    @cached_property
    def least_margins(self) -> FloatArray:
        """The distance that each pair that is clear is proved to keep while it is checked, (n,) [m]."""
        found = np.zeros(len(self))
        for k, plan in self.plans.items():
            found[k] = plan.least_margin
        return found

    def without_unchecked(self) -> tuple[PairTable, BoolArray]:
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


class Plan(NamedTuple):
    """The plan for an interval of time.

    Attributes:
        table: The pairs that are checked and listed.
        bodies: (m, 3) the row of a pair with one body of each of its items.
        n_far: How many other pairs are checked: swept boxes prove that they keep clear.
        apart_at_rest: How many pairs never move relative to each other, and do not touch.
        unchecked: The pairs, and windows of time, that are not checked.
        warnings: Warnings for the user.
    """

    table: PairTable
    bodies: IntArray
    n_far: int
    apart_at_rest: int
    unchecked: tuple[Unchecked, ...]
    warnings: tuple[str, ...]


def make_plan(scene: Scene, t0: float, t1: float, tolerance: float, within: float) -> Plan:
    """Return the plan of all pairs, with a list of those that touch and have not moved relative to each other.

    Args:
        scene: The scene.
        t0: Start of the interval [s].
        t1: Its end [s].
        tolerance: The tolerance of the verdict [m].
        within: In large worlds, only pairs that come this close are listed [m].
    """
    steps = scene.steps(t0, t1)
    pairs, bodies, total = checked_pairs(scene, steps, within)
    table = plan_pairs(scene, pairs, t0, t1)
    never, resting = resting_pairs(scene, steps, tolerance)
    rows = [(i, j, t0, t1, scene.pair_rules.margin(i, j), math.inf) for i, j in never.tolist()]
    before = [(plan, rest) for plan in table.plans.values() for rest in plan.at_rest]
    # harmless (rest.margin): a pair that is not listed as touching at rest is checked then
    more = [(plan.i, plan.j, rest.t0, rest.t1, rest.margin, plan.moves) for plan, rest in before]
    found = resting_contacts(scene, rows + more, steps, tolerance, (t0, t1))
    apart_at_rest = resting - sum(contact is not None for contact in found[: len(rows)])
    for (plan, rest), contact in zip(before, found[len(rows) :], strict=True):
        if contact is None:
            plan.check(rest.checked)
    touching = [contact for contact in found if contact is not None]
    unchecked = [*scene.pair_rules.unchecked, *(contact.listed for contact in touching)]
    n_far = total - len(table) - _count_allowed(scene, pairs, t0, t1)
    table, kept = table.without_unchecked()
    bodies = bodies[kept[bodies[:, 0]]]
    bodies = np.concatenate([(np.cumsum(kept) - 1)[bodies[:, :1]], bodies[:, 1:]], axis=1)
    warnings = [*unit_mistakes(steps, scene), *(contact.warning for contact in touching if contact.warning)]
    order = tuple(sorted(unchecked, key=unchecked_order))
    return Plan(table, bodies, n_far, apart_at_rest, order, tuple(warnings))


def _count_allowed(scene: Scene, pairs: IntArray, t0: float, t1: float) -> int:
    """Return how many pairs may always touch by rules for windows, apart from the given ones and those at rest."""
    n, classes = len(scene.items), scene.frames.classes
    allowed = scene.pair_rules.never_left(t0, t1)
    if allowed:
        allowed -= set((pairs[:, 0] * n + pairs[:, 1]).tolist())
    return sum(bool(classes[key // n] != classes[key % n]) for key in allowed)


def unchecked_order(one: Unchecked) -> tuple[str, str, str, float]:
    """Return the sort key of unchecked pairs."""
    return one.a, one.b, one.reason, one.t_from or -math.inf


def checked_pairs(scene: Scene, steps: Steps, within: float) -> tuple[IntArray, IntArray, int]:
    """Return the pairs of items that reports list, their pairs of bodies, and how many checked pairs there are.

    Args:
        scene: The scene.
        steps: Its time steps.
        within: Pairs that are always farther apart than this and than their margin need not be listed [m].

    Returns:
        Items (k, 2), then (m, 3) the row of a pair with one body of each of its items, sorted; and a count.
    """
    n = len(scene.items)
    classes = scene.frames.classes
    counts = np.bincount(classes, minlength=1)
    different = n * (n - 1) // 2 - int((counts * (counts - 1) // 2).sum())
    total = different - scene.pair_rules.n_excluded(classes)[0]
    if total <= MOST_LISTED and n <= MOST_LISTED + 1:
        i, j = np.triu_indices(n, 1)
        keys = (i * n + j)[classes[i] != classes[j]]
        keys = keys[scene.pair_rules.is_checked(keys)]
        pairs = np.stack([keys // n, keys % n], axis=1)
        return pairs, _bodies_of(scene, pairs), total
    near = np.concatenate([steps.candidates(reach(scene, within), _keys(scene)), *_carried_together(scene)])
    near = near[scene.frames.classes[scene.item[near[:, 0]]] != scene.frames.classes[scene.item[near[:, 1]]]]
    near = np.unique(near, axis=0)
    items = scene.item[near]
    keys = items[:, 0] * n + items[:, 1]
    kept = scene.pair_rules.is_checked(keys)
    found, rows = np.unique(keys[kept], return_inverse=True)
    bodies = np.concatenate([rows.reshape(-1, 1), near[kept]], axis=1)
    order = np.lexsort(bodies.T[::-1])
    return np.stack([found // n, found % n], axis=1), bodies[order], total


def resting_pairs(scene: Scene, steps: Steps, tolerance: float) -> tuple[IntArray, int]:
    """Return pairs of items that never move relative to each other and may touch, (k, 2), and how many never move."""
    n, classes = len(scene.items), scene.frames.classes
    counts = np.bincount(classes, minlength=1)
    total = int((counts * (counts - 1) // 2).sum()) - scene.pair_rules.n_excluded(classes)[1]
    if total == 0:
        return np.empty((0, 2), np.int64), 0
    near = scene.item[steps.same_class(reach(scene, tolerance), _keys(scene))]
    keys = np.unique(near[:, 0] * n + near[:, 1])
    keys = keys[scene.pair_rules.is_checked(keys)]
    return np.stack([keys // n, keys % n], axis=1), total


def near_rows(
    table: PairTable,
    bodies: IntArray,
    steps: Steps,
    beyond: float | None,
    which: BoolArray | None = None,
) -> Pairs:
    """Return rows of PAIR for the times at which boxes do not prove that pairs of bodies keep clear.

    Args:
        table: The pairs of items.
        bodies: (m, 3) the row of a pair with one body of each of its items.
        steps: The boxes.
        beyond: Return all times at which a pair may be closer than this; None: than its margin [m].
        which: Return only these pairs, (n,).
    """
    if which is not None:
        bodies = bodies[which[bodies[:, 0]]]
    limits = table.margins[bodies[:, 0]] if beyond is None else np.full(len(bodies), beyond)
    rows = steps.near_rows(bodies, limits)
    if not table.plans:
        return rows
    special = np.zeros(len(table), dtype=bool)
    special[list(table.plans)] = True
    is_special = special[rows["pair"]]
    found = [
        (k, max(window.t0, t0), min(window.t1, t1), window.margin)
        for k in np.flatnonzero(is_special).tolist()
        for t0, t1 in [(rows["t0"].item(k), rows["t1"].item(k))]
        for window in table.windows(rows["pair"].item(k))
        if max(window.t0, t0) <= min(window.t1, t1)
    ]
    numbers, *columns = zip(*found, strict=True) if found else [()] * 4
    clipped = rows[np.array(numbers, np.int64)]
    clipped["t0"], clipped["t1"], clipped["margin"] = columns
    clipped["now"] = clipped["since"] = clipped["t0"]
    clipped["hint"] = np.clip(clipped["hint"], clipped["t0"], clipped["t1"])
    return np.concatenate([rows[~is_special], clipped])


def reach(scene: Scene, within: float) -> FloatArray:
    """Return the distance of each body below which boxes do not prove it clear, (bodies,) [m].

    The margin of a pair is at most the larger margin of its items, or the smaller of the margins of pairs with them,
    plus the path errors of both.
    """
    found = reach_of(scene.pair_rules) + within
    for i in np.flatnonzero(~scene.is_exact).tolist():
        found[i] += scene.errors.most(i)
    return found[scene.item]


def _carried_together(scene: Scene) -> list[IntArray]:
    """Return all pairs of bodies that a robot with a path error carries at any time.

    Their error depends on their relative speed, which the speed of a single body does not bound.
    """
    if scene.is_exact.all():
        return []
    carried: dict[int, list[int]] = {}
    for i, parents in enumerate(scene.timeline.parent_frames):
        for robot in {id(parent.robot) for parent in parents if parent.robot is not None}:
            carried.setdefault(robot, []).extend(scene.bodies_of(i))
    found = []
    for bodies in carried.values():
        a, b = np.triu_indices(len(bodies), 1)
        some = np.array(bodies)
        pairs = np.stack([some[a], some[b]], axis=1)
        found.append(pairs[scene.item[pairs[:, 0]] != scene.item[pairs[:, 1]]])
    return found


def _bodies_of(scene: Scene, pairs: IntArray) -> IntArray:
    """Return the pairs of bodies of pairs of items, (m, 3): the row of the pair, and one body of each item."""
    first = np.append(scene.first, len(scene.geoms))
    counts = np.diff(first)
    i, j = pairs[:, 0], pairs[:, 1]
    row = np.repeat(np.arange(len(pairs)), counts[i] * counts[j])
    inner = np.arange(len(row)) - np.searchsorted(row, row)
    p, q = np.divmod(inner, counts[j[row]])
    return np.stack([row, first[i[row]] + p, first[j[row]] + q], axis=1)


def _keys(scene: Scene) -> IntArray:
    return np.stack([scene.item, scene.frames.classes[scene.item]], axis=1)
