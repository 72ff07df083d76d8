"""Motions in the form of kernels: samples become pieces with constant velocities or cubic coefficients.

The layout is that of kernels/motion/state.py; rigid motions are packed by kernels/motion/rigid.py.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion import rigid
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.rigid import ROUND_UP


def pack_rest(X: FloatArray, t: float) -> FloatArray:
    """Return the motion that has pose X (4, 4) at time t, and is at rest."""
    Q, (x, y, z) = _REST.copy(), X[:3, 3].tolist()
    Q[layout.FIRST] = Q[layout.LAST] = Q[layout.HEADER] = Q[layout.HEADER + 1] = Q[_RECORD + layout.START] = t
    Q[_RECORD + layout.TURN : _RECORD + layout.TURN + 9] = X[:3, :3].ravel()
    Q[_RECORD + layout.ORIGIN : _RECORD + layout.ORIGIN + 3] = x, y, z
    # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
    Q[layout.PLACE] = math.sqrt(x * x + y * y + z * z) * ROUND_UP
    return Q


def pack_rigid(times: FloatArray, X: FloatArray, *, screw: bool) -> tuple[FloatArray, int]:
    """Return the motion through checked poses X (n, 4, 4), n >= 2, and -1 or the first segment with half a turn.

    Args:
        times: (n,) [s], increasing.
        X: Checked poses.
        screw: Whether the whole pose moves along a screw; otherwise the origin moves linearly.
    """
    n = len(times) - 1
    Q = np.zeros(layout.HEADER + n + 1 + layout.PIECE * n)
    return Q, rigid.pack_rigid(times, X, screw, Q)


def pack_cubic(times: FloatArray, X: FloatArray) -> FloatArray:
    """Return the motion whose matrix entries are cubics through X (3n + 1, 4, 4), without bounds in its header."""
    Q, pieces = _new(times[::3])
    f = [X[k : len(X) - 3 + k : 3, :3, :].reshape(-1, 12) for k in range(4)]
    pieces[:, layout.KIND] = layout.CUBIC
    # Twice the coefficients of the cubic through f at s = 0, 1/3, 2/3, 1; every multiple is a sum of powers of two.
    rows = [(2, 0, 0, 0), (-11, 18, -9, 2), (18, -45, 36, -9), (-9, 27, -27, 9)]
    for k, row in enumerate(rows):
        entries = layout.ENTRIES + 4 * np.arange(12) + k
        pieces[:, entries] = 0.5 * _combination(row, f)
    sizes = np.abs(pieces[:, layout.ENTRIES : layout.ENTRIES + 48]).reshape(-1, 3, 4, 4).sum(axis=3)
    # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
    Q[layout.PLACE] = np.linalg.norm(sizes[:, :, 3], axis=1).max() * ROUND_UP
    # harmless (ROUND_UP): likewise
    Q[layout.TERMS] = np.linalg.norm(sizes[:, :, :3], axis=(1, 2)).max() * ROUND_UP
    Q[layout.AFFINE] = 1.0
    return Q


def _combination(weights: tuple[int, ...], f: list[FloatArray]) -> FloatArray:
    """Return the sum of integer multiples of arrays, rounded about once (sums with compensation)."""
    total = np.zeros_like(f[0])
    lost = np.zeros_like(f[0])
    for weight, values in zip(weights, f, strict=True):
        for bit in range(abs(weight).bit_length()):
            if abs(weight) >> bit & 1:
                term = np.copysign(2.0**bit, weight) * values
                new = total + term
                part = new - total
                lost += (total - (new - part)) + (term - part)
                total = new
    return total + lost


def _new(knots: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return an empty motion with these knots, and its records (n, PIECE) as a view."""
    n = len(knots) - 1
    Q = np.zeros(layout.HEADER + n + 1 + layout.PIECE * n)
    Q[layout.PIECES], Q[layout.FIRST], Q[layout.LAST] = n, knots[0], knots[-1]
    Q[layout.SMALLEST], Q[layout.LARGEST], Q[layout.TERMS], Q[layout.STRIDE] = 1.0, 1.0, 1.0, layout.PIECE
    Q[layout.HEADER : layout.HEADER + n + 1] = knots
    pieces = Q[layout.HEADER + n + 1 :].reshape(n, layout.PIECE)
    pieces[:, layout.START], pieces[:, layout.DURATION] = knots[:-1], knots[1:] - knots[:-1]
    return Q, pieces


# A body at rest at time 0 at the origin of the world, less its rotation: others are made from copies of it.
_REST, _records = _new(np.zeros(2))
_records[0, layout.KIND] = layout.SCREW
_RECORD = len(_REST) - layout.PIECE
