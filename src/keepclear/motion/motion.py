"""The base class of motions: a pose at each time, and the pose outside of its times."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_instant, read_only
from keepclear.errors import ArgumentError, TrajectoryError
from keepclear.geometry.pose import checked_instants
from keepclear.geometry.shapes.extent import body_radius
from keepclear.geometry.shapes.row import ROUND_UP
from keepclear.kernels.motion.state import POSE_ROUNDING, poses_at
from keepclear.kernels.tables.motion import CUBIC, knots_of, motion_numbers, motion_row
from keepclear.kinds import MOTIONS, Table
from keepclear.motion.cubic import CubicApproximation, approximate
from keepclear.motion.travel import bound_displacement, bound_path_length
from keepclear.unchanging import Unchanging

__all__ = ["Motion"]

HOLDS = ("both", "before", "after", "none")


class Head(NamedTuple):
    """The values of a motion that every query reads, as Python numbers: reading them from an array is slower.

    Attributes:
        t_start: The time of the first pose [s].
        t_end: The time of the last pose [s].
        before: Whether the pose of the body is defined before the first time.
        after: Whether it is defined after the last time.
        affine: Whether its matrices are not exactly rigid.
        rank: The body with the larger one is the one that moves in the frame of the other: a cubic rather than a rigid
            motion, and a chain of joints rather than another.
        place: As in MOTION of kernels/tables/motion.py, and likewise `terms` and `smallest`.
        terms: See there.
        smallest: See there.
    """

    t_start: float
    t_end: float
    before: bool
    after: bool
    affine: bool
    rank: int
    place: float
    terms: float
    smallest: float


class Motion(Unchanging, ABC):
    """A pose of a body for each time, and certified bounds of its path length and displacement.

    The kinds of motion are those of `keepclear.kinds`; queries accept no other classes, derived ones included. A motion
    never changes. Two motions are equal only if they are the same object. Times are seconds, lengths metres.
    """

    # `_packed` is the motion for kernels; see kernels/tables/motion.py. `_head` is set by `head_of`.
    __slots__ = ("__weakref__", "_head", "_hold", "_packed")

    _head: Head
    _hold: str
    _packed: FloatArray
    _is_packed: ClassVar[bool] = True  # whether kernels can read it: False for an `UnpackedMotion`

    @property
    def t_start(self) -> float:
        """The time of the first pose [s]."""
        return float(motion_numbers(self._packed).t0)

    @property
    def t_end(self) -> float:
        """The time of the last pose [s]."""
        return float(motion_numbers(self._packed).t1)

    @property
    def hold(self) -> str:
        """Where the body is at rest outside its times: "both" ends, "before", "after" or "none" of them."""
        return self._hold

    @property
    @abstractmethod
    def _label(self) -> str:
        """The name of this motion in messages."""

    @property
    def knots(self) -> FloatArray:
        """The times between which the motion is smooth, (n,), in order [s]."""
        knots = knots_of(self._packed)
        return read_only(knots[:1] if knots[0] == knots[-1] else knots)

    def pose(self, t: npt.ArrayLike) -> FloatArray:
        """Return the pose of the body at time t.

        Args:
            t: One time, or an array of n times [s].

        Returns:
            Its pose in the world, (4, 4), or (n, 4, 4) for n times. Between the samples of a "cubic" trajectory the
            matrix is not exactly rigid.

        Raises:
            TrajectoryError: The motion is not defined at a time.
            ArgumentError: The times are not finite numbers.
        """
        times, single = checked_instants(t)
        for time in (times.min(initial=np.inf), times.max(initial=-np.inf)) if len(times) else ():
            self._check_time(float(time))
        X = self._poses_at(times)
        return X[0] if single else X

    def _poses_at(self, times: FloatArray) -> FloatArray:
        """Return the poses (n, 4, 4) at times that are checked."""
        X = np.empty((len(times), 4, 4))
        poses_at(self._packed, times, X)
        return X

    def path_length(self, body: object, t0: float, t1: float) -> float:
        """Return a certified bound of the path length of any point of a body between two times [m].

        Args:
            body: A shape that moves with this motion, or the radius [m] of a ball around its origin that holds it.
            t0: When the path begins [s].
            t1: When it ends [s].

        Returns:
            A length that no point exceeds, rounding included; at most about 1 % more than the path length of some point
            of the body (of its hull, and of a polyhedron around round shapes).

        Raises:
            TrajectoryError: The motion is not defined at a time.
            ArgumentError: The body or the times are invalid.
        """
        return bound_path_length(self._packed, body, *self._check_interval(t0, t1))

    def displacement(self, body: object, t0: float, t1: float) -> float:
        """Return a certified bound of the displacement of any point of a body from its position at t0, until t1 [m].

        Args:
            body: A shape that moves with this motion, or the radius [m] of a ball around its origin that holds it.
            t0: The reference time [s].
            t1: The end of the motion [s].

        Returns:
            A distance that no point exceeds, rounding included; never more than `path_length`.
        """
        return bound_displacement(self._packed, body, *self._check_interval(t0, t1))

    def cubic(self, t0: float, t1: float, body: object, error: float | None = None) -> CubicApproximation:
        """Return the motion between two times as affine maps that are cubic in time, with a certified error.

        Args:
            t0: When it begins [s].
            t1: When it ends [s].
            body: The body whose points the error is about: a shape, or the radius [m] of a ball around its origin.
            error: How far a point may be from where the motion puts it [m]; None means 1e-6 m. A "cubic" trajectory, a
                body at rest and one that moves linearly without rotation are exact up to rounding.

        Raises:
            ArgumentError: The requested error is smaller than rounding allows.
        """
        t0, t1 = self._check_interval(t0, t1)
        return approximate(self._packed, t0, t1, body_radius(body), error)

    def deviation(self, body: object) -> float:
        """Return a certified bound of the deviation of a body's points from a rigid body, at any time [m].

        At each time there is a rigid pose of the body whose points are at most this far from those under this motion's
        matrix. It is 0 unless the motion is a "cubic" trajectory.

        Args:
            body: A shape, or the radius [m] of a ball around the body's origin that holds it.
        """
        # harmless (ROUND_UP): both factors are rounded up by as much
        return float(motion_numbers(self._packed).stretch) * body_radius(body) * ROUND_UP

    def rests(self, t0: float, t1: float) -> bool:
        """Return whether the body is known to be at rest from t0 to t1 [s].

        Raises:
            ArgumentError: The kind of the motion is not known, or t0 and t1 are no interval.
        """
        if not t0 <= t1:
            raise ArgumentError(f"t0 = {t0} s and t1 = {t1} s are no interval; give the earlier time first.")
        return t1 <= self.t_start or t0 >= self.t_end or self._never_moves(t0, t1)

    def _never_moves(self, t0: float, t1: float) -> bool:
        """Return whether the body is known to be at rest in a part of the motion's times."""
        del t0, t1
        raise MOTIONS.error(self, "the motion")

    def _changed(self, **values: object) -> Self:
        """Return a copy with other values in some slots."""
        kind, kept = self.__reduce__()[1]
        return _restored(kind, kept | values)  # type: ignore[return-value]

    def _enlarge_place(self, place: float) -> None:
        """Let the rounding of a packed motion, while it is made, be that of positions with larger terms [m]."""
        row = motion_row(self._packed)
        # harmless (ROUND_UP): 64 u of it are allowed for rounding, and less than half of that is used
        row["place"] = max(place, float(row["place"])) * ROUND_UP
        self._fill(_head=self._make_head())  # one that was read before would be stale

    def _make_head(self) -> Head:
        row, hold = motion_numbers(self._packed), self.hold
        return Head(
            self.t_start,
            self.t_end,
            hold in ("both", "before"),
            hold in ("both", "after"),
            row.kind == CUBIC,
            row.rank,
            row.place,
            row.terms,
            row.smallest,
        )

    def _check_time(self, t: float) -> None:
        """Raise a `TrajectoryError` if the motion is not defined at time t."""
        if t < self.t_start and self.hold not in ("both", "before"):
            outside, needed = f"before its first time {self.t_start:.9g} s", "before"
        elif t > self.t_end and self.hold not in ("both", "after"):
            outside, needed = f"after its last time {self.t_end:.9g} s", "after"
        else:
            return
        raise TrajectoryError(
            f"{self._label}: its hold is {self.hold!r}, so it has no pose at {t:.9g} s, {outside}; "
            f'ask within its times, or let the body rest there with hold="{needed}" or "both".'
        )

    def _check_interval(self, t0: object, t1: object) -> tuple[float, float]:
        """Return an interval of time as two floats, or raise if it is invalid or outside of this motion."""
        ends = []
        for name, value in (("t0", t0), ("t1", t1)):
            ends.append(checked_instant(name, value))
        if ends[0] > ends[1]:
            raise ArgumentError(
                f"t0 = {ends[0]:.9g} s comes after t1 = {ends[1]:.9g} s; give the earlier time first."
            )
        for time in ends:
            self._check_time(time)
        return ends[0], ends[1]

    def __reduce__(self) -> tuple[Any, ...]:
        slots = [name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())]
        kept = [name for name in slots if name not in ("__weakref__", "_head") and hasattr(self, name)]
        return _restored, (type(self), {name: getattr(self, name) for name in kept})


class TimelessMotion(Motion):
    """A motion that is defined at all times."""

    __slots__ = ()

    @property
    def t_start(self) -> float:
        """Minus infinity: it is defined at all times."""
        return -math.inf

    @property
    def t_end(self) -> float:
        """Infinity: it is defined at all times."""
        return math.inf

    @property
    def hold(self) -> str:
        """ "both": it is defined at all times."""
        return "both"


def head_of(motion: Motion) -> Head:
    """Return the head of a motion; it is cached in the motion."""
    try:
        return motion._head
    except AttributeError:
        pass
    head = motion._make_head()
    motion._fill(_head=head)
    return head


LINK_ROUNDING = 4.0 * POSE_ROUNDING
"""Bound of the displacement of a link by rounding of joints, products and projections, as a part of its size: four
times the bound for motions of links, because poses of all links come from another kernel [1]."""


def packed_slack(motion: Motion, X: FloatArray, extent: float) -> float:
    """Return the column `slack` of packed motions; see `MotionRow`."""
    head = head_of(motion)
    slack = LINK_ROUNDING * (head.place + head.terms * extent)
    if head.affine:  # a cubic motion deforms its body
        u, _, vt = np.linalg.svd(X[:, :3, :3])
        rigid = u @ vt
        slack += 1.01 * float(np.linalg.norm(X[:, :3, :3] - rigid, axis=(1, 2)).max()) * extent
        X[:, :3, :3] = rigid
    return slack


def _restored(kind: type[Motion], values: dict[str, object]) -> Motion:
    motion = kind.__new__(kind)
    motion._fill(**values)
    return motion


NO_TIMES: FloatArray = np.empty(0)


class Moves(NamedTuple):
    """When a body moves.

    Attributes:
        times: (n + 1,) ends of segments [s].
        moving: (n,) whether it may move in them; it rests before the first and after the last.
        path: A key that is equal for bodies that keep their relative pose while they move.
    """

    times: FloatArray
    moving: npt.NDArray[np.bool_]
    path: tuple[object, ...]


NEVER = Moves(NO_TIMES, np.empty(0, np.bool_), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionRow:
    """One kind of motion. No column has a default: a kind that does not say something raises where it is defined.

    Attributes:
        shift: Returns the motion of a frame that is fixed at a pose (4, 4) in the moving one, without its rounding.
        moves: Returns when it moves; None: it may move at any time, in no frame but its own.
        slack: Returns how far points of a body up to an extent [m] may be from their positions by the nearest rigid
            poses, and overwrites poses (n, 4, 4) by those [m].
        between: Returns what is assumed between samples, in words; "" for a body at rest.
        samples: Returns the times of its samples, by which hints name an instant; none without samples [s].
        content: Returns the values that results in a store depend on; None: they are not stored.
    """

    shift: Callable[[Any, FloatArray], Motion]
    moves: Callable[[Any], Moves | None]
    slack: Callable[[Any, FloatArray, float], float]
    between: Callable[[Any], str]
    samples: Callable[[Any], FloatArray]
    content: Callable[[Any], tuple[object, ...]] | None


MOTION_TABLE: Table[MotionRow] = Table(MOTIONS)
"""The rows of all kinds, each beside its class."""


def at_any_time(_: object) -> None:
    """Return None: a body may move at any time."""


def no_samples(_: object) -> FloatArray:
    """Return no times."""
    return NO_TIMES


def shifted_motion(motion: Motion, X: FloatArray, extent: float) -> Motion:
    """Return the motion of a frame that is fixed at X in a moving one.

    Args:
        motion: The motion of the other frame.
        X: The pose in it, (4, 4).
        extent: How far the body reaches from the origin of the new frame [m].

    Derivation:
        The poses of the result are products X_W X, rounded. With u = 2^-53, at most `terms` for the norm of the linear
        part of X_W and `place` for the length of its position, a position of the product is off by at most
        4 u (place + sqrt(3) terms |X|) for the translation X, and an entry of its rotation by 3 u sqrt(3) terms; the
        projection to the nearest rotation adds the defects of both factors, 8 u at most, and rounds by 4 u. Together a
        point of the body is off by at most
            7 u (place + terms |X|) + (16 + 12) u terms extent < 32 u (place + terms (|X| + extent)).
        A record with an offset has no product in its position, but its rotation moves points |X| + extent from p0: they
        are off by 28 u terms (|X| + extent).
        Bounds of rounding are POSE_ROUNDING = 64 u times `place` + `terms` extent of the motion itself. So half of
        those terms is added to the place of the result. The place of the product alone would not do: the terms of the
        sum may cancel, and leave a body near the origin that is rounded like one far from it.
    """
    if np.array_equal(X, np.eye(4)):
        return motion
    found = MOTION_TABLE[motion].shift(motion, X)
    if found._is_packed:
        head = head_of(motion)
        terms = head.place + head.terms * float(np.linalg.norm(X[:3, 3]))
        found._enlarge_place(1.5 * terms + 0.5 * head.terms * extent)
    return found
