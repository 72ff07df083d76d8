"""Motions in the form of kernels: samples become pieces with constant velocities or cubic coefficients.

The layout is that of kernels/motion/state.py. Each number here is within a few units in the last place of what exact
arithmetic gives for the checked poses, at all angles, so that a piece ends where the next one begins to within 1e-15.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion import state as layout

ROUND_UP = 1.0 + 2.0**-48


def pack_rest(X: FloatArray, t: float) -> FloatArray:
    """Return the motion that has pose X (4, 4) at time t, and is at rest."""
    Q, p = _REST.copy(), X[:3, 3].copy()
    Q[layout.FIRST] = Q[layout.LAST] = Q[layout.HEADER] = Q[layout.HEADER + 1] = Q[_RECORD + layout.START] = t
    Q[_RECORD + layout.TURN : _RECORD + layout.TURN + 9] = X[:3, :3].ravel()
    Q[_RECORD + layout.ORIGIN : _RECORD + layout.ORIGIN + 3] = p
    # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
    Q[layout.PLACE] = math.sqrt(p.dot(p)) * ROUND_UP
    return Q


def pack_rigid(times: FloatArray, X: FloatArray, turns: FloatArray, *, screw: bool) -> FloatArray:
    """Return the motion through poses X (n, 4, 4), n >= 2, with the rotation vectors `turns` (n - 1, 3) between.

    Args:
        times: (n,) [s].
        X: Checked poses.
        turns: The logarithms of R_(i+1) R_i^T, in the world [rad].
        screw: Whether the whole pose moves along a screw; otherwise the origin moves linearly.
    """
    Q, pieces = _new(times)
    T = np.diff(times)[:, None]
    steps = np.diff(X[:, :3, 3], axis=0)
    pieces[:, layout.KIND] = layout.SCREW if screw else layout.LINEAR
    pieces[:, layout.TURN : layout.TURN + 9] = X[:-1, :3, :3].reshape(-1, 9)
    pieces[:, layout.ORIGIN : layout.ORIGIN + 3] = X[:-1, :3, 3]
    with np.errstate(over="ignore"):
        pieces[:, layout.SPIN : layout.SPIN + 3] = turns / T
        pieces[:, layout.SPEED : layout.SPEED + 3] = (_screw_steps(turns, steps) if screw else steps) / T
    travel = np.linalg.norm(pieces[:, layout.SPEED : layout.SPEED + 3], axis=1) * T[:, 0]
    Q[layout.PLACE] = (np.linalg.norm(X[:-1, :3, 3], axis=1) + travel).max() * ROUND_UP
    return Q


def pack_screws(X0: FloatArray, X1: FloatArray) -> FloatArray:
    """Return many motions as rows, each along the screw from X0[k] at time 0 to X1[k] at time 1; poses (m, 4, 4).

    Each is what `pack_rigid` gives for these two poses, which are checked. No turn may be by half a turn.
    """
    Q, _ = _new(np.array([0.0, 1.0]))
    rows = np.tile(Q, (len(X0), 1))
    pieces = rows[:, layout.HEADER + 2 :]
    turns = turns_between(X0[:, :3, :3], X1[:, :3, :3])
    speeds = _screw_steps(turns, X1[:, :3, 3] - X0[:, :3, 3])
    pieces[:, layout.KIND] = layout.SCREW
    pieces[:, layout.TURN : layout.TURN + 9] = X0[:, :3, :3].reshape(-1, 9)
    pieces[:, layout.ORIGIN : layout.ORIGIN + 3] = X0[:, :3, 3]
    pieces[:, layout.SPIN : layout.SPIN + 3] = turns
    pieces[:, layout.SPEED : layout.SPEED + 3] = speeds
    travel = np.linalg.norm(speeds, axis=1)
    rows[:, layout.PLACE] = (np.linalg.norm(X0[:, :3, 3], axis=1) + travel) * ROUND_UP
    return rows


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


def rotation_vectors(R: FloatArray) -> FloatArray:
    """Return the logarithms (n - 1, 3) of R_(i+1) R_i^T for rotations R (n, 3, 3), accurate at all angles [rad]."""
    return turns_between(R[:-1], R[1:])


def turns_between(R0: FloatArray, R1: FloatArray) -> FloatArray:
    """Return the logarithms (n, 3) of R1 R0^T for rotations (n, 3, 3), accurate at all angles [rad].

    The part of M = R1 R0^T that is not symmetric is the axis times the sine of the angle. It equals that of
    (R1 - R0) R0^T, whose first factor is exact where the rotations are near: a turn by 1e-12 keeps all its digits.
    Near half a turn the sine no longer determines the axis; there the symmetric part does.
    """
    M = R1 @ np.swapaxes(R0, 1, 2)
    D = (R1 - R0) @ np.swapaxes(R0, 1, 2)
    sines = 0.5 * np.stack(
        [D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]], axis=1
    )
    trace = np.trace(M, axis1=1, axis2=2)
    # Lengths of vectors whose squares underflow or overflow.
    scale = np.abs(sines).max(axis=1, initial=0.0)
    scale = np.where(scale > 0.0, scale, 1.0)
    sine = scale * np.linalg.norm(sines / scale[:, None], axis=1)
    angle = np.arctan2(sine, 0.5 * (trace - 1.0))
    axis = sines / np.where(sine > 0.0, sine, 1.0)[:, None]
    for i in np.flatnonzero(trace < 0.0):
        axis[i] = _far_axis(M[i], sines[i])
    return np.asarray(axis * angle[:, None])


def _far_axis(M: FloatArray, sines: FloatArray) -> FloatArray:
    """Return the axis of a rotation by more than a third of a turn, from the symmetric part of its matrix.

    M + M^T = 2 cos(angle) + 2 (1 - cos(angle)) a a^T: the column with the largest entry of the axis a is taken.
    """
    i = int(np.argmax(np.diagonal(M)))
    a = M[i] + M[:, i]
    a[i] += 1.0 - np.trace(M)
    a /= np.linalg.norm(a)
    return np.asarray(a if a @ sines >= 0.0 else -a)


def _screw_steps(turns: FloatArray, steps: FloatArray) -> FloatArray:
    """Return v with J(turn) v = step, for J the left Jacobian of the rotation group: the initial velocity of a screw.

    J^-1 = 1 - W / 2 + (1 - x cot x) U^2 with W the cross product with the turn, U that with its unit vector and x half
    the angle. The difference loses no digits that matter: it is multiplied by the step itself.
    """
    angle = np.linalg.norm(turns, axis=1)
    x = 0.5 * angle
    moving = angle > 0.0
    safe = np.where(moving, x, 1.0)
    bend = np.where(moving, 1.0 - safe * np.cos(safe) / np.sin(safe), 0.0)
    axis = turns / np.where(moving, angle, 1.0)[:, None]
    across = np.cross(axis, np.cross(axis, steps))
    return np.asarray(steps - 0.5 * np.cross(turns, steps) + bend[:, None] * across)


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
