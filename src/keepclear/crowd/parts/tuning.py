"""Cells and boxes that suit a crowd as it is: chosen when members come, and checked again while it runs.

How far a sphere should move before it is checked again follows from a cost model: more travel means fewer new boxes,
but larger ones: more cells, more of the others in them, and more pairs to solve. Only the ratios of these costs matter.
They were chosen by what the growths that follow from them lose, beside the best of ten growths, on ten crowds of 1000
to 10 000 spheres: 12 % on average, where the best of 2197 sets of ratios loses 10 % (`python -m benchmarks crowd --part
cost`). Costs fitted to counted work choose worse: the steps come together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.crowd.parts.state import State
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import wake

# Nanoseconds for a new box, for a cell that is entered and left, for a comparison of boxes, and for a pair.
RENEWAL, CELL, COMPARISON, PAIR = 2000.0, 120.0, 15.0, 15.0
# A probe in Python costs so much more than one in a kernel that everything else hardly counts [ns].
PYTHON_PROBE = 20_000.0
SAMPLE = 2000
# A growth that is off by less than this factor is as good.
GOOD_ENOUGH = 1.5


def tune(crowd: State) -> None:
    """Choose cells and boxes for the members that are there, if they are more than twice those of the last choice."""
    n = len(crowd.ids)
    if n > 2 * crowd.tuned_for or not crowd.tuned_for:
        _choose(crowd)
        crowd.tuned_for = n


def tune_again(crowd: State) -> None:
    """Choose again if members have spread, gathered or become faster meanwhile."""
    if not crowd.own_growth and len(crowd.ids) > 1:
        _choose(crowd)


def suit(crowd: State) -> None:
    """Set the growth of boxes and the edge of the smallest cells for members as they are, in tables without cells."""
    S = crowd.tables.S
    if not crowd.own_growth:
        S[at.GROWTH] = suitable_growth(crowd)
    S[at.EDGE] = _edge(crowd, _there(crowd))


def _choose(crowd: State) -> None:
    """Set the growth of boxes and the edge of the smallest cells, and renew all members if they change."""
    T, rows = crowd.tables, _there(crowd)
    S, old = T.S, float(T.S[at.GROWTH])
    if not crowd.own_growth:
        S[at.GROWTH] = suitable_growth(crowd)
        if old / GOOD_ENOUGH <= S[at.GROWTH] <= old * GOOD_ENOUGH:
            S[at.GROWTH] = old
    edge = _edge(crowd, rows)
    if edge != S[at.EDGE]:
        S[at.EDGE] = edge
        T.empty_grid()
        wake(T.packed(), rows[T.N[rows, at.ACTIVE] == 1], crowd.time, 0)


def _there(crowd: State) -> npt.NDArray[np.int64]:
    return np.asarray(crowd.rows[crowd.tables.N[crowd.rows, at.ACTIVE] > 0])


def suitable_growth(crowd: State) -> float:
    """Return the growth of boxes that suits members as they are [m]."""
    T, d = crowd.tables, crowd.dimensions
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


def _edge(crowd: State, rows: npt.NDArray[np.int64]) -> float:
    radii = crowd.tables.F[rows, at.RADIUS]
    return 1.01 * (2.0 * (float(radii.min()) if len(rows) else 1.0) + float(crowd.tables.S[at.GROWTH]))


def choose_growth(
    x: FloatArray,
    v: FloatArray,
    r: FloatArray,
    A: FloatArray,
    box: tuple[FloatArray, FloatArray] | None,
    is_slow: bool = False,
    bounces: bool = False,
) -> float:
    """Return the growth of boxes that makes a second of the crowd cheapest [m].

    Probes in Python are slow, and members that bounce get a new box at every impact as well.
    """
    n, d = x.shape
    if n < 2:
        return max(1.0, float(r.max())) if n else 1.0
    lower, upper = (x.min(axis=0), x.max(axis=0)) if box is None else box
    sides = np.maximum(upper - lower, max(2.0 * float(r.max()), 1e-9))
    # Members on a line, or nearly, are as far apart as their number along it tells.
    spacing = max(float(np.prod(sides) / n) ** (1.0 / d), float(sides.max()) / n)
    some = slice(0, n, max(1, n // SAMPLE))
    speed = np.abs(v[some]).max(axis=1)
    choices = spacing * 2.0 ** np.arange(-4.0, 2.1, 0.25)
    density = n / float(np.prod(sides))
    impacts = impact_rate(r[some], speed, density, d) if bounces else np.zeros_like(speed)
    costs = [bound_cost(choice, speed, r[some], A[some], density, d, is_slow, impacts) for choice in choices]
    best = int(np.argmin(costs))
    return float(choices[best]) if costs[best] > 0.0 else 0.4 * spacing


def impact_rate(r: FloatArray, speed: FloatArray, density: float, d: int) -> FloatArray:
    """Return the approximate number of impacts per second of a sphere: that of a gas of the same density.

    The crowding factor is that of Carnahan and Starling for spheres, of Henderson for discs.
    """
    mean, filled = (
        float(r.mean()),
        density * float(np.mean(np.pi * r**2 if d == 2 else 4.0 / 3.0 * np.pi * r**3)),
    )
    filled = min(filled, 0.6)
    crowding = (
        (1.0 - 0.5 * filled) / (1.0 - filled) ** 3
        if d == 3
        else (1.0 - 7.0 / 16.0 * filled) / (1.0 - filled) ** 2
    )
    section = np.pi * (r + mean) ** 2 if d == 3 else 2.0 * (r + mean)
    return np.asarray(density * crowding * section * np.hypot(speed, float(speed.mean())) * np.sqrt(d))


def bound_cost(
    growth: float,
    speed: FloatArray,
    r: FloatArray,
    A: FloatArray,
    density: float,
    d: int,
    is_slow: bool,
    impacts: FloatArray,
) -> float:
    """Return the approximate cost of a sphere in nanoseconds per second if its boxes grow that far."""
    below = speed + np.sqrt(speed**2 + 4.0 * A * growth)
    rate = below / (2.0 * growth) + impacts
    side = 2.0 * r + growth
    mean, edge = float(side.mean()), 1.5 * side
    neighbours = density * (side + mean) ** d
    compared = (1.0 + side / edge) ** d * density * (edge + mean) ** d
    crossed = d * (growth / edge) * (1.0 + side / edge) ** (d - 1)
    renewal = RENEWAL + (PYTHON_PROBE if is_slow else 0.0)
    return float(np.mean(rate * (renewal + CELL * crossed + COMPARISON * compared + PAIR * neighbours)))
