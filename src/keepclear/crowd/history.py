"""The history of a crowd: the anchors from which its members continued, so that any earlier time can be reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.crowd.tables import sphere_tables
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import probe_all

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

IntArray = npt.NDArray[np.int64]


def remember(crowd: Crowd, rows: IntArray) -> None:
    """Log the anchors that members have now, which their caller has set."""
    T = crowd._tables
    if not T.S[at.HISTORY]:
        return
    drain_log(crowd)
    log, F = np.zeros((len(rows), at.L_COLUMNS)), T.F[rows]
    log[:, at.L_TIME], log[:, at.L_ID] = crowd.time, T.N[rows, at.ID]
    log[:, at.L_X : at.L_X + 6] = F[:, at.ANCHOR_X : at.ANCHOR_X + 6]
    log[:, at.L_A : at.L_A + 3] = F[:, at.ANCHOR_A : at.ANCHOR_A + 3]
    log[:, at.L_END], log[:, at.L_ACCELERATION] = F[:, at.ANCHOR_END], F[:, at.ACCELERATION]
    crowd._log.append(log)


def drain_log(crowd: Crowd) -> None:
    """Move the log of the kernels out of their table."""
    T = crowd._tables
    n = int(T.C[at.N_LOGGED])
    if n:
        crowd._log.append(T.L[:n].copy())
        T.C[at.N_LOGGED] = 0


def past_states(crowd: Crowd, t: float) -> tuple[FloatArray, FloatArray]:
    """Return positions and velocities of the present members at a time before now; NaN for later members."""
    drain_log(crowd)
    if len(crowd._log) > 1:
        crowd._log = [np.concatenate(crowd._log)]
    log = crowd._log[0] if crowd._log else np.zeros((0, at.L_COLUMNS))
    until = log[: np.searchsorted(log[:, at.L_TIME], t, side="right")][::-1]
    ids, last = np.unique(until[:, at.L_ID].astype(np.int64), return_index=True)
    latest, d = until[last], crowd.dimensions
    F, N = sphere_tables(len(ids))
    F[:, at.ANCHOR_X : at.ANCHOR_X + 6] = latest[:, at.L_X : at.L_X + 6]
    F[:, at.ANCHOR_A : at.ANCHOR_A + 3] = latest[:, at.L_A : at.L_A + 3]
    F[:, at.ANCHOR_T], F[:, at.ANCHOR_END] = latest[:, at.L_TIME], latest[:, at.L_END]
    F[:, at.ACCELERATION], F[:, at.PROBED] = latest[:, at.L_ACCELERATION], -np.inf
    N[:, at.ID], N[:, at.ACTIVE] = ids, 1
    T = crowd._tables
    probe_all(F, N, T.C.copy(), T.S, T.D, t)
    x = np.full((len(crowd._ids), d), np.nan)
    v = x.copy()
    there = np.isin(ids, crowd._ids)
    place = np.searchsorted(crowd._ids, ids[there])
    x[place], v[place] = F[there, at.X : at.X + d], F[there, at.V : at.V + d]
    return x, v
