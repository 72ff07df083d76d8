"""Robots from URDF files: links, shapes, the tree of joints, and the SRDF file of their allowed pairs."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError
from keepclear.kernels.tables.motion import FIXED, PRISMATIC, REVOLUTE
from keepclear.motion.joints.kinematics import Kinematics
from keepclear.names import close_name, listed
from keepclear.robot.model import Robot
from keepclear.robot.pairs.allowed import allowed_without_srdf
from keepclear.robot.readers.elements import RobotFile, read_xml
from keepclear.robot.readers.link_shapes import LinkReader, PackageDirs, checked_package_dirs
from keepclear.robot.readers.srdf import read_srdf
from keepclear.robot.readers.urdf_model import UrdfJoint, UrdfLink, UrdfModel, read_model

__all__ = ["build_kinematics", "read_robot", "read_urdf"]


def read_robot(
    path: str | os.PathLike[str],
    srdf: str | os.PathLike[str] | None = None,
    package_dirs: PackageDirs = (),
    *,
    name: str | None = None,
) -> Robot:
    """Return the robot in a URDF file (xacro already expanded).

    Joints may be fixed, revolute, continuous or prismatic, and may mimic others. Collision shapes are kept as
    they are; a concave mesh is not made convex. Visual shapes and colours are for report pages
    only; they are read when a page is made, and never raise an error.

    Args:
        path: The URDF file.
        srdf: The SRDF file of the same robot. With it, the pairs of links that it disables may touch, and no
            others. Without it, neighbours may touch, and links that touch in the zero pose, which
            `robot.warnings` lists.
        package_dirs: Folders that hold the packages of `package://` names, or folders by the name of the package. The
            folder of the URDF file and those above it are searched too.
        name: Name of the robot; by default that of the file.

    Raises:
        FileMissingError: A file does not exist; the message lists the paths that were tried for a mesh.
        RobotError: A file cannot be read, or its joints do not form a tree; the message has the line.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> text = '''<robot name="slide">
        ...   <link name="rail"/>
        ...   <link name="cart"><collision><geometry><box size="0.4 0.3 0.1"/></geometry></collision></link>
        ...   <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/>
        ...     <axis xyz="1 0 0"/><limit lower="0" upper="2.5" velocity="1"/></joint>
        ... </robot>'''
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "slide.urdf"
        ...     _ = file.write_text(text)
        ...     robot = read_robot(file)
        >>> robot.joint_names, robot.upper.tolist(), robot.link("cart").elements[0].shape
        (('x',), [2.5], Box(size=(0.4, 0.3, 0.1)))
    """
    if name is not None and (not isinstance(name, str) or not name):
        raise ArgumentError(f"read_robot: name must be a non-empty string, but it is {shown(name)}.")
    robot = read_urdf(path, package_dirs, name)
    return allowed_without_srdf(robot) if srdf is None else read_srdf(robot, srdf)


def read_urdf(path: str | os.PathLike[str], package_dirs: PackageDirs = (), name: str | None = None) -> Robot:
    """Return the robot in a URDF file: links, joints and shapes, without allowed pairs."""
    folders = checked_package_dirs(package_dirs)
    file = read_xml(path, "URDF")
    model = read_model(file)
    warnings: list[str] = []
    kinematics = build_kinematics(model, warnings)
    reader = LinkReader(model, folders, warnings)
    links = {link.name: link for link in model.links}
    joints = {joint.child: joint.name for joint in model.joints}
    return Robot(
        name or model.name or file.path.stem,
        kinematics,
        tuple(reader.read(links[link]) for link in kinematics.link_names),
        tuple(joints.get(link, "") for link in kinematics.link_names),
        warnings=(*_about_visuals(model.links), *warnings),
        source=os.fspath(path),
    )


def _about_visuals(links: Sequence[UrdfLink]) -> list[str]:
    """Return a text about links that are shown and not checked."""
    names = [link.name for link in links if link.visuals and not link.collisions]
    if not names:
        return []
    if len(names) == 1:
        return [f"link '{names[0]}' has visual and no collision geometry, so it is not checked."]
    return [
        f"{len(names)} links have visual and no collision geometry, so they are not checked: {listed(names, None)}."
    ]


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
    lower, upper, velocity = joint.limits
    speed = velocity if velocity is not None and velocity > 0.0 else math.inf
    if joint.type == "continuous":
        return -math.inf, math.inf, speed
    if lower is None and upper is None:
        warnings.append(f"joint '{joint.name}' is {joint.type} without limits, so any value is accepted.")
        return -math.inf, math.inf, speed
    lower, upper = lower or 0.0, upper or 0.0
    if lower > upper:
        raise file.error(
            f"the limits of joint '{joint.name}' are reversed: lower is {lower:g}, upper is {upper:g}."
        )
    return lower, upper, speed
