"""Calls from a crowd to its caller: probes, with the states of members that they return, and responses to impacts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, shown
from keepclear.crowd.parts.events import event_records
from keepclear.crowd.parts.motions import RecordedTracks, compile_probe
from keepclear.crowd.parts.state import State
from keepclear.errors import CrowdError, KeepclearError
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import go_on, probe_all, wake
from keepclear.kernels.crowd.motion import ROUNDING

# Members whose boxes are good for no more than this part of their time are renewed together with the one that must be:
# one call for many costs little more than one call for one.
SOON = 0.3


def connect(crowd: State) -> None:
    """Compile a probe that its caller compiled with Numba for the event loop, and pass its address to the kernels."""
    if crowd.tables.S[at.MOTION] == at.COMPILED:
        crowd.compiled = compile_probe(crowd.motion, crowd.dimensions)
        crowd.tables.C[at.PROBE_ADDRESS] = crowd.compiled.address


def serve_probe(crowd: State) -> None:
    """Call the probe for the members that the event loop needs, and for those that it would need soon."""
    T, t = crowd.tables, crowd.time
    i, j = int(T.C[at.ASKED_A]), int(T.C[at.ASKED_B])
    tell_impacts(crowd)
    if j >= 0 or t < T.F[i, at.HORIZON] or T.S[at.MOTION] == at.COMPILED:
        asked = np.array([k for k in (i, j) if k >= 0 and T.F[k, at.PROBED] != t], dtype=np.int64)
        ask_probe(crowd, asked[np.argsort(T.N[asked, at.ID])])
        return
    rows = crowd.rows
    horizon, probed = T.F[rows, at.HORIZON], T.F[rows, at.PROBED]
    soon = rows[np.isfinite(horizon) & (horizon - t <= SOON * (horizon - probed)) & (probed != t)]
    ask_probe(crowd, soon if i in soon else np.array([i]))
    wake(T.packed(), soon, t, 0)


def ask_probe(crowd: State, rows: IntArray) -> None:
    """Call the probe for the present states of members; refuse a result that exceeds the maximum acceleration."""
    T, t, d = crowd.tables, crowd.time, crowd.dimensions
    ids = T.N[rows, at.ID]
    try:
        answer = crowd.motion(ids.copy(), t)
        x, v = (np.array(part, dtype=np.float64) for part in answer)
    except KeepclearError:
        raise
    except Exception as cause:
        raise CrowdError(f"{_asked(ids, t)} raised {type(cause).__name__}: {cause}") from cause
    for name, part in (("positions", x), ("velocities", v)):
        if part.shape != (len(ids), d):
            raise CrowdError(
                f"{_asked(ids, t)} returned {name} of shape {part.shape}; expected ({len(ids)}, {d})."
            )
        bad = np.flatnonzero(~np.isfinite(part).all(axis=1))
        if len(bad):
            k = int(bad[0])
            raise CrowdError(
                f"{_asked(ids, t)} returned {name} {part[k]} for sphere {ids[k]}; expected numbers."
            )
    _check_promise(crowd, rows, x, v)
    T.F[rows, at.X : at.X + d], T.F[rows, at.V : at.V + d], T.F[rows, at.PROBED] = x, v, t
    T.C[at.PROBES] += len(rows)


def _asked(ids: IntArray, t: float) -> str:
    who = ", ".join(str(i) for i in ids[:4]) + (", ..." if len(ids) > 4 else "")
    return f"crowd: the probe, asked for sphere{'s' * (len(ids) > 1)} {who} at {t:.9g} s,"


def _check_promise(crowd: State, rows: IntArray, x: FloatArray, v: FloatArray) -> None:
    """Raise a `CrowdError` if a member is farther than its maximum acceleration allows; as `ask_compiled` does."""
    F, t = crowd.tables.F[rows], crowd.time
    known_x, known_v = crowd.known_states(t, rows)
    since, A = F[:, at.PROBED], F[:, at.ACCELERATION]
    s = t - since
    far, fast = np.abs(x).max(axis=1), np.abs(v).max(axis=1)
    off = np.linalg.norm(x - known_x, axis=1)
    allowed = 0.5 * A * s * s + crowd.tables.S[at.SLACK] + ROUNDING * (far + fast * s)
    change = np.linalg.norm(v - known_v, axis=1)
    quick = ~(change <= A * s + ROUNDING * (fast + A * (abs(t) + s)) + 1e-300)
    bad = np.flatnonzero(~(off <= allowed) | quick)
    if not len(bad):
        return
    k = int(bad[0])
    who = int(crowd.tables.N[rows[k], at.ID])
    if off[k] <= allowed[k]:
        what = f"the velocity of sphere {who} differs by {change[k]:.6g} m/s from that at {since[k]:.9g} s"
        limit = f"{A[k] * s[k]:.6g} m/s"
    else:
        what = f"sphere {who} is {off[k]:.6g} m from where its velocity at {since[k]:.9g} s would have brought it"
        limit = f"{0.5 * A[k] * s[k] ** 2:.6g} m"
    raise CrowdError(
        f"crowd: at {t:.9g} s {what}; its maximum acceleration of {A[k]:g} m/s^2 allows {limit}. "
        "Give it a larger one, or report jumps with crowd.observe."
    )


def tell_impacts(crowd: State) -> None:
    """Pass a motion of the caller the velocities after the impacts that it does not know yet."""
    T = crowd.tables
    end = int(T.C[at.N_EVENTS])
    restart = getattr(crowd.motion, "restart", None)
    if restart is None or end == crowd.reported:
        return
    events = T.E[crowd.reported : end]
    events = events[(events[:, at.E_KIND] == at.CONTACT) | (events[:, at.E_KIND] == at.WALL)]
    members = np.unique(events[:, [at.E_I, at.E_J]].astype(np.int64))
    for i in members[np.isin(members, crowd.ids)]:  # some have left since
        _tell(crowd, restart, np.array([i]))
    crowd.reported = end


def _tell(crowd: State, restart: Any, ids: IntArray) -> None:
    """Pass a motion of the caller the states from which members continue."""
    F, d = crowd.tables.F[crowd.rows[np.searchsorted(crowd.ids, ids)]], crowd.dimensions
    t = float(F[0, at.PROBED])
    try:
        restart(ids, t, F[:, at.X : at.X + d].copy(), F[:, at.V : at.V + d].copy())
    except KeepclearError:
        raise
    except Exception as cause:
        raise CrowdError(
            f"crowd: restart of the motion, called for spheres {ids.tolist()} at {t:.9g} s, raised "
            f"{type(cause).__name__}: {cause}"
        ) from cause


def true_states(crowd: State, t: float) -> tuple[FloatArray, FloatArray]:
    """Return positions and velocities of all members at a time, from their motion; NaN for absent members."""
    T, d, rows = crowd.tables, crowd.dimensions, crowd.rows
    if isinstance(crowd.motion, RecordedTracks):
        return crowd.motion.at(t), crowd.motion.velocities(t)
    if t < crowd.time:
        return crowd.past_states(t)
    kind = T.S[at.MOTION]
    if kind in (at.EXTERNAL, at.COMPILED) and t == crowd.time:
        know(crowd, rows)
    if kind in (at.OBSERVED, at.EXTERNAL, at.COMPILED):
        return crowd.known_states(t, rows)
    F, N = T.F.copy(), T.N.copy()
    probe_all(F, N, T.C.copy(), T.S, T.D, t)
    return F[rows, at.X : at.X + d], F[rows, at.V : at.V + d]


def know(crowd: State, rows: npt.NDArray[np.int64]) -> None:
    """Make the states of members those of now, where a probe can tell."""
    T = crowd.tables
    if T.S[at.MOTION] == at.OBSERVED:
        return
    if T.S[at.MOTION] in (at.EXTERNAL, at.COMPILED):
        stale = rows[T.F[rows, at.PROBED] != crowd.time]
        if len(stale):
            tell_impacts(crowd)
            ask_probe(crowd, stale)
        return
    F, N = T.F[rows], T.N[rows]
    probe_all(F, N, T.C, T.S, T.D, crowd.time)
    T.F[rows] = F


def ask_response(crowd: State) -> None:
    """Call the response for the last impact; if it fails, it is called again."""
    T, d = crowd.tables, crowd.dimensions
    rows = np.array([i for i in T.C[[at.ASKED_A, at.ASKED_B]] if i >= 0])
    rows = rows[np.argsort(T.N[rows, at.ID])]
    ids, k = T.N[rows, at.ID], int(T.C[at.N_EVENTS])
    event = event_records(T.E[k - 1 : k], d)[0]
    before = T.F[rows, at.V : at.V + d].copy()
    try:
        after = _answer(crowd, ids.tolist(), event, before)
    except BaseException:
        _take_back(crowd, rows)
        raise
    if after is None:
        return
    if not T.N[rows, at.SHAPED].any() and _parts(crowd, rows, event, after):
        _forget(crowd, rows)
    T.F[rows, at.V : at.V + d] = after
    go_on(T.packed(), rows)
    crowd.remember(rows)
    restart = getattr(crowd.motion, "restart", None)
    if restart is not None:
        _tell(crowd, restart, ids)
    crowd.reported = int(T.C[at.N_EVENTS])


def _answer(crowd: State, pair: list[int], event: Any, before: FloatArray) -> FloatArray | None:
    """Return the velocities from the caller's response; None if the two pass through each other."""
    try:
        answer: Any = crowd.response(event, before.copy())
        after = None if answer is None else np.array(answer, dtype=np.float64)
    except KeepclearError:
        raise
    except Exception as cause:
        raise CrowdError(
            f"crowd: the response to spheres {pair} at {crowd.time:.9g} s raised {type(cause).__name__}: {cause}"
        ) from cause
    if after is not None and (after.shape != before.shape or not np.isfinite(after).all()):
        raise CrowdError(
            f"crowd: the response to spheres {pair} at {crowd.time:.9g} s must return finite velocities "
            f"{before.shape} or None, but it returned {shown(answer)}."
        )
    return after


def _parts(crowd: State, rows: IntArray, event: Any, after: FloatArray) -> bool:
    """Return whether velocities separate two spheres, or a sphere from the wall it touched; otherwise they pass."""
    d = crowd.dimensions
    x = crowd.tables.F[rows, at.X : at.X + d]
    if len(rows) == 2:
        return bool((x[1] - x[0]) @ (after[1] - after[0]) >= 0.0)
    return bool((x[0] - event["position"]) @ after[0] >= 0.0)


def _take_back(crowd: State, rows: IntArray) -> None:
    """Undo an impact whose response failed: it will happen again when the crowd advances."""
    C, E = crowd.tables.C, crowd.tables.E
    C[at.N_EVENTS] -= 1
    C[at.WALL_COUNT if E[C[at.N_EVENTS], at.E_KIND] == at.WALL else at.CONTACT_COUNT] -= 1
    _forget(crowd, rows)


def _forget(crowd: State, rows: IntArray) -> None:
    """Mark two spheres as apart again, or one as inside the walls; renewing them at once updates the rest."""
    Q = crowd.tables.Q
    e = int(crowd.tables.N[rows[0], at.FIRST_PAIR])
    while len(rows) == 2 and e >= 0:
        p = e >> 1
        if {int(Q[p, at.FIRST]), int(Q[p, at.SECOND])} == set(rows.tolist()):
            Q[p, at.STATE] = at.APART
        e = int(Q[p, at.NEXT + (e & 1)])
    if len(rows) == 1:
        crowd.tables.N[rows[0], at.OUTSIDE] &= ~int(crowd.tables.C[at.ASKED_PAIR])
    wake(crowd.tables.packed(), rows, crowd.time, 1)
