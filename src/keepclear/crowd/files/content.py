"""The saved state of a crowd, and the tables that are rebuilt from it.

A file stores only what cannot be computed: the members, how each moves, which pairs overlap, settings, and events that
were not fetched yet. Boxes, horizons, cells, pairs and the queue are rebuilt from it, for the restored crowd and for
the crowd that was saved, by the same function from the same arrays: so both go on with the same bits, and nothing that
was read from a file is ever used as an index of a table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from keepclear.checks import FloatArray, IntArray
from keepclear.crowd.parts.motions import RecordedTracks
from keepclear.crowd.parts.settings import set_extent
from keepclear.crowd.parts.state import State
from keepclear.crowd.parts.tables import Tables, build_tables
from keepclear.crowd.parts.tuning import suit
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import probe_all, wake
from keepclear.kernels.crowd.motion import D_ROWS, ROW

KNOWN = (at.BALLISTIC, at.RANDOM, at.FIELD, at.TRACKS)
"""Motions that kernels compute by themselves."""

FIRST_COLUMN, LAST_COLUMN = at.RADIUS, at.BURST
"""Columns of `F` that are kept of a member; those before are its box and its horizon."""

MARKS = (at.OUTSIDE, at.CONTACTS, at.KNOT, at.SHAPED, at.GROUP)
"""Columns of `N` that are kept of a member; the sample of a recorded track as its number in that track."""

FIRST_COUNTER = at.ENTERING
"""Counters from this one on are counts of events."""


@dataclass(frozen=True, eq=False)
class Saved:
    """The saved state of a crowd; arrays of members have their rows in the order of ids."""

    settings: FloatArray
    counters: IntArray
    numbers: (
        IntArray  # next id, events that a caller's motion knows of, size at the last tuning, growth is given
    )
    ids: IntArray
    rows: IntArray
    free: IntArray
    members: FloatArray
    marks: IntArray
    pairs: IntArray  # two ids, and OVERLAPPING or NEAR
    data: FloatArray
    events: FloatArray
    waiting: FloatArray
    log: FloatArray


def saved_state(crowd: State) -> Saved:
    """Return the state of a crowd for saving; members whose motion is known are probed for it."""
    T, rows = crowd.tables, crowd.rows
    crowd.drain_log()
    kind = int(T.S[at.MOTION])
    if kind in KNOWN:
        probe_all(T.F, T.N, T.C.copy(), T.S, T.D, crowd.time)
    marks = T.N[rows][:, MARKS]
    if isinstance(crowd.motion, RecordedTracks):
        marks[:, MARKS.index(at.KNOT)] -= crowd.ids * len(crowd.motion.times)
    else:
        marks[:, MARKS.index(at.KNOT)] = 0
    kept = np.flatnonzero((T.Q[:, at.FIRST] >= 0) & (T.Q[:, at.STATE] != at.APART))
    pairs = np.stack(
        [T.N[T.Q[kept, at.FIRST], at.ID], T.N[T.Q[kept, at.SECOND], at.ID], T.Q[kept, at.STATE]], axis=1
    )
    return Saved(
        settings=T.S.copy(),
        counters=T.C[FIRST_COUNTER:].copy(),
        numbers=np.array([crowd.next_id, crowd.reported, crowd.tuned_for, crowd.own_growth], np.int64),
        ids=crowd.ids.copy(),
        rows=crowd.rows.copy(),
        free=np.array(crowd.free, np.int64),
        members=T.F[rows, FIRST_COLUMN : LAST_COLUMN + 1].copy(),
        marks=marks,
        pairs=pairs,
        data=T.D.copy() if kind in (at.RANDOM, at.FIELD) else np.zeros(0),
        events=T.E[: T.C[at.N_EVENTS]].copy(),
        waiting=np.concatenate([np.zeros((0, at.E_COLUMNS)), *crowd.waiting]),
        log=np.concatenate([np.zeros((0, at.L_COLUMNS)), *crowd.log]),
    )


def take_over(crowd: State, state: Saved) -> None:
    """Rebuild the tables of a crowd, whose motion is set, from a saved state; all members are then renewed."""
    next_id, reported, tuned_for, own_growth = (int(number) for number in state.numbers)
    crowd.ids, crowd.rows, crowd.free = state.ids.copy(), state.rows.copy(), state.free.tolist()
    crowd.next_id, crowd.reported, crowd.tuned_for = next_id, reported, tuned_for
    crowd.own_growth = bool(own_growth)
    crowd.waiting = [state.waiting.copy()] if len(state.waiting) else []
    crowd.log = [state.log.copy()] if len(state.log) else []
    S, d = state.settings.copy(), int(state.settings[at.DIMENSIONS])
    n_rows = len(state.rows) + len(state.free)
    crowd.tables = T = build_tables(n_rows, S, _data(crowd, state, d))
    T.C[FIRST_COUNTER:], T.C[at.N_EVENTS] = state.counters, len(state.events)
    if 2 * len(state.events) > len(T.E):
        T.E = np.zeros((2 * len(state.events), at.E_COLUMNS))
    T.E[: len(state.events)] = state.events
    _fill_members(crowd, state)
    _fill_pairs(T, state)
    F = T.F[state.rows]
    far = (np.abs(F[:, at.X : at.X + 3]).max(axis=1, initial=0.0) + F[:, at.RADIUS]).max(initial=0.0)
    set_extent(S, max(float(S[at.EXTENT]), float(far)))
    suit(crowd)
    _queue(crowd)


def _data(crowd: State, state: Saved, dimensions: int) -> FloatArray:
    """Return the numbers of the motion that kernels use."""
    kind = int(state.settings[at.MOTION])
    if isinstance(crowd.motion, RecordedTracks):
        return crowd.motion.pack(None, dimensions)[1]
    sizes = {at.BALLISTIC: D_ROWS, at.COMPILED: 8, at.EXTERNAL: 1, at.OBSERVED: 1}
    return state.data.copy() if kind in (at.RANDOM, at.FIELD) else np.zeros(sizes[kind])


def _fill_members(crowd: State, state: Saved) -> None:
    """Write members into the tables, with their states of now where kernels can tell."""
    T, rows = crowd.tables, state.rows
    F, N, kind = T.F, T.N, int(T.S[at.MOTION])
    F[rows, FIRST_COLUMN : LAST_COLUMN + 1] = state.members
    F[rows, at.WALL_TIME] = np.inf
    for column, values in zip(MARKS, state.marks.T, strict=True):
        N[rows, column] = values
    N[rows, at.ID], N[rows, at.ACTIVE] = state.ids, 1
    if kind not in KNOWN:
        unused = at.LIMIT_V + 1 if kind == at.OBSERVED else at.ANCHOR_X
        F[rows, unused : at.MASS] = 0.0
        F[rows, at.ANCHOR_END] = np.inf
    elif kind == at.BALLISTIC:
        F[rows, at.ANCHOR_A : at.ANCHOR_A + 3] = T.S[at.GRAVITY : at.GRAVITY + 3]
        F[rows, at.ANCHOR_END] = np.inf
    elif isinstance(crowd.motion, RecordedTracks):
        _set_samples(T, rows, state.marks[:, MARKS.index(at.KNOT)], len(crowd.motion.times))
    if kind in KNOWN:
        F[rows, at.PROBED] = -np.inf
        probe_all(F, N, T.C.copy(), T.S, T.D, crowd.time)
        F[rows[N[rows, at.ACTIVE] == 2], at.PROBED] = crowd.time


def _set_samples(T: Tables, rows: IntArray, knots: IntArray, length: int) -> None:
    """Put members of recorded tracks on the segment after a sample; -1 is before the first. As `next_sample` does."""
    F, N, ids = T.F, T.N, T.N[rows, at.ID]
    D = T.D[D_ROWS:].reshape(-1, length, ROW)[ids] if len(rows) else np.zeros((0, length, ROW))
    N[rows, at.KNOT], N[rows, at.LAST_KNOT] = ids * length + knots, ids * length + length - 1
    every, here = np.arange(len(rows)), np.clip(knots, 0, length - 2)
    a, b = D[every, here], D[every, here + 1]
    starts, last = knots < 0, knots >= length - 1
    F[rows, at.ANCHOR_X : at.ANCHOR_A + 3] = 0.0
    F[rows, at.ANCHOR_T] = a[:, 0]
    F[rows, at.ANCHOR_END] = np.where(starts, a[:, 0], np.where(last, np.inf, b[:, 0]))
    F[rows, at.ANCHOR_X : at.ANCHOR_X + 3] = a[:, 1:4]
    F[rows, at.ANCHOR_V : at.ANCHOR_V + 3] = (b[:, 1:4] - a[:, 1:4]) / (b[:, 0] - a[:, 0])[:, None]
    N[rows, at.ACTIVE] = np.where((a[:, 4] == 0.0) | starts | last, 2, 1)


def _fill_pairs(T: Tables, state: Saved) -> None:
    """Add the overlapping pairs to the lists of their members; their times are computed when these are renewed.

    Pairs may be apart by then, after an observation or in a crafted file: they end to overlap at once, and what comes
    after is found. The same holds for members that are marked as through a wall.
    """
    while len(T.Q) <= len(state.pairs):
        T.grow_pairs()
    row_of = dict(zip(state.ids.tolist(), state.rows.tolist(), strict=True))
    Q, N = T.Q, T.N
    for p, (first, second, condition) in enumerate(state.pairs.tolist()):
        members = row_of[first], row_of[second]
        Q[p, at.FIRST], Q[p, at.SECOND], Q[p, at.STATE] = *members, condition
        for side, row in enumerate(members):
            before = int(N[row, at.FIRST_PAIR])
            Q[p, at.NEXT + side], Q[p, at.PREVIOUS + side] = before, -1
            if before >= 0:
                Q[before >> 1, at.PREVIOUS + (before & 1)] = 2 * p + side
            N[row, at.FIRST_PAIR] = 2 * p + side
    n = len(state.pairs)
    Q[n:, at.NEXT] = np.arange(n + 1, len(Q) + 1)
    Q[-1, at.NEXT] = -1
    T.C[at.FREE_PAIR], T.C[at.N_PAIRS] = n, n


def _queue(crowd: State) -> None:
    """Queue all members: the present ones now, the absent ones for the time at which they may appear."""
    T, t, rows = crowd.tables, crowd.time, crowd.rows
    absent = T.N[rows, at.ACTIVE] == 2
    wake(T.packed(), np.ascontiguousarray(rows[~absent]), t, 1)
    when = np.maximum(T.F[rows, at.ANCHOR_END], t)
    for moment in np.unique(when[absent]):
        wake(T.packed(), np.ascontiguousarray(rows[absent & (when == moment)]), float(moment), 1)
