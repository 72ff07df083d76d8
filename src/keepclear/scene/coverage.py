"""The span of time that the motions of a world cover."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

from keepclear.errors import TrajectoryError
from keepclear.geometry.bodies.bounds import extent_of
from keepclear.query.moving.question import checked_deviation
from keepclear.scene.items import WorldObject, WorldRobot
from keepclear.scene.rules import Window
from keepclear.scene.timeline import Timeline


def span_of(objects: Iterable[WorldObject | WorldRobot]) -> Window:
    """Return when the first motion begins and the last one ends; 0 and 0 if nothing moves [s]."""
    spans = []
    for found in objects:
        motion = found.program if isinstance(found, WorldRobot) else found.motion
        if motion is not None and math.isfinite(motion.t_start) and motion.t_end > motion.t_start:
            spans.append((motion.t_start, motion.t_end))
    return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else (0.0, 0.0)


def check_covered(timeline: Timeline, t0: float, t1: float) -> None:
    """Raise unless every motion covers the time in which it moves its body, and keeps it rigid enough."""
    for i, item in enumerate(timeline.items):
        for k, parent in enumerate(timeline.parent_frames[i]):
            start, end = max(t0, parent.window[0]), min(t1, parent.window[1])
            motion = timeline.motion(i, 0, k)
            if start > end:
                continue
            for p, part in enumerate(item.parts):
                name = partial(repr, item.name)
                checked_deviation(timeline.motion(i, p, k), extent_of(part.body), name)
            if motion.hold != "both":
                for t in (start, end):
                    try:
                        motion._check_time(t)
                    except TrajectoryError as error:
                        raise TrajectoryError(f"{item.name}: {error}") from None
