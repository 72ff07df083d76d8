"""The distance of two moving bodies of several parts, tracked from frame to frame."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.exclusive import one_call
from keepclear.geometry.bodies.body import Body, as_body
from keepclear.query.instant.compound import nearest_parts
from keepclear.query.track.tracker import Tracker, TrackerStatistics
from keepclear.query.track.transitions import TrackerState, checked_thresholds
from keepclear.results import Distance


class CompoundTracker(Tracker):
    """Tracks the closest points of two bodies of which at least one has several parts; `kc.Tracker` returns it.

    Each pair of parts that comes near has its own tracker.
    """

    def __init__(self, a: Any, b: Any, **options: Any) -> None:
        self._thresholds = checked_thresholds(**options)
        self._a, self._b = as_body(a), as_body(b)  # type: ignore[assignment]
        self._trackers: dict[tuple[int, int], Tracker] = {}
        self._frames, self._in_contact = 0, False

    @property
    def state(self) -> TrackerState:
        """HULLS or CONTACT, after the last frame; hulls of parts are released by the trackers of parts."""
        return TrackerState.CONTACT if self._in_contact else TrackerState.HULLS

    @one_call
    def reset(self) -> None:
        """Discard the last frame; the next query starts cold."""
        self._in_contact = False
        for tracker in self._trackers.values():
            tracker.reset()

    def _work(self) -> TrackerStatistics:
        """Return the sum of the work of all trackers of pairs of parts; `frames` counts those of the whole bodies."""
        each = [TrackerStatistics(), *(tracker.statistics for tracker in list(self._trackers.values()))]
        counts = [sum(values) for values in zip(*map(astuple, each), strict=True)]
        return TrackerStatistics(self._frames, *counts[1:])

    @one_call
    def distance(
        self,
        X_WA: npt.ArrayLike,
        X_WB: npt.ArrayLike,
        t: npt.ArrayLike | None = None,  # noqa: ARG002
        *,
        exact: bool = True,  # noqa: ARG002
        enough: float | None = None,  # noqa: ARG002
    ) -> Distance:
        """Return the distance at one pair of poses, or at n frames in their order; always exact."""
        one, other = cast(Body, self._a), cast(Body, self._b)
        answer = nearest_parts(one, X_WA, other, X_WB, self._ask)
        self._frames += 1 if answer._rows.ndim == 1 else len(answer)
        if answer._rows.size:
            self._in_contact = bool(np.ravel(answer.colliding)[-1])
        return answer

    def _ask(self, p: int, q: int, X_WP: FloatArray, X_WQ: FloatArray) -> Distance:
        tracker = self._trackers.get((p, q))
        if tracker is None:
            bodies = cast(Body, self._a).parts[p].body, cast(Body, self._b).parts[q].body
            tracker = self._trackers[p, q] = Tracker(*bodies)
        return tracker.distance(X_WP, X_WQ)
