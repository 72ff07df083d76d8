"""SRDF files: pairs of links that may touch, groups of joints, and named configurations."""

from __future__ import annotations

import os
from dataclasses import replace

from keepclear.robot.model import AllowedPair, Robot
from keepclear.robot.robot_xml import read_xml

__all__ = ["read_srdf"]


def read_srdf(robot: Robot, path: str | os.PathLike[str]) -> Robot:
    """Return the robot with what its SRDF file says."""
    file = read_xml(path, "SRDF")
    pairs = tuple(
        AllowedPair(element.get("link1"), element.get("link2"), "srdf", element.get("reason", ""))
        for element in file.root.findall("disable_collisions")
    )
    return replace(robot, allowed_pairs=pairs)
