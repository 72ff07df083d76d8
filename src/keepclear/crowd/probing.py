"""What a crowd asks of its caller: where members are, and what becomes of an impact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from keepclear.crowd.events import event_records
from keepclear.crowd.known import known_states
from keepclear.errors import CrowdError, KeepclearError
from keepclear.kernels import crowd_layout as at
from keepclear.kernels.crowd_events import jump, wake
from keepclear.shapes.arguments import FloatArray, shown

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

# How much of a promise rounding in the caller's own arithmetic may break.
ROUNDING = 1e-12


def ask_probe(crowd: Crowd, ids: npt.NDArray[np.int64]) -> None:
    """Ask the caller's probe where members are now; refuse an answer that breaks the promised acceleration."""
    T, t, d = crowd._tables, crowd.time, crowd.dimensions
    try:
        answer = crowd._motion(ids.copy(), t)
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
    _check_promise(crowd, ids, x, v)
    T.F[ids, at.X : at.X + d], T.F[ids, at.V : at.V + d], T.F[ids, at.PROBED] = x, v, t
    T.C[at.PROBES] += len(ids)


def _asked(ids: npt.NDArray[np.int64], t: float) -> str:
    who = ", ".join(str(i) for i in ids[:4]) + (", ..." if len(ids) > 4 else "")
    return f"crowd: the probe, asked for sphere{'s' * (len(ids) > 1)} {who} at {t:.9g} s,"


def _check_promise(crowd: Crowd, ids: npt.NDArray[np.int64], x: FloatArray, v: FloatArray) -> None:
    F, t = crowd._tables.F, crowd.time
    known_x, known_v = known_states(crowd, t)
    s, A = t - F[ids, at.PROBED], F[ids, at.ACCELERATION]
    far, fast = np.abs(x).max(), np.abs(v).max()
    off = np.linalg.norm(x - known_x[ids], axis=1)
    allowed = 0.5 * A * s * s + crowd._tables.S[at.SLACK] + ROUNDING * (far + fast * s)
    bad = np.flatnonzero(off > allowed)
    if len(bad):
        k = int(bad[0])
        raise CrowdError(
            f"crowd: at {t:.9g} s sphere {ids[k]} is {off[k]:.6g} m from where its velocity at "
            f"{F[ids[k], at.PROBED]:.9g} s would have brought it; its greatest acceleration of {A[k]:g} m/s^2 allows "
            f"{0.5 * A[k] * s[k] ** 2:.6g} m. Give it a larger one, or tell jumps with crowd.observe."
        )
    change = np.linalg.norm(v - known_v[ids], axis=1)
    bad = np.flatnonzero(change > A * s + ROUNDING * (fast + A * (abs(t) + s)) + 1e-300)
    if len(bad):
        k = int(bad[0])
        raise CrowdError(
            f"crowd: at {t:.9g} s the velocity of sphere {ids[k]} differs by {change[k]:.6g} m/s from that at "
            f"{F[ids[k], at.PROBED]:.9g} s; its greatest acceleration of {A[k]:g} m/s^2 allows {A[k] * s[k]:.6g} m/s. "
            "Give it a larger one, or tell jumps with crowd.observe."
        )


def tell_impacts(crowd: Crowd) -> None:
    """Tell a caller's own motion the velocities after the impacts it does not know of yet."""
    T = crowd._tables
    end = int(T.C[at.N_EVENTS])
    restart = getattr(crowd._motion, "restart", None)
    if restart is None or end == crowd._told:
        return
    rows = T.E[crowd._told : end]
    rows = rows[(rows[:, at.E_KIND] == at.CONTACT) | (rows[:, at.E_KIND] == at.WALL)]
    members = np.unique(rows[:, [at.E_I, at.E_J]].astype(np.int64))
    members, d = members[members >= 0], crowd.dimensions
    crowd._told = end
    for i in members:
        F = T.F[[i]]
        restart(
            np.array([i]), float(F[0, at.PROBED]), F[:, at.X : at.X + d].copy(), F[:, at.V : at.V + d].copy()
        )


def ask_response(crowd: Crowd) -> None:
    """Ask the caller's response what becomes of the impact that happened last; if it fails, it is asked again."""
    T, d = crowd._tables, crowd.dimensions
    pair = sorted(int(i) for i in T.C[[at.ASKED_A, at.ASKED_B]] if i >= 0)
    k = int(T.C[at.N_EVENTS])
    event = event_records(T.E[k - 1 : k], d)[0]
    before = T.F[pair, at.V : at.V + d].copy()
    try:
        after = _answer(crowd, pair, event, before)
    except KeepclearError:
        _take_back(crowd, pair)
        raise
    if after is None:
        return
    _forget(crowd, pair)
    velocity = np.zeros(3)
    for i, v in zip(pair, after, strict=True):
        velocity[:d] = v
        jump(T.packed(), i, velocity)
    restart = getattr(crowd._motion, "restart", None)
    if restart is not None:
        restart(np.array(pair), crowd.time, T.F[pair, at.X : at.X + d].copy(), after)
    crowd._told = int(T.C[at.N_EVENTS])


def _answer(crowd: Crowd, pair: list[int], event: Any, before: FloatArray) -> FloatArray | None:
    """Return the velocities that the caller's response wants, or None where the two shall pass."""
    try:
        answer: Any = crowd._response(event, before.copy())
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


def _take_back(crowd: Crowd, pair: list[int]) -> None:
    """Make an impact unhappen whose response failed: it will happen again when the crowd goes on."""
    C, E = crowd._tables.C, crowd._tables.E
    C[at.N_EVENTS] -= 1
    C[at.WALL_COUNT if E[C[at.N_EVENTS], at.E_KIND] == at.WALL else at.CONTACT_COUNT] -= 1
    _forget(crowd, pair)


def _forget(crowd: Crowd, pair: list[int]) -> None:
    """Call two spheres apart again, or one inside the walls; renewing them at once settles the rest."""
    Q = crowd._tables.Q
    e = int(crowd._tables.N[pair[0], at.FIRST_PAIR])
    while len(pair) == 2 and e >= 0:
        p = e >> 1
        if {int(Q[p, at.FIRST]), int(Q[p, at.SECOND])} == set(pair):
            Q[p, at.STATE] = at.APART
        e = int(Q[p, at.NEXT + (e & 1)])
    if len(pair) == 1:
        crowd._tables.N[pair[0], at.OUTSIDE] = 0
    for member in pair:
        wake(crowd._tables.packed(), member, crowd.time)
