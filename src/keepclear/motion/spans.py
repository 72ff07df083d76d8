"""Parts of the pieces of a motion: poses of a body, its velocities, and its accelerations.

Every function returns affine maps [A | b] of a body's points x, so that a few products serve all points at once.
Angles follow from the time since the start of a piece, and positions are relative to one nearby: neither a large time
nor a position far from the world's origin costs digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.tables.motion import (
    CUBIC,
    JOINTED,
    LINEAR,
    SCREW,
    knots_of,
    motion_numbers,
    segment_rows,
)
from keepclear.kernels.tables.record import Rows


@dataclass(frozen=True, slots=True)
class Spans:
    """Parts of segments of one motion: the rows they belong to and when they begin and end, since the segment began.

    Attributes:
        kind: SCREW, LINEAR or CUBIC.
        rows: (m,) rows of the segments.
        start: (m,) when the segments begin [s].
        begin: (m,) [s].
        end: (m,) [s].
    """

    kind: int
    rows: Rows
    start: FloatArray
    begin: FloatArray
    end: FloatArray

    @property
    def length(self) -> FloatArray:
        """Their durations, (m,) [s]."""
        return self.end - self.begin

    def __getitem__(self, which: npt.NDArray[np.intp]) -> Spans:
        """Return those with the given numbers."""
        return Spans(self.kind, self.rows[which], self.start[which], self.begin[which], self.end[which])

    def halved(self) -> Spans:
        """Return both halves of each, in order."""
        middle = self.begin + 0.5 * self.length
        begin = np.stack([self.begin, middle], axis=1).ravel()
        end = np.stack([middle, self.end], axis=1).ravel()
        rows, start = np.repeat(self.rows, 2), np.repeat(self.start, 2)
        return Spans(self.kind, rows, start, begin, end)

    def places(self, tau: FloatArray, reference: FloatArray) -> FloatArray:
        """Return the maps [R | p - reference] (m, 3, 4) at times tau (m,) after the starts of the pieces."""
        rows = self.rows
        if self.kind == CUBIC:
            s = (tau / rows["duration"])[:, None, None]
            c = rows["c"].copy()
            c[:, :, 3, 0] -= reference
            return np.asarray(c[..., 0] + s * (c[..., 1] + s * (c[..., 2] + s * c[..., 3])))
        offset, turned = self._carried(tau)
        origin = (rows["p"] - reference) + offset
        return self._of_points(turned, origin)

    def rates(self, tau: FloatArray) -> FloatArray:
        """Return the maps (m, 3, 4) of a point to its velocity, at times tau (m,) after the starts of the pieces."""
        if self.kind == CUBIC:
            T = self.rows["duration"][:, None, None]
            s = tau[:, None, None] / T
            c = self.rows["c"]
            return np.asarray((c[..., 1] + s * (2.0 * c[..., 2] + s * 3.0 * c[..., 3])) / T)
        spin, speed = self.velocities()
        offset, turned = self._carried(tau)
        if self.kind == SCREW:
            speed = speed + np.cross(spin, offset)
        return self._of_points(_cross(spin, turned), speed)

    def mean_rates(self) -> FloatArray:
        """Return maps (m, k, 3, 4): the mean square speed of a point is the square of the stacked k vectors.

        The first vector is the mean velocity, except for a screw, where the speed is constant and the only vector is a
        velocity. The derivation is in docs/theory/motions.
        """
        if self.kind == CUBIC:
            return self._cubic_rates()
        spin, speed = self.velocities()
        if self.kind == SCREW:
            return self._of_points(_cross(spin, self.rows["R"]), speed)[:, None]
        _, turned = self._carried(self.begin + 0.5 * self.length)
        half = 0.5 * self.length * np.linalg.norm(spin, axis=1)
        mean = np.sinc(half / np.pi)[:, None, None]
        rate = _cross(spin, turned)
        first = self._of_points(mean * rate, speed)
        # Rounding of the mean goes to the spread: what one map has too little of, the other has too much.
        # harmless (2e-15): 4e-15 of the extent, which `rounding_of_rates` allows, is ten times what the spread may lack
        spread = np.sqrt(np.maximum(1.0 - mean * mean, 0.0) + 2e-15)
        second = self._of_points(spread * rate, np.zeros_like(speed))
        return np.stack([first, second], axis=1)

    def _cubic_rates(self) -> FloatArray:
        """Legendre's polynomials on the span: the mean square is the sum of squares of coefficients over 1, 3 and 5."""
        T = self.rows["duration"][:, None, None]
        c = self.rows["c"]
        s = (self.begin[:, None, None] + 0.5 * self.length[:, None, None]) / T
        h = 0.5 * self.length[:, None, None] / T
        middle = c[..., 1] + s * (2.0 * c[..., 2] + s * 3.0 * c[..., 3])
        slope = h * (2.0 * c[..., 2] + 6.0 * s * c[..., 3])
        curve = 2.0 * h * h * c[..., 3]
        rates = [middle + 0.5 * curve, slope / np.sqrt(3.0), curve / np.sqrt(5.0)]
        return np.asarray(np.stack(rates, axis=1) / T[:, None])

    def accelerations(self) -> FloatArray:
        """Return maps (m, k, 3, 4): the acceleration of a point is never larger than the longest of the k vectors."""
        if self.kind == CUBIC:
            T = self.rows["duration"][:, None, None]
            c = self.rows["c"]
            ends = [
                (2.0 * c[..., 2] + 6.0 * (tau[:, None, None] / T) * c[..., 3])
                for tau in (self.begin, self.end)
            ]
            return np.asarray(np.stack(ends, axis=1) / (T * T)[:, None])
        spin, speed = self.velocities()
        lin = _cross(spin, _cross(spin, self.rows["R"]))
        push = np.cross(spin, speed) if self.kind == SCREW else np.zeros_like(speed)
        return self._of_points(lin, push)[:, None]

    def rounding_of_rates(self, extent: float) -> FloatArray:
        """Return the error of the velocities of points within `extent`, (m,) [m/s]."""
        T = self.rows["duration"]
        if self.kind == CUBIC:
            c = self.rows["c"]
            size = np.linalg.norm(c[:, :, :3], axis=(1, 2)) * extent + np.linalg.norm(c[:, :, 3], axis=1)
            return np.asarray(UNITS * (size[:, 1] + 2.0 * size[:, 2] + 3.0 * size[:, 3]) / T)
        spin, speed = self.velocities()
        reach = self.reach(extent)
        size = np.linalg.norm(spin, axis=1) * reach + np.linalg.norm(speed, axis=1)
        # Rotations that are orthonormal to 1e-15 leave their logarithm open by as much.
        return np.asarray(UNITS * size + 4e-15 * reach / T)

    def reach(self, extent: float) -> FloatArray:
        """Return how far points within `extent` of the origins of bodies are from p0 of rigid pieces, (m,) [m]."""
        return np.asarray(extent + np.linalg.norm(self.rows["o"], axis=1))

    def _of_points(self, linear: FloatArray, constant: FloatArray) -> FloatArray:
        """Return the maps [A | b] of points of bodies, for those of points relative to p0 of rigid pieces."""
        offset = self.rows["o"]
        if offset.any():
            constant = constant + (linear @ offset[:, :, None])[:, :, 0]
        return np.concatenate([linear, constant[:, :, None]], axis=2)

    def velocities(self) -> tuple[FloatArray, FloatArray]:
        """Return the angular velocities and those of p0 at the starts of rigid pieces, (m, 3) each."""
        if self.kind != SCREW and self.kind != LINEAR:
            raise ValueError(f"segments of the kind {self.kind} have no spin and speed")
        return self.rows["w"], self.rows["v"]

    def _carried(self, tau: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return displacements of the origin (m, 3) and rotations (m, 3, 3), at tau after the starts of segments."""
        spin, speed = self.velocities()
        offset = speed * tau[:, None]
        size = np.linalg.norm(spin, axis=1)
        axis = spin / np.where(size > 0.0, size, 1.0)[:, None]
        angle = size * tau
        sine, versine = np.sin(angle)[:, None], 2.0 * (np.sin(0.5 * angle) ** 2)[:, None]
        R0 = self.rows["R"]
        across = _cross(axis, R0)
        turned = R0 + sine[..., None] * across + versine[..., None] * _cross(axis, across)
        if self.kind == SCREW:
            # The left Jacobian of the rotation group, by its action along and across the axis.
            mean = np.sinc(angle / np.pi)[:, None]
            half = np.sinc(0.5 * angle / np.pi)[:, None]
            aside = np.cross(axis, offset)
            offset = (
                offset + 0.5 * angle[:, None] * half * half * aside + (1.0 - mean) * np.cross(axis, aside)
            )
        return offset, turned


UNITS = 64.0 * 2.0**-53
"""Rounding of a velocity, by the sizes of the terms of its sums."""


def spans_between(Q: FloatArray, t0: float, t1: float, *, outward: bool = False) -> Spans:
    """Return the parts of the pieces of a packed motion between two times, none (m = 0) where the body is at rest.

    The difference of two neighbouring times may be lost in their distance from the start of a piece: `outward` rounds
    both ends so that the true interval is inside.
    """
    kind, knots, rows = motion_numbers(Q).kind, knots_of(Q), segment_rows(Q)
    if kind == JOINTED:
        raise ValueError("a chain of joints has no spans")
    inside = (knots[:-1] < t1) & (knots[1:] > t0) & (knots[:-1] < knots[1:])
    rows, start = rows[inside], knots[:-1][inside]
    duration = rows["duration"]
    unit = 2.0**-52 if outward else 0.0
    begin = np.maximum((t0 - start) * (1.0 - unit), 0.0)
    end = np.where(t1 >= knots[1:][inside], duration, np.minimum((t1 - start) * (1.0 + unit), duration))
    return Spans(kind, rows, start, begin, end)


def _cross(w: FloatArray, M: FloatArray) -> FloatArray:
    """Return the cross products of vectors (m, 3) with the columns of matrices (m, 3, 3)."""
    return np.cross(w[:, :, None], M, axis=1)
