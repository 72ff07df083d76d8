"""Poses of links, joint by joint in extended precision, and bounds of point speeds for given joint speeds."""

from collections.abc import Mapping, Sequence

import numpy as np
from tests.oracles.robot_urdf import MOVING, Arm, Joint, Wide, about

Array = np.ndarray


def chain(arm: Arm, link: str) -> list[Joint]:
    """The joints from the root to a link."""
    found: list[Joint] = []
    while link in arm.joint_above:
        found.append(arm.joint_above[link])
        link = found[-1].parent
    return found[::-1]


def joint_value(arm: Arm, joint: Joint, q: Array) -> Array:
    """The values (m,) of a joint in configurations (m, n), mimics followed."""
    if joint.kind not in MOVING:
        return np.zeros(len(q), dtype=Wide)
    value = q[:, arm.columns.index(joint.source)] if joint.source in arm.columns else followed(arm, joint, q)
    return Wide(joint.multiplier) * value + Wide(joint.offset)


def followed(arm: Arm, joint: Joint, q: Array) -> Array:
    """The value of the joint that a joint mimics, which mimics another one itself or does not move."""
    (source,) = (j for j in arm.joint_above.values() if j.name == joint.source)
    return joint_value(arm, source, q)


def joint_pose(arm: Arm, joint: Joint, q: Array) -> Array:
    """The poses (m, 4, 4) of a joint's child in its parent."""
    X = np.tile(np.eye(4, dtype=Wide), (len(q), 1, 1))
    value = joint_value(arm, joint, q)
    if joint.kind == "prismatic":
        X[:, :3, 3] = value[:, None] * joint.axis
    elif joint.kind in MOVING:
        X[:, :3, :3] = about(joint.axis, value)
    return joint.X_PJ @ X


def link_pose(arm: Arm, link: str, q: Array) -> Array:
    """The poses (m, 4, 4) of a link in the root's frame for configurations (m, n), in extended precision."""
    q = np.atleast_2d(np.asarray(q, dtype=Wide))
    X = np.tile(np.eye(4, dtype=Wide), (len(q), 1, 1))
    for joint in chain(arm, link):
        X = X @ joint_pose(arm, joint, q)
    return X


def inverse(X: Array) -> Array:
    """The inverses of poses (m, 4, 4)."""
    R = np.swapaxes(X[:, :3, :3], 1, 2)
    Y = np.tile(np.eye(4, dtype=X.dtype), (len(X), 1, 1))
    Y[:, :3, :3] = R
    Y[:, :3, 3] = -(R @ X[:, :3, 3, None])[:, :, 0]
    return Y


def between(arm: Arm, a: str, b: str) -> tuple[list[Joint], list[Joint]]:
    """The joints down to either link from their last common ancestor."""
    of_a, of_b = chain(arm, a), chain(arm, b)
    common = 0
    while common < min(len(of_a), len(of_b)) and of_a[common] is of_b[common]:
        common += 1
    return of_a[common:], of_b[common:]


def rate(
    joints: Sequence[Joint], reach: float, speeds: Mapping[str, float], travels: Mapping[str, float]
) -> float:
    """More than the speed of a point of a link, seen from the parent of the first of the joints above the link [m/s].

    A point within `reach` of the link's origin. Walking up from the link, the arm of lever about each joint is at
    most the reach plus all offsets on the way, prismatic joints at their longest. A turn at the speed w moves the
    point by at most w times that lever, a shift by its own speed, and the speeds add up.

    Args:
        joints: From the ancestor down to the link.
        reach: Greatest distance of a point of the body from the link's origin [m].
        speeds: Greatest speed of each joint by its name, mimics included [rad/s or m/s].
        travels: Greatest absolute value of each prismatic joint [m].
    """
    total, lever = 0.0, reach
    for joint in reversed(joints):
        if joint.kind == "prismatic":
            total += speeds[joint.name]
            lever += travels[joint.name]
        elif joint.kind in MOVING:
            total += speeds[joint.name] * lever
        lever += float(np.sqrt(np.sum(joint.X_PJ[:3, 3] ** 2)))
    return total
