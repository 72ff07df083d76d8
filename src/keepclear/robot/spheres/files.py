"""Files of sphere models: the format is detected by name or content, every number is checked, and writing is atomic."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from keepclear.checks import FloatArray, checked_choice, checked_path, shown
from keepclear.errors import ArgumentError, RobotError
from keepclear.files.access import read_named_file, read_regular_file, write_whole_file
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.names import known_names
from keepclear.robot.model import Robot
from keepclear.robot.spheres.json_form import json_text, parse_json_model
from keepclear.robot.spheres.model import SphereModel
from keepclear.robot.spheres.numbers import (
    MAX_MODEL_SIZE,
    MAX_SPHERES,
    ModelFile,
    SphereTexts,
    rounded_outward,
)
from keepclear.robot.spheres.xml_forms import (
    SRDF_SPHERES,
    collision_frame,
    parse_srdf_model,
    parse_urdf_model,
    srdf_text,
    urdf_bytes,
)
from keepclear.robot.spheres.yaml_forms import curobo_text, parse_curobo, parse_xrdf, xrdf_text

__all__ = [
    "SphereFormat",
    "format_of_name",
    "parse_model_file",
    "read_sphere_model",
    "write_sphere_model",
]

SphereFormat = Literal["curobo", "xrdf", "urdf", "srdf", "json"]
FORMATS: tuple[str, ...] = get_args(SphereFormat)

_SUFFIXES = {
    ".yml": "curobo",
    ".yaml": "curobo",
    ".xrdf": "xrdf",
    ".urdf": "urdf",
    ".srdf": "srdf",
    ".json": "json",
}

_PARSERS: dict[str, Callable[[bytes, Path], ModelFile]] = {
    "curobo": parse_curobo,
    "xrdf": parse_xrdf,
    "urdf": parse_urdf_model,
    "json": parse_json_model,
}


def read_sphere_model(
    path: str | os.PathLike[str],
    robot: Robot | None = None,
    *,
    format: SphereFormat | None = None,  # noqa: A002
) -> SphereModel:
    """Return the sphere model in a file of cuRobo, XRDF, URDF with spheres, SRDF or our JSON.

    A file proves nothing, whatever it claims: `cover` and `excess` of the model are infinite until they are measured
    against the shapes of a robot. With `robot` that is done here, and the bounds are certified.

    Args:
        path: The file. Its format is that of its extension (.yml, .yaml, .xrdf, .urdf, .srdf, .json), else that of its
            content.
        robot: The robot that it is for. Each link of the file must be one of its links. SRDF needs it, since its
            centres are relative to collision shapes.
        format: Format of the file, if its extension does not give it: "curobo", "xrdf", "urdf", "srdf" or "json".

    Raises:
        FileMissingError: There is no such file.
        RobotError: It is damaged, holds no spheres, names a link that the robot does not have, or has no spheres for a
            link of the robot that has shapes.
        ArgumentError: An argument has a wrong type, or SRDF is read without a robot.

    Examples:
        >>> import keepclear as kc
        >>> from tempfile import TemporaryDirectory
        >>> model = kc.SphereModel("arm", {"hand": kc.SphereCover([[0, 0, 0.04]], [0.05], cover=0.0, excess=0.01)})
        >>> with TemporaryDirectory() as folder:
        ...     kc.write_sphere_model(model, Path(folder) / "arm.yml")
        ...     kc.read_sphere_model(Path(folder) / "arm.yml")
        SphereModel('arm', 1 link, 1 sphere, cover inf m, excess inf m)
    """
    content = parse_model_file(path, robot, format)
    model = content.model("" if robot is None else robot.name)
    if robot is None:
        return model
    from keepclear.robot.spheres.audit import measured_model

    try:
        return measured_model(model, robot)
    except RobotError as cause:
        raise RobotError(f"{content.shown}: {cause}") from cause


def parse_model_file(path: str | os.PathLike[str], robot: Robot | None, kind: str | None) -> ModelFile:
    """Return the content of a file of a sphere model, with its links checked against a robot."""
    file = _checked_path("read_sphere_model", path, robot, kind)
    data = read_named_file(file, "sphere model", RobotError, MAX_MODEL_SIZE)
    if not data.strip():
        raise RobotError(f"sphere model '{file}' is empty; export it again.")
    kind = kind or _found_format(file, data)
    if kind == "srdf":
        if robot is None:
            raise ArgumentError(
                f"SRDF file '{file}': its centres are relative to the first collision shape of each link; give the "
                "robot that it is for, as robot=."
            )
        content = parse_srdf_model(data, file, robot)
    else:
        content = _PARSERS[kind](data, file)
    n = sum(map(len, content.links.values()))
    if n > MAX_SPHERES:
        raise RobotError(f"{content.shown} has {n} spheres, and at most {MAX_SPHERES} are read.")
    for link in content.links:
        if robot is not None and link not in robot.link_names:
            raise RobotError(
                f"{content.shown}: robot '{robot.name}' has no link {link[:200]!r}"
                f"{known_names(link, robot.link_names, 'link')}"
            )
    return content


def _found_format(file: Path, data: bytes) -> str:
    """Return the format of a file by its name, or else by its first bytes."""
    suffix, start = file.suffix.lower(), data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if suffix in (".yml", ".yaml") and any(
        line.split(b"#")[0].replace(b" ", b"").strip() in (b"format:xrdf", b'format:"xrdf"', b"format:'xrdf'")
        for line in data.splitlines()[:200]
    ):
        return "xrdf"
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if start.startswith(b"<"):
        return "srdf" if SRDF_SPHERES.encode() in data else "urdf"
    if start.startswith(b"{"):
        return "json"
    raise RobotError(
        f"sphere model '{file}': its name does not give the format; give format=, one of {', '.join(FORMATS)}."
    )


def format_of_name(path: str | os.PathLike[str]) -> str | None:
    """Return the format given by the name of a file; None if it gives none."""
    return _SUFFIXES.get(Path(path).suffix.lower())


def write_sphere_model(
    model: SphereModel,
    path: str | os.PathLike[str],
    robot: Robot | None = None,
    *,
    format: SphereFormat | None = None,  # noqa: A002
) -> None:
    """Write a sphere model to a file of cuRobo, XRDF, URDF with spheres, SRDF or our JSON.

    All but JSON are rounded outward to short decimal numbers: each sphere of the file, read in double or in single
    precision, contains the sphere of the model. JSON keeps every number.

    Args:
        model: The model.
        path: The file; an existing one is replaced.
        robot: The robot. URDF and SRDF need it: spheres replace the collision shapes of its URDF file, and
            are relative to its collision shapes in SRDF. JSON then has a digest of its shapes.
        format: Format of the file, if its extension does not give it: "curobo", "xrdf", "urdf", "srdf" or "json".

    Raises:
        ArgumentError: An argument has a wrong type, or a robot is needed.
        RobotError: The robot has links with shapes for which the model has no spheres (URDF), or lacks links.
        OSError: The file cannot be written.
    """
    if not isinstance(model, SphereModel):
        raise ArgumentError(f"write_sphere_model takes a kc.SphereModel, but it was given {shown(model)}.")
    file = _checked_path("write_sphere_model", path, robot, format)
    kind = format or format_of_name(file)
    if kind is None:
        raise ArgumentError(
            f"write_sphere_model: the name of '{file}' does not give the format; give format=, one of "
            f"{', '.join(FORMATS)}."
        )
    n = model.n_spheres
    if not 1 <= n <= MAX_SPHERES:
        raise ArgumentError(f"write_sphere_model: a file has 1 to {MAX_SPHERES} spheres, but there are {n}.")
    if robot is not None:
        for link in model.covers:
            robot.link_index(link)
    data = _encoded(model, kind, robot)
    if len(data) > MAX_MODEL_SIZE:
        raise ArgumentError(
            f"write_sphere_model: the file would have {len(data)} bytes, and at most {MAX_MODEL_SIZE} are read."
        )
    write_whole_file(file, data)


def _encoded(model: SphereModel, kind: str, robot: Robot | None) -> bytes:
    if kind == "json":
        return json_text(model, robot).encode("utf-8", "surrogatepass")
    if kind == "curobo":
        return curobo_text(model.robot_name, _texts(model)).encode("utf-8")
    if kind == "xrdf":
        return xrdf_text(model.robot_name, _texts(model)).encode("utf-8")
    if robot is None:
        raise ArgumentError(f"write_sphere_model: {kind.upper()} needs the robot; give robot=.")
    if kind == "srdf":
        texts = {
            link: _collision_texts(cover, collision_frame(robot, link))
            for link, cover in model.covers.items()
        }
        return srdf_text(robot.name, texts).encode("utf-8")
    if not robot.source:
        raise ArgumentError(
            "write_sphere_model: this robot was not read from a URDF file, into which spheres could be put."
        )
    source = Path(robot.source)
    try:
        data = read_regular_file(source)
    except OSError as cause:
        raise RobotError(f"URDF file '{source}' cannot be opened: {cause.strerror or cause}.") from cause
    return urdf_bytes(data, source, _texts(model))


def _texts(model: SphereModel) -> dict[str, list[SphereTexts]]:
    return {link: rounded_outward(cover.centers, cover.radii) for link, cover in model.covers.items()}


def _collision_texts(cover: SphereCover, X_LG: FloatArray) -> list[SphereTexts]:
    """Return spheres relative to a collision shape; radii include the rounding of the change of frames."""
    if np.array_equal(X_LG, np.eye(4)):
        return rounded_outward(cover.centers, cover.radii)
    R, t = X_LG[:3, :3], X_LG[:3, 3]
    centers = (cover.centers - t) @ R
    back = np.abs(centers @ R.T + t - cover.centers).max()
    largest = float(np.abs(cover.centers).max() + np.abs(t).max())
    return rounded_outward(centers, cover.radii, 4.0 * float(back) + 2.0**-46 * largest)


def _checked_path(label: str, path: object, robot: object, kind: object) -> Path:
    """Return the path of a file, checked like the other arguments of its reader and writer."""
    file = checked_path(label, path)
    if robot is not None and not isinstance(robot, Robot):
        raise ArgumentError(f"{label}: robot must be a kc.Robot or None, but it is {shown(robot)}.")
    if kind is not None:
        checked_choice(label, "format", kind, FORMATS)
    return file
