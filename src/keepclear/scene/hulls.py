"""Convex hulls of the bodies of a scene, and the pairs that they prove clear in one run."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.geometry.bodies.body import Geometry, is_on_boxes
from keepclear.geometry.hulls import build as hulls
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.kernels.tables.pair import Pairs, forget_answers
from keepclear.motion.motion import Motion
from keepclear.query.moving.moving_pair import BodyTable
from keepclear.query.moving.question import Query
from keepclear.scene.timeline import part_of

if TYPE_CHECKING:
    from keepclear.scene.scene import Scene

IntArray = npt.NDArray[np.int64]
# Greatest number of distance queries for the hulls of each pair; if they do not decide, exact shapes are compared.
HULL_BUDGET = 40
UNKNOWN, NONE, UNPACKED = -2, -1, -3


def hull_of(body: Geometry) -> Geometry | None:
    """Return a convex body that contains the given one: itself, or the hull of a mesh; None if there is none."""
    mesh = getattr(body, "mesh", body)
    return hulls.hull_of(mesh) if isinstance(mesh, Mesh) else body


class HullTable:
    """The hulls, exact shapes and motions of a scene in the form of kernels; each is added when it is first needed.

    Args:
        scene: The scene.

    Attributes:
        store: The hulls, exact shapes and motions.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene, table = scene, scene.motions
        packed = [motion._is_packed for motion in table.motions]
        motions = [m for m, is_packed in zip(table.motions, packed, strict=True) if is_packed]
        self.store = BodyTable((), motions)
        numbers = np.where(packed, np.cumsum(packed) - 1, UNPACKED)
        self._hull, self._exact = (np.full(len(scene.geoms), UNKNOWN) for _ in range(2))
        # With the hull: ids of deleted objects are reused.
        self._numbers: dict[int, tuple[int, Geometry]] = {}
        parents = scene.timeline.parent_frames
        single = np.array([len(parents[i]) == 1 for i, _ in scene.geoms], dtype=bool)
        self._motion = np.where(single, numbers[table.number[table.first_row]], NONE)
        robots: dict[int, int] = {}
        self._robot = np.array([
            NONE if parents[i][0].robot is None else robots.setdefault(id(parents[i][0].robot), len(robots))
            for i, _ in scene.geoms
        ], np.int64)  # fmt: skip
        self._relative: dict[tuple[int, int, int, int], tuple[int, int]] = {}
        self._extra = {id(m): (k, m) for k, m in enumerate(motions)}
        self._lock = threading.Lock()

    def search(self, rows: Pairs, tolerance: float, budget: int | None) -> HullSearch:
        """Return a search, not begun, for the rows that hulls do not prove clear of their margins.

        Args:
            rows: Rows of PAIR with bodies, interval and margin; they receive hulls, motions and results.
            tolerance: How much farther than the margin hulls may be apart without a proof [m].
            budget: Maximum number of distance queries for each row, or None.
        """
        self._fill(rows, np.arange(len(rows)), tolerance)
        self.store.prepare(rows)
        return HullSearch(self.store, rows, HULL_BUDGET if budget is None else min(budget, HULL_BUDGET))

    def least(self, rows: Pairs, which: IntArray, below: float, tolerance: float, budget: int | None) -> None:
        """Find the minimum distances of the hulls of some rows, as far as these are less than `below` [m].

        Rows without hulls, with one instant, or without a proof become `unproved`.
        """
        self._fill(rows, which, tolerance)
        rows["margin"] = 0.0
        # An instant would be searched until the next float64, where bodies may jump.
        rows["unproved"] |= rows["t0"] >= rows["t1"]
        self.store.prepare(rows)
        self.store.least(rows, budget, below)

    def fill_exact(self, rows: Pairs, check: Callable[[int], Query]) -> None:
        """Write the numbers of exact shapes and their motions into rows of PAIR, of which nothing is known yet.

        Rows that kernels do not advance become `unproved`: those with user-defined motions, bodies given as box trees,
        an instant while bodies move, and those whose query is refused, so that it is refused again when it is asked.

        Args:
            rows: The rows.
            check: Returns the checked query of a row; one row is asked for every two bodies with their parent frames.
        """
        timeline, geoms = self._scene.timeline, self._scene.geoms
        for name in ("shape_a", "shape_b", "motion_a", "motion_b"):
            rows[name] = -1
        rows["swapped"] = 0
        known: dict[tuple[int, int, int, int], tuple[int, int, bool] | None] = {}
        new: list[Motion] = []
        with self._lock:
            for k, (a, b) in enumerate(zip(rows["geom_a"].tolist(), rows["geom_b"].tolist(), strict=True)):
                t = rows["t0"].item(k)
                key = a, b, timeline.parent_index(geoms[a][0], t), timeline.parent_index(geoms[b][0], t)
                if key not in known:
                    known[key] = self._exact_motions(partial(check, k), new)
                found = known[key]
                if found is not None and (rows["t1"][k] > t or found[2]):
                    rows["motion_a"][k], rows["motion_b"][k] = found[:2]
            self.store.add_motions(new)
            which = np.flatnonzero(rows["motion_a"] >= 0)
            shape_a, shape_b = (self._exact_rows(rows[name][which]) for name in ("geom_a", "geom_b"))
        rows["shape_a"][which], rows["shape_b"][which] = np.where(shape_b < 0, NONE, shape_a), shape_b
        self.store.prepare(rows)

    def _exact_motions(self, check: Callable[[], Query], new: list[Motion]) -> tuple[int, int, bool] | None:
        """Return the numbers of the motions of two exact shapes, and whether they never move; None if not advanced."""
        try:
            query = check()
        except KeepclearError:
            return None
        if not query.is_advanced:
            return None
        return self._number(query.motion_a, new), self._number(query.motion_b, new), query.at_rest

    def surfaces_of(self, rows: Pairs) -> IntArray:
        """Return the body of each GEOM itself, (geoms,), known for those of some rows; -1 for one on a box tree."""
        with self._lock:
            self._exact_rows(np.unique([rows["geom_a"], rows["geom_b"]]))
        found: IntArray = np.maximum(self._exact, NONE)
        return found

    def _exact_rows(self, geoms: IntArray) -> IntArray:
        return self._rows_of(self._exact, geoms, lambda body: None if is_on_boxes(body, body) else body)

    def _fill(self, rows: Pairs, which: IntArray, tolerance: float) -> None:
        """Write the numbers of hulls and motions of some rows; rows without them keep -1."""
        rows["tolerance"] = tolerance
        with self._lock:  # two concurrent queries must not assign one number to two hulls
            hull_a, hull_b = (
                self._rows_of(self._hull, rows[name][which], hull_of) for name in ("geom_a", "geom_b")
            )
            known = (hull_a >= 0) & (hull_b >= 0)
            hull_a, hull_b, which = hull_a[known], hull_b[known], which[known]
            motion_a, motion_b = self._motion_rows(rows, which)
        known = (motion_a >= 0) & (motion_b >= 0)
        which, names = which[known], ("shape_a", "shape_b", "motion_a", "motion_b")
        for name, column in zip(names, (hull_a, hull_b, motion_a, motion_b), strict=True):
            rows[name][which] = column[known]
        rows["unproved"][which] = 0

    def _rows_of(
        self, numbers: IntArray, geoms: IntArray, body_of: Callable[[Geometry], Geometry | None]
    ) -> IntArray:
        """Return the numbers in the store of what is made of the bodies of some GEOMs; missing ones are added.

        Args:
            numbers: (geoms,) the known numbers, which are completed; NONE where nothing is made.
            geoms: The GEOMs.
            body_of: Makes a hull, or returns the body itself.
        """
        new: list[Geometry] = []
        for g in np.unique(geoms[numbers[geoms] == UNKNOWN]).tolist():
            body = body_of(part_of(self._scene.items, self._scene.geoms[g]).body)
            if body is None:
                numbers[g] = NONE
                continue
            known = self._numbers.get(id(body))
            if known is None:
                known = self._numbers[id(body)] = len(self.store.bodies) + len(new), body
                new.append(body)
            numbers[g] = known[0]
        self.store.add_bodies(new)
        found: IntArray = numbers[geoms]
        return found

    def _motion_rows(self, rows: Pairs, which: IntArray) -> tuple[IntArray, IntArray]:
        """Return the numbers of the motions of A and B for some rows; two links of a robot have a relative one."""
        a, b = rows["geom_a"][which], rows["geom_b"][which]
        motion_a, motion_b = self._motion[a], self._motion[b]
        together = (self._robot[a] >= 0) & (self._robot[a] == self._robot[b])
        new: list[Motion] = []
        for k in np.flatnonzero((motion_a == NONE) | (motion_b == NONE) | together).tolist():
            motion_a[k], motion_b[k] = self._pair_motions(
                int(a[k]), int(b[k]), rows["t0"].item(which[k]), new
            )
        self.store.add_motions(new)
        return motion_a, motion_b

    def _pair_motions(self, a: int, b: int, t: float, new: list[Motion]) -> tuple[int, int]:
        timeline, geoms = self._scene.timeline, self._scene.geoms
        key = a, b, timeline.parent_index(geoms[a][0], t), timeline.parent_index(geoms[b][0], t)
        found = self._relative.get(key)
        if found is None:
            motion_a, motion_b, _ = timeline.relative_motion(geoms[a], geoms[b], t, hulls=True)
            if not (motion_a._is_packed and motion_b._is_packed):
                return UNPACKED, UNPACKED
            found = self._relative[key] = self._number(motion_a, new), self._number(motion_b, new)
        return found

    def _number(self, motion: Motion, new: list[Motion]) -> int:
        known = self._extra.get(id(motion))
        if known is None:
            known = self._extra[id(motion)] = self.store.n_motions + len(new), motion
            new.append(motion)
        return known[0]


class HullSearch:
    """The hulls of rows advanced through time; rows that they do not prove clear stay open.

    Args:
        store: The hulls.
        rows: Rows of PAIR, prepared.
        most: Maximum number of distance queries for each.
    """

    def __init__(self, store: BodyTable, rows: Pairs, most: int) -> None:
        self._store, self.rows, self._most = store, rows, most
        rows["limit"] = most

    @property
    def is_open(self) -> npt.NDArray[np.bool_]:
        """Which rows are not proved clear to their ends, (n,)."""
        return self._state()[0]

    def _state(self) -> tuple[npt.NDArray[np.bool_], FloatArray]:
        """Return which rows are open, and the time until which each is proved clear, (n,) [s]."""
        rows, unproved = self.rows, self.rows["unproved"] != 0
        since, time, now, t1 = (rows[name] for name in ("since", "time", "now", "t1"))
        clear = (time == math.inf) & np.where(rows["t0"] < t1, now >= t1, now > t1)
        t_lo = np.where(clear, t1, np.where(time > now, now, np.minimum(time, t1)))
        until = np.where(unproved, since, np.minimum(np.maximum(t_lo, since), t1))
        return unproved | ~clear, until

    def _have_stopped(self) -> npt.NDArray[np.bool_]:
        """Return which rows are not advanced farther: they come too near, are unproved, or at their limits, (n,)."""
        rows = self.rows
        stopped: npt.NDArray[np.bool_] = (rows["time"] < math.inf) | (rows["unproved"] != 0)
        return stopped | (rows["evaluations"] >= rows["limit"])

    def run_within(self, within: float = math.inf) -> float:
        """Advance hulls, each until its row ends or they come too near, and return the horizon [s].

        Args:
            within: How long after the first time at which hulls come too near the others are advanced [s]. Rows that
                start earlier should come first.
        """
        horizon = math.inf
        if within < math.inf:
            is_open, until = self._state()
            horizon = float(until[is_open & self._have_stopped()].min(initial=math.inf)) + within
        return self._store.advance(self.rows, self._most, until=horizon, within=within)

    def stopped(self, horizon: float = math.inf) -> IntArray:
        """Return the rows that are open before a horizon: their hulls come too near, or there are none.

        From the time until which they are clear, exact shapes decide: `since`.
        """
        rows, (is_stopped, until) = self.rows, self._state()
        if horizon < math.inf:
            is_stopped = is_stopped & self._have_stopped() & (until <= horizon)
        found: IntArray = is_stopped.nonzero()[0]
        rows["apart"][found] |= until[found] > rows["since"][found]
        rows["since"][found] = until[found]
        return found

    def go_on(self, which: IntArray, horizon: float, are_apart: npt.NDArray[np.bool_]) -> None:
        """Begin again at a horizon with rows that have been decided until then.

        Args:
            which: Their numbers.
            horizon: The time until which they are decided [s].
            are_apart: Which of them are proved clear until then.
        """
        rows, t1 = self.rows, self.rows["t1"][which]
        over = t1 <= horizon
        forget_answers(rows, which, np.where(over, math.inf, horizon))
        rows["since"][which], rows["apart"][which] = np.minimum(t1, horizon), are_apart
        rows["unproved"][which] = (rows["shape_a"][which] < 0) & ~over
