"""The content of a planning scene, without the form of its file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import primitive
from keepclear.jobs.motion_files.samples import Options, Source, from_quaternions

CONE_SIDES = 64
"""Sides of the pyramid around a cone; its radius is larger than that of the cone by 0.12 %."""
_LONGEST = 1e-3  # how far the length of a quaternion may be from 1; files have 6 digits


@dataclass(frozen=True, slots=True, eq=False)
class SceneShape:
    """A shape of an object.

    Attributes:
        shape: A primitive or a mesh.
        X_OS: Its pose in the frame of the object, (4, 4).
        is_cone: Whether the mesh is a pyramid around a cone.
    """

    shape: Shape
    X_OS: FloatArray
    is_cone: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SceneObject:
    """An object of a scene.

    Attributes:
        name: Its id.
        frame: The frame of its pose; "" is that of the scene.
        X_FO: Its pose in that frame, (4, 4).
        shapes: At least one.
        link: The link that holds it; "" if it is not attached.
        touch_links: Links that it may touch, if it is attached.
    """

    name: str
    frame: str
    X_FO: FloatArray
    shapes: tuple[SceneShape, ...]
    link: str = ""
    touch_links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AllowedMatrix:
    """The allowed collision matrix: entries of pairs in both orders, and defaults by name.

    Versions of MoveIt differ in whether the entry of a pair or the defaults of its names count where both are given;
    a pair is allowed here if neither forbids it.
    """

    entries: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    defaults: Mapping[str, bool] = field(default_factory=dict)

    def allows(self, a: str, b: str) -> bool:
        """Return whether a pair may touch."""
        given = [one for one in (self.entries.get((a, b)), self._default(a, b)) if one is not None]
        return bool(given) and all(given)

    def is_disputed(self, a: str, b: str) -> bool:
        """Return whether the entry of a pair and the defaults of its names differ."""
        return {self.entries.get((a, b)), self._default(a, b)} == {True, False}

    def _default(self, a: str, b: str) -> bool | None:
        given = [self.defaults[name] for name in (a, b) if name in self.defaults]
        return all(given) if given else None

    @property
    def names(self) -> tuple[str, ...]:
        """All names that occur in it."""
        return tuple(dict.fromkeys([*(name for pair in self.entries for name in pair), *self.defaults]))


@dataclass(slots=True, eq=False)
class PlanningScene:
    """The content of a planning scene.

    Attributes:
        file: The file as the user names it, for messages.
        robot_name: The name of the robot's model, or "".
        objects: Its objects, attached ones too.
        frame: The name of its frame, "" if the file does not give it.
        frames: Poses of other frames in the frame of the scene, (4, 4) each.
        X_WB: The pose of the robot's root link, (4, 4); None if the file does not give it.
        q: Values of joints by name [rad or m].
        matrix: Which pairs may touch; None if the file does not give it.
        padding: By link [m].
        notes: What was read and has no effect, in words.
    """

    file: str
    robot_name: str = ""
    objects: list[SceneObject] = field(default_factory=list)
    frame: str = ""
    frames: dict[str, FloatArray] = field(default_factory=dict)
    X_WB: FloatArray | None = None
    q: dict[str, float] = field(default_factory=dict)
    matrix: AllowedMatrix | None = None
    padding: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def pose_of(position: FloatArray, xyzw: FloatArray) -> FloatArray | str:
    """Return a pose (4, 4), or a sentence if the quaternion is not a rotation; (0, 0, 0, 0) is none, as in MoveIt."""
    X = np.eye(4)
    X[:3, 3] = position
    length = math.hypot(*xyzw.tolist())
    if length == 0.0:
        return X
    if abs(length - 1.0) > _LONGEST:
        values = ", ".join(f"{value:g}" for value in xyzw)
        return f"the quaternion ({values}) has the length {length:g}, and a rotation has 1; export it again"
    X[:3, :3] = from_quaternions(Source("", Options()), xyzw[None], None)[0]
    return X


def primitive_of(kind: str, sizes: list[float], X_OS: FloatArray) -> SceneShape | str:
    """Return a primitive of MoveIt with its sizes (radius before height), or a sentence about a wrong size."""
    try:
        shape = primitive("cylinder" if kind == "cone" else kind, sizes)  # checks the sizes of a cone too
        return SceneShape(_pyramid(*sizes), X_OS, is_cone=True) if kind == "cone" else SceneShape(shape, X_OS)
    except KeepclearError as error:
        return str(error)


def _pyramid(radius: float, height: float) -> Mesh:
    """Return a pyramid around a cone whose apex is at +z, centred.

    The pyramid of the apex and a circumscribed polygon contains the cone; 1e-9 covers the rounding of its corners.
    """
    angles = 2.0 * math.pi * np.arange(CONE_SIDES) / CONE_SIDES
    around, half = radius / math.cos(math.pi / CONE_SIDES) * (1.0 + 1e-9), 0.5 * height * (1.0 + 1e-9)
    ring = np.column_stack([around * np.cos(angles), around * np.sin(angles), np.full(CONE_SIDES, -half)])
    k = np.arange(CONE_SIDES)
    after, apex = (k + 1) % CONE_SIDES, np.full(CONE_SIDES, CONE_SIDES)
    faces = np.concatenate([np.column_stack([k, after, apex]), np.column_stack([after, k, apex + 1])])
    return Mesh(np.concatenate([ring, [[0.0, 0.0, half], [0.0, 0.0, -half]]]), faces)
