"""URDF files: every element is checked with its line, then yourdfpy makes a model of it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from keepclear.robot.robot_xml import Element, RobotFile

__all__ = ["UrdfModel", "read_model"]

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")
# What each kind of geometry needs: attributes, and how many numbers each has.
_GEOMETRY: dict[str, dict[str, tuple[int, ...]]] = {
    "box": {"size": (3,)},
    "cylinder": {"radius": (1,), "length": (1,)},
    "capsule": {"radius": (1,), "length": (1,)},
    "sphere": {"radius": (1,)},
    "mesh": {"scale": (1, 3)},
}
# What yourdfpy is given of each element.
_NEEDED = {"link": ("collision",), "joint": ("parent", "child", "origin", "axis", "limit", "mimic")}


@dataclass(frozen=True, slots=True)
class UrdfModel:
    """What a URDF file says.

    Attributes:
        file: The file, for messages.
        robot: yourdfpy's model: links with collisions, joints.
        capsules: (link, number of the collision) of cylinders that are capsules, which yourdfpy does not know.
        visual_only: Links that have something to show and nothing to check.
    """

    file: RobotFile
    robot: Any
    capsules: frozenset[tuple[str, int]]
    visual_only: tuple[str, ...]


def read_model(file: RobotFile) -> UrdfModel:
    """Return what a URDF file says, each of its elements checked.

    Raises:
        RobotError: Something in it makes no sense; the message has the line.
    """
    import yourdfpy
    from lxml import etree  # type: ignore[import-untyped]

    root = file.root
    _check_tags(file)
    capsules: set[tuple[str, int]] = set()
    visual_only = []
    _check_names(file, "link")
    _check_names(file, "joint")
    if not root.findall("link"):
        raise file.error("it has no <link>, so it is no robot.", root)
    for link in root.findall("link"):
        if link.find("visual") is not None and link.find("collision") is None:
            visual_only.append(link.get("name"))
        for number, collision in enumerate(link.findall("collision")):
            if _check_collision(file, link.get("name"), collision) == "capsule":
                capsules.add((link.get("name"), number))
    for joint in root.findall("joint"):
        _check_joint(file, joint)
    data = etree.tostring(_needed(root), encoding="utf-8")
    try:
        model = yourdfpy.URDF.load(
            io.BytesIO(data), build_scene_graph=False, build_collision_scene_graph=False, load_meshes=False
        )
    except Exception as cause:  # whatever it stumbles over
        reason = " ".join(f"{type(cause).__name__}: {cause}".split())[:120]
        raise file.error(f"yourdfpy cannot read it ({reason}).") from cause
    return UrdfModel(file, model.robot, frozenset(capsules), tuple(visual_only))


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
            raise file.error(f"<{name}> is not followed; write what it stands for.", element)
        if name.lower() in ("link", "joint", "collision") and element.tag != name.lower():
            raise file.error(f"<{element.tag}> is unknown; did you mean <{name.lower()}>?", element)


def _check_single(file: RobotFile, parent: Element, tags: tuple[str, ...], label: str) -> None:
    """Refuse elements that are there twice, of which the first would be taken, and poses as SDF has them."""
    for tag in tags:
        if len(parent.findall(tag)) > 1:
            raise file.error(f"{label} has two <{tag}>; keep one of them.", parent)
    if parent.find("pose") is not None:
        raise file.error(f"{label} has a <pose>, as SDF files have; use <origin>.", parent)


def _check_collision(file: RobotFile, link: str, collision: Element) -> str:
    """Check a <collision> and return the kind of its geometry; a capsule becomes a cylinder."""
    label = f"the collision geometry of link '{link}'"
    _check_single(file, collision, ("origin", "geometry"), label)
    _check_origin(file, collision, label)
    geometry = collision.find("geometry")
    shapes = [] if geometry is None else list(geometry)
    if len(shapes) != 1:
        raise file.error(
            f"{label} has {len(shapes) or 'no'} shapes; give exactly one in <geometry>.", collision
        )
    shape = shapes[0]
    kind: str = shape.tag.rpartition("}")[2].lower()
    if kind not in _GEOMETRY:
        raise file.error(f"{label} is a <{shape.tag}>; known are {', '.join(_GEOMETRY)}.", shape)
    for attribute, counts in _GEOMETRY[kind].items():
        if kind != "mesh":
            file.text(shape, attribute, f"{label}, a <{kind}>,")
        file.check_numbers(shape, attribute, counts, label)
    if kind == "mesh":
        file.text(shape, "filename", f"{label}, a <mesh>,")
    shape.tag = "cylinder" if kind == "capsule" else kind
    return kind


def _check_joint(file: RobotFile, joint: Element) -> None:
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
    for end in ("parent", "child"):
        element = joint.find(end)
        if element is None:
            raise file.error(f'{label} has no <{end} link="..."/>; add it.', joint)
        file.text(element, "link", f"the <{end}> of {label}")
    _check_single(file, joint, ("parent", "child", "origin", "axis", "limit", "mimic"), label)
    _check_origin(file, joint, label)
    file.check_numbers(joint.find("axis"), "xyz", (3,), f"the axis of {label}")
    limit, mimic = joint.find("limit"), joint.find("mimic")
    if limit is not None:
        for attribute in ("lower", "upper", "velocity"):
            file.number(limit, attribute, f"the limit of {label}")
        limit.attrib.pop("effort", None)
    if mimic is not None:
        file.text(mimic, "joint", f"the <mimic> of {label}")
        for attribute in ("multiplier", "offset"):
            file.check_numbers(mimic, attribute, (1,), f"the <mimic> of {label}")


def _check_origin(file: RobotFile, parent: Element, label: str) -> None:
    origin = parent.find("origin")
    other = [name for name in ({} if origin is None else origin.attrib) if name not in ("xyz", "rpy")]
    if other:
        raise file.error(
            f'the origin of {label} has {other[0]}="...", which is not read; use xyz and rpy.', origin
        )
    for attribute in ("xyz", "rpy"):
        file.check_numbers(parent.find("origin"), attribute, (3,), f"the origin of {label}")


def _needed(root: Element) -> Element:
    """Return a copy with links, their collisions and joints alone: nothing else can then be in the way."""
    copy = _plain(root, ())
    copy.set("name", root.get("name", ""))
    for tag, inside in _NEEDED.items():
        copy.extend(_plain(element, inside) for element in root.findall(tag))
    return copy


def _plain(element: Element, tags: tuple[str, ...] | None = None) -> Element:
    """Return a copy of an element and of its children, or those of these names, without any namespaces."""
    from lxml import etree

    copy = etree.Element(element.tag, dict(element.attrib))
    copy.extend(_plain(child) for child in element if tags is None or child.tag in tags)
    return copy
