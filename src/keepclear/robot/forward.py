"""Where all links of a robot are: the tables that the kernel reads, and the call of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.kernels import forward as kernels
from keepclear.robot.kinematics import FIXED, REVOLUTE, IntArray, Kinematics
from keepclear.shapes.arguments import FloatArray

__all__ = ["ForwardTables", "build_tables", "link_poses"]


class ForwardTables(NamedTuple):
    """What the kernel reads of a robot's joints: `tree` (L, 3) and `numbers` (L, 38)."""

    tree: IntArray
    numbers: FloatArray


def build_tables(kinematics: Kinematics) -> ForwardTables:
    """Return the joints as sums of constant matrices, X_PJ (1 + sin K + (1 - cos) K²)."""
    n = len(kinematics.parent)
    tree = np.zeros((n, 3), dtype=np.int64)
    numbers = np.zeros((n, kernels.WIDTH))
    tree[:, kernels.PARENT], tree[:, kernels.COLUMN] = kinematics.parent, kinematics.column
    numbers[:, kernels.MULTIPLIER], numbers[:, kernels.OFFSET] = kinematics.multiplier, kinematics.offset
    for link in range(n):
        X_PJ, axis = kinematics.X_PJ[link], kinematics.axis[link]
        terms = np.zeros((3, 4, 4))
        terms[0] = X_PJ
        tree[link, kernels.KIND] = kernels.STILL
        if kinematics.kind[link] == FIXED:
            tree[link, kernels.KIND] = kernels.SAME if np.array_equal(X_PJ, np.eye(4)) else kernels.STILL
        elif kinematics.kind[link] == REVOLUTE:
            x, y, z = axis
            K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            tree[link, kernels.KIND] = kernels.TURN
            terms[0, :3, :3] = X_PJ[:3, :3] @ np.outer(axis, axis)
            terms[1, :3, :3] = X_PJ[:3, :3] @ K
            terms[2, :3, :3] = X_PJ[:3, :3] @ (np.eye(3) - np.outer(axis, axis))
        else:
            tree[link, kernels.KIND] = kernels.SHIFT
            terms[1, :3, 3] = X_PJ[:3, :3] @ axis
        numbers[link, kernels.TERMS :] = terms[:, :3].ravel()
    return ForwardTables(tree, numbers)


def link_poses(tables: ForwardTables, q: FloatArray, X_WB: FloatArray) -> FloatArray:
    """Return the poses (n, links, 4, 4) for checked configurations (n, dof) and base poses (1 or n, 4, 4)."""
    poses = np.empty((len(q), len(tables.tree), 4, 4))
    kernels.place_links(tables.tree, tables.numbers, q, X_WB, poses)
    return poses
