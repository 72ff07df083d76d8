"""The plan of a verification: the pairs of a scene that are checked in an interval of time, and those listed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from keepclear.checks import IntArray
from keepclear.report.parts import Unchecked
from keepclear.scene.scene import Scene
from keepclear.world.distant import unit_mistakes
from keepclear.world.near import checked_pairs, resting_pairs
from keepclear.world.plan import PairTable, plan_pairs
from keepclear.world.resting import resting_contacts


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
