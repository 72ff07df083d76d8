"""SRDF files of proved pairs: groups and states of an old file are kept, its disabled pairs are replaced."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from keepclear.errors import RobotError
from keepclear.files import write_whole_file
from keepclear.robot.allowed_pairs import neighbours
from keepclear.robot.pair_reach import Reach
from keepclear.robot.robot_xml import read_xml

if TYPE_CHECKING:
    from keepclear.robot.pair_reach import ProvedPairs

__all__ = ["write_srdf"]

_REPLACED = ("disable_collisions", "enable_collisions", "disable_default_collisions")


def write_srdf(
    proved: ProvedPairs, path: str | os.PathLike[str], keep: str | os.PathLike[str] | None
) -> None:
    """Write an SRDF file that disables the pairs that are proved; see `ProvedPairs.write_srdf`."""
    if keep is None:
        root = _groups_and_states(proved)
    else:
        root = ElementTree.Element("robot", {"name": proved.robot.name})
        root.extend(child for child in read_xml(keep, "SRDF").root if child.tag not in _REPLACED)
    adjacent = {frozenset((pair.a, pair.b)) for pair in neighbours(proved.robot)}
    for pair in proved.pairs:
        is_adjacent = pair.kind is Reach.ALWAYS and frozenset((pair.a, pair.b)) in adjacent
        if pair.kind is Reach.NEVER or (pair.kind is Reach.ALWAYS and (is_adjacent or not pair.is_within)):
            reason = "Adjacent" if is_adjacent else pair.kind.value.capitalize()
            names = {"link1": pair.a, "link2": pair.b, "reason": reason}
            ElementTree.SubElement(root, "disable_collisions", names)
    root.insert(0, ElementTree.Comment(_remark(proved)))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    try:
        write_whole_file(path, text + b"\n")
    except OSError as cause:
        raise RobotError(f"SRDF file '{Path(path)}' cannot be written: {cause.strerror or cause}.") from cause


def _groups_and_states(proved: ProvedPairs) -> ElementTree.Element:
    robot = proved.robot
    root = ElementTree.Element("robot", {"name": robot.name})
    for name, joints in robot.groups.items():
        group = ElementTree.SubElement(root, "group", {"name": name})
        for joint in joints:
            ElementTree.SubElement(group, "joint", {"name": joint})
    for key, q in robot.states.items():
        group_name, _, name = key.rpartition("/")
        attributes = {"name": name, "group": group_name} if group_name else {"name": name}
        state = ElementTree.SubElement(root, "group_state", attributes)
        of_group = robot.groups.get(group_name, robot.joint_names)
        for joint, value in zip(robot.joint_names, q.tolist(), strict=True):
            if joint in of_group:
                ElementTree.SubElement(state, "joint", {"name": joint, "value": repr(value)})
    return root


def _remark(proved: ProvedPairs) -> str:
    """Return a comment with the limits of the proof: outside of them nothing is known. Two hyphens end a comment."""
    limits = "".join(
        f"\n    {name}: {lower!r} to {upper!r}"
        for name, (lower, upper) in zip(proved.robot.joint_names, proved.limits.tolist(), strict=True)
    )
    text = (
        f" Disabled pairs are proved for these limits of the joints, with a tolerance of {proved.tolerance:g} m:"
        f"{limits}\n  "
    )
    return text.replace("--", "- -")
