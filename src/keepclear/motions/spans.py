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
from keepclear.kernels.motion import state as layout


@dataclass(frozen=True, slots=True)
class Spans:
    """Parts of pieces of one motion: the records they belong to and when they begin and end, since the piece began.

    Attributes:
        rows: (m, PIECE) records of the pieces.
        begin: (m,) [s].
        end: (m,) [s].
    """

    rows: FloatArray
    begin: FloatArray
    end: FloatArray

    @property
    def kind(self) -> int:
        """SCREW, LINEAR or CUBIC; all pieces of a motion are alike."""
        found = segment_kind(self.rows)
        if found == layout.JOINTED:
            raise ValueError("a chain of joints has no spans")
        return found

    @property
    def length(self) -> FloatArray:
        """Their durations, (m,) [s]."""
        return self.end - self.begin

    def __getitem__(self, which: npt.NDArray[np.intp]) -> Spans:
        """Return those with the given numbers."""
        return Spans(self.rows[which], self.begin[which], self.end[which])

    def halved(self) -> Spans:
        """Return both halves of each, in order."""
        middle = self.begin + 0.5 * self.length
        begin = np.stack([self.begin, middle], axis=1).ravel()
        end = np.stack([middle, self.end], axis=1).ravel()
        return Spans(np.repeat(self.rows, 2, axis=0), begin, end)

    def places(self, tau: FloatArray, reference: FloatArray) -> FloatArray:
        """Return the maps [R | p - reference] (m, 3, 4) at times tau (m,) after the starts of the pieces."""
        rows = self.rows
        if self.kind == layout.CUBIC:
            s = (tau / rows[:, layout.DURATION])[:, None, None]
            c = cubic_coefficients(rows)
            c[:, :, 3, 0] -= reference
            return np.asarray(c[..., 0] + s * (c[..., 1] + s * (c[..., 2] + s * c[..., 3])))
        offset, turned = _carried(rows, tau)
        origin = (rows[:, layout.ORIGIN : layout.ORIGIN + 3] - reference) + offset
        return self._of_points(turned, origin)

    def rates(self, tau: FloatArray) -> FloatArray:
        """Return the maps (m, 3, 4) of a point to its velocity, at times tau (m,) after the starts of the pieces."""
        if self.kind == layout.CUBIC:
            T = self.rows[:, layout.DURATION, None, None]
            s = tau[:, None, None] / T
            c = cubic_coefficients(self.rows)
            return np.asarray((c[..., 1] + s * (2.0 * c[..., 2] + s * 3.0 * c[..., 3])) / T)
        spin, speed = self.velocities()
        offset, turned = _carried(self.rows, tau)
        if self.kind == layout.SCREW:
            speed = speed + np.cross(spin, offset)
        return self._of_points(_cross(spin, turned), speed)

    def mean_rates(self) -> FloatArray:
        """Return maps (m, k, 3, 4): the mean square speed of a point is the square of the stacked k vectors.

        The first vector is the mean velocity, except for a screw, where the speed is constant and the only vector is a
        velocity. The derivation is in docs/theory/motions.
        """
        if self.kind == layout.CUBIC:
            return self._cubic_rates()
        spin, speed = self.velocities()
        if self.kind == layout.SCREW:
            return self._of_points(_cross(spin, _start_turn(self.rows)), speed)[:, None]
        _, turned = _carried(self.rows, self.begin + 0.5 * self.length)
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
        T = self.rows[:, layout.DURATION, None, None]
        c = cubic_coefficients(self.rows)
        s = (self.begin[:, None, None] + 0.5 * self.length[:, None, None]) / T
        h = 0.5 * self.length[:, None, None] / T
        middle = c[..., 1] + s * (2.0 * c[..., 2] + s * 3.0 * c[..., 3])
        slope = h * (2.0 * c[..., 2] + 6.0 * s * c[..., 3])
        curve = 2.0 * h * h * c[..., 3]
        rates = [middle + 0.5 * curve, slope / np.sqrt(3.0), curve / np.sqrt(5.0)]
        return np.stack(rates, axis=1) / T[:, None]

    def accelerations(self) -> FloatArray:
        """Return maps (m, k, 3, 4): the acceleration of a point is never larger than the longest of the k vectors."""
        if self.kind == layout.CUBIC:
            T = self.rows[:, layout.DURATION, None, None]
            c = cubic_coefficients(self.rows)
            ends = [
                (2.0 * c[..., 2] + 6.0 * (tau[:, None, None] / T) * c[..., 3])
                for tau in (self.begin, self.end)
            ]
            return np.stack(ends, axis=1) / (T * T)[:, None]
        spin, speed = self.velocities()
        lin = _cross(spin, _cross(spin, _start_turn(self.rows)))
        push = np.cross(spin, speed) if self.kind == layout.SCREW else np.zeros_like(speed)
        return self._of_points(lin, push)[:, None]

    def rounding_of_rates(self, extent: float) -> FloatArray:
        """Return the error of the velocities of points within `extent`, (m,) [m/s]."""
        T = self.rows[:, layout.DURATION]
        if self.kind == layout.CUBIC:
            c = cubic_coefficients(self.rows)
            size = np.linalg.norm(c[:, :, :3], axis=(1, 2)) * extent + np.linalg.norm(c[:, :, 3], axis=1)
            return np.asarray(UNITS * (size[:, 1] + 2.0 * size[:, 2] + 3.0 * size[:, 3]) / T)
        spin, speed = self.velocities()
        reach = self.reach(extent)
        size = np.linalg.norm(spin, axis=1) * reach + np.linalg.norm(speed, axis=1)
        # Rotations that are orthonormal to 1e-15 leave their logarithm open by as much.
        return np.asarray(UNITS * size + 4e-15 * reach / T)

    def reach(self, extent: float) -> FloatArray:
        """Return how far points within `extent` of the origins of bodies are from p0 of rigid pieces, (m,) [m]."""
        return np.asarray(extent + np.linalg.norm(_offset(self.rows), axis=1))

    def _of_points(self, linear: FloatArray, constant: FloatArray) -> FloatArray:
        """Return the maps [A | b] of points of bodies, for those of points relative to p0 of rigid pieces."""
        offset = _offset(self.rows)
        if offset.any():
            constant = constant + (linear @ offset[:, :, None])[:, :, 0]
        return np.concatenate([linear, constant[:, :, None]], axis=2)

    def velocities(self) -> tuple[FloatArray, FloatArray]:
        """Return the angular velocities and those of p0 at the starts of rigid pieces, (m, 3) each."""
        rows = self.rows
        _check_rigid(rows)
        return rows[:, layout.SPIN : layout.SPIN + 3], rows[:, layout.SPEED : layout.SPEED + 3]


UNITS = 64.0 * 2.0**-53
"""Rounding of a velocity, by the sizes of the terms of its sums."""


def spans_between(Q: FloatArray, t0: float, t1: float, *, outward: bool = False) -> Spans:
    """Return the parts of the pieces of a packed motion between two times, none (m = 0) where the body is at rest.

    The difference of two neighbouring times may be lost in their distance from the start of a piece: `outward` rounds
    both ends so that the true interval is inside.
    """
    n = int(Q[layout.PIECES])
    knots = Q[layout.HEADER : layout.HEADER + n + 1]
    rows = Q[layout.HEADER + n + 1 :].reshape(n, layout.PIECE)
    inside = (knots[:-1] < t1) & (knots[1:] > t0) & (knots[:-1] < knots[1:])
    rows = rows[inside]
    start, duration = rows[:, layout.START], rows[:, layout.DURATION]
    unit = 2.0**-52 if outward else 0.0
    begin = np.maximum((t0 - start) * (1.0 - unit), 0.0)
    end = np.where(t1 >= knots[1:][inside], duration, np.minimum((t1 - start) * (1.0 + unit), duration))
    return Spans(rows, begin, end)


def segment_kind(rows: FloatArray) -> int:
    """Return the number that all records of segments have; another one, or two of them, raise."""
    kind = rows[0, layout.KIND]
    if (
        kind not in (layout.SCREW, layout.LINEAR, layout.CUBIC, layout.JOINTED)
        or (rows[:, layout.KIND] != kind).any()
    ):
        raise ValueError(f"segments of the kinds {np.unique(rows[:, layout.KIND]).tolist()} are no motion")
    return int(kind)


def _check_rigid(rows: FloatArray) -> None:
    """Raise unless segments are of the two rigid kinds, whose spin and speed they have."""
    if len(rows) and segment_kind(rows) not in (layout.SCREW, layout.LINEAR):
        raise ValueError(f"segments of the kind {segment_kind(rows)} have no spin and speed")


def cubic_coefficients(rows: FloatArray) -> FloatArray:
    """Return copies of the coefficients (m, 3, 4, 4) of cubic records: row, column, power of s."""
    return rows[:, layout.ENTRIES : layout.ENTRIES + 48].reshape(-1, 3, 4, 4).copy()


def _offset(rows: FloatArray) -> FloatArray:
    return rows[:, layout.OFFSET : layout.OFFSET + 3]


def _start_turn(rows: FloatArray) -> FloatArray:
    return rows[:, layout.TURN : layout.TURN + 9].reshape(-1, 3, 3)


def _cross(w: FloatArray, M: FloatArray) -> FloatArray:
    """Return the cross products of vectors (m, 3) with the columns of matrices (m, 3, 3)."""
    return np.cross(w[:, :, None], M, axis=1)


def _carried(rows: FloatArray, tau: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return displacements of the origin (m, 3) and rotations (m, 3, 3), at tau after the starts of rigid segments."""
    _check_rigid(rows)
    spin = rows[:, layout.SPIN : layout.SPIN + 3]
    offset = rows[:, layout.SPEED : layout.SPEED + 3] * tau[:, None]
    size = np.linalg.norm(spin, axis=1)
    axis = spin / np.where(size > 0.0, size, 1.0)[:, None]
    angle = size * tau
    sine, versine = np.sin(angle)[:, None], 2.0 * (np.sin(0.5 * angle) ** 2)[:, None]
    R0 = _start_turn(rows)
    across = _cross(axis, R0)
    turned = R0 + sine[..., None] * across + versine[..., None] * _cross(axis, across)
    if rows[0, layout.KIND] == layout.SCREW:
        # The left Jacobian of the rotation group, by its action along and across the axis.
        mean = np.sinc(angle / np.pi)[:, None]
        half = np.sinc(0.5 * angle / np.pi)[:, None]
        aside = np.cross(axis, offset)
        offset = offset + 0.5 * angle[:, None] * half * half * aside + (1.0 - mean) * np.cross(axis, aside)
    return offset, turned
