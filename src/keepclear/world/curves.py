"""The distance of two items over time, between certified bounds."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from keepclear.continuous.clearance import profile_of
from keepclear.continuous.results import Profile
from keepclear.report.report import Curve
from keepclear.shapes.arguments import FloatArray
from keepclear.world.judge import Job, job_query
from keepclear.world.timeline import Timeline

if TYPE_CHECKING:
    from keepclear.world.verify import Task

# Between instants a curve's lower bound is brought this close to the values there, or to the tolerance if that is more.
CLOSE = 2e-3  # [m]


def curve_of(timeline: Timeline, i: int, j: int, task: Task, extra: Sequence[float]) -> Curve | None:
    """Return the distance of two items over the whole interval, or None where that is one instant."""
    if task.t0 >= task.t1:
        return None
    changes = [t for t in (*timeline.changes(i), *timeline.changes(j)) if task.t0 < t < task.t1]
    grid = np.linspace(task.t0, task.t1, max(task.curves, 2))
    times = np.unique(np.concatenate([grid, changes, [t for t in extra if task.t0 <= t <= task.t1]]))
    cuts = [task.t0, *sorted(set(changes)), task.t1]
    lower, upper, between = (
        np.full(len(times), np.inf),
        np.full(len(times), np.inf),
        np.full(len(times) - 1, np.inf),
    )
    for begin, end in itertools.pairwise(cuts):
        first, last = np.searchsorted(times, [begin, end])
        for p in range(len(timeline.items[i].parts)):
            for q in range(len(timeline.items[j].parts)):
                job = Job(0, (i, p), (j, q), begin, end, 0.0)
                found = _profile(timeline, job, times[first : last + 1], max(CLOSE, task.tolerance))
                lower[first : last + 1] = np.minimum(lower[first : last + 1], found.lower)
                upper[first : last + 1] = np.minimum(upper[first : last + 1], found.upper)
                between[first:last] = np.minimum(between[first:last], found.lower_between)
    return Curve(
        times=tuple(times.tolist()), lower=tuple(lower.tolist()), upper=tuple(upper.tolist()),
        lower_between=tuple(between.tolist()),
    )  # fmt: skip


def _profile(timeline: Timeline, job: Job, times: FloatArray, tolerance: float) -> Profile:
    query, _ = job_query(job, timeline, tolerance, None)
    return profile_of(query, times)
