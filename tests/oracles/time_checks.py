"""Calls each continuous function for a case, and returns the errors of its result: a list of (kind, text)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from tests.oracles.time_bodies import POLYHEDRA
from tests.oracles.time_chaos import Case
from tests.oracles.time_truth import after, before

import keepclear as kc

Fault = tuple[str, str]  # kind (miss, alarm, undecided, early, witness, bounds, pose, loose), and the numbers
Check = Callable[[Case], Iterator[Fault]]
CLEAR, COLLIDING = kc.Verdict.CLEAR, kc.Verdict.COLLIDING


def number(x: Fraction | float) -> str:
    return repr(float(x))


def bracket_faults(
    case: Case, t_lo: float, time: float, t_hi: float, within: float = 0.0, since: float = -math.inf
) -> Iterator[Fault]:
    """What is wrong with the bracket of a contact; at a later t_hi the distance is at most margin + within.

    What happens before `since` is not checked.
    """
    t0, t1 = case.interval
    truth, limit = case.truth, Fraction(case.margin) + Fraction(case.tolerance) + case.slack
    if not t0 <= t_lo <= time <= t_hi <= t1:
        yield "bracket", f"{t0!r} <= {t_lo!r} <= {time!r} <= {t_hi!r} <= {t1!r} does not hold"
        return
    if t_lo > since and truth.overlaps_before(
        max(t0, since), t_lo, float(Fraction(case.margin) - case.slack)
    ):
        yield "early", f"in contact before t_lo = {t_lo!r}, which is {t_lo - t0!r} after the start"
    if truth.is_clear(before(time), after(time), limit):
        yield "witness", f"at {time!r} the distance is {number(truth.around(time)[0])}, limit {number(limit)}"
    if t_hi > after(time) and truth.is_clear(
        t0, after(t_hi), limit - Fraction(case.tolerance) + Fraction(within)
    ):
        yield "bracket", f"t_hi = {t_hi!r}, but there is no contact until there"


def verdict_faults(case: Case, verdict: Any) -> Iterator[Fault]:
    t0, t1 = case.interval
    least = case.truth.least(t0, t1)
    if verdict is CLEAR:
        if least[1] <= Fraction(case.margin) - case.slack:
            yield "miss", f"CLEAR, but the distance is {number(least[1])} and the margin {case.margin!r}"
    elif verdict is COLLIDING:
        limit = Fraction(case.margin) + Fraction(case.tolerance) + case.slack
        if least[0] > limit:
            yield (
                "alarm",
                f"COLLIDING, but the distance is at least {number(least[0])}, limit {number(limit)}",
            )
    else:
        yield "undecided", f"without a budget; the distance is {number(least[0])}, margin {case.margin!r}"


def contact_faults(case: Case, k: Any) -> Iterator[Fault]:
    """What is wrong with a `FirstContact`."""
    yield from verdict_faults(case, k.verdict)
    if k.verdict is COLLIDING:
        yield from bracket_faults(case, k.t_lo, k.time, k.t_hi)
        least = case.truth.around(k.time)[0] - case.slack
        if least > Fraction(rounding(case)) and not math.isnan(k.distance) and Fraction(k.distance) < least:
            yield "bounds", f"distance {k.distance!r} at {k.time!r}, where it is {number(least)}"
    elif k.verdict is CLEAR and k.t_lo != case.interval[1]:
        yield "bracket", f"CLEAR until {k.t_lo!r}, asked until {case.interval[1]!r}"


def rounding(case: Case) -> float:
    """What coordinates at an instant may be off by [m]."""
    return 1e-13 * case.scale


def bodies(case: Case) -> tuple[Any, Any, Any, Any]:
    return case.a.shape, case.a.motion, case.b.shape, case.b.motion


def settings(case: Case) -> dict[str, Any]:
    return {"tolerance": case.tolerance, "t0": case.t0, "t1": case.t1}


def asked(case: Case, method: str, **more: Any) -> Iterator[Fault]:
    k = kc.first_contact(*bodies(case), margin=case.margin, method=method, **settings(case), **more)  # type: ignore[arg-type]
    yield from contact_faults(case, k)


def hybrid(case: Case) -> Iterator[Fault]:
    yield from asked(case, "hybrid")


def bisection(case: Case) -> Iterator[Fault]:
    yield from asked(case, "bisection")


def narrowed(case: Case) -> Iterator[Fault]:
    """With a tolerance in time, which narrows the bracket."""
    t0, t1 = case.interval
    yield from asked(case, "hybrid", time_tolerance=max((t1 - t0) * 1e-6, 5e-324))


def exact(case: Case) -> Iterator[Fault]:
    """Polyhedra without a margin only."""
    if case.margin == 0.0 and {case.a.kind, case.b.kind} <= set(POLYHEDRA):
        yield from asked(case, "exact")


def batch(case: Case) -> Iterator[Fault]:
    """The pair both ways round, in one call."""
    a, move_a, b, move_b = bodies(case)
    cases = [(a, move_a, b, move_b), (b, move_b, a, move_a)]
    for k in kc.first_contact_batch(cases, margin=case.margin, threads=2, **settings(case)):
        yield from contact_faults(case, k)


def limited(case: Case) -> Iterator[Fault]:
    """With a small budget UNDECIDED is an answer, and what is proved until then must be true."""
    k = kc.first_contact(*bodies(case), margin=case.margin, budget=4, **settings(case))
    if k.verdict is not kc.Verdict.UNDECIDED:
        yield from contact_faults(case, k)
    elif case.truth.overlaps_before(case.interval[0], k.t_lo, float(Fraction(case.margin) - case.slack)):
        yield "early", f"in contact before t_lo = {k.t_lo!r} of an UNDECIDED answer"


def coarse(case: Case) -> float:
    """A tolerance for minimum distances, which need many steps past each other [m]."""
    return max(case.tolerance, 1e-5 * case.scale)


def clearance(case: Case) -> Iterator[Fault]:
    """The minimum distance and its profile."""
    t0, t1 = case.interval
    tolerance = coarse(case)
    m = kc.clearance(*bodies(case), tolerance=tolerance, t0=case.t0, t1=case.t1)
    yield from least_faults(case, m.lower, m.upper)
    if not m.upper - m.lower <= tolerance:
        yield "loose", f"bounds {m.lower!r} and {m.upper!r} are more than {tolerance!r} apart"
    if not t0 <= m.time <= t1:
        yield "bracket", f"time {m.time!r} is not in {(t0, t1)}"
    elif case.truth.around(m.time)[0] - case.slack > max(Fraction(m.upper), Fraction(rounding(case))):
        yield (
            "witness",
            f"at {m.time!r} the distance is {number(case.truth.around(m.time)[0])}, upper {m.upper!r}",
        )
    times = instants(case)
    if len(times) > 1:
        p = m.profile(times)
        yield from curve_faults(case, times, p.lower, p.upper, p.lower_between)


def least_faults(case: Case, lower: float, upper: float | None) -> Iterator[Fault]:
    """Bounds of the minimum distance, which is 0 in contact."""
    low, high = case.truth.least(*case.interval)
    if Fraction(lower) > max(high + case.slack, Fraction(0)):
        yield "lower", f"lower {lower!r}, but the distance is {number(high)}"
    if upper is not None and Fraction(upper) < low - case.slack:
        yield "upper", f"upper {upper!r}, but the distance is {number(low)}"


def curve_faults(case: Case, times: Any, lower: Any, upper: Any, between: Any) -> Iterator[Fault]:
    """Bounds at instants and between them. Rounding within an instant is left to the bounds themselves."""
    for k, t in enumerate(float(x) for x in times):
        low, high = case.truth.at(t)
        if Fraction(float(lower[k])) > max(high, Fraction(0)) + case.slack:
            yield "lower", f"profile: lower {lower[k]!r} at {t!r}, where the distance is {number(high)}"
        if Fraction(float(upper[k])) < low - case.slack:
            yield "upper", f"profile: upper {upper[k]!r} at {t!r}, where the distance is {number(low)}"
    for k, (s, e) in enumerate(pairwise(times)):
        high = max(case.truth.least(float(s), float(e))[1], Fraction(0)) + case.slack
        if Fraction(float(between[k])) > high:
            yield (
                "lower",
                f"profile: {between[k]!r} between {s!r} and {e!r}, but the distance is {number(high)}",
            )


def instants(case: Case) -> np.ndarray:
    """Knots, their neighbours and a few times in between, within the interval and in order."""
    t0, t1 = case.interval
    times = {t0, t1, t0 + (t1 - t0) / 3, t0 + (t1 - t0) * 0.77}
    for t in case.knots:
        times |= {before(t), t, after(t)}
    return np.array(sorted(t for t in times if t0 <= t <= t1))
