"""The tree of links and joints of a robot, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray

__all__ = ["FIXED", "PRISMATIC", "REVOLUTE", "Kinematics"]

IntArray = npt.NDArray[np.int64]
FIXED, REVOLUTE, PRISMATIC = 0, 1, 2


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
