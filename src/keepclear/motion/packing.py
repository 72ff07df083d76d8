"""Motions in the form of kernels: samples become pieces with constant velocities or cubic coefficients.

The rows are those of kernels/tables/motion.py; rigid motions are packed by kernels/motion/rigid.py.

Entrywise cubics are not exactly rigid, and their header has certified bounds of that. With M the linear part of the
matrix at some instant and s_i its singular values, the nearest rotation R has
|M - R| = max |s_i - 1|. The numbers s_i^2 - 1 are the eigenvalues of S = M^T M - 1, whose entries are polynomials of
degree 6 on a segment. In Bernstein form S is a mean, with positive weights, of its seven control matrices; the largest
eigenvalue is a convex function and the smallest a concave one, so that those of the control matrices bound those of S.
Halving a segment brings the bound closer by a factor of four; only segments that may hold the largest are halved.
"""

from __future__ import annotations

import math
from math import comb

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion import rigid
from keepclear.kernels.motion.rigid import ROUND_UP
from keepclear.kernels.tables.motion import (
    CUBIC,
    HEAD,
    MOTION,
    RIGID,
    SCREW,
    knots_of,
    motion_row,
    new_motion,
    number_of,
    segment_rows,
)


def pack_rest(X: FloatArray, t: float) -> FloatArray:
    """Return the motion that has pose X (4, 4) at time t, and is at rest."""
    Q, (x, y, z) = _REST.copy(), X[:3, 3].tolist()
    Q[_R : _R + 9] = X[:3, :3].ravel()
    Q[_p : _p + 3] = x, y, z
    # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
    Q[_PLACE] = math.sqrt(x * x + y * y + z * z) * ROUND_UP
    if t != 0.0:
        row = motion_row(Q)
        row["t0"] = row["t1"] = knots_of(Q)[:] = t
    return Q


def pack_rigid(times: FloatArray, X: FloatArray, *, screw: bool) -> tuple[FloatArray, int]:
    """Return the motion through checked poses X (n, 4, 4), n >= 2, and -1 or the first segment with half a turn.

    Args:
        times: (n,) [s], increasing.
        X: Checked poses.
        screw: Whether the whole pose moves along a screw; otherwise the origin moves linearly.
    """
    n = len(times) - 1
    Q = np.zeros(HEAD + n + 1 + RIGID.itemsize // 8 * n)
    return Q, rigid.pack_rigid(times, X, screw, Q)


def pack_cubic(times: FloatArray, X: FloatArray) -> FloatArray:
    """Return the motion whose matrix entries are cubics through X (3n + 1, 4, 4)."""
    Q = new_motion(CUBIC, times[::3])
    row, c = motion_row(Q), segment_rows(Q)["c"]
    f = [X[k : len(X) - 3 + k : 3, :3, :].reshape(-1, 12) for k in range(4)]
    # Twice the coefficients of the cubic through f at s = 0, 1/3, 2/3, 1; every multiple is a sum of powers of two.
    rows = [(2, 0, 0, 0), (-11, 18, -9, 2), (18, -45, 36, -9), (-9, 27, -27, 9)]
    for k, weights in enumerate(rows):
        c[..., k] = 0.5 * _combination(weights, f).reshape(-1, 3, 4)
    sizes = np.abs(c).sum(axis=3)
    # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
    row["place"] = np.linalg.norm(sizes[:, :, 3], axis=1).max() * ROUND_UP
    # harmless (ROUND_UP): likewise
    row["terms"] = np.linalg.norm(sizes[:, :, :3], axis=(1, 2)).max() * ROUND_UP
    row["stretch"], row["smallest"], row["largest"] = stretch_bounds(Q)
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


# A body at rest at time 0 at the origin of the world, less its rotation: others are made from copies of it.
_REST = new_motion(SCREW, np.zeros(2))
segment_rows(_REST)["rests"] = 1
# Where its numbers are: to write them as fields of rows takes three times as long.
_PLACE = number_of(MOTION, "place")
_R, _p = (HEAD + 2 + number_of(RIGID, name) for name in ("R", "p"))


# Halving ends when the bound is this close to a value that is reached, as a part of it, or after a number of rounds.
CLOSE_ENOUGH = 0.02
HALVINGS = 12
# Rounding of an eigenvalue of S, relative to the square of the largest control matrix: products of three terms, sums
# of four, binomials, eigenvalues and up to 12 averages, each within a few units of 2^-53.
ROUNDING = 128.0 * 2.0**-53


def stretch_bounds(Q: FloatArray) -> tuple[float, float, float]:
    """Return bounds over all pieces of a packed cubic motion: of |M - R|, and of the least and largest singular value.

    Returns:
        `stretch` is never too small, `smallest` never too large and `largest` never too small, rounding included. Where
        the matrices may become singular, `smallest` is 0 and `stretch` is 1 + `largest`.
    """
    M = linear_controls(Q)
    rounding = ROUNDING * max(1.0, float((M * M).sum(axis=(2, 3)).max()))
    S = _gram_controls(M)
    # harmless (rounding): it ends halving sooner or later; each bound holds
    highest, lowest = (_largest_eigenvalue(S, sign, rounding) for sign in (1.0, -1.0))
    top, bottom = highest + rounding, -lowest - rounding
    # harmless (ROUND_UP): top has 128 u for rounding, and the root rounds by 2 u
    largest = float(np.sqrt(1.0 + top)) * ROUND_UP
    if bottom <= -1.0:
        return 1.0 + largest, 0.0, largest
    # harmless (ROUND_UP): bottom has 128 u for rounding, and the root rounds by 2 u
    smallest = float(np.sqrt(1.0 + bottom)) / ROUND_UP
    # s - 1 = (s^2 - 1) / (s + 1), without a difference of near numbers.
    stretch = max(top / (1.0 + np.sqrt(1.0 + top)), -bottom / (1.0 + np.sqrt(1.0 + bottom)))
    # harmless (ROUND_UP): top and bottom have 128 u for rounding, and the quotient rounds by 4 u
    return max(float(stretch), 0.0) * ROUND_UP, smallest, max(largest, 1.0)


def linear_controls(Q: FloatArray) -> FloatArray:
    """Return the Bernstein control matrices of the linear parts of a packed cubic motion, (n, 4, 3, 3)."""
    c = segment_rows(Q)["c"][:, :, :3, :]
    controls = [
        c[..., 0],
        c[..., 0] + c[..., 1] / 3.0,
        c[..., 0] + (2.0 * c[..., 1] + c[..., 2]) / 3.0,
        c[..., 0] + (c[..., 1] + c[..., 2] + c[..., 3]),
    ]
    return np.stack(controls, axis=1)


def _gram_controls(M: FloatArray) -> FloatArray:
    """Return the Bernstein control matrices (n, 7, 3, 3) of M^T M - 1 from those of M, (n, 4, 3, 3)."""
    S = np.zeros((len(M), 7, 3, 3))
    for i in range(4):
        for j in range(4):
            weight = comb(3, i) * comb(3, j) / comb(6, i + j)
            S[:, i + j] += weight * (np.swapaxes(M[:, i], 1, 2) @ M[:, j])
    S = 0.5 * (S + np.swapaxes(S, 2, 3))  # eigenvalues are those of symmetric matrices
    return S - np.eye(3)


def _largest_eigenvalue(S: FloatArray, sign: float, rounding: float) -> float:
    """Return a bound of the largest eigenvalue of sign * S over all pieces, close to one that is reached."""
    reached, settled = -np.inf, -np.inf
    for level in range(HALVINGS + 1):
        values = np.linalg.eigvalsh(sign * S)[..., -1]
        reached = max(reached, float(values[:, [0, -1]].max()))
        bound = values.max(axis=1)
        # harmless (max): it ends halving sooner or later; each bound holds
        # harmless (rounding): likewise
        open_ = bound > reached + max(CLOSE_ENOUGH * abs(reached), rounding)
        settled = max(settled, float(bound[~open_].max(initial=-np.inf)))
        if level == HALVINGS or not open_.any():
            return max(settled, float(bound[open_].max(initial=-np.inf)), reached)
        S = _halved(S[open_])
    raise AssertionError("the loop returns")


def _halved(S: FloatArray) -> FloatArray:
    """Return the control matrices of both halves of polynomials in Bernstein form, by de Casteljau's averages."""
    row, left, right = S, [S[:, 0]], [S[:, -1]]
    while row.shape[1] > 1:
        row = 0.5 * (row[:, :-1] + row[:, 1:])
        left.append(row[:, 0])
        right.append(row[:, -1])
    return np.concatenate([np.stack(left, axis=1), np.stack(right[::-1], axis=1)])
