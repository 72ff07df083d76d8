"""Convex bodies that hold the bodies of a scene, and the pairs of them that are proved to keep clear in one run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.continuous.followed import FollowedContact
from keepclear.continuous.moving_pair import ConvexPairs, ConvexStore
from keepclear.kernels.advance.swept_leaf import EVALUATIONS, UNPROVED
from keepclear.motions.custom import UnpackedMotion
from keepclear.motions.motion import Motion
from keepclear.preprocess import hulls
from keepclear.proximity.distance import Body
from keepclear.scene.timeline import part_of
from keepclear.shapes.mesh import Mesh

if TYPE_CHECKING:
    from keepclear.scene.scene import Scene

IntArray = npt.NDArray[np.int64]
# Hulls are advanced with at most so many distance queries for each pair; exact shapes take over where they do not do.
HULL_BUDGET = 40
UNKNOWN, NONE, UNPACKED = -2, -1, -3


def hull_of(body: Body) -> Body | None:
    """Return a convex body that holds the given one: itself, the hull of a mesh, or None where there is none."""
    mesh = getattr(body, "mesh", body)
    return hulls.hull_of(mesh) if isinstance(mesh, Mesh) else body


class HullTable:
    """The hulls and motions of a scene as kernels read them; hulls are added when they are first needed.

    Args:
        scene: The scene.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene, table = scene, scene.motions
        packed = [not isinstance(motion, UnpackedMotion) for motion in table.motions]
        self._store = ConvexStore(
            (), [m for m, is_packed in zip(table.motions, packed, strict=True) if is_packed]
        )
        numbers = np.where(packed, np.cumsum(packed) - 1, UNPACKED)
        self._hull = np.full(len(scene.geoms), UNKNOWN)
        self._numbers: dict[int, tuple[int, Body]] = {}  # with the hull: the id of a dead one may come again
        carriers = scene.timeline.carriers
        single = np.array([len(carriers[i]) == 1 for i, _ in scene.geoms], dtype=bool)
        self._motion = np.where(single, numbers[table.number[table.first_row]], NONE)
        robots: dict[int, int] = {}
        self._robot = np.array([
            NONE if carriers[i][0].robot is None else robots.setdefault(id(carriers[i][0].robot), len(robots))
            for i, _ in scene.geoms
        ], np.int64)  # fmt: skip
        self._relative: dict[tuple[int, int, int, int], tuple[int, int]] = {}
        self._extra: dict[int, tuple[int, Motion]] = {}
        self._lock = threading.Lock()

    def left_open(
        self, tasks: Tasks, margins: FloatArray, tolerance: float, budget: int | None
    ) -> tuple[npt.NDArray[np.bool_], IntArray, FloatArray]:
        """Return which tasks hulls do not prove clear, their numbers of distance queries, and until when each is clear.

        Each of these has n entries.
        """
        left, counts = np.ones(len(tasks.a), dtype=bool), np.zeros(len(tasks.a), np.int64)
        clear_until = tasks.t0.copy()
        with self._lock:  # two questions at once must not give one number to two hulls
            hull_a, hull_b = self._hull_rows(tasks.a), self._hull_rows(tasks.b)
            rows = np.flatnonzero((hull_a >= 0) & (hull_b >= 0))
            motion_a, motion_b = self._motion_rows(tasks, rows)
        kept = (motion_a >= 0) & (motion_b >= 0)
        rows, motion_a, motion_b = rows[kept], motion_a[kept], motion_b[kept]
        if not len(rows):
            return left, counts, clear_until
        cases = np.stack([hull_a[rows], motion_a, hull_b[rows], motion_b], axis=1)
        most = HULL_BUDGET if budget is None else min(budget, HULL_BUDGET)
        t0, t1 = tasks.t0[rows], tasks.t1[rows]
        pairs = ConvexPairs(self._store, cases, t0, t1, (margins[rows], tolerance), most)
        pairs.run(0, len(rows))
        clear, t_lo = FollowedContact.proved(pairs.answers, t0, t1)
        proved = pairs.answers[:, UNPROVED] == 0.0
        left[rows] = ~(clear & proved)
        counts[rows] = pairs.counts[:, EVALUATIONS]
        clear_until[rows] = np.where(proved, np.clip(t_lo, t0, t1), t0)
        return left, counts, clear_until

    def _hull_rows(self, geoms: IntArray) -> IntArray:
        """Return the numbers of hulls in the store, NONE where a body has none; those that are missing are added."""
        new: list[Body] = []
        for g in np.unique(geoms[self._hull[geoms] == UNKNOWN]).tolist():
            hull = hull_of(part_of(self._scene.items, self._scene.geoms[g]).body)
            if hull is None:
                self._hull[g] = NONE
                continue
            known = self._numbers.get(id(hull))
            if known is None:
                known = self._numbers[id(hull)] = self._store.n_bodies + len(new), hull
                new.append(hull)
            self._hull[g] = known[0]
        self._store.add_bodies(new)
        return self._hull[geoms]

    def _motion_rows(self, tasks: Tasks, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return the numbers of the motions of A and B for some tasks; two links of a robot have a relative one."""
        a, b = tasks.a[rows], tasks.b[rows]
        motion_a, motion_b = self._motion[a], self._motion[b]
        together = (self._robot[a] >= 0) & (self._robot[a] == self._robot[b])
        new: list[Motion] = []
        for k in np.flatnonzero((motion_a == NONE) | (motion_b == NONE) | together).tolist():
            motion_a[k], motion_b[k] = self._pair_motions(int(a[k]), int(b[k]), float(tasks.t0[rows[k]]), new)
        self._store.add_motions(new)
        return motion_a, motion_b

    def _pair_motions(self, a: int, b: int, t: float, new: list[Motion]) -> tuple[int, int]:
        timeline, geoms = self._scene.timeline, self._scene.geoms
        key = a, b, timeline.carrier(geoms[a][0], t), timeline.carrier(geoms[b][0], t)
        found = self._relative.get(key)
        if found is None:
            seen = timeline.seen(geoms[a], geoms[b], t, hulls=True)
            if isinstance(seen.motion_a, UnpackedMotion) or isinstance(seen.motion_b, UnpackedMotion):
                return UNPACKED, UNPACKED
            found = self._relative[key] = self._number(seen.motion_a, new), self._number(seen.motion_b, new)
        return found

    def _number(self, motion: Motion, new: list[Motion]) -> int:
        known = self._extra.get(id(motion))
        if known is None:
            known = self._extra[id(motion)] = self._store.n_motions + len(new), motion
            new.append(motion)
        return known[0]


class Tasks:
    """Pairs of bodies and windows of time in which their boxes are near each other, as columns.

    Attributes:
        pair: (n,) the row of the pair of items.
        a: (n,) the first body.
        b: (n,) the second body.
        t0: (n,) start of the window [s].
        t1: (n,) its end [s].
        margin: (n,) what they must keep [m].
        hint: (n,) when they are likely to be close [s].
        apart: (n,) whether they are proved apart just before the window starts.
    """

    def __init__(
        self,
        pair: IntArray,
        a: IntArray,
        b: IntArray,
        t0: FloatArray,
        t1: FloatArray,
        margin: FloatArray,
        hint: FloatArray,
    ) -> None:
        self.pair, self.a, self.b = pair, a, b
        self.t0, self.t1, self.margin, self.hint = t0, t1, margin, hint
        self.apart = np.zeros(len(pair), dtype=bool)

    def __len__(self) -> int:
        return len(self.pair)

    def __getitem__(self, rows: npt.NDArray[np.bool_] | IntArray) -> Tasks:
        columns = self.pair, self.a, self.b, self.t0, self.t1, self.margin, self.hint
        found = Tasks(*(column[rows] for column in columns))  # type: ignore[arg-type]
        found.apart = self.apart[rows]
        return found
