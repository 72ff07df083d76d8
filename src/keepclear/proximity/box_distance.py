"""Distances on the box trees of meshes, without building trees of oriented boxes."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_flag, checked_length
from keepclear.exclusive import one_call
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import box_convex, box_counts, box_distance, obb_distance, obb_pair
from keepclear.motions.pose import checked_poses
from keepclear.preprocess.box_tree import BoxTree
from keepclear.preprocess.obb_tree import OBBTree
from keepclear.preprocess.trees import tree_of
from keepclear.proximity.batch import batch_size, checked_threads, in_pieces
from keepclear.proximity.body import Geometry, as_geometry, shape_of
from keepclear.proximity.packed import packed
from keepclear.proximity.tracker import Tracker, TrackerStatistics
from keepclear.proximity.tracking import TrackerState, checked_thresholds
from keepclear.results import Distance
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.shape import Shape

__all__ = ["BoxTracker"]

PIECE = 1 << 20  # pairs of boxes between two checks for Ctrl-C; a tenth of a second
_Trees = tuple[BoxTree | None, BoxTree | None]


def is_on_boxes(a: Geometry, b: Geometry) -> bool:
    """Return whether box trees are used: one body is given as a BoxTree, and none as an OBBTree."""
    kinds = type(a), type(b)
    return BoxTree in kinds and OBBTree not in kinds


class BoxNearest:
    """Searches the closest triangles of two box trees, or of one and a convex body, and stores the last ones."""

    def __init__(self, a: Geometry, b: Geometry) -> None:
        self.trees: _Trees = _box_tree_of(a), _box_tree_of(b)
        self.bodies = a, b
        self.counts = np.zeros(box_counts.STATE, np.int64)
        self._warm = np.full(2, -1, np.int64)
        deepest = sum(tree.depth for tree in self.trees if tree is not None)
        self._stack = np.empty(box_distance.WAITING_PAIR * (deepest + 4))

    def reset(self) -> None:
        """Discard the last frame."""
        self._warm[:] = -1

    def run(
        self, X_WA: FloatArray, scales_a: FloatArray, X_WB: FloatArray, rows: FloatArray, first: int, last: int,
        *, tracked: bool,
    ) -> None:  # fmt: skip
        """Fill rows `first` to before `last`; Ctrl-C works between two chunks."""
        tree_a, tree_b = self.trees
        flat = rows.reshape(-1)
        if tree_a is None or tree_b is None:
            tree, other = (tree_a, self.bodies[1]) if tree_a is not None else (tree_b, self.bodies[0])
            assert tree is not None
            assert isinstance(other, Shape)
            poses = (X_WA, X_WB) if tree is tree_a else (X_WB, X_WA)
            box_convex.distance(*tree.arrays, *packed(other), *poses, flat, first, last)
            return
        arrays = (*tree_a.arrays, *tree_b.arrays, X_WA, X_WB, scales_a, flat)
        while first < last:
            self.counts[obb_distance.LIMIT] = self.counts[obb_pair.BOX_PAIRS] + PIECE
            first = box_distance.distance(*arrays, self._warm, self._stack, self.counts, tracked, first, last)

    def finish(self, rows: FloatArray, X_WA: FloatArray, X_WB: FloatArray) -> None:
        """Complete the rows: common points of bodies in contact, faces instead of triangles, and A before B."""
        from keepclear.proximity.mesh_distance import finish_rows, swap_rows

        tree_a, tree_b = self.trees
        if tree_a is not None and tree_b is not None:
            finish_rows(rows, tree_a, X_WA, tree_b, X_WB)
            return
        tree = cast(BoxTree, tree_a if tree_b is None else tree_b)
        rows[:, 14] = tree.mesh._triangle_face[rows[:, 14].astype(np.int64)]
        if tree_a is None:
            swap_rows(rows)


def box_tree_distance(
    a: Geometry, X_WA: npt.ArrayLike, b: Geometry, X_WB: npt.ArrayLike, threads: int = 1
) -> Distance:
    """Return the distance of two bodies on box trees; see `is_on_boxes`."""
    threads, search = checked_threads(threads), BoxNearest(a, b)
    rows, poses_a, scales, poses_b, single = _checked(search, X_WA, X_WB)

    def piece(i: int, j: int) -> None:
        own = search if threads == 1 else BoxNearest(a, b)
        own.run(poses_a, scales, poses_b, rows, i, j, tracked=False)

    in_pieces(len(rows), threads, piece)
    search.finish(rows, poses_a, poses_b)
    return Distance(rows[0] if single else rows, (shape_of(a).is_solid, shape_of(b).is_solid))


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
        rows, poses_a, scales, poses_b, single = _checked(search, X_WA, X_WB)
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


def _checked(
    search: BoxNearest, X_WA: npt.ArrayLike, X_WB: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, bool]:
    """Return rows to fill, the poses of both bodies, the scales of A's poses, and whether it is one pair of poses."""
    scaled = None not in search.trees
    poses_a, scales, single_a = checked_poses(X_WA, "X_WA", scaled=scaled)
    poses_b, _, single_b = checked_poses(X_WB, "X_WB", scaled=scaled)
    rows = np.empty((batch_size(len(poses_a), single_a, len(poses_b), single_b), gjk.ROW))
    return rows, poses_a, scales, poses_b, single_a and single_b


def _box_tree_of(body: Geometry) -> BoxTree | None:
    """Return the box tree of a body, built for a mesh; None for a convex body."""
    if isinstance(body, BoxTree):
        return body
    return cast(BoxTree, tree_of(body, "box_tree")) if isinstance(body, Mesh) else None
