"""What a crowd knows of its members: where they are, as far as probes and observations tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.crowd.known import known_states
from keepclear.crowd.motions import RecordedTracks
from keepclear.crowd.probing import ask_probe, tell_impacts
from keepclear.kernels import crowd_layout as at
from keepclear.kernels.crowd_events import probe_all
from keepclear.shapes.arguments import FloatArray

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd


def true_states(crowd: Crowd, t: float) -> tuple[FloatArray, FloatArray]:
    """Return positions and velocities of all members at a time, as their motion tells; NaN for the absent."""
    T, d = crowd._tables, crowd.dimensions
    if isinstance(crowd._motion, RecordedTracks):
        return crowd._motion.at(t), crowd._motion.velocities(t)
    if T.S[at.MOTION] == at.OBSERVED:
        return known_states(crowd, t)
    if T.S[at.MOTION] == at.EXTERNAL:
        if t == crowd.time:
            know(crowd, crowd.ids)
        return known_states(crowd, t)
    F, N = T.F.copy(), T.N.copy()
    probe_all(F, N, T.C.copy(), T.S, T.D, t)
    x, v = F[: crowd._n, at.X : at.X + d].copy(), F[: crowd._n, at.V : at.V + d].copy()
    absent = N[: crowd._n, at.ACTIVE] != 1
    x[absent] = v[absent] = np.nan
    return x, v


def know(crowd: Crowd, who: npt.NDArray[np.int64]) -> None:
    """Make the states of members those of now, where a probe can tell."""
    kind = crowd._tables.S[at.MOTION]
    if kind == at.EXTERNAL:
        stale = who[crowd._tables.F[who, at.PROBED] != crowd.time]
        if len(stale):
            tell_impacts(crowd)
            ask_probe(crowd, stale)
    elif kind != at.OBSERVED:
        x, v = true_states(crowd, crowd.time)
        F, d = crowd._tables.F, crowd.dimensions
        F[who, at.X : at.X + d], F[who, at.V : at.V + d], F[who, at.PROBED] = x[who], v[who], crowd.time
