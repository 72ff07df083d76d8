"""Distances of parts of a world at instants, including motions that are not rigid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.bounds import extent_of
from keepclear.motion.motion import MOTION_TABLE, Motion, head_of
from keepclear.query.instant.collide import collide
from keepclear.query.instant.distance import distance
from keepclear.query.moving.evaluation import Evaluator
from keepclear.query.moving.question import checked_query, finest_tolerance
from keepclear.query.moving.samples import PairSamples, Sampled
from keepclear.scene.timeline import Timeline, part_of

TOLERANCE = 1e-6  # [m], for a body that a cubic motion deforms


class DistanceSample(NamedTuple):
    """Bounds of a distance at an instant, the value between them, and the closest points [m]."""

    lower: float
    upper: float
    distance: float
    p_WA: FloatArray
    p_WB: FloatArray
    normal_W: FloatArray


def query_distance(timeline: Timeline, a: tuple[int, int], b: tuple[int, int], t: float) -> DistanceSample:
    """Return the distance of two parts (item, part) at an instant."""
    bodies = part_of(timeline.items, a).body, part_of(timeline.items, b).body
    motions = motion_at(timeline, a, t), motion_at(timeline, b, t)
    if not any(head_of(motion).affine for motion in motions):
        poses, slack = _rounded_poses(bodies, motions, t)
        return _sample(distance(bodies[0], poses[0], bodies[1], poses[1])._rows, slack)
    # harmless: bounds hold for any tolerance, or it is refused
    tolerance = max(TOLERANCE, finest_tolerance(bodies, motions))
    query = checked_query(bodies[0], motions[0], bodies[1], motions[1], tolerance=tolerance, t0=t, t1=t)
    sample = Evaluator(query).at(t)
    points = (np.asarray(p) for p in (sample.answer.p_WA, sample.answer.p_WB, sample.answer.normal_W))
    return DistanceSample(sample.lower, sample.upper, max(0.0, sample.upper), *points)


def _sample(row: FloatArray, slack: float) -> DistanceSample:
    """Return a result of `gjk`, with bounds for points that may be this far from where they were compared [m]."""
    value, lower, upper = row[:3].tolist()
    lower -= slack
    # harmless (>): bounds of 0 and below prove nothing
    if slack > 0.0 and lower <= 0.0 < value:
        lower = 0.0
    return DistanceSample(lower, upper + slack, value, row[3:6], row[6:9], row[9:12])


def query_distances(
    timeline: Timeline, asked: Sequence[tuple[tuple[int, int], tuple[int, int], float]]
) -> list[DistanceSample]:
    """Return the distances of pairs of parts, each at its instant; those of rigid bodies in one kernel call.

    Meshes that intersect get no common point.
    """
    found: dict[int, DistanceSample] = {}
    rigid: dict[int, Sampled] = {}
    for k, (a, b, t) in enumerate(asked):
        motions = motion_at(timeline, a, t), motion_at(timeline, b, t)
        if any(head_of(motion).affine for motion in motions):
            found[k] = query_distance(timeline, a, b, t)
        else:
            bodies = part_of(timeline.items, a).body, part_of(timeline.items, b).body
            rigid[k] = Sampled(bodies[0], motions[0], bodies[1], motions[1])
    if rigid:
        times = [np.array([asked[k][2]]) for k in rigid]
        rows = PairSamples(list(rigid.values())).rows(times)
        for (k, pair), at, (row,) in zip(rigid.items(), times, rows, strict=True):
            slack = _slack(pair.motion_a, at, pair.body_a) + _slack(pair.motion_b, at, pair.body_b)
            found[k] = _sample(row, slack)
    return [found[k] for k in range(len(asked))]


def _slack(motion: Motion | None, t: FloatArray, body: Geometry) -> float:
    """Return how far points of a body may be from true ones by a pose of its rigid motion [m]."""
    assert motion is not None
    X_W = (
        np.empty((0, 4, 4)) if motion._is_packed else motion.pose(t)
    )  # the rounding of others depends on their poses
    return MOTION_TABLE[motion].slack(motion, X_W, extent_of(body))


class ItemDistances:
    """Distances of two items at instants: those of all parts and instants in one kernel call.

    Attributes:
        pairs: All pairs of their parts.
        queries: The number of distance queries so far, counted by those who ask.
    """

    def __init__(self, timeline: Timeline, i: int, j: int) -> None:
        self.timeline, self.queries = timeline, 0
        parts = ([(k, p) for p in range(len(timeline.items[k].parts))] for k in (i, j))
        self.pairs = list(product(*parts))
        bodies = [[part_of(timeline.items, which).body for which in pair] for pair in self.pairs]
        self._samples = PairSamples([Sampled(a, None, b, None) for a, b in bodies])

    def bounds(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return certified bounds of the distances at instants, (n,) each [m]."""
        timeline, instants = self.timeline, times.tolist()
        motions = [[motion_at(timeline, which, t) for which in self.pairs[0]] for t in instants]
        if any(head_of(motion).affine for both in motions for motion in both):
            found = [[query_distance(timeline, a, b, t) for a, b in self.pairs] for t in instants]
            lower = np.array([[one.lower for one in some] for some in found])
            return lower.min(axis=1), np.array([[one.upper for one in some] for some in found]).min(axis=1)
        placed = {which: self._placed(which, times) for which in {one for pair in self.pairs for one in pair}}
        X_WA, X_WB = ([placed[pair[side]][0] for pair in self.pairs] for side in (0, 1))
        least = np.full((2, len(times)), np.inf)
        rows = self._samples.rows([times] * len(self.pairs), X_WA, X_WB)
        for (a, b), row in zip(self.pairs, rows, strict=True):
            slack = placed[a][1] + placed[b][1]
            lower = row[:, 1] - slack
            lower[(slack > 0.0) & (lower <= 0.0) & (row[:, 0] > 0.0)] = 0.0
            least = np.minimum(least, (lower, row[:, 2] + slack))
        return least[0], least[1]

    def _placed(self, which: tuple[int, int], times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the poses of a part at instants, and how far its points may be from true ones, (n,) [m]."""
        X_W = self.timeline.poses(*which, times)
        extent = extent_of(part_of(self.timeline.items, which).body)
        motions = [motion_at(self.timeline, which, t) for t in times.tolist()]
        slacks = [MOTION_TABLE[one].slack(one, X_W[k : k + 1], extent) for k, one in enumerate(motions)]
        return X_W, np.array(slacks)


def within(timeline: Timeline, a: tuple[int, int], b: tuple[int, int], t: float, margin: float) -> bool:
    """Return whether two parts are in contact or within a margin at an instant; rounded poses are no proof of a gap."""
    motions = motion_at(timeline, a, t), motion_at(timeline, b, t)
    if margin > 0.0 or any(head_of(motion).affine for motion in motions):
        return query_distance(timeline, a, b, t).lower <= margin
    bodies = part_of(timeline.items, a).body, part_of(timeline.items, b).body
    poses, slack = _rounded_poses(bodies, motions, t)
    if collide(bodies[0], poses[0], bodies[1], poses[1]).colliding:
        return True
    return slack > 0.0 and query_distance(timeline, a, b, t).lower <= 0.0


def _rounded_poses(
    bodies: tuple[Geometry, Geometry], motions: tuple[Motion, Motion], t: float
) -> tuple[list[FloatArray], float]:
    """Return the poses of two rigid bodies at an instant, and how far their points may be from true ones, added [m]."""
    poses = [motion.pose(t) for motion in motions]
    slacks = [
        MOTION_TABLE[motion].slack(motion, X[None], extent_of(body))
        for motion, X, body in zip(motions, poses, bodies, strict=True)
    ]
    return poses, sum(slacks)


def motion_at(timeline: Timeline, which: tuple[int, int], t: float) -> Motion:
    """Return the motion of a part (item, part) at an instant."""
    return timeline.motion(*which, timeline.parent_index(which[0], t))
