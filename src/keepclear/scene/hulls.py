"""Convex hulls of the bodies of a scene, and the pairs that they prove clear in one run."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.continuous.advancement_result import AdvancementContact
from keepclear.continuous.moving_pair import ConvexPairs, ConvexStore
from keepclear.motions.custom import UnpackedMotion
from keepclear.motions.motion import Motion
from keepclear.preprocess import hulls
from keepclear.proximity.box_distance import is_on_boxes
from keepclear.proximity.distance import Body
from keepclear.proximity.mesh_distance import obb_tree_of
from keepclear.scene.timeline import part_of
from keepclear.shapes.mesh import Mesh

if TYPE_CHECKING:
    from keepclear.scene.scene import Scene

IntArray = npt.NDArray[np.int64]
# Greatest number of distance queries for the hulls of each pair; if they do not decide, exact shapes are compared.
HULL_BUDGET = 40
UNKNOWN, NONE, UNPACKED = -2, -1, -3
_NO_SURFACE = np.empty(0), np.empty(0, np.int32), np.empty(0, np.float32), np.empty(0, np.int32)


def hull_of(body: Body) -> Body | None:
    """Return a convex body that contains the given one: itself, or the hull of a mesh; None if there is none."""
    mesh = getattr(body, "mesh", body)
    return hulls.hull_of(mesh) if isinstance(mesh, Mesh) else body


class HullTable:
    """The hulls and motions of a scene in the form of kernels; hulls are added when first needed.

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
        self._numbers: dict[int, tuple[int, Body]] = {}  # with the hull: ids of deleted objects are reused
        parents = scene.timeline.parent_frames
        single = np.array([len(parents[i]) == 1 for i, _ in scene.geoms], dtype=bool)
        self._motion = np.where(single, numbers[table.number[table.first_row]], NONE)
        robots: dict[int, int] = {}
        self._robot = np.array([
            NONE if parents[i][0].robot is None else robots.setdefault(id(parents[i][0].robot), len(robots))
            for i, _ in scene.geoms
        ], np.int64)  # fmt: skip
        self._relative: dict[tuple[int, int, int, int], tuple[int, int]] = {}
        self._extra: dict[int, tuple[int, Motion]] = {}
        self._surfaces: dict[int, tuple[Any, ...]] = {}
        self._lock = threading.Lock()

    def search(self, tasks: Tasks, margins: FloatArray, tolerance: float, budget: int | None) -> HullSearch:
        """Return a search, not begun, for the tasks that hulls do not prove clear of their margins, (n,) [m]."""
        rows, cases = self._cases(tasks)
        most = HULL_BUDGET if budget is None else min(budget, HULL_BUDGET)
        return HullSearch(self._store, rows, cases, tasks, (margins, tolerance), most)

    def least(self, tasks: Tasks, below: float, tolerance: float, budget: int | None) -> HullDistances:
        """Return bounds of the minimum distances of the hulls of tasks, as far as these are less than `below`."""
        return HullDistances(self, tasks, below, tolerance, budget)

    def _cases(self, tasks: Tasks) -> tuple[IntArray, IntArray]:
        """Return the tasks whose hulls and motions are known, (m,), and their cases for `ConvexPairs`, (m, 4)."""
        with self._lock:  # two concurrent queries must not assign one number to two hulls
            hull_a, hull_b = self._hull_rows(tasks.a), self._hull_rows(tasks.b)
            rows = np.flatnonzero((hull_a >= 0) & (hull_b >= 0))
            motion_a, motion_b = self._motion_rows(tasks, rows)
        kept = (motion_a >= 0) & (motion_b >= 0)
        rows = rows[kept]
        return rows, np.stack([hull_a[rows], motion_a[kept], hull_b[rows], motion_b[kept]], axis=1)

    def _surface(self, geom: int) -> tuple[Any, ...]:
        """Return the arrays of a mesh and its tree; arrays of length 0 for a body that is its own hull."""
        found = self._surfaces.get(geom)
        if found is None:
            tree = obb_tree_of(part_of(self._scene.items, self._scene.geoms[geom]).body)
            found = self._surfaces[geom] = _NO_SURFACE if tree is None else tree.arrays
        return found

    def _is_on_boxes(self, a: int, b: int) -> bool:
        """Return whether two bodies are compared by box trees, for which kernels of moving surfaces do not exist."""
        items, geoms = self._scene.items, self._scene.geoms
        return is_on_boxes(part_of(items, geoms[a]).body, part_of(items, geoms[b]).body)

    def _hull_rows(self, geoms: IntArray) -> IntArray:
        """Return the numbers of hulls in the store, NONE for a body without one; missing hulls are added."""
        numbers: IntArray = self._hull[geoms]
        if not (numbers == UNKNOWN).any():
            return numbers
        new: list[Body] = []
        for g in np.unique(geoms[numbers == UNKNOWN]).tolist():
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
        key = a, b, timeline.parent_index(geoms[a][0], t), timeline.parent_index(geoms[b][0], t)
        found = self._relative.get(key)
        if found is None:
            motion_a, motion_b, _ = timeline.relative_motion(geoms[a], geoms[b], t, hulls=True)
            if isinstance(motion_a, UnpackedMotion) or isinstance(motion_b, UnpackedMotion):
                return UNPACKED, UNPACKED
            found = self._relative[key] = self._number(motion_a, new), self._number(motion_b, new)
        return found

    def _number(self, motion: Motion, new: list[Motion]) -> int:
        known = self._extra.get(id(motion))
        if known is None:
            known = self._extra[id(motion)] = self._store.n_motions + len(new), motion
            new.append(motion)
        return known[0]


class HullSearch:
    """The hulls of tasks advanced through time; tasks that they do not prove clear stay open.

    Args:
        store: Hulls and motions.
        rows: (m,) the tasks whose hulls and motions are known.
        cases: (m, 4) the numbers of their hulls and motions.
        tasks: The tasks.
        numbers: Margins (n,) and the tolerance [m].
        most: Maximum number of distance queries for each task.

    Attributes:
        tasks: See above.
        is_open: (n,) which tasks are not proved clear to their ends.
        clear_until: (n,) the time until which each is proved clear [s].
        counts: (n,) the number of distance queries of each.
    """

    def __init__(
        self,
        store: ConvexStore,
        rows: IntArray,
        cases: IntArray,
        tasks: Tasks,
        numbers: tuple[FloatArray, float],
        most: int,
    ) -> None:
        n = len(tasks)
        self.tasks, self._rows = tasks, rows
        self.is_open, self.counts = np.ones(n, dtype=bool), np.zeros(n, np.int64)
        self.clear_until, self._is_apart = tasks.t0.copy(), np.zeros(n, dtype=bool)
        self._has_stopped, self._since = np.ones(n, dtype=bool), tasks.t0  # no hulls: open at once
        self._has_stopped[rows] = False
        self._pairs: ConvexPairs | None = None
        if len(rows):
            margins, tolerance = numbers
            t0, t1 = tasks.t0[rows], tasks.t1[rows]
            self._pairs = ConvexPairs(store, cases, t0, t1, (margins[rows], tolerance), most)

    def run(self, within: float = math.inf) -> float:
        """Advance hulls, each until its task ends or they come too near, and return the horizon [s].

        Args:
            within: How long after the first time at which hulls come too near the others are advanced [s]. Tasks
                that start earlier should come first.
        """
        pairs, rows, horizon = self._pairs, self._rows, math.inf
        if within < math.inf:
            stopped = self.clear_until[self.is_open & self._has_stopped]
            horizon = float(stopped.min(initial=math.inf)) + within
        if pairs is None:
            return horizon
        horizon = pairs.run_until(0, len(pairs.rows), horizon, within)
        since, t1 = self._since[rows], self.tasks.t1[rows]
        clear, t_lo = AdvancementContact.proved(pairs.rows)
        proved = pairs.rows["unproved"] == 0
        is_open = ~(clear & proved)
        self.is_open[rows], self._has_stopped[rows] = is_open, is_open & pairs.have_stopped
        self.counts[rows] = pairs.rows["evaluations"]
        self.clear_until[rows] = np.where(proved, np.clip(t_lo, since, t1), since)
        return horizon

    def stopped(self, horizon: float = math.inf) -> IntArray:
        """Return the tasks that are open before a horizon: their hulls come too near, or there are none."""
        found = self.is_open
        if horizon < math.inf:
            found = found & self._has_stopped & (self.clear_until <= horizon)
        rows: IntArray = found.nonzero()[0]
        return rows

    def left(self, which: IntArray, horizon: float = math.inf) -> Tasks:
        """Return the remaining parts of some tasks before a horizon."""
        found, t0 = self.tasks[which], self.clear_until[which]
        found.apart = (t0 > self._since[which]) | self._is_apart[which]
        found.t0, found.t1 = t0, np.minimum(found.t1, horizon)
        return found

    def go_on(self, which: IntArray, horizon: float, are_apart: npt.NDArray[np.bool_]) -> None:
        """Begin again at a horizon with tasks that have been decided until then.

        Args:
            which: Their numbers.
            horizon: The time until which they are decided [s].
            are_apart: Which of them are proved clear until then.
        """
        t1 = self.tasks.t1
        over = t1[which] <= horizon
        self._since = self._since.copy()
        self._since[which] = self.clear_until[which] = np.minimum(t1[which], horizon)
        self._is_apart[which] = are_apart
        self.is_open[which[over]] = False
        if self._pairs is not None:
            row = np.full(len(t1), -1)
            row[self._rows] = np.arange(len(self._pairs.rows))
            has_hulls = row[which] >= 0
            self._has_stopped[which[has_hulls]] = False
            self._pairs.begin_again(row[which[has_hulls]], np.where(over, math.inf, horizon)[has_hulls])


class HullDistances:
    """Bounds of the minimum distances of the hulls of n tasks, and of the bodies in them.

    Attributes:
        lower: (n,) the bodies are never closer than this [m]; 0 where no hull or motion is known, at single instants,
            and where the budget ended or rounding leaves no proof.
        upper: (n,) their hulls come as close as this [m]; `below` if they are not closer, or unknown.
        time: (n,) the time of that distance [s].
        effort: (n,) the number of distance queries.
    """

    def __init__(
        self, table: HullTable, tasks: Tasks, below: float, tolerance: float, budget: int | None
    ) -> None:
        n = len(tasks)
        self._table, self._tasks = table, tasks
        self.lower, self.upper = np.zeros(n), np.full(n, below)
        self.time, self.effort = tasks.t0.copy(), np.zeros(n, np.int64)
        self._case = np.full(n, NONE)
        rows, cases = table._cases(tasks)
        spans = (
            tasks.t0[rows] < tasks.t1[rows]
        )  # an instant would be searched until the next float64, where bodies may jump
        rows, cases = rows[spans], cases[spans]
        if not len(rows):
            return
        t0, t1 = tasks.t0[rows], tasks.t1[rows]
        self._pairs = ConvexPairs(table._store, cases, t0, t1, (0.0, tolerance), budget)
        found = self._pairs.run_least(0, len(rows), np.full(len(rows), below), tasks.hint[rows])
        self.effort[rows] = found.effort
        known = found.proved  # where rounding leaves no proof, exact shapes are compared in local time
        self._case[rows[known]] = np.flatnonzero(known)
        self.lower[rows[known]], self.upper[rows[known]] = found.lower[known], found.upper[known]
        self.time[rows[known]] = found.time[known]

    def reached(self, task: int, enough: float, tolerance: float) -> tuple[float, float]:
        """Return an upper bound of the minimum distance of two bodies [m], and when it is reached [s].

        Infinity where none is known.

        Args:
            task: Which task.
            enough: It is not improved below this [m].
            tolerance: Nor by less than this [m].
        """
        case, time = int(self._case[task]), float(self.time[task])
        if case < 0 or self._table._is_on_boxes(int(self._tasks.a[task]), int(self._tasks.b[task])):
            return math.inf, time
        of_a, of_b = (
            self._table._surface(int(self._tasks.a[task])),
            self._table._surface(int(self._tasks.b[task])),
        )
        if of_a is _NO_SURFACE and of_b is _NO_SURFACE:
            return float(self.upper[task]), time
        return self._pairs.reached(case, time, of_a, of_b, enough, tolerance)

    def near_windows(self, task: int, limit: float, tolerance: float) -> list[tuple[float, float]]:
        """Return windows of a task [s] outside of which its hulls prove that the bodies keep a distance [m].

        Args:
            task: Which task.
            limit: The distance [m].
            tolerance: Times at which the distance exceeds `limit` by more than twice this are mostly outside [m].
        """
        case = int(self._case[task])
        t0, t1 = float(self._tasks.t0[task]), float(self._tasks.t1[task])
        return self._pairs.near_windows(case, limit, tolerance) if case >= 0 and t0 < t1 else [(t0, t1)]


class Tasks:
    """Pairs of bodies and windows of time in which their boxes are near each other, as columns.

    Attributes:
        pair: (n,) the row of the pair of items.
        a: (n,) the first body.
        b: (n,) the second body.
        t0: (n,) start of the window [s].
        t1: (n,) its end [s].
        margin: (n,) the margin of the pair [m].
        hint: (n,) a time at which they are likely to be close [s].
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

    @classmethod
    def joined(cls, parts: Sequence[Tasks]) -> Tasks:
        """Return the concatenated tasks of all parts."""
        names = "pair", "a", "b", "t0", "t1", "margin", "hint"
        found = cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
        found.apart = np.concatenate([part.apart for part in parts])
        return found

    def __len__(self) -> int:
        return len(self.pair)

    def __getitem__(self, rows: npt.NDArray[np.bool_] | IntArray) -> Tasks:
        columns = self.pair, self.a, self.b, self.t0, self.t1, self.margin, self.hint
        found = Tasks(*(column[rows] for column in columns))  # type: ignore[arg-type]
        found.apart = self.apart[rows]
        return found
