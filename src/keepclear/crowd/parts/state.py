"""What a crowd consists of: its tables, the rows of its members, its motion, and what has happened so far."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray
from keepclear.crowd.parts.member_arrays import check_inside, checked_ids
from keepclear.crowd.parts.tables import Tables, sphere_tables
from keepclear.errors import ArgumentError
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import forget_pairs, go_on, probe_all, wake

# Capacity of the table of the kernels; further events wait outside.
MOST_EVENTS = 1 << 16


@dataclass(eq=False, repr=False)
class State:
    """The parts of a crowd; the modules of this folder are functions of it.

    Attributes:
        tables: What kernels work on.
        motion: How members move; None where they are observed.
        response: "elastic", "report" or a function of the caller.
        own_growth: Whether the caller has given the growth of boxes.
        ids: Ids of the members, rising.
        rows: The rows of `tables` where they are kept, in the same order.
        free: Rows without a member.
        next_id: The id of the next member.
        waiting: Events that were not fetched yet and are no longer in the tables.
        log: The history: anchors from which members continued, in the order of time.
        shapes: Attached shapes by id of their member.
        reported: How many events of the tables a motion of the caller knows of.
        tuned_for: How many members there were when cells and boxes were chosen.
        compiled: The C function of a compiled probe, whose address is in the tables.
    """

    tables: Tables
    motion: Any
    response: Any
    own_growth: bool = False
    ids: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    rows: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    free: list[int] = field(default_factory=list)
    next_id: int = 0
    waiting: list[FloatArray] = field(default_factory=list)
    log: list[FloatArray] = field(default_factory=list)
    shapes: dict[int, Any] = field(default_factory=dict)
    reported: int = 0
    tuned_for: int = 0
    compiled: Any = None

    @property
    def dimensions(self) -> int:
        """2 for discs in a plane, 3 for spheres."""
        return int(self.tables.S[at.DIMENSIONS])

    @property
    def time(self) -> float:
        """The time up to which all events are computed [s]."""
        return float(self.tables.S[at.TIME])

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray] | None:
        """Lower and upper corner of the box with walls, or None."""
        S, d = self.tables.S, self.dimensions
        return (
            (S[at.LOWER : at.LOWER + d].copy(), S[at.UPPER : at.UPPER + d].copy()) if S[at.WALLED] else None
        )

    def fork(self) -> State:
        """Return a state that changes on its own; functions of the caller are shared."""
        again = copy.copy(self)
        again.tables, again.free = self.tables.copy(), list(self.free)
        again.waiting, again.log = list(self.waiting), list(self.log)
        again.shapes = {i: copy.copy(turning) for i, turning in self.shapes.items()}
        return again

    def rows_of(self, ids: npt.ArrayLike, *, present: bool = False) -> IntArray:
        """Return the rows of members in the tables, or raise an `ArgumentError`.

        Members of recorded tracks may be absent for a while; where `present` they must be there now.
        """
        wanted = checked_ids(ids)
        place = np.minimum(np.searchsorted(self.ids, wanted), max(len(self.ids) - 1, 0))
        known = self.ids[place] == wanted if len(self.ids) else np.zeros(len(wanted), dtype=bool)
        if not known.all():
            raise ArgumentError(
                f"crowd: there is no member {wanted[~known][0]}; {len(self.ids)} members are there."
            )
        rows = self.rows[place]
        absent = self.tables.N[rows, at.ACTIVE] != 1
        if present and absent.any():
            raise ArgumentError(f"crowd: member {wanted[absent][0]} is absent at {self.time:g} s.")
        return np.asarray(rows)

    def known_states(self, t: float | FloatArray, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the positions of members at a time, predicted from the last probes, and velocities; NaN if absent.

        These are the centres of their bounds.
        """
        F, d, g = self.tables.F[rows], self.dimensions, self.tables.S[at.GRAVITY : at.GRAVITY + 3]
        s = (t - F[:, at.PROBED])[:, None]
        x = F[:, at.X : at.X + d] + (F[:, at.V : at.V + d] + 0.5 * g[:d] * s) * s
        v = F[:, at.V : at.V + d] + g[:d] * s
        absent = self.tables.N[rows, at.ACTIVE] != 1
        x[absent] = v[absent] = np.nan
        return x, v

    def check_walls(self, ids: IntArray, x: FloatArray, r: FloatArray) -> None:
        """Raise an `ArgumentError` if a member would reach through a wall that it cannot pass."""
        S, box = self.tables.S, self.bounds
        if box is not None and S[at.RESPONSE] == at.ELASTIC and S[at.MOTION] != at.OBSERVED:
            check_inside(x, r, box, ids)

    def go_on_from_now(self, rows: IntArray) -> None:
        """Continue the motion from the present states of members."""
        self.tables.F[rows, at.ANCHOR_END] = np.inf  # forces are chosen again
        go_on(self.tables.packed(), rows)
        self.remember(rows)

    def recheck(self, row: int) -> None:
        """Discard the pairs of a member: overlaps end, and those that persist begin again."""
        while not forget_pairs(self.tables.packed(), row):
            self.drain()
        wake(self.tables.packed(), np.array([row]), self.time, 1)

    def drain(self) -> None:
        """Move events and the log of the kernels out of their tables."""
        T = self.tables
        self.drain_log()
        n = int(T.C[at.N_EVENTS])
        self.waiting.append(T.E[:n].copy())
        T.C[at.N_EVENTS], self.reported = 0, 0
        if n * 2 >= len(T.E) and len(T.E) < MOST_EVENTS:
            T.E = np.zeros((2 * len(T.E), at.E_COLUMNS))

    def take_events(self) -> FloatArray:
        """Return the events that were not fetched yet, once."""
        T = self.tables
        rows = [*self.waiting, T.E[: T.C[at.N_EVENTS]].copy()]
        self.waiting, T.C[at.N_EVENTS], self.reported = [], 0, 0
        return np.concatenate(rows)

    def drain_log(self) -> None:
        """Move the log of the kernels out of their table."""
        T = self.tables
        n = int(T.C[at.N_LOGGED])
        if n:
            self.log.append(T.L[:n].copy())
            T.C[at.N_LOGGED] = 0

    def remember(self, rows: IntArray) -> None:
        """Log the anchors that members have now, which their caller has set."""
        T = self.tables
        if not T.S[at.HISTORY]:
            return
        self.drain_log()
        log, F = np.zeros((len(rows), at.L_COLUMNS)), T.F[rows]
        log[:, at.L_TIME], log[:, at.L_ID] = self.time, T.N[rows, at.ID]
        log[:, at.L_X : at.L_X + 6] = F[:, at.ANCHOR_X : at.ANCHOR_X + 6]
        log[:, at.L_A : at.L_A + 3] = F[:, at.ANCHOR_A : at.ANCHOR_A + 3]
        log[:, at.L_END], log[:, at.L_ACCELERATION] = F[:, at.ANCHOR_END], F[:, at.ACCELERATION]
        self.log.append(log)

    def past_states(self, t: float) -> tuple[FloatArray, FloatArray]:
        """Return positions and velocities of the present members at a time before now; NaN for later members."""
        self.drain_log()
        if len(self.log) > 1:
            self.log = [np.concatenate(self.log)]
        log = self.log[0] if self.log else np.zeros((0, at.L_COLUMNS))
        until = log[: np.searchsorted(log[:, at.L_TIME], t, side="right")][::-1]
        ids, last = np.unique(until[:, at.L_ID].astype(np.int64), return_index=True)
        latest, d = until[last], self.dimensions
        F, N = sphere_tables(len(ids))
        F[:, at.ANCHOR_X : at.ANCHOR_X + 6] = latest[:, at.L_X : at.L_X + 6]
        F[:, at.ANCHOR_A : at.ANCHOR_A + 3] = latest[:, at.L_A : at.L_A + 3]
        F[:, at.ANCHOR_T], F[:, at.ANCHOR_END] = latest[:, at.L_TIME], latest[:, at.L_END]
        F[:, at.ACCELERATION], F[:, at.PROBED] = latest[:, at.L_ACCELERATION], -np.inf
        N[:, at.ID], N[:, at.ACTIVE] = ids, 1
        T = self.tables
        probe_all(F, N, T.C.copy(), T.S, T.D, t)
        x = np.full((len(self.ids), d), np.nan)
        v = x.copy()
        there = np.isin(ids, self.ids)
        place = np.searchsorted(self.ids, ids[there])
        x[place], v[place] = F[there, at.X : at.X + d], F[there, at.V : at.V + d]
        return x, v
