"""How far points of two bodies travel relative to each other in any part of an interval, in a few steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.bounds import ball_and_box
from keepclear.kernels.motion import state as layout
from keepclear.kernels.tables.motion import CUBIC, motion_numbers
from keepclear.motion.custom import UnpackedMotion
from keepclear.motion.fixed import Fixed
from keepclear.motion.motion import Motion
from keepclear.motion.path_length import STEP_ROUNDING, WORLD_FRAME, Leg, make_leg, packed_travel
from keepclear.query.moving.question import Query

WORLD = 2  # number of a frame, after those of A and B


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

        rows = [motion_numbers(motion) for motion in motions]
        rigid = [row.kind != CUBIC for row in rows]
        for observer, observed in ((0, 1), (1, 0)):
            if rigid[observer] or not any(rigid):
                row = rows[observer]
                view = _View((leg(motions[observer], observed),), row.largest, row.largest / row.smallest)
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
