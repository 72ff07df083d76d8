"""Configurations as public arguments: joint values by column or by name, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, converted, shown
from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.names import close_name, listed
from keepclear.robot.kinematics import Kinematics

__all__ = ["LARGEST_VALUE", "checked_configurations"]

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
