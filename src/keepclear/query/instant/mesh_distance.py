"""Distance and closest points where at least one of two bodies is a mesh."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry, is_on_boxes, mesh_of, shape_of
from keepclear.geometry.pose import checked_poses
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.trees.trees import BoxTree, OBBTree, Tree, tree_of
from keepclear.kernels.box_trees import containment, convex_distance
from keepclear.kernels.box_trees import mesh_distance as box_distance
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import (
    cold_distance,
    contact_points,
    mesh_convex,
    obb_distance,
    obb_pair,
    pair_heap,
)
from keepclear.query.batches import batch_size, checked_threads, in_pieces
from keepclear.results import Distance

Trees = tuple[Tree | None, Tree | None]

PIECE = 1 << 20  # pairs of boxes between two checks for Ctrl-C; a tenth of a second
_RIGID = np.empty(0)  # instead of scales: poses must be rigid
_cold: Callable[..., int] = cold_distance.distance
_tracked: Callable[..., int] = obb_distance.distance
_by_boxes: Callable[..., int] = box_distance.distance
FIRST_CAPACITY = 1 << 12  # initial capacity of a search in pairs


def mesh_distance(
    a: Geometry, X_WA: npt.ArrayLike, b: Geometry, X_WB: npt.ArrayLike, threads: int = 1
) -> Distance:
    """Return the distance of two bodies, at least one of them a mesh or its tree; BoxTrees are searched directly."""
    threads = checked_threads(threads)
    kind: type[BoxNearest | NearestSearch] = BoxNearest
    if not is_on_boxes(a, b):
        kind, tree_a, tree_b = NearestSearch, obb_tree_of(a), obb_tree_of(b)
        if tree_a is not None and tree_b is not None:
            quick = _one_pair(tree_a, X_WA, tree_b, X_WB)
            if quick is not None:
                return quick
    search = kind(a, b)
    rows, poses_a, scales, poses_b, single = search.checked(X_WA, X_WB)

    def piece(i: int, j: int) -> None:
        own = search if threads == 1 else kind(a, b)
        own.run(poses_a, scales, poses_b, rows, i, j, tracked=False)

    in_pieces(len(rows), threads, piece)
    search.finish(rows, poses_a, poses_b)
    return Distance(rows[0] if single else rows, (shape_of(a).is_solid, shape_of(b).is_solid))


def _one_pair(a: OBBTree, X_WA: Any, b: OBBTree, X_WB: Any) -> Distance | None:
    """Return the distance at one pair of rigid poses; None for other poses, which have to be checked."""
    row = np.empty(gjk.ROW)
    try:
        if type(X_WA) is not np.ndarray or type(X_WB) is not np.ndarray or X_WA.ndim != 2 or X_WB.ndim != 2:
            return None  # others are converted, and a masked array is refused
        X_WA, X_WB = X_WA[None], X_WB[None]
        counts = np.zeros(obb_pair.STATE, np.int64)
        if _cold(*a.arrays, *b.arrays, X_WA, X_WB, _RIGID, row, counts, 0, 1) == cold_distance.BAD_POSE:
            return None
    except (TypeError, AttributeError):
        return None
    if row[gjk.STATE] == gjk.SEPARATE:
        _name_faces(row, a, b)
    else:
        finish_rows(row[None], a, X_WA, b, X_WB)
    return Distance(row, (a.mesh.is_solid, b.mesh.is_solid))


def obb_tree_of(body: Geometry) -> OBBTree | None:
    """Return the oriented boxes of a mesh, or of the mesh of a BoxTree; None for other shapes."""
    if type(body) is OBBTree:
        return body
    mesh = mesh_of(body)
    return None if mesh is None else cast(OBBTree, tree_of(mesh, "obb_tree"))


def _box_tree_of(body: Geometry) -> BoxTree | None:
    """Return the box tree of a body, built for a mesh; None for a convex body."""
    if isinstance(body, BoxTree):
        return body
    return cast(BoxTree, tree_of(body, "box_tree")) if isinstance(body, Mesh) else None


class _Nearest:
    """Searches the closest points of a mesh and a mesh or convex body, and keeps the state between frames.

    Attributes:
        trees: The trees of both bodies, None for a convex one.
        counts: Counters, as in `obb_pair`.
    """

    convex: Callable[..., None]
    """The kernel for a mesh and a convex body."""

    def __init__(self, a: Geometry, b: Geometry, trees: Trees) -> None:
        self.bodies, self.trees = (a, b), trees
        self.counts = np.zeros(obb_pair.STATE, np.int64)

    def checked(
        self, X_WA: npt.ArrayLike, X_WB: npt.ArrayLike
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, bool]:
        """Return rows to fill, the poses of A and their scales, those of B, and whether it is one pair of poses."""
        scaled = None not in self.trees
        poses_a, scales, single_a = checked_poses(X_WA, "X_WA", scaled=scaled)
        poses_b, _, single_b = checked_poses(X_WB, "X_WB", scaled=scaled)
        rows = np.empty((batch_size(len(poses_a), single_a, len(poses_b), single_b), gjk.ROW))
        return rows, poses_a, scales, poses_b, single_a and single_b

    def run(
        self, X_WA: FloatArray, scales_a: FloatArray, X_WB: FloatArray, rows: FloatArray, first: int, last: int,
        *, tracked: bool,
    ) -> None:  # fmt: skip
        """Fill rows `first` to before `last`; Ctrl-C works between two chunks."""
        a, b = self.trees
        flat = rows.reshape(-1)
        if a is None or b is None:
            tree, other = (a, self.bodies[1]) if a is not None else (b, self.bodies[0])
            assert tree is not None
            assert isinstance(other, Shape)
            poses = (X_WA, X_WB) if tree is a else (X_WB, X_WA)
            type(self).convex(*tree.arrays, *packed(other), *poses, flat, first, last)
            return
        poses_and_rows = X_WA, X_WB, scales_a, flat
        while first < last:
            self.counts[obb_distance.LIMIT] = self.counts[obb_pair.BOX_PAIRS] + PIECE
            first = self._run_kernel((*a.arrays, *b.arrays, *poses_and_rows), first, last, tracked)

    def _run_kernel(self, arrays: tuple[Any, ...], first: int, last: int, tracked: bool) -> int:
        """Fill rows of two meshes; return where to continue."""
        raise NotImplementedError

    def finish(self, rows: FloatArray, X_WA: FloatArray, X_WB: FloatArray) -> None:
        """Complete the rows: common points of bodies in contact, faces instead of triangles, and A before B."""
        a, b = self.trees
        if a is not None and b is not None:
            finish_rows(rows, a, X_WA, b, X_WB)
            return
        tree = a if b is None else b
        assert tree is not None
        rows[:, 14] = tree.mesh._triangle_face[rows[:, 14].astype(np.int64)]
        if a is None:
            swap_rows(rows)


class NearestSearch(_Nearest):
    """A search by trees of oriented boxes; frames of a motion use what earlier ones have proved."""

    convex = mesh_convex.distance

    def __init__(self, a: Geometry, b: Geometry) -> None:
        super().__init__(a, b, (obb_tree_of(a), obb_tree_of(b)))
        self._memory = np.full(pair_heap.MEMORY, -1, np.int64)
        if None not in self.trees:
            self._motion = np.zeros(pair_heap.MOTION)
            self._reserve(FIRST_CAPACITY)

    @property
    def travelled(self) -> float:
        """How far B has moved relative to A in all frames, rounded up [m]."""
        return float(self._motion[pair_heap.TRAVELLED])

    def reset(self) -> None:
        """Discard the last frame."""
        self._memory[:] = -1

    def _run_kernel(self, arrays: tuple[Any, ...], first: int, last: int, tracked: bool) -> int:
        if not tracked:
            return _cold(*arrays, self.counts, first, last)
        memory = self._memory, self._motion, self._keys, self._nodes
        ended = _tracked(*arrays, *memory, self.counts, first, last)
        if ended >= 0:
            return ended
        self._reserve(4 * len(self._keys))
        self._memory[pair_heap.FRAME] = -1
        return -1 - ended

    def _reserve(self, n: int) -> None:
        self._keys, self._nodes = np.empty(n), np.empty(3 * n, np.int32)


class BoxNearest(_Nearest):
    """A search by box trees; a frame of a motion starts with the closest triangles of the last one."""

    convex = convex_distance.distance

    def __init__(self, a: Geometry, b: Geometry) -> None:
        trees = _box_tree_of(a), _box_tree_of(b)
        super().__init__(a, b, trees)
        self._warm = np.full(2, -1, np.int64)
        deepest = sum(tree.depth for tree in trees if tree is not None)
        self._stack = np.empty(box_distance.WAITING_PAIR * (deepest + 4))

    def reset(self) -> None:
        """Discard the last frame."""
        self._warm[:] = -1

    def _run_kernel(self, arrays: tuple[Any, ...], first: int, last: int, tracked: bool) -> int:
        return _by_boxes(*arrays, self._warm, self._stack, self.counts, tracked, first, last)


def finish_rows(rows: FloatArray, a: Tree, X_WA: FloatArray, b: Tree, X_WB: FloatArray) -> None:
    """Complete the rows: a common point of bodies that intersect, and faces instead of triangles."""
    if len(rows) == 1 and rows[0, gjk.STATE] != obb_distance.CONTAINED:
        _finish_one(rows[0], a, X_WA, b, X_WB)
        return
    state = rows[:, gjk.STATE]
    met = np.flatnonzero((state == gjk.TOUCHING) | (state == gjk.INTERFERING))
    state[met] = gjk.INTERFERING
    surfaces, poses = (*a.surface, *b.surface), (X_WA, X_WB)
    if len(met):
        hits = np.full((len(met), 4), -1, np.int32)
        hits[:, 0], hits[:, 1:3] = met, rows[met, 14:16]
        points, counts = np.empty(contact_points.HIT_NUMBERS * len(met)), np.empty(len(met), np.int32)
        contact_points.cut_hits(*surfaces, *poses, hits.reshape(-1), points, counts)
        inner = np.arange(6)[None] < counts[:, None]
        corners = np.where(inner[..., None], points.reshape(-1, 6, 3), 0.0)
        rows[met, 3:6] = rows[met, 6:9] = corners.sum(axis=1) / counts[:, None]
    within = np.flatnonzero(state == obb_distance.CONTAINED)
    if len(within):
        _give_inner_points(rows, within, a, X_WA, b, X_WB)
    rows[within, 14:16] = -1.0
    others = np.flatnonzero(state != obb_distance.CONTAINED)
    for tree, column in ((a, 14), (b, 15)):
        rows[others, column] = tree.mesh._triangle_face[rows[others, column].astype(np.int64)]
    # Exact arithmetic has proved surfaces apart even if their distance is below the rounding.
    rows[:, 0] = np.maximum(rows[:, 0], rows[:, 1])


def _finish_one(row: FloatArray, a: Tree, X_WA: FloatArray, b: Tree, X_WB: FloatArray) -> None:
    """Do the same for one row without a contained body: array code would cost 30 us in each single call."""
    i, j = int(row[14]), int(row[15])
    if row[gjk.STATE] != gjk.SEPARATE:
        row[gjk.STATE] = gjk.INTERFERING
        points, counts = np.zeros(contact_points.HIT_NUMBERS), np.empty(1, np.int32)
        hits = np.array([0, i, j, -1], np.int32)
        contact_points.cut_hits(*a.surface, *b.surface, X_WA, X_WB, hits, points, counts)
        n = int(counts[0])
        points[3 * n :] = 0.0
        row[3:6] = row[6:9] = points.reshape(-1, 3).sum(axis=0) / n
    _name_faces(row, a, b)


def _name_faces(row: FloatArray, a: Tree, b: Tree) -> None:
    """Complete a row: faces instead of triangles, and a distance that is not below its certified lower bound."""
    row[14], row[15] = a.mesh._triangle_face[int(row[14])], b.mesh._triangle_face[int(row[15])]
    if row[0] < row[1]:
        row[0] = row[1]


def _give_inner_points(
    rows: FloatArray,
    within: npt.NDArray[np.int64],
    a: Tree,
    X_WA: FloatArray,
    b: Tree,
    X_WB: FloatArray,
) -> None:
    """Complete rows of contained bodies with a vertex of the component that is inside."""
    inner, vertices = np.empty(len(within), np.int32), np.empty(len(within), np.int32)
    is_boxes = type(a) is BoxTree
    kernel = containment.contained_many_in_boxes if is_boxes else containment.contained_many
    kernel(*a.arrays, *b.arrays, X_WA, X_WB, within, inner, vertices)
    for k, which, vertex in zip(within, inner, vertices, strict=True):
        tree, poses = (a, X_WA) if which == 1 else (b, X_WB)
        X = poses[0 if len(poses) == 1 else k]
        rows[k, 3:6] = rows[k, 6:9] = X[:3, :3] @ tree.mesh._vertices[vertex] + X[:3, 3]


def swap_rows(rows: FloatArray) -> None:
    """Exchange A and B."""
    rows[:, 3:9] = rows[:, [6, 7, 8, 3, 4, 5]]
    rows[:, 9:12] *= -1.0
    rows[:, 14:16] = rows[:, [15, 14]]
