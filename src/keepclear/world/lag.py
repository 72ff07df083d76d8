"""Margins that grow with speed: who is early or late on a path is off by that time times the speed."""

from __future__ import annotations

import itertools

import numpy as np

from keepclear.continuous.relative_way import WORLD_FRAME
from keepclear.kernels.relative_way import ways
from keepclear.motions.motion import Motion
from keepclear.shapes.arguments import FloatArray
from keepclear.world.items import Part
from keepclear.world.rules import PathTolerance, Rules
from keepclear.world.timeline import Timeline, rests

# A margin that grows with speed is constant on so many parts of each piece of a motion.
PARTS = 8
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
            (timeline.seen((i, p), (j, q), t0).motion_b, timeline.items[j].parts[q], max(lags), 0)
            for p in range(len(timeline.items[i].parts))
            for q in range(len(timeline.items[j].parts))
        ]
    else:
        moving = [
            (timeline.motion(k, p, c), part, lag, side)
            for side, (k, lag) in enumerate(zip((i, j), lags, strict=True)) if lag > 0.0
            for c in range(len(timeline.carriers[k]))
            for p, part in enumerate(timeline.items[k].parts)
        ]  # fmt: skip
    times = _divided([np.asarray(motion.knots) for motion, *_ in moving], t0, t1)
    found = []
    for begin, end in itertools.pairwise(times):
        off = [0.0, 0.0]
        for motion, part, lag, side in moving:
            off[side] = max(off[side], lag * fastest(motion, part, begin - lag, end + lag))
        found.append((begin, end, sum(off)))
    return found


def fastest(motion: Motion, part: Part, t0: float, t1: float) -> float:
    """Return a bound of the speed of a part's points from t0 to t1, at most a little too large [m/s]."""
    t0, t1 = max(t0, motion.t_start), min(t1, motion.t_end)
    if t0 >= t1 or rests(motion, t0, t1):
        return 0.0
    knots = np.asarray(motion.knots)
    times = np.unique(np.concatenate([np.linspace(t0, t1, 9), knots[(knots > t0) & (knots < t1)]]))
    out = np.empty((len(times) - 1, 3))
    ways(WORLD_FRAME, motion._packed, part.around, times, _UP, out.reshape(-1))
    # The way in a step of half length h is (2 v + h K) h, with v the speed in the middle; the largest speed is v + h K.
    half = 0.5 * np.diff(times)
    return float((out[:, 0] / half - out[:, 1]).max())


def _divided(knots: list[FloatArray], t0: float, t1: float) -> list[float]:
    """Return the ends of the parts of a window: pieces of motions, each divided evenly."""
    if t0 == t1:
        return [t0, t1]
    inner = np.unique(np.concatenate([np.array([t0, t1]), *knots]))
    inner = inner[(inner >= t0) & (inner <= t1)]
    fine = [np.linspace(begin, end, PARTS + 1)[:-1] for begin, end in itertools.pairwise(inner)]
    return [float(t) for t in np.unique(np.append(np.concatenate(fine), t1))]
