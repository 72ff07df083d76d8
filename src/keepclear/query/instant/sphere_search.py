"""Two sphere trees at given poses: possible contacts and bounds of the distance of the bodies that they cover."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, checked_flag, checked_length, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.pose import checked_poses
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.spheres.tree import ROUND_UP, SphereTree
from keepclear.geometry.trees.trees import tree_of
from keepclear.kernels.box_trees import containment
from keepclear.kernels.spheres import pair_search
from keepclear.kinds import SPHERE_TREES
from keepclear.query.batches import batch_size, checked_threads, in_pieces
from keepclear.query.instant.distance import distance
from keepclear.query.instant.sphere_results import TRACE, SphereCollision, SphereDistance

SMALLEST_HEAP = 1 << 12
ENOUGH = 1.0 + 1e-9  # far above rounding; it only causes a few more exact tests


class _Pair(NamedTuple):
    """Two trees and their checked poses, n pairs of them."""

    a: SphereTree
    b: SphereTree
    X_WA: FloatArray
    X_WB: FloatArray
    n: int
    single: bool
    solid: tuple[bool, bool]
    extents: tuple[float, float]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The first arguments of kernels: both trees and the poses."""
        return self.a._spheres, self.a._first, self.b._spheres, self.b._first, self.X_WA, self.X_WB

    def at(self, which: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the poses of A and B at some of the n, one repeated."""
        X_WA = self.X_WA if len(self.X_WA) == 1 else self.X_WA[which]
        return X_WA, self.X_WB if len(self.X_WB) == 1 else self.X_WB[which]


def _checked_pair(a: object, X_WA: object, b: object, X_WB: object) -> _Pair:
    """Return two sphere trees with their poses, or raise."""
    for name, body in (("A", a), ("B", b)):
        if body not in SPHERE_TREES:
            raise ArgumentError(
                f"a sphere tree is compared with another sphere tree, but body {name} is {shown(body)}; build one of "
                "it with kc.build_sphere_tree(shape, accuracy), or give both as shapes."
            )
    poses_a, _, single_a = checked_poses(X_WA, "X_WA", scaled=False)
    poses_b, _, single_b = checked_poses(X_WB, "X_WB", scaled=False)
    n = batch_size(len(poses_a), single_a, len(poses_b), single_b)
    tree_a, tree_b = cast(SphereTree, a), cast(SphereTree, b)
    solid = tree_a.shape.is_solid, tree_b.shape.is_solid
    extents = _extent(tree_a), _extent(tree_b)
    return _Pair(tree_a, tree_b, poses_a, poses_b, n, single_a and single_b, solid, extents)


def sphere_collide(
    a: object,
    X_WA: object,
    b: object,
    X_WB: object,
    find: str,
    margin: object,
    trace: object,
    threads: object,
    *,
    marks: bool = True,
) -> SphereCollision:
    """Return which smallest spheres of two trees are within a margin, and whether one body is inside the other.

    Args:
        a, X_WA, b, X_WB, find, margin, trace, threads: As in `kc.collide`; `find` is checked.
        marks: Whether children are marked before their pairs are compared; without it there are more tests, and the
            same hits.
    """
    pair = _checked_pair(a, X_WA, b, X_WB)
    width = checked_length("margin", margin)
    recording = checked_flag("trace", trace)
    search = _Search(pair, find == "all", width, marks)
    search.run(checked_threads(threads), recording)
    hits = search.hits
    contained = _contained(pair, search.found == 0)
    may_touch = (search.found > 0) | contained
    gap = np.full(pair.n, np.nan)
    if may_touch.any():
        bound = (pair.a.excess + pair.b.excess + width + 8.0 * _scene_rounding(pair)) * ROUND_UP
        gap[may_touch] = bound[may_touch]
    leaves_a, leaves_b = pair.a._rank_start[-2], pair.b._rank_start[-2]
    pairs, positions = hits[:, 1:] - (leaves_a, leaves_b), _midpoints(pair, hits)
    for array in (may_touch, gap, contained, pairs, positions, search.tests):
        array.flags.writeable = False
    ends = np.cumsum(np.maximum(search.found, 0))
    return SphereCollision(
        may_touch=bool(may_touch[0]) if pair.single else may_touch,
        gap=float(gap[0]) if pair.single else gap,
        pairs=pairs if pair.single else _split(pairs, ends),
        positions_W=positions if pair.single else _split(positions, ends),
        contained=bool(contained[0]) if pair.single else contained,
        tests=search.tests,
        trace=search.recorded() if recording else None,
        margin=width,
        find=find,
        solid=pair.solid,
    )


def _split(rows: npt.NDArray[Any], ends: IntArray) -> tuple[npt.NDArray[Any], ...]:
    """Return the rows of each pose."""
    return tuple(rows[i:j] for i, j in pairwise([0, *ends.tolist()]))


def sphere_distance(a: object, X_WA: object, b: object, X_WB: object, threads: object) -> SphereDistance:
    """Return bounds of the distance of two bodies by their sphere trees."""
    pair = _checked_pair(a, X_WA, b, X_WB)
    rows = np.empty((pair.n, pair_search.ROW))
    numbers = _numbers(pair, 0.0)

    def piece(first: int, last: int) -> None:
        size = SMALLEST_HEAP
        while first < last:
            keys, nodes = np.empty(size), np.empty(3 * size, np.int32)
            given = (*pair.arrays, numbers, first, last, keys, nodes, rows.reshape(-1))
            first = pair_search.approach(*given)
            size *= 4

    in_pieces(pair.n, checked_threads(threads), piece)
    least, rounding = rows[:, pair_search.LEAST], rows[:, pair_search.ROUNDING]
    contained = _contained(pair, (least > 0.0) & (rows[:, pair_search.ROOTS] <= 4.0 * rounding))
    lower = np.where(contained, 0.0, np.maximum(0.0, least - 4.0 * rounding))
    upper = np.maximum(0.0, least + pair.a.excess + pair.b.excess + 8.0 * rounding) * ROUND_UP
    upper = np.where(contained, 0.0, upper)
    closest = rows[:, pair_search.SPHERE_A : pair_search.SPHERE_B + 1].astype(np.int64)
    closest -= pair.a._rank_start[-2], pair.b._rank_start[-2]
    compared = int(rows[:, pair_search.COMPARED].sum())
    for array in (lower, upper, contained, closest):
        array.flags.writeable = False
    if pair.single:
        return SphereDistance(
            float(lower[0]), float(upper[0]), closest[0], bool(contained[0]), compared, pair.solid
        )
    return SphereDistance(lower, upper, closest, contained, compared, pair.solid)


class _Search:
    """A search of two trees at all poses: its findings and its effort.

    Attributes:
        found: The number of hits of each pose; -1 if the roots are farther apart than the margin.
        hits: Pose, sphere of A and sphere of B, (k, 3).
        tests: Pairs of spheres compared, (ranks of A, ranks of B).
    """

    def __init__(self, pair: _Pair, find_all: bool, margin: float, marks: bool) -> None:
        self._pair, self._find_all, self._marks = pair, find_all, marks
        self._numbers = _numbers(pair, margin)
        self._n_ranks = len(pair.a._radii), len(pair.b._radii)
        self.found = np.zeros(pair.n, np.int64)
        self.tests = np.zeros(self._n_ranks, np.int64)
        self._traced: list[IntArray] = []

    def run(self, threads: int, recording: bool) -> None:
        """Search all poses, on threads."""
        results: dict[int, tuple[IntArray, IntArray, IntArray]] = {}

        def piece(first: int, last: int) -> None:
            results[first] = self._run(first, last, recording)

        in_pieces(self._pair.n, threads, piece)
        ordered = [results[first] for first in sorted(results)]
        self.hits = np.concatenate([np.empty((0, 3), np.int64), *(hits for hits, _, _ in ordered)])
        self._traced = [trace for _, trace, _ in ordered]
        for _, _, tests in ordered:
            self.tests += tests

    def _run(self, first: int, last: int, recording: bool) -> tuple[IntArray, IntArray, IntArray]:
        """Search some poses; again if hits did not fit, or if tests are recorded, whose number is then known."""
        pair, (n_a, n_b) = self._pair, self._n_ranks
        options = np.array([self._find_all, self._marks, n_a, n_b, first, last])
        state = np.zeros(pair_search.TESTS + n_a * n_b, np.int64)
        frames = np.empty(pair_search.FRAME * (n_a + n_b + 1), np.int64)
        size = _most_marks(pair.a) + _most_marks(pair.b)
        marks, centers = np.empty(size, np.int32), np.empty(3 * size)
        hits, trace = np.empty(pair_search.HIT * max(last - first, 64), np.int64), np.empty(0, np.int64)
        while True:
            state[:] = 0
            given = (self._numbers, options, state, frames, marks, centers, self.found, hits, trace)
            arrays = (*pair.arrays, *given)
            pair_search.search(*arrays)
            n_hits, n_tests = (int(n) for n in state[: pair_search.TESTS])
            fits = pair_search.HIT * n_hits <= len(hits)
            if fits and (not recording or pair_search.TEST * n_tests <= len(trace)):
                break
            hits = np.empty(max(pair_search.HIT * n_hits, len(hits)), np.int64)
            trace = np.empty(pair_search.TEST * n_tests if recording else 0, np.int64)
        return (
            hits[: pair_search.HIT * n_hits].reshape(-1, pair_search.HIT),
            trace.reshape(-1, pair_search.TEST),
            state[pair_search.TESTS :].reshape(n_a, n_b),
        )

    def recorded(self) -> npt.NDArray[Any]:
        """Return the tests as a record array."""
        rows = np.concatenate(self._traced) if self._traced else np.empty((0, pair_search.TEST), np.int64)
        trace = np.empty(len(rows), TRACE)
        trace["pose"], trace["group"], trace["met"] = rows[:, 0], rows[:, 1], rows[:, 4] != 0
        for k, (name, tree) in enumerate((("a", self._pair.a), ("b", self._pair.b))):
            starts = np.array(tree._rank_start)
            rank = np.searchsorted(starts, rows[:, 2 + k], side="right") - 1
            trace[f"rank_{name}"], trace[name] = rank, rows[:, 2 + k] - starts[rank]
        trace.flags.writeable = False
        return trace.view(np.recarray)


def _most_marks(tree: SphereTree) -> int:
    """Return how many marks a search needs for one tree: the largest number of children of each rank, plus two."""
    return tree.most_children + 2 * len(tree._radii) + 2


def _extent(tree: SphereTree) -> float:
    """Return how far any sphere reaches from the origin of the tree's frame [m]."""
    x, y, z, reach = (float(value) for value in tree._spheres[: pair_search.SPHERE])
    return (math.hypot(x, y, z) + reach) * ROUND_UP


def _numbers(pair: _Pair, margin: float) -> FloatArray:
    return np.array([margin, *pair.extents])


def _scene_rounding(pair: _Pair) -> FloatArray:
    """Return the error of the distance of two centres at each pose, (n,) [m]."""
    # harmless (ENOUGH): the last digit of a term of which 8 are added where 4 are needed
    between = np.linalg.norm(pair.X_WB[:, :3, 3] - pair.X_WA[:, :3, 3], axis=1) * ENOUGH
    size = sum(pair.extents) + np.broadcast_to(between, (pair.n,))
    return np.asarray(pair_search.ROUNDING_SPHERES * size)


def _midpoints(pair: _Pair, hits: IntArray) -> FloatArray:
    """Return the points midway between the centres of the spheres of each hit, (k, 3) in the world [m]."""
    if len(hits) == 0:
        return np.empty((0, 3))
    X_WA, X_WB = pair.at(hits[:, 0])
    a = pair.a._spheres.reshape(-1, pair_search.SPHERE)[hits[:, 1], :3]
    b = pair.b._spheres.reshape(-1, pair_search.SPHERE)[hits[:, 2], :3]
    p_WA = np.einsum("kij,kj->ki", np.broadcast_to(X_WA[:, :3, :3], (len(a), 3, 3)), a) + X_WA[:, :3, 3]
    p_WB = np.einsum("kij,kj->ki", np.broadcast_to(X_WB[:, :3, :3], (len(b), 3, 3)), b) + X_WB[:, :3, 3]
    return np.asarray(0.5 * (p_WA + p_WB))


def _contained(pair: _Pair, asked: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return at which of the given poses one body is inside the other; covers must be apart there.

    Surfaces whose covers are apart do not touch. So a component of a surface is entirely inside a solid or entirely
    outside, and one of its points decides: exactly, by winding numbers, between meshes; by the distance of the solids
    with a convex body. Bodies whose root spheres are apart need no such test.
    """
    result = np.zeros(pair.n, bool)
    which: IntArray = np.flatnonzero(asked)
    if len(which) == 0 or not any(pair.solid):
        return result
    shape_a, shape_b = pair.a.shape, pair.b.shape
    if isinstance(shape_a, Mesh) and isinstance(shape_b, Mesh):
        inner, vertices = np.empty(len(which), np.int32), np.empty(len(which), np.int32)
        arrays = *tree_of(shape_a, "obb_tree").arrays, *tree_of(shape_b, "obb_tree").arrays
        containment.contained_many(*arrays, pair.X_WA, pair.X_WB, which, inner, vertices)
        result[which] = inner > 0
    else:
        X_WA, X_WB = (np.broadcast_to(X, (len(which), 4, 4)) for X in pair.at(which))
        result[which] = distance(shape_a, X_WA, shape_b, X_WB).colliding
    return result
