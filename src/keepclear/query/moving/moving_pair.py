"""Two moving bodies as the flat arrays that the kernels for an interval of time read."""

from __future__ import annotations

import functools
import itertools
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from keepclear.checks import MOST_EVALUATIONS, FloatArray, IntArray
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.bounds import BoundingVolumes, bounding_volumes_of, shape_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.trees.surface import surface_of_mesh
from keepclear.kernels.advance import boxes, minimum, surface_bounds
from keepclear.kernels.advance import convex as swept_convex
from keepclear.kernels.advance import mesh_convex as swept_mesh_convex
from keepclear.kernels.advance import mesh_pair as swept_pair
from keepclear.kernels.advance import rows as exact_rows
from keepclear.kernels.convex import gjk
from keepclear.kernels.tables.body import ARRAYS, BODY
from keepclear.kernels.tables.pair import Pairs, new_pair, new_pairs
from keepclear.kernels.trees import mesh_convex
from keepclear.motion.motion import Head, Motion, head_of
from keepclear.query.instant.mesh_distance import obb_tree_of
from keepclear.query.moving.question import Query

ROUND_UP = 1.0 + 1e-12
# Pairs of boxes and distances between two checks for Ctrl-C; about a tenth of a second.
PIECE = 1 << 18
CONVEX_PIECE = 1 << 16
MOST_ROWS = 1 << 14  # rows of convex pairs between two such checks
MOST_WINDOWS = 8  # windows in which exact shapes of a pair are searched for their minimum distance

_advance_pairs: Callable[..., int] = swept_convex.advance_pairs
_advance_pair: Callable[..., int] = swept_convex.advance_pair
_least_pair: Callable[..., int] = minimum.least_pair
_least_pairs: Callable[..., int] = minimum.least_pairs
_first_contacts: Callable[..., int] = exact_rows.first_contacts
_starts_inside: Callable[..., bool] = exact_rows.starts_inside
_reached_by_units: Callable[..., None] = surface_bounds.reached_by_units
_least_distances: Callable[..., int] = exact_rows.least_distances
_NO_TREE = np.empty(0, np.float32), np.empty(0, np.int32)


class _OfThread(threading.local):
    """The data of a thread: its stop event, and scratch, which takes as long to make as a short search."""

    stop: threading.Event | None = None

    @functools.cached_property
    def meshes(self) -> tuple[Any, ...]:
        """Scratch for a search with a mesh."""
        return (
            np.empty(boxes.WINDOW * swept_pair.MOST_WINDOWS),
            np.empty(2 * swept_pair.MOST_WINDOWS, np.int32),
            np.empty(swept_pair.STACK, np.int32),
        )

    @functools.cached_property
    def convex(self) -> tuple[Any, ...]:
        """Scratch for a search with two convex bodies."""
        return np.empty(minimum.WORK), np.zeros(gjk.MEMORY)


_local = _OfThread()


def stop_when(event: threading.Event) -> None:
    """End searches of this thread with `KeyboardInterrupt` soon after an event, as in the main thread."""
    _local.stop = event


def check_for_stop() -> None:
    """Raise `KeyboardInterrupt` if this thread was asked to stop."""
    stop = _local.stop
    if stop is not None and stop.is_set():
        raise KeyboardInterrupt


@dataclass(slots=True)
class MovingPair:
    """Two moving bodies: A, in whose frame the search is done, and B, which moves there.

    Of a mesh and a convex body, A is the mesh. Otherwise A is the body with the rigid motion, and of two of them the
    larger one: distant points of a body have long paths.

    Attributes:
        bodies: A and B.
        arrays: The arrays of A and of B for kernels; None until they are needed.
        packs: Their motions.
        row: The question and its answer so far, one row of PAIR.
        is_convex: Whether neither body is a mesh.
    """

    bodies: tuple[Geometry, Geometry]
    arrays: tuple[tuple[Any, ...], tuple[Any, ...]] | None
    packs: tuple[FloatArray, FloatArray]
    row: Pairs
    is_convex: bool

    @classmethod
    def of(cls, query: Query, *, least: bool = False) -> MovingPair:
        """Return the pair of a query."""
        a, b, Q_A, Q_B = query.body_a, query.body_b, query.motion_a._packed, query.motion_b._packed
        volumes_a, volumes_b = bounding_volumes_of(a), bounding_volumes_of(b)
        head_a, head_b = head_of(query.motion_a), head_of(query.motion_b)
        swapped = belongs_second(volumes_a, volumes_b, head_a.rank, head_b.rank)
        if swapped:
            a, b, Q_A, Q_B, head_a, head_b = b, a, Q_B, Q_A, head_b, head_a
        # One instant: the shortest span that contains it.
        end = query.t1 if query.t0 < query.t1 else math.nextafter(query.t1, math.inf)
        scale = _scene_size(head_a, head_b, volumes_a.extent + volumes_b.extent)
        ball, times = (volumes_a if swapped else volumes_b).ball_row, (query.t0, query.t1, end)
        row = new_pair(times, query.margin, query.tolerance, scale, ball, swapped, least)
        is_convex = not (volumes_a.is_mesh or volumes_b.is_mesh)
        return cls((a, b), None, (Q_A, Q_B), row, is_convex)

    @classmethod
    def of_faces(cls, query: Query, faces: Sequence[int]) -> MovingPair | None:
        """Return the pair of one face of each body that is a mesh, and of each that is not, for their minimum distance.

        None where a mesh has no such face: one body is inside the other.

        Args:
            query: The query.
            faces: Numbers of the faces of its A and B; that of a convex body is not read.
        """
        pair, balls = cls.of(query, least=True), [np.empty(5) for _ in range(2)]
        cores = []
        for k, body in enumerate(pair.bodies):
            if bounding_volumes_of(body).is_mesh:
                arrays: tuple[Any, ...] = surface_of_mesh(cast(Mesh, shape_of(body)))
                core, face = np.zeros(mesh_convex.ROOM), faces[1 - k if pair.swapped else k]
                if not 0 <= face < len(arrays[1]) // 3:
                    return None
                swept_pair.write_triangle(arrays[0], arrays[1], face, core, balls[k])
                arrays = core, np.zeros(1, np.int32)
            else:
                arrays, balls[k] = _arrays(body), bounding_volumes_of(body).ball_row
            cores.append(arrays)
        pair.arrays, pair.row["ball"], pair.is_convex = (cores[0], cores[1]), balls[1], True
        return pair

    @property
    def swapped(self) -> bool:
        """Whether A is the query's B."""
        return bool(self.row["swapped"][0])

    def bodies_as_arrays(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the arrays of A and of B for kernels; trees are built here."""
        if self.arrays is None:
            arrays_of: Any = packed if self.is_convex else _arrays
            self.arrays = arrays_of(self.bodies[0]), arrays_of(self.bodies[1])
        return self.arrays

    def starts_inside(self, query: Query) -> bool:
        """Return whether one body is inside the other at the start, which a comparison of surfaces does not find."""
        if query.starts_apart or not bounding_volumes_of(self.bodies[0]).is_mesh:
            return False
        of_a, of_b = self.bodies_as_arrays()
        of_b = of_b if len(of_b) == len(of_a) else (*of_b, *_NO_TREE)
        return bool(_starts_inside(*of_a, *of_b, *self.packs, self.row, _local.meshes[0], _local.convex[0]))

    def run(
        self, budget: int | None, of_meshes: Callable[..., int] | None = None, piece: int = PIECE
    ) -> None:
        """Search until the result is known or the budget of distances is used up; Ctrl-C works.

        Args:
            budget: Maximum number of distances.
            of_meshes: Another kernel for two meshes, with the arguments of `swept_pair.search`.
            piece: Pairs of boxes and distances between two checks for Ctrl-C.
        """
        most = MOST_EVALUATIONS if budget is None else budget
        row = self.row
        of_a, of_b = self.bodies_as_arrays()
        if self.is_convex:
            search = _least_pair if row["least"][0] else _advance_pair
            scratch = _local.convex
        else:
            found = (swept_pair if bounding_volumes_of(self.bodies[1]).is_mesh else swept_mesh_convex).search
            search, scratch = of_meshes or found, _local.meshes
        arrays = (*of_a, *of_b, *self.packs, row, *scratch)
        check_for_stop()
        row["limit"] = min(piece, most)
        while search(*arrays) != swept_pair.DONE and row["evaluations"][0] < most:
            check_for_stop()
            done = row["evaluations"].item()
            row["limit"] = done + row["box_pairs"].item() + min(piece, most - done)


def run_convex(
    arrays: tuple[Any, ...], begin: int, end: int, most: int, search: Callable[..., int], *more: Any
) -> int:
    """Search pairs `begin` to before `end` until all answers are known or their budgets end; Ctrl-C works.

    Returns what the last call of the kernel returned: how many pairs are at their limits, or a negative number.

    Args:
        arrays: Arguments of `swept_convex.advance_pairs` and `least_convex.least_pairs`; the rows are the last.
        begin: First pair.
        end: Last pair plus one.
        most: Maximum number of distances for each pair.
        search: The kernel for first contacts, or for minimum distances.
        more: Its further arguments.
    """
    limits, limit = arrays[-1]["limit"][begin:end], 0
    while begin < end:
        check_for_stop()
        limit = min(limit + CONVEX_PIECE, most)
        limits.fill(limit)
        paused = search(*arrays, begin, end, *more)
        if paused <= 0 or limit >= most:  # or all budgets are used up
            return paused
    return 0


class BodyTable:
    """Bodies and motions as rows that kernels read, for many pairs of them; more can be added.

    Attributes:
        bodies: Rows of BODY; they do not keep their arrays alive, the table does.
        n_motions: How many motions there are.
    """

    def __init__(self, bodies: Sequence[Geometry] = (), motions: Sequence[Motion] = ()) -> None:
        self._Q, self._motions, self.bodies = np.empty(0), np.empty(0, np.int64), np.empty(0, BODY)
        self._kept: list[tuple[Any, ...]] = []
        self.add_bodies(bodies)
        self.add_motions(motions)

    @property
    def n_motions(self) -> int:
        return len(self._motions)

    def add_bodies(self, bodies: Sequence[Geometry]) -> None:
        """Add bodies; they get the next numbers. Trees of meshes are built here."""
        if not bodies:
            return
        arrays, volumes = [_arrays(body) for body in bodies], [bounding_volumes_of(body) for body in bodies]
        rows = np.zeros(len(bodies), BODY)
        for (address, count), parts in zip(
            ARRAYS, itertools.zip_longest(*arrays, fillvalue=()), strict=False
        ):
            rows[count] = [len(part) for part in parts]
            rows[address] = [part.ctypes.data if len(part) else 0 for part in parts]
        rows["ball"], rows["extent"] = [line.ball for line in volumes], [line.extent for line in volumes]
        self._kept += arrays
        self.bodies = np.concatenate([self.bodies, rows]) if len(self.bodies) else rows

    def add_motions(self, motions: Sequence[Motion]) -> None:
        """Add motions; they get the next numbers."""
        if not motions:
            return
        self._Q, first, _ = _joined(self._Q, [m._packed for m in motions])
        self._motions = np.concatenate([self._motions, first])

    def arrays(self, rows: Pairs) -> tuple[Any, ...]:
        """Return the arguments of kernels for rows of pairs."""
        return self.bodies, self._Q, self._motions, rows

    def prepare(self, rows: Pairs) -> None:
        """Complete rows of PAIR that have shapes and motions (of A and B as the question has them), and an interval."""
        if len(rows):
            swept_convex.fill_pairs(*self.arrays(rows))

    def advance(
        self,
        rows: Pairs,
        budget: int | None,
        begin: int = 0,
        end: int | None = None,
        until: float = math.inf,
        within: float = math.inf,
    ) -> float:
        """Advance prepared rows until all answers are known or their budgets end, and return the horizon [s].

        Ctrl-C works.

        Args:
            rows: Rows of PAIR. Those that start earlier should come first if there is a horizon.
            budget: Maximum number of distances for each of them.
            begin: First row.
            end: Last row plus one.
            until: The horizon at the beginning, beyond which rows are not advanced [s].
            within: How long after the first row that is not advanced to its end the horizon is [s].
        """
        end, horizon, arrays = len(rows) if end is None else end, np.array([until, within]), self.arrays(rows)
        most = MOST_EVALUATIONS if budget is None else budget
        for first in range(begin, end, MOST_ROWS):
            run_convex(arrays, first, min(first + MOST_ROWS, end), most, _advance_pairs, horizon)
        return float(horizon[0])

    def first_contacts(self, rows: Pairs, budget: int | None, begin: int, end: int, state: FloatArray) -> int:
        """Search the first contacts of prepared rows in one call of `rows.first_contacts`, and return where to go on.

        A row there is left to the caller if it is `unproved`, else it is paused; before that Ctrl-C works.
        """
        check_for_stop()
        most = MOST_EVALUATIONS if budget is None else budget
        return _first_contacts(*self.arrays(rows), begin, end, most, state, *_local.meshes, *_local.convex)

    def least(self, rows: Pairs, budget: int | None, below: float | FloatArray) -> None:
        """Find bounds of the minimum distances of prepared rows: `lower`, `distance`, and its `time`. Ctrl-C works.

        Without a proof, and after the end of a budget, the lower one is 0. Where nothing below `below` was found, the
        upper one is infinite.

        Args:
            rows: Rows of PAIR, not advanced yet.
            budget: Maximum number of distances for each of them.
            below: Distances above this are not computed, one for all rows or (n,); may be infinite [m].
        """
        most = MOST_EVALUATIONS if budget is None else budget
        rows["distance"], rows["time"], rows["lower"] = below, rows["now"], math.inf
        run_convex(self.arrays(rows), 0, len(rows), most, _least_pairs)
        proved = rows["unproved"] == 0
        lower = np.minimum(rows["lower"], rows["distance"])
        rows["lower"] = np.where(proved & (rows["now"] >= rows["end"]), lower, 0.0)
        rows["distance"] = np.where(proved & (rows["distance"] < below), rows["distance"], math.inf)
        rows["time"] = np.where(proved, rows["time"], rows["t0"])

    def reached(
        self, rows: Pairs, surfaces: IntArray, order: IntArray, tolerance: float, n_units: int
    ) -> FloatArray:
        """Return upper bounds of the minimum distances of units, from rows whose hulls were searched.

        Args:
            rows: The rows.
            surfaces: The body of each GEOM itself; -1 for one without kernels.
            order: Which of them, by unit, and in each unit by their lower bounds.
            tolerance: How far apart the bounds of a unit may be [m].
            n_units: How many units there are.

        Returns:
            (n_units, 4): the bound [m], infinite where none is known; its time [s]; its row, or -1; and how many rows
            were searched.
        """
        found = np.empty((n_units, 4))
        _reached_by_units(*self.arrays(rows), surfaces, order, tolerance, found)
        return found

    def least_below(
        self, hulls: Pairs, rows: Pairs, budget: int | None, found: FloatArray, tolerance: float, part: float,
        by_caller: Callable[[int, float, float], tuple[float, float, float, int]],
    ) -> None:  # fmt: skip
        """Search the minimum distances of units below what is known, as `rows.least_distances` does; Ctrl-C works.

        Args:
            hulls: See there, like the following.
            rows: See there.
            budget: Maximum number of distances of each search; with one, each distance counts, and all of the time is
                searched.
            found: See there.
            tolerance: See there.
            part: See there.
            by_caller: Returns a lower and an upper bound, its time and the number of distances for a row in a span of
                time that is left to it.
        """
        state, spans, only = np.array([-1.0, 0.0, tolerance, part]), np.empty(2 * MOST_WINDOWS), new_pairs(1)
        most, k = MOST_EVALUATIONS if budget is None else budget, 0
        more = most, budget is None, state, found, spans, *_local.meshes, *_local.convex
        while k < len(rows):
            check_for_stop()
            k = _least_distances(*self.arrays(hulls), rows, only, k, *more)
            if k < len(rows) and only["unproved"][0]:
                lower, upper, time, effort = by_caller(k, only["t0"].item(), only["t1"].item())
                found[k, exact_rows.LOWER] = min(found[k, exact_rows.LOWER], lower)
                found[k, exact_rows.EFFORT] += effort
                if upper < found[k, exact_rows.BELOW]:
                    found[k, : exact_rows.LOWER] = upper, time, k
                state[exact_rows.NEXT] += 1.0
                only["limit"] = only["unproved"] = 0


def _joined(known: Any, parts: Sequence[Any]) -> tuple[Any, IntArray, IntArray]:
    """Return arrays appended to the known ones, and where each starts and ends, (n,)."""
    sizes = itertools.accumulate(map(len, parts), initial=len(known))
    ends = np.fromiter(sizes, np.int64, len(parts) + 1)
    # joined as bytes, which takes half as long as `np.concatenate` of many short arrays
    return np.frombuffer(bytearray().join([known, *parts]), known.dtype), ends[:-1], ends[1:]


def belongs_second(a: BoundingVolumes, b: BoundingVolumes, rank_a: int = 0, rank_b: int = 0) -> bool:
    """Return whether A of a question is the body that moves in the frame of the other; ranks are those of motions."""
    if a.is_mesh != b.is_mesh:
        return b.is_mesh
    if rank_a != rank_b:
        return rank_a > rank_b
    return a.ball.radius < b.ball.radius


def _scene_size(head_a: Head, head_b: Head, extents: float) -> float:
    """Return the size that rounding is relative to, as `kernels.motion.scene_size` does [m]."""
    return (head_a.place + head_b.place + max(head_a.terms, head_b.terms) * extents) / head_a.smallest


def _arrays(body: Geometry) -> tuple[Any, ...]:
    if bounding_volumes_of(body).is_mesh:
        tree = obb_tree_of(body)
        assert tree is not None
        return tree.arrays
    return packed(cast(Shape, body))
