"""A motion through given poses at given times: what is between the samples, and which samples are refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NoReturn, Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, as_array, checked_choice, checked_length, converted, read_only, shown
from keepclear.errors import ArgumentError, PoseError, TrajectoryError
from keepclear.geometry.pose import checked_poses, checked_times
from keepclear.kernels.motion.rigid import ONE_SEGMENT, pack_casts
from keepclear.kernels.tables.motion import HEAD, segment_rows
from keepclear.motion.motion import HOLDS, MOTION_TABLE, Motion, MotionRow, Moves, packed_slack
from keepclear.motion.packing import pack_cubic, pack_rest, pack_rigid
from keepclear.names import counted

__all__ = ["PoseTrajectory"]

Interpolation = Literal["cubic", "screw", "linear"]
Hold = Literal["both", "before", "after", "none"]
INTERPOLATIONS = ("cubic", "screw", "linear")


class Sampled:
    """What trajectories of poses and of joints have in common: samples at times, and what happens between them."""

    __slots__ = ()

    _times: FloatArray
    _interpolation: str
    _hold: str
    _name: str | None

    @property
    def times(self) -> FloatArray:
        """The times of the samples, (n,) [s]."""
        return read_only(self._times)

    @property
    def interpolation(self) -> str:
        """What happens between two samples."""
        return self._interpolation

    @property
    def hold(self) -> str:
        """Where the motion is at rest outside its times: "both" ends, "before", "after" or "none" of them."""
        return self._hold

    @property
    def name(self) -> str | None:
        """The name in messages."""
        return self._name

    @property
    def t_start(self) -> float:
        """The time of the first sample [s]."""
        return float(self._times[0])

    @property
    def t_end(self) -> float:
        """The time of the last sample [s]."""
        return float(self._times[-1])

    @property
    def _label(self) -> str:
        return label_of(type(self).__name__, self._name)

    def _described(self, what: str) -> str:
        """Return the representation, with the number of samples in words."""
        name = "" if self._name is None else f"{self._name!r}, "
        span = f"{counted(len(self._times), what)} from {self.t_start:.6g} to {self.t_end:.6g} s"
        return f"{type(self).__name__}({name}{span}, {self._interpolation!r})"


def label_of(kind: str, name: str | None) -> str:
    """Return how messages name a trajectory."""
    return kind if name is None else f"trajectory {name!r}"


def checked_options(
    kind: str, name: object, interpolation: object, interpolations: tuple[str, ...], hold: object
) -> tuple[str, str, str]:
    """Return how messages name a trajectory, its interpolation and its hold, checked."""
    if name is not None and not isinstance(name, str):
        raise ArgumentError(f"{kind}: name must be a string, but it is {shown(name)}.")
    label = label_of(kind, name)
    between = checked_choice(label, "interpolation", interpolation, interpolations)
    return label, between, checked_choice(label, "hold", hold, HOLDS)


class PoseTrajectory(Sampled, Motion):
    """A motion through poses at given times.

    Args:
        times: (n,) times [s], each later than the one before.
        X_W: (n, 4, 4) poses in the world at these times.
        interpolation: What happens between two samples.

            - "cubic": n = 3m + 1 samples make m segments of four equally spaced ones, which share their ends; in each
              segment every entry of the matrix is the cubic through its four values. The matrix between samples is not
              exactly rigid, and the body is the shape under that matrix, deformed as it is: `deviation` bounds by how
              much.
            - "screw": the body rotates and translates at constant speed about one axis fixed in space, by the smaller
              angle.
            - "linear": the origin of the body moves linearly, and the body rotates at constant speed, by the smaller
              angle.
        hold: Where the body is at rest outside its times: at "both" ends, "before" the first time, "after" the last,
            or "none". Elsewhere a query raises.
        max_deviation: The largest deviation of a body from a rigid one [m] with which a query still accepts a "cubic"
            trajectory.
        name: Name in messages.

    Raises:
        TrajectoryError: Times that do not increase, samples that do not match, or half a turn between two of them.
        PoseError: A pose is not rigid.

    Examples:
        A quarter of a turn about z in two seconds:

        >>> import numpy as np
        >>> X_W = np.array([np.eye(4), np.eye(4)])
        >>> X_W[1, :2, :2] = [[0, -1], [1, 0]]
        >>> turn = PoseTrajectory([0, 2], X_W, "screw")
        >>> turn.pose(1.0)[:2, :2].round(6).tolist()
        [[0.707107, -0.707107], [0.707107, 0.707107]]
    """

    __slots__ = ("_X_W", "_interpolation", "_max_deviation", "_name", "_times")

    _X_W: FloatArray
    _max_deviation: float

    def __init__(
        self,
        times: npt.ArrayLike,
        X_W: npt.ArrayLike,
        interpolation: Interpolation = "cubic",
        *,
        hold: Hold = "both",
        max_deviation: float = 1e-3,
        name: str | None = None,
    ) -> None:
        label, kind, stays = checked_options("PoseTrajectory", name, interpolation, INTERPOLATIONS, hold)
        limit = checked_length(f"{label}: max_deviation", max_deviation)
        t, poses = checked_samples(label, times, X_W)
        self._fill(
            _name=name, _times=t, _X_W=poses, _interpolation=kind, _hold=stays, _max_deviation=limit,
            _packed=_packed(label, kind, t, poses),
        )  # fmt: skip

    @classmethod
    def from_positions(
        cls,
        times: npt.ArrayLike,
        positions: npt.ArrayLike,
        *,
        quat_xyzw: npt.ArrayLike | None = None,
        quat_wxyz: npt.ArrayLike | None = None,
        interpolation: Interpolation = "linear",
        hold: Hold = "both",
        max_deviation: float = 1e-3,
        name: str | None = None,
    ) -> Self:
        """Return the motion through positions, with the orientations that quaternions give.

        Args:
            times: (n,) times [s].
            positions: (n, 3) positions of the body's origin in the world [m].
            quat_xyzw: (n, 4) or (4,) quaternions, scalar part last; of any length but zero.
            quat_wxyz: The same with the scalar part first. With neither, the body does not rotate.
            interpolation: As in `PoseTrajectory`.
            hold: As in `PoseTrajectory`.
            max_deviation: As in `PoseTrajectory`.
            name: As in `PoseTrajectory`.

        Examples:
            >>> path = PoseTrajectory.from_positions([0, 1], [[0, 0, 0], [2, 0, 0]], quat_wxyz=[1, 0, 0, 0])
            >>> path.pose(0.25)[:3, 3].tolist()
            [0.5, 0.0, 0.0]
        """
        label = label_of("PoseTrajectory", name)
        p = _real_rows(label, "positions", positions, 3)
        if quat_xyzw is not None and quat_wxyz is not None:
            raise ArgumentError(
                f"{label}: give quat_xyzw or quat_wxyz, not both; they differ in their order."
            )
        X = np.tile(np.eye(4), (len(p), 1, 1))
        X[:, :3, 3] = p
        if quat_xyzw is not None:
            X[:, :3, :3] = _rotations(label, "quat_xyzw", quat_xyzw, len(p), scalar=3)
        elif quat_wxyz is not None:
            X[:, :3, :3] = _rotations(label, "quat_wxyz", quat_wxyz, len(p), scalar=0)
        # harmless (max_deviation): without it, more cubics are refused
        return cls(times, X, interpolation, hold=hold, max_deviation=max_deviation, name=name)

    @property
    def X_W(self) -> FloatArray:
        """The poses of the samples as they are used, (n, 4, 4)."""
        return read_only(self._X_W)

    @property
    def max_deviation(self) -> float:
        """The largest deviation from a rigid body with which queries accept this trajectory [m]."""
        return self._max_deviation

    def _never_moves(self, *_: float) -> bool:
        return bool((self._X_W[0] == self._X_W).all())

    def reversed(self) -> PoseTrajectory:
        """Return the reversed motion: its pose at time t is that of this motion at -t."""
        swapped: dict[str, Hold] = {"both": "both", "before": "after", "after": "before", "none": "none"}
        return PoseTrajectory(
            -self._times[::-1], self._X_W[::-1], self._interpolation,  # type: ignore[arg-type]
            # harmless (self._max_deviation): without it, more cubics are refused
            hold=swapped[self._hold], max_deviation=self._max_deviation, name=self._name,
        )  # fmt: skip

    def __repr__(self) -> str:
        return self._described("sample")


def all_between(
    X0: FloatArray, X1: FloatArray, interpolation: str, names: Sequence[str | None]
) -> list[PoseTrajectory]:
    """Return the motions from X0[k] at time 0 to X1[k] at time 1; poses (m, 4, 4) are checked, and not checked again.

    All are packed at once: one by one they would take twice as long.

    Raises:
        TrajectoryError: A motion is by half a turn.
    """
    Q, both, times = np.zeros((len(X0), ONE_SEGMENT)), np.stack([X0, X1], axis=1), np.array([0.0, 1.0])
    half = pack_casts(X0, X1, interpolation == "screw", Q)
    if half >= 0:
        refuse_half_turn(label_of("PoseTrajectory", names[half]), interpolation, times, 0)
    found = []
    for X, row, name in zip(both, Q, names, strict=True):
        motion = PoseTrajectory.__new__(PoseTrajectory)
        motion._fill(
            _name=name, _times=times, _X_W=X, _interpolation=interpolation, _hold="both", _max_deviation=1e-3,
            _packed=row,
        )  # fmt: skip
        found.append(motion)
    return found


def _packed(label: str, interpolation: str, t: FloatArray, X: FloatArray) -> FloatArray:
    if interpolation == "cubic":
        check_cubic_samples(label, t)
        return pack_cubic(t, X)
    if len(t) == 1:
        return pack_rest(X[0], float(t[0]))
    Q, half = pack_rigid(t, X, screw=interpolation == "screw")
    if half >= 0:
        refuse_half_turn(label, interpolation, t, half)
    return Q


def _real_rows(label: str, argument: str, value: npt.ArrayLike, columns: int) -> FloatArray:
    """Return an array (n, columns) of float64, or raise a `TrajectoryError`."""
    expected = f"{label}: {argument} must be numbers of shape (n, {columns})"
    array = converted(value, expected, TrajectoryError)
    if array.ndim != 2 or array.shape[1] != columns or array.dtype.kind not in "iuf":
        raise TrajectoryError(
            f"{expected}, one row per time, but it has shape {array.shape} and dtype {array.dtype}."
        )
    return np.array(array, dtype=np.float64, order="C", copy=True)


def _rotations(label: str, argument: str, value: npt.ArrayLike, n: int, *, scalar: int) -> FloatArray:
    """Return the rotations (n, 3, 3) of quaternions (n, 4) or (4,) whose scalar part is in that column."""
    given = as_array(value, f"{label}: {argument}", TrajectoryError)
    q = _real_rows(label, argument, np.broadcast_to(given, (n, 4)) if given.shape == (4,) else given, 4)
    if len(q) != n:
        raise TrajectoryError(f"{label}: there are {n} positions but {len(q)} quaternions in {argument}.")
    largest = np.abs(q).max(axis=1, initial=0.0)
    bad = np.flatnonzero(~((largest > 0.0) & (largest < np.inf)))
    if len(bad):
        raise PoseError(f"{label}: {argument}[{bad[0]}] = {q[bad[0]].tolist()} is not a rotation.")
    q = q / largest[:, None]  # a square cannot underflow or overflow
    q /= np.linalg.norm(q, axis=1)[:, None]
    w = q[:, scalar]
    x, y, z = np.delete(q, scalar, axis=1).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


CUBIC_SAMPLES = 3  # a segment of a "cubic" trajectory ends at every third sample
_BETWEEN = {
    "linear": "between samples, the position moves along a straight line and the rotation has constant speed",
    "screw": "it moves along a screw from each sample to the next",
    "cubic": "the entries of its matrix are cubics through four samples at a time",
}


def turns(motion: PoseTrajectory) -> bool:
    """Return whether a body rotates at any time."""
    return bool((motion.X_W[0, :3, :3] != motion.X_W[:, :3, :3]).any())


def _shifted(motion: PoseTrajectory, X: FloatArray) -> PoseTrajectory:
    moves_origin = motion.interpolation == "linear" and turns(motion)
    if moves_origin and (X[:3, 3].any() or segment_rows(motion._packed)["o"].any()):
        return _with_offset(motion, X)
    return PoseTrajectory(
        motion.times, motion.X_W @ X, motion.interpolation,  # type: ignore[arg-type]
        # harmless (motion.max_deviation): without it, more cubics are refused
        hold=motion.hold, max_deviation=motion.max_deviation, name=motion.name,  # type: ignore[arg-type]
    )  # fmt: skip


def _with_offset(motion: PoseTrajectory, X: FloatArray) -> PoseTrajectory:
    """Return the motion of a frame that is fixed at X in one that turns while its origin moves linearly.

    A point x is at R(t) (X x + o) + p(t), that is at R(t) R_X (x + R_X^T (X_p + o)) + p(t).
    """
    Q, poses = motion._packed.copy(), motion._X_W.copy()
    rows = segment_rows(Q)
    rows["R"] = rows["R"] @ X[:3, :3]
    rows["o"] = (rows["o"] + X[:3, 3]) @ X[:3, :3]
    poses[:, :3, :3] = poses[:, :3, :3] @ X[:3, :3]
    return motion._changed(_packed=Q, _X_W=poses)


def _moves(motion: PoseTrajectory) -> Moves:
    """Return when a body moves; two keep their relative pose if they have the same trajectory, or none of them rotates
    and their displacements are the same at all times.
    """
    X_W, times = motion.X_W, motion.times
    moving = (X_W[1:] != X_W[:-1]).any(axis=(1, 2))
    path: tuple[object, ...] = motion.interpolation, motion._packed[HEAD:].tobytes()
    if motion.interpolation == "cubic":
        return Moves(times[::CUBIC_SAMPLES], moving.reshape(-1, CUBIC_SAMPLES).any(axis=1), path)
    if not turns(motion):
        path = "straight", times.tobytes(), (X_W[:, :3, 3] - X_W[0, :3, 3] + 0.0).tobytes()
    return Moves(times, moving, path)


def _content(motion: PoseTrajectory) -> tuple[object, ...]:
    texts = motion.interpolation, motion.hold, motion.name
    return motion.times, motion.X_W, motion._packed, motion.max_deviation, *texts


MOTION_TABLE.add(
    PoseTrajectory,
    MotionRow(
        shift=_shifted,
        moves=_moves,
        slack=packed_slack,
        between=lambda motion: _BETWEEN[motion.interpolation],
        samples=lambda motion: motion.times,
        content=_content,
    ),
)


# How unevenly the four instants of a cubic segment may be spaced, as a part of the segment; times that were computed or
# printed with ten digits are within it. Beside it, what rounding the times themselves does is always allowed.
EVEN_SPACING = 1e-9


def checked_samples(label: str, times: npt.ArrayLike, X_W: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return fresh arrays of increasing times (n,) and of as many rigid poses (n, 4, 4), n >= 1."""
    t = checked_times(label, times)
    try:
        poses, _, single = checked_poses(X_W, "X_W", scaled=False)
    except PoseError as error:
        raise PoseError(f"{label}: {error}") from None
    if single and len(t) != 1:
        raise TrajectoryError(f"{label}: X_W is one pose (4, 4) for {len(t)} times; give poses (n, 4, 4).")
    if len(poses) != len(t):
        missing = abs(len(t) - len(poses))
        few = ("time" if len(t) < len(poses) else "pose") + (" is" if missing == 1 else "s are")
        raise TrajectoryError(
            f"{label}: there are {len(t)} times but {len(poses)} poses; each pose has its time, "
            f"so {missing} more {few} missing."
        )
    return t, poses


def check_cubic_samples(label: str, t: FloatArray) -> None:
    """Raise a `TrajectoryError` unless there are 3n + 1 times, equally spaced within each segment of four."""
    n = len(t)
    if n < 4 or n % 3 != 1:
        missing = 4 - n if n < 4 else (1 - n) % 3
        raise TrajectoryError(
            f'{label}: "cubic" needs 3n + 1 samples, four for each segment that share their ends, but there are {n}; '
            f"{missing} more {'is' if missing == 1 else 'are'} missing "
            f'({n + missing} would do). "screw" and "linear" take any number.'
        )
    start, T = t[:-3:3, None], (t[3::3] - t[:-3:3])[:, None]
    even = start + T * (np.array([1.0, 2.0]) / 3.0)
    inner = np.stack([t[1::3], t[2::3]], axis=1)
    off = np.abs(inner - even)
    # harmless: without it, more times are refused
    rounding = 2.0 * np.spacing(np.maximum(np.abs(t[:-3:3]), np.abs(t[3::3])))[:, None]
    # harmless (rounding): without it, more times are refused
    bad = np.argwhere(off > EVEN_SPACING * T + rounding)
    if len(bad):
        i, j = bad[0]
        k = 3 * i + 1 + j
        raise TrajectoryError(
            f'{label}: "cubic" needs equally spaced times in each segment of four, but times[{k}] = {t[k]:.12g} s is '
            f"not where times[{3 * i}] = {t[3 * i]:.12g} s and times[{3 * i + 3}] = {t[3 * i + 3]:.12g} s ask for it, "
            f'at {even[i, j]:.12g} s; sample it there, or use "screw" or "linear".'
        )


def refuse_half_turn(label: str, interpolation: str, t: FloatArray, k: int) -> NoReturn:
    """Raise the `TrajectoryError` for half a turn from sample k to the next."""
    raise TrajectoryError(
        f"{label}: from X_W[{k}] at {t[k]:.9g} s to X_W[{k + 1}] at {t[k + 1]:.9g} s the body makes half a turn, "
        f"which {interpolation!r} could make in either direction; put a sample between them."
    )
