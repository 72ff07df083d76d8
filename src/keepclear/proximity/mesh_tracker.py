"""The distance of two moving meshes, followed from frame to frame."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import obb_pair
from keepclear.motions.pose import checked_poses
from keepclear.proximity.batch import batch_size
from keepclear.proximity.distance import Body, as_body
from keepclear.proximity.mesh_distance import NearestSearch, finish_rows, mesh_distance, obb_tree_of
from keepclear.proximity.tracker import Tracker, TrackerStatistics
from keepclear.results import MeshDistance


class MeshTracker(Tracker):
    """Follows the closest points of two bodies of which at least one is a mesh; `kc.Tracker` makes it.

    Between two meshes it keeps what the last frames have proved: which parts are how far apart at least. A small move
    leaves nearly all of that standing. Beside a convex shape each frame is searched anew.
    """

    def __init__(self, a: Body, b: Body) -> None:
        self._a, self._b = as_body(a), as_body(b)
        trees = obb_tree_of(self._a), obb_tree_of(self._b)
        self._trees = None if trees[0] is None or trees[1] is None else (trees[0], trees[1])
        self._search = None if self._trees is None else NearestSearch(*self._trees)
        self._frames = self._contacts = self._boxes = 0

    def reset(self) -> None:
        """Forget the last frame; the next query starts cold."""
        if self._search is not None:
            self._search.reset()

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
        )

    def _counts(self) -> tuple[int, ...]:
        searched = () if self._search is None else self._search.counts.tolist()
        return self._frames, self._contacts, self._boxes, *searched

    def _count_from(self, counts: tuple[int, ...]) -> None:
        self._frames, self._contacts, self._boxes = counts[:3]
        if self._search is not None:
            self._search.counts[:] = counts[3:]

    def distance(self, X_WA: npt.ArrayLike, X_WB: npt.ArrayLike) -> MeshDistance:
        """Return the distance at one pair of poses, or at n frames in their order.

        Args:
            X_WA: Pose of the first body, (4, 4), or n frames (n, 4, 4).
            X_WB: Pose of the second; one pose beside many is repeated.
        """
        if self._search is None or self._trees is None:
            answer = mesh_distance(self._a, X_WA, self._b, X_WB)
            self._boxes += int(np.sum(answer.iterations))
        else:
            answer = self._tracked(self._search, X_WA, X_WB)
        if answer._rows.ndim == 1:
            self._frames += 1
            self._contacts += answer.colliding
        else:
            self._frames += len(answer)
            self._contacts += int(np.count_nonzero(answer.colliding))
        return answer

    def _tracked(self, search: NearestSearch, X_WA: npt.ArrayLike, X_WB: npt.ArrayLike) -> MeshDistance:
        assert self._trees is not None
        a, b = self._trees
        poses_a, scales, single_a = checked_poses(X_WA, "X_WA", scaled=True)
        poses_b, _, single_b = checked_poses(X_WB, "X_WB", scaled=True)
        rows = np.empty((batch_size(len(poses_a), single_a, len(poses_b), single_b), gjk.ROW))
        search.run(poses_a, scales, poses_b, rows, 0, len(rows), tracked=True)
        finish_rows(rows, a, poses_a, b, poses_b)
        solid = a.mesh.is_solid, b.mesh.is_solid
        return MeshDistance(rows[0] if single_a and single_b else rows, solid)
