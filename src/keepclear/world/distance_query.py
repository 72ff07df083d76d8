"""Distances of two parts of a world at one instant, including motions that are not rigid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.evaluation import Evaluator
from keepclear.continuous.extent import extent_of
from keepclear.continuous.query import checked_query, finest_tolerance
from keepclear.motions.motion import Motion, head_of
from keepclear.motions.row import MOTION_TABLE
from keepclear.proximity.body import Geometry
from keepclear.proximity.collide import collide
from keepclear.proximity.distance import distance
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
    motions = _motion(timeline, a, t), _motion(timeline, b, t)
    if any(head_of(motion).affine for motion in motions):
        # harmless: bounds hold for any tolerance, or it is refused
        tolerance = max(TOLERANCE, finest_tolerance(bodies, motions))
        query = checked_query(bodies[0], motions[0], bodies[1], motions[1], tolerance=tolerance, t0=t, t1=t)
        sample = Evaluator(query).at(t)
        lower, upper, value, found = sample.lower, sample.upper, max(0.0, sample.upper), sample.answer
    else:
        poses, slack = _rounded_poses(bodies, motions, t)
        found = distance(bodies[0], poses[0], bodies[1], poses[1])
        value = float(found.distance)
        lower, upper = float(found.lower) - slack, float(found.upper) + slack
        # harmless (>): bounds of 0 and below prove nothing
        if slack > 0.0 and lower <= 0.0 < value:
            lower = 0.0
    points = (np.asarray(p) for p in (found.p_WA, found.p_WB, found.normal_W))
    return DistanceSample(lower, upper, value, *points)


def within(timeline: Timeline, a: tuple[int, int], b: tuple[int, int], t: float, margin: float) -> bool:
    """Return whether two parts are in contact or within a margin at an instant; rounded poses are no proof of a gap."""
    motions = _motion(timeline, a, t), _motion(timeline, b, t)
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


def _motion(timeline: Timeline, which: tuple[int, int], t: float) -> Motion:
    """Return the motion of a part (item, part) at an instant."""
    return timeline.motion(*which, timeline.parent_index(which[0], t))
