"""Robot files read simply, by xml.etree and its own readers of OBJ and STL: the joints, and the bodies on links."""

import struct
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from tests.oracles.exact_points import box, cylinder, sphere
from tests.oracles.mesh_scene import MeshBody, mesh_body
from tests.oracles.motion_bodies import Thing

Wide = np.longdouble  # 64 bits of mantissa where the machine has them
Find = Callable[[str], Path]
MOVING = ("revolute", "continuous", "prismatic")


@dataclass(frozen=True, eq=False)
class Joint:
    """How a link hangs on its parent; `source` is the joint whose value moves it, itself unless it mimics."""

    name: str
    kind: str
    parent: str
    child: str
    X_PJ: np.ndarray  # (4, 4) in extended precision
    axis: np.ndarray  # (3,) of length 1, in extended precision
    source: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Part:
    """A body on a link."""

    thing: Thing
    X_LG: np.ndarray


@dataclass(frozen=True, eq=False)
class Arm:
    """A robot: joints by the name of their child, links in the file's order, columns as joints come in the file."""

    name: str
    links: dict[str, list[Part]]
    joint_above: dict[str, Joint]
    columns: list[str]
    disabled: set[frozenset[str]] = field(default_factory=set)

    @property
    def solid_links(self) -> list[str]:
        """Links that have a body."""
        return [name for name, parts in self.links.items() if parts]

    def are_neighbours(self, a: str, b: str) -> bool:
        """Whether one of two links with bodies is the nearest such link above the other."""
        return self.nearest_above(a) == b or self.nearest_above(b) == a

    def nearest_above(self, link: str) -> str:
        """The nearest ancestor of a link that has a body, or the root."""
        while link in self.joint_above:
            link = self.joint_above[link].parent
            if self.links[link]:
                break
        return link


def read_arm(text: str, find: Find, srdf: str = "") -> Arm:
    """The robot of a URDF's text; `find` turns the name of a mesh into its path."""
    root = ElementTree.fromstring(text)
    links = {
        str(link.get("name")): [
            Part(read_geometry(need(c, "geometry"), find), origin(c)) for c in link.findall("collision")
        ]
        for link in root.findall("link")
    }
    joints = [read_joint(element) for element in root.findall("joint")]
    columns = [j.name for j in joints if j.kind in MOVING and j.source == j.name]
    disabled = set()
    if srdf:
        for pair in ElementTree.fromstring(srdf).findall("disable_collisions"):
            disabled.add(frozenset([str(pair.get("link1")), str(pair.get("link2"))]))
    return Arm(str(root.get("name")), links, {j.child: j for j in joints}, columns, disabled)


def need(element: ElementTree.Element, tag: str) -> ElementTree.Element:
    found = element.find(tag)
    if found is None:
        raise ValueError(f"no <{tag}> in <{element.tag}>")
    return found


def numbers(text: str | None, default: str) -> list[float]:
    return [float(word) for word in (text or default).split()]


def origin(element: ElementTree.Element) -> np.ndarray:
    """The pose of <origin>: fixed axes x, y, z by roll, pitch, yaw in this order."""
    told = element.find("origin")
    X = np.eye(4, dtype=Wide)
    if told is not None:
        roll, pitch, yaw = numbers(told.get("rpy"), "0 0 0")
        X[:3, :3] = about([0, 0, 1], yaw) @ about([0, 1, 0], pitch) @ about([1, 0, 0], roll)
        X[:3, 3] = numbers(told.get("xyz"), "0 0 0")
    return X


def about(axis: object, angle: object) -> np.ndarray:
    """The rotation about a unit axis, or those by angles (m,), in extended precision (Rodrigues)."""
    x, y, z = np.asarray(axis, dtype=Wide)
    zero = Wide(0)
    K = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]])
    turns = np.asarray(angle, dtype=Wide)[..., None, None]
    half = np.sin(turns / 2)
    return np.eye(3, dtype=Wide) + np.sin(turns) * K + 2 * half * half * (K @ K)


def read_joint(element: ElementTree.Element) -> Joint:
    told, mimic = element.find("axis"), element.find("mimic")
    axis = np.array(numbers(None if told is None else told.get("xyz"), "1 0 0"), dtype=Wide)
    name, kind = str(element.get("name")), str(element.get("type"))
    moves = kind in MOVING and mimic is not None
    return Joint(
        name=name,
        kind=kind,
        parent=str(need(element, "parent").get("link")),
        child=str(need(element, "child").get("link")),
        X_PJ=origin(element),
        axis=axis / np.sqrt(np.sum(axis * axis)) if np.any(axis) else axis,
        source=str(mimic.get("joint")) if moves and mimic is not None else name,
        multiplier=float(mimic.get("multiplier") or 1.0) if moves and mimic is not None else 1.0,
        offset=float(mimic.get("offset") or 0.0) if moves and mimic is not None else 0.0,
    )


def read_geometry(element: ElementTree.Element, find: Find) -> Thing:
    """The body of <geometry>."""
    (told,) = element
    if told.tag == "box":
        return Thing(box(numbers(told.get("size"), "")))
    if told.tag == "sphere":
        return Thing(sphere(float(told.get("radius") or "nan")))
    if told.tag == "cylinder":
        return Thing(cylinder(float(told.get("radius") or "nan"), float(told.get("length") or "nan")))
    if told.tag != "mesh":
        raise ValueError(f"<{told.tag}> is no geometry")
    scale = np.array(numbers(told.get("scale"), "1 1 1"))
    mesh = read_plain_mesh(find(str(told.get("filename"))))
    faces = [f if np.prod(scale) > 0 else f[::-1] for f in mesh.faces]
    return Thing(mesh_body(mesh.vertices * scale, faces))


def read_plain_mesh(path: Path) -> MeshBody:
    """The triangles of an OBJ or a binary STL file; vertices at one place are one."""
    if path.suffix.lower() == ".obj":
        rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        points = np.array([[float(x) for x in row[1:4]] for row in rows if row[:1] == ["v"]])
        faces = [[int(word.split("/")[0]) - 1 for word in row[1:]] for row in rows if row[:1] == ["f"]]
    else:
        data = path.read_bytes()
        (count,) = struct.unpack_from("<I", data, 80)
        kind = np.dtype([("normal", "<f4", 3), ("points", "<f4", (3, 3)), ("rest", "<u2")])
        points = np.frombuffer(data, kind, count, 84)["points"].astype(np.float64).reshape(-1, 3)
        faces = np.arange(len(points)).reshape(-1, 3).tolist()
    unique, place = np.unique(points, axis=0, return_inverse=True)
    joined = [[int(place[i]) for i in face] for face in faces]
    return mesh_body(unique, [face for face in joined if len(set(face)) == len(face)])
