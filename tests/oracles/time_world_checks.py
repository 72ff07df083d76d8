"""Checks of a world's functions and of bounds of motions for a case; the table of all functions."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from tests.oracles import time_checks as pairs
from tests.oracles.time_chaos import Case
from tests.oracles.time_checks import COLLIDING, Check, Fault, instants, number, rounding
from tests.oracles.time_families import Body
from tests.oracles.time_truth import after, before

import keepclear as kc

UNDERFLOW = Fraction(1e-300)  # lengths below cannot be told from zero in float64 [m]


def world_of(case: Case) -> tuple[Any, str, str]:
    """A world with the two bodies, and their names."""
    world = kc.World(threads=1)
    names = [add(world, name, body) for name, body in (("a", case.a), ("b", case.b))]
    if case.margin > 0.0:
        world.set_margin(*names, case.margin)
    return world, names[0], names[1]


def add(world: Any, name: str, body: Body) -> str:
    if body.mover.robot is None:
        world.add(name, body.shape, body.mover.motion)
        return name
    name = "robot"
    if body.mover.link == "tip":  # the other link came with the same robot, or comes with it
        world.add_robot(name, body.mover.robot, body.mover.trajectory, body.mover.X_WB)
    return f"{name}/{body.mover.link}"


def begins_in_contact(case: Case) -> bool:
    """Contact at the start of the motions is listed until the pair first moves: the verdict depends on that rule.

    Bodies that overlap by more than the tolerance and move at once are in contact while they move; these remain.
    """
    start, first = case.knots[:2]
    low, high = case.truth.path.range(start, first)
    least, most = case.truth.at(start)
    margin, tolerance = Fraction(case.margin), Fraction(pairs.coarse(case)) + case.slack
    if (
        low == high or case.interval[1] <= start
    ):  # at rest, or the whole interval is before the pair first moves
        return least <= margin + tolerance
    return least <= margin + tolerance and most >= margin - tolerance


def verify(case: Case) -> Iterator[Fault]:
    yield from verified(case, "first")


def verify_all(case: Case) -> Iterator[Fault]:
    yield from verified(case, "all")


def verify_beside(case: Case) -> Iterator[Fault]:
    """Beside something far away that moves for much longer, so that the world's time is not that of the pair."""
    yield from verified(case, "first", beside=True)


def add_bystander(world: Any, case: Case) -> None:
    """A ball a hundred scales away, with knots long before, within and long after the pair's own."""
    t0, t1 = case.interval
    long = 10.0 * (t1 - t0) + 1e-3 * abs(t0) + 1.0
    times = [t0 - long, t0 + (t1 - t0) / 2, t1 + long]
    positions = case.scale * np.array([[100.0, 0, 0], [100, 1, 0], [100, -1, 1]])
    world.add("far", kc.Sphere(case.scale), kc.PoseTrajectory.from_positions(times, positions))


def verified(case: Case, contacts: Any, beside: bool = False) -> Iterator[Fault]:
    """The report about the pair, with clearances and curves."""
    if begins_in_contact(case):
        return
    world, a, b = world_of(case)
    t0, t1 = (case.t0, case.t1) if not beside else case.interval
    if beside:
        add_bystander(world, case)
    tolerance = case.tolerance if contacts == "first" else pairs.coarse(case)
    report = world.verify(
        t0,
        t1,
        tolerance,
        contacts=contacts,
        far=10 * case.scale,
        clearances=contacts == "all",
        curves=5,
    )
    found = [pair for pair in report.pairs if {pair.a, pair.b} == {a, b}]
    asked = replace(case, tolerance=tolerance)
    if found:
        yield from report_faults(asked, found[0], contacts)
    else:  # at rest and apart
        yield from pairs.verdict_faults(asked, report.verdict)


def report_faults(case: Case, pair: Any, contacts: str) -> Iterator[Fault]:
    yield from pairs.verdict_faults(case, pair.verdict)
    yield from pairs.least_faults(case, pair.clearance_lower, pair.clearance_upper)
    if pair.verdict is COLLIDING:
        since = checked_since(case)
        yield from pairs.bracket_faults(case, pair.t_lo, pair.time, pair.t_hi, case.tolerance, since)
    if pair.curve is not None:
        c = pair.curve
        yield from pairs.curve_faults(case, c.times, c.lower, c.upper, c.lower_between)
    if contacts == "all" and pair.verdict is COLLIDING:
        yield from all_contacts_faults(case, pair.contacts)


def checked_since(case: Case) -> float:
    """Contact at the start is listed until the pair first moves: it is checked after that."""
    overlaps = case.truth.at(case.knots[0])[0] <= Fraction(case.margin)
    return after(float(case.knots[0])) if overlaps else -math.inf


def all_contacts_faults(case: Case, contacts: Any) -> Iterator[Fault]:
    """Each instant that is certainly in contact is within a contact, and each contact has one within tolerance."""
    limit = Fraction(case.margin) + Fraction(case.tolerance) + case.slack
    t0, t1 = case.interval
    ends = [t1 if c.t_end is None else c.t_end for c in contacts]
    for c, end in zip(contacts, ends, strict=True):
        if not t0 <= c.t_lo <= c.time <= c.t_hi <= t1 or c.time > end:
            yield "bracket", f"contact {c}"
        elif case.truth.is_clear(before(c.time), after(c.time), limit):
            yield "witness", f"all: at {c.time!r} the distance is {number(case.truth.around(c.time)[0])}"
    for t in contact_instants(case):
        if t > checked_since(case) and not any(
            Fraction(c.t_lo) <= t <= Fraction(end) for c, end in zip(contacts, ends, strict=True)
        ):
            yield "miss", f"all: contact at {number(t)}, not within {[(c.t_lo, c.t_end) for c in contacts]}"


def contact_instants(case: Case) -> list[Fraction]:
    """Instants at which the bodies certainly overlap, also between floats: where the path turns, and in between."""
    t0, t1 = case.interval
    stations = [t for t, _ in case.truth.path.stations(t0, t1)]
    times = set(stations)
    for s, e in pairwise(stations):
        a, b = case.truth.path.at(s), case.truth.path.at(e)
        if min(a, b) <= case.truth.centre <= max(a, b) and a != b:
            times.add(s + (e - s) * (case.truth.centre - a) / (b - a))  # exact where the path is straight
    return sorted(t for t in times if case.truth.at(t)[1] < Fraction(case.margin) - case.slack)


def world_first_contact(case: Case) -> Iterator[Fault]:
    world, a, b = world_of(case)
    k = world.first_contact(a, b, case.tolerance, t0=case.t0, t1=case.t1)
    yield from pairs.contact_faults(case, k)


def at_instants(case: Case) -> Iterator[Fault]:
    """Collisions and distances at planted instants."""
    world, *_ = world_of(case)
    slack = Fraction(rounding(case)) + case.slack
    times = instants(case)
    for t in (float(x) for x in times[:: max(len(times) // 6, 1)]):
        low, high = case.truth.at(t)
        touching = bool(world.collisions(t))
        if touching and low > Fraction(case.margin) + slack:
            yield "alarm", f"collisions({t!r}), but the distance is {number(low)}, margin {case.margin!r}"
        if not touching and high <= Fraction(case.margin) - slack:
            yield (
                "miss",
                f"collisions({t!r}) is empty, but the distance is {number(high)}, margin {case.margin!r}",
            )
        (d,) = world.distances(t)
        if Fraction(d.lower) > max(high, Fraction(0)) + slack:
            yield "lower", f"distances({t!r}): lower {d.lower!r}, but the distance is {number(high)}"
        if max(Fraction(d.distance), Fraction(0)) < low - slack:
            yield "upper", f"distances({t!r}): {d.distance!r}, but the distance is {number(low)}"


def bounds(case: Case) -> Iterator[Fault]:
    """Poses, path lengths and displacements of the bodies that slide along an axis."""
    if case.family not in ("slab", "passing"):
        return
    for body in (case.a, case.b):
        if body.mover.robot is None and body.mover.times:
            yield from bound_faults(case, body)


def bound_faults(case: Case, body: Body) -> Iterator[Fault]:
    motion, path = body.motion, body.mover.path
    axis = sliding_axis(body)
    times = instants(case)
    for t, X in zip(times, motion.pose(times), strict=True):
        off = abs(Fraction(float(X[axis, 3])) - path.at(float(t)))
        if off > Fraction(10 * rounding(case)):
            yield "pose", f"{body.mover.interpolation} pose({t!r}) is {number(off)} off"
    spans = list(pairwise(times))
    for s, e in ((times[0], times[-1]), *spans[:: max(len(spans) // 4, 1)]):
        far, length = farthest(path, float(s), float(e)), path.length(float(s), float(e))
        for name, found, least in (
            ("path_length", motion.path_length(body.shape, s, e), length),
            ("displacement", motion.displacement(body.shape, s, e), far),
        ):
            if Fraction(found) < least and least > UNDERFLOW:
                yield "bounds", f"{name} from {s!r} to {e!r} is {found!r}, but the body moves {number(least)}"


def cubic(case: Case) -> Iterator[Fault]:
    """Cubic approximations of the bodies that slide along an axis, against their own certified error."""
    if case.family not in ("slab", "passing") or case.interval[0] == case.interval[1]:
        return
    for body in (case.a, case.b):
        if body.mover.robot is None and body.mover.times:
            approximation = body.motion.cubic(*case.interval, body.shape, 1e-6 * case.scale)
            axis = sliding_axis(body)
            for t in approximation_instants(approximation.times):
                off = abs(bernstein(approximation, axis, t) - body.mover.path.at(t))
                if off > Fraction(approximation.error):
                    yield "bounds", f"cubic: {number(off)} off at {number(t)}, error {approximation.error!r}"


def approximation_instants(times: Any) -> list[Fraction]:
    """A few instants of a few intervals, also between floats."""
    pairs = list(pairwise(Fraction(float(t)) for t in times))
    return [a + (b - a) * k / 3 for a, b in pairs[:: max(len(pairs) // 8, 1)] for k in (1, 2)]


def bernstein(approximation: Any, axis: int, t: Fraction) -> Fraction:
    """A coordinate of the origin under the approximation, exactly."""
    times = [Fraction(float(x)) for x in approximation.times]
    i = min(max(bisect.bisect_right(times, t) - 1, 0), len(times) - 2)
    s = (t - times[i]) / (times[i + 1] - times[i])
    c = [Fraction(float(x)) for x in approximation.control[i, :, axis, 3]]
    return sum((math.comb(3, k) * s**k * (1 - s) ** (3 - k) * c[k] for k in range(4)), Fraction(0))


def farthest(path: Any, s: float, e: float) -> Fraction:
    start, (low, high) = path.at(s), path.range(s, e)
    return max(high - start, start - low)


def sliding_axis(body: Body) -> int:
    """The axis of the world whose coordinate is the exact path."""
    first = [Fraction(float(x)) for x in body.motion.pose(body.mover.times[0])[:3, 3]]
    last = [body.motion.pose(t)[:3, 3] for t in body.mover.times]
    start = body.mover.path.at(body.mover.times[0])
    fits = [k for k in range(3) if first[k] == start]
    return max(fits, key=lambda k: float(np.ptp([row[k] for row in last])))


FUNCTIONS: dict[str, Check] = {
    "first_contact hybrid": pairs.hybrid,
    "first_contact bisection": pairs.bisection,
    "first_contact exact": pairs.exact,
    "first_contact narrowed": pairs.narrowed,
    "first_contact budget": pairs.limited,
    "first_contact_batch": pairs.batch,
    "clearance": pairs.clearance,
    "World.verify": verify,
    "World.verify all": verify_all,
    "World.verify beside": verify_beside,
    "World.first_contact": world_first_contact,
    "World at instants": at_instants,
    "motion bounds": bounds,
    "motion.cubic": cubic,
}
