"""The first cell file for a robot: commented, complete, and ready to be verified."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from keepclear.cell.building import joints_of
from keepclear.cell.motion_files import missing_file, read_joint_file
from keepclear.cell.moveit.cell_parts import SceneCell, quoted, scene_cell, sentence
from keepclear.cell.moveit.reader import read_planning_scene
from keepclear.cell.samples import Failed, Options, Source
from keepclear.errors import ArgumentError, CellError, FileMissingError
from keepclear.files import write_whole_file
from keepclear.names import counted, listed
from keepclear.robot.model import Robot
from keepclear.robot.srdf import frames_of_root
from keepclear.robot.urdf import read_robot
from keepclear.shapes.table import cell_keys

__all__ = ["SCHEMA_FILE", "init_text", "schema_text", "write_template"]


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
    files: dict[str, str] = {}
    if scene is None:
        text = init_text(urdf, motion, folder=file.parent, srdf=srdf, package_dirs=package_dirs)
    else:
        text, files = _scene_text(urdf, motion, file, srdf, package_dirs, Path(scene))
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
    try:
        write_whole_file(file, text.encode())
    except OSError as cause:
        raise ArgumentError(f"'{file}' cannot be written: {cause.strerror or cause}.") from cause


def init_text(
    urdf: _Path,
    motion: _Path | None = None,
    *,
    folder: _Path = ".",
    srdf: _Path | None = None,
    package_dirs: Sequence[_Path] = (),
) -> str:
    """Return a commented cell file for a robot and its program; arguments as in `write_template`."""
    found = _srdf_of(Path(urdf)) if srdf is None else Path(srdf)
    robot = read_robot(urdf, found, package_dirs=list(package_dirs))
    name = _name_of(robot)
    lines = [
        f"# yaml-language-server: $schema={SCHEMA_FILE.name}",
        "# A cell for keepclear: `keepclear verify` checks it, `keepclear view` shows it while you write.",
        "# Lengths are metres, angles radians, times seconds. Names of files are relative to this one.",
        "",
        f"title: {_quoted(f'Cell of {robot.name}')}",
        "tolerance: 0.0005 # this close to its margin, a pair may get either verdict",
        "# interval: [0, 8] # default: from the first to the last time of the motions",
        "# far: 0.1 # pairs that stay farther apart are reported as 'more than 0.1 m'",
        "# method: hybrid # or bisection, exact, bisect_exact: for what boxes and hulls leave open",
        "",
        "objects:",
        *_robot_lines(robot, name, urdf, found, package_dirs, motion, Path(folder)),
        "",
        f"  # Other objects: {', '.join(cell_keys())}, or several of them as parts.",
        "  # table: {box: [1.2, 0.8, 0.05], position: [0, 0, -0.025], rpy_deg: [0, 0, 0]}",
        "  # post: {capsule: {radius: 0.05, length: 1.0}, position: [0.6, 0.4, 0.5]}",
        "  # part: {mesh: part.stl, unit: mm, motion: part_poses.csv} # CSV: time,x,y,z,qx,qy,qz,qw",
        "  # A tool, with its pose relative to the link that it is mounted on, at all times:",
        f"  # gripper: {{mesh: gripper.stl, unit: mm, tool: {{of: {name}, link: {robot.link_names[-1]}, "
        "position: [0, 0, 0.1]}}",
        "",
        *_rule_lines(robot, name),
    ]
    return "\n".join(lines) + "\n"


def _scene_text(
    urdf: _Path,
    motion: _Path | None,
    file: Path,
    srdf: _Path | None,
    package_dirs: Sequence[_Path],
    scene: Path,
) -> tuple[str, dict[str, str]]:
    """Return a cell file with the content of a planning scene, and the files that it needs beside it."""
    beside = _srdf_of(Path(urdf)) if srdf is None else Path(srdf)
    robot = read_robot(urdf, beside, package_dirs=list(package_dirs))
    name, folder = _name_of(robot), file.parent
    at_root = () if beside is None else frames_of_root(robot, beside)
    found = scene_cell(read_planning_scene(scene), robot, name, file.stem, at_root)
    if motion is None and 0 < len(found.q) < robot.dof:
        missing = listed([joint for joint in robot.joint_names if joint not in found.q])
        raise CellError(
            [f"{scene}: robot_state.joint_state has no value of {missing}; add it, or give a motion"]
        )
    own_srdf, files = f"{file.stem}_scene.srdf", dict(found.files)
    if found.srdf:
        files[own_srdf] = found.srdf
    pairs = quoted(own_srdf) if found.srdf else None if beside is None else _relative(beside, folder)
    values = ", ".join(f"{quoted(joint)}: {value!r}" for joint, value in found.q.items())
    lines = [
        f"# yaml-language-server: $schema={SCHEMA_FILE.name}",
        "# A cell for keepclear, made by `keepclear init`. Lengths are metres, angles radians, times seconds.",
        f"title: {_quoted(f'Cell of {robot.name}')}",
        "tolerance: 0.0005 # this close to its margin, a pair may get either verdict",
        "notes: # for the assumptions of the report",
        f"  - {sentence(f'objects and rules are from the planning scene {scene.name}')}",
        *(f"  - {sentence(text)}" for text in found.notes),
        "",
        "objects:",
        f"  {name}:",
        f"    robot: {_relative(urdf, folder)} # {_sizes(robot)}",
        *([] if pairs is None else [f"    srdf: {pairs} # links that may touch each other"]),
        *_package_lines(package_dirs, folder),
        *([f"    q: {{{values}}} # as in the scene"] if values else []),
        *([f"    {found.robot_pose.removeprefix(', ')} # of its base"] if found.robot_pose else []),
        *([] if motion is None else _motion_lines(robot, Path(motion), _relative(motion, folder), found.q)),
        *found.objects,
        *_scene_rules(found),
    ]
    return "\n".join(lines) + "\n", files


def _package_lines(packages: Sequence[_Path], folder: Path) -> list[str]:
    names = ", ".join(_relative(one, folder) for one in packages)
    return [f"    package_dirs: [{names}]"] if names else []


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


def _robot_lines(
    robot: Robot,
    name: str,
    urdf: _Path,
    srdf: Path | None,
    packages: Sequence[_Path],
    motion: _Path | None,
    folder: Path,
) -> list[str]:
    joints = joints_of(robot, {})
    kinds = {True: "rad", False: "m"}
    header = listed(
        [f"{joint} [{kinds[turns]}]" for joint, turns in zip(joints.names, joints.is_angle, strict=True)]
    )
    lines = [f"  {name}:", f"    robot: {_relative(urdf, folder)} # {_sizes(robot)}"]
    if srdf is not None:
        lines.append(
            f"    srdf: {_relative(srdf, folder)} # links that may touch each other, and named states"
        )
    else:
        lines.append("    # srdf: arm.srdf # links that may touch each other; without it neighbours may")
    lines += _package_lines(packages, folder)
    lines.append(f"    # joints: {header}")
    example = (
        f"time,{','.join(robot.joint_names[:2])},..."
        if robot.dof > 2
        else f"time,{','.join(robot.joint_names)}"
    )
    if motion is not None:
        lines += [*_motion_lines(robot, Path(motion), _relative(motion, folder)), "    # With other options:"]
    else:
        lines += [
            f"    q: [{', '.join(f'{value:.6g}' for value in robot.zero)}] # joint values at rest",
            f"    # motion: program.csv # a table with the header {example}",
        ]
    file = "program.csv" if motion is None else _relative(motion, folder)
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


def _motion_lines(robot: Robot, path: Path, shown: str, rest: Mapping[str, float] | None = None) -> list[str]:
    """Return the line that names a motion file, with its errors as comments."""
    if (absent := missing_file(path, os.fspath(path), "motion file")) is not None:
        raise FileMissingError(absent if absent.endswith("?") else f"{absent}.")
    problems = _problems(robot, path, Options(), rest)
    if not problems:
        return [f"    motion: {shown}"]
    if not _problems(robot, path, Options(dt=0.1), rest):
        return [f"    motion: {{file: {shown}, dt: 0.1}} # the file has no times: seconds from row to row"]
    if not _problems(robot, path, Options(start=0.0), rest):
        return [f"    motion: {{file: {shown}, start: 0}} # the stamp in its header does not count"]
    return [f"    motion: {shown}", *(f"    # to fix: {text}" for text in problems)]


def _problems(robot: Robot, path: Path, options: Options, rest: Mapping[str, float] | None) -> list[str]:
    source = Source(path.name, options)
    try:
        read_joint_file(source, path, joints_of(robot, dict(rest or {})))
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


def _sizes(robot: Robot) -> str:
    shapes = sum(len(link.elements) for link in robot.links)
    return f"{counted(robot.dof, 'joint')}, {counted(len(robot.links), 'link')}, {counted(shapes, 'shape')}"


def _name_of(robot: Robot) -> str:
    """Return the name of the robot in the cell: its own name, converted to a plain word."""
    word = "".join(c if c.isalnum() or c in "_-" else "_" for c in robot.name).strip("_-")
    return word if word[:1].isalpha() and word.lower() not in ("null", "true", "false") else "arm"


def _srdf_of(urdf: Path) -> Path | None:
    beside = urdf.with_suffix(".srdf")
    return beside if beside.is_file() else None


def _relative(path: _Path, folder: Path) -> str:
    """Return a path relative to the folder of the cell, with forward slashes, in quotes where YAML needs them."""
    try:
        text = os.path.relpath(path, folder or ".")
    except ValueError:  # another drive
        text = os.fspath(Path(path).resolve())
    return _quoted(Path(text).as_posix())


def _quoted(text: str) -> str:
    """Return a text for YAML: in quotes unless it is a plain word."""
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in ("null", "true", "false")
    return text if is_plain else "'" + text.replace("'", "''") + "'"


SCHEMA_FILE = Path(__file__).with_name("cell.schema.json")
"""The schema as it ships; `python -m keepclear.cell.template` writes it again after a change of the models."""


def schema_text() -> str:
    """Return the JSON schema of cell files, made from the models that validate them."""
    from keepclear.cell.models import CellModel

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
