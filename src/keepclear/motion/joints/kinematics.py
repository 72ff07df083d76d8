"""The tree of links and joints of a robot, as arrays: its configurations, and the poses of its links."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, converted, read_only, shown
from keepclear.errors import ArgumentError, RobotError, UnknownNameError
from keepclear.kernels.motion import forward as kernels
from keepclear.kernels.tables.motion import FIXED, PRISMATIC, REVOLUTE
from keepclear.kernels.tables.record import Rows
from keepclear.kernels.tables.robot import LINK
from keepclear.names import close_name, listed


@dataclass(frozen=True, slots=True, eq=False)
class Kinematics:
    """Links in an order in which parents come before their children; link 0 is the root.

    The pose of link l in that of its parent is X_PJ[l] times a turn about (or a shift along) axis[l] by
    multiplier[l] q[column[l]] + offset[l].

    Attributes:
        link_names: (L,).
        parent: (L,) the number of the parent, -1 for the root.
        X_PJ: (L, 4, 4) pose of the joint of a link in the frame of its parent; the identity for the root.
        kind: (L,) FIXED, REVOLUTE (also without limits) or PRISMATIC.
        axis: (L, 3) unit vectors in the frame of the joint.
        column: (L,) the column of q that moves the joint, -1 for none.
        multiplier: (L,) 1 unless the joint mimics another.
        offset: (L,) 0 unless the joint mimics another, or is held at a value [rad or m].
        joint_names: (n,) the columns of q.
        lower: (n,) limits of q, -inf where there is none [rad or m].
        upper: (n,).
        speed: (n,) limits of the joints' speeds, inf where there is none [rad/s or m/s].
        turns: (n,) whether a column of q is the angle of a revolute joint; joints that mimic it may be of another kind.
    """

    link_names: tuple[str, ...]
    parent: IntArray
    X_PJ: FloatArray
    kind: IntArray
    axis: FloatArray
    column: IntArray
    multiplier: FloatArray
    offset: FloatArray
    joint_names: tuple[str, ...]
    lower: FloatArray
    upper: FloatArray
    speed: FloatArray
    turns: npt.NDArray[np.bool_]

    def unchanging(self) -> Kinematics:
        """Return a copy whose arrays cannot be written to."""
        values: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                values[name] = read_only(value.copy())
        return Kinematics(**values)

    def zero(self) -> FloatArray:
        """Return 0 for each joint, or the middle of its limits where these exclude 0."""
        q = np.zeros(len(self.lower))
        for i in np.flatnonzero((self.lower > 0.0) | (self.upper < 0.0)):
            ends = self.lower[i], self.upper[i]
            q[i] = 0.5 * (ends[0] + ends[1]) if np.isfinite(ends).all() else min(ends, key=abs)
        return q

    def repeats(self, column: int) -> bool:
        """Return whether all links have the same poses after a turn of a joint, and of those that mimic it."""
        moved = self.column == column
        factors = self.multiplier[moved]
        return bool((self.kind[moved] == REVOLUTE).all() and (factors == np.round(factors)).all())


LARGEST_VALUE = 1e6  # greatest value of a joint [rad or m]; beyond it sines are less accurate than tolerances


def checked_configurations(
    robot: str, kinematics: Kinematics, q: npt.ArrayLike | Mapping[str, npt.ArrayLike], name: str = "q"
) -> tuple[FloatArray, bool]:
    """Return configurations as a fresh array (n, dof), and whether one (dof,) was given.

    Args:
        robot: The robot's name, for messages.
        kinematics: Its joints.
        q: An array (dof,) or (n, dof), or a number or (n,) numbers for each joint by its name.
        name: The argument's name, for messages.

    Raises:
        ArgumentError: The shape is wrong, or a number is not finite, or beyond `LARGEST_VALUE`.
        UnknownNameError: A name is not that of an independent joint.
    """
    label = f"robot '{robot}': {name}"
    joints = kinematics.joint_names
    array = _by_name(label, joints, q) if isinstance(q, Mapping) else _real_array(label, q)
    single = array.ndim == 1
    if array.ndim not in (1, 2) or array.shape[-1] != len(joints):
        raise ArgumentError(
            f"{label} must have shape ({len(joints)},) or (n, {len(joints)}), a column for each of "
            f"{_listed(joints)}, but it has shape {array.shape}."
        )
    values = np.array(array, dtype=np.float64, order="C", ndmin=2)
    if not np.abs(values).max(initial=0.0) <= LARGEST_VALUE:
        row, column = np.argwhere(~(np.abs(values) <= LARGEST_VALUE))[0]
        where = "" if single else f" of configuration {row}"
        raise ArgumentError(
            f"{label}: joint '{joints[column]}'{where} is {values[row, column]}; give finite radians or metres from "
            f"{-LARGEST_VALUE:g} to {LARGEST_VALUE:g}."
        )
    return values, single


def _real_array(label: str, value: object) -> npt.NDArray[np.generic]:
    array = converted(value, f"{label} must be an array of numbers", ArgumentError)
    if array.size == 0 and array.dtype.kind == "f":
        return array
    if array.dtype.kind not in "iuf":
        raise ArgumentError(f"{label} must be an array of numbers, but it is {shown(value)}.")
    return array


def _by_name(
    label: str, joints: Sequence[str], given: Mapping[str, npt.ArrayLike]
) -> npt.NDArray[np.generic]:
    """Return the columns that were given by name, in the order of the joints."""
    for key in given:
        if key not in joints:
            raise UnknownNameError(
                f"{label} names {shown(key) if not isinstance(key, str) else repr(key)}, which is not an "
                f"independent joint{close_name(key, joints)} These are {_listed(joints)}."
            )
    missing = [joint for joint in joints if joint not in given]
    if missing:
        raise ArgumentError(f"{label} has no value for {_listed(missing)}; give one for each joint.")
    columns = [_real_array(f"{label}['{joint}']", given[joint]) for joint in joints]
    for joint, column in zip(joints, columns, strict=True):
        if column.ndim > 1:
            raise ArgumentError(
                f"{label}['{joint}'] must be a number or an array (n,), but it has shape {column.shape}."
            )
    lengths = {column.size for column in columns if column.ndim == 1}
    if len(lengths) > 1:
        counts = ", ".join(f"{joint}: {column.size}" for joint, column in zip(joints, columns, strict=True))
        raise ArgumentError(
            f"{label} has joints with different numbers of values ({counts}); give as many for each."
        )
    if not lengths:
        return np.array([float(column[()]) for column in columns])
    n = lengths.pop()
    return np.stack([np.broadcast_to(column, (n,)) for column in columns], axis=1)


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "no joints"
    return f"{len(names)} joint{'s' * (len(names) != 1)}: {listed(names, None)}"


def build_tables(kinematics: Kinematics) -> Rows:
    """Return the rows of LINK for the kernel; axes and rotated origins along x, y or z are distinguished."""
    _check_order(kinematics)
    links = np.zeros(len(kinematics.parent), LINK)
    links["parent"] = kinematics.parent
    for link, row in enumerate(links):
        X_PJ, kind = kinematics.X_PJ[link], kinematics.kind[link]
        if kind != FIXED and kinematics.column[link] >= 0:
            _set_motion(row, kinematics, link)
        elif kind != FIXED:
            X_PJ = X_PJ @ held_map(kinematics, link)
        _set_origin(row, X_PJ)
    return links


def _check_order(kinematics: Kinematics) -> None:
    """Raise an error unless link 0 is the root, parents come first, and columns and kinds exist: kernels rely on it."""
    parent, n = kinematics.parent, len(kinematics.joint_names)
    is_tree = len(parent) > 0 and parent[0] == -1 and bool((parent[1:] >= 0).all())
    if not is_tree or (parent >= np.arange(len(parent))).any() or (kinematics.column >= n).any():
        raise RobotError(
            f"Kinematics: the parents {parent.tolist()} and columns {kinematics.column.tolist()} make no tree with "
            f"{n} joints; link 0 must be the root (-1), and the parent of each other link must come before it."
        )
    unknown = np.flatnonzero(~np.isin(kinematics.kind, (FIXED, REVOLUTE, PRISMATIC)))
    if len(unknown):
        link = int(unknown[0])
        raise RobotError(
            f"Kinematics: the joint above link {kinematics.link_names[link]!r} is of kind {kinematics.kind[link]}; "
            f"known are FIXED ({FIXED}), REVOLUTE ({REVOLUTE}) and PRISMATIC ({PRISMATIC})."
        )


def _set_motion(row: Any, kinematics: Kinematics, link: int) -> None:
    """Write the motion of the joint above a link; an axis along -x is a reversed rotation about x."""
    axis = kinematics.axis[link]
    main = int(np.abs(axis).argmax())
    sign = 1.0
    if kinematics.kind[link] != REVOLUTE:
        row.motion = kernels.ALONG
    elif np.count_nonzero(axis) == 1:
        row.motion, sign = kernels.ABOUT_X + main, math.copysign(1.0, axis[main])
    else:
        row.motion = kernels.ABOUT_ANY
    row.column, row.axis = kinematics.column[link], axis
    row.multiplier, row.offset = sign * kinematics.multiplier[link], sign * kinematics.offset[link]


def _set_origin(row: Any, X_PJ: FloatArray) -> None:
    """Write the position of the joint in its parent, and the axis about which it is rotated there."""
    R = X_PJ[:3, :3]
    row.map, row.origin = X_PJ[:3], kernels.ABOUT_ANY
    if np.array_equal(R, np.eye(3)):
        row.origin = kernels.NONE
        return
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        others_rest = R[i, j] == R[i, k] == R[j, i] == R[k, i] == 0.0 and R[i, i] == 1.0
        if others_rest and R[j, j] == R[k, k] and R[j, k] == -R[k, j]:
            row.origin, row.sine, row.cosine = kernels.ABOUT_X + i, R[k, j], R[j, j]


def held_map(kinematics: Kinematics, link: int) -> FloatArray:
    """Return the map of a joint that stays at its offset."""
    X = np.eye(4)
    axis, value = kinematics.axis[link], kinematics.offset[link]
    if kinematics.kind[link] == REVOLUTE:
        x, y, z = axis
        K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        X[:3, :3] += math.sin(value) * K + (1.0 - math.cos(value)) * (K @ K)
    else:
        X[:3, 3] = value * axis
    return X


def link_poses(links: Rows, q: FloatArray, X_WB: FloatArray) -> FloatArray:
    """Return the poses (n, links, 4, 4) for checked configurations (n, dof) and base poses (1 or n, 4, 4)."""
    poses = np.empty((len(q), len(links), 4, 4))
    kernels.place_links(links, q, X_WB, poses)
    return poses
