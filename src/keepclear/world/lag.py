"""Margins that grow with speed: who is early or late on a path is off by that time times the speed."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from keepclear.continuous.relative_way import WORLD_FRAME
from keepclear.kernels.relative_way import ways
from keepclear.motions.motion import Motion
from keepclear.shapes.arguments import FloatArray
from keepclear.world.items import Part
from keepclear.world.rules import PathTolerance, Rules
from keepclear.world.timeline import Timeline, rests

# A window is divided into so many parts, in each of which the margin is constant; speeds are bounded in spans between
# the knots of a motion, of which there are at least so many.
PARTS, SPANS = 48, 192
_UP = np.array([0.0, 0.0, 1.0])


def tolerance_of(timeline: Timeline, rules: Rules, i: int) -> PathTolerance:
    """Return how well an item keeps to its path: as was said of it, and of any link that ever carries it."""
    names = [timeline.items[i].name]
    for carrier in timeline.carriers[i]:
        if carrier.robot is not None:
            names.append(f"{carrier.robot.name}/{carrier.robot.robot.link_names[carrier.link]}")
    found = [rules.path_tolerance(name) for name in names]
    return PathTolerance(max(f.distance for f in found), max(f.time for f in found))


def late(
    timeline: Timeline, i: int, j: int, tolerances: tuple[PathTolerance, PathTolerance], t0: float, t1: float
) -> list[tuple[float, float, float]]:
    """Divide a window in which carriers do not change; return the parts, and how far the two may be off in each [m].

    Two links of one robot are late together: what counts is how fast they move relative to each other.
    """
    lags = tolerances[0].time, tolerances[1].time
    one, other = timeline.carriers[i][timeline.carrier(i, t0)], timeline.carriers[j][timeline.carrier(j, t0)]
    if one.robot is not None and one.robot is other.robot:
        moving = [
            (timeline.seen((i, p), (j, q), t0).motion_b, timeline.items[j].parts[q], max(lags), 0, one.window)
            for p in range(len(timeline.items[i].parts))
            for q in range(len(timeline.items[j].parts))
        ]
    else:
        moving = [
            (timeline.motion(k, p, c), part, lag, side, timeline.carriers[k][c].window)
            for side, (k, lag) in enumerate(zip((i, j), lags, strict=True)) if lag > 0.0
            for c in range(len(timeline.carriers[k]))
            for p, part in enumerate(timeline.items[k].parts)
        ]  # fmt: skip
    # What carries a body counts only while it does.
    speeds = [
        (fastest(motion, part, max(t0 - lag, window[0]), min(t1 + lag, window[1])), lag, side)
        for motion, part, lag, side, window in moving
    ]
    found = []
    for begin, end in itertools.pairwise(np.linspace(t0, t1, PARTS + 1).tolist() if t0 < t1 else [t0, t1]):
        off = [0.0, 0.0]
        for speed, lag, side in speeds:
            off[side] = max(off[side], lag * speed.during(begin - lag, end + lag))
        found.append((begin, end, sum(off)))
    return found


class Speeds(NamedTuple):
    """Bounds of the speed of a body in spans of time: the ends of the spans (n + 1,), and the bounds (n,)."""

    times: FloatArray
    bounds: FloatArray

    def during(self, t0: float, t1: float) -> float:
        """Return the largest speed from t0 to t1 [m/s]."""
        first = max(int(np.searchsorted(self.times, t0, side="right")) - 1, 0)
        last = int(np.searchsorted(self.times, t1, side="left"))
        return float(self.bounds[first:last].max(initial=0.0))


def fastest(motion: Motion, part: Part, t0: float, t1: float) -> Speeds:
    """Return bounds of the speed of a part's points from t0 to t1, at most a little too large."""
    t0, t1 = max(t0, motion.t_start), min(t1, motion.t_end)
    if t0 >= t1 or rests(motion, t0, t1):
        return Speeds(np.array([0.0, 0.0]), np.zeros(1))
    knots = np.asarray(motion.knots)
    times = np.unique(np.concatenate([np.linspace(t0, t1, SPANS + 1), knots[(knots > t0) & (knots < t1)]]))
    out = np.empty((len(times) - 1, 3))
    ways(WORLD_FRAME, motion._packed, part.around, times, _UP, out.reshape(-1))
    # The way in a step of half length h is (2 v + h K) h, with v the speed in the middle; the largest speed is v + h K.
    return Speeds(times, out[:, 0] / (0.5 * np.diff(times)) - out[:, 1])
