"""Where the last probes of a crowd would put its members: the centres of their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from keepclear.kernels import crowd_layout as at
from keepclear.shapes.arguments import FloatArray

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd


def known_states(crowd: Crowd, t: float) -> tuple[FloatArray, FloatArray]:
    """Return where the last probes would put all members at a time, and their velocities; NaN for the absent."""
    F, d, g = crowd._tables.F[: crowd._n], crowd.dimensions, crowd._tables.S[at.GRAVITY : at.GRAVITY + 3]
    s = (t - F[:, at.PROBED])[:, None]
    x = F[:, at.X : at.X + d] + (F[:, at.V : at.V + d] + 0.5 * g[:d] * s) * s
    v = F[:, at.V : at.V + d] + g[:d] * s
    absent = crowd._tables.N[: crowd._n, at.ACTIVE] != 1
    x[absent] = v[absent] = np.nan
    return x, v
