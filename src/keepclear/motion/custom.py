"""Motions that a user defines by poses and bounds of path lengths, checked at every step."""

from __future__ import annotations

import bisect
import itertools
import math
import threading
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only, real_number, shown
from keepclear.errors import ArgumentError, PoseError, TrajectoryError
from keepclear.geometry.pose import checked_instants, checked_poses
from keepclear.geometry.shapes.extent import body_points
from keepclear.kernels.motion import state as layout
from keepclear.kinds import MOTIONS
from keepclear.motion.motion import (
    HOLDS,
    MOTION_TABLE,
    Head,
    Motion,
    MotionRow,
    at_any_time,
    head_of,
    no_samples,
)
from keepclear.tolerances import CUSTOM_POSE_ROUNDING, LATEST_TIME

__all__ = ["CustomMotion"]

REMEMBERED = 256  # instants whose poses later ones are compared with
# A displacement may exceed the path length by this rounding, as a part of the path and of coordinates.
PATH_ROUNDING, PLACE_ROUNDING = 1e-9, 1e-12
BOX_ROUNDING = 1e-9  # part of the size of a scene: far above the rounding of poses, boxes and their sums


@MOTIONS.register_base
class CustomMotion(ABC):
    """The base class of user-defined motions: derive from it, and implement `pose` and `path_length`.

    `kc.first_contact`, `kc.clearance` and worlds take it where they take a motion. Their verdicts rely on
    `path_length`: a bound that is too small can hide a contact. Detectable errors raise a `TrajectoryError` that names
    the motion: poses that are not rigid, bounds that are negative or not numbers, two poses at one instant, and a body
    that is displaced farther than the bound of its path length.

    Args:
        t_start: When the motion begins [s].
        t_end: When it ends [s].
        hold: Where the body is at rest outside these times: "both" ends, "before", "after" or "none" of them.
        name: Name of the motion in messages; by default its class.

    Examples:
        A ball on a circle of radius 1 m with a speed that varies. Its angle is 2 sin(t), so it turns by at most 2 rad
        per second; a point r from its origin is at most 1 m + r from the axis.

        >>> import numpy as np
        >>> import keepclear as kc
        >>> class Swinging(kc.CustomMotion):
        ...     def pose(self, t):
        ...         c, s = np.cos(2 * np.sin(t)), np.sin(2 * np.sin(t))
        ...         return np.array([[c, -s, 0, c], [s, c, 0, s], [0, 0, 1, 0], [0, 0, 0, 1]])
        ...
        ...     def path_length(self, radius, t0, t1):
        ...         return 2 * (t1 - t0) * (1 + radius) * (1 + 1e-12)
        >>> wall = np.eye(4)
        >>> wall[:3, 3] = 0, 1.5, 0
        >>> k = kc.first_contact(kc.Sphere(0.1), Swinging(0, 3), kc.Box([1, 0.1, 1]), wall)
        >>> k.verdict.name
        'CLEAR'
    """

    def __init__(self, t_start: float, t_end: float, *, hold: str = "none", name: str | None = None) -> None:
        self.t_start, self.t_end, self.hold, self.name = t_start, t_end, hold, name
        CheckedMotion(self)  # raises what is wrong with these

    def __repr__(self) -> str:
        t_start, t_end, name = (getattr(self, field, None) for field in ("t_start", "t_end", "name"))
        if real_number(t_start) is None or real_number(t_end) is None:  # a class that has not called __init__
            return f"{type(self).__name__}(without times)"
        return f"{type(self).__name__}({f'{name!r} ' if name else ''}from {t_start:.6g} to {t_end:.6g} s)"

    @abstractmethod
    def pose(self, t: float) -> npt.ArrayLike:
        """Return the pose of the body in the world, (4, 4), at a time from `t_start` to `t_end`.

        The same time always gives the same pose. Entries may be off by 1e-13 of the coordinates of the body's points.
        """

    @abstractmethod
    def path_length(self, radius: float, t0: float, t1: float) -> float:
        """Return an upper bound of the path length of every point within `radius` of the origin of the body's frame
        [m].

        It bounds the length of the whole path from t0 to t1, both within `t_start` and `t_end`, not only the distance
        of its ends; rounding included. A tighter bound gives a faster answer. A bound that does not shrink with t1 - t0
        proves nothing.
        """


class UnpackedMotion(Motion):
    """A motion that kernels cannot read: its queries run in rounds from Python."""

    __slots__ = ("_t_end", "_t_start")

    _t_end: float
    _t_start: float
    _is_packed = False

    @property
    def t_start(self) -> float:
        """The time of the first pose [s]."""
        return self._t_start

    @property
    def t_end(self) -> float:
        """The time of the last pose [s]."""
        return self._t_end

    @property
    def _packed(self) -> FloatArray:  # type: ignore[override]
        raise ArgumentError(
            f"{self._label}: this is not possible with a user-defined motion; sample it into a "
            "kc.PoseTrajectory(times, X_W)."
        )

    @property
    def knots(self) -> FloatArray:
        """The times of the first and the last pose, (2,) [s]."""
        return read_only(np.array([self.t_start, self.t_end]))

    def pose(self, t: npt.ArrayLike) -> FloatArray:
        """Return the pose of the body at one time, (4, 4), or at n times, (n, 4, 4); see `Motion.pose`."""
        times, single = checked_instants(t)
        for time in times.tolist():
            self._check_time(time)
        X = self._poses_at(times)
        return X[0] if single else X

    def path_length(self, body: object, t0: float, t1: float) -> float:
        """Return a certified bound of the path length of any point of a body between two times [m]."""
        t0, t1 = self._check_interval(t0, t1)
        points, radius = body_points(body)
        lower, upper = points.min(axis=0) - radius, points.max(axis=0) + radius
        center = 0.5 * (lower + upper)
        # harmless (maximum): they differ by a rounding of coordinates, of which `_travel` allows 2^-48
        half = np.maximum(upper - center, center - lower)
        # harmless (layout.ROUND_UP): each `_travel` rounds the radius up by as much
        radius = float(np.linalg.norm(half)) * layout.ROUND_UP
        return self._travel(np.concatenate([center, [radius], half]), t0, t1)

    displacement = path_length

    def cubic(self, *_: object, **__: object) -> Any:
        """Raise: between two poses of such a motion only its path length is known."""
        return self._packed

    def deviation(self, _: object) -> float:
        """Return 0: poses are rigid."""
        return 0.0

    def _never_moves(self, t0: float, t1: float) -> bool:
        """Return whether no path has a length."""
        return self._travel(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]), t0, t1) == 0.0

    def _travel(self, around: FloatArray, t0: float, t1: float) -> float:
        """Return a bound of the length of the paths of points in a ball and a box around one centre, (7,) [m]."""
        raise NotImplementedError

    def swept_boxes(self, around: FloatArray, times: FloatArray) -> FloatArray:
        """Return swept boxes (n, 6), lower and upper corners, of a body from each time to the next [m].

        Args:
            around: A ball and a box around the body, (7,); see `continuous.extent`.
            times: (n + 1,) increasing [s].
        """
        X = self._poses_at(0.5 * (times[:-1] + times[1:]))
        center = X[:, :3, :3] @ around[:3] + X[:, :3, 3]
        half = np.minimum(np.abs(X[:, :3, :3]) @ around[4:7], around[3])
        # A point is at most the path length of a step away from its position in the middle of the step.
        travel = [self._travel(around, t0, t1) for t0, t1 in itertools.pairwise(times.tolist())]
        half = half + np.array(travel)[:, None]
        head = head_of(self)
        place = max(head.place, float(np.abs(X[:, :3, 3]).sum(axis=1).max(initial=0.0)))
        size = place + head.terms * float(np.abs(around[:4]).sum())
        # harmless (BOX_ROUNDING): positions are within size, so that only a half below 2 size matters
        half = half * (1.0 + BOX_ROUNDING) + BOX_ROUNDING * size
        return np.concatenate([center - half, center + half], axis=1)

    def _make_head(self) -> Head:
        times = np.unique([self.t_start, 0.5 * (self.t_start + self.t_end), self.t_end])
        place = float(np.sqrt((self._poses_at(times)[:, :3, 3] ** 2).sum(axis=1)).max())
        before, after = self.hold in ("both", "before"), self.hold in ("both", "after")
        return Head(self.t_start, self.t_end, before, after, False, 0, place, 1.0, 1.0)


class CheckedMotion(UnpackedMotion):
    """A user-defined motion, each of whose results is checked.

    Args:
        motion: The motion.
    """

    __slots__ = ("_lock", "_name", "_poses", "_radius", "_times", "original")

    original: CustomMotion
    _lock: threading.Lock
    _name: str
    _poses: list[FloatArray]
    _radius: list[float]
    _times: list[float]

    def __init__(self, motion: CustomMotion) -> None:
        name = getattr(motion, "name", None)
        label = type(motion).__name__ if name is None else f"{type(motion).__name__} {name!r}"
        if not hasattr(motion, "t_start") or not hasattr(motion, "hold"):
            raise ArgumentError(
                f"{label} has no times; let its __init__ call super().__init__(t_start, t_end)."
            )
        ends = []
        for which in ("t_start", "t_end"):
            value = getattr(motion, which)
            number = real_number(value)
            if number is None or not abs(number) <= LATEST_TIME:
                raise ArgumentError(
                    f"{label}: {which} must be a finite time in seconds, but it is {shown(value)}."
                )
            ends.append(number)
        if ends[0] > ends[1]:
            raise ArgumentError(f"{label}: it ends at {ends[1]:.9g} s, before it starts at {ends[0]:.9g} s.")
        if motion.hold not in HOLDS:
            raise ArgumentError(
                f"{label}: hold must be one of {', '.join(map(repr, HOLDS))}, but it is {shown(motion.hold)}."
            )
        self._fill(
            original=motion, _name=label, _t_start=ends[0], _t_end=ends[1], _hold=motion.hold, _lock=threading.Lock(),
            _times=[], _poses=[], _radius=[0.0],
        )  # fmt: skip

    @property
    def _label(self) -> str:
        return self._name

    def __reduce__(self) -> tuple[Any, ...]:
        return CheckedMotion, (self.original,)

    def __repr__(self) -> str:
        return f"{self._name} from {self._t_start:.6g} to {self._t_end:.6g} s"

    def _poses_at(self, times: FloatArray) -> FloatArray:
        inner = np.clip(times, self._t_start, self._t_end)
        return (
            np.stack([self._checked_pose(t) for t in inner.tolist()]) if len(inner) else np.empty((0, 4, 4))
        )

    def _travel(self, around: FloatArray, t0: float, t1: float) -> float:
        radius = float(np.sqrt(around[:3] @ around[:3]) + around[3]) * layout.ROUND_UP
        return self._checked_length(radius, t0, t1)

    def _checked_length(self, radius: float, t0: float, t1: float) -> float:
        """Return the path length of the motion in a span of time, limited to the times of the motion."""
        t0, t1 = max(t0, self._t_start), min(t1, self._t_end)
        if t0 >= t1:
            return 0.0
        value = self.original.path_length(radius, t0, t1)
        length = real_number(value)
        if length is None or not 0.0 <= length < math.inf:
            raise TrajectoryError(
                f"{self._name}: path_length({radius:.6g}, {t0:.9g}, {t1:.9g}) must be a finite length >= 0 in metres, "
                f"but it is {shown(value)}."
            )
        self._radius[0] = max(self._radius[0], radius)
        return length

    def _checked_pose(self, t: float) -> FloatArray:
        given = self.original.pose(t)
        try:
            poses, _, single = checked_poses(given, f"pose({t:.9g})", scaled=False)
        except PoseError as error:
            raise TrajectoryError(f"{self._name}: {error}") from None
        if not single:
            raise TrajectoryError(
                f"{self._name}: pose({t:.9g}) must be one pose (4, 4), but it has shape {np.shape(given)}."
            )
        X = poses[0]
        with self._lock:
            k = bisect.bisect_left(self._times, t)
            for near in (k - 1, k):
                if 0 <= near < len(self._times):
                    self._compare(self._times[near], self._poses[near], t, X)
            if k == len(self._times) or self._times[k] != t:
                if len(self._times) >= REMEMBERED:
                    del self._times[::2], self._poses[::2]
                    k = bisect.bisect_left(self._times, t)
                self._times.insert(k, t)
                self._poses.insert(k, X)
        return np.array(X)

    def _compare(self, t: float, X: FloatArray, other_t: float, other_X: FloatArray) -> None:
        """Raise if the displacement of a body between two times exceeds its path length."""
        radius = self._radius[0]
        length = self._checked_length(radius, min(t, other_t), max(t, other_t))
        change = other_X - X
        ends = change[:3, 3] + radius * np.concatenate(
            [np.zeros((1, 3)), change[:3, :3].T, -change[:3, :3].T]
        )
        found = float(np.sqrt((ends * ends).sum(axis=1)).max())
        size = float(np.abs(X[:3, 3]).sum() + np.abs(other_X[:3, 3]).sum()) + radius
        # harmless (PATH_ROUNDING): without it, more motions are refused
        if found > length * (1.0 + PATH_ROUNDING) + PLACE_ROUNDING * size:
            first, last = sorted((t, other_t))
            raise TrajectoryError(
                f"{self._name}: from {first:.9g} to {last:.9g} s a point within {radius:.6g} m of its origin moves by "
                f"{found:.6g} m, but path_length bounds every path by {length:.6g} m; correct that "
                "bound, on which every verdict depends."
            )


class ShiftedMotion(UnpackedMotion):
    """The motion of a frame that is fixed in one with a user-defined motion.

    Args:
        motion: The motion of the other frame.
        X: The pose of the frame in it, (4, 4).
    """

    __slots__ = ("X", "original")

    original: UnpackedMotion
    X: FloatArray

    def __init__(self, motion: UnpackedMotion, X: FloatArray) -> None:
        self._fill(original=motion, X=X, _t_start=motion.t_start, _t_end=motion.t_end, _hold=motion.hold)

    @property
    def _label(self) -> str:
        return self.original._label

    def __reduce__(self) -> tuple[Any, ...]:
        return ShiftedMotion, (self.original, self.X)

    def _poses_at(self, times: FloatArray) -> FloatArray:
        return self.original._poses_at(times) @ self.X

    def _make_head(self) -> Head:
        head = head_of(self.original)
        return head._replace(place=head.place + head.terms * float(np.linalg.norm(self.X[:3, 3])))

    def _travel(self, around: FloatArray, t0: float, t1: float) -> float:
        center = self.X[:3, :3] @ around[:3] + self.X[:3, 3]
        # harmless (layout.ROUND_UP): 2^-48 of the radius, which is no smaller, are added below
        half = np.abs(self.X[:3, :3]) @ around[4:7] * layout.ROUND_UP
        # harmless (layout.ROUND_UP): 2^-48 of it are added below
        moved = np.concatenate([center, [around[3] * layout.ROUND_UP], half])
        moved[3:] += 2.0**-48 * (np.abs(self.X[:3, 3]).sum() + np.abs(around[:4]).sum())
        return self.original._travel(moved, t0, t1)


def pose_rounding(motion: Motion, X: FloatArray, extent: float) -> float:
    """Return how far points of a body may be from their positions by poses (n, 4, 4) of an unpacked motion [m]."""
    far = float(np.sqrt((X[:, :3, 3] ** 2).sum(axis=1)).max(initial=0.0))
    if isinstance(motion, ShiftedMotion):
        inner = head_of(motion.original)
        far += inner.place + 2.0 * float(np.linalg.norm(motion.X[:3, 3])) + inner.terms * extent
    return CUSTOM_POSE_ROUNDING * (far + extent)


def _between(motion: ShiftedMotion) -> str:
    return MOTION_TABLE[motion.original].between(motion.original)


def _given(motion: CheckedMotion) -> str:
    return f"its path lengths between two poses are those that the class {motion._label} gives"


for kind, words in ((CheckedMotion, _given), (ShiftedMotion, _between)):
    MOTION_TABLE.add(
        kind,
        MotionRow(
            shift=ShiftedMotion,
            moves=at_any_time,
            slack=pose_rounding,
            between=words,
            samples=no_samples,
            content=None,
        ),
        is_public=False,
    )
