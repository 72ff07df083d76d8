"""Messages moveit_msgs/PlanningScene: every field is used, is known to change no verdict, or is refused by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import numpy as np

from keepclear.checks import FloatArray, real_number
from keepclear.errors import CellError, KeepclearError
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.jobs.moveit.scene import (
    AllowedMatrix,
    PlanningScene,
    SceneObject,
    SceneShape,
    pose_of,
    primitive_of,
)
from keepclear.names import did_you_mean
from keepclear.tolerances import LARGEST_SIZE

_ADDED = (
    0,
    2,
    "\x00",
    "\x02",
    "AA==",
    "Ag==",
)  # ADD and APPEND, as numbers and as bytes of rosidl and rosbridge
_PRIMITIVES = {
    1: ("box", ("x", "y", "z")), 2: ("sphere", ("radius",)), 3: ("cylinder", ("height", "radius")),
    4: ("cone", ("height", "radius")),
}  # fmt: skip
_SCENE = (
    "name", "robot_state", "robot_model_name", "fixed_frame_transforms", "allowed_collision_matrix", "link_padding",
    "link_scale", "object_colors", "world", "is_diff",
)  # fmt: skip
_OBJECT = (
    "header", "pose", "id", "type", "primitives", "primitive_poses", "meshes", "mesh_poses", "planes", "plane_poses",
    "subframe_names", "subframe_poses", "operation",
)  # fmt: skip
_TRAJECTORY = {"trajectory", "joint_trajectory", "points"}
_ENTRIES = ("entry_names", "entry_values", "default_entry_names", "default_entry_values")
_OCTOMAP = ("header", "binary", "id", "resolution", "data")


def scene_of_message(value: Any, file: str) -> PlanningScene:
    """Return the content of a PlanningScene, of the answer of get_planning_scene, or of a PlanningSceneWorld.

    Raises:
        CellError: A field is wrong, or has a content that a cell cannot have.
    """
    root = Field(value, "", file)
    if isinstance(value, Mapping) and set(value) == {"scene"}:
        root = root["scene"]
    elif isinstance(value, Mapping) and "collision_objects" in value:
        root = Field({"world": value}, "", file)
    if isinstance(value, Mapping) and not _TRAJECTORY.isdisjoint(value):
        root.fail(
            "it is a trajectory, not a planning scene; give it after the URDF file: keepclear init URDF MOTION"
        )
    fields = root.message(*_SCENE)
    if not any(fields[key].is_given for key in ("world", "robot_state", "allowed_collision_matrix")):
        root.fail("it is not a moveit_msgs/PlanningScene: it has no world; export it from MoveIt")
    state = fields["robot_state"].message(
        "joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff"
    )
    for diff in (fields["is_diff"], state["is_diff"]):
        if diff.flag():
            diff.fail(
                "this is a change of another scene, whose content is not in the file; store the whole scene "
                "(service get_planning_scene), or set it to false if everything is here"
            )
    found = PlanningScene(file, fields["robot_model_name"].text())
    _read_state(found, state)
    _read_frames(found, fields["fixed_frame_transforms"])
    for one in state["attached_collision_objects"].items():
        found.objects.append(_attached(found, one))
    world = fields["world"].message("collision_objects", "octomap")
    for one in world["collision_objects"].items():
        found.objects.append(_object(found, one))
    _refuse_octomap(world["octomap"])
    found.matrix = _matrix(fields["allowed_collision_matrix"])
    _read_padding(found, fields)
    return found


def _read_state(found: PlanningScene, state: Field) -> None:
    joints = state["joint_state"].message("header", "name", "position", "velocity", "effort")
    names, values = [one.name() for one in joints["name"].items()], joints["position"].items()
    if len(names) != len(values):
        joints.fail(f"it has {len(names)} names and {len(values)} positions; give one for each")
    for name, value in zip(names, values, strict=True):
        if name in found.q:
            value.fail(f"joint '{name}' has two values; keep one of them")
        found.q[name] = value.number()
    _set_frame(found, joints["header"])
    other = state["multi_dof_joint_state"].message("header", "joint_names", "transforms", "twist", "wrench")
    more, poses = other["joint_names"].items(), other["transforms"].items()
    if len(more) > 1 or len(more) != len(poses):
        text = f"it has {len(more)} joint_names and {len(poses)} transforms"
        other.fail(f"{text}, and one joint with a pose, of the robot's base, is read")
    if more:
        found.X_WB = poses[0].transform()
        _set_frame(found, other["header"])


def _set_frame(found: PlanningScene, header: Field) -> None:
    """Keep the name of the scene's frame, which is the same wherever MoveIt writes it."""
    frame = header.frame()
    if frame and found.frame not in ("", frame):
        header["frame_id"].fail(
            f"it is '{frame}', and elsewhere the frame of the scene is '{found.frame}'; export it again"
        )
    found.frame = frame or found.frame


def _read_frames(found: PlanningScene, transforms: Field) -> None:
    """Read poses of frames; MoveIt writes a frame as header.frame_id, and the frame of the scene as child_frame_id."""
    fixed: dict[str, FloatArray] = {}
    target = ""
    for one in transforms.items():
        fields = one.message("header", "child_frame_id", "transform")
        child, frame = fields["child_frame_id"].name().removeprefix("/"), fields["header"].frame()
        if not frame:
            fields["header"]["frame_id"].fail("it is missing or empty; name the frame that is placed")
        target = target or child
        if child != (found.frame or target):
            fields["child_frame_id"].fail(
                f"it is '{child}', but MoveIt has the frame of the scene here, '{found.frame or target}', and the "
                "frame that is placed in header.frame_id; exchange them"
            )
        if frame in fixed:
            fields["header"]["frame_id"].fail(f"the frame '{frame}' is placed twice; keep one of them")
        fixed[frame] = fields["transform"].transform()
    if target and not found.frame and not np.array_equal(fixed.get(target, 0), np.eye(4)):
        transforms.fail(
            "without a transform of the frame of the scene to itself, which MoveIt writes, it is not clear which frame "
            "that is; add robot_state.joint_state.header.frame_id"
        )
    found.frame = found.frame or target
    found.frames = fixed


def _attached(found: PlanningScene, item: Field) -> SceneObject:
    fields = item.message("link_name", "object", "touch_links", "detach_posture", "weight")
    held = _object(found, fields["object"])
    touch = tuple(one.name() for one in fields["touch_links"].items())
    return SceneObject(held.name, held.frame, held.X_FO, held.shapes, fields["link_name"].name(), touch)


def _object(found: PlanningScene, item: Field) -> SceneObject:
    fields = item.message(*_OBJECT)
    name = fields["id"].name()
    if any(one.name == name for one in found.objects):
        fields["id"].fail(f"there are two objects '{name}'; keep one of them, or rename it")
    operation = fields["operation"]
    if operation.is_given and (isinstance(operation.value, bool) or operation.value not in _ADDED):
        operation.fail(
            f"it is {operation.shown}, and objects must be added (0); leave out changes of other objects"
        )
    for key in ("planes", "plane_poses"):
        if fields[key].items():
            fields[key].fail(f"'{name}' has an infinite plane, which is not read; give a large box instead")
    shapes = [_primitive(one, X_OS) for one, X_OS in _placed(fields, "primitives", "primitive_poses")]
    shapes += [_mesh(one, X_OS) for one, X_OS in _placed(fields, "meshes", "mesh_poses")]
    if not shapes:
        item.fail(f"'{name}' has no primitives and no meshes; remove it, or give its shape")
    if frames := [one.text() for one in fields["subframe_names"].items()]:
        found.notes.append(f"the subframes {', '.join(frames)} of {name} are not used")
    frame = fields["header"].frame()
    if not frame:
        fields["header"]["frame_id"].fail("it is missing or empty; name the frame of the object's pose")
    return SceneObject(name, frame, fields["pose"].pose(), tuple(shapes))


def _placed(fields: Field, shapes: str, poses: str) -> list[tuple[Field, FloatArray]]:
    """Return shapes with their poses; without any poses all of them are at the pose of the object, as in MoveIt."""
    given, placed = fields[shapes].items(), fields[poses].items()
    if placed and len(placed) != len(given):
        fields[poses].fail(f"it has {len(placed)} poses for {len(given)} {shapes}; give one for each")
    X = [one.pose() for one in placed] or [np.eye(4)] * len(given)
    return list(zip(given, X, strict=True))


def _primitive(item: Field, X_OS: FloatArray) -> SceneShape:
    fields = item.message("type", "dimensions", "polygon")
    kind, dimensions = fields["type"], fields["dimensions"]
    if type(kind.value) is not int or kind.value not in _PRIMITIVES:
        kind.fail(f"expected 1 (box), 2 (sphere), 3 (cylinder) or 4 (cone), but it is {kind.shown}")
    name, meaning = _PRIMITIVES[kind.value]
    sizes = [one.number() for one in dimensions.items()]
    if len(sizes) != len(meaning):
        dimensions.fail(f"a {name} has {', '.join(meaning)}, but there are {len(sizes)} numbers")
    found = primitive_of(name, sizes[::-1] if len(meaning) == 2 else sizes, X_OS)
    return dimensions.fail(found) if isinstance(found, str) else found


def _mesh(item: Field, X_OS: FloatArray) -> SceneShape:
    fields = item.message("triangles", "vertices")
    points = [one.point() for one in fields["vertices"].items()]
    faces = []
    for triangle in fields["triangles"].items():
        indices = triangle.message("vertex_indices")["vertex_indices"]
        face = [one.value for one in indices.items()]
        if len(face) != 3 or not all(type(i) is int and 0 <= i < len(points) for i in face):
            indices.fail(
                f"expected three numbers of vertices, 0 to {len(points) - 1}, but it is {indices.shown}"
            )
        faces.append(face)
    if not faces:
        item.fail(f"the mesh has {len(points)} vertices and no triangles; remove it, or give them")
    try:
        return SceneShape(Mesh(np.array(points), np.array(faces, np.int64)), X_OS)
    except KeepclearError as error:
        item.fail(str(error))


def _matrix(item: Field) -> AllowedMatrix | None:
    fields = item.message(*_ENTRIES)
    names, rows = [one.text() for one in fields["entry_names"].items()], fields["entry_values"].items()
    if len(names) != len(rows):
        item.fail(f"it has {len(names)} entry_names and {len(rows)} entry_values; give one for each")
    entries: dict[tuple[str, str], bool] = {}
    for name, row in zip(names, rows, strict=True):
        flags = [one.flag() for one in row.message("enabled")["enabled"].items()]
        if len(flags) != len(names):
            row.fail(f"it has {len(flags)} values for {len(names)} names; give one for each")
        for other, flag in zip(names, flags, strict=True):
            if entries.setdefault((other, name), flag) != flag:
                row.fail(f"'{name}' and '{other}' have different values in the two orders; make them equal")
            entries[name, other] = flag
    others = [one.text() for one in fields["default_entry_names"].items()]
    values = [one.flag() for one in fields["default_entry_values"].items()]
    if len(others) != len(values):
        item.fail(f"it has {len(others)} default_entry_names and {len(values)} values; give one for each")
    defaults = dict(zip(others, values, strict=True))
    if len(defaults) < len(others):
        fields["default_entry_names"].fail("it has a name twice; keep one of them")
    return AllowedMatrix(entries, defaults) if names or others else None


def _read_padding(found: PlanningScene, fields: Field) -> None:
    for item in fields["link_padding"].items():
        one = item.message("link_name", "padding")
        name, padding = one["link_name"].name(), one["padding"].number()
        if padding < 0.0:
            one["padding"].fail(f"a padding of {padding:g} m shrinks the link; use 0 or more")
        if found.padding.setdefault(name, padding) != padding:
            one["link_name"].fail(f"link '{name}' has two paddings; keep one of them")
    for item in fields["link_scale"].items():
        one = item.message("link_name", "scale")
        name, scale = one["link_name"].name(), one["scale"].number()
        if scale != 1.0:
            one["scale"].fail(f"link '{name}' is scaled by {scale:g}, and only 1 is read; use link_padding")


def _refuse_octomap(octomap: Field) -> None:
    data = octomap.message("header", "origin", "octomap")["octomap"].message(*_OCTOMAP)["data"]
    if data.is_given and data.value != []:
        octomap.fail(
            "an octomap is not read, and leaving it out would hide obstacles; remove it if its cells do not matter, or "
            "give them as boxes"
        )


_ABSENT: Final = object()
_HEADER = ("seq", "stamp", "frame_id")


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A value of a message.

    Attributes:
        value: As YAML or JSON have it.
        path: Its path in the message, such as "world.collision_objects[0].id"; "" for the message itself.
        file: The file as the user names it.
    """

    value: Any
    path: str
    file: str

    @property
    def is_given(self) -> bool:
        """Whether the message has this field."""
        return self.value is not _ABSENT

    def __getitem__(self, key: str) -> Field:
        """Return a field of this message, which may be absent."""
        found = self.value.get(key, _ABSENT) if isinstance(self.value, Mapping) else _ABSENT
        return Field(found, f"{self.path}.{key}".lstrip("."), self.file)

    def fail(self, text: str) -> NoReturn:
        """Raise an error about this field."""
        raise CellError([": ".join(filter(None, (self.file, self.path, text)))])

    def message(self, *names: str) -> Field:
        """Return this message, an empty one if it is absent; a field of another name is an error."""
        if not self.is_given:
            return Field({}, self.path, self.file)
        if not isinstance(self.value, Mapping):
            self.fail(f"expected fields and values, but it is {self.shown}")
        for key in self.value:
            if key not in names:
                hint = did_you_mean(str(key)[:40], names, f"this message has {', '.join(names)}")
                self[str(key)].fail(f"this field is unknown{hint}")
        return self

    def items(self) -> list[Field]:
        """Return the items of a list, none if it is absent."""
        if not self.is_given:
            return []
        if not isinstance(self.value, list):
            self.fail(f"expected a list, but it is {self.shown}")
        return [Field(one, f"{self.path}[{k}]", self.file) for k, one in enumerate(self.value)]

    def text(self) -> str:
        """Return a text, "" if it is absent; `ros2 topic echo` writes some names as numbers, without quotes."""
        if not self.is_given:
            return ""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            self.fail(f"expected a text, but it is {self.shown}")
        return str(self.value)

    def name(self) -> str:
        """Return a text that is not empty."""
        found = self.text().strip()
        if not found:
            self.fail("it is missing or empty; give a name")
        return found

    def flag(self) -> bool:
        """Return true or false; false if it is absent."""
        if self.is_given and (not isinstance(self.value, bool | int) or self.value not in (0, 1)):
            self.fail(f"expected true or false, but it is {self.shown}")
        return self.is_given and bool(self.value)

    def number(self) -> float:
        """Return a finite number of a possible size."""
        found = real_number(self.value)
        if found is None or not math.isfinite(found):
            is_cut = isinstance(self.value, str) and "..." in self.value
            hint = "; echo the message with --full-length" if is_cut else ""
            self.fail(f"expected a number, but it is {self.shown}{hint}")
        if abs(found) > LARGEST_SIZE:
            self.fail(f"{found:g} is beyond {LARGEST_SIZE:g}; lengths are in metres, angles in radians")
        return found

    def point(self) -> FloatArray:
        """Return x, y and z."""
        fields = self.message("x", "y", "z")
        return np.array([fields[key].number() for key in "xyz"])

    def pose(self) -> FloatArray:
        """Return a geometry_msgs/Pose, (4, 4); the identity if it is absent."""
        return self._placed("position", "orientation")

    def transform(self) -> FloatArray:
        """Return a geometry_msgs/Transform, (4, 4); the identity if it is absent."""
        return self._placed("translation", "rotation")

    def frame(self) -> str:
        """Return the frame_id of a header, without a leading slash; "" if it is absent."""
        return self.message(*_HEADER)["frame_id"].text().removeprefix("/")

    @property
    def shown(self) -> str:
        """The beginning of the value, for messages."""
        return (
            "missing"
            if not self.is_given
            else repr(self.value if not isinstance(self.value, str) else self.value[:40])[:60]
        )

    def _placed(self, position: str, rotation: str) -> FloatArray:
        fields = self.message(position, rotation)
        p = fields[position].point() if fields[position].is_given else np.zeros(3)
        xyzw = np.array([0.0, 0.0, 0.0, 1.0])
        if fields[rotation].is_given:
            given = fields[rotation].message("x", "y", "z", "w")
            xyzw = np.array([given[key].number() for key in "xyzw"])
        X = pose_of(p, xyzw)
        return fields[rotation].fail(X) if isinstance(X, str) else X
