"""Certified bounds of the deviation of entrywise cubics from rigid motions.

With M the linear part of the matrix at some instant and s_i its singular values, the nearest rotation R has
|M - R| = max |s_i - 1|. The numbers s_i^2 - 1 are the eigenvalues of S = M^T M - 1, whose entries are polynomials of
degree 6 on a segment. In Bernstein form S is a mean, with positive weights, of its seven control matrices; the largest
eigenvalue is a convex function and the smallest a concave one, so that those of the control matrices bound those of S.
Halving a segment brings the bound closer by a factor of four; only segments that may hold the largest are halved.
"""

from __future__ import annotations

from math import comb

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion import state as layout

# Halving ends when the bound is this close to a value that is reached, as a part of it, or after a number of rounds.
CLOSE_ENOUGH = 0.02
HALVINGS = 12
# Rounding of an eigenvalue of S, relative to the square of the largest control matrix: products of three terms, sums
# of four, binomials, eigenvalues and up to 12 averages, each within a few units of 2^-53.
ROUNDING = 128.0 * 2.0**-53
ROUND_UP = 1.0 + 2.0**-48


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
    n = int(Q[layout.PIECES])
    pieces = Q[layout.HEADER + n + 1 :].reshape(n, layout.PIECE)
    c = pieces[:, layout.ENTRIES : layout.ENTRIES + 48].reshape(n, 3, 4, 4)[:, :, :3, :]
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
