"""The first cell file for a robot: commented, complete, and ready to be verified."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from keepclear.errors import ArgumentError, CellError, FileMissingError
from keepclear.files.access import write_named_file
from keepclear.geometry.shapes.table import cell_keys
from keepclear.jobs.cell.building import joints_of
from keepclear.jobs.motion_files.reading import missing_file, read_joint_file
from keepclear.jobs.motion_files.samples import Failed, Options, Source
from keepclear.jobs.moveit.cell_parts import SceneCell, quoted, sentence
from keepclear.jobs.moveit.reader import read_planning_scene
from keepclear.names import counted, listed
from keepclear.robot.model import Robot
from keepclear.robot.readers.srdf import frames_of_root
from keepclear.robot.readers.urdf import read_robot

__all__ = ["SCHEMA_FILE", "schema_text", "write_template"]


_PLAIN = re.compile(r"(\.\./)*[A-Za-z_]([\w\-./ ]*[\w/])?")
_Path = str | os.PathLike[str]


def write_template(
    urdf: _Path,
    motion: _Path | None = None,
    path: _Path = "cell.yaml",
    *,
    srdf: _Path | None = None,
    package_dirs: Sequence[_Path] = (),
    scene: _Path | None = None,
    overwrite: bool = False,
) -> str:
    """Write a commented cell file for a robot and its program, with the schema for editors beside it; return its text.

    Args:
        urdf: The URDF file of the robot.
        motion: A file with a program of the robot: CSV, NPZ, JSON or YAML; None: the robot rests.
        path: The cell file; names of files in it are relative to its folder, and so is that of the schema.
        srdf: The SRDF file; None: the one beside the URDF file with the same name, if it exists.
        package_dirs: Folders with the packages of package:// names in the URDF file.
        scene: A planning scene of MoveIt, as YAML, JSON or a .scene file: its objects, attached objects, allowed pairs,
            padding and joint values are written into the cell, its meshes and pairs of links into files beside it.
        overwrite: Whether an existing file may be replaced; a schema that is there already stays otherwise.

    Raises:
        ArgumentError: The cell file, or a file beside it that a scene needs, exists.
        RobotError: The robot cannot be read.
        CellError: The planning scene has an error.
        FileMissingError: A file is not there.
    """
    file = Path(path)
    if file.exists() and not overwrite:
        raise ArgumentError(f"'{file}' exists; choose another name, or remove it first.")
    template = _Template(urdf, motion, file.parent, srdf, package_dirs)
    text, files = (template.plain(), {}) if scene is None else template.of_scene(Path(scene), file.stem)
    for name in files:
        if (file.parent / name).exists() and not overwrite:
            raise ArgumentError(
                f"'{file.parent / name}' exists; overwrite it (--force, overwrite=True), or choose another cell file."
            )
    for name, content in files.items():
        _write(file.parent / name, content)
    _write(file, text)
    schema = file.with_name(SCHEMA_FILE.name)
    if overwrite or not schema.exists():
        _write(schema, SCHEMA_FILE.read_text(encoding="utf-8"))
    return text


def _write(file: Path, text: str) -> None:
    write_named_file(file, text.encode(), f"'{file}'", ArgumentError)


class _Template:
    """What is known of a cell before it is written: its robot, and the files that it names."""

    def __init__(
        self, urdf: _Path, motion: _Path | None, folder: Path, srdf: _Path | None, packages: Sequence[_Path]
    ) -> None:
        beside = Path(urdf).with_suffix(".srdf")
        self._srdf = Path(srdf) if srdf is not None else beside if beside.is_file() else None
        self._robot = read_robot(urdf, self._srdf, package_dirs=list(packages))
        self._name = _name_of(self._robot)
        self._folder, self._motion = folder, None if motion is None else Path(motion)
        shapes = sum(len(link.elements) for link in self._robot.links)
        counts = (
            counted(self._robot.dof, "joint"),
            counted(len(self._robot.links), "link"),
            counted(shapes, "shape"),
        )
        self._first = [
            f"title: {_quoted(f'Cell of {self._robot.name}')}",
            "tolerance: 0.0005 # this close to its margin, a pair may get either verdict",
        ]
        self._head = [f"  {self._name}:", f"    robot: {self._relative(urdf)} # {', '.join(counts)}"]
        names = ", ".join(map(self._relative, packages))
        self._packages = [f"    package_dirs: [{names}]"] if names else []

    def plain(self) -> str:
        """Return a commented cell file for the robot and its program."""
        lines = [
            f"# yaml-language-server: $schema={SCHEMA_FILE.name}",
            "# A cell for keepclear: `keepclear verify` checks it, `keepclear view` shows it while you write.",
            "# Lengths are metres, angles radians, times seconds. Names of files are relative to this one.",
            "",
            *self._first,
            "# interval: [0, 8] # default: from the first to the last time of the motions",
            "# far: 0.1 # pairs that stay farther apart are reported as 'more than 0.1 m'",
            "# method: hybrid # or bisection, exact, bisect_exact: for what boxes and hulls leave open",
            "",
            "objects:",
            *self._robot_lines(),
            "",
            f"  # Other objects: {', '.join(cell_keys())}, or several of them as parts.",
            "  # table: {box: [1.2, 0.8, 0.05], position: [0, 0, -0.025], rpy_deg: [0, 0, 0]}",
            "  # post: {capsule: {radius: 0.05, length: 1.0}, position: [0.6, 0.4, 0.5]}",
            "  # part: {mesh: part.stl, unit: mm, motion: part_poses.csv} # CSV: time,x,y,z,qx,qy,qz,qw",
            "  # A tool, with its pose relative to the link that it is mounted on, at all times:",
            f"  # gripper: {{mesh: gripper.stl, unit: mm, tool: {{of: {self._name}, "
            f"link: {self._robot.link_names[-1]}, position: [0, 0, 0.1]}}}}",
            "",
            *_rule_lines(self._robot, self._name),
        ]
        return "\n".join(lines) + "\n"

    def of_scene(self, scene: Path, stem: str) -> tuple[str, dict[str, str]]:
        """Return a cell file with the content of a planning scene, and the files that it needs beside it."""
        robot, srdf = self._robot, self._srdf
        at_root = () if srdf is None else frames_of_root(robot, srdf)
        found = SceneCell(read_planning_scene(scene), robot, self._name, stem, at_root)
        if self._motion is None and 0 < len(found.q) < robot.dof:
            missing = listed([joint for joint in robot.joint_names if joint not in found.q])
            raise CellError(
                [f"{scene}: robot_state.joint_state has no value of {missing}; add it, or give a motion"]
            )
        own_srdf, files = f"{stem}_scene.srdf", dict(found.files)
        if found.srdf:
            files[own_srdf] = found.srdf
        pairs = quoted(own_srdf) if found.srdf else None if srdf is None else self._relative(srdf)
        values = ", ".join(f"{quoted(joint)}: {value!r}" for joint, value in found.q.items())
        lines = [
            f"# yaml-language-server: $schema={SCHEMA_FILE.name}",
            "# A cell for keepclear, made by `keepclear init`. Lengths are metres, angles radians, times seconds.",
            *self._first,
            "notes: # for the assumptions of the report",
            f"  - {sentence(f'objects and rules are from the planning scene {scene.name}')}",
            *(f"  - {sentence(text)}" for text in found.notes),
            "",
            "objects:",
            *self._head,
            *([] if pairs is None else [f"    srdf: {pairs} # links that may touch each other"]),
            *self._packages,
            *([f"    q: {{{values}}} # as in the scene"] if values else []),
            *([f"    {found.robot_pose.removeprefix(', ')} # of its base"] if found.robot_pose else []),
            *self._motion_lines(found.q),
            *found.objects,
            *_scene_rules(found),
        ]
        return "\n".join(lines) + "\n", files

    def _robot_lines(self) -> list[str]:
        robot, joints = self._robot, joints_of(self._robot, {})
        kinds = {True: "rad", False: "m"}
        header = listed(
            [f"{joint} [{kinds[turns]}]" for joint, turns in zip(joints.names, joints.is_angle, strict=True)]
        )
        srdf = "# srdf: arm.srdf # links that may touch each other; without it neighbours may"
        if self._srdf is not None:
            srdf = f"srdf: {self._relative(self._srdf)} # links that may touch each other, and named states"
        lines = [*self._head, f"    {srdf}", *self._packages, f"    # joints: {header}"]
        if self._motion is not None:
            file = self._relative(self._motion)
            lines += [*self._motion_lines({}), "    # With other options:"]
        else:
            file, some = "program.csv", ",".join(robot.joint_names[:2])
            lines += [
                f"    q: [{', '.join(f'{value:.6g}' for value in robot.zero)}] # joint values at rest",
                f"    # motion: {file} # a table with the header time,{some}{',...' if robot.dof > 2 else ''}",
            ]
        lines.append(f"    # motion: {{file: {file}, units: {{angle: deg, time: s}}, interpolation: linear}}")
        if robot.states:
            lines.append(
                f"    # state: {_quoted(next(iter(robot.states)))} # a named state of the SRDF to rest in"
            )
        return [
            *lines,
            "    position: [0, 0, 0] # of its base",
            "    rpy_deg: [0, 0, 0] # rotations about x, then y, then z",
            "    # path_tolerance: {distance: 0.001, time: 0.01} # of its controller: a margin that grows with speed",
        ]

    def _motion_lines(self, rest: Mapping[str, float]) -> list[str]:
        """Return the line that names the motion file, with its errors as comments; no line without a motion."""
        path = self._motion
        if path is None:
            return []
        if (absent := missing_file(path, os.fspath(path), "motion file")) is not None:
            raise FileMissingError(absent if absent.endswith("?") else f"{absent}.")
        shown, problems = self._relative(path), _problems(self._robot, path, Options(), rest)
        if not problems:
            return [f"    motion: {shown}"]
        if not _problems(self._robot, path, Options(dt=0.1), rest):
            return [
                f"    motion: {{file: {shown}, dt: 0.1}} # the file has no times: seconds from row to row"
            ]
        if not _problems(self._robot, path, Options(start=0.0), rest):
            return [f"    motion: {{file: {shown}, start: 0}} # the stamp in its header does not count"]
        return [f"    motion: {shown}", *(f"    # to fix: {text}" for text in problems)]

    def _relative(self, path: _Path) -> str:
        """Return a path relative to the folder of the cell, with forward slashes, in quotes where YAML needs them."""
        try:
            text = os.path.relpath(path, self._folder or ".")
        except ValueError:  # another drive
            text = os.fspath(Path(path).resolve())
        return _quoted(Path(text).as_posix())


def _scene_rules(found: SceneCell) -> list[str]:
    lines = []
    if len(found.objects) > len(found.only):  # two objects of the world, at least
        names = ", ".join(map(quoted, found.only))
        lines += [
            "",
            "# As in MoveIt, objects of the world are not checked against each other; remove this to do so:",
        ]
        lines += [f"only: [{names}]"]
    for key, rules in (("allowed", found.allowed), ("margins", found.margins)):
        lines += ["", f"{key}:", *rules] if rules else []
    return lines


def _problems(robot: Robot, path: Path, options: Options, rest: Mapping[str, float]) -> list[str]:
    source = Source(path.name, options)
    try:
        read_joint_file(source, path, joints_of(robot, dict(rest)))
    except Failed:
        return source.problems
    return []


def _rule_lines(robot: Robot, name: str) -> list[str]:
    shaped = [link.name for link in robot.links if link.elements] or [*robot.link_names]
    first, hand, last = shaped[0], shaped[-1], robot.link_names[-1]
    return [
        "# Pairs that may touch, always or for a while:",
        "# allowed:",
        f"#   - [{name}/{first}, table]",
        f"#   - {{pair: [{name}/{hand}, part], from: 3.2, reason: it takes the part}}",
        "",
        "# Distances to keep:",
        f"# margins: [{{pair: [{name}, table], margin: 0.005}}]",
        "",
        "# Objects that a link holds for a while; position: and rpy: give a pose relative to the link:",
        f"# attached: [{{object: part, to: {name}/{last}, from: 3.2, until: 6.5}}]",
        "",
        "# Several programs against this cell, one verdict each:",
        f"# programs: {{pick: {{{name}: pick.csv}}, place: {{{name}: place.csv}}}}",
    ]


def _name_of(robot: Robot) -> str:
    """Return the name of the robot in the cell: its own name, converted to a plain word."""
    word = "".join(c if c.isalnum() or c in "_-" else "_" for c in robot.name).strip("_-")
    return word if word[:1].isalpha() and word.lower() not in ("null", "true", "false") else "arm"


def _quoted(text: str) -> str:
    """Return a text for YAML: in quotes unless it is a plain word."""
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in ("null", "true", "false")
    return text if is_plain else "'" + text.replace("'", "''") + "'"


SCHEMA_FILE = Path(__file__).with_name("cell.schema.json")
"""The schema as it ships; `python -m keepclear.jobs.cell.template` writes it again after a change of the models."""


def schema_text() -> str:
    """Return the JSON schema of cell files, made from the models that validate them."""
    from keepclear.jobs.cell.models import CellModel

    schema = _tidied(CellModel.model_json_schema())
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "keepclear cell"}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _tidied(value: Any) -> Any:
    """Return a schema without nulls and titles: missing keys are omitted, and names need no titles."""
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    if not isinstance(value, dict):
        return value
    result: dict[str, Any] = {}
    for key, item in value.items():
        if key == "properties":  # names of keys, of which one is called 'title'
            result[key] = {name: _tidied(inner) for name, inner in item.items()}
        elif not (key == "title" and isinstance(item, str)) and not (key == "default" and item is None):
            result[key] = _tidied(item)
    choices = result.get("anyOf")
    if choices is not None and {"type": "null"} in choices:
        kept = [choice for choice in choices if choice != {"type": "null"}]
        if len(kept) == 1:
            del result["anyOf"]
            result = {**kept[0], **result}
        else:
            result["anyOf"] = kept
    return result


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
