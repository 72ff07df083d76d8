"""Objects of a cell from its file: shapes, robots, poses and motions."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError, UnitMistake, UnitWarning
from keepclear.files.yaml import Document, Place
from keepclear.geometry.mesh_files.reading import DEFAULT_TOLERANCE, STEP_FILES, read_mesh
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import shape_of_sizes
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import cell_keys
from keepclear.jobs.motion_files.reading import missing_file
from keepclear.jobs.motion_files.samples import ROTATIONS, Joints, Options, Source, check_rotations, rotations
from keepclear.names import counted, did_you_mean, listed, reworded_keywords
from keepclear.report.parts import Assumption
from keepclear.robot.model import Robot
from keepclear.robot.readers.urdf import read_robot

if TYPE_CHECKING:
    from keepclear.jobs.cell import models

T = TypeVar("T")
POSE_KEYS = ("position", *ROTATIONS, "pose")
UNITLESS = (".stl", ".obj", ".ply", ".off")
PYTHON_KEYS = ("hold", "interpolation", "package_dirs", "scale", "solid", "unit")
"""Keys of an object that arguments of the same name in Python mean."""


@dataclass(frozen=True, slots=True, eq=False)
class CellObject:
    """An object of a cell, built, without its motions.

    Attributes:
        name: Its name in the cell.
        shapes: Its shapes and their poses in its frame; none for a robot.
        robot: None for everything else.
        X_W: Its pose at rest, or the pose of the robot's base, (4, 4).
        q: The joint values of the robot at rest; None if the cell does not give all of them.
        rest: The joint values at rest that the cell gives.
        X_LA: Of a tool: its pose relative to the link, (4, 4); None for everything else.
        assumptions: Assumptions about values that the file does not give.
        warnings: Warnings for the user.
    """

    name: str
    shapes: tuple[tuple[Shape, FloatArray], ...]
    robot: Robot | None
    X_W: FloatArray
    q: FloatArray | None = None
    rest: dict[str, float] = field(default_factory=dict)
    X_LA: FloatArray | None = None
    assumptions: tuple[Assumption, ...] = ()
    warnings: tuple[str, ...] = ()


def plain(error: Exception, path: Path | None = None, shown: str = "") -> str:
    """Return the message of an error as part of a sentence, with files and settings as in the cell."""
    text = " ".join(str(error).split()).rstrip(".")
    text = reworded_keywords(text, _key, "write").removeprefix("read_mesh: ")
    return text if path is None else text.replace(os.fspath(path), shown)


def _key(name: str, value: str) -> str | None:
    """Return an argument of Python as the key of a cell that means the same; None if there is none."""
    return f"{name}: {value}".rstrip() if name in PYTHON_KEYS else None


class Builder:
    """Builds the objects of a cell; errors are added to its document.

    Args:
        document: The cell file.
        folder: The folder of relative paths.
        robots: Robots of cells that were read before.
    """

    def __init__(self, document: Document, folder: Path, robots: KnownRobots | None = None) -> None:
        self._document = document
        self._folder = folder
        self._robots = KnownRobots() if robots is None else robots
        self._read: dict[tuple[Any, ...], Any] = {}
        self.files: dict[Path, None] = {}

    def path(self, name: str) -> Path:
        """Return the path of a file that the cell names, and record it."""
        path = self._folder / Path(name).expanduser()
        self.files[path] = None
        return path

    def object(self, name: str, spec: models.ObjectModel) -> CellObject | None:
        """Return an object; None if it has an error."""
        place: Place = ("objects", name)
        notes: list[Assumption] = []
        texts: list[str] = []
        X_W = self.pose(place, spec, texts)
        if spec.robot is not None:
            return self._robot(name, place, spec, X_W, texts)
        parts: list[tuple[Shape | None, FloatArray | None]]
        if spec.parts is None:
            parts = [(self._shape(name, place, spec, notes, texts), np.eye(4))]
        else:
            parts = [
                (
                    self._shape(name, (*place, "parts", k), part, notes, texts),
                    self.pose((*place, "parts", k), part, texts),
                )
                for k, part in enumerate(spec.parts)
            ]
        shapes = tuple((shape, X) for shape, X in parts if shape is not None and X is not None)
        X_LA = None if spec.tool is None else self.pose((*place, "tool"), spec.tool, texts)
        if X_W is None or len(shapes) < len(parts) or (spec.tool is not None and X_LA is None):
            return None
        return CellObject(name, shapes, None, X_W, X_LA=X_LA, assumptions=tuple(notes), warnings=tuple(texts))

    def pose(self, place: Place, spec: models.PoseModel, texts: list[str]) -> FloatArray | None:
        """Return a pose (4, 4); None if its rotation is invalid."""
        source = Source("", Options())
        X, key = pose_of(spec, source)
        texts += [f"{place[1]}: {text}" for text in source.warnings]
        for text in source.problems:
            self._document.add((*place, key), text.removeprefix("sample 1: "))
        return None if source.problems else X

    def _shape(
        self, name: str, place: Place, spec: models.ShapeModel, notes: list[Assumption], texts: list[str]
    ) -> Shape | None:
        """Return one shape; None if it is invalid."""
        for key, (cls, row, _) in cell_keys().items():
            given = getattr(spec, key)
            if given is None:
                continue
            if row.sizes is None:
                return self._mesh(name, place, spec, notes, texts)
            if isinstance(given, int | float):
                given = [given]
            numbers = given if isinstance(given, list) else [getattr(given, size) for size in row.sizes]
            return self._made((*place, key), partial(shape_of_sizes, cls, row.sizes, numbers))
        return None

    def _made(
        self, place: Place, make: Callable[[], T], path: Path | None = None, shown: str = ""
    ) -> T | None:
        """Return the result of a function; None, with an error recorded, if it fails."""
        try:
            return make()
        except KeepclearError as error:
            self._document.add(place, plain(error, path, shown))
            return None

    def _mesh(
        self, name: str, place: Place, spec: models.ShapeModel, notes: list[Assumption], texts: list[str]
    ) -> Mesh | None:
        shown = str(spec.mesh)
        path = self.path(shown)
        place = (*place, "mesh")
        if (absent := missing_file(path, shown, "mesh file")) is not None:
            self._document.add(place, absent)
            return None
        if spec.tessellation is not None and path.suffix.lower() not in STEP_FILES:
            text = f"only a STEP file has 'tessellation', and {shown} is not one; remove it"
            self._document.add((*place[:-1], "tessellation"), text, key=True)
            return None
        tolerance = DEFAULT_TOLERANCE if spec.tessellation is None else spec.tessellation
        key = (path, spec.unit, spec.scale, spec.solid, tolerance)
        if key not in self._read:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UnitWarning)
                mesh = self._made(
                    place,
                    lambda: read_mesh(
                        path, spec.unit, scale=spec.scale or 1.0, solid=spec.solid, tolerance=tolerance
                    ),
                    path,
                    shown,
                )
            units = [plain(w.message, path, shown) for w in caught if isinstance(w.message, UnitWarning)]
            self._read[key] = mesh, units
        mesh, units = self._read[key]
        texts += [UnitMistake(f"{name}: {text}") for text in units]
        if spec.unit is None and path.suffix.lower() in UNITLESS:
            text = f"{shown} has no unit, and the cell gives none; its numbers are taken as metres"
            notes.append(Assumption(kind="unit", subject=name, text=text))
        return mesh  # type: ignore[no-any-return]

    def _robot(
        self, name: str, place: Place, spec: models.ObjectModel, X_W: FloatArray | None, texts: list[str]
    ) -> CellObject | None:
        robot = self._read_robot(place, spec)
        if robot is None:
            return None
        rest = self._rest(place, spec, robot)
        if X_W is None or rest is None:
            return None
        q = np.array([rest[joint] for joint in robot.joint_names]) if len(rest) == robot.dof else None
        return CellObject(name, (), robot, X_W, q, rest, warnings=tuple(texts))

    def _read_robot(self, place: Place, spec: models.ObjectModel) -> Robot | None:
        shown, path = str(spec.robot), self.path(str(spec.robot))
        srdf = None if spec.srdf is None else self.path(spec.srdf)
        absent = missing_file(path, shown, "URDF file")
        if absent is not None:
            self._document.add((*place, "robot"), absent)
        if srdf is not None and (none := missing_file(srdf, str(spec.srdf), "SRDF file")) is not None:
            self._document.add((*place, "srdf"), none)
            srdf = None
        folders = [self._folder / Path(folder).expanduser() for folder in spec.package_dirs or ()]
        for k, folder in enumerate(folders):
            if not folder.is_dir():
                text = f"there is no folder '{(spec.package_dirs or ())[k]}'; check the path"
                self._document.add((*place, "package_dirs", k), text)
        if absent is not None:
            return None
        folders = [folder for folder in folders if folder.is_dir()]
        key = (path, srdf, *folders)
        if key not in self._read:
            self._read[key] = None
            try:
                self._read[key] = self._robots.read(path, srdf, folders)
            except KeepclearError as error:
                about_srdf = srdf is not None and os.fspath(srdf) in str(error)
                text = plain(error, path, shown)
                text = text if srdf is None else text.replace(os.fspath(srdf), str(spec.srdf))
                self._document.add((*place, "srdf" if about_srdf else "robot"), text)
        if self._read[key] is not None:
            elements = [element for link in self._read[key].links for element in link.elements]
            self.files |= dict.fromkeys(Path(one.source) for one in elements if isinstance(one.shape, Mesh))
        return self._read[key]  # type: ignore[no-any-return]

    def _rest(self, place: Place, spec: models.ObjectModel, robot: Robot) -> dict[str, float] | None:
        """Return the joint values at rest that the cell gives; None if they are invalid."""
        rest: dict[str, float] = {}
        n_before = len(self._document.mistakes)
        if spec.state is not None:
            try:
                rest = dict(zip(robot.joint_names, robot.state(spec.state).tolist(), strict=True))
            except KeepclearError as error:
                self._document.add((*place, "state"), plain(error))
        key = "q_deg" if spec.q_deg is not None else "q"
        given = getattr(spec, key)
        if isinstance(given, list):
            if len(given) != robot.dof:
                names = listed(robot.joint_names)
                text = f"it has {counted(len(given), 'value')} for {counted(robot.dof, 'joint')}: {names}"
                self._document.add((*place, key), text)
            given = dict(zip(robot.joint_names, given, strict=False))
        joints = joints_of(robot, {})
        for joint, value in (given or {}).items():
            if joint not in robot.joint_names:
                hint = did_you_mean(joint, robot.joint_names, f"its joints are {listed(robot.joint_names)}")
                self._document.add((*place, key, joint), f"the robot has no joint '{joint}'{hint}", key=True)
            else:
                is_degrees = key == "q_deg" and joints.measure(joint) == "angle"
                rest[joint] = float(np.radians(value)) if is_degrees else float(value)
        return rest if len(self._document.mistakes) == n_before else None


def has_pose(spec: models.PoseModel) -> bool:
    """Return whether any key of a pose is given."""
    return any(getattr(spec, key) is not None for key in POSE_KEYS)


def pose_of(spec: models.PoseModel, source: Source) -> tuple[FloatArray, str]:
    """Return a pose (4, 4) and the key of its rotation; what is wrong with it is added to the source."""
    X, key = np.eye(4), next((key for key in ROTATIONS if getattr(spec, key) is not None), "pose")
    if spec.pose is not None:
        X[: len(spec.pose)] = spec.pose
        X = check_rotations(source, X[None], None)[0]
    elif spec.position is not None:
        X[:3, 3] = spec.position
    if key != "pose":
        X[:3, :3] = rotations(source, key, np.array([getattr(spec, key)]))[0]
    return X, key


def joints_of(robot: Robot, rest: dict[str, float]) -> Joints:
    """Return the joints of a robot in the form for readers of motion files."""
    return Joints(robot.joint_names, tuple(robot.kinematics.turns.tolist()), rest)


class KnownRobots:
    """Robots by their files; each is read once, as it is when it is first needed."""

    def __init__(self) -> None:
        self._robots: dict[tuple[Path | None, ...], Robot] = {}

    def read(self, path: Path, srdf: Path | None, package_dirs: Sequence[Path]) -> Robot:
        """Return the robot of a URDF file, as `kc.read_robot` does.

        Cells spell one path in several ways, relative to their own folders. The folder is resolved and the name of the
        file is not, because meshes are searched beside a link and not beside its target. `Robot.source` is the path as
        the first of these cells spells it.
        """
        files = [None if file is None else file.parent.resolve() / file.name for file in (path, srdf)]
        key = (*files, *(folder.resolve() for folder in package_dirs))
        if key not in self._robots:
            self._robots[key] = read_robot(path, srdf, package_dirs)
        return self._robots[key]
