"""Observed members of a crowd: their measurements, and the errors of these."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, checked_choice
from keepclear.crowd.parts.member_arrays import checked_sizes, checked_times, checked_vectors
from keepclear.crowd.parts.motions import RecordedTracks
from keepclear.crowd.parts.state import State
from keepclear.errors import ArgumentError, CrowdError
from keepclear.kernels.crowd import layout as at

Numbers = npt.ArrayLike
Limits = tuple[FloatArray, FloatArray]


def observe(
    crowd: State,
    ids: Numbers,
    t: Numbers,
    positions: Numbers,
    velocities: Numbers | None,
    position_errors: Numbers,
    velocity_errors: Numbers,
    jumps: str,
) -> npt.NDArray[np.bool_]:
    """Take over observations; see `Crowd.observe`."""
    T = crowd.tables
    if isinstance(crowd.motion, RecordedTracks):
        raise ArgumentError("crowd: recorded tracks define where members are; nothing can be observed.")
    rows = crowd.rows_of(ids)
    n, is_observed = len(rows), T.S[at.MOTION] == at.OBSERVED
    when = checked_times("t", t, n)
    _check_times(crowd, when)
    x = checked_vectors("positions", positions, n, crowd.dimensions)
    e_x, e_v = _errors(crowd, rows, position_errors, velocity_errors)
    if velocities is None:
        v, e_v = np.zeros_like(x), _unknown_velocities(crowd, rows)
    else:
        v = checked_vectors("velocities", velocities, n, crowd.dimensions)
    refuse = checked_choice("crowd", "jumps", jumps, ("allow", "refuse")) == "refuse"
    is_new = when >= T.F[rows, at.PROBED] if is_observed else np.ones(n, dtype=bool)
    rows, when, x, v, e_x, e_v = (part[is_new] for part in (rows, when, x, v, e_x, e_v))
    crowd.check_walls(T.N[rows, at.ID], x, T.F[rows, at.RADIUS])
    if is_observed:
        _count_jumps(crowd, rows, when, x, v, e_x, e_v, refuse)
    d = crowd.dimensions
    T.F[rows, at.X : at.X + d], T.F[rows, at.V : at.V + d], T.F[rows, at.PROBED] = x, v, when
    if is_observed:
        set_unknown(crowd, rows, e_x, e_v)
    crowd.go_on_from_now(rows)
    return is_new


def _check_times(crowd: State, when: FloatArray) -> None:
    if (when > crowd.time).any():
        raise ArgumentError(
            f"crowd: it is {crowd.time:g} s, and the observation is of {when.max():g} s; advance the crowd first."
        )
    if (when < crowd.time).any() and crowd.tables.S[at.MOTION] != at.OBSERVED:
        raise ArgumentError(
            f"crowd: it is {crowd.time:g} s; motions can only be set from now on, not from {when.min():g} s."
        )


def _errors(
    crowd: State, rows: IntArray, position_errors: Numbers, velocity_errors: Numbers
) -> list[FloatArray]:
    """Return the errors of positions and velocities, one each per member."""
    given = {"position_errors": position_errors, "velocity_errors": velocity_errors}
    errors = [checked_sizes(name, value, len(rows), zero=True) for name, value in given.items()]
    if crowd.tables.S[at.MOTION] != at.OBSERVED and any(error.any() for error in errors):
        raise ArgumentError(
            "crowd: errors of observations are for crowds without a motion; a probe is exact."
        )
    return errors


def _unknown_velocities(crowd: State, rows: IntArray) -> FloatArray:
    """Return the maximum speeds of members whose velocities were not measured: any velocity up to them is possible."""
    T = crowd.tables
    if T.S[at.MOTION] != at.OBSERVED:
        raise ArgumentError("crowd: velocities are missing; only crowds without a motion do without them.")
    limit = T.F[rows, at.LIMIT_V]
    if np.isinf(limit).any():
        who = T.N[rows[np.isinf(limit)][0], at.ID]
        raise ArgumentError(
            f"crowd: velocities are missing, and member {who} has no maximum speed; give max_speeds."
        )
    return np.asarray(limit)


def _count_jumps(
    crowd: State,
    rows: IntArray,
    when: FloatArray,
    x: FloatArray,
    v: FloatArray,
    e_x: FloatArray,
    e_v: FloatArray,
    refuse: bool,
) -> None:
    """Count measurements that older ones and the limits do not allow; raise a `CrowdError` where they are refused."""
    T = crowd.tables
    F = T.F[rows]
    known_x, known_v = crowd.known_states(when, rows)
    s = when - F[:, at.PROBED]
    off, change = np.linalg.norm(x - known_x, axis=1), np.linalg.norm(v - known_v, axis=1)
    travel, faster = _unknown(F, s)
    allowed = travel + e_x + T.S[at.SLACK] + 1e-12 * np.abs(x).max(axis=1, initial=0.0)
    jumped = (off > allowed) | (change > (faster + e_v) * (1.0 + 1e-12) + 1e-12)
    if refuse and jumped.any():
        k = int(np.flatnonzero(jumped)[0])
        raise CrowdError(
            f"crowd: the measurement of member {T.N[rows[k], at.ID]} at {when[k]:.9g} s is {off[k]:.6g} m and "
            f"{change[k]:.6g} m/s off what was known since {F[k, at.PROBED]:.9g} s; its limits allow "
            f"{allowed[k]:.6g} m and {faster[k] + e_v[k]:.6g} m/s."
        )
    T.C[at.JUMPS] += int(jumped.sum())


def unknown_travel(F: FloatArray, s: FloatArray) -> FloatArray:
    """Return how far members (rows of F) may be from the positions predicted s seconds after their measurements."""
    return _unknown(F, s)[0]


def _unknown(F: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the errors of positions and velocities of members (rows of F) s seconds after their measurements.

    Kernels follow the tangent once the speed limit was reached, and have left no acceleration; before that time its
    parabola is above it.
    """
    e, f, A = F[:, at.ERROR_X], F[:, at.ERROR_V], F[:, at.ACCELERATION]
    past = np.maximum(s - F[:, at.TAU], 0.0)
    ahead = np.maximum(np.where(np.isfinite(F[:, at.TAU]), F[:, at.TAU], 0.0) - s, 0.0)
    before = np.where(A == 0.0, np.where(np.isfinite(F[:, at.LIMIT_A]), F[:, at.LIMIT_A], 0.0) * ahead, 0.0)
    travel = e + f * s + 0.5 * A * (s * s - past * past) + 0.5 * before * ahead
    return np.asarray(travel), np.asarray(f + A * (s - past) - before)


def set_unknown(crowd: State, rows: IntArray, e_x: FloatArray, e_v: FloatArray) -> None:
    """Write how the bounds of members grow after measurements with these errors, within their limits.

    The velocity stays within e_v + A s of the one observed, and within W = V + |v| of it: from tau = (W - e_v) / A on
    the bound grows at the rate W. Where nothing is known of accelerations that is so from the start.
    """
    F, d = crowd.tables.F, crowd.dimensions
    A, V = F[rows, at.LIMIT_A], F[rows, at.LIMIT_V]
    W = V + np.linalg.norm(F[rows, at.V : at.V + d], axis=1)
    at_limit = np.isinf(A) | (e_v >= W)
    F[rows, at.ERROR_X], F[rows, at.ERROR_V] = e_x, np.where(at_limit, W, e_v)
    F[rows, at.ACCELERATION] = np.where(at_limit, 0.0, A)
    with np.errstate(divide="ignore", invalid="ignore"):
        F[rows, at.TAU] = np.where(at_limit | (A == 0.0), np.inf, (W - e_v) / np.where(A > 0.0, A, 1.0))


def change_limits(crowd: State, rows: IntArray, A: FloatArray, V: FloatArray) -> None:
    """Change the limits of members from now on: they get measurements of now with the errors of the old ones by now."""
    F, d, t = crowd.tables.F, crowd.dimensions, crowd.time
    s = t - F[rows, at.PROBED]
    e_x, e_v = _unknown(F[rows], s)
    x, v = crowd.known_states(t, rows)
    F[rows, at.X : at.X + d], F[rows, at.V : at.V + d], F[rows, at.PROBED] = x, v, t
    F[rows, at.LIMIT_A], F[rows, at.LIMIT_V] = A, V
    set_unknown(crowd, rows, e_x, e_v)


def checked_limits(
    is_observed: bool, n: int, max_accelerations: Numbers, max_speeds: Numbers | None, gravity: FloatArray
) -> Limits:
    """Return the maximum accelerations and speeds (n,) of members that are observed, or of members with a motion."""
    if not is_observed:
        if max_speeds is not None:
            raise ArgumentError(
                "crowd: max_speeds are for crowds without a motion, whose members are observed."
            )
        return checked_sizes("max_accelerations", max_accelerations, n, zero=True), np.full(n, np.inf)
    A = checked_sizes("max_accelerations", max_accelerations, n, zero=True, endless=True)
    V = checked_sizes("max_speeds", np.inf if max_speeds is None else max_speeds, n, zero=True, endless=True)
    if np.isfinite(V).any() and gravity.any():
        raise ArgumentError("crowd: gravity makes members faster and faster; give it, or max_speeds.")
    neither = np.flatnonzero(np.isinf(A) & np.isinf(V))
    if len(neither):
        raise ArgumentError(
            "crowd: a member without a maximum acceleration needs a maximum speed (max_speeds), but row "
            f"{neither[0]} has neither; give max_accelerations, max_speeds or both: the most that members can do."
        )
    return A, V
