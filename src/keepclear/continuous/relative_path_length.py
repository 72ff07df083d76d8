"""How far points of two bodies travel relative to each other in any part of an interval, in a few steps."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from keepclear.continuous.extent import ball_and_box
from keepclear.continuous.query import Query
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.motions.custom import UnpackedMotion
from keepclear.motions.fixed import Fixed
from keepclear.motions.motion import Motion, head_of
from keepclear.motions.packing import pack_rest

FloatArray = npt.NDArray[np.float64]

# Steps are halved while the bound of a step's path length exceeds the estimate at its middle by more than the first
# part of it and the second part of the whole length, and exceeds the tolerance; at most this many times.
SHARP = 0.05
SMALL = 1e-3
HALVINGS = 14
# Bound of the rounding of velocities and ends of segments in the length of a step [part of the scene's size].
STEP_ROUNDING = 32.0 * 2.0**-53

FEWEST_STEPS = 16  # in which the path of a packed motion is measured
WORLD = 2  # number of a frame, after those of A and B
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


@dataclass(frozen=True, slots=True)
class TravelLeg:
    """The path lengths of one body's points in the world, from its motion, if kernels cannot read both motions."""

    motion: Motion
    body: FloatArray

    def between(self, t0: float, t1: float) -> float:
        """Return a bound of the path length from t0 to t1 [m]."""
        if isinstance(self.motion, UnpackedMotion):
            # harmless (layout.ROUND_UP): `needed` rounds up by as much
            return self.motion._travel(self.body, t0, t1) * layout.ROUND_UP
        return packed_travel(self.motion, self.body, t0, t1)

    def along(self, n: FloatArray, t0: float, t1: float) -> float:
        """Return a bound of how far points move along any direction during [t0, t1] [m]."""
        del n
        return self.between(t0, t1)


@dataclass(frozen=True, slots=True)
class _View:
    """A frame for comparing positions: path lengths that add up, and the effect of its stretching on lengths."""

    legs: tuple[Leg, ...] | tuple[TravelLeg, ...]
    stretch: float
    ratio: float


class RelativePathLength:
    """Bounds of the relative motion of two bodies during any part of an interval.

    Only what differs between the motions counts: relative to A, a point of B that comes within the margin m of A at t
    was, at ts, at most m and its path length from ts to t away from A. The frame may be that of either body, or the
    world, where the path lengths of both add up: two bodies that spin far apart have long relative paths. Where the
    frame itself is stretched, by a cubic motion, with singular values from s to S, a distance in the world is between
    s and S times the one measured in it, so that m becomes m S / s and a length l becomes S l.
    """

    def __init__(self, query: Query) -> None:
        self._margin = query.margin
        self._views: list[_View] = []
        self._rigid_views: dict[int, _View] = {}
        if not query.is_packed:
            pairs = (query.motion_a, query.body_a), (query.motion_b, query.body_b)
            legs = tuple(
                TravelLeg(motion, ball_and_box(body))
                for motion, body in pairs
                if not isinstance(motion, Fixed)
            )
            self._views.append(_View(legs, 1.0, 1.0))
            return
        bodies = ball_and_box(query.body_a), ball_and_box(query.body_b)
        motions = query.motion_a._packed, query.motion_b._packed
        knots = [query.motion_a.knots, query.motion_b.knots]
        rounding = STEP_ROUNDING * query.size
        span = query.t0, query.t1

        def leg(frame: FloatArray, k: int) -> Leg:
            return make_leg(frame, motions[k], bodies[k], knots, span, rounding, query.tolerance)

        rigid = [m[layout.AFFINE] == 0.0 for m in motions]
        for observer, observed in ((0, 1), (1, 0)):
            if rigid[observer] or not any(rigid):
                frame = motions[observer]
                largest, smallest = float(frame[layout.LARGEST]), float(frame[layout.SMALLEST])
                view = _View((leg(frame, observed),), largest, largest / smallest)
                self._views.append(view)
                if rigid[observer]:
                    self._rigid_views[observer] = view
        if not isinstance(query.motion_a, Fixed) and not isinstance(query.motion_b, Fixed):
            world = _View((leg(WORLD_FRAME, 0), leg(WORLD_FRAME, 1)), 1.0, 1.0)
            self._views.append(world)
            self._rigid_views[WORLD] = world

    def needed(self, t0: float, t1: float, ends: int, known: float = -np.inf) -> float:
        """Return the distance at the ends of a part of the interval above which it is proved clear [m].

        Args:
            t0: Its start [s].
            t1: Its end [s].
            ends: 1 for the distance at one end alone, 2 for the sum of both.
            known: The known distances; a bound below them is not improved further.
        """
        best = np.inf
        for view in self._views:
            path_length = sum(leg.between(t0, t1) for leg in view.legs)
            needed = ends * self._margin * view.ratio + view.stretch * path_length
            # harmless (layout.ROUND_UP): legs are rounded up by as much, and bounds at instants leave 64 u of the scene
            best = min(best, needed * layout.ROUND_UP)
            if best < known:
                break
        return float(best)

    def moved_along(self, frame: int, n: FloatArray, t0: float, t1: float) -> float:
        """Return a bound of how far two bodies approach each other along a direction in a frame that is rigid [m].

        It is infinite where that frame is not rigid, or no better than another one.

        Args:
            frame: 0 for A's, 1 for B's, `WORLD` for the world.
            n: Unit vector in that frame, (3,): what approaches is B along n relative to A, or A along n relative to B,
                or in the world A along n and B against it.
            t0: Start of a part of the interval [s].
            t1: Its end [s].
        """
        view = self._rigid_views.get(frame)
        if view is None:
            return np.inf
        first = view.legs[0].along(n, t0, t1)
        return first if len(view.legs) == 1 else first + view.legs[1].along(-n, t0, t1)


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
