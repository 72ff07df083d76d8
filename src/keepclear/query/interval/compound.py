"""Bodies of several parts over an interval of time: the earliest contact and the minimum distance of their parts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import as_body, has_parts
from keepclear.geometry.bodies.bounds import ball_and_box, extent_of
from keepclear.motion.motion import shifted_motion
from keepclear.query.interval.first_contact import answer_query
from keepclear.query.moving.evaluation import Evaluator
from keepclear.query.moving.question import Query, as_motion, checked_query
from keepclear.query.moving.results import Clearance, FirstContact, Profile
from keepclear.results import Verdict

LIKELY = (
    9  # instants at which pairs of parts are compared by their balls; the closest pairs are searched first
)


def answer_case(
    a: Any, motion_a: Any, b: Any, motion_b: Any, method: str, samples: int, **options: Any
) -> FirstContact:
    """Return the first contact of two bodies, which may be compounds."""
    if has_parts(a, b):
        return compound_first_contact(part_queries(a, motion_a, b, motion_b, **options), method, samples)
    return answer_query(checked_query(a, motion_a, b, motion_b, **options), method, samples)


class PartQuery(NamedTuple):
    """The query about two parts.

    Attributes:
        query: The query, with the motions of the parts.
        numbers: The parts of A and B; -1 for a body that is not a compound.
        X_AP: Pose of the part of A in A, (4, 4).
        X_BQ: Pose of the part of B in B.
        hint: A time at which the two are likely to be near each other [s].
    """

    query: Query
    numbers: tuple[int, int]
    X_AP: FloatArray
    X_BQ: FloatArray
    hint: float


def part_queries(a: object, motion_a: object, b: object, motion_b: object, **options: Any) -> list[PartQuery]:
    """Return the queries about all pairs of parts; those that come closest at some instants are first.

    Raises:
        ArgumentError: An argument is invalid.
        TrajectoryError: A motion does not cover the interval, or deforms a part too much.
    """
    bodies = as_body(a), as_body(b)
    motions = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    moving = [
        [(part, shifted_motion(motion, part.X_OP, extent_of(part.body))) for part in body.parts]
        for body, motion in zip(bodies, motions, strict=True)
    ]
    found = []
    gaps = []
    for p, (part, motion) in enumerate(moving[0]):
        for q, (other, other_motion) in enumerate(moving[1]):
            query = checked_query(part.body, motion, other.body, other_motion, **options)
            gap, hint = _likely(query)
            numbers = p if bodies[0].numbered else -1, q if bodies[1].numbered else -1
            found.append(PartQuery(query, numbers, part.X_OP, other.X_OP, hint))
            gaps.append(gap)
    return [found[k] for k in np.argsort(gaps, kind="stable").tolist()]


def _likely(query: Query) -> tuple[float, float]:
    """Return the minimum distance of balls around two bodies at some instants [m], and its time [s]."""
    times = np.linspace(query.t0, query.t1, LIKELY if query.t0 < query.t1 else 1)
    balls = ball_and_box(query.body_a), ball_and_box(query.body_b)
    centers = [
        X[:, :3, :3] @ ball[:3] + X[:, :3, 3]
        for X, ball in zip(
            (query.motion_a._poses_at(times), query.motion_b._poses_at(times)), balls, strict=True
        )
    ]
    gaps = np.linalg.norm(centers[1] - centers[0], axis=1) - balls[0][3] - balls[1][3]
    k = int(gaps.argmin())
    return float(gaps[k]), float(times[k])


def compound_first_contact(queries: Sequence[PartQuery], method: str, samples: int) -> FirstContact:
    """Return the earliest contact of all pairs of parts.

    Only what holds for every pair is proved: `t_lo` is the smallest of theirs. If the budget ends before all pairs are
    checked, nothing is known about the others, and the verdict is COLLIDING or UNDECIDED.
    """
    asked = queries[0].query
    counts: Counter[str] = Counter()
    contact: FirstContact | None = None
    which, answers, effort = queries[0], list[FirstContact](), 0
    t_lo, t_hi = math.inf, -math.inf
    for part in queries:
        query = part.query
        left = None if query.budget is None else query.budget - effort
        if left is not None and left < 1:
            t_lo, t_hi = query.t0, query.t1
            break
        query = replace(query, budget=left)
        if contact is not None and method != "sampling":  # which would sample other instants
            query.t1 = contact.time
        found = answer_query(query, method, samples)
        answers.append(found)
        effort += found.evaluations
        counts.update(found.counts)
        t_lo = min(t_lo, found.t_lo)
        if found.verdict is Verdict.UNDECIDED:
            t_hi = max(t_hi, found.t_hi)
        elif found.verdict is Verdict.COLLIDING and (contact is None or found.time < contact.time):
            contact, which = found, part
    facts: dict[str, Any] = {
        **asked.facts(), "deviation": max(sum(part.query.deviations) for part in queries), "evaluations": effort,
        "method": answers[0].method, "safe": answers[0].safe, "counts": dict(counts),
    }  # fmt: skip
    if contact is None:
        verdict = Verdict.CLEAR if t_hi == -math.inf else Verdict.UNDECIDED
        ends = (asked.t1, asked.t1) if verdict is Verdict.CLEAR else (t_lo, t_hi)
        return FirstContact(verdict=verdict, time=math.nan, t_lo=ends[0], t_hi=ends[1], **facts)
    assert contact.X_WA is not None
    assert contact.X_WB is not None
    facts["names"] = _names(which)
    return FirstContact(
        verdict=Verdict.COLLIDING,
        time=contact.time,
        t_lo=min(t_lo, contact.t_lo),
        t_hi=contact.t_hi,
        X_WA=contact.X_WA @ np.linalg.inv(which.X_AP),
        X_WB=contact.X_WB @ np.linalg.inv(which.X_BQ),
        p_W=contact.p_W,
        normal_W=contact.normal_W,
        distance=contact.distance,
        features=contact.features,
        parts=which.numbers,
        **facts,
    )


def _names(part: PartQuery) -> tuple[str, str]:
    """Return the names of the two bodies, with the numbers of their parts."""
    a, b = (
        name if k < 0 else f"{name} (part {k})"
        for name, k in zip(part.query.names, part.numbers, strict=True)
    )
    return a, b


def compound_clearance(queries: Sequence[PartQuery]) -> Clearance:
    """Return the minimum distance of two bodies, the smallest of those of their parts."""
    from keepclear.query.interval.clearance import least_below

    lower = upper = math.inf
    which, time, sample, effort = queries[0], queries[0].query.t0, None, 0
    for part in queries:
        query = part.query
        left = None if query.budget is None else query.budget - effort
        if left is not None and left < 1:
            lower = 0.0
            break
        found = least_below(replace(query, budget=left), upper, part.hint)
        effort += found.effort
        lower = min(lower, found.lower)
        # harmless (<): a larger upper bound
        if found.upper < upper:
            upper, time, sample, which = found.upper, found.time, found.sample, part
        if upper <= 0.0:
            break
    if sample is None:
        sample = Evaluator(replace(which.query, budget=None)).at(time)
        effort += 1
    asked = queries[0].query
    # harmless (min): a larger upper bound
    upper = max(0.0, min(upper, sample.upper))
    return Clearance(
        # harmless (max): a smaller lower bound
        lower=min(max(lower, 0.0), upper),
        upper=upper,
        time=time,
        p_WA=np.array(sample.answer.p_WA),
        p_WB=np.array(sample.answer.p_WB),
        parts=which.numbers,
        evaluations=effort,
        holds=asked.holds,
        deviation=max(sum(part.query.deviations) for part in queries),
        names=_names(which),
        _profile=partial(_profile, [part.query for part in queries]),
    )


def _profile(queries: Sequence[Query], times: FloatArray) -> Profile:
    """Return bounds of the minimum distance of all pairs of parts at given times and between them."""
    from keepclear.query.interval.clearance import profile_of

    each = [profile_of(query, times) for query in queries]
    return Profile(times, *(np.min([part[k] for part in each], axis=0) for k in (1, 2, 3)))
