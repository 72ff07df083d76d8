"""Members of a crowd that continue from states set by the caller, inside the walls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.crowd.history import remember
from keepclear.crowd.member_arrays import check_inside
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import forget_pairs, go_on, wake

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

IntArray = npt.NDArray[np.int64]


def go_on_from_now(crowd: Crowd, rows: IntArray) -> None:
    """Continue the motion from the present states of members."""
    crowd._tables.F[rows, at.ANCHOR_END] = np.inf  # forces are chosen again
    go_on(crowd._tables.packed(), rows)
    remember(crowd, rows)


def check_walls(crowd: Crowd, ids: IntArray, x: FloatArray, r: FloatArray) -> None:
    """Raise an `ArgumentError` if a member would reach through a wall that it cannot pass."""
    S, d = crowd._tables.S, crowd.dimensions
    if S[at.WALLED] and S[at.RESPONSE] == at.ELASTIC and S[at.MOTION] != at.OBSERVED:
        check_inside(x, r, (S[at.LOWER : at.LOWER + d], S[at.UPPER : at.UPPER + d]), ids)


def recheck(crowd: Crowd, row: int) -> None:
    """Discard the pairs of a member: overlaps end, and those that persist begin again."""
    while not forget_pairs(crowd._tables.packed(), row):
        crowd._drain()
    wake(crowd._tables.packed(), np.array([row]), crowd.time, 1)
