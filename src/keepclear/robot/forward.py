"""Forward kinematics of all links of a robot: the tables for the kernel, and its call."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import RobotError
from keepclear.kernels.motion import forward as kernels
from keepclear.kernels.motion import joints
from keepclear.robot.kinematics import FIXED, PRISMATIC, REVOLUTE, IntArray, Kinematics

__all__ = ["ForwardTables", "build_tables", "link_poses"]


class ForwardTables(NamedTuple):
    """The joints of a robot for the kernel: `tree` (L, LINKS) and `numbers` (L, WIDTH)."""

    tree: IntArray
    numbers: FloatArray


def build_tables(kinematics: Kinematics) -> ForwardTables:
    """Return the joints in the form of the kernel; axes and rotated origins along x, y or z are distinguished."""
    n = len(kinematics.parent)
    _check_order(kinematics)
    tree = np.zeros((n, kernels.LINKS), dtype=np.int64)
    numbers = np.zeros((n, kernels.WIDTH))
    tree[:, joints.PARENT] = kinematics.parent
    for link in range(n):
        X_PJ, kind = kinematics.X_PJ[link], kinematics.kind[link]
        if kind != FIXED and kinematics.column[link] >= 0:
            _set_motion(tree[link], numbers[link], kinematics, link)
        elif kind != FIXED:
            X_PJ = X_PJ @ held_map(kinematics, link)
        _set_origin(tree[link], numbers[link], X_PJ)
    return ForwardTables(tree, numbers)


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


def _set_motion(tree: IntArray, numbers: FloatArray, kinematics: Kinematics, link: int) -> None:
    """Write the motion of the joint above a link; an axis along -x is a reversed rotation about x."""
    axis = kinematics.axis[link]
    main = int(np.abs(axis).argmax())
    sign = 1.0
    tree[joints.COLUMN] = kinematics.column[link]
    if kinematics.kind[link] != REVOLUTE:
        tree[kernels.MOTION] = kernels.ALONG
    elif np.count_nonzero(axis) == 1:
        tree[kernels.MOTION], sign = kernels.ABOUT_X + main, math.copysign(1.0, axis[main])
    else:
        tree[kernels.MOTION] = kernels.ABOUT_ANY
    numbers[joints.MULTIPLIER] = sign * kinematics.multiplier[link]
    numbers[joints.OFFSET] = sign * kinematics.offset[link]
    numbers[kernels.AXIS :] = axis


def _set_origin(tree: IntArray, numbers: FloatArray, X_PJ: FloatArray) -> None:
    """Write the position of the joint in its parent, and the axis about which it is rotated there."""
    R = X_PJ[:3, :3]
    numbers[joints.MAP : joints.MAP + 12] = X_PJ[:3].ravel()
    tree[kernels.ORIGIN] = kernels.ABOUT_ANY
    if np.array_equal(R, np.eye(3)):
        tree[kernels.ORIGIN] = kernels.NONE
        return
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        others_rest = R[i, j] == R[i, k] == R[j, i] == R[k, i] == 0.0 and R[i, i] == 1.0
        if others_rest and R[j, j] == R[k, k] and R[j, k] == -R[k, j]:
            tree[kernels.ORIGIN] = kernels.ABOUT_X + i
            numbers[kernels.SINE], numbers[kernels.COSINE] = R[k, j], R[j, j]


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


def link_poses(tables: ForwardTables, q: FloatArray, X_WB: FloatArray) -> FloatArray:
    """Return the poses (n, links, 4, 4) for checked configurations (n, dof) and base poses (1 or n, 4, 4)."""
    poses = np.empty((len(q), len(tables.tree), 4, 4))
    kernels.place_links(tables.tree, tables.numbers, q, X_WB, poses)
    return poses
