"""Robots from URDF files, with the SRDF file of their allowed pairs."""

from __future__ import annotations

import os
from collections.abc import Sequence

from keepclear.checks import shown
from keepclear.errors import ArgumentError
from keepclear.names import listed
from keepclear.robot.allowed_pairs import allowed_without_srdf
from keepclear.robot.joint_tree import build_kinematics
from keepclear.robot.link_shapes import LinkReader
from keepclear.robot.mesh_paths import PackageDirs, checked_package_dirs
from keepclear.robot.model import Robot
from keepclear.robot.robot_xml import read_xml
from keepclear.robot.srdf import read_srdf
from keepclear.robot.urdf_model import read_model

__all__ = ["read_robot", "read_urdf"]


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
        warnings=(*_about_visuals(model.visual_only), *warnings),
        source=os.fspath(path),
    )


def _about_visuals(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    if len(names) == 1:
        return [f"link '{names[0]}' has visual and no collision geometry, so it is not checked."]
    return [
        f"{len(names)} links have visual and no collision geometry, so they are not checked: {listed(names, None)}."
    ]
