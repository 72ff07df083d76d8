"""The first time at which two moving bodies come within a margin: every interval is proved or halved, slowly."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from tests.oracles.contact_time_distance import skeleton_intervals
from tests.oracles.contact_time_support import support_intervals
from tests.oracles.exact_points import Body, sphere
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_poses import Move

Array = np.ndarray
AT_ONCE = 48  # intervals that are halved together


class Truth(NamedTuple):
    """No contact before `clear_until`; contact at `contact_at`, nan if there is none for sure."""

    clear_until: float
    contact_at: float
    evaluations: int = 0


@dataclass(frozen=True, eq=False)
class Encounter:
    """Two bodies and their motions, from `t0` to `t1`: if nan, over the span of the motions."""

    a: Thing
    move_a: Move
    b: Thing
    move_b: Move
    t0: float = float("nan")
    t1: float = float("nan")

    @cached_property
    def span(self) -> tuple[float, float]:
        moving = [m.times for m in (self.move_a, self.move_b) if m.kind != "fixed"] or [np.zeros(1)]
        first, last = min(float(t[0]) for t in moving), max(float(t[-1]) for t in moving)
        return (first if np.isnan(self.t0) else self.t0), (last if np.isnan(self.t1) else self.t1)

    @cached_property
    def by_supports(self) -> bool:
        """Whether balls are stretched, or a body has no skeleton."""
        pairs = ((self.a, self.move_a), (self.b, self.move_b))
        return any(
            t.kind == "cylinder" or (t.radius > 0 and m.kind == "cubic") or is_flat(t) for t, m in pairs
        )

    def distances(self, t: Any) -> tuple[Array, Array]:
        """Lower and upper values (m,) of the distance at times (m,) [m], 0 in contact."""
        X_WA, X_WB = self.move_a.at(t), self.move_b.at(t)
        if self.by_supports:
            return support_intervals(self.a, X_WA, self.b, X_WB)
        return skeleton_intervals(self.a, X_WA, self.b, X_WB)

    def distance(self, t: float) -> tuple[float, float]:
        """Lower and upper value at one time [m]."""
        lower, upper = self.distances([t])
        return float(lower[0]), float(upper[0])

    @cached_property
    def rates(self) -> tuple[Array, Array]:
        """Knots within the span, and more than the speed at which the distance can change between them."""
        t0, t1 = self.span
        known = [m.speeds(x.extent) for x, m in ((self.a, self.move_a), (self.b, self.move_b))]
        knots = np.unique(np.concatenate([[t0, t1], *(k[(k > t0) & (k < t1)] for k, _ in known)]))
        total = np.zeros(len(knots) - 1)
        middles = (knots[1:] + knots[:-1]) / 2
        for k, speeds in known:
            piece = np.searchsorted(k, middles) - 1
            moving = (piece >= 0) & (piece < len(speeds))
            total[moving] += speeds[piece[moving]]
        return knots, total

    def swapped(self) -> "Encounter":
        return replace(self, a=self.b, move_a=self.move_b, b=self.a, move_b=self.move_a)


def is_flat(thing: Thing) -> bool:
    """Whether the points of a hull lie in a plane or close to it, so that it has no triangles to speak of."""
    if thing.kind != "convex":
        return False
    centred = thing.points - thing.points.mean(axis=0)
    return len(centred) < 4 or float(np.linalg.svd(centred)[1][2]) < 1e-9 * thing.extent


def first_contact_truth(
    case: Encounter, margin: float = 0.0, *, resolution: float = 1e-10, most: int = 400_000
) -> Truth:
    """The first time at which the distance is at most the margin, to `resolution` of the interval.

    A distance that changes at most at the rate L is at least (d0 + d1 - L w) / 2 within an interval of width w.
    Intervals that are not proved so are halved, the earliest first. Those behind a sure contact are dropped.
    Where nothing but the resolution stops it, as in a graze of exactly the margin, `contact_at` stays nan.
    """
    t0, t1 = case.span
    knots, rates = case.rates
    lower, upper = case.distances(knots)
    sure = knots[upper <= margin]
    contact = float(sure[0]) if len(sure) else np.nan
    rows = np.column_stack([knots[:-1], knots[1:], lower[:-1], lower[1:], rates])
    evaluations, finest = len(knots), max(resolution * (t1 - t0), 1e-15 * max(abs(t0), abs(t1)))
    while True:
        open_ = rows[:, 2] + rows[:, 3] - rows[:, 4] * (rows[:, 1] - rows[:, 0]) <= 2 * margin
        rows = rows[open_ & ~(rows[:, 0] >= contact)]
        if len(rows) == 0:
            return Truth(t1 if np.isnan(contact) else contact, contact, evaluations)
        if rows[0, 1] - rows[0, 0] <= finest or evaluations > most:
            return Truth(float(rows[0, 0]), contact, evaluations)
        some, rest = rows[:AT_ONCE], rows[AT_ONCE:]
        middle = (some[:, 0] + some[:, 1]) / 2
        d, d_upper = case.distances(middle)
        evaluations += len(middle)
        sure = middle[d_upper <= margin]
        if len(sure):
            contact = float(np.fmin(contact, sure[0]))
        left, right = some.copy(), some.copy()
        left[:, 1], left[:, 3] = middle, d
        right[:, 0], right[:, 2] = middle, d
        rows = np.concatenate([np.stack([left, right], axis=1).reshape(-1, 5), rest])


def least_distance(case: Encounter, accuracy: float, *, most: int = 400_000) -> tuple[float, float, float]:
    """Lower and upper value of the minimum distance over the interval, and when it is the upper one."""
    knots, rates = case.rates
    lower, upper = case.distances(knots)
    best, when = float(np.min(upper)), float(knots[np.argmin(upper)])
    rows = np.column_stack([knots[:-1], knots[1:], lower[:-1], lower[1:], rates])
    proved, evaluations = np.inf if len(knots) > 1 else float(lower[0]), len(knots)
    while True:
        bounds = np.maximum((rows[:, 2] + rows[:, 3] - rows[:, 4] * (rows[:, 1] - rows[:, 0])) / 2, 0.0)
        open_ = bounds < best - accuracy
        proved = min(proved, float(np.min(bounds[~open_], initial=np.inf)))
        rows, bounds = rows[open_], bounds[open_]
        if len(rows) == 0 or evaluations > most:
            return min(proved, best, float(np.min(bounds, initial=np.inf))), best, when
        order = np.argsort(bounds)
        some, rest = rows[order[: 8 * AT_ONCE]], rows[order[8 * AT_ONCE :]]
        middle = (some[:, 0] + some[:, 1]) / 2
        d, d_upper = case.distances(middle)
        evaluations += len(middle)
        if float(np.min(d_upper)) < best:
            best, when = float(np.min(d_upper)), float(middle[np.argmin(d_upper)])
        left, right = some.copy(), some.copy()
        left[:, 1], left[:, 3] = middle, d
        right[:, 0], right[:, 2] = middle, d
        rows = np.concatenate([left, right, rest])


def point_distance(thing: Thing, X_W: Array, p_W: Array) -> float:
    """How far a point is from a body at an affine pose [m], at most; 0 in it."""
    here = np.eye(4)
    here[:3, 3] = p_W
    stretched = np.max(np.abs(X_W[:3, :3].T @ X_W[:3, :3] - np.eye(3))) > 1e-14
    if isinstance(thing.body, Body) and thing.kind == "cylinder" and not stretched:
        x, y, z = X_W[:3, :3].T @ (p_W - X_W[:3, 3])
        return math.hypot(max(math.hypot(x, y) - thing.radius, 0), max(abs(z) - thing.body.length / 2, 0))
    by_supports = thing.kind == "cylinder" or (thing.radius > 0 and stretched) or is_flat(thing)
    bounds = support_intervals if by_supports else skeleton_intervals
    return float(bounds(Thing(sphere(0.0)), here[None], thing, X_W[None])[1][0])
