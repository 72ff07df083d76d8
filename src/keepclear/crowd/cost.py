"""How far a sphere of a crowd should move before it is looked at anew: a model of what that costs."""

from __future__ import annotations

import numpy as np

from keepclear.shapes.arguments import FloatArray


def choose_growth(
    x: FloatArray, v: FloatArray, r: FloatArray, A: FloatArray, box: tuple[FloatArray, FloatArray] | None
) -> float:
    """Return the growth of boxes that makes a second of the crowd cheapest [m]."""
    n, d = x.shape
    if n < 2:
        return 1.0
    lower, upper = (x.min(axis=0), x.max(axis=0)) if box is None else box
    sides = np.maximum(upper - lower, 2.0 * r.max())
    spacing = float(np.prod(sides) / n) ** (1.0 / d)
    return max(0.4 * spacing, 1e-6 * float(sides.max()))
