"""SRDF files, read and written: pairs of links that may touch, groups of joints, and named configurations."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from keepclear.checks import FloatArray
from keepclear.errors import RobotError
from keepclear.files.access import parse_number, write_named_file
from keepclear.files.xml import Element
from keepclear.names import close_name, listed
from keepclear.robot.links import AllowedPair
from keepclear.robot.model import Robot
from keepclear.robot.pairs.allowed import neighbours
from keepclear.robot.pairs.reach import Reach
from keepclear.robot.readers.elements import RobotFile, read_xml

if TYPE_CHECKING:
    from keepclear.robot.pairs.reach import ProvedPairs

SHOWN = 6  # groups of a loop in a message
_COLLISION_TAGS = ("disable_collisions", "enable_collisions", "disable_default_collisions")
Pair = frozenset[str]


def read_srdf(robot: Robot, path: str | os.PathLike[str]) -> Robot:
    """Return the robot with the content of its SRDF file: allowed pairs, groups and states.

    Names that the robot does not have are ignored with a warning in `warnings`.

    Raises:
        FileMissingError: There is no such file.
        RobotError: It cannot be read, or a value in it is invalid.
    """
    return _Srdf(robot, read_xml(path, "SRDF")).applied()


def frames_of_root(robot: Robot, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the frames that fixed virtual joints of an SRDF file put where the robot's root link is.

    Raises:
        FileMissingError: There is no such file.
        RobotError: It cannot be read.
    """
    file = read_xml(path, "SRDF")
    joints = [one for one in file.root.findall("virtual_joint") if one.get("type") == "fixed"]
    return tuple(
        file.text(one, "parent_frame", "a <virtual_joint>").removeprefix("/")
        for one in joints
        if one.get("child_link") == robot.link_names[0]
    )


class _Srdf:
    """One reading of a file; it collects names that the robot does not have."""

    def __init__(self, robot: Robot, file: RobotFile) -> None:
        self.robot, self.file = robot, file
        self.unknown: dict[str, dict[str, None]] = {"link": {}, "joint": {}, "group": {}}
        self.warnings: list[str] = []

    def applied(self) -> Robot:
        self.check_tags()
        pairs = self.allowed_pairs()
        groups = self.groups()
        states = dict(self.states())
        self.warn_about_neighbours(pairs)
        warnings = [text for kind in self.unknown for text in self.about_unknown(kind)] + self.warnings
        return replace(
            self.robot,
            allowed_pairs=pairs,
            groups=groups,
            states=states,
            warnings=(*self.robot.warnings, *warnings),
        )

    def check_tags(self) -> None:
        """Refuse unknown elements about collisions: one of them could enable a pair again."""
        for element in self.file.root:
            if "collision" in element.tag.lower() and element.tag not in _COLLISION_TAGS:
                known = ", ".join(f"<{tag}>" for tag in _COLLISION_TAGS)
                raise self.file.error(
                    f"<{element.tag}> is unknown; about collisions there are {known}.", element
                )

    def allowed_pairs(self) -> tuple[AllowedPair, ...]:
        """Return the pairs that the file disables, each once."""
        file, found = self.file, dict[Pair, AllowedPair]()
        shaped = [link.name for link in self.robot.links if link.elements]
        for element in file.root.findall("disable_default_collisions"):
            link = self.link(element, "link")
            for other in shaped if link is not None else ():
                if link is not None and other != link:
                    detail = "collisions are disabled by default"
                    found[frozenset((link, other))] = AllowedPair(link, other, "srdf", detail)
        for element in file.root.findall("enable_collisions"):
            found.pop(frozenset(self.pair(element)), None)
        for element in file.root.findall("disable_collisions"):
            pair = self.pair(element)
            if len(pair) == 2:
                found.setdefault(frozenset(pair), AllowedPair(*pair, "srdf", element.get("reason", "")))
        return tuple(found.values())

    def pair(self, element: Element) -> tuple[str, ...]:
        """Return the two links of an element that the robot has."""
        pair = tuple(name for name in (self.link(element, "link1"), self.link(element, "link2")) if name)
        if len(pair) == 2 and pair[0] == pair[1]:
            raise self.file.error(f"<{element.tag}> names link '{pair[0]}' twice; name two links.", element)
        return pair

    def link(self, element: Element, attribute: str) -> str | None:
        """Return the link that an attribute names; None if the robot has no such link."""
        name = self.file.text(element, attribute, f"a <{element.tag}>")
        return name if self.known("link", name, self.robot.link_names) else None

    def known(self, kind: str, name: str, names: tuple[str, ...]) -> bool:
        if name not in names:
            self.unknown[kind][name] = None
        return name in names

    def group_elements(self) -> dict[str, Element]:
        return {
            self.file.text(group, "name", "a <group>"): group for group in self.file.root.findall("group")
        }

    def groups(self) -> dict[str, tuple[str, ...]]:
        """Return the joints of each group that move by themselves, in the order of the columns of q.

        Each group is read once, and nested groups without recursion, so the depth of nesting is not limited.
        """
        elements = self.group_elements()
        parts = {name: self.subgroups(name, element, tuple(elements)) for name, element in elements.items()}
        joints: dict[str, set[str]] = {}
        for first in elements:
            path = {first: iter(parts[first])} if first not in joints else {}
            while path:
                name, rest = next(reversed(path.items()))
                part = next(rest, None)
                if part is None:
                    own = self.group_joints(name, elements[name])
                    joints[name] = set(own).union(*(joints[part] for part in parts[name]))
                    path.popitem()
                elif part in path:
                    circle = [*path, part][list(path).index(part) :]
                    listed = " -> ".join(circle if len(circle) <= SHOWN else [*circle[:SHOWN], "...", part])
                    raise self.file.error(f"group '{part}' contains itself: {listed}.", elements[part])
                elif part not in joints:
                    path[part] = iter(parts[part])
        return {
            name: tuple(one for one in self.robot.joint_names if one in joints[name]) for name in elements
        }

    def subgroups(self, name: str, element: Element, names: tuple[str, ...]) -> list[str]:
        """Return the groups that a group lists."""
        parts = [
            self.file.text(one, "name", f"a <group> in group '{name}'")
            for one in element.iterchildren("group")
        ]
        return [part for part in dict.fromkeys(parts) if self.known("group", part, names)]

    def group_joints(self, name: str, group: Element) -> Iterator[str]:
        """Yield the joints that a group itself names, including fixed and mimicking ones."""
        for element in group:
            if element.tag == "joint":
                joint = self.file.text(element, "name", f"a <joint> of group '{name}'")
                if self.known("joint", joint, self.robot.link_joints):
                    yield joint
            elif element.tag == "link" and (link := self.link(element, "name")):
                yield self.robot.link_joints[self.robot.link_index(link)]
            elif element.tag == "chain":
                yield from self.chain(element)

    def chain(self, element: Element) -> Iterator[str]:
        """Yield the joints between two links."""
        base, tip = self.link(element, "base_link"), self.link(element, "tip_link")
        if base is None or tip is None:
            return
        chains = [[self.robot.link_index(name)] for name in (base, tip)]
        for chain in chains:
            while (parent := int(self.robot.kinematics.parent[chain[-1]])) >= 0:
                chain.append(parent)
        for link in set(chains[0]) ^ set(chains[1]):
            yield self.robot.link_joints[link]

    def states(self) -> Iterator[tuple[str, FloatArray]]:
        """Yield the named configurations; joints that a state does not name are at their zero."""
        groups = tuple(self.group_elements())
        for element in self.file.root.findall("group_state"):
            group, name = element.get("group"), self.file.text(element, "name", "a <group_state>")
            if group:
                self.known("group", group, groups)
                name = f"{group}/{name}"
            q = self.robot.zero
            if all(self.set_value(name, joint, q) for joint in element.findall("joint")):
                q.flags.writeable = False
                yield name, q

    def set_value(self, state: str, element: Element, q: FloatArray) -> bool:
        """Set the value of one joint in a named configuration, and return whether it is valid.

        Fixed and mimicking joints have no column. Virtual joints, between the robot and the world, have other values.
        """
        joint = self.file.text(element, "name", f"a <joint> of state '{state}'")
        values = self.file.text(element, "value", f"joint '{joint}' of state '{state}'").split()
        virtual = [other.get("name") for other in self.file.root.findall("virtual_joint")]
        if joint in virtual or (len(values) > 1 and joint not in self.robot.link_joints):
            return True
        if not self.known("joint", joint, self.robot.link_joints) or joint not in self.robot.joint_names:
            return True
        try:
            (value,) = map(parse_number, values)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.warnings.append(
                f"SRDF file '{self.file.path.name}', line {element.sourceline}: state '{state}' is left out, because "
                f"it gives joint '{joint}' the value \"{element.get('value')}\", not one finite number."
            )
            return False
        q[self.robot.joint_names.index(joint)] = value
        return True

    def warn_about_neighbours(self, pairs: tuple[AllowedPair, ...]) -> None:
        """Warn about neighbours that are checked: they touch at their joint, so this is rarely intended."""
        allowed = {frozenset((pair.a, pair.b)) for pair in pairs}
        left = [pair for pair in neighbours(self.robot) if frozenset((pair.a, pair.b)) not in allowed]
        if left:
            pairs_left = listed((f"{pair.a} - {pair.b}" for pair in left), None)
            self.warnings.append(
                f"SRDF file '{self.file.path.name}' does not disable {len(left)} "
                f"pair{'s' * (len(left) != 1)} of neighbours, so they are checked: {pairs_left}."
            )

    def about_unknown(self, kind: str) -> Iterator[str]:
        """Yield a text about names that the robot does not have."""
        names = list(self.unknown[kind])
        if not names:
            return
        known = {
            "link": self.robot.link_names,
            "joint": tuple(filter(None, self.robot.link_joints)),
            "group": tuple(self.group_elements()),
        }[kind]
        all_names = listed((f"'{name}'" for name in names), None)
        home = "the SRDF" if kind == "group" else f"robot '{self.robot.name}'"
        yield (
            f"SRDF file '{self.file.path.name}' names {kind}{'s' * (len(names) != 1)} {all_names}, which {home} "
            f"does not have{close_name(names[0], known)}"
        )


def write_srdf(
    proved: ProvedPairs, path: str | os.PathLike[str], keep: str | os.PathLike[str] | None
) -> None:
    """Write an SRDF file that disables the pairs that are proved; see `ProvedPairs.write_srdf`."""
    if keep is None:
        root = _groups_and_states(proved)
    else:
        root = ElementTree.Element("robot", {"name": proved.robot.name})
        root.extend(child for child in read_xml(keep, "SRDF").root if child.tag not in _COLLISION_TAGS)
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
    write_named_file(path, text + b"\n", f"SRDF file '{Path(path)}'", RobotError)


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
