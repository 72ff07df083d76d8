"""Motions in a time relative to segments: absolute time costs no digits, however large it is or short a segment.

Between two neighbouring instants of a list the motion is the same as before, but each such step lasts one unit. A
query about contact has the same result in any increasing time, so it can be computed there, and only the resulting
instant is converted back.
"""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion import chain as chains
from keepclear.kernels.motion import state as layout
from keepclear.motions.motion import Motion, TimelessMotion
from keepclear.motions.spans import Spans, segment_kind

__all__ = ["LocalMotion"]


class LocalMotion(TimelessMotion):
    """A motion whose time is the number of a step plus the elapsed part of that step.

    Steps before and after the original's times are steps at rest, so that it is defined at all times.

    Args:
        motion: The motion in absolute time.
        times: (n + 1,) the ends of the steps [s], increasing; no knot of the motion lies inside a step. Two equal times
            are an instant: the body rests during that step.
    """

    __slots__ = ("_original",)

    _original: Motion

    def __init__(self, motion: Motion, times: FloatArray) -> None:
        self._fill(_original=motion, _packed=_pack(motion._packed, times))

    @property
    def _label(self) -> str:
        return self._original._label


def _pack(Q: FloatArray, times: FloatArray) -> FloatArray:
    """Return a packed motion with one record for each step, whose duration is 1."""
    n, total, stride = len(times) - 1, int(Q[layout.PIECES]), int(Q[layout.STRIDE])
    start = layout.HEADER + total + 1
    records = Q[start : start + stride * total].reshape(total, stride)
    knots = Q[layout.HEADER : start]
    piece = np.searchsorted(knots, times[:-1], side="right") - 1
    rests = (piece < 0) | (piece >= total)
    rows = records[np.clip(piece, 0, total - 1)].copy()
    tau = np.clip(times[:-1] - rows[:, layout.START], 0.0, rows[:, layout.DURATION])
    length = np.where(rests, 0.0, np.diff(times))
    _CUTS[segment_kind(rows)](rows, tau, length)
    rows[:, layout.START], rows[:, layout.DURATION] = np.arange(n), 1.0
    head = Q[: layout.HEADER].copy()
    head[layout.PIECES], head[layout.FIRST], head[layout.LAST] = n, 0.0, n
    geometry = Q[start + stride * total :]
    if head[layout.JOINTS]:
        head[layout.CHAIN] = layout.HEADER + n + 1 + stride * n
    return np.concatenate([head, np.arange(n + 1.0), rows.ravel(), geometry])


def _shift_cubics(rows: FloatArray, tau: FloatArray, length: FloatArray) -> None:
    _shift_polynomials(rows, rows[:, layout.ENTRIES : layout.ENTRIES + 48], tau, length)


def _shift_chains(rows: FloatArray, tau: FloatArray, length: FloatArray) -> None:
    _shift_polynomials(rows, rows[:, chains.COEFFICIENTS :], tau, length)
    rows[:, chains.FOURTH_PLACE] *= length**4
    rows[:, chains.FOURTH_TURN] *= length**4


def _shift_rigid(rows: FloatArray, tau: FloatArray, length: FloatArray) -> None:
    """Shift the start of rigid segments to tau, with velocities per step."""
    bare = rows.copy()
    bare[:, layout.OFFSET : layout.OFFSET + 3] = 0.0  # the record has the motion of p0
    spans = Spans(bare, tau, tau)
    X, rates = spans.places(tau, np.zeros(3)), spans.rates(tau)
    rows[:, layout.TURN : layout.TURN + 9] = X[:, :, :3].reshape(-1, 9)
    rows[:, layout.ORIGIN : layout.ORIGIN + 3] = X[:, :, 3]
    moving = length > 0.0  # a velocity may be infinite where a segment has no length
    for at, velocity in (
        (layout.SPIN, rows[:, layout.SPIN : layout.SPIN + 3]),
        (layout.SPEED, rates[:, :, 3]),
    ):
        rows[:, at : at + 3] = np.where(moving[:, None], velocity, 0.0) * length[:, None]


def _shift_polynomials(
    rows: FloatArray, coefficients: FloatArray, tau: FloatArray, length: FloatArray
) -> None:
    """Shift the start of cubics in s, the elapsed part of a segment, to tau, in steps: c(a + b u) by powers of u."""
    T = np.where(rows[:, layout.DURATION] > 0.0, rows[:, layout.DURATION], 1.0)
    a, b = (tau / T)[:, None], (length / T)[:, None]
    c = coefficients.reshape(len(rows), -1, 4)
    c0, c1, c2, c3 = (c[:, :, k].copy() for k in range(4))
    c[:, :, 0] = c0 + a * (c1 + a * (c2 + a * c3))
    c[:, :, 1] = b * (c1 + a * (2.0 * c2 + a * 3.0 * c3))
    c[:, :, 2] = b * b * (c2 + 3.0 * a * c3)
    c[:, :, 3] = b * b * b * c3
    coefficients[:] = c.reshape(len(rows), -1)


_CUTS = {
    layout.SCREW: _shift_rigid,
    layout.LINEAR: _shift_rigid,
    layout.CUBIC: _shift_cubics,
    layout.JOINTED: _shift_chains,
}
"""How the segments of each number are cut."""
