"""Planning scenes as parts of a cell file: objects, tools, allowed pairs, margins, and the files that they need."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import NoReturn
from xml.sax.saxutils import quoteattr

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import CellError
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import Size
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.jobs.moveit.scene import CONE_SIDES, AllowedMatrix, PlanningScene, SceneObject, SceneShape
from keepclear.motion.joints.chains import inverse
from keepclear.names import did_you_mean, listed
from keepclear.robot.model import Robot

_SAME = 1e-3  # difference of joint values that is not worth a note [rad or m]
_LONGEST = 200  # characters of a name; a key of YAML has at most 1024


class SceneCell:
    """What a scene adds to a cell file, in YAML.

    Args:
        scene: The scene.
        robot: The robot of the scene.
        name: Its name in the cell.
        stem: How names of mesh files begin.
        at_root: Names of frames that are where the robot's root link is.

    Attributes:
        q: Values of joints by name.
        robot_pose: Keys of the pose of the robot's base, behind a comma; "" for the origin.
        objects: Lines of `objects`.
        only: Names for `only`: the robot and what it holds.
        allowed: Lines of `allowed`.
        margins: Lines of `margins`.
        notes: Sentences for the report.
        srdf: The SRDF file with the pairs of links that the scene allows; "" if it gives none.
        files: Contents of mesh files by name.

    Raises:
        CellError: The scene names a link, joint or frame that is not known, or has names that a cell cannot have.
    """

    def __init__(
        self, scene: PlanningScene, robot: Robot, name: str, stem: str, at_root: Sequence[str] = ()
    ) -> None:
        self.q: Mapping[str, float] = {}
        self.robot_pose = self.srdf = ""
        self.objects: list[str] = []
        self.only, self.notes = [name], list(scene.notes)
        self.allowed: list[str] = []
        self.margins: list[str] = []
        self.files: dict[str, str] = {}
        self._scene, self._robot, self._name, self._stem, self._at_root = scene, robot, name, stem, at_root
        self._names: dict[str, str] = {}
        self._free: set[frozenset[str]] = set()
        self._links: dict[str, FloatArray | None] = {}
        self._place_robot()
        for one in scene.objects:
            self._object(one)
        self._allow_pairs()
        self._keep_padding()

    def _fail(self, text: str) -> NoReturn:
        raise CellError([f"{self._scene.file}: {text}"])

    def _place_robot(self) -> None:
        scene, robot = self._scene, self._robot
        if scene.robot_name and scene.robot_name != robot.name:
            self.notes.append(f"the scene is of robot {scene.robot_name}, and the URDF file of {robot.name}")
        self._check_joints()
        self.q = {joint: scene.q[joint] for joint in robot.joint_names if joint in scene.q}
        root, X_WB = robot.link_names[0], np.eye(4) if scene.X_WB is None else scene.X_WB
        if scene.X_WB is None and scene.frame not in ("", root, *self._at_root):
            self._fail(
                f"it is relative to the frame '{scene.frame}', and does not say where the robot's root link '{root}' "
                "is in it; add robot_state.multi_dof_joint_state, or an SRDF file with a fixed virtual_joint"
            )
        if not scene.frame:
            self.notes.append(
                f"the scene does not name its frame: the robot's root link {root} is at its origin"
            )
        self.robot_pose = pose_keys(X_WB)
        self._links = _link_poses(robot, self.q, X_WB)

    def _check_joints(self) -> None:
        """Refuse joints that the robot does not have; note values of fixed and mimicking ones that it has not."""
        robot, q, tree = self._robot, self._scene.q, self._robot.kinematics
        for joint in (one for one in q if one not in robot.joint_names):
            if joint not in robot.link_joints:
                hint = did_you_mean(joint, robot.joint_names, "give the URDF file of the robot in the scene")
                self._fail(f"robot_state.joint_state: robot {robot.name} has no joint '{joint}'{hint}")
            link = robot.link_joints.index(joint)
            source = tree.joint_names[tree.column[link]] if tree.column[link] >= 0 else ""
            moved = float(tree.multiplier[link] * q.get(source, math.nan) + tree.offset[link])
            if not source:
                self.notes.append(
                    f"the scene has {joint} at {q[joint]:g}, and the URDF file has it as a fixed joint"
                )
            elif abs(moved - q[joint]) > _SAME:
                self.notes.append(
                    f"the scene has {joint} at {q[joint]:g}, and {source} moves it to {moved:g}, which counts"
                )

    def _frame(self, frame: str, where: str) -> FloatArray:
        """Return the pose of a frame in the frame of the scene."""
        at_root = dict.fromkeys(self._at_root, self._links[self._robot.link_names[0]])
        known = at_root | self._scene.frames | self._links | {"": np.eye(4), self._scene.frame: np.eye(4)}
        if frame not in known:
            hint = did_you_mean(frame, [one for one in known if one], "add it to fixed_frame_transforms")
            self._fail(f"{where}: its frame '{frame}' is not a link, nor in fixed_frame_transforms{hint}")
        X = known[frame]
        if X is None:
            advice = "add the joints above it to robot_state.joint_state"
            self._fail(
                f"{where}: its frame is the link '{frame}', and the scene does not say where that is; {advice}"
            )
        return X

    def _link(self, link: str, where: str) -> str:
        if link not in self._robot.link_names:
            hint = did_you_mean(
                link, self._robot.link_names, f"its links are {listed(self._robot.link_names)}"
            )
            self._fail(f"{where}: the robot has no link '{link}'{hint}")
        return f"{self._name}/{link}"

    def _object(self, one: SceneObject) -> None:
        where = f"object '{one.name}'"
        plain = "".join(c if c.isalnum() or c in "_-. " else "_" for c in one.name)
        if len(plain) > _LONGEST:
            self._fail(
                f"object '{plain[:40]}...': its name has {len(plain)} characters; use at most {_LONGEST}"
            )
        if plain in self._names.values() or plain == self._name:
            self._fail(f"{where}: a cell would call it '{plain}', which is taken; rename it")
        self._names[one.name] = plain
        X = one.X_FO
        if one.link:
            self._link(one.link, where)
        if one.frame != one.link:
            X = self._frame(one.frame, where) @ X
            X = inverse(self._frame(one.link, where)) @ X if one.link else X
        if len(one.shapes) == 1:
            X, shape = X @ one.shapes[0].X_OS, self._shape(one.shapes[0], plain, 0)
        else:
            parts = [
                f"{{{self._shape(part, plain, k)}{pose_keys(part.X_OS)}}}"
                for k, part in enumerate(one.shapes)
            ]
            shape = f"parts: [{', '.join(parts)}]"
        place = pose_keys(X)
        if one.link:
            place = f", tool: {{of: {self._name}, link: {quoted(one.link)}{place}}}"
            self.only.append(plain)
            for link in one.touch_links:
                self._allow(
                    self._link(link, f"touch_links of '{one.name}'"), plain, "touch_links of the scene"
                )
        self.objects.append(f"  {quoted(plain)}: {{{shape}{place}}}")

    def _shape(self, part: SceneShape, owner: str, k: int) -> str:
        shape = part.shape
        row = SHAPE_TABLE[shape]
        if row.cell is not None and row.sizes is not None:
            return f"{row.cell.key}: {_sizes_text(shape, row.sizes)}"
        assert isinstance(shape, Mesh)
        file = f"{self._stem}_{file_word(owner)}_{k}.obj"
        if file in self.files:
            self._fail(
                f"object '{owner}': its mesh file would be '{file}', which another has; rename the object"
            )
        if part.is_cone:
            self.notes.append(f"the cone {owner} is checked as a pyramid of {CONE_SIDES} sides around it")
        self.files[file] = obj_text(shape)
        return f"mesh: {quoted(file)}, unit: m"

    def _allow(self, a: str, b: str, reason: str) -> None:
        if frozenset((a, b)) not in self._free:
            self._free.add(frozenset((a, b)))
            self.allowed.append(f"  - {{pair: [{quoted(a)}, {quoted(b)}], reason: {reason}}}")

    def _allow_pairs(self) -> None:
        held = {one.name: one.link for one in self._scene.objects if one.link}
        together = [pair for pair in combinations(self._names, 2) if held.keys() & pair]
        for a, b in together:
            if held.get(a) == held.get(b):
                self._allow(self._names[a], self._names[b], f"both are attached to {quoted(held[a])}")
        matrix = self._scene.matrix
        if matrix is None:
            self.notes.append(
                "the scene has no allowed collision matrix: pairs of links are those of the robot's files"
            )
            return
        links = [link.name for link in self._robot.links if link.elements]
        others = [
            name for name in matrix.names if name not in self._robot.link_names and name not in self._names
        ]
        if others:
            self.notes.append(
                f"the allowed collision matrix has {listed(others)}, which is neither a link nor an object"
            )
        own = list(combinations(links, 2))
        self.srdf = srdf_text(self._robot.name, [pair for pair in own if matrix.allows(*pair)])
        pairs = [*product(links, self._names), *together]
        cell_names = {link: f"{self._name}/{link}" for link in links} | self._names
        for a, b in pairs:
            if matrix.allows(a, b):
                self._allow(cell_names[a], cell_names[b], "allowed collision matrix")
        self._note_disputed(matrix, [*own, *pairs])

    def _note_disputed(self, matrix: AllowedMatrix, pairs: list[tuple[str, str]]) -> None:
        disputed = [f"{a} and {b}" for a, b in pairs if matrix.is_disputed(a, b)]
        if disputed:
            self.notes.append(
                f"the entry and the default of the allowed collision matrix differ for {listed(disputed)}, and "
                "versions of MoveIt use one or the other: these pairs are checked"
            )

    def _keep_padding(self) -> None:
        """Turn the padding of links into margins from other objects; MoveIt does not pad them against each other."""
        padding = {link: size for link, size in self._scene.padding.items() if size > 0.0}
        for link in padding:
            self._link(link, "link_padding")
        padded = {}
        for own in self._robot.links:
            if own.elements and own.name in padding:
                factor = max(SHAPE_TABLE[element.shape].padding for element in own.elements)
                padded[f"{self._name}/{own.name}"] = _margin(padding[own.name], factor)
        for one in self._scene.objects:
            if one.link in padding:
                factor = max(
                    math.sqrt(2.0) if part.is_cone else SHAPE_TABLE[part.shape].padding for part in one.shapes
                )
                padded[self._names[one.name]] = _margin(padding[one.link], factor)
        if not padded:
            return
        self.notes.append(
            "the padding of links is checked as a margin between them, or what they hold, and objects that are not "
            "attached: as large as the padding, times 1.42 for cylinders and 1.74 for boxes, whose corners it moves "
            "farther"
        )
        fixed = [self._names[one.name] for one in self._scene.objects if not one.link]
        for a, b in product(fixed, padded):
            if frozenset((a, b)) not in self._free:
                pair = f"[{quoted(b)}, {quoted(a)}]"
                self.margins.append(f"  - {{pair: {pair}, margin: {number_text(padded[b])}}}")


def _link_poses(robot: Robot, q: Mapping[str, float], X_WB: FloatArray) -> dict[str, FloatArray | None]:
    """Return the poses of links in the frame of the scene; None below joints without a value."""
    tree, known = robot.kinematics, [True] * len(robot.link_names)
    for k, (parent, column) in enumerate(zip(tree.parent.tolist(), tree.column.tolist(), strict=True)):
        known[k] = (parent < 0 or known[parent]) and (column < 0 or tree.joint_names[column] in q)
    zero = dict(zip(robot.joint_names, robot.zero.tolist(), strict=True)) | dict(q)
    poses = robot.link_poses([zero[joint] for joint in robot.joint_names], X_WB)
    return {
        link: np.asarray(X) if is_known else None
        for link, X, is_known in zip(robot.link_names, poses, known, strict=True)
    }


def _sizes_text(shape: Shape, sizes: Mapping[str, Size]) -> str:
    """Return the sizes of a shape as the value of its key: several lengths by their names."""
    texts = []
    for name, size in sizes.items():
        value = getattr(shape, name)
        texts.append(number_text(value) if size.n == 1 else f"[{', '.join(map(number_text, value))}]")
    if len(texts) == 1:
        return texts[0]
    return f"{{{', '.join(f'{name}: {text}' for name, text in zip(sizes, texts, strict=True))}}}"


def _margin(padding: float, factor: float) -> float:
    """Return a margin, rounded up to 0.1 um where it has no plain digits."""
    return padding if factor == 1.0 else (math.floor(padding * factor * 1e7) + 1) / 1e7


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*([-./][A-Za-z0-9_]+)*")


def quoted(text: str) -> str:
    """Return a name for YAML, in quotes unless it is a plain word."""
    is_plain = _WORD.fullmatch(text) and text.lower() not in ("null", "true", "false")
    return text if is_plain else sentence(text)


def sentence(text: str) -> str:
    """Return a text in quotes, on one line."""
    return "'" + " ".join(text.split()).replace("'", "''") + "'"


def file_word(text: str) -> str:
    """Return a part of a file name."""
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in text)[:60]


def number_text(value: float) -> str:
    """Return a number with all digits."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e9 else repr(value)


def pose_keys(X: FloatArray) -> str:
    """Return the keys of a pose, behind a comma; "" for the identity."""
    if not np.array_equal(X[:3, :3], np.eye(3)):
        return f", pose: [{', '.join(_row(row) for row in X[:3])}]"
    return f", position: {_row(X[:3, 3])}" if X[:3, 3].any() else ""


def obj_text(mesh: Mesh) -> str:
    """Return a mesh as the text of an OBJ file, with all digits."""
    rows = [f"v {' '.join(map(repr, row))}" for row in mesh.vertices.tolist()]
    return "\n".join([*rows, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles.tolist()), ""])


def srdf_text(name: str, pairs: list[tuple[str, str]]) -> str:
    """Return the text of an SRDF file that lets pairs of links touch."""
    rows = [
        f'  <disable_collisions link1={quoteattr(a)} link2={quoteattr(b)} reason="scene"/>' for a, b in pairs
    ]
    return "\n".join([f"<robot name={quoteattr(name)}>", *rows, "</robot>", ""])


def _row(values: FloatArray) -> str:
    return f"[{', '.join(number_text(value) for value in (values + 0.0).tolist())}]"
