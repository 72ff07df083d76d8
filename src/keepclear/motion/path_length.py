"""Path lengths of a body's points in the frame of another motion, in steps of time whose bounds add up."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.motion.motion import Motion, head_of
from keepclear.motion.packing import pack_rest

# Steps are halved while the bound of a step's path length exceeds the estimate at its middle by more than the first
# part of it and the second part of the whole length, and exceeds the tolerance; at most this many times.
SHARP = 0.05
SMALL = 1e-3
HALVINGS = 14
# Bound of the rounding of velocities and ends of segments in the length of a step [part of the scene's size].
STEP_ROUNDING = 32.0 * 2.0**-53

FEWEST_STEPS = 16  # in which the path of a packed motion is measured
_UP = np.array([0.0, 0.0, 1.0])
WORLD_FRAME = pack_rest(np.eye(4), 0.0)


@dataclass(frozen=True, slots=True)
class Leg:
    """The path lengths of one body's points in one frame: time steps, and the length up to the start of each [m]."""

    frame: FloatArray
    motion: FloatArray
    body: FloatArray
    times: list[float]
    path_lengths: list[float]
    rounding: float

    def between(self, t0: float, t1: float) -> float:
        """Return a bound of the path length from t0 to t1 [m]."""
        i, j = bisect_right(self.times, t0), bisect_left(self.times, t1) - 1
        if i > j:
            return self._part(t0, t1)
        middle = self.path_lengths[j] - self.path_lengths[i]
        # harmless (layout.ROUND_UP): each part is rounded up by as much, and adding three of them rounds by 2 u
        return (self._part(t0, self.times[i]) + middle + self._part(self.times[j], t1)) * layout.ROUND_UP

    def along(self, n: FloatArray, t0: float, t1: float) -> float:
        """Return a bound of how far points move along n, a unit vector in the frame, during [t0, t1] [m]."""
        i, j = bisect_right(self.times, t0), bisect_left(self.times, t1)
        times = np.array([t0, *self.times[i:j], t1])
        steps = _steps(self.frame, self.motion, self.body, times, n)
        # harmless (layout.ROUND_UP): each step is rounded up by as much, and pairwise sums round by less than 30 u
        return float(steps[:, 2].sum() * layout.ROUND_UP) + len(times) * self.rounding

    def _part(self, t0: float, t1: float) -> float:
        if t0 == t1:
            return 0.0
        steps = _steps(self.frame, self.motion, self.body, np.array([t0, t1]))
        return float(steps[0, 0]) + self.rounding


def packed_travel(motion: Motion, around: FloatArray, t0: float, t1: float) -> float:
    """Return a bound of the length of the paths of points in a ball and a box, (7,), under a packed motion [m]."""
    t0, t1 = max(t0, motion.t_start), min(t1, motion.t_end)
    if t0 >= t1 or math.isinf(t0) or math.isinf(t1):
        return 0.0  # a motion without ends is one at rest
    knots = np.asarray(motion.knots)
    inner = knots[(knots > t0) & (knots < t1)]
    grid = np.linspace(t0, t1, FEWEST_STEPS + 1)[1:-1]
    times = np.unique(np.concatenate([[t0, t1], inner, grid[(grid > t0) & (grid < t1)]]))
    steps = _steps(WORLD_FRAME, motion._packed, around, times)
    head = head_of(motion)
    size = head.place + head.terms * float(np.linalg.norm(around[:3]) + around[3])
    # harmless (layout.ROUND_UP): each step is rounded up by as much, and pairwise sums round by less than 30 u
    return (float(steps[:, 0].sum()) + len(times) * layout.POSE_ROUNDING * size) * layout.ROUND_UP


def make_leg(
    frame: FloatArray,
    motion: FloatArray,
    body: FloatArray,
    knots: list[FloatArray],
    span: tuple[float, float],
    rounding: float,
    enough: float,
) -> Leg:
    """Split the interval at the knots, halve steps until their bounds are sharp, and add them up."""
    t0, t1 = span
    inner = [k[(k > t0) & (k < t1)] for k in knots]
    times = np.unique(np.concatenate([[t0, t1], *inner]))
    for level in range(HALVINGS + 1):
        steps = _steps(frame, motion, body, times)
        bounds, likely = steps[:, 0], steps[:, 1] * np.diff(times)
        middles = 0.5 * (times[:-1] + times[1:])
        rough = bounds > np.maximum((1.0 + SHARP) * likely + SMALL * likely.sum(), enough)
        rough &= (middles > times[:-1]) & (middles < times[1:])
        if level == HALVINGS or not rough.any():
            break
        times = np.sort(np.concatenate([times, middles[rough]]))
    return Leg(frame, motion, body, times.tolist(), _sums_up(bounds + rounding).tolist(), rounding)


def _steps(
    frame: FloatArray, motion: FloatArray, body: FloatArray, times: FloatArray, n: FloatArray = _UP
) -> FloatArray:
    """Return path length, speed and motion along n for each step, (k, 3); see `kernels.motion.path_length`."""
    out = np.empty((len(times) - 1, 3))
    path_lengths(frame, motion, body, times, n, out.reshape(-1))
    return out


def _sums_up(values: FloatArray) -> FloatArray:
    """Return the sums of the first 0, 1, 2 ... values, these rounded up so that all sums are exact.

    Multiples of a power of two that stay below 2^53 of it are added without rounding; so are differences of two sums.
    """
    _, exponent = np.frexp(values.sum() * 2.0)
    unit = np.ldexp(1.0, int(exponent) - 52)
    return np.concatenate([[0.0], np.cumsum(np.ceil(values / unit) * unit)])
