"""The distance of two moving meshes, tracked from frame to frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_flag, checked_length
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import hull_frames, obb_pair
from keepclear.motions.pose import checked_poses
from keepclear.preprocess.hulls import hull_of
from keepclear.preprocess.obb_tree import OBBTree
from keepclear.proximity.batch import batch_size
from keepclear.proximity.distance import Body, as_body
from keepclear.proximity.mesh_distance import NearestSearch, finish_rows, mesh_distance, obb_tree_of
from keepclear.proximity.packed import packed
from keepclear.proximity.tracker import Tracker, TrackerStatistics
from keepclear.results import MeshDistance

__all__ = ["MeshTracker"]

MOST_WAITED = 64
"""Frames after which hulls are tried again, at most; each failure doubles the wait."""

FRAMES_BEFORE_HULLS = 16
"""Frames before hulls are built, which takes as long as some hundred frames of large meshes."""

_distance_one: Callable[..., int] = gjk.distance_one
_settle: Callable[..., int] = hull_frames.settle


class MeshTracker(Tracker):
    """Tracks the closest points of two bodies of which at least one is a mesh; `kc.Tracker` makes it.

    While the convex hulls of two meshes are apart, it tracks the hulls: their distance is that of the meshes where the
    closest points lie on the surfaces, and a lower bound otherwise. Else it keeps what the last frames have proved:
    which parts are how far apart at least. A small move leaves nearly all of that standing. Beside a convex shape each
    frame is searched anew.
    """

    def __init__(self, a: Body, b: Body) -> None:
        self._a, self._b = as_body(a), as_body(b)
        trees = obb_tree_of(self._a), obb_tree_of(self._b)
        self._trees = None if trees[0] is None or trees[1] is None else (trees[0], trees[1])
        self._search = None if self._trees is None else NearestSearch(*self._trees)
        self._hulls: HullFrames | None = None
        self._tried_hulls = False
        self._frames = self._contacts = self._boxes = self._by_hulls = 0

    def reset(self) -> None:
        """Forget the last frame; the next query starts cold."""
        if self._search is not None:
            self._search.reset()
        if self._hulls is not None:
            self._hulls.reset()

    @property
    def statistics(self) -> TrackerStatistics:
        """What the tracker has done since it was made: iterations are pairs of boxes, vertices pairs of triangles."""
        counts = np.zeros(8, np.int64) if self._search is None else self._search.counts
        return TrackerStatistics(
            frames=self._frames,
            iterations=self._boxes + int(counts[obb_pair.BOX_PAIRS]),
            vertices=int(counts[obb_pair.LEAF_PAIRS]),
            fallbacks=int(counts[obb_pair.EXACT_PAIRS]),
            penetrations=self._contacts,
            by_hulls=self._by_hulls,
        )

    def _counts(self) -> tuple[int, ...]:
        searched = () if self._search is None else self._search.counts.tolist()
        return self._frames, self._contacts, self._boxes, self._by_hulls, *searched

    def _count_from(self, counts: tuple[int, ...]) -> None:
        self._frames, self._contacts, self._boxes, self._by_hulls = counts[:4]
        if self._search is not None:
            self._search.counts[:] = counts[4:]

    def distance(
        self, X_WA: npt.ArrayLike, X_WB: npt.ArrayLike, *, exact: bool = True, enough: float | None = None
    ) -> MeshDistance:
        """Return the distance at one pair of poses, or at n frames in their order.

        Args:
            X_WA: Pose of the first body, (4, 4), or n frames (n, 4, 4).
            X_WB: Pose of the second; one pose beside many is repeated.
            exact: False: where the hulls of two meshes are apart, their bounds are enough: `lower` is certified, and
                `distance` is that of two points of the surfaces, an upper bound.
            enough: The same wherever `lower` is above this distance [m]; None: nowhere.
        """
        hulls, is_tried = self._hulls, False
        if hulls is not None:
            try:
                if X_WB.ndim == 2 and X_WA.ndim == 2:  # type: ignore[union-attr]
                    row, is_tried = hulls.frame(X_WA, X_WB, exact, enough), True
                    if row is not None:
                        self._frames += 1
                        self._by_hulls += 1
                        return MeshDistance(row, hulls.solid)
            except (TypeError, ValueError, AttributeError):
                pass
        checked_flag("exact", exact)
        least = None if enough is None else checked_length("enough", enough)
        if self._search is None or self._trees is None:
            answer = mesh_distance(self._a, X_WA, self._b, X_WB)
            self._boxes += int(np.sum(answer.iterations))
        else:
            answer = self._tracked(
                self._search, self._trees, X_WA, X_WB, None if is_tried else (exact, least)
            )
        if answer._rows.ndim == 1:
            self._frames += 1
            self._contacts += answer.colliding
        else:
            self._frames += len(answer)
            self._contacts += int(np.count_nonzero(answer.colliding))
        return answer

    def _tracked(
        self,
        search: NearestSearch,
        trees: tuple[OBBTree, OBBTree],
        X_WA: npt.ArrayLike,
        X_WB: npt.ArrayLike,
        by_hulls: tuple[bool, float | None] | None,
    ) -> MeshDistance:
        """Answer with every check; hulls come first, with `exact` and `enough`, unless they were tried."""
        a, b = trees
        poses_a, scales, single_a = checked_poses(X_WA, "X_WA", scaled=True)
        poses_b, scales_b, single_b = checked_poses(X_WB, "X_WB", scaled=True)
        n = batch_size(len(poses_a), single_a, len(poses_b), single_b)
        if not self._tried_hulls and self._frames + n > FRAMES_BEFORE_HULLS:
            self._hulls, self._tried_hulls = HullFrames.of(a, b), True
        rows, left = np.empty((n, gjk.ROW)), np.arange(n)
        if (
            self._hulls is not None
            and by_hulls is not None
            and (scales == 1.0).all()
            and (scales_b == 1.0).all()
        ):
            left = self._hulls.frames(poses_a, poses_b, rows, *by_hulls)
            self._by_hulls += n - len(left)
        for first, last in _runs(left):
            search.run(poses_a, scales, poses_b, rows, first, last, tracked=True)
        if len(left) == n:
            finish_rows(rows, a, poses_a, b, poses_b)
        elif len(left):
            found = rows[left]
            finish_rows(found, a, _of(poses_a, left), b, _of(poses_b, left))
            rows[left] = found
        solid = a.mesh.is_solid, b.mesh.is_solid
        return MeshDistance(rows[0] if single_a and single_b else rows, solid)


class HullFrames:
    """The hulls of two meshes from frame to frame: what they settle, they settle for the meshes.

    Where hulls fail in a frame, because they overlap or their closest points lie on no surface, they are not tried in
    the next one; after more failures the wait is longer.
    """

    def __init__(self, trees: tuple[OBBTree, OBBTree], hulls: tuple[Any, ...]) -> None:
        a, b = trees
        self._trees = (*a.arrays, *b.arrays)
        self._hulls = hulls
        self._faces = a.mesh._triangle_face, b.mesh._triangle_face
        self.solid = a.mesh.is_solid, b.mesh.is_solid
        self._stack, self._bounds = np.empty(obb_pair.STACK, np.int32), np.empty(obb_pair.STACK)
        self._scratch, self._poses = np.empty(hull_frames.SCRATCH), np.empty((2, 4, 4))
        self._row = np.zeros(gjk.ROW + gjk.MEMORY)
        self._closest = np.empty(2, np.int64)
        self.reset()

    @classmethod
    def of(cls, a: OBBTree, b: OBBTree) -> HullFrames | None:
        """Return the hulls of two meshes, None where one of them has none."""
        hulls = hull_of(a.mesh), hull_of(b.mesh)
        if hulls[0] is None or hulls[1] is None:
            return None
        return cls((a, b), (*packed(hulls[0]), *packed(hulls[1])))

    def reset(self) -> None:
        """Forget the last frame."""
        self._row[gjk.ROW : gjk.ROW + 4] = 0.0, -1.0, -1.0, 0.0
        self._closest[:] = -1
        self._waits = self._failures = 0

    def frame(self, X_WA: Any, X_WB: Any, exact: bool, enough: float | None) -> FloatArray | None:
        """Return the row of one frame, None where hulls do not settle it, or where a pose needs to be checked."""
        if self._waits > 0:
            self._waits -= 1
            return None
        row = np.empty(gjk.ROW)
        known = hull_frames.UNKNOWN
        if _distance_one(*self._hulls, X_WA, X_WB, self._row, True) == 0 and self._row[gjk.LOWER] > 0.0:
            known = _settle(
                *self._trees, X_WA, X_WB, self._row, row, self._closest, self._stack, self._bounds, self._scratch,
                self._poses,
            )  # fmt: skip
        if known == hull_frames.EXACT:
            self._failures = 0
        elif known == hull_frames.BOUNDED and (
            exact is False or (enough is not None and row[gjk.LOWER] > enough)
        ):
            pass
        else:
            self._waits = min(2**self._failures, MOST_WAITED)
            self._failures += 1
            return None
        row[14], row[15] = self._faces[0][self._closest[0]], self._faces[1][self._closest[1]]
        return row

    def frames(
        self, X_WA: FloatArray, X_WB: FloatArray, rows: FloatArray, exact: bool, enough: float | None
    ) -> npt.NDArray[np.int64]:
        """Fill the rows of frames that hulls settle; return the others."""
        left = []
        for k in range(len(rows)):
            row = self.frame(X_WA[k if len(X_WA) > 1 else 0], X_WB[k if len(X_WB) > 1 else 0], exact, enough)
            if row is None:
                left.append(k)
            else:
                rows[k] = row
        return np.array(left, np.int64)


def _runs(frames: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return runs of consecutive frames, each as its first frame and the one after its last."""
    if not len(frames):
        return []
    cuts = np.flatnonzero(np.diff(frames) != 1) + 1
    return [(int(run[0]), int(run[-1]) + 1) for run in np.split(frames, cuts)]


def _of(poses: FloatArray, frames: npt.NDArray[np.int64]) -> FloatArray:
    return poses if len(poses) == 1 else poses[frames]
