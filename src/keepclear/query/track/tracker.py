"""The distance of two moving shapes, tracked from frame to frame."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry, Parts, as_geometry, has_parts, has_triangles, is_on_boxes
from keepclear.geometry.pose import as_poses
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.kernels.convex import gjk
from keepclear.query.batches import batch_size
from keepclear.query.instant.distance import run_one, run_rows
from keepclear.query.track.group import Group
from keepclear.query.track.transitions import TrackerEvent, TrackerState, checked_thresholds
from keepclear.results import Distance

__all__ = ["Tracker", "TrackerStatistics"]

_distance_one = gjk.distance_one
_ndarray = np.ndarray
_NOTHING = np.array([0.0, -1.0, -1.0, 0.0])
_COUNTED = slice(gjk.ROW + gjk.COUNTS, gjk.ROW + gjk.MEMORY)


@dataclass(frozen=True)
class TrackerStatistics:
    """Counts of the work done by a tracker.

    Attributes:
        frames: Pairs of poses answered.
        iterations: Total number of iterations; about one per frame when little changes.
        vertices: Total number of visited vertices (and boxes of trees).
        fallbacks: How often rounding made hill climbing unreliable and a tree of boxes decided.
        penetrations: Frames in which the shapes overlapped so deeply that their depth had to be searched.
        by_hulls: Frames of two meshes that their convex hulls settled.
        pairs: Total number of pairs of hulls and bodies of groups whose distance was computed.
    """

    frames: int = 0
    iterations: int = 0
    vertices: int = 0
    fallbacks: int = 0
    penetrations: int = 0
    by_hulls: int = 0
    pairs: int = 0


class Tracker:
    """Tracks the closest points of two moving shapes.

    Each search starts from the last closest features, so a small move of convex shapes costs about one iteration,
    however many vertices they have; for meshes the tracker reuses what earlier frames proved. The answers are as
    certain as those of `kc.distance`; only the running time depends on earlier frames. Compounds `[(shape, X), ...]`
    are tracked part by part. A copy, or an unpickled tracker, starts without the last closest features and keeps the
    statistics. Two convex shapes may be tracked by several threads at once, though counts may then be lost; any other
    tracker raises a `BusyError` if a second thread calls it while it works: give each thread its own.

    Examples:
        >>> import keepclear as kc
        >>> X_WB = np.tile(np.eye(4), (100, 1, 1))
        >>> X_WB[:, 0, 3] = np.linspace(3.0, 2.0, 100)
        >>> tracker = kc.Tracker(kc.Box([1, 1, 1]), kc.Box([1, 1, 1]))
        >>> frames = tracker.distance(np.eye(4), X_WB)
        >>> round(float(frames.distance.min()), 9), tracker.statistics.frames
        (1.0, 100)
    """

    _user = 0  # the thread that uses the tracker, see `keepclear.exclusive`; two convex shapes need none
    _past = TrackerStatistics()  # of the tracker that this one is a copy of

    def __new__(cls, a: Geometry | Parts | Group, b: Geometry | Parts | Group, **options: Any) -> Tracker:
        """Return a tracker for convex shapes, or the one for meshes, compounds or groups."""
        if cls is not Tracker:
            return object.__new__(cls)
        if isinstance(a, Group) or isinstance(b, Group):
            from keepclear.query.track.group_tracker import GroupTracker

            return object.__new__(GroupTracker)
        for name in ("eps_element", "rest"):
            if options.get(name) is not None:
                raise ArgumentError(
                    f"Tracker: {name} is about the members of a kc.Group, and neither body is one; leave it out."
                )
        if has_parts(a, b):
            from keepclear.query.track.compound_tracker import CompoundTracker

            return object.__new__(CompoundTracker)
        bodies = as_geometry(a), as_geometry(b)
        n_meshes = sum(map(has_triangles, bodies))
        if n_meshes == 0:
            return object.__new__(cls)
        from keepclear.query.track.mesh_tracker import MeshTracker, SearchTracker

        return object.__new__(MeshTracker if n_meshes == 2 and not is_on_boxes(*bodies) else SearchTracker)

    def __init__(
        self,
        a: Geometry | Parts | Group,
        b: Geometry | Parts | Group,
        *,
        far: float | None = None,
        eps_hull: float | None = None,
        eps_element: float | None = None,
        recovery: float | None = None,
        rest: float | None = None,
        background: bool = False,
    ) -> None:
        # harmless (eps_hull): two convex bodies have no such states; it is only kept
        # harmless (eps_element): likewise
        self._thresholds = checked_thresholds(far, eps_hull, eps_element, recovery, rest, background)
        self._a, self._b = as_geometry(a), as_geometry(b)
        assert isinstance(self._a, Shape)
        assert isinstance(self._b, Shape)
        A, B = packed(self._a), packed(self._b)
        self._arrays = A[0], A[1], B[0], B[1]
        self._row = np.zeros(gjk.ROW + gjk.MEMORY)
        self._row[gjk.ROW : gjk.ROW + 4] = _NOTHING

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._a, self._b, self._thresholds.given(), self.statistics)

    def __repr__(self) -> str:
        return f"Tracker({self._a!r}, {self._b!r}, {self.statistics.frames} frames)"

    @property
    def state(self) -> TrackerState:
        """The state after the last frame; two convex bodies have only one."""
        return (
            TrackerState.CONTACT
            if self._row[gjk.LOWER] <= 0.0 < self._row[_COUNTED][0]
            else TrackerState.HULLS
        )

    @property
    def events(self) -> tuple[TrackerEvent, ...]:
        """All changes of states so far, `(t, node, kind)` in their order; none for two convex bodies."""
        return ()

    def reset(self) -> None:
        """Discard the last closest features; the next query starts cold."""
        row = self._row.copy()  # rows never change: another thread may be reading this one
        row[gjk.ROW : gjk.ROW + 4] = _NOTHING
        self._row = row

    def distance(
        self,
        X_WA: npt.ArrayLike,
        X_WB: npt.ArrayLike,
        t: npt.ArrayLike | None = None,  # noqa: ARG002
        *,
        exact: bool = True,  # noqa: ARG002
        enough: float | None = None,  # noqa: ARG002
    ) -> Distance:
        """Return the distance at one pair of poses, or at n frames in their order.

        Args:
            X_WA: Pose of the first shape, (4, 4), or n frames (n, 4, 4).
            X_WB: Pose of the second; a single pose is repeated.
            t: Time of the frame [s], or (n,) times; for meshes and groups, whose states depend on it.
            exact: For two meshes, False is faster: `lower` is certified, and `distance` is an upper bound wherever
                their convex hulls are apart. Other bodies are always exact.
            enough: A distance [m]: wherever `lower` is above it, bounds as with exact=False suffice; None: nowhere.
        """
        try:
            if type(X_WA) is type(X_WB) is _ndarray and len(X_WB) == 4:
                out = self._row.copy()
                if _distance_one(*self._arrays, X_WA, X_WB, out, True) == 0:
                    self._row = out
                    return Distance(out)
        except (TypeError, ValueError, AttributeError):
            pass
        return self._distance(X_WA, X_WB)

    @property
    def statistics(self) -> TrackerStatistics:
        """Counts of the work done by the tracker so far, and by the one that it is a copy of."""
        work = astuple(self._work())
        return TrackerStatistics(*(sum(counts) for counts in zip(astuple(self._past), work, strict=True)))

    def _work(self) -> TrackerStatistics:
        """Return counts of the work since the tracker was made."""
        return TrackerStatistics(*(int(count) for count in self._row[_COUNTED]))

    def _distance(self, X_WA: object, X_WB: object) -> Distance:
        """Return the result with every argument checked, for one pair of poses or many."""
        poses_a, single_a = as_poses(X_WA, "X_WA")
        poses_b, single_b = as_poses(X_WB, "X_WB")
        if single_a and single_b:
            out = self._row.copy()
            run_one(self._arrays, poses_a, poses_b, out, tracked=True)
            self._row = out
            return Distance(out)
        n = batch_size(len(poses_a), single_a, len(poses_b), single_b)
        return Distance(self._rows_of(poses_a, poses_b, n, (single_a, single_b)))

    def _rows_of(self, X_WA: FloatArray, X_WB: FloatArray, n: int, single: tuple[bool, bool]) -> FloatArray:
        """Return the rows (n, ROW) of n frames, from poses that `as_poses` gave."""
        rows = np.empty((n, gjk.ROW))
        if n:
            out = self._row.copy()
            run_rows(self._arrays, X_WA, X_WB, rows, out[gjk.ROW :], single)
            self._row = out
        return rows


def _restored(
    kind: type[Tracker], a: Geometry, b: Geometry, options: dict[str, Any], past: TrackerStatistics
) -> Tracker:
    """Return a tracker with these counts; features are not restored, since kernels would trust them."""
    tracker = kind(a, b, **options)
    tracker._past = past
    return tracker
