"""Motions in a time relative to segments: absolute time costs no digits, however large it is or short a segment.

Between two neighbouring instants of a list the motion is the same as before, but each such step lasts one unit. A
query about contact has the same result in any increasing time, so it can be computed there, and only the resulting
instant is converted back.
"""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray, IntArray
from keepclear.kernels.tables.motion import (
    CUBIC,
    JOINTED,
    LINEAR,
    SCREW,
    joint_coefficients,
    knots_of,
    link_rows,
    motion_numbers,
    motion_row,
    new_motion,
    segment_rows,
)
from keepclear.motion.motion import Motion, TimelessMotion
from keepclear.motion.packed_chain import are_at_rest
from keepclear.motion.spans import Spans

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
    """Return a packed motion with one segment for each step, whose duration is 1."""
    row, knots, segments = motion_numbers(Q), knots_of(Q), segment_rows(Q)
    n, kind = len(segments), row.kind
    found = new_motion(kind, np.arange(float(len(times))), row.joints)
    for name in ("place", "terms", "stretch", "smallest", "largest"):
        motion_row(found)[name] = getattr(row, name)
    piece = np.searchsorted(knots, times[:-1], side="right") - 1
    rests = (piece < 0) | (piece >= n)
    piece = np.clip(piece, 0, n - 1)
    tau = np.clip(times[:-1] - knots[piece], 0.0, segments["duration"][piece])
    _CUTS[kind](Q, found, piece, tau, np.where(rests, 0.0, np.diff(times)))
    segment_rows(found)["duration"] = 1.0
    return found


def _cut_cubics(
    Q: FloatArray, found: FloatArray, piece: IntArray, tau: FloatArray, length: FloatArray
) -> None:
    rows = segment_rows(Q)[piece]
    c = rows["c"].reshape(len(rows), 12, 4)
    segment_rows(found)["c"] = _shifted(c, rows["duration"], tau, length).reshape(-1, 3, 4, 4)


def _cut_chains(
    Q: FloatArray, found: FloatArray, piece: IntArray, tau: FloatArray, length: FloatArray
) -> None:
    rows, segments = segment_rows(Q)[piece], segment_rows(found)
    c = joint_coefficients(found)
    c[:] = _shifted(joint_coefficients(Q)[piece], rows["duration"], tau, length)
    link_rows(found)[:] = link_rows(Q)
    segments["rests"] = are_at_rest(c)
    segments["fourth_p"], segments["fourth_R"] = rows["fourth_p"] * length**4, rows["fourth_R"] * length**4


def _cut_rigid(
    Q: FloatArray, found: FloatArray, piece: IntArray, tau: FloatArray, length: FloatArray
) -> None:
    """Shift the start of rigid segments to tau, with velocities per step."""
    rows, segments = segment_rows(Q)[piece], segment_rows(found)
    segments["o"] = rows["o"]
    rows["o"] = 0.0  # the rest of the row is the motion of p0
    spans = Spans(motion_numbers(Q).kind, rows, knots_of(Q)[piece], tau, tau)
    X, rates = spans.places(tau, np.zeros(3)), spans.rates(tau)
    segments["R"], segments["p"] = X[:, :, :3], X[:, :, 3]
    moving = (length > 0.0)[:, None]  # a velocity may be infinite where a segment has no length
    w, v = (np.where(moving, velocity, 0.0) * length[:, None] for velocity in (rows["w"], rates[:, :, 3]))
    segments["w"], segments["v"] = w, v
    segments["rests"] = ((w == 0.0) & (v == 0.0)).all(axis=1)


def _shifted(c: FloatArray, duration: FloatArray, tau: FloatArray, length: FloatArray) -> FloatArray:
    """Return cubics in s, the elapsed part of a segment, from tau on and in steps: c(a + b u) by powers of u.

    Args:
        c: (n, m, 4) their coefficients.
        duration: (n,) of the segments [s].
        tau: (n,) where each begins [s].
        length: (n,) of each step [s].
    """
    T = np.where(duration > 0.0, duration, 1.0)
    a, b = (tau / T)[:, None], (length / T)[:, None]
    c0, c1, c2, c3 = (c[:, :, k] for k in range(4))
    powers = (
        c0 + a * (c1 + a * (c2 + a * c3)),
        b * (c1 + a * (2.0 * c2 + a * 3.0 * c3)),
        b * b * (c2 + 3.0 * a * c3),
        b * b * b * c3,
    )
    return np.stack(powers, axis=2)


_CUTS = {SCREW: _cut_rigid, LINEAR: _cut_rigid, CUBIC: _cut_cubics, JOINTED: _cut_chains}
"""How the segments of each kind are cut."""
