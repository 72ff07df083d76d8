"""Motion files: selection of the reader, and a clear sentence for each error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from keepclear.files.access import MAX_FILE_SIZE, MAX_TEXT_SIZE, parse_json, read_regular_file
from keepclear.files.archives import ArchiveDamage, npz_arrays
from keepclear.files.yaml import MAX_REPEATED, Document, repeated_values, too_many
from keepclear.jobs.motion_files.sample_maps import are_joint_states, joints_of, message_samples, poses_of
from keepclear.jobs.motion_files.samples import DEFAULTS, Joints, JointSamples, PoseSamples, Source
from keepclear.jobs.motion_files.table_motions import joint_samples, pose_samples
from keepclear.jobs.motion_files.tables import read_table
from keepclear.names import did_you_mean

TABLES, MAPS = (".csv", ".txt", ".tsv", ".dat"), (".npz", ".json", ".yaml", ".yml")
_SHOWN = 80  # greatest length of a name in messages
_CUT = "message {} is incomplete, as at the end of a recording that was stopped; delete it, from this line on"


def read_joint_file(source: Source, path: Path, joints: Joints) -> JointSamples:
    """Return the values of a robot's joints over time in a CSV, NPZ, JSON or YAML file.

    Args:
        source: The options of the cell for the file; findings are added to it.
        path: The file.
        joints: The joints of the robot.

    Raises:
        Failed: The file cannot be read as a whole; `source.problems` say why.
    """
    data = _read(source, path)
    if path.suffix.lower() in TABLES:
        return joint_samples(source, read_table(source, data), joints)
    samples = _samples(source, path, data)
    message = message_samples(source, samples, joints)
    if message is not None:
        options = replace(source.options, units=DEFAULTS | dict(source.options.units))  # ROS has no others
        return joints_of(replace(source, options=options), message, joints)
    return joints_of(source, _checked_map(source, samples, "times and q"), joints)


def read_pose_file(source: Source, path: Path) -> PoseSamples:
    """Return the poses over time in a CSV, NPZ, JSON or YAML file.

    Raises:
        Failed: The file cannot be read as a whole; `source.problems` say why.
    """
    data = _read(source, path)
    if path.suffix.lower() in TABLES:
        return pose_samples(source, read_table(source, data))
    samples = _samples(source, path, data)
    if message_samples(Source(source.label, source.options), samples) is not None:
        source.fail("it has values of joints, and this object is not a robot; give a table of poses")
    return poses_of(source, _checked_map(source, samples, "times and positions"))


def missing_file(path: Path, shown: str, what: str) -> str | None:
    """Return a sentence if there is no such file, with the most similar name; else None."""
    try:
        if path.is_file():
            return None
        if path.is_dir():
            return f"'{shown}' is a folder; name a {what} in it"
        if path.exists():
            return f"'{shown}' is not a regular file; name a {what}"
    except OSError as cause:  # a name that the system refuses
        return f"there is no {what} '{shown[:_SHOWN]}': {cause.strerror or cause}; check the path"
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return f"there is no {what} '{shown}', nor the folder it should be in; check the path"
    return f"there is no {what} '{shown}'{did_you_mean(path.name, names, 'check the path')}"


def _read(source: Source, path: Path) -> bytes:
    absent = missing_file(path, source.label, "motion file")
    ending = path.suffix.lower()
    if absent is not None:
        source.problems.append(absent)
    elif ending not in (*TABLES, *MAPS):
        source.problem(f"the file extension '{path.suffix}' is unknown; use .csv, .npz, .json or .yaml")
    source.stop_if_wrong()
    try:
        return read_regular_file(path, MAX_FILE_SIZE if ending == ".npz" else MAX_TEXT_SIZE)
    except OSError as cause:
        source.fail(f"it cannot be opened: {cause.strerror or cause}")


def _samples(source: Source, path: Path, data: bytes) -> Any:
    """Return the content of an NPZ, JSON or YAML file."""
    if path.suffix.lower() == ".npz":
        return _arrays(source, data)
    try:
        text = data.decode("utf-8-sig")
        if path.suffix.lower() == ".json":
            return parse_json(text)
        return _yaml(source, text)
    except UnicodeDecodeError as cause:
        source.fail("it is not UTF-8 text; save it again", data.count(b"\n", 0, cause.start) + 1)
    except json.JSONDecodeError as cause:
        source.fail(f"it is not JSON: {cause.msg} in column {cause.colno}; export it again", cause.lineno)
    except ValueError as cause:
        source.fail(f"it cannot be read as JSON: {cause}; export it again")


def _yaml(source: Source, text: str) -> Any:
    import yaml

    roots: list[yaml.Node] = []
    try:
        for root in yaml.compose_all(text, Loader=yaml.SafeLoader):
            roots += [root] if root and root.value != "" else []
        if (repeated := sum(map(repeated_values, roots))) > MAX_REPEATED:
            source.fail(too_many(repeated))
        documents = [Document(source.label, root) for root in roots] or [Document(source.label, None)]
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        rows = text.splitlines()
        if (
            roots
            and "---" not in rows[line - 1 :]
            and _is_recording([Document("", one).value for one in roots])
        ):
            begin = max(k for k, row in enumerate(rows) if row == "---") + 2
            source.fail(_CUT.format(len(roots) + 1), begin)
        source.fail(f"it is not YAML: {error.problem}; export it again", line)
    except (yaml.YAMLError, RecursionError):
        source.fail("it is not YAML; export it again")
    source.problems.extend(text for document in documents for text in document.mistakes)
    source.stop_if_wrong()
    values = [document.value for document in documents]
    if len(values) > 1 and _is_recording(values[:-1]):  # which, stopped, ends anywhere
        is_whole = isinstance(values[-1], Mapping) and set(values[0]) <= set(values[-1])
        if not is_whole:
            source.fail(_CUT.format(len(values)), roots[-1].start_mark.line + 1)
    if len(values) > 1 and not are_joint_states(values):
        source.fail(f"it has {len(values)} documents, and one motion is read; keep one of them")
    return values if len(values) > 1 else values[0]


def _is_recording(values: list[Any]) -> bool:
    return bool(values) and are_joint_states(values)


def _arrays(source: Source, data: bytes) -> dict[str, Any]:
    """Return the arrays of an NPZ file."""
    try:
        return npz_arrays(data)
    except ArchiveDamage as cause:
        source.fail(
            f"it cannot be read as NPZ (it {cause}); write it with numpy.savez, arrays of numbers only"
        )


def _checked_map(source: Source, samples: Any, expected: str) -> Mapping[str, Any]:
    if not isinstance(samples, Mapping):
        source.fail(
            f"expected {expected} by name, or a trajectory_msgs/JointTrajectory, but found {type(samples).__name__}"
        )
    if {"world", "robot_state"} & set(samples):
        source.fail("it is a planning scene, not a motion; keepclear init URDF --scene makes a cell of it")
    return {str(key): value for key, value in samples.items()}
