"""What a crowd knows of its members: where they are, from probes and observations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.crowd.history import past_states
from keepclear.crowd.known import known_states
from keepclear.crowd.motions import RecordedTracks
from keepclear.crowd.probing import ask_probe, tell_impacts
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import probe_all

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd


def true_states(crowd: Crowd, t: float) -> tuple[FloatArray, FloatArray]:
    """Return positions and velocities of all members at a time, from their motion; NaN for absent members."""
    T, d, rows = crowd._tables, crowd.dimensions, crowd._rows
    if isinstance(crowd._motion, RecordedTracks):
        return crowd._motion.at(t), crowd._motion.velocities(t)
    if t < crowd.time:
        return past_states(crowd, t)
    kind = T.S[at.MOTION]
    if kind in (at.EXTERNAL, at.COMPILED) and t == crowd.time:
        know(crowd, rows)
    if kind in (at.OBSERVED, at.EXTERNAL, at.COMPILED):
        return known_states(crowd, t, rows)
    F, N = T.F.copy(), T.N.copy()
    probe_all(F, N, T.C.copy(), T.S, T.D, t)
    return F[rows, at.X : at.X + d], F[rows, at.V : at.V + d]


def know(crowd: Crowd, rows: npt.NDArray[np.int64]) -> None:
    """Make the states of members those of now, where a probe can tell."""
    T = crowd._tables
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
