"""How far a sphere of a crowd should move before it is looked at anew: a model of what that costs.

A longer way means fewer new boxes, but larger ones: more cells, more of the others in them, and more pairs to solve.
The costs of these steps were measured on crowds of 1000 to 50 000 spheres; only their ratios matter.
"""

from __future__ import annotations

import numpy as np

from keepclear.shapes.arguments import FloatArray

# Nanoseconds for a new box, for a cell that is entered and left, for a comparison of boxes, and for a pair.
RENEWAL, CELL, COMPARISON, PAIR = 400.0, 120.0, 8.0, 150.0
# A probe in Python costs so much more than one in a kernel that everything else hardly counts [ns].
PYTHON_PROBE = 20_000.0
SAMPLE = 2000


def choose_growth(
    x: FloatArray,
    v: FloatArray,
    r: FloatArray,
    A: FloatArray,
    box: tuple[FloatArray, FloatArray] | None,
    is_slow: bool = False,
) -> float:
    """Return the growth of boxes that makes a second of the crowd cheapest [m]; `is_slow` if probes are in Python."""
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
    costs = [
        bound_cost(choice, speed, r[some], A[some], n / float(np.prod(sides)), d, is_slow)
        for choice in choices
    ]
    best = int(np.argmin(costs))
    return float(choices[best]) if costs[best] > 0.0 else 0.4 * spacing


def bound_cost(
    growth: float, speed: FloatArray, r: FloatArray, A: FloatArray, density: float, d: int, is_slow: bool
) -> float:
    """Return about how many nanoseconds a sphere costs per second if its boxes grow that far."""
    below = speed + np.sqrt(speed**2 + 4.0 * A * growth)
    rate = below / (2.0 * growth)
    side = 2.0 * r + growth
    mean, edge = float(side.mean()), 1.5 * side
    neighbours = density * (side + mean) ** d
    compared = (1.0 + side / edge) ** d * density * (edge + mean) ** d
    crossed = d * (growth / edge) * (1.0 + side / edge) ** (d - 1)
    renewal = RENEWAL + (PYTHON_PROBE if is_slow else 0.0)
    return float(np.mean(rate * (renewal + CELL * crossed + COMPARISON * compared + PAIR * neighbours)))
