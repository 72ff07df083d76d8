"""Edges and configurations of one robot in a world: many queries of planners in one compiled run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.errors import ArgumentError
from keepclear.kernels.edges import check
from keepclear.kernels.tables.record import Rows
from keepclear.kernels.tables.robot import EDGE_ANSWER, EDGE_ASKED, INTERVAL, MOVED_BODY, NODE, OPEN_PAIR
from keepclear.query.moving.moving_pair import check_for_stop
from keepclear.report.words import counted
from keepclear.results import Verdict
from keepclear.scene.robots.robot_tables import RobotTables

__all__ = ["CheckedConfigurations", "CheckedEdges"]

BoolArray = npt.NDArray[np.bool_]
NO_BUDGET = 1 << 62
CALL = 50_000  # queries between two checks for Ctrl-C; about a tenth of a second
FIRST_PAIRS = 4096
NARROW = 2.0**-21  # half the length of the bracket of the earliest contact
MANY = 64  # minimum number of edges for each thread
_kernel: Callable[..., int] = check.run
_VERDICTS = {
    check.CLEAR: Verdict.CLEAR,
    check.COLLIDING: Verdict.COLLIDING,
    check.OVER_BUDGET: Verdict.UNDECIDED,
    check.OPEN: Verdict.UNDECIDED,
}


class PairNames(NamedTuple):
    """What results need of the tables of a robot: how many pairs there were, and the names of those reported."""

    n_pairs: int
    found: dict[tuple[int, int], tuple[str, str]]

    def names(self, a: int, b: int) -> tuple[str, str]:
        """Return the names of two bodies."""
        return self.found[a, b]


class _Answers:
    """Rows of results, and the query that they answer."""

    __slots__ = ("__dict__", "_rows", "_tables")

    def __init__(self, rows: Rows, tables: RobotTables | PairNames) -> None:
        self._rows, self._tables = rows, tables

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._rows, self._pair_names())

    def _pair_names(self) -> PairNames:
        """Return the names of reported pairs, without the scene that the tables keep."""
        bodies = zip(self._rows["a"].tolist(), self._rows["b"].tolist(), strict=True)
        found = {(a, b): self._tables.names(a, b) for a, b in bodies if a >= 0}
        return PairNames(self._tables.n_pairs, found)

    def __len__(self) -> int:
        return len(self._rows)

    def pair(self, k: int) -> tuple[str, str] | None:
        """Return the names of the two bodies in contact in query k; None without a contact.

        Without a verdict these are two bodies that were not proved apart.
        """
        a, b = int(self._rows["a"][k]), int(self._rows["b"][k])
        return None if a < 0 else self._tables.names(a, b)

    def _has(self, status: int) -> BoolArray:
        found: BoolArray = self._rows["status"] == status
        return found


class CheckedEdges(_Answers):
    """The results of n edges, as arrays: straight motions in joint space from s = 0 to 1."""

    __slots__ = ()

    @cached_property
    def clear(self) -> BoolArray:
        """(n,) which edges are proved clear."""
        return read_only(self._has(check.CLEAR))

    @cached_property
    def colliding(self) -> BoolArray:
        """(n,) which edges have a contact."""
        return read_only(self._has(check.COLLIDING))

    @cached_property
    def verdict(self) -> npt.NDArray[np.object_]:
        """(n,) a `kc.Verdict` each."""
        found = np.empty(len(self), dtype=object)
        found[:] = [_VERDICTS[status] for status in self._rows["status"].tolist()]
        return read_only(found)

    @cached_property
    def t_lo(self) -> FloatArray:
        """(n,) the part of each edge, from its start, that is proved clear: 1 for the whole edge."""
        return read_only(self._rows["clear_until"].copy())

    @cached_property
    def time(self) -> FloatArray:
        """(n,) the parameter of a contact on each edge, from 0 to 1; nan where there is none."""
        return read_only(np.where(self.colliding, self._rows["time"], np.nan))

    @cached_property
    def evaluations(self) -> npt.NDArray[np.int64]:
        """(n,) how many distances and poses were computed for each edge."""
        return read_only(self._rows["queries"].copy())

    def __repr__(self) -> str:
        counts = f"{np.count_nonzero(self.clear)} clear, {np.count_nonzero(self.colliding)} colliding"
        return f"CheckedEdges({len(self)}: {counts}; {counted(self._tables.n_pairs, 'pair')} of bodies)"


class CheckedConfigurations(_Answers):
    """The results of n configurations, as arrays."""

    __slots__ = ("_is_settled",)

    def __init__(self, rows: Rows, tables: RobotTables | PairNames, is_settled: bool) -> None:
        super().__init__(rows, tables)
        self._is_settled = is_settled

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._rows, self._pair_names(), self._is_settled)

    @cached_property
    def free(self) -> BoolArray:
        """(n,) which configurations are proved free of contact."""
        return read_only(self._has(check.CLEAR))

    @cached_property
    def colliding(self) -> BoolArray:
        """(n,) which configurations have a contact; exact, and True where rounding of kinematics hides which it is.

        Raises:
            ArgumentError: Only covers were compared (settle=False), which cannot prove contact.
        """
        if not self._is_settled:
            raise ArgumentError(
                "covers prove that a configuration is free, but not that it collides; call "
                "check_configurations with settle=True, or read `free`."
            )
        return read_only(~self.free)

    @cached_property
    def gap(self) -> FloatArray:
        """(n,) lower bounds of the minimum distance, from covers: 0 where these overlap [m].

        Raises:
            ArgumentError: Exact shapes were compared (settle=True), which stops at the first contact.
        """
        if self._is_settled:
            raise ArgumentError(
                "gaps are found with settle=False; check_configurations was called with settle=True."
            )
        return read_only(self._rows["least_gap"].copy())

    def __repr__(self) -> str:
        pairs = counted(self._tables.n_pairs, "pair")
        return f"CheckedConfigurations({len(self)}: {np.count_nonzero(self.free)} free; {pairs} of bodies)"


class Asked(NamedTuple):
    """The options of a query about edges or configurations, checked.

    Attributes:
        tolerance: Largest error of a decision, 0 for configurations [m].
        margin: No pair has a smaller margin [m]; None: the margins of the pairs.
        budget: Maximum number of distances for each edge, or None.
        settle: Whether exact shapes are compared where covers do not decide.
        earliest: Whether the earliest contact is wanted.
        threads: How many threads work.
    """

    tolerance: float
    margin: float | None
    budget: int | None
    settle: bool
    earliest: bool
    threads: int

    def row(self) -> Rows:
        """Return the options in the form of the kernel."""
        is_instant = self.tolerance == 0.0
        earliest, budget = NARROW if self.earliest else 0.0, NO_BUDGET if self.budget is None else self.budget
        covers = not self.settle, is_instant and not self.settle
        return np.array([(self.tolerance, earliest, *covers, budget, CALL)], EDGE_ASKED)


def run_edges(tables: RobotTables, q0: FloatArray, q1: FloatArray, asked: Asked) -> tuple[Rows, int, bool]:
    """Return the answers, the number of a row with a bad value (-1: none), and whether limits are exceeded."""
    n, row, pairs = len(q0), asked.row(), tables.with_margin(asked.margin)
    answers = np.empty(n, EDGE_ANSWER)
    fixed = (
        tables.joints, tables.bodies, *pairs, tables.groups, *tables.arrays, tables.limits, q0, q1, row, answers
    )  # fmt: skip

    def run(begin: int, end: int) -> tuple[int, bool]:
        room = _local.room_for(tables)
        room.bad[0], room.beyond[0] = -1, 0
        while begin < end:
            check_for_stop()
            done = _kernel(*fixed, *room.arrays, begin, end)
            begin = done if done >= 0 else -1 - done
            if done < 0:
                room.enlarge()
        return int(room.bad[0]), bool(room.beyond[0])

    threads = min(asked.threads, n // MANY)
    if threads < 2:
        return answers, *run(0, n)
    cuts = [n * k // threads for k in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(run, cuts[:-1], cuts[1:]))
    bad = [k for k, _ in found if k >= 0]
    return answers, min(bad, default=-1), any(beyond for _, beyond in found)


class _Room:
    """Scratch of a thread for a robot with the given numbers of joints and bodies."""

    def __init__(self, n_nodes: int, n_carried: int, n_columns: int) -> None:
        self.fits, self._size = (n_nodes, n_carried, n_columns), FIRST_PAIRS
        scratch = np.zeros(1, check.ROOM)
        self.bad, self.beyond = scratch["bad"], scratch["beyond"]
        self._rest = (
            np.empty(check.MOST_DEPTH + 2, INTERVAL), np.empty(n_nodes, NODE), np.empty(n_carried, MOVED_BODY),
            scratch, np.empty((n_columns, 1)),
        )  # fmt: skip
        self.arrays = np.empty(self._size, OPEN_PAIR), *self._rest

    def enlarge(self) -> None:
        """Double the capacity for open pairs."""
        self._size *= 2
        self.arrays = np.empty(self._size, OPEN_PAIR), *self._rest


class _OfThread(threading.local):
    room: _Room | None = None

    def room_for(self, tables: RobotTables) -> _Room:
        fits = len(tables.joints), len(tables.margins), tables.limits.shape[1]
        if self.room is None or self.room.fits != fits:
            self.room = _Room(*fits)
        return self.room


_local = _OfThread()
