"""Cells and boxes that suit a crowd as it is: chosen when members come, and checked again while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.crowd.cost import choose_growth
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import wake

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

# A growth that is off by less than this factor is as good.
GOOD_ENOUGH = 1.5


def tune(crowd: Crowd) -> None:
    """Choose cells and boxes for the members that are there, if they are more than twice those of the last choice."""
    n = len(crowd._ids)
    if n > 2 * crowd._tuned_for or not crowd._tuned_for:
        _choose(crowd)
        crowd._tuned_for = n


def tune_again(crowd: Crowd) -> None:
    """Choose again if members have spread, gathered or become faster meanwhile."""
    if not crowd._own_growth and len(crowd._ids) > 1:
        _choose(crowd)


def suit(crowd: Crowd) -> None:
    """Set the growth of boxes and the edge of the smallest cells for members as they are, in tables without cells."""
    S = crowd._tables.S
    if not crowd._own_growth:
        S[at.GROWTH] = suitable_growth(crowd)
    S[at.EDGE] = _edge(crowd, _there(crowd))


def _choose(crowd: Crowd) -> None:
    """Set the growth of boxes and the edge of the smallest cells, and renew all members if they change."""
    T, rows = crowd._tables, _there(crowd)
    S, old = T.S, float(T.S[at.GROWTH])
    if not crowd._own_growth:
        S[at.GROWTH] = suitable_growth(crowd)
        if old / GOOD_ENOUGH <= S[at.GROWTH] <= old * GOOD_ENOUGH:
            S[at.GROWTH] = old
    edge = _edge(crowd, rows)
    if edge != S[at.EDGE]:
        S[at.EDGE] = edge
        T.empty_grid()
        wake(T.packed(), rows[T.N[rows, at.ACTIVE] == 1], crowd.time, 0)


def _there(crowd: Crowd) -> npt.NDArray[np.int64]:
    return np.asarray(crowd._rows[crowd._tables.N[crowd._rows, at.ACTIVE] > 0])


def suitable_growth(crowd: Crowd) -> float:
    """Return the growth of boxes that suits members as they are [m]."""
    T, d = crowd._tables, crowd.dimensions
    F, S = T.F[_there(crowd)], T.S
    return choose_growth(
        F[:, at.X : at.X + d],
        F[:, at.V : at.V + d],
        F[:, at.RADIUS],
        np.where(np.isfinite(F[:, at.ACCELERATION]), F[:, at.ACCELERATION], 0.0),
        crowd.bounds,
        is_slow=bool(S[at.MOTION] == at.EXTERNAL),
        bounces=bool(S[at.RESPONSE] != at.REPORT),
    )


def _edge(crowd: Crowd, rows: npt.NDArray[np.int64]) -> float:
    radii = crowd._tables.F[rows, at.RADIUS]
    return 1.01 * (2.0 * (float(radii.min()) if len(rows) else 1.0) + float(crowd._tables.S[at.GROWTH]))
