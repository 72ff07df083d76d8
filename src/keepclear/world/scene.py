"""What a page shows of a world: all shapes, and where they are at some instants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.extent import shape_of
from keepclear.report.report import PairReport
from keepclear.report.scene import Scene, SceneBody
from keepclear.scene.timeline import Timeline, rests

FRAMES = 240


def make_scene(timeline: Timeline, t0: float, t1: float, pairs: Sequence[PairReport]) -> Scene:
    """Return all bodies at evenly spread instants, at waypoints, and where pairs meet or are closest."""
    moments = [t for pair in pairs for t in (pair.time, pair.clearance_time) if t is not None]
    moments += [contact.time for pair in pairs for contact in pair.contacts]
    grid = np.linspace(t0, t1, FRAMES + 1) if t1 > t0 else np.array([t0])
    knots = _knots(timeline)
    if len(knots) > FRAMES:  # a dense program is sampled, not shown knot by knot
        knots = knots[:0]
    changes = [t for i in range(len(timeline.items)) for t in timeline.changes(i)]
    times = np.unique(np.concatenate([grid, knots, moments, changes]))
    return scene_at(timeline, times[(times >= t0) & (times <= t1)])


def scene_at(timeline: Timeline, times: FloatArray) -> Scene:
    """Return all bodies at some instants."""
    bodies = []
    for i, item in enumerate(timeline.items):
        for p, part in enumerate(item.parts):
            bodies.append(SceneBody(item.name, shape_of(part.body), _poses(timeline, i, p, times)))
    return Scene(times, tuple(bodies))


def _knots(timeline: Timeline) -> FloatArray:
    """Return the knots of all motions, each once."""
    found: dict[int, FloatArray] = {}
    for i in range(len(timeline.items)):
        for k in range(len(timeline.parent_frames[i])):
            motion = timeline.motion(i, 0, k)
            found[id(motion)] = np.asarray(motion.knots)
    return np.unique(np.concatenate([np.empty(0), *found.values()]))


def _poses(timeline: Timeline, i: int, p: int, times: FloatArray) -> FloatArray:
    """Return the poses of a part at the given times, or one where it never moves."""
    if len(timeline.parent_frames[i]) == 1:
        motion = timeline.motion(i, p, 0)
        still = rests(motion, float(times[0]), float(times[-1]))
        return np.asarray(motion.pose(times[:1] if still else times))
    return np.stack([timeline.motion(i, p, timeline.parent_index(i, t)).pose(t) for t in times.tolist()])
