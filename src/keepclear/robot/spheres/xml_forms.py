"""Sphere models as XML: URDF files whose collision shapes are spheres, and `link_sphere_approximation` of SRDF."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np

from keepclear.checks import FloatArray, shown
from keepclear.errors import RobotError
from keepclear.files.xml import Element
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.robot.model import Robot
from keepclear.robot.readers.elements import RobotFile, parse_robot_xml
from keepclear.robot.readers.urdf_model import UrdfLink, read_model
from keepclear.robot.spheres.numbers import ModelFile, SphereTexts, cover_of, sphere_mistake

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

SRDF_SPHERES = "link_sphere_approximation"


def parse_urdf_model(data: bytes, path: Path) -> ModelFile:
    """Return the model in a URDF file all of whose collision shapes are spheres."""
    model = read_model(parse_robot_xml(data, path, "URDF"))
    elements = model.file.root.findall("link")
    links = {
        link.name: _urdf_link(model.file, link, element)
        for link, element in zip(model.links, elements, strict=True)
        if link.collisions
    }
    if not links:
        raise model.file.error("it has no collision shapes, so it is not a sphere model.", model.file.root)
    return ModelFile(path, f"URDF file '{path}'", model.name, links)


def _urdf_link(file: RobotFile, link: UrdfLink, element: Element) -> SphereCover:
    spheres = []
    for collision, place in zip(link.collisions, element.findall("collision"), strict=True):
        if collision.kind != "sphere":
            raise file.error(
                f"link '{link.name}' has a {collision.kind} among its collision shapes, and a sphere model has none; "
                "read the file with kc.read_robot for its shapes.",
                place,
            )
        center, radius = collision.X_LG[:3, 3].tolist(), collision.numbers[0]
        if mistake := sphere_mistake(center, radius):
            raise file.error(f"link '{link.name}': {mistake}.", place)
        spheres.append((center, radius))
    return cover_of(spheres)


def parse_srdf_model(data: bytes, path: Path, robot: Robot) -> ModelFile:
    """Return the model in an SRDF file; its centres are relative to the first collision shape of a link.

    A radius of 0 means no sphere, as defined by the format: a link with only such spheres is omitted.
    """
    file = parse_robot_xml(data, path, "SRDF")
    links: dict[str, SphereCover] = {}
    lines: dict[str, int] = {}
    for element in file.root.findall(SRDF_SPHERES):
        name = file.text(element, "link", f"a <{SRDF_SPHERES}>").strip()
        if name in lines:
            raise file.error(
                f"link '{name}' has spheres twice, first in line {lines[name]}; keep one list.", element
            )
        lines[name] = element.sourceline
        found = _srdf_link(file, element, name)
        if found is not None:
            X_LG = collision_frame(robot, name)
            links[name] = SphereCover(found.centers @ X_LG[:3, :3].T + X_LG[:3, 3], found.radii)
    if not links:
        raise file.error(f"it has no <{SRDF_SPHERES}> with spheres, so it is not a sphere model.", file.root)
    return ModelFile(path, f"SRDF file '{path}'", file.root.get("name", ""), links)


def _srdf_link(file: RobotFile, element: Element, name: str) -> SphereCover | None:
    spheres = []
    for child in element:
        if child.tag != "sphere":
            raise file.error(
                f"<{child.tag}> among the spheres of link '{name}' is unknown; remove it.", child
            )
        label = f"a sphere of link '{name}'"
        for attribute in ("center", "radius"):
            file.text(child, attribute, label)
        center = file.numbers(child, "center", (3,), label)
        radius = file.numbers(child, "radius", (1,), label)
        assert center is not None
        assert radius is not None
        mistake = sphere_mistake(center, radius[0] or 1.0)
        if mistake:
            raise file.error(f"link '{name}': {mistake}.", child)
        if radius[0] != 0.0:
            spheres.append((center, radius[0]))
    return cover_of(spheres) if spheres else None


def collision_frame(robot: Robot, link: str) -> FloatArray:
    """Return (4, 4) the pose of the first collision shape of a link, to which spheres of SRDF are relative.

    The parser of the format defines centres "in the link collision frame", and uses the first of several shapes.
    """
    if link not in robot.link_names or not robot.link(link).elements:
        return np.eye(4)
    return robot.link(link).elements[0].X_LG


def srdf_text(robot_name: str, links: Mapping[str, Sequence[SphereTexts]]) -> str:
    """Return an SRDF file with spheres only, whose elements belong into the SRDF of the robot."""
    lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(robot_name)}>"]
    for link, spheres in links.items():
        lines.append(f"  <{SRDF_SPHERES} link={quoteattr(link)}>")
        lines += [
            f'    <sphere center="{" ".join(center)}" radius="{radius}"/>' for center, radius in spheres
        ]
        lines.append(f"  </{SRDF_SPHERES}>")
    return "\n".join([*lines, "</robot>"]) + "\n"


def urdf_bytes(data: bytes, path: Path, links: Mapping[str, Sequence[SphereTexts]]) -> bytes:
    """Return a URDF file with spheres instead of its collision shapes; all other bytes are unchanged.

    Args:
        data: The URDF file of the robot.
        path: For messages.
        links: The spheres of each link that has collision shapes.

    Raises:
        RobotError: The file has a link with collision shapes and no spheres, or lacks a link.
    """
    read_model(parse_robot_xml(data, path, "URDF"))
    spans = _Spans(data)
    missing = [name for name, span in spans.links.items() if span.shapes and name not in links]
    unknown = [name for name in links if name not in spans.links]
    if missing or unknown:
        what = (
            f"the model has no spheres for link '{missing[0]}', whose shapes would be lost"
            if missing
            else f"it has no link {shown(unknown[0])}, for which the model has spheres"
        )
        raise RobotError(f"URDF file '{path}': {what}.")
    parts, at = [], 0
    for name, span in spans.links.items():
        for k, (first, last) in enumerate(span.shapes):
            parts += [data[at:first], _collisions(links[name]) if k == 0 else b""]
            at = last
        if name in links and not span.shapes:
            end = span.end
            if end is None:
                raise RobotError(
                    f"URDF file '{path}': link '{name}' is empty, but the model has spheres for it."
                )
            parts += [data[at:end], _collisions(links[name]), b"\n  "]
            at = end
    return b"".join([*parts, data[at:]])


def _collisions(spheres: Sequence[SphereTexts]) -> bytes:
    rows = [
        f'<collision>\n      <origin xyz="{" ".join(center)}" rpy="0 0 0"/>\n'
        f'      <geometry><sphere radius="{radius}"/></geometry>\n    </collision>'
        for center, radius in spheres
    ]
    return "\n    ".join(rows).encode("ascii")


class _LinkSpan:
    """Where the collision shapes of a link are in a file, and where its end tag begins (None: it has none)."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, int]] = []
        self.end: int | None = None


class _Spans:
    """The positions of links and of their collision shapes in the bytes of a URDF file."""

    def __init__(self, data: bytes) -> None:
        from xml.parsers import expat

        self.links: dict[str, _LinkSpan] = {}
        self._data = data
        self._path: list[tuple[str, int]] = []
        self._link = _LinkSpan()
        self._parser: XMLParserType = expat.ParserCreate(namespace_separator="}")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.Parse(data, True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition("}")[2]
        if len(self._path) == 1 and tag == "link":
            self._link = self.links[attributes["name"]] = _LinkSpan()
        self._path.append((tag, self._parser.CurrentByteIndex))

    def _end(self, _name: str) -> None:
        tag, first = self._path.pop()
        here = self._parser.CurrentByteIndex
        inside = [one for one, _ in self._path]
        is_empty = self._data[first : self._tag_end(first)].endswith(b"/>")
        if tag == "link" and len(inside) == 1 and not is_empty:
            self._link.end = here
        if tag == "collision" and inside[1:] == ["link"]:
            self._link.shapes.append((first, self._tag_end(first if is_empty else here)))

    def _tag_end(self, at: int) -> int:
        """Return where the tag ends that begins at a byte; a '>' in quotes belongs to an attribute."""
        found = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""").match(self._data, at)
        assert found is not None
        return found.end()
