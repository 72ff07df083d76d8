"""The members of a crowd, and their positions predicted from the last probes: the centres of their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.crowd.member_arrays import checked_ids
from keepclear.errors import ArgumentError
from keepclear.kernels.crowd import layout as at

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

IntArray = npt.NDArray[np.int64]


def rows_of(crowd: Crowd, ids: npt.ArrayLike, *, present: bool = False) -> IntArray:
    """Return the rows of members in the tables, or raise an `ArgumentError`.

    Members of recorded tracks may be absent for a while; where `present` they must be there now.
    """
    wanted = checked_ids(ids)
    place = np.minimum(np.searchsorted(crowd._ids, wanted), max(len(crowd._ids) - 1, 0))
    known = crowd._ids[place] == wanted if len(crowd._ids) else np.zeros(len(wanted), dtype=bool)
    if not known.all():
        raise ArgumentError(
            f"crowd: there is no member {wanted[~known][0]}; {len(crowd._ids)} members are there."
        )
    rows = crowd._rows[place]
    absent = crowd._tables.N[rows, at.ACTIVE] != 1
    if present and absent.any():
        raise ArgumentError(f"crowd: member {wanted[absent][0]} is absent at {crowd.time:g} s.")
    return np.asarray(rows)


def known_states(crowd: Crowd, t: float | FloatArray, rows: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the positions of members at a time, predicted from the last probes, and velocities; NaN if absent."""
    F, d, g = crowd._tables.F[rows], crowd.dimensions, crowd._tables.S[at.GRAVITY : at.GRAVITY + 3]
    s = (t - F[:, at.PROBED])[:, None]
    x = F[:, at.X : at.X + d] + (F[:, at.V : at.V + d] + 0.5 * g[:d] * s) * s
    v = F[:, at.V : at.V + d] + g[:d] * s
    absent = crowd._tables.N[rows, at.ACTIVE] != 1
    x[absent] = v[absent] = np.nan
    return x, v
