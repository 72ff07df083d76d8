"""Sphere models as JSON of keepclear: exact numbers, with certified bounds and digests of the shapes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from keepclear.checks import real_number, shown
from keepclear.errors import RobotError
from keepclear.files.access import parse_json
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.robot.links import Link
from keepclear.robot.model import Robot
from keepclear.robot.spheres.model import SphereModel
from keepclear.robot.spheres.numbers import ModelFile, sphere_mistake

FORMAT = "keepclear spheres"
VERSION = 1


def json_text(model: SphereModel, robot: Robot | None) -> str:
    """Return a model as JSON; with a robot, each link has the digest of the shapes that it was made for."""
    links = {}
    for name, cover in model.covers.items():
        links[name] = {
            "centers": cover.centers.tolist(),
            "radii": cover.radii.tolist(),
            "cover": cover.cover if math.isfinite(cover.cover) else None,
            "excess": cover.excess if math.isfinite(cover.excess) else None,
            "solid": cover.solid,
            "shapes": None if robot is None else link_digest(robot.link(name)),
        }
    content = {"format": FORMAT, "version": VERSION, "robot": model.robot_name, "links": links}
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def link_digest(link: Link) -> str:
    """Return a digest of the shapes of a link and of their poses, in hexadecimal digits."""
    digest = hashlib.sha256(b"keepclear link shapes 1")
    for element in link.elements:
        shape = element.shape
        digest.update(f"{type(shape).__name__} ".encode())
        if isinstance(shape, Mesh):
            parts: list[Any] = [shape.vertices, shape.triangles, np.array(shape.is_solid)]
        elif isinstance(shape, Convex):
            parts = [shape.vertices]
        else:
            parts = [np.frombuffer(repr(shape).encode(), np.uint8)]
        for part in (*parts, element.X_LG):
            array = np.ascontiguousarray(part)
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()


def parse_json_model(data: bytes, path: Path) -> ModelFile:
    """Return the model in a JSON file of keepclear. Its claims about cover are ignored: they are not proofs."""
    label = f"sphere model '{path}'"
    try:
        content = parse_json(data.decode("utf-8-sig"), _refuse)
    except UnicodeDecodeError as cause:
        raise RobotError(f"{label} is not text; give JSON in UTF-8.") from cause
    except json.JSONDecodeError as cause:
        raise RobotError(
            f"{label}, line {cause.lineno}, column {cause.colno}: it is not JSON: {cause.msg}."
        ) from cause
    except ValueError as cause:
        raise RobotError(f"{label} cannot be read as JSON: {cause}.") from cause
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RobotError(f"{label} is not a sphere model: its 'format' is not '{FORMAT}'.")
    if content.get("version") != VERSION:
        raise RobotError(
            f"{label}: version must be {VERSION}, but it is {shown(content.get('version'))}; it may be of a newer "
            "keepclear."
        )
    _check(content, _HEAD, label, ": ")
    if not content["links"]:
        raise RobotError(f"{label}: links is empty, so it has no spheres.")
    links = {name: _link(entry, f"{label}: links.{name}") for name, entry in content["links"].items()}
    digests = {name: entry["shapes"] for name, entry in content["links"].items() if entry["shapes"]}
    return ModelFile(path, label, content["robot"], links, digests)


def _refuse(name: str) -> float:
    raise ValueError(f"it has {name}, which is not a JSON number")


def _is_bound(value: Any) -> bool:
    number = real_number(value)
    return value is None or (number is not None and 0.0 <= number < math.inf)


def _is_digest(value: Any) -> bool:
    return value is None or (isinstance(value, str) and len(value) == 64)


Keys = Mapping[str, tuple[Callable[[Any], bool], str]]
_HEAD: Keys = {
    "format": (lambda value: value == FORMAT, f"be {FORMAT!r}"),
    "version": (lambda value: value == VERSION, f"be {VERSION}"),
    "robot": (lambda value: isinstance(value, str), "be a string"),
    "links": (lambda value: isinstance(value, dict), "have the spheres of each link"),
}
_LINK: Keys = {
    "centers": (lambda value: isinstance(value, list), "be a list"),
    "radii": (lambda value: isinstance(value, list), "be a list"),
    "cover": (_is_bound, "be a number >= 0 or null"),
    "excess": (_is_bound, "be a number >= 0 or null"),
    "solid": (lambda value: isinstance(value, bool), "be true or false"),
    "shapes": (_is_digest, "be 64 hexadecimal digits or null"),
}
"""The keys of an object: which values are valid, and what a message says that they must be."""


def _check(content: dict[str, Any], keys: Keys, where: str, before: str) -> None:
    """Raise a `RobotError` if an object lacks a key, has an unknown one, or an invalid value."""
    for key in sorted(keys.keys() - content.keys()):
        raise RobotError(f"{where}: '{key}' is missing.")
    for key in content:
        if key not in keys:
            raise RobotError(f"{where}: {key[:40]!r} is unknown; remove it.")
    for key, (is_valid, expected) in keys.items():
        if not is_valid(content[key]):
            raise RobotError(f"{where}{before}{key} must {expected}, but it is {shown(content[key])}.")


def _link(entry: Any, where: str) -> SphereCover:
    if not isinstance(entry, dict):
        raise RobotError(f"{where} must have centers and radii, but it is {shown(entry)}.")
    _check(entry, _LINK, where, ".")
    centers, radii = entry["centers"], entry["radii"]
    if len(centers) != len(radii) or not centers:
        raise RobotError(
            f"{where} has {len(centers)} centers and {len(radii)} radii; it needs as many, at least one."
        )
    for k, (center, radius) in enumerate(zip(centers, radii, strict=True)):
        if mistake := sphere_mistake(center, radius):
            raise RobotError(f"{where}, sphere {k}: {mistake}.")
    return SphereCover(np.array(centers, np.float64), np.array(radii, np.float64), solid=entry["solid"])
