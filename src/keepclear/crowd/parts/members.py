"""Members of a crowd that are added, removed, changed or observed while it runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray
from keepclear.crowd.parts.member_arrays import checked_groups, checked_sizes, checked_vectors
from keepclear.crowd.parts.motions import RecordedTracks
from keepclear.crowd.parts.observing import change_limits, checked_limits, set_unknown
from keepclear.crowd.parts.probing import know
from keepclear.crowd.parts.settings import first_velocities, masses_of
from keepclear.crowd.parts.shapes import check_fit
from keepclear.crowd.parts.state import State
from keepclear.crowd.parts.tuning import tune
from keepclear.errors import ArgumentError
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import go_on, take_out, wake

Numbers = npt.ArrayLike


@dataclass(frozen=True, eq=False)
class Newcomers:
    """The data of new members: one row for each."""

    ids: IntArray
    x: FloatArray
    v: FloatArray
    r: FloatArray
    A: FloatArray
    V: FloatArray
    m: FloatArray
    groups: IntArray
    e_v: FloatArray  # errors of velocities


def fill(crowd: State, new: Newcomers) -> IntArray:
    """Write new members into free rows of the tables, sorted by position, queue them, and return the rows."""
    ids, x = new.ids, new.x
    T, d, t = crowd.tables, crowd.dimensions, crowd.time
    rows = np.empty(len(ids), np.int64)
    rows[_along_a_curve(x)] = [crowd.free.pop() for _ in ids]
    crowd.ids, crowd.rows = np.concatenate([crowd.ids, ids]), np.concatenate([crowd.rows, rows])
    F, N = T.F, T.N
    F[rows, at.X : at.X + d], F[rows, at.V : at.V + d] = x, new.v
    F[rows, at.RADIUS], F[rows, at.ACCELERATION], F[rows, at.MASS] = new.r, new.A, new.m
    F[rows, at.PROBED], F[rows, at.BURST], F[rows, at.ANCHOR_END] = t, -np.inf, np.inf
    N[rows, at.ACTIVE], N[rows, at.OUTSIDE], N[rows, at.CONTACTS], N[rows, at.ID] = 1, 0, 0, ids
    N[rows, at.GROUP] = new.groups
    tune(crowd)
    if isinstance(crowd.motion, RecordedTracks):
        length, start = len(crowd.motion.times), float(crowd.motion.times[0])
        N[rows, at.KNOT], N[rows, at.LAST_KNOT] = ids * length - 1, ids * length + length - 1
        F[rows, at.ANCHOR_END], N[rows, at.ACTIVE] = start, 2
        wake(T.packed(), rows, max(t, start), 1)
        return rows
    if T.S[at.MOTION] == at.OBSERVED:
        F[rows, at.LIMIT_A], F[rows, at.LIMIT_V] = new.A, new.V
        set_unknown(crowd, rows, np.zeros(len(rows)), new.e_v)
    go_on(T.packed(), rows)
    crowd.remember(rows)
    return rows


def _along_a_curve(x: FloatArray) -> IntArray:
    """Return an order of points along Morton's curve; nearby rows of nearby points make large crowds twice as fast."""
    if len(x) < 2:
        return np.arange(len(x))
    low, high = x.min(axis=0), x.max(axis=0)
    cell = ((x - low) / max(float((high - low).max()), 1e-300) * 1023.0).astype(np.int64)
    code = np.zeros(len(x), np.int64)
    for bit in range(10):
        for c in range(x.shape[1]):
            code |= ((cell[:, c] >> bit) & 1) << (bit * x.shape[1] + c)
    return np.argsort(code, kind="stable")


def change(
    crowd: State,
    ids: Numbers,
    radii: Numbers | None,
    max_accelerations: Numbers | None,
    max_speeds: Numbers | None,
    masses: Numbers | None,
) -> None:
    """Change the sizes of members; see `Crowd.change`."""
    T = crowd.tables
    is_recorded, is_observed = isinstance(crowd.motion, RecordedTracks), T.S[at.MOTION] == at.OBSERVED
    rows = crowd.rows_of(ids)
    n, F = len(rows), T.F
    r = F[rows, at.RADIUS] if radii is None else checked_sizes("radii", radii, n, zero=True)
    m = F[rows, at.MASS] if masses is None else checked_sizes("masses", masses, n, zero=False)
    has_limits = max_accelerations is not None or max_speeds is not None
    if max_accelerations is None:
        max_accelerations = F[rows, at.LIMIT_A if is_observed else at.ACCELERATION]
    if max_speeds is None and is_observed:
        max_speeds = F[rows, at.LIMIT_V]
    A, V = checked_limits(is_observed, n, max_accelerations, max_speeds, T.S[at.GRAVITY : at.GRAVITY + 3])
    if is_recorded and A.any():
        raise ArgumentError("crowd: recorded tracks are straight; their maximum acceleration is 0.")
    check_fit(crowd, T.N[rows, at.ID], r)
    if is_recorded:
        F[rows, at.RADIUS], F[rows, at.MASS] = r, m
        wake(T.packed(), rows[T.N[rows, at.ACTIVE] == 1], crowd.time, 1)
        return
    know(crowd, rows)
    crowd.check_walls(T.N[rows, at.ID], F[rows, at.X : at.X + crowd.dimensions], r)
    F[rows, at.RADIUS], F[rows, at.MASS] = r, m
    if not is_observed:
        F[rows, at.ACCELERATION] = A
    elif has_limits:  # else the last measurement stays what it is
        change_limits(crowd, rows, A, V)
    crowd.go_on_from_now(rows)


def add(
    crowd: State,
    positions: Numbers,
    velocities: Numbers | None,
    radii: Numbers,
    max_accelerations: Numbers,
    max_speeds: Numbers | None,
    masses: Numbers | None,
    groups: Numbers | None,
    velocity_errors: Numbers,
) -> IntArray:
    """Add members; see `Crowd.add`."""
    T = crowd.tables
    if isinstance(crowd.motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks define all their members; none can be added.")
    x = checked_vectors("positions", positions, None, crowd.dimensions)
    n = len(x)
    r = checked_sizes("radii", radii, n, zero=True)
    A, V = checked_limits(
        T.S[at.MOTION] == at.OBSERVED, n, max_accelerations, max_speeds, T.S[at.GRAVITY : at.GRAVITY + 3]
    )
    errors = checked_sizes("velocity_errors", velocity_errors, n, zero=True)
    v, e_v = first_velocities(crowd.motion, velocities, x, V, errors)
    ids = np.arange(crowd.next_id, crowd.next_id + n)
    new = Newcomers(ids, x, v, r, A, V, masses_of(masses, r), checked_groups(groups, n), e_v)
    crowd.check_walls(ids, x, r)
    if n > len(crowd.free):
        crowd.free = [*reversed(T.grow_spheres(n - len(crowd.free))), *crowd.free]
    crowd.next_id += n
    fill(crowd, new)
    return ids


def remove(crowd: State, ids: Numbers) -> None:
    """Remove members; see `Crowd.remove`."""
    if isinstance(crowd.motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks define all their members; none can be removed.")
    rows = crowd.rows_of(ids)
    know(crowd, rows)
    for i in rows:
        crowd.shapes.pop(int(crowd.tables.N[i, at.ID]), None)
        crowd.tables.N[i, at.SHAPED] = 0
        while take_out(crowd.tables.packed(), int(i)) != at.DONE:
            crowd.drain()
    stay = ~np.isin(crowd.rows, rows)
    crowd.ids, crowd.rows = crowd.ids[stay], crowd.rows[stay]
    crowd.free.extend(int(i) for i in rows[::-1])
