"""URDF files: every element is checked with its line, and the needed ones become a model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import RobotError
from keepclear.files.xml import Element
from keepclear.geometry.shapes.table import urdf_elements
from keepclear.robot.links import Colour, Geometry
from keepclear.robot.readers.elements import RobotFile

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")


class UrdfLink(NamedTuple):
    """A <link>: its collision geometry, and its visual geometry with colours; None for what cannot be read."""

    name: str
    collisions: tuple[Geometry, ...]
    visuals: tuple[tuple[Geometry | None, Colour | None], ...]


class UrdfMimic(NamedTuple):
    """The <mimic> of a joint: its value is multiplier * (value of the other joint) + offset."""

    joint: str
    multiplier: float
    offset: float


class UrdfJoint(NamedTuple):
    """A <joint>.

    Attributes:
        name: Its name.
        type: One of `JOINT_TYPES`.
        parent: The link that carries it.
        child: The link that it moves.
        X_PJ: Pose of its frame in the frame of the parent.
        axis: The axis in its frame, as written: of any length, including 0.
        limits: The lower and upper value, and the largest speed; None for an attribute that is absent.
        mimic: The joint that moves it, None if it is independent.
    """

    name: str
    type: str
    parent: str
    child: str
    X_PJ: FloatArray
    axis: tuple[float, ...]
    limits: tuple[float | None, float | None, float | None]
    mimic: UrdfMimic | None


class UrdfModel(NamedTuple):
    """The content of a URDF file: the file for messages, the robot's name ("" for none), and parts as in the file."""

    file: RobotFile
    name: str
    links: tuple[UrdfLink, ...]
    joints: tuple[UrdfJoint, ...]


def read_model(file: RobotFile) -> UrdfModel:
    """Return the content of a URDF file, with each element checked.

    Raises:
        RobotError: An element is invalid; the message has the line.
    """
    root = file.root
    _check_tags(file)
    _check_names(file, "link")
    _check_names(file, "joint")
    links = root.findall("link")
    if not links:
        raise file.error("it has no <link>, so it is not a robot.", root)
    colours = _colours(file)
    return UrdfModel(
        file,
        root.get("name", ""),
        tuple(_link(file, link, colours) for link in links),
        tuple(_joint(file, joint) for joint in root.findall("joint")),
    )


def _check_names(file: RobotFile, tag: str) -> None:
    lines: dict[str, int] = {}
    for element in file.root.findall(tag):
        name = file.text(element, "name", f"a <{tag}>")
        if name in lines:
            raise file.error(
                f"{tag} '{name}' is defined twice, first in line {lines[name]}; rename or remove one.",
                element,
            )
        lines[name] = element.sourceline


def _check_tags(file: RobotFile) -> None:
    """Refuse elements that would be lost: files to include, and links, joints and shapes under other names."""
    for element in (*file.root, *(child for link in file.root.findall("link") for child in link)):
        name = element.tag.rpartition("}")[2]
        if name.lower() in ("include", "model"):
            raise file.error(f"<{name}> is not expanded; write what it stands for.", element)
        if name.lower() in ("link", "joint", "collision") and element.tag != name.lower():
            raise file.error(f"<{element.tag}> is unknown; did you mean <{name.lower()}>?", element)


def _check_single(file: RobotFile, parent: Element, tags: tuple[str, ...], label: str) -> None:
    """Refuse repeated elements, of which only the first would be used, and poses of SDF."""
    for tag in tags:
        if len(parent.findall(tag)) > 1:
            raise file.error(f"{label} has two <{tag}>; keep one of them.", parent)
    if parent.find("pose") is not None:
        raise file.error(f"{label} has a <pose>, as SDF files have; use <origin>.", parent)


def _link(file: RobotFile, link: Element, colours: dict[str, Colour]) -> UrdfLink:
    name = link.get("name")
    return UrdfLink(
        name,
        tuple(
            _geometry(file, f"the collision geometry of link '{name}'", element)
            for element in link.findall("collision")
        ),
        tuple(_visual(file, name, element, colours) for element in link.findall("visual")),
    )


def _colours(file: RobotFile) -> dict[str, Colour]:
    """Return the colours of the materials of a file by their names; of one that is defined twice, the first."""
    found: dict[str, Colour] = {}
    for material in file.root.iter("material"):
        colour = _colour(file, material)
        if colour is not None:
            found.setdefault(material.get("name", ""), colour)
    return found


def _colour(file: RobotFile, material: Element) -> Colour | None:
    """Return the colour in a <material>; None if it is missing or invalid."""
    try:
        rgba = file.numbers(material.find("color"), "rgba", (3, 4), "a material")
    except RobotError:
        return None
    if rgba is None or not all(0.0 <= x <= 1.0 for x in rgba):
        return None
    return rgba[0], rgba[1], rgba[2]


def _visual(
    file: RobotFile, link: str, visual: Element, colours: dict[str, Colour]
) -> tuple[Geometry | None, Colour | None]:
    """Return a <visual>; nothing in it makes a file unreadable, because it is for display only."""
    material = visual.find("material")
    colour = None if material is None else _colour(file, material) or colours.get(material.get("name", ""))
    try:
        return _geometry(file, f"the visual geometry of link '{link}'", visual), colour
    except RobotError:
        return None, colour


def _geometry(file: RobotFile, label: str, collision: Element) -> Geometry:
    """Return the geometry of a <collision> or <visual>, which `label` names."""
    _check_single(file, collision, ("origin", "geometry"), label)
    X_LG = _origin(file, collision, label)
    geometry = collision.find("geometry")
    shapes = [] if geometry is None else list(geometry)
    if len(shapes) != 1:
        raise file.error(
            f"{label} has {len(shapes) or 'no'} shapes; give exactly one in <geometry>.", collision
        )
    shape = shapes[0]
    kind: str = shape.tag.rpartition("}")[2].lower()
    known = urdf_elements()
    if kind not in known:
        raise file.error(f"{label} is a <{shape.tag}>; known are {', '.join(known)}.", shape)
    sizes = known[kind][1].sizes
    if sizes is None:
        filename = file.text(shape, "filename", f"{label}, a <{kind}>,")
        return Geometry(kind, file.numbers(shape, "scale", (1, 3), label) or (), filename, X_LG)
    numbers: tuple[float, ...] = ()
    for attribute, size in sizes.items():
        file.text(shape, attribute, f"{label}, a <{kind}>,")
        numbers += file.numbers(shape, attribute, (size.n,), label) or ()
    return Geometry(kind, numbers, "", X_LG)


def _joint(file: RobotFile, joint: Element) -> UrdfJoint:
    label = f"joint '{joint.get('name')}'"
    kind = file.text(joint, "type", label)
    if kind in ("floating", "planar"):
        raise file.error(
            f"{label} is {kind}, which has no single value; replace it by prismatic and revolute joints, or make it "
            "fixed and place the robot with X_WB.",
            joint,
        )
    if kind not in JOINT_TYPES:
        raise file.error(f"{label} has the type '{kind}'; known are {', '.join(JOINT_TYPES)}.", joint)
    ends = []
    for end in ("parent", "child"):
        element = joint.find(end)
        if element is None:
            raise file.error(f'{label} has no <{end} link="..."/>; add it.', joint)
        ends.append(file.text(element, "link", f"the <{end}> of {label}"))
    _check_single(file, joint, ("parent", "child", "origin", "axis", "limit", "mimic"), label)
    limit = joint.find("limit")
    lower, upper, velocity = (
        file.number(limit, name, f"the limit of {label}") for name in ("lower", "upper", "velocity")
    )
    return UrdfJoint(
        name=joint.get("name"),
        type=kind,
        parent=ends[0],
        child=ends[1],
        X_PJ=_origin(file, joint, label),
        axis=file.numbers(joint.find("axis"), "xyz", (3,), f"the axis of {label}") or (1.0, 0.0, 0.0),
        limits=(lower, upper, velocity),
        mimic=_mimic(file, joint.find("mimic"), f"the <mimic> of {label}"),
    )


def _mimic(file: RobotFile, mimic: Element | None, label: str) -> UrdfMimic | None:
    if mimic is None:
        return None
    joint = file.text(mimic, "joint", label)
    (multiplier,) = file.numbers(mimic, "multiplier", (1,), label) or (1.0,)
    (offset,) = file.numbers(mimic, "offset", (1,), label) or (0.0,)
    return UrdfMimic(joint, multiplier, offset)


def _origin(file: RobotFile, parent: Element, label: str) -> FloatArray:
    """Return the pose in the <origin> of an element, the identity without one."""
    origin = parent.find("origin")
    other = [name for name in ({} if origin is None else origin.attrib) if name not in ("xyz", "rpy")]
    if other:
        raise file.error(
            f'the origin of {label} has {other[0]}="...", which is not read; use xyz and rpy.', origin
        )
    xyz, rpy = (
        file.numbers(origin, attribute, (3,), f"the origin of {label}") for attribute in ("xyz", "rpy")
    )
    X_PG = np.eye(4)
    if rpy is not None:
        X_PG[:3, :3] = _rotation(*rpy)
    if xyz is not None:
        X_PG[:3, 3] = xyz
    return X_PG + 0.0  # no -0


def _rotation(roll: float, pitch: float, yaw: float) -> FloatArray:
    """Return R = Rz(yaw) Ry(pitch) Rx(roll): turns about the fixed axes x, y and z, in this order."""
    (sin_r, sin_p, sin_y), (cos_r, cos_p, cos_y) = np.sin((roll, pitch, yaw)), np.cos((roll, pitch, yaw))
    return np.array(
        [
            [cos_p * cos_y, sin_p * (sin_r * cos_y) - cos_r * sin_y, sin_p * (cos_r * cos_y) + sin_r * sin_y],
            [cos_p * sin_y, sin_p * (sin_r * sin_y) + cos_r * cos_y, sin_p * (cos_r * sin_y) - sin_r * cos_y],
            [-sin_p, cos_p * sin_r, cos_p * cos_r],
        ]
    )
