"""A program of a robot: the values of its joints over time, and how each of its links moves with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, as_array, converted, read_only, shown
from keepclear.errors import ArgumentError, TrajectoryError, UnknownNameError
from keepclear.geometry.pose import checked_instants, checked_times, one_pose
from keepclear.kinds import PROGRAMS, ROBOTS
from keepclear.motion.joints.chains import chain_between, inverse
from keepclear.motion.joints.kinematics import LARGEST_VALUE
from keepclear.motion.joints.link_motion import LinkMotion
from keepclear.motion.trajectory import Sampled, checked_options
from keepclear.names import counted, known_names

if TYPE_CHECKING:
    from keepclear.robot.model import Robot

__all__ = ["JointTrajectory"]

INTERPOLATIONS = ("linear", "spline")


@PROGRAMS.register
class JointTrajectory(Sampled):
    """A program of a robot: values of its joints at given times, with an interpolation between them.

    Args:
        robot: The robot, from `kc.read_robot`.
        times: (n,) times [s], each later than the one before.
        q: (n, joints) values [rad or m], in the order of `robot.joint_names`; or a dictionary from joint names to (n,)
            values, which must name all of them.
        qd: Speeds at these times, like q [rad/s or m/s]; for "spline".
        interpolation: "linear": each joint moves linearly from one waypoint to the next. "spline": cubics between
            waypoints, Hermite where speeds are given, else the natural spline through all of them.
        hold: Where the robot is at rest outside its times: at "both" ends, "before" the first time, "after" the last,
            or "none". Elsewhere a query raises.
        name: Name in messages.

    Raises:
        TrajectoryError: Times that do not increase, or values that do not match or are not finite.
        UnknownNameError: A joint that the robot does not have.

    Examples:
        >>> import numpy as np
        >>> import keepclear as kc
        >>> robot = kc.read_robot("examples/data/two_links.urdf")  # doctest: +SKIP
        >>> swing = kc.JointTrajectory(robot, [0, 2], [[0, 0], [1.5, -1.0]])  # doctest: +SKIP
        >>> swing.link("forearm").pose(1.0)  # doctest: +SKIP
    """

    __slots__ = (
        "_coefficients",
        "_hold",
        "_interpolation",
        "_motions",
        "_name",
        "_paths",
        "_q",
        "_qd",
        "_robot",
        "_times",
    )

    def __init__(
        self,
        robot: Robot,
        times: npt.ArrayLike,
        q: npt.ArrayLike | Mapping[str, npt.ArrayLike],
        qd: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
        interpolation: Literal["linear", "spline"] = "linear",
        *,
        hold: Literal["both", "before", "after", "none"] = "both",
        name: str | None = None,
    ) -> None:
        label, self._interpolation, self._hold = checked_options(
            "JointTrajectory", name, interpolation, INTERPOLATIONS, hold
        )
        if not hasattr(robot, "kinematics"):
            raise ArgumentError(
                f"JointTrajectory: robot must come from kc.read_robot, but it is {shown(robot)}."
            )
        ROBOTS.check(robot, "JointTrajectory: the robot")
        self._name, self._robot = name, robot
        self._times = checked_times(label, times)
        self._q = _checked_values(label, "q", q, len(self._times), robot.joint_names)
        self._qd = (
            None if qd is None else _checked_values(label, "qd", qd, len(self._times), robot.joint_names)
        )
        if self._qd is not None and self._interpolation == "linear":
            raise ArgumentError(
                f'{label}: qd is given, but "linear" has no use for speeds; ask for interpolation="spline".'
            )
        self._coefficients = _coefficients(self._times, self._q, self._qd, self._interpolation)
        self._motions: dict[tuple[object, ...], LinkMotion] = {}
        self._paths: list[tuple[int, ...]] | None = None

    @property
    def robot(self) -> Robot:
        """The robot that it is a program of."""
        return self._robot

    @property
    def q(self) -> FloatArray:
        """The values at the waypoints, (n, joints) [rad or m]."""
        return read_only(self._q)

    @property
    def qd(self) -> FloatArray | None:
        """The speeds that were given, (n, joints) [rad/s or m/s], or None."""
        return None if self._qd is None else read_only(self._qd)

    @property
    def knots(self) -> FloatArray:
        """The times between which the joints move smoothly, (n,) [s]."""
        return read_only(self._times)

    @property
    def coefficients(self) -> FloatArray:
        """(segments, joints, 4) of the joints, by powers of the part of a segment that is over [rad or m]."""
        return read_only(self._coefficients)

    def at(self, t: npt.ArrayLike) -> FloatArray:
        """Return the values of the joints at time t, (joints,), or (n, joints) for n times [rad or m]."""
        return self._values(t, 0)

    def speed(self, t: npt.ArrayLike) -> FloatArray:
        """Return the joint speeds at time t, (joints,), or (n, joints) for n times [rad/s or m/s].

        At a waypoint where the speed jumps it is the speed after it; beyond the times it is 0.
        """
        return self._values(t, 1)

    def link(
        self, link: str, X_WB: npt.ArrayLike | None = None, X_LG: npt.ArrayLike | None = None
    ) -> LinkMotion:
        """Return the motion of a link in the world.

        Args:
            link: Name of the link.
            X_WB: Pose of the robot's base, (4, 4); None: at the origin.
            X_LG: A frame fixed to the link, whose motion is returned instead, (4, 4); None: the frame of the link.
        """
        first, last = _pose("X_WB", X_WB), _pose("X_LG", X_LG)
        return self.between(0, self._number(link), first, last, link)

    def relative(
        self, link_a: str, link_b: str, X_AG: npt.ArrayLike | None = None, X_BG: npt.ArrayLike | None = None
    ) -> LinkMotion:
        """Return the motion of link B relative to link A: only the joints between them count.

        Args:
            link_a: Name of the link whose frame is the reference.
            link_b: Name of the link whose motion is returned.
            X_AG: A frame fixed to A that is the reference instead, (4, 4).
            X_BG: A frame fixed to B whose motion is returned instead, (4, 4).
        """
        a, b = self._number(link_a), self._number(link_b)
        first, last = inverse(_pose("X_AG", X_AG)), _pose("X_BG", X_BG)
        return self.between(a, b, first, last, f"{link_b} relative to {link_a}")

    def between(
        self, first: int, last: int, X_first: FloatArray, X_last: FloatArray, name: str, terms: float = 0.0
    ) -> LinkMotion:
        """Return the route from link `first` to link `last`, by number, with fixed maps before and after; made once.

        With first = 0 and X_first = X_WB it is the motion of a link in the world; with last = 0 it is that of the world
        relative to a link. If these maps are products, `terms` is the sum of the lengths of the translations in them.
        """
        key = (first, last, X_first.tobytes(), X_last.tobytes(), terms)
        found = self._motions.get(key)
        if found is None:
            kinematics = self._robot.kinematics
            chain = chain_between(kinematics, first, last, self._coefficients, X_first, X_last, terms)
            knots = self._times if len(self._times) > 1 else np.repeat(self._times, 2)
            found = self._motions[key] = LinkMotion(knots, chain, self._hold, name)
        return found

    def moving_joints(self, link: int) -> tuple[int, ...]:
        """Return the links between the root and a link, by number, whose joints move at any time: equal for links that
        are at rest relative to each other.
        """
        if self._paths is None:
            moves = (self._q != self._q[0]).any(axis=0) | (self._coefficients[..., 1:] != 0.0).any(
                axis=(0, 2)
            )
            k = self._robot.kinematics
            paths: list[tuple[int, ...]] = []
            for child, (parent, column) in enumerate(zip(k.parent.tolist(), k.column.tolist(), strict=True)):
                before = paths[parent] if parent >= 0 else ()
                paths.append((*before, child) if column >= 0 and moves[column] else before)
            self._paths = paths
        return self._paths[link]

    def moving_segments(self, links: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        """Return whether the joints above these links, by number, move between two waypoints, (n - 1, links)."""
        c = self._coefficients
        moves = (c[..., 1:] != 0.0).any(axis=2)
        if len(self._times) > 1:
            moves |= self._q[1:] != self._q[:-1]
        return np.asarray(moves[:, self._robot.kinematics.column[list(links)]])

    def outside_limits(self) -> tuple[str, ...]:
        """Return one sentence for each joint that exceeds its position or speed limits."""
        robot, texts = self._robot, []
        lowest, highest, fastest = _extremes(self._times, self._coefficients)
        units = ["rad" if turns else "m" for turns in robot.kinematics.turns]
        for k, joint in enumerate(robot.joint_names):
            for value, limit, word in ((lowest, robot.lower[k], "below"), (highest, robot.upper[k], "above")):
                out = limit - value[k] if word == "below" else value[k] - limit
                if out > 1e-9:
                    text = f"joint {joint!r} gets to {value[k]:.6g} {units[k]}"
                    texts.append(f"{text}, {word} its limit {limit:.6g} {units[k]}")
            if fastest[k] > robot.speed[k] * (1.0 + 1e-9):
                text = f"joint {joint!r} moves at {fastest[k]:.4g} {units[k]}/s"
                texts.append(f"{text}, faster than its limit {robot.speed[k]:.4g} {units[k]}/s")
        return tuple(texts)

    def _number(self, link: str) -> int:
        names = self._robot.link_names
        if link in names:
            return names.index(link)
        raise UnknownNameError(
            f"{self._label}: the robot has no link {shown(link)}{known_names(link, names, 'link')}"
        )

    def _values(self, t: npt.ArrayLike, derivative: int) -> FloatArray:
        try:
            times, single = checked_instants(t)
        except ArgumentError as error:
            raise ArgumentError(f"{self._label}: {error}") from None
        early, late = times < self.t_start, times > self.t_end
        for beyond, side, end in ((early, "before", self.t_start), (late, "after", self.t_end)):
            if beyond.any() and self._hold not in ("both", side):
                raise TrajectoryError(
                    f"{self._label}: its hold is {self._hold!r}, so nothing is known at "
                    f"{float(times[beyond][0]):.9g} s, {side} {end:.9g} s."
                )
        k = np.clip(np.searchsorted(self._times, times, side="right") - 1, 0, len(self._coefficients) - 1)
        T = self._durations()[k]
        s = np.clip((times - self._times[k]) / T, 0.0, 1.0)[:, None]
        c = self._coefficients[k]
        if derivative == 0:
            values = c[..., 0] + s * (c[..., 1] + s * (c[..., 2] + s * c[..., 3]))
        else:
            values = (c[..., 1] + s * (2.0 * c[..., 2] + s * 3.0 * c[..., 3])) / T[:, None]
            values[early | late] = 0.0
        return np.asarray(values[0] if single else values)

    def _durations(self) -> FloatArray:
        return np.diff(self._times) if len(self._times) > 1 else np.ones(1)

    def __repr__(self) -> str:
        return self._described("waypoint")


def _checked_values(
    label: str,
    argument: str,
    given: npt.ArrayLike | Mapping[str, npt.ArrayLike],
    n: int,
    names: tuple[str, ...],
) -> FloatArray:
    """Return values (n, joints) in the order of the robot's joints."""
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        if unknown:
            hint = known_names(unknown[0], names, "joint")
            raise UnknownNameError(
                f"{label}: {argument} names a joint {shown(unknown[0])} that the robot lacks{hint}"
            )
        missing = [name for name in names if name not in given]
        if missing:
            raise TrajectoryError(
                f"{label}: {argument} lacks the {counted(len(missing), 'joint')} {', '.join(missing)}."
            )
        columns = [given[name] for name in names]
        try:
            array = (
                np.stack([as_array(column) for column in columns], axis=1) if columns else np.zeros((n, 0))
            )
        except ArgumentError as error:
            raise TrajectoryError(f"{label}: {argument}: {error}") from None
        except ValueError as cause:
            counts = ", ".join(
                f"{name} {np.size(column)}" for name, column in zip(names, columns, strict=True)
            )
            raise TrajectoryError(
                f"{label}: the joints in {argument} have different numbers of values: {counts}."
            ) from cause
    else:
        array = converted(given, f"{label}: {argument} must be numbers (n, {len(names)})", TrajectoryError)
    if array.shape != (n, len(names)) or array.dtype.kind not in "iuf":
        raise TrajectoryError(
            f"{label}: {argument} must be numbers of shape ({n}, {len(names)}), a row for each time and a column for "
            f"each of the joints {', '.join(names)}, but it has shape {array.shape} and dtype {array.dtype}."
        )
    values = np.array(array, dtype=np.float64, order="C", copy=True)
    bad = np.argwhere(~(np.abs(values) <= LARGEST_VALUE))
    if len(bad):
        i, j = bad[0]
        raise TrajectoryError(
            f"{label}: {argument}[{i}] of joint {names[j]!r} is {values[i, j]}; give finite radians or metres "
            f"from {-LARGEST_VALUE:g} to {LARGEST_VALUE:g}."
        )
    return values


def _coefficients(times: FloatArray, q: FloatArray, qd: FloatArray | None, interpolation: str) -> FloatArray:
    """Return the coefficients (pieces, joints, 4) by powers of the elapsed part of a piece."""
    if len(times) == 1:
        c = np.zeros((1, q.shape[1], 4))
        c[0, :, 0] = q[0]
        return c
    T = np.diff(times)[:, None]
    step = np.diff(q, axis=0)
    c = np.zeros((*step.shape, 4))
    c[..., 0] = q[:-1]
    if interpolation == "linear" or (qd is None and len(times) == 2):
        c[..., 1] = step
        return c
    if qd is None:
        from scipy.interpolate import CubicSpline

        qd = np.asarray(CubicSpline(times, q, axis=0, bc_type="natural")(times, 1))
    v0, v1 = T * qd[:-1], T * qd[1:]
    c[..., 1], c[..., 2], c[..., 3] = v0, 3.0 * step - 2.0 * v0 - v1, v0 + v1 - 2.0 * step
    return c


def _extremes(times: FloatArray, c: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the smallest and largest values of each joint, and its largest speed, (joints,) each."""
    T = (np.diff(times) if len(times) > 1 else np.ones(1))[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(c[..., 2] ** 2 - 3.0 * c[..., 1] * c[..., 3], 0.0))
        # Both turning points without cancellation, and where the speed is largest.
        far = -(c[..., 2] + np.copysign(root, c[..., 2]))
        places = [np.zeros_like(far), np.ones_like(far), far / (3.0 * c[..., 3]), c[..., 1] / far]
        places.append(-c[..., 2] / (3.0 * c[..., 3]))
    s = np.clip(np.nan_to_num(np.stack(places), nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)
    values = c[..., 0] + s * (c[..., 1] + s * (c[..., 2] + s * c[..., 3]))
    speeds = np.abs(c[..., 1] + s * (2.0 * c[..., 2] + s * 3.0 * c[..., 3])) / T
    return values.min(axis=(0, 1)), values.max(axis=(0, 1)), speeds.max(axis=(0, 1))


def _pose(argument: str, X: npt.ArrayLike | None) -> FloatArray:
    return np.eye(4) if X is None else one_pose(X, argument)
