"""Edges and configurations of one robot in a world: many short questions of planners in one compiled run."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.continuous.moving_pair import look_for_stop
from keepclear.errors import ArgumentError
from keepclear.kernels.edges import check, layout
from keepclear.results import Verdict
from keepclear.scene.robot_tables import RobotTables

__all__ = ["CheckedConfigurations", "CheckedEdges"]

BoolArray = npt.NDArray[np.bool_]
NO_BUDGET = 1e300
CALL = 50_000.0  # queries between two looks at the keyboard; about a tenth of a second
FIRST_PAIRS, FIRST_HEAP = 4096, 1 << 12
NARROW = 2.0**-21  # half the length to which the earliest contact is narrowed down
MANY = 64  # edges for each thread at least
_kernel: Callable[..., int] = check.run
_VERDICTS = {
    layout.CLEAR: Verdict.CLEAR,
    layout.COLLIDING: Verdict.COLLIDING,
    layout.OVER_BUDGET: Verdict.UNDECIDED,
    layout.OPEN: Verdict.UNDECIDED,
}


class _Answers:
    """Rows of answers, and what they are about."""

    __slots__ = ("__dict__", "_rows", "_tables")

    def __init__(self, rows: FloatArray, tables: RobotTables) -> None:
        self._rows, self._tables = rows, tables

    def __len__(self) -> int:
        return len(self._rows)

    def pair(self, k: int) -> tuple[str, str] | None:
        """Return the names of the two that are in contact in question k, None where there is no contact.

        Without a verdict these are the two that were not proved apart.
        """
        a, b = self._rows[k, [layout.BODY_A, layout.BODY_B]].astype(np.int64).tolist()
        return None if a < 0 else self._tables.names(a, b)

    def _has(self, *statuses: int) -> BoolArray:
        return np.isin(self._rows[:, layout.STATUS], statuses)


class CheckedEdges(_Answers):
    """What is known about n edges: straight motions in joint space from s = 0 to 1."""

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
        """(n,) where each edge has a contact, from 0 to 1; nan where there is none."""
        return read_only(np.where(self.colliding, self._rows[:, layout.TIME], np.nan))

    @cached_property
    def evaluations(self) -> npt.NDArray[np.int64]:
        """(n,) how many distances and poses each edge took."""
        return read_only(self._rows[:, layout.QUERIES].astype(np.int64))

    def __repr__(self) -> str:
        counts = f"{np.count_nonzero(self.clear)} clear, {np.count_nonzero(self.colliding)} colliding"
        return f"CheckedEdges({len(self)}: {counts})"


class CheckedConfigurations(_Answers):
    """What is known about n configurations."""

    __slots__ = ("_is_settled",)

    def __init__(self, rows: FloatArray, tables: RobotTables, *, is_settled: bool) -> None:
        super().__init__(rows, tables)
        self._is_settled = is_settled

    @cached_property
    def free(self) -> BoolArray:
        """(n,) which configurations are proved free of contact."""
        return read_only(self._has(layout.CLEAR))

    @cached_property
    def colliding(self) -> BoolArray:
        """(n,) which configurations have a contact; exact.

        Raises:
            ArgumentError: Only covers were asked (settle=False), which cannot tell.
        """
        if not self._is_settled:
            raise ArgumentError(
                "covers prove that a configuration is free, but not that it collides; ask check_configurations with "
                "settle=True, or read `free`."
            )
        return read_only(~self.free)

    @cached_property
    def gap(self) -> FloatArray:
        """(n,) lower bounds of the least distance, by covers: 0 where these overlap [m].

        Raises:
            ArgumentError: Exact shapes were asked (settle=True), which stop at the first contact.
        """
        if self._is_settled:
            raise ArgumentError(
                "gaps are found with settle=False; check_configurations was asked with settle=True."
            )
        return read_only(self._rows[:, layout.LEAST_GAP].copy())

    def __repr__(self) -> str:
        return f"CheckedConfigurations({len(self)}: {np.count_nonzero(self.free)} free)"


def checked_edges(
    tables: RobotTables,
    q0: FloatArray,
    q1: FloatArray,
    *,
    tolerance: float,
    margin: float | None,
    budget: int | None,
    settle: bool,
    earliest: bool,
    threads: int,
) -> CheckedEdges:
    """Return what is known about edges whose ends were checked."""
    asked = _asked(tables, tolerance, budget, settle=settle)
    asked[layout.EARLIEST] = NARROW if earliest else 0.0
    return CheckedEdges(_run(tables, q0, q1, asked, margin, threads), tables)


def checked_states(
    tables: RobotTables, q: FloatArray, *, margin: float | None, settle: bool, threads: int
) -> CheckedConfigurations:
    """Return what is known about configurations that were checked."""
    asked = _asked(tables, 0.0, None, settle=settle)
    asked[layout.GAPS] = not settle
    return CheckedConfigurations(_run(tables, q, q, asked, margin, threads), tables, is_settled=settle)


def _asked(tables: RobotTables, tolerance: float, budget: int | None, *, settle: bool) -> FloatArray:
    asked = np.zeros(layout.ASKED)
    asked[layout.TOLERANCE], asked[layout.COVERS_ONLY] = tolerance, not settle
    asked[layout.BUDGET] = NO_BUDGET if budget is None else budget
    asked[layout.CALL_BUDGET], asked[layout.LEAST_SIZE] = CALL, tables.least_size
    return asked


def _run(
    tables: RobotTables, q0: FloatArray, q1: FloatArray, asked: FloatArray, margin: float | None, threads: int
) -> FloatArray:
    n = len(q0)
    answers = np.empty((n, layout.ANSWER))
    given = tables.with_margin(margin)
    if n == 0:
        return answers
    threads = min(threads, n // MANY)
    if threads < 2:
        _run_part(tables, given, q0, q1, asked, answers, 0, n)
        return answers
    cuts = [n * k // threads for k in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        parts = [
            pool.submit(_run_part, tables, given, q0, q1, asked, answers, begin, end)
            for begin, end in itertools.pairwise(cuts)
        ]
        for part in parts:
            part.result()
    return answers


def _run_part(
    tables: RobotTables,
    given: tuple[Any, ...],
    q0: FloatArray,
    q1: FloatArray,
    asked: FloatArray,
    answers: FloatArray,
    begin: int,
    end: int,
) -> None:
    room = _local.room_for(tables)
    while begin < end:
        look_for_stop()
        done = _kernel(*given, *tables.arrays, q0, q1, asked, answers, *room.arrays, begin, end)
        begin = done if done >= 0 else -1 - done
        if done < 0:
            room.enlarge()


class _Room:
    """Scratch of a thread for a robot with so many joints and bodies."""

    def __init__(self, n_nodes: int, n_carried: int) -> None:
        self.fits = n_nodes, n_carried
        self._work = np.zeros(check.work_size(n_nodes, n_carried))
        self._counts = np.zeros(check.count_size(), np.int64)
        self._size = 1
        self.enlarge()

    def enlarge(self) -> None:
        """Double the room for open pairs and for the search of two meshes."""
        pairs = np.empty((FIRST_PAIRS * self._size, layout.OPEN_PAIR))
        keys, heap = np.empty(FIRST_HEAP * self._size), np.empty(3 * FIRST_HEAP * self._size, np.int32)
        self._size *= 2
        self.arrays = pairs, self._work, keys, self._counts, heap


class _OfThread(threading.local):
    room: _Room | None = None

    def room_for(self, tables: RobotTables) -> _Room:
        fits = tables.n_nodes, len(tables.tables[5])
        if self.room is None or self.room.fits != fits:
            self.room = _Room(*fits)
        return self.room


_local = _OfThread()
