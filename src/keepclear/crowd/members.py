"""Members of a crowd that come, go, change or are observed while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.crowd.arguments import (
    check_inside,
    checked_ids,
    checked_number,
    checked_sizes,
    checked_vectors,
)
from keepclear.crowd.motions import RecordedTracks
from keepclear.crowd.settings import masses_of
from keepclear.crowd.states import know
from keepclear.errors import ArgumentError
from keepclear.kernels import crowd_layout as at
from keepclear.kernels.crowd_events import jump, take_out, wake
from keepclear.shapes.arguments import FloatArray

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

IntArray = npt.NDArray[np.int64]
Numbers = npt.ArrayLike


def fill(
    crowd: Crowd,
    ids: IntArray,
    t: float,
    x: FloatArray,
    v: FloatArray,
    r: FloatArray,
    A: FloatArray,
    m: FloatArray,
) -> None:
    """Write new members into the tables, and queue them to be looked at."""
    T, d = crowd._tables, crowd.dimensions
    F, N = T.F, T.N
    F[ids, at.X : at.X + 3] = F[ids, at.V : at.V + 3] = 0.0
    F[ids, at.X : at.X + d], F[ids, at.V : at.V + d] = x, v
    F[ids, at.RADIUS], F[ids, at.ACCELERATION], F[ids, at.MASS] = r, A, m
    F[ids, at.PROBED], F[ids, at.BURST], F[ids, at.ANCHOR_END] = t, -np.inf, np.inf
    N[ids, at.ACTIVE], N[ids, at.OUTSIDE], N[ids, at.CONTACTS] = 1, 0, 0
    tables = T.packed()
    if isinstance(crowd._motion, RecordedTracks):
        length = len(crowd._motion.times)
        N[ids, at.KNOT], N[ids, at.LAST_KNOT] = ids * length - 1, ids * length + length - 1
        F[ids, at.ANCHOR_END], N[ids, at.ACTIVE] = crowd._motion.times[0], 2
        for i in ids:
            wake(tables, int(i), max(t, float(crowd._motion.times[0])))
        return
    velocity = np.zeros(3)
    for i, w in zip(ids, v, strict=True):
        velocity[:d] = w
        jump(tables, int(i), velocity)


def observe(crowd: Crowd, ids: Numbers, t: float, positions: Numbers, velocities: Numbers) -> None:
    """Take over an observation; see `Crowd.observe`."""
    T = crowd._tables
    if isinstance(crowd._motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks tell where members are; nothing can be observed.")
    who = checked_ids(ids, T.N[: crowd._n, at.ACTIVE] == 1)
    when = checked_number("t", t)
    if when > crowd.time:
        raise ArgumentError(
            f"crowd: it is {crowd.time:g} s, and the observation is of {when:g} s; advance the crowd first."
        )
    if when < crowd.time and T.S[at.MOTION] not in (at.OBSERVED, at.EXTERNAL):
        raise ArgumentError(
            f"crowd: it is {crowd.time:g} s; its own motion can only be set from now on, not from {when:g} s."
        )
    x = checked_vectors("positions", positions, len(who), crowd.dimensions)
    v = checked_vectors("velocities", velocities, len(who), crowd.dimensions)
    old = T.F[who, at.PROBED]
    if (when < old).any() and T.S[at.MOTION] == at.OBSERVED:
        k = int(np.flatnonzero(when < old)[0])
        raise ArgumentError(
            f"crowd: member {who[k]} was observed at {old[k]:g} s already; drop the older news of {when:g} s."
        )
    _check_walls(crowd, who, x, T.F[who, at.RADIUS])
    d = crowd.dimensions
    T.F[who, at.X : at.X + d], T.F[who, at.V : at.V + d], T.F[who, at.PROBED] = x, v, when
    _restart(crowd, who)


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
    who = checked_ids(ids, T.N[: crowd._n, at.ACTIVE] > 0)
    r = None if radii is None else checked_sizes("radii", radii, len(who), zero=True)
    A = (
        None
        if max_accelerations is None
        else checked_sizes("max_accelerations", max_accelerations, len(who), zero=True)
    )
    m = None if masses is None else checked_sizes("masses", masses, len(who), zero=False)
    if is_recorded and A is not None and A.any():
        raise ArgumentError("crowd: recorded tracks are straight; their greatest acceleration is 0.")
    if not is_recorded:
        know(crowd, who)
    if r is not None:
        _check_walls(crowd, who, T.F[who, at.X : at.X + crowd.dimensions], r)
        T.F[who, at.RADIUS] = r
    if A is not None:
        T.F[who, at.ACCELERATION] = A
    if m is not None:
        T.F[who, at.MASS] = m
    if not is_recorded:
        _restart(crowd, who)
        return
    for i in who[T.N[who, at.ACTIVE] == 1]:
        wake(T.packed(), int(i), crowd.time)


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
    ids = np.arange(crowd._n, crowd._n + k)
    _check_walls(crowd, ids, x, r)
    if crowd._n + k > len(crowd._tables.F):
        crowd._tables.grow_spheres(crowd._n + k)
    crowd._n += k
    fill(crowd, ids, crowd.time, x, v, r, A, m)
    return ids


def remove(crowd: Crowd, ids: Numbers) -> None:
    """Take members out; see `Crowd.remove`."""
    if isinstance(crowd._motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks tell who is there; nobody can be removed.")
    who = checked_ids(ids, crowd._tables.N[: crowd._n, at.ACTIVE] > 0)
    know(crowd, who)
    for i in who:
        while take_out(crowd._tables.packed(), int(i)) != at.DONE:
            crowd._drain()


def _restart(crowd: Crowd, who: IntArray) -> None:
    """Let the motion go on from the states that members have now."""
    tables, d = crowd._tables.packed(), crowd.dimensions
    crowd._tables.F[who, at.ANCHOR_END] = np.inf  # forces are chosen anew
    velocity = np.zeros(3)
    for i in who:
        velocity[:d] = crowd._tables.F[i, at.V : at.V + d]
        jump(tables, int(i), velocity)


def _check_walls(crowd: Crowd, who: IntArray, x: FloatArray, r: FloatArray) -> None:
    """Raise an `ArgumentError` if a member would reach through a wall that it cannot pass."""
    S, d = crowd._tables.S, crowd.dimensions
    if S[at.WALLED] and S[at.RESPONSE] == at.ELASTIC and S[at.MOTION] != at.OBSERVED:
        check_inside(x, r, (S[at.LOWER : at.LOWER + d], S[at.UPPER : at.UPPER + d]), who)
