"""Intervals proved clear by a separating plane that neither body reaches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.kernels.motion import state as layout
from keepclear.query.moving.deformed import support_point
from keepclear.query.moving.evaluation import Evaluation, Evaluator
from keepclear.query.moving.question import Query
from keepclear.query.moving.relative_path_length import WORLD, RelativePathLength

# Rounding of products of a direction and a point, and of rotated directions [part of the size of the scene].
ROUNDING = 64.0 * 2.0**-53


class _Plane(NamedTuple):
    """A direction, in each body's frame and in the world, along which the bodies are a gap apart at some instant."""

    gap: float
    n_A: FloatArray
    n_B: FloatArray
    n_W: FloatArray


class Planes:
    """Proves intervals by the plane between the closest points at one of their ends.

    Relative to A, if all of B is at least g beyond the plane at one end, and no point of it moves towards the plane by
    more than c until the other, the distance stays at least g - c. Motion along the plane does not count. One end and
    its own direction: two ends with two directions would prove too much (docs/theory/time-of-contact).
    """

    def __init__(self, query: Query, evaluator: Evaluator, path_length: RelativePathLength) -> None:
        self._query, self._evaluator, self._path_length = query, evaluator, path_length
        self._shapes = shape_of(query.body_a), shape_of(query.body_b)
        self._planes: dict[float, _Plane | None] = {}

    def prove(self, first: Evaluation, last: Evaluation) -> bool:
        """Return whether a plane at one end proves the interval between two instants."""
        return self.prove_after(first, last.t) or self._prove_from(last, first.t, last.t, -1.0)

    def prove_after(self, first: Evaluation, t1: float) -> bool:
        """Return whether a plane at an instant proves the interval until t1."""
        return self._prove_from(first, first.t, t1, 1.0)

    def _prove_from(self, end: Evaluation, t0: float, t1: float, sign: float) -> bool:
        """Return whether one end proves an interval; from its last instant backwards, separation counts as approach."""
        if end.t not in self._planes:
            self._planes[end.t] = self._plane(end)
        plane = self._planes[end.t]
        if plane is None:
            return False
        slack = plane.gap - self._query.margin
        return (
            # harmless (slack): then nothing is proved
            self._path_length.moved_along(0, -sign * plane.n_A, t0, t1) < slack
            or self._path_length.moved_along(1, sign * plane.n_B, t0, t1) < slack
            # harmless (slack): then nothing is proved
            or self._path_length.moved_along(WORLD, sign * plane.n_W, t0, t1) < slack
        )

    def _plane(self, end: Evaluation) -> _Plane | None:
        """Return the plane perpendicular to the normal at an instant; None if a body reaches through it."""
        n = np.asarray(end.answer.normal_W)
        # harmless (self._query.margin): a plane with a smaller gap proves nothing
        if not end.lower > self._query.margin or not np.isfinite(n).all():
            return None
        X_WA, X_WB = self._evaluator.poses(end.t)
        p, q = support_point(self._shapes[0], X_WA, n), support_point(self._shapes[1], X_WB, -n)
        gap = float(n @ (q - p)) - (ROUNDING + 2.0 * layout.POSE_ROUNDING) * self._query.size
        # harmless (self._query.margin): a plane with a smaller gap proves nothing
        return _Plane(gap, n @ X_WA[:3, :3], n @ X_WB[:3, :3], n.copy()) if gap > self._query.margin else None
