"""The distance of two moving bodies of which at least one is a mesh, tracked from frame to frame."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from threading import get_ident
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_flag, checked_length
from keepclear.exclusive import in_use, one_call
from keepclear.geometry.bodies.body import Geometry, as_geometry, is_on_boxes, shape_of
from keepclear.geometry.pose import checked_poses
from keepclear.geometry.trees.trees import OBBTree
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.pose import project_poses
from keepclear.kernels.trees import hull_frames, obb_pair
from keepclear.query.batches import batch_size
from keepclear.query.instant.mesh_distance import BoxNearest, NearestSearch
from keepclear.query.track.mesh_states import HullSide, MeshStates
from keepclear.query.track.tracked_hulls import HullTask
from keepclear.query.track.tracker import Tracker, TrackerStatistics
from keepclear.query.track.transitions import (
    FRAME_TIME,
    Thresholds,
    TrackerEvent,
    TrackerState,
    checked_thresholds,
    frame_times,
    next_time,
)
from keepclear.results import Distance

MOST_WAITED = 64
"""Greatest number of frames before hulls are tried again for an exact result; each failure doubles the wait."""

FRAMES_BEFORE_HULLS = 16
"""Frames before hulls are built, which takes as long as a few hundred frames of large meshes."""

_ONE = np.ones(1)
_track: Callable[..., int] = hull_frames.track
_settle: Callable[..., int] = hull_frames.settle


class SearchTracker(Tracker):
    """Tracks closest points by a search in each frame, without hulls: of a mesh and a convex body, or on box trees.

    On box trees each frame starts with the closest triangles of the last one; their distance is an upper bound that
    prunes most pairs of boxes. Nothing else is kept.
    """

    def __init__(self, a: Geometry, b: Geometry, **options: Any) -> None:
        self._thresholds = checked_thresholds(**options)
        self._a, self._b = as_geometry(a), as_geometry(b)
        kind = BoxNearest if is_on_boxes(self._a, self._b) else NearestSearch
        self._search = kind(self._a, self._b)
        self._solid = shape_of(self._a).is_solid, shape_of(self._b).is_solid
        self._frames = self._contacts = self._boxes = 0
        self._begin()

    def _begin(self) -> None:
        self._t, self._in_contact = -math.inf, False

    @one_call
    def reset(self) -> None:
        """Discard the last frame; the next query starts cold."""
        self._begin()
        self._search.reset()

    def _work(self) -> TrackerStatistics:
        """Return the counts: iterations are pairs of boxes, vertices pairs of triangles."""
        counts = self._search.counts
        return TrackerStatistics(
            frames=self._frames,
            iterations=self._boxes,
            vertices=int(counts[obb_pair.LEAF_PAIRS]),
            fallbacks=int(counts[obb_pair.EXACT_PAIRS]),
            penetrations=self._contacts,
        )

    @property
    def state(self) -> TrackerState:
        """OPEN_AB or CONTACT, after the last frame: triangles are searched without hulls."""
        return TrackerState.CONTACT if self._in_contact else TrackerState.OPEN_AB

    @one_call
    def distance(
        self,
        X_WA: npt.ArrayLike,
        X_WB: npt.ArrayLike,
        t: npt.ArrayLike | None = None,
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
        times = frame_times(self._t, t, len(rows), single)
        search.run(poses_a, scales, poses_b, rows, 0, len(rows), tracked=True)
        search.finish(rows, poses_a, poses_b)
        self._t = ([self._t, *times])[-1]
        self._frames += len(rows)
        self._boxes += int(rows[:, gjk.ITERATIONS].sum())
        in_contact = ~(rows[:, gjk.LOWER] > 0.0)
        self._contacts += int(np.count_nonzero(in_contact))
        if len(rows):
            self._in_contact = bool(in_contact[-1])
        return Distance(rows[0] if single else rows, self._solid)


class MeshTracker(Tracker):
    """Tracks the closest points of two meshes; `kc.Tracker` makes it.

    While the convex hulls of two meshes are apart, it tracks the hulls: their distance is that of the meshes where the
    closest points lie on the surfaces, and a lower bound otherwise. Else it searches the trees of both meshes and keeps
    the lower bounds of the distances of their parts from earlier frames. A small move leaves nearly all of them valid.
    """

    def __init__(self, a: Geometry, b: Geometry, **options: Any) -> None:
        self._thresholds = checked_thresholds(**options)
        self._a, self._b = as_geometry(a), as_geometry(b)
        self._search = NearestSearch(self._a, self._b)
        self._trees: tuple[OBBTree, OBBTree] = self._search.trees  # type: ignore[assignment]
        self._tree_arrays = *self._trees[0].arrays, *self._trees[1].arrays
        self._triangle_faces = tuple(tree.mesh._triangle_face for tree in self._trees)
        self._states: MeshStates | None = None
        self._is_paced = self._thresholds == Thresholds()
        self._hulls: HullTask[list[HullSide | None]] | None = HullTask(self._thresholds.background)
        self._sides: list[HullSide | None] = []
        self._frames = self._contacts = self._by_hulls = 0
        self._solid = self._trees[0].mesh.is_solid, self._trees[1].mesh.is_solid
        self._poses = np.empty((2, 4, 4))
        self._stack, self._bounds = np.empty(obb_pair.STACK, np.int32), np.empty(obb_pair.STACK)
        self._begin()

    def _begin(self) -> None:
        self._t, self._waits, self._failures = -math.inf, 0, 0
        self._pace, self._unchecked = 1, 0

    @one_call
    def reset(self) -> None:
        """Discard the last frame; the next query starts cold, with intact hulls."""
        self._begin()
        self._search.reset()
        if self._states is not None:
            self._states.reset()

    def _work(self) -> TrackerStatistics:
        """Return the counts: iterations are pairs of boxes, vertices pairs of triangles."""
        counts = self._search.counts
        return TrackerStatistics(
            frames=self._frames,
            iterations=int(counts[obb_pair.BOX_PAIRS]),
            vertices=int(counts[obb_pair.LEAF_PAIRS]),
            fallbacks=int(counts[obb_pair.EXACT_PAIRS]),
            penetrations=self._contacts,
            by_hulls=self._by_hulls,
        )

    @property
    def state(self) -> TrackerState:
        """The state after the last frame; answers do not depend on it. OPEN_AB while there are no hulls."""
        states = self._states
        if states is None:
            return TrackerState.OPEN_AB
        return states.state(states.a.is_released, states.b.is_released)

    @property
    def events(self) -> tuple[TrackerEvent, ...]:
        """All changes of states so far, in their order."""
        return () if self._states is None else tuple(self._states.events)

    def distance(
        self,
        X_WA: npt.ArrayLike,
        X_WB: npt.ArrayLike,
        t: npt.ArrayLike | None = None,
        *,
        exact: bool = True,
        enough: float | None = None,
    ) -> Distance:
        """Return the distance at one pair of poses, or at n frames in their order.

        Args:
            X_WA: Pose of the first body, (4, 4), or n frames (n, 4, 4).
            X_WB: Pose of the second; a single pose is repeated.
            t: Time of the frame [s], or (n,) times; None: frames follow at 60 Hz. Only events and states depend on it.
            exact: False: where the hulls of two meshes are apart, their bounds are enough: `lower` is certified, and
                `distance` is that of two points of the surfaces, an upper bound.
            enough: The same wherever `lower` is above this distance [m]; None: nowhere.
        """
        me = get_ident()
        if self._user:  # as `one_call`, without the cost of another call
            raise in_use(self)
        self._user = me
        try:
            states = self._states
            if states is not None and self._waits == 0 and not (states.in_contact or not states.is_intact):
                try:
                    accepted = _accepted(exact, enough)
                    time = self._t + FRAME_TIME if t is None else next_time(self._t, t)
                    out = states.out.copy()
                    if accepted is not None:
                        ended = _track(*states.hulls, X_WA, X_WB, out, accepted)
                        if ended == hull_frames.UNSETTLED:
                            ended = self._settled(states, X_WA, X_WB, out, accepted)
                        if ended == hull_frames.ANSWERED:
                            states.out, self._t = out, time
                            self._frames += 1
                            self._by_hulls += 1
                            return Distance(out, self._solid)
                except (TypeError, ValueError, AttributeError):
                    pass
            elif states is not None:
                found = self._search_one(states, X_WA, X_WB, t, exact, enough)
                if found is not None:
                    return found
            checked_flag("exact", exact)
            accepted = _accepted(exact, None if enough is None else checked_length("enough", enough))
            assert accepted is not None
            return self._tracked(X_WA, X_WB, t, accepted)
        finally:
            self._user = 0

    def _search_one(
        self, states: MeshStates, X_WA: Any, X_WB: Any, t: Any, exact: object, enough: Any
    ) -> Distance | None:
        """Return the result of one frame by the search, without hulls; None if an argument has to be checked."""
        poses = self._poses
        try:
            time = next_time(self._t, t)
            if not X_WA.shape == X_WB.shape == (4, 4):
                return None
            poses[0], poses[1] = X_WA, X_WB
            if _accepted(exact, enough) != math.inf or project_poses(poses) != 0:
                return None
        except (TypeError, ValueError, AttributeError):
            return None
        frames = Frames(poses[:1], _ONE, poses[1:], [time], np.empty((1, gjk.ROW)))
        self._search_and_check(states, frames, 0, 1)
        self._t = frames.times[0]
        self._frames += 1
        self._contacts += states.in_contact
        return Distance(frames.rows[0], self._solid)

    def _settled(self, states: MeshStates, X_WA: Any, X_WB: Any, out: FloatArray, accepted: float) -> int:
        """Return the result of a frame that `track` left open, by triangles near the hulls' closest points."""
        ended = _settle(*self._tree_arrays, X_WA, X_WB, out, accepted, self._stack, self._bounds)
        for k in (0, 1):
            face = self._triangle_faces[k][int(out[hull_frames.TRIANGLES + k])]
            out[hull_frames.FACES + k] = out[14 + k] = face
        if ended == hull_frames.ANSWERED and (
            # harmless (<): both are answered; it is whether states are checked
            out[hull_frames.HULLS + gjk.LOWER] < out[hull_frames.NEAR]
            or (out[hull_frames.IS_FAR] > 0.0) != states.is_far
        ):
            return hull_frames.ATTENTION
        return ended

    def _tracked(self, X_WA: npt.ArrayLike, X_WB: npt.ArrayLike, t: object, accepted: float) -> Distance:
        """Return the result with every argument checked, for one pair of poses or many."""
        poses_a, scales, single_a = checked_poses(X_WA, "X_WA", scaled=True)
        poses_b, scales_b, single_b = checked_poses(X_WB, "X_WB", scaled=True)
        n = batch_size(len(poses_a), single_a, len(poses_b), single_b)
        times = frame_times(self._t, t, n, single_a and single_b)
        frames = Frames(poses_a, scales, poses_b, times, np.empty((n, gjk.ROW)))
        rigid = bool((scales == 1.0).all() and (scales_b == 1.0).all())
        self._build_hulls(times, n)
        done = 0
        while done < n:
            if self._states is None or not rigid:
                done = self._search_run(frames, done, n)
            elif self._states.is_intact and self._waits == 0:
                done = self._by_hulls_or_search(self._states, frames, done, accepted)
            else:
                wait = self._waits if self._states.is_intact else MOST_WAITED
                done = self._search_and_check(self._states, frames, done, min(n, done + wait))
        self._t = ([self._t, *times])[-1]
        self._frames += n
        self._contacts += int(np.count_nonzero(~(frames.rows[:, gjk.LOWER] > 0.0)))
        rows = frames.rows[0] if single_a and single_b else frames.rows
        return Distance(rows, self._solid)

    def _build_hulls(self, times: list[float], n: int) -> None:
        """Build hulls when it is time, one per frame or in the background, and begin to track them."""
        if self._hulls is None or (self._is_paced and self._frames + n <= FRAMES_BEFORE_HULLS):
            return
        for _ in range(min(n, 2)):
            if not self._hulls.is_busy:
                names = "AB" if self._thresholds.background else "AB"[len(self._sides)]
                self._hulls.start(partial(_sides_of, names, self._trees))
            self._sides += self._hulls.finished() or []
            if len(self._sides) == 2:
                break
        else:
            return
        self._hulls = None
        a, b = self._sides
        if a is not None and b is not None:
            self._states = MeshStates(a, b, self._thresholds)
            for side in (a, b):
                self._states.note(times[0], side.name, "merged")

    def _search_run(self, frames: Frames, first: int, last: int) -> int:
        """Fill frames by the search alone; return the frame after the last one."""
        search = self._search
        search.run(frames.X_WA, frames.scales, frames.X_WB, frames.rows, first, last, tracked=True)
        search.finish(frames.rows[first:last], _of(frames.X_WA, first, last), _of(frames.X_WB, first, last))
        return last

    def _by_hulls_or_search(self, states: MeshStates, frames: Frames, k: int, accepted: float) -> int:
        """Fill a frame by hulls if they decide it; return the next frame."""
        X_WA, X_WB = _one(frames.X_WA, k), _one(frames.X_WB, k)
        states.out = out = states.out.copy()  # the last array may be in use by a result
        ended = _track(*states.hulls, X_WA, X_WB, out, accepted)
        if ended == hull_frames.UNSETTLED:
            ended = self._settled(states, X_WA, X_WB, out, accepted)
        if ended in (hull_frames.ANSWERED, hull_frames.ATTENTION):
            frames.rows[k] = out[: gjk.ROW]
            self._failures = 0
            self._by_hulls += 1
        else:
            self._search_run(frames, k, k + 1)
            self._waits = min(2**self._failures, MOST_WAITED)
            self._failures += 1
        states.note_contact(frames.times[k], not frames.rows[k, gjk.LOWER] > 0.0)
        if ended == hull_frames.ATTENTION:
            self._unchecked += 1
            self._check(states, frames, k, ended)
        elif ended != hull_frames.ANSWERED or states.due == 0.0:
            # harmless (self._search.travelled): it is when states are checked again, and no answer depends on them
            states.check(frames.times[k], X_WA, X_WB, self._search.travelled, ended)
        return k + 1

    def _search_and_check(self, states: MeshStates, frames: Frames, first: int, last: int) -> int:
        """Fill frames by the search, and check states where that is due; return the next frame."""
        self._search_run(frames, first, last)
        self._waits = max(0, self._waits - (last - first))
        self._unchecked += last - first
        # harmless: likewise
        is_due = self._search.travelled >= states.due
        for k in range(first, last):
            t = frames.times[k]
            states.note_contact(t, not frames.rows[k, gjk.LOWER] > 0.0)
            if (is_due or t >= states.due_t) and (k == last - 1 or not self._is_paced):
                self._check(states, frames, k)
        return last

    def _check(self, states: MeshStates, frames: Frames, k: int, ended: int | None = None) -> None:
        """Check states in a frame that is answered; without thresholds of the caller, less often if nothing changes.

        A check takes as long as many frames, and affects only states.
        """
        if self._is_paced and self._unchecked < self._pace:
            return
        known, X_WA, X_WB = len(states.events), _one(frames.X_WA, k), _one(frames.X_WB, k)
        # harmless (self._search.travelled): likewise
        states.check(frames.times[k], X_WA, X_WB, self._search.travelled, ended)
        # harmless (>): likewise
        self._pace = 1 if len(states.events) > known else min(2 * self._pace, MOST_WAITED)
        self._unchecked = 0


class Frames:
    """Checked frames of two meshes, and the rows of their results."""

    __slots__ = ("X_WA", "X_WB", "rows", "scales", "times")

    def __init__(
        self, X_WA: FloatArray, scales: FloatArray, X_WB: FloatArray, times: list[float], rows: FloatArray
    ) -> None:
        self.X_WA, self.scales, self.X_WB, self.times, self.rows = X_WA, scales, X_WB, times, rows


def _sides_of(names: str, trees: tuple[OBBTree, OBBTree]) -> list[HullSide | None]:
    """Return the bodies of these names with their hulls; None for one without a hull."""
    return [HullSide.of(name, trees["AB".index(name)]) for name in names]


def _accepted(exact: object, enough: float | None) -> float | None:
    """Return the lower bound above which a result need not be exact, -1: always; None for options to be checked."""
    if exact is False:
        return -1.0
    if exact is not True:
        return None
    if enough is None:
        return math.inf
    return enough if enough >= 0.0 else None


def _of(poses: FloatArray, first: int, last: int) -> FloatArray:
    return poses if len(poses) == 1 else poses[first:last]


def _one(poses: FloatArray, k: int) -> FloatArray:
    X: FloatArray = poses[0 if len(poses) == 1 else k]
    return X
