"""The joints of a URDF file become a tree, as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from keepclear.checks import FloatArray
from keepclear.names import close_name, listed
from keepclear.robot.kinematics import FIXED, PRISMATIC, REVOLUTE, Kinematics
from keepclear.robot.robot_xml import RobotFile
from keepclear.robot.urdf_model import UrdfJoint, UrdfModel

__all__ = ["build_kinematics"]

_KINDS = {"fixed": FIXED, "revolute": REVOLUTE, "continuous": REVOLUTE, "prismatic": PRISMATIC}


def build_kinematics(model: UrdfModel, warnings: list[str]) -> Kinematics:
    """Return the tree of a model's links and joints.

    Args:
        model: The content of the URDF file.
        warnings: Texts about joints without limits are added here.

    Raises:
        RobotError: The joints do not form a tree, or a joint is invalid.
    """
    file = model.file
    links = [link.name for link in model.links]
    order, joint_of = _ordered(file, links, model.joints)
    number = {name: i for i, name in enumerate(order)}
    moving = {joint.name: joint for joint in model.joints if joint.type != "fixed"}
    columns = [name for name, joint in moving.items() if joint.mimic is None]
    n = len(order)
    X_PJ = np.repeat(np.eye(4)[None], n, axis=0)
    axis = np.tile(np.array([0.0, 0.0, 1.0]), (n, 1))
    parent, kind, column = np.full(n, -1), np.full(n, FIXED), np.full(n, -1)
    multiplier, offset = np.ones(n), np.zeros(n)
    for name, joint in joint_of.items():
        i = number[name]
        parent[i], kind[i] = number[joint.parent], _KINDS[joint.type]
        X_PJ[i] = joint.X_PJ
        if joint.type != "fixed":
            axis[i] = _unit_axis(file, joint)
            source, multiplier[i], offset[i] = _mimicked(file, joint, moving, model.joints)
            column[i] = columns.index(source) if source is not None else -1
    limits = np.array([_limits(file, moving[name], warnings) for name in columns]).reshape(-1, 3)
    return Kinematics(
        link_names=tuple(order),
        parent=parent,
        X_PJ=X_PJ,
        kind=kind,
        axis=axis,
        column=column,
        multiplier=multiplier,
        offset=offset,
        joint_names=tuple(columns),
        lower=limits[:, 0].copy(),
        upper=limits[:, 1].copy(),
        speed=limits[:, 2].copy(),
        turns=np.array([_KINDS[moving[name].type] == REVOLUTE for name in columns], dtype=bool),
    )


def _ordered(
    file: RobotFile, links: Sequence[str], joints: Sequence[UrdfJoint]
) -> tuple[list[str], dict[str, UrdfJoint]]:
    """Return the links, parents first, each branch to its end, and the joint above each but the root."""
    joint_of: dict[str, UrdfJoint] = {}
    below: dict[str, list[str]] = {name: [] for name in links}
    for joint in joints:
        for end in ("parent", "child"):
            name = getattr(joint, end)
            if name not in below:
                raise file.error(
                    f"the {end} of joint '{joint.name}' is link '{name}', which is not there{close_name(name, links)}"
                )
        if joint.child in joint_of:
            raise file.error(
                f"link '{joint.child}' is the child of joint '{joint_of[joint.child].name}' and of joint "
                f"'{joint.name}'; a robot is a tree, so cut the closed chain at one of them."
            )
        joint_of[joint.child] = joint
        below[joint.parent].append(joint.child)
    roots = [name for name in links if name not in joint_of]
    if len(roots) > 1:
        raise file.error(
            f"{len(roots)} links have no parent ({listed(roots, None)}), but a robot has one root; "
            "connect them by fixed joints, or make several files."
        )
    order, waiting = [], list(roots)
    while waiting:
        name = waiting.pop()
        order.append(name)
        waiting.extend(reversed(below[name]))
    if len(order) < len(links):
        cycle = _cycle(joint_of, next(name for name in links if name not in set(order)))
        raise file.error(f"the joints form a loop: {' -> '.join(cycle)}; a robot is a tree, so cut the loop.")
    return order, joint_of


def _cycle(joint_of: dict[str, UrdfJoint], name: str) -> list[str]:
    """Return the links of a loop above a link, from a link down to itself."""
    seen: list[str] = []
    while name not in seen:
        seen.append(name)
        name = joint_of[name].parent
    return [name, *reversed(seen[seen.index(name) :])]


def _unit_axis(file: RobotFile, joint: UrdfJoint) -> FloatArray:
    axis = np.asarray(joint.axis, dtype=np.float64)
    largest = np.abs(axis).max()
    if largest == 0.0:
        raise file.error(f"the axis of joint '{joint.name}' is 0 0 0; give it a direction.")
    axis = axis / largest
    unit: FloatArray = axis / np.linalg.norm(axis)
    return unit


def _mimicked(
    file: RobotFile, joint: UrdfJoint, moving: dict[str, UrdfJoint], joints: Sequence[UrdfJoint]
) -> tuple[str | None, float, float]:
    """Return the joint whose value moves this one, and the multiplier and offset of that, through all mimics."""
    multiplier, offset = 1.0, 0.0
    seen = [joint.name]
    while joint.mimic is not None:
        multiplier, offset = multiplier * joint.mimic.multiplier, multiplier * joint.mimic.offset + offset
        name = joint.mimic.joint
        if name in seen:
            raise file.error(
                f"joints mimic each other in a loop: {' -> '.join([*seen, name])}; make one of them independent."
            )
        if name not in moving:
            if name in [other.name for other in joints]:
                return None, 0.0, offset  # a fixed joint has the value 0
            raise file.error(
                f"joint '{joint.name}' mimics joint '{name}', which is not there{close_name(name, list(moving))}"
            )
        seen.append(name)
        joint = moving[name]
    return joint.name, multiplier, offset


def _limits(file: RobotFile, joint: UrdfJoint, warnings: list[str]) -> tuple[float, float, float]:
    """Return lower and upper limit, and the limit of speed; a missing limit is 0, as defined by URDF."""
    limit = joint.limit
    velocity = 0.0 if limit is None or limit.velocity is None else limit.velocity
    speed = velocity if velocity > 0.0 else math.inf
    if joint.type == "continuous":
        return -math.inf, math.inf, speed
    if limit is None or (limit.lower is None and limit.upper is None):
        warnings.append(f"joint '{joint.name}' is {joint.type} without limits, so any value is accepted.")
        return -math.inf, math.inf, speed
    lower, upper = limit.lower or 0.0, limit.upper or 0.0
    if lower > upper:
        raise file.error(
            f"the limits of joint '{joint.name}' are reversed: lower is {lower:g}, upper is {upper:g}."
        )
    return lower, upper, speed
