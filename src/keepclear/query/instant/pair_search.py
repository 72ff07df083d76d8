"""The faces of two meshes that intersect, searched in chunks that can be interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.pose import checked_poses, refuse_pose
from keepclear.geometry.trees.trees import BoxTree, Tree
from keepclear.kernels.box_trees import containment, pair
from keepclear.kernels.convex.pose import project_scaled_poses
from keepclear.kernels.tables import surface
from keepclear.kernels.trees import contact_points, obb_pair
from keepclear.kernels.triangles import exact
from keepclear.query.batches import batch_size
from keepclear.results import Collision, Contacts, State

Hits = npt.NDArray[np.int32]
Pairs = npt.NDArray[np.int64]

PIECE = 1 << 21  # steps between two checks for Ctrl-C; a tenth of a second
_NO_HITS = np.empty((0, obb_pair.HIT), np.int32)
_NO_PAIRS = np.empty((0, 2), np.int64)
_NO_CONTACTS = Contacts(np.empty((0, 2, 3)), np.empty(0, bool), {})
_ONE_STATE = {int(state): np.array([state], np.int8) for state in State}
_STARTS = (np.zeros(2, np.int64), np.array([0, 1], np.int64))  # of no pair, and of one at one pose
_FIRST, _NOWHERE = np.zeros(1, np.int64), np.empty(0, np.int64)
_SOLID = surface.SOLID
_INTERFERING, _CONTAINED = (
    int(State.INTERFERING),
    int(State.CONTAINED),
)  # members of an enum are slow in arrays


class _OfThread(threading.local):
    """Scratch of a thread: allocating its pages again would cost as much as a short search.

    Attributes:
        digits: Scratch that no call of a kernel needs from the last one.
        state: The same, for searches at one pose.
        hits: The same.
        scales: The same, of both poses.
        stacks: For each kind of tree the stack of the last finished search.
    """

    def __init__(self) -> None:
        self.digits = np.empty(exact.SCRATCH, np.int64)
        self.state = np.zeros(obb_pair.STATE, np.int64)
        self.scales = np.empty(2)
        self.hits = np.empty(2 * obb_pair.HIT, np.int32)
        self.stacks: dict[str, Any] = {}

    def stack(self, a: Tree, b: Tree) -> Any:
        """Return a stack for a search of two trees; no other search uses it until it is given back."""
        found = self.stacks.pop(a.kind, None)
        if type(a) is BoxTree and type(b) is BoxTree:
            size = pair.PAIR * (a.depth + b.depth + 2)
            return found if found is not None and len(found) >= size else np.empty(size)
        return np.empty(obb_pair.STACK, np.int32) if found is None else found


_of_thread = _OfThread()


class PairSearch:
    """A search for the faces of two trees that intersect, at one pair of poses or at n in a row.

    Args:
        a: Tree of the first body.
        X_WA: Its pose (4, 4) or poses (n, 4, 4), which may include a uniform scale.
        b: Tree of the second body, of the same kind.
        X_WB: Its pose or poses.
        find: "all" pairs of faces, or "any" for one at each pose.
    """

    __slots__ = (
        "_buffer",
        "_done",
        "_find",
        "_hits",
        "_poses",
        "_single",
        "_stack",
        "_state",
        "_taken",
        "_trees",
        "n_poses",
    )

    def __init__(self, a: Tree, X_WA: npt.ArrayLike, b: Tree, X_WB: npt.ArrayLike, find: str = "all") -> None:
        poses_a, _, single_a = checked_poses(X_WA, "X_WA", scaled=True)
        poses_b, _, single_b = checked_poses(X_WB, "X_WB", scaled=True)
        self.n_poses = batch_size(len(poses_a), single_a, len(poses_b), single_b)
        self._trees, self._find = (a, b), find
        self._poses = (poses_a, poses_b)
        self._single = single_a and single_b
        self._state = np.zeros(obb_pair.STATE, np.int64)
        self._state[obb_pair.DEPTH] = -1
        self._stack: Any = None
        rows = self.n_poses + 1 if find == "any" else max(self.n_poses + 1, 64)
        self._buffer = np.empty(obb_pair.HIT * rows, np.int32)
        self._hits: list[Hits] = []
        self._taken = self._done = 0

    def part(self, first: int, last: int) -> PairSearch:
        """Return a search of the poses from `first` to before `last`."""
        poses = [X[0] if len(X) == 1 else X[first:last] for X in self._poses]
        result = PairSearch(self._trees[0], poses[0], self._trees[1], poses[1], self._find)
        result._single = False
        result.n_poses = last - first
        return result

    def run(self, budget: int = PIECE) -> bool:
        """Search for at most the given number of steps, and return whether the search is finished; releases the GIL."""
        if self.n_poses == 0:
            return True
        left = budget
        while True:
            ended, before = self._run_kernel(left), self._done
            if self._state[obb_pair.HITS]:
                self._empty_buffer()
            if ended == obb_pair.DONE:
                self._check_inside()
                _of_thread.stacks[self._trees[0].kind], self._stack = self._stack, None
                return True
            self._done = self._steps()
            if ended != obb_pair.FULL:
                return False
            left = max(1, left - (self._done - before))

    def _run_kernel(self, budget: int) -> int:
        a, b = self._trees
        find_all = self._find == "all"
        if self._stack is None:
            self._stack = _of_thread.stack(a, b)
        scratch = self._state, self._stack, self._buffer, _of_thread.digits
        if type(a) is BoxTree:
            return int(pair.collide(*a.arrays, *b.arrays, *self._poses, *scratch, find_all, budget))
        return int(obb_pair.collide(*a.arrays, *b.arrays, *self._poses, *scratch, find_all, budget))

    def _check_inside(self) -> None:
        """Add the poses at which one body is inside the other; with oriented boxes the search has found them."""
        a, b = self._trees
        if type(a) is not BoxTree or not (a.arrays[0][_SOLID] or b.arrays[0][_SOLID]):
            return
        if self.n_poses == 1:  # one call in a loop: array code would cost 20 us
            poses = _NOWHERE if self._hits else _FIRST
        else:
            poses = np.setdiff1d(np.arange(self.n_poses), self.hits()[:, 0])
        if not len(poses):
            return
        inner, vertices = np.empty(len(poses), np.int32), np.empty(len(poses), np.int32)
        containment.contained_many_in_boxes(*a.arrays, *b.arrays, *self._poses, poses, inner, vertices)
        if not inner.any():
            return
        rows = np.zeros((len(poses), obb_pair.HIT), np.int32)
        rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] = poses, -1, inner, obb_pair.CONTAINED
        self._hits.append(rows[inner > 0])

    def run_to_end(self) -> PairSearch:
        """Finish the search; Ctrl-C works between two chunks."""
        while not self.run():
            pass
        return self

    def take(self) -> tuple[Pairs, FloatArray]:
        """Return the faces of the triangles found since the last call, (k, 2), and their intersections.

        An intersection is a segment (2, 3) in the world, the longest one for two coplanar triangles.
        """
        new = self._hits[self._taken :]
        self._taken = len(self._hits)
        hits = np.concatenate([_NO_HITS, *new])
        hits = hits[hits[:, 3] != obb_pair.CONTAINED]
        if not len(hits):
            return _NO_PAIRS, _NO_CONTACTS.segments_W
        return self._faces(hits), _contacts(self._trees, self._poses, hits).segments_W

    def hits(self) -> Hits:
        """Return all hits so far, (k, 4): pose, triangle of A, of B, kind."""
        return np.concatenate([_NO_HITS, *self._hits])

    def result(self, hits: Hits | None = None) -> Collision:
        """Return the result of a finished search, or of one whose parts found `hits`."""
        if (
            hits is None
            and self.n_poses == 1
            and (not self._hits or (len(self._hits) == 1 and len(self._hits[0]) == 1))
        ):
            return self._of_one()
        hits = self.hits() if hits is None else hits
        n = self.n_poses
        state = np.zeros(n, np.int8)
        if len(hits) == 0:
            return self._answer(state, np.zeros(n + 1, np.int64), _NO_PAIRS, _NO_CONTACTS)
        state[hits[:, 0]] = np.where(hits[:, 3] == obb_pair.CONTAINED, _CONTAINED, _INTERFERING)
        hits = hits[hits[:, 3] != obb_pair.CONTAINED]
        faces = self._faces(hits)
        group = np.arange(len(hits))
        if self._find == "all" and len(hits) > 1:
            order = np.lexsort((hits[:, 2], hits[:, 1], faces[:, 1], faces[:, 0], hits[:, 0]))
            hits, faces = hits[order], faces[order]
            is_new = (hits[1:, 0] != hits[:-1, 0]) | (faces[1:] != faces[:-1]).any(axis=1)
            group = np.concatenate([[0], 1 + np.flatnonzero(is_new)])
        start = np.searchsorted(hits[group, 0], np.arange(n + 1)) if n > 1 else np.array([0, len(group)])

        def contacts() -> Contacts:
            found = _contacts(self._trees, self._poses, hits)
            return found if len(group) == len(hits) else _merged(found, group)

        return self._answer(state, start.astype(np.int64), faces[group], contacts)

    def _of_one(self) -> Collision:
        """Return the result for one pose, at which at most one pair of triangles was found."""
        hit = self._hits[0][0].tolist() if self._hits else None
        return _collision_at_one_pose(self._trees, self._poses, hit, self._find, self._single)

    def _answer(
        self,
        state: npt.NDArray[np.int8],
        start: Pairs,
        pairs: Pairs,
        contacts: Contacts | Callable[[], Contacts],
    ) -> Collision:
        return Collision(
            state,
            start,
            pairs,
            contacts,
            single=self._single,
            find=self._find,
            using=self._trees[0].kind,
            solid=(self._trees[0].mesh.is_solid, self._trees[1].mesh.is_solid),
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many pairs of boxes and of triangles were compared, and how many needed exact arithmetic."""
        s = self._state
        return {
            "box_pairs": int(s[obb_pair.BOX_PAIRS]),
            "triangle_pairs": int(s[obb_pair.LEAF_PAIRS]),
            "exact_pairs": int(s[obb_pair.EXACT_PAIRS]),
        }

    def _steps(self) -> int:
        return int(self._state[obb_pair.BOX_PAIRS] + self._state[obb_pair.LEAF_PAIRS])

    def _empty_buffer(self) -> None:
        n = int(self._state[obb_pair.HITS])
        self._hits.append(self._buffer[: obb_pair.HIT * n].reshape(n, obb_pair.HIT).copy())
        self._state[obb_pair.HITS] = 0
        if obb_pair.HIT * n == len(self._buffer) and n < 1 << 20:
            self._buffer = np.empty(4 * len(self._buffer), np.int32)

    def _faces(self, hits: Hits) -> Pairs:
        faces = np.empty((len(hits), 2), np.int64)
        faces[:, 0] = self._trees[0].mesh._triangle_face[hits[:, 1]]
        faces[:, 1] = self._trees[1].mesh._triangle_face[hits[:, 2]]
        return faces


def collide_at_one_pose(a: Tree, X_WA: FloatArray, b: Tree, X_WB: FloatArray) -> Collision:
    """Return whether two trees of oriented boxes intersect at one pair of poses, and one pair of faces that does.

    It replaces `PairSearch` for single calls in a loop, where creating the object would cost as much as the search.

    Args:
        a: Tree of the first body.
        X_WA: Its pose (4, 4), of float64.
        b: Tree of the second body.
        X_WB: Its pose.
    """
    both, scratch = np.empty((2, 4, 4)), _of_thread
    both[0], both[1] = X_WA, X_WB
    bad = project_scaled_poses(both, scratch.scales)
    if bad:
        k, why = divmod(-bad - 1, 8)
        refuse_pose("X_WB" if k else "X_WA", (X_WB if k else X_WA)[None], 0, why, single=True)
    poses, state, hits, stack = (both[:1], both[1:]), scratch.state, scratch.hits, scratch.stack(a, b)
    state.fill(0)
    state[obb_pair.DEPTH] = -1
    ended = obb_pair.collide(*a.arrays, *b.arrays, *poses, state, stack, hits, scratch.digits, False, PIECE)
    if ended != obb_pair.DONE:
        return PairSearch(a, X_WA, b, X_WB, "any").run_to_end().result()
    scratch.stacks[a.kind] = stack
    hit = hits[: obb_pair.HIT].tolist() if state[obb_pair.HITS] else None
    return _collision_at_one_pose((a, b), poses, hit, "any", True)


def _collision_at_one_pose(
    trees: tuple[Tree, Tree],
    poses: tuple[FloatArray, FloatArray],
    hit: list[int] | None,
    find: str,
    single: bool,
) -> Collision:
    """Return the result for one pose, at which at most one pair of triangles was found."""
    state, start = 0, _STARTS[0]
    pairs: Pairs | Callable[[], Pairs] = _NO_PAIRS
    contacts: Contacts | Callable[[], Contacts] = _NO_CONTACTS
    if hit is not None:
        state, some = _CONTAINED, []
        if hit[3] != obb_pair.CONTAINED:
            state, start, some, pairs = _INTERFERING, _STARTS[1], [hit], partial(_faces_of_hit, trees, hit)
        contacts = partial(_contacts_of_hits, trees, poses, some)
    mesh_a, mesh_b = trees[0].mesh, trees[1].mesh
    return Collision(
        _ONE_STATE[state],
        start,
        pairs,
        contacts,
        single=single,
        find=find,
        using=trees[0].kind,
        solid=(mesh_a.is_solid, mesh_b.is_solid),
    )


def _faces_of_hit(trees: tuple[Tree, Tree], hit: list[int]) -> Pairs:
    return np.array([[trees[k].mesh._triangle_face[hit[1 + k]] for k in (0, 1)]], np.int64)


def _contacts_of_hits(
    trees: tuple[Tree, Tree], poses: tuple[FloatArray, FloatArray], hits: list[list[int]]
) -> Contacts:
    return _contacts(trees, poses, np.array(hits, np.int32).reshape(-1, obb_pair.HIT))


def _contacts(trees: tuple[Tree, Tree], poses: tuple[FloatArray, FloatArray], hits: Hits) -> Contacts:
    """Return where the triangles of the hits intersect."""
    n = len(hits)
    points, counts = np.empty(contact_points.HIT_NUMBERS * n), np.empty(n, np.int32)
    surfaces = (*trees[0].surface, *trees[1].surface)
    contact_points.cut_hits(*surfaces, *poses, np.ascontiguousarray(hits).reshape(-1), points, counts)
    corners = points.reshape(n, 6, 3)
    segments = corners[:, :2].copy()
    polygons = {}
    for k in np.flatnonzero(counts > 2):
        polygons[int(k)] = polygon = corners[k, : counts[k]].copy()
        segments[k] = _longest_diagonal(polygon)
    return Contacts(segments, hits[:, 3] == exact.COPLANAR, polygons)


def _longest_diagonal(points: FloatArray) -> FloatArray:
    between = points[:, None] - points[None]
    i, j = np.unravel_index(np.einsum("ijk,ijk->ij", between, between).argmax(), (len(points), len(points)))
    return points[[i, j]]


def _merged(contacts: Contacts, group: npt.NDArray[np.int64]) -> Contacts:
    """Return one entry per pair of polygons from those of their triangles: the hull of the intersections."""
    segments, coplanar, polygons = [], [], {}
    for g, (i, j) in enumerate(zip(group, [*group[1:], len(contacts.coplanar)], strict=True)):
        points = np.concatenate([contacts.polygons_W.get(k, contacts.segments_W[k]) for k in range(i, j)])
        segments.append(_longest_diagonal(points))
        coplanar.append(bool(contacts.coplanar[i:j].all()))
        if any(k in contacts.polygons_W for k in range(i, j)):
            polygons[g] = _flat_hull(points)
    return Contacts(np.array(segments).reshape(-1, 2, 3), np.array(coplanar, bool), polygons)


def _flat_hull(points: FloatArray) -> FloatArray:
    """Return the corners of the convex hull of points that lie in a plane, in order."""
    center = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - center, full_matrices=False)
    x, y = axes[:2] @ (points - center).T
    order = np.lexsort((y, x))
    chains = []
    for path in (order, order[::-1]):
        chain: list[int] = []
        for k in path:
            while len(chain) > 1 and _turn(x, y, chain[-2], chain[-1], k) <= 0.0:
                chain.pop()
            chain.append(k)
        chains += chain[:-1]
    return points[chains]


def _turn(x: FloatArray, y: FloatArray, i: int, j: int, k: int) -> float:
    return float((x[j] - x[i]) * (y[k] - y[i]) - (y[j] - y[i]) * (x[k] - x[i]))
