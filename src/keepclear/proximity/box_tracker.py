"""The distance of two moving bodies on box trees, tracked from frame to frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import checked_flag, checked_length
from keepclear.exclusive import one_call
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import obb_pair
from keepclear.proximity.body import Geometry, as_geometry, shape_of
from keepclear.proximity.mesh_distance import BoxNearest
from keepclear.proximity.tracker import Tracker, TrackerStatistics
from keepclear.proximity.tracking import TrackerState, checked_thresholds
from keepclear.results import Distance

__all__ = ["BoxTracker"]


class BoxTracker(Tracker):
    """Tracks the closest points of bodies on box trees; `kc.Tracker` makes it.

    Each frame starts with the closest triangles of the last one; their distance is an upper bound that prunes most
    pairs of boxes. Nothing else is kept.
    """

    def __init__(self, a: Geometry, b: Geometry, **options: Any) -> None:
        self._thresholds = checked_thresholds(**options)
        self._a, self._b = as_geometry(a), as_geometry(b)
        self._search = BoxNearest(self._a, self._b)
        self._frames = self._contacts = self._boxes = 0
        self._in_contact = False

    @one_call
    def reset(self) -> None:
        """Discard the last frame; the next query starts cold."""
        self._search.reset()
        self._in_contact = False

    @property
    def statistics(self) -> TrackerStatistics:
        """What the tracker has done since it was made: iterations are pairs of boxes, vertices pairs of triangles."""
        counts = self._search.counts
        return TrackerStatistics(
            frames=self._frames,
            iterations=self._boxes,
            vertices=int(counts[obb_pair.LEAF_PAIRS]),
            fallbacks=int(counts[obb_pair.EXACT_PAIRS]),
            penetrations=self._contacts,
        )

    def _counts(self) -> tuple[int, ...]:
        return self._frames, self._contacts, self._boxes, *self._search.counts.tolist()

    def _count_from(self, counts: tuple[int, ...]) -> None:
        self._frames, self._contacts, self._boxes = counts[:3]
        self._search.counts[:] = counts[3:]

    @property
    def state(self) -> TrackerState:
        """OPEN_AB or CONTACT, after the last frame: boxes are searched without hulls."""
        return TrackerState.CONTACT if self._in_contact else TrackerState.OPEN_AB

    @one_call
    def distance(
        self,
        X_WA: npt.ArrayLike,
        X_WB: npt.ArrayLike,
        t: npt.ArrayLike | None = None,  # noqa: ARG002
        *,
        exact: bool = True,
        enough: float | None = None,
    ) -> Distance:
        """Return the distance at one pair of poses, or at n frames in their order; it is always exact."""
        checked_flag("exact", exact)
        if enough is not None:
            checked_length("enough", enough)
        search = self._search
        rows, poses_a, scales, poses_b, single = search.checked(X_WA, X_WB)
        search.run(poses_a, scales, poses_b, rows, 0, len(rows), tracked=True)
        search.finish(rows, poses_a, poses_b)
        answer = Distance(
            rows[0] if single else rows, (shape_of(self._a).is_solid, shape_of(self._b).is_solid)
        )
        self._frames += len(rows)
        self._boxes += int(np.sum(answer.iterations))
        self._contacts += int(np.count_nonzero(answer.colliding))
        if len(rows):
            self._in_contact = not rows[-1, gjk.LOWER] > 0.0
        return answer
