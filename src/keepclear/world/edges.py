"""Edges and configurations of one robot in a world: many queries of planners in one compiled run."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.continuous.moving_pair import check_for_stop
from keepclear.errors import ArgumentError
from keepclear.kernels.edges import check, layout
from keepclear.report.words import counted
from keepclear.results import Verdict
from keepclear.scene.robot_tables import RobotTables

__all__ = ["CheckedConfigurations", "CheckedEdges"]

BoolArray = npt.NDArray[np.bool_]
NO_BUDGET = 1e300
CALL = 50_000.0  # queries between two checks for Ctrl-C; about a tenth of a second
FIRST_PAIRS = 4096
NARROW = 2.0**-21  # half the length of the bracket of the earliest contact
MANY = 64  # minimum number of edges for each thread
_kernel: Callable[..., int] = check.run
_VERDICTS = {
    layout.CLEAR: Verdict.CLEAR,
    layout.COLLIDING: Verdict.COLLIDING,
    layout.OVER_BUDGET: Verdict.UNDECIDED,
    layout.OPEN: Verdict.UNDECIDED,
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

    def __init__(self, rows: FloatArray, tables: RobotTables | PairNames) -> None:
        self._rows, self._tables = rows, tables

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._rows, self._pair_names())

    def _pair_names(self) -> PairNames:
        """Return the names of reported pairs, without the scene that the tables keep."""
        bodies = self._rows[:, [layout.BODY_A, layout.BODY_B]].astype(np.int64).tolist()
        found = {(a, b): self._tables.names(a, b) for a, b in bodies if a >= 0}
        return PairNames(self._tables.n_pairs, found)

    def __len__(self) -> int:
        return len(self._rows)

    def pair(self, k: int) -> tuple[str, str] | None:
        """Return the names of the two bodies in contact in query k; None without a contact.

        Without a verdict these are two bodies that were not proved apart.
        """
        a, b = self._rows[k, [layout.BODY_A, layout.BODY_B]].astype(np.int64).tolist()
        return None if a < 0 else self._tables.names(a, b)

    def _has(self, status: int) -> BoolArray:
        found: BoolArray = self._rows[:, layout.STATUS] == status
        return found


class CheckedEdges(_Answers):
    """The results of n edges, as arrays: straight motions in joint space from s = 0 to 1."""

    __slots__ = ()

    @cached_property
    def clear(self) -> BoolArray:
        """(n,) which edges are proved clear."""
        return read_only(self._has(layout.CLEAR))

    @cached_property
    def colliding(self) -> BoolArray:
        """(n,) which edges have a contact."""
        return read_only(self._has(layout.COLLIDING))

    @cached_property
    def verdict(self) -> npt.NDArray[np.object_]:
        """(n,) a `kc.Verdict` each."""
        found = np.empty(len(self), dtype=object)
        found[:] = [_VERDICTS[status] for status in self._rows[:, layout.STATUS].tolist()]
        return read_only(found)

    @cached_property
    def t_lo(self) -> FloatArray:
        """(n,) the part of each edge, from its start, that is proved clear: 1 for the whole edge."""
        return read_only(self._rows[:, layout.CLEAR_UNTIL].copy())

    @cached_property
    def time(self) -> FloatArray:
        """(n,) the parameter of a contact on each edge, from 0 to 1; nan where there is none."""
        return read_only(np.where(self.colliding, self._rows[:, layout.TIME], np.nan))

    @cached_property
    def evaluations(self) -> npt.NDArray[np.int64]:
        """(n,) how many distances and poses were computed for each edge."""
        return read_only(self._rows[:, layout.QUERIES].astype(np.int64))

    def __repr__(self) -> str:
        counts = f"{np.count_nonzero(self.clear)} clear, {np.count_nonzero(self.colliding)} colliding"
        return f"CheckedEdges({len(self)}: {counts}; {counted(self._tables.n_pairs, 'pair')} of bodies)"


class CheckedConfigurations(_Answers):
    """The results of n configurations, as arrays."""

    __slots__ = ("_is_settled",)

    def __init__(self, rows: FloatArray, tables: RobotTables | PairNames, is_settled: bool) -> None:
        super().__init__(rows, tables)
        self._is_settled = is_settled

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._rows, self._pair_names(), self._is_settled)

    @cached_property
    def free(self) -> BoolArray:
        """(n,) which configurations are proved free of contact."""
        return read_only(self._has(layout.CLEAR))

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
        return read_only(self._rows[:, layout.LEAST_GAP].copy())

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

    def row(self) -> FloatArray:
        """Return the options in the form of the kernel."""
        is_instant = self.tolerance == 0.0
        return np.array([
            self.tolerance, NARROW if self.earliest else 0.0, not self.settle, is_instant and not self.settle,
            NO_BUDGET if self.budget is None else self.budget, CALL,
        ])  # fmt: skip


def run_edges(
    tables: RobotTables, q0: FloatArray, q1: FloatArray, asked: Asked
) -> tuple[FloatArray, int, bool]:
    """Return the answers, the number of a row with a bad value (-1: none), and whether limits are exceeded."""
    n, row, given = len(q0), asked.row(), tables.with_margin(asked.margin)
    answers = np.empty((n, layout.ANSWER))
    threads = min(asked.threads, n // MANY)
    if threads < 2:
        return answers, *_run_part(tables, given, q0, q1, row, answers, 0, n)
    cuts = [n * k // threads for k in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        parts = [
            pool.submit(_run_part, tables, given, q0, q1, row, answers, begin, end)
            for begin, end in itertools.pairwise(cuts)
        ]
        flags = [part.result() for part in parts]
    bad = [k for k, _ in flags if k >= 0]
    return answers, min(bad, default=-1), any(beyond for _, beyond in flags)


def _run_part(
    tables: RobotTables,
    given: tuple[Any, ...],
    q0: FloatArray,
    q1: FloatArray,
    asked: FloatArray,
    answers: FloatArray,
    begin: int,
    end: int,
) -> tuple[int, bool]:
    """Fill some answers; return the number of a row with a bad value (-1: none), and whether limits are exceeded."""
    room = _local.room_for(tables)
    room.flags[:] = -1, 0
    while begin < end:
        check_for_stop()
        done = _kernel(
            *given, *tables.arrays, tables.limits, q0, q1, asked, answers, *room.arrays, begin, end
        )
        begin = done if done >= 0 else -1 - done
        if done < 0:
            room.enlarge()
    return int(room.flags[0]), bool(room.flags[1])


class _Room:
    """Scratch of a thread for a robot with the given numbers of joints and bodies."""

    def __init__(self, n_nodes: int, n_carried: int, n_columns: int) -> None:
        self.fits = n_nodes, n_carried, n_columns
        self._work = np.zeros(check.work_size(n_nodes, n_carried, n_columns))
        self._counts = np.zeros(check.count_size(), np.int64)
        self._links = np.empty(check.LINKS_SIZE, np.int32)
        self.flags = self._counts[-2:]
        self._size = 1
        self.enlarge()

    def enlarge(self) -> None:
        """Double the capacity for open pairs."""
        pairs = np.empty((FIRST_PAIRS * self._size, layout.OPEN_PAIR))
        self._size *= 2
        self.arrays = pairs, self._work, self._counts, self._links


class _OfThread(threading.local):
    room: _Room | None = None

    def room_for(self, tables: RobotTables) -> _Room:
        fits = tables.n_nodes, len(tables.tables[5]), tables.limits.shape[1]
        if self.room is None or self.room.fits != fits:
            self.room = _Room(*fits)
        return self.room


_local = _OfThread()
