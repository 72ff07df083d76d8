"""Queries in local time, for those that absolute times leave open.

Absolute times have about 16 digits. A body that crosses the scene between two neighbouring float64 numbers, or within a
few of them, is nowhere in between in float64. There the interval is split at the knots of both motions, each step
between two of them gets one unit of time (`motion/local_time`), and the query is repeated.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from keepclear.checks import FloatArray
from keepclear.motion.local_time import LocalMotion
from keepclear.query.moving.question import Query
from keepclear.query.moving.results import FirstContact, changed
from keepclear.results import Verdict

# Greatest number of steps of one query: more would leave fewer digits for the time within a step.
AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class LocalQuery:
    """A part of a query, in local time.

    Attributes:
        query: The query, whose times are numbers of steps.
        times: (n + 1,) the ends of the steps [s].
    """

    query: Query
    times: FloatArray

    def bracket(self, u: float) -> tuple[float, float, float]:
        """Return float64 times before, at and after the instant u: the first is never late, the last never early."""
        k = min(int(u), len(self.times) - 2)
        begin, end = float(self.times[k]), float(self.times[k + 1])
        share = min(max(u - k, 0.0), 1.0)
        if share == 0.0 or begin == end:
            return begin, begin, begin
        if share == 1.0:
            return end, end, end
        near = min(max(begin + share * (end - begin), begin), end)
        before, after = math.nextafter(near, -math.inf), math.nextafter(near, math.inf)
        return max(before, begin), near, min(after, end)


def local_queries(query: Query) -> Iterator[LocalQuery]:
    """Yield the parts of a query in local time, in order; one instant is a step in which nothing moves."""
    inner = [k[(k > query.t0) & (k < query.t1)] for k in (query.motion_a.knots, query.motion_b.knots)]
    times = np.unique(np.concatenate([[query.t0, query.t1], *inner]))
    if len(times) == 1:
        times = np.array([query.t0, query.t1])
    for begin in range(0, len(times) - 1, AT_ONCE):
        some = times[begin : begin + AT_ONCE + 1]
        width = query.time_tolerance
        if width is not None:  # in steps, of which the longest must keep to it
            width = width / max(float(np.diff(some).max()), width)
        local = replace(
            query,
            motion_a=LocalMotion(query.motion_a, some),
            motion_b=LocalMotion(query.motion_b, some),
            t0=0.0,
            t1=float(len(some) - 1),
            time_tolerance=width,
        )
        yield LocalQuery(local, some)


def first_contact_locally(query: Query, answer: Callable[[Query], FirstContact]) -> FirstContact:
    """Return the first contact of a query that is computed part by part in local time.

    Args:
        query: The query in absolute time.
        answer: Returns the result of a part.
    """
    effort, counts, found = 0, Counter[str](), None
    values: dict[str, Any] = {"t_lo": query.t1, "t_hi": query.t1}
    for part in local_queries(query):
        left = None if query.budget is None else query.budget - effort
        if left is not None and left < 1:
            values = {"verdict": Verdict.UNDECIDED, "t_lo": float(part.times[0]), "t_hi": query.t1}
            break
        found = answer(replace(part.query, budget=left))
        effort += found.evaluations
        counts.update(found.counts)
        if found.verdict is not Verdict.CLEAR:
            t_lo, t_hi = part.bracket(found.t_lo)[0], part.bracket(found.t_hi)[2]
            values = {"t_lo": t_lo, "t_hi": t_hi}
            if found.verdict is Verdict.COLLIDING:
                values["time"] = min(max(part.bracket(found.time)[1], t_lo), t_hi)
                if found.t_hi == found.time:  # contact is not proved anywhere
                    values["t_hi"] = values["time"]
            elif found.t_hi >= part.query.t1:
                values["t_hi"] = query.t1
            break
    assert found is not None  # there is at least one part
    return changed(found, **query.facts(), evaluations=effort, counts=dict(counts), **values)
