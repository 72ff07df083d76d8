"""Members of a crowd that come, go, change or are observed while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.crowd.arguments import check_inside, checked_number, checked_sizes, checked_vectors
from keepclear.crowd.history import remember
from keepclear.crowd.known import rows_of
from keepclear.crowd.motions import RecordedTracks
from keepclear.crowd.settings import masses_of
from keepclear.crowd.states import know
from keepclear.errors import ArgumentError
from keepclear.kernels import crowd_layout as at
from keepclear.kernels.crowd_events import forget_pairs, go_on, take_out, wake
from keepclear.shapes.arguments import FloatArray

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

IntArray = npt.NDArray[np.int64]
Numbers = npt.ArrayLike


def fill(
    crowd: Crowd, ids: IntArray, x: FloatArray, v: FloatArray, r: FloatArray, A: FloatArray, m: FloatArray
) -> None:
    """Write new members into the free rows of the tables, near ones near each other, and queue them."""
    T, d, t = crowd._tables, crowd.dimensions, crowd.time
    rows = np.empty(len(ids), np.int64)
    rows[_along_a_curve(x)] = [crowd._free.pop() for _ in ids]
    crowd._ids, crowd._rows = np.concatenate([crowd._ids, ids]), np.concatenate([crowd._rows, rows])
    F, N = T.F, T.N
    F[rows, at.X : at.X + d], F[rows, at.V : at.V + d] = x, v
    F[rows, at.RADIUS], F[rows, at.ACCELERATION], F[rows, at.MASS] = r, A, m
    F[rows, at.PROBED], F[rows, at.BURST], F[rows, at.ANCHOR_END] = t, -np.inf, np.inf
    N[rows, at.ACTIVE], N[rows, at.OUTSIDE], N[rows, at.CONTACTS], N[rows, at.ID] = 1, 0, 0, ids
    if isinstance(crowd._motion, RecordedTracks):
        length, start = len(crowd._motion.times), float(crowd._motion.times[0])
        N[rows, at.KNOT], N[rows, at.LAST_KNOT] = ids * length - 1, ids * length + length - 1
        F[rows, at.ANCHOR_END], N[rows, at.ACTIVE] = start, 2
        wake(T.packed(), rows, max(t, start), 1)
        return
    go_on(T.packed(), rows)
    remember(crowd, rows)


def _along_a_curve(x: FloatArray) -> IntArray:
    """Return an order of points along Morton's curve: near ones in near rows make large crowds twice as fast."""
    if len(x) < 2:
        return np.arange(len(x))
    low, high = x.min(axis=0), x.max(axis=0)
    cell = ((x - low) / max(float((high - low).max()), 1e-300) * 1023.0).astype(np.int64)
    code = np.zeros(len(x), np.int64)
    for bit in range(10):
        for c in range(x.shape[1]):
            code |= ((cell[:, c] >> bit) & 1) << (bit * x.shape[1] + c)
    return np.argsort(code, kind="stable")


def observe(crowd: Crowd, ids: Numbers, t: float, positions: Numbers, velocities: Numbers) -> None:
    """Take over an observation; see `Crowd.observe`."""
    T = crowd._tables
    if isinstance(crowd._motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks tell where members are; nothing can be observed.")
    rows = rows_of(crowd, ids)
    when = checked_number("t", t)
    if when > crowd.time:
        raise ArgumentError(
            f"crowd: it is {crowd.time:g} s, and the observation is of {when:g} s; advance the crowd first."
        )
    if when < crowd.time and T.S[at.MOTION] not in (at.OBSERVED, at.EXTERNAL, at.COMPILED):
        raise ArgumentError(
            f"crowd: it is {crowd.time:g} s; its own motion can only be set from now on, not from {when:g} s."
        )
    x = checked_vectors("positions", positions, len(rows), crowd.dimensions)
    v = checked_vectors("velocities", velocities, len(rows), crowd.dimensions)
    old = T.F[rows, at.PROBED]
    if (when < old).any() and T.S[at.MOTION] == at.OBSERVED:
        k = int(np.flatnonzero(when < old)[0])
        raise ArgumentError(
            f"crowd: member {T.N[rows[k], at.ID]} was observed at {old[k]:g} s already; drop the older news of "
            f"{when:g} s."
        )
    _check_walls(crowd, T.N[rows, at.ID], x, T.F[rows, at.RADIUS])
    d = crowd.dimensions
    T.F[rows, at.X : at.X + d], T.F[rows, at.V : at.V + d], T.F[rows, at.PROBED] = x, v, when
    _go_on(crowd, rows)


def change(
    crowd: Crowd,
    ids: Numbers,
    radii: Numbers | None,
    max_accelerations: Numbers | None,
    masses: Numbers | None,
) -> None:
    """Give members other sizes; see `Crowd.change`."""
    T = crowd._tables
    is_recorded = isinstance(crowd._motion, RecordedTracks)
    rows = rows_of(crowd, ids)
    n = len(rows)
    r = None if radii is None else checked_sizes("radii", radii, n, zero=True)
    A = (
        None
        if max_accelerations is None
        else checked_sizes("max_accelerations", max_accelerations, n, zero=True)
    )
    m = None if masses is None else checked_sizes("masses", masses, n, zero=False)
    if is_recorded and A is not None and A.any():
        raise ArgumentError("crowd: recorded tracks are straight; their greatest acceleration is 0.")
    if r is not None:
        crowd._check_shapes(T.N[rows, at.ID], r)
    if not is_recorded:
        know(crowd, rows)
    if r is not None:
        _check_walls(crowd, T.N[rows, at.ID], T.F[rows, at.X : at.X + crowd.dimensions], r)
        T.F[rows, at.RADIUS] = r
    if A is not None:
        T.F[rows, at.ACCELERATION] = A
    if m is not None:
        T.F[rows, at.MASS] = m
    if is_recorded:
        wake(T.packed(), rows[T.N[rows, at.ACTIVE] == 1], crowd.time, 1)
    else:
        _go_on(crowd, rows)


def add(
    crowd: Crowd,
    positions: Numbers,
    velocities: Numbers,
    radii: Numbers,
    max_accelerations: Numbers,
    masses: Numbers | None,
) -> IntArray:
    """Let members in; see `Crowd.add`."""
    if isinstance(crowd._motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks bring all their members; nobody can be added.")
    x = checked_vectors("positions", positions, None, crowd.dimensions)
    k = len(x)
    v = checked_vectors("velocities", velocities, k, crowd.dimensions)
    r = checked_sizes("radii", radii, k, zero=True)
    A = checked_sizes("max_accelerations", max_accelerations, k, zero=True)
    m = masses_of(masses, r)
    ids = np.arange(crowd._next_id, crowd._next_id + k)
    _check_walls(crowd, ids, x, r)
    if k > len(crowd._free):
        crowd._free = [*reversed(crowd._tables.grow_spheres(k - len(crowd._free))), *crowd._free]
    crowd._next_id += k
    fill(crowd, ids, x, v, r, A, m)
    return ids


def remove(crowd: Crowd, ids: Numbers) -> None:
    """Take members out; see `Crowd.remove`."""
    if isinstance(crowd._motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks tell who is there; nobody can be removed.")
    rows = rows_of(crowd, ids)
    know(crowd, rows)
    for i in rows:
        crowd._shapes.pop(int(crowd._tables.N[i, at.ID]), None)
        crowd._tables.N[i, at.SHAPED] = 0
        while take_out(crowd._tables.packed(), int(i)) != at.DONE:
            crowd._drain()
    stay = ~np.isin(crowd._rows, rows)
    crowd._ids, crowd._rows = crowd._ids[stay], crowd._rows[stay]
    crowd._free.extend(int(i) for i in rows[::-1])


def look_anew(crowd: Crowd, row: int) -> None:
    """Forget what is known of a member's pairs: overlaps end, and those that are still there begin again."""
    while not forget_pairs(crowd._tables.packed(), row):
        crowd._drain()
    wake(crowd._tables.packed(), np.array([row]), crowd.time, 1)


def _go_on(crowd: Crowd, rows: IntArray) -> None:
    """Let the motion go on from the states that members have now."""
    crowd._tables.F[rows, at.ANCHOR_END] = np.inf  # forces are chosen anew
    go_on(crowd._tables.packed(), rows)
    remember(crowd, rows)


def _check_walls(crowd: Crowd, ids: IntArray, x: FloatArray, r: FloatArray) -> None:
    """Raise an `ArgumentError` if a member would reach through a wall that it cannot pass."""
    S, d = crowd._tables.S, crowd.dimensions
    if S[at.WALLED] and S[at.RESPONSE] == at.ELASTIC and S[at.MOTION] != at.OBSERVED:
        check_inside(x, r, (S[at.LOWER : at.LOWER + d], S[at.UPPER : at.UPPER + d]), ids)
