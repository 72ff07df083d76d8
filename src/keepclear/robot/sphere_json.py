"""Sphere models as JSON of keepclear: exact numbers, with certified bounds and digests of the shapes."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from keepclear.checks import real_number, shown
from keepclear.errors import RobotError
from keepclear.files import parse_json
from keepclear.robot.links import Link
from keepclear.robot.model import Robot
from keepclear.robot.sphere_model import SphereModel
from keepclear.robot.sphere_texts import LinkSpheres, ModelFile, sphere_mistake
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh

__all__ = ["json_text", "link_digest", "parse_json_model"]

FORMAT = "keepclear spheres"
VERSION = 1
_KEYS = {"format", "version", "robot", "links"}
_LINK_KEYS = {"centers", "radii", "cover", "excess", "solid", "shapes"}


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
    _check_head(content, label)
    links = {}
    for name, entry in content["links"].items():
        links[name] = _link(entry, f"{label}: links.{name}")
    if not links:
        raise RobotError(f"{label}: links is empty, so it has no spheres.")
    return ModelFile(label, content["robot"], links)


def _refuse(name: str) -> float:
    raise ValueError(f"it has {name}, which is not a JSON number")


def _check_head(content: Any, label: str) -> None:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RobotError(f"{label} is not a sphere model: its 'format' is not '{FORMAT}'.")
    if content.get("version") is not VERSION and content.get("version") != VERSION:
        raise RobotError(
            f"{label}: version must be {VERSION}, but it is {shown(content.get('version'))}; it may be of a newer "
            "keepclear."
        )
    _check_keys(content, _KEYS, label)
    if not isinstance(content["robot"], str):
        raise RobotError(f"{label}: robot must be a string, but it is {shown(content['robot'])}.")
    if not isinstance(content["links"], dict):
        raise RobotError(
            f"{label}: links must have the spheres of each link, but it is {shown(content['links'])}."
        )


def _check_keys(content: dict[str, Any], keys: set[str], where: str) -> None:
    for key in sorted(keys - set(content)):
        raise RobotError(f"{where}: '{key}' is missing.")
    for key in content:
        if key not in keys:
            raise RobotError(f"{where}: {key[:40]!r} is unknown; remove it.")


def _link(entry: Any, where: str) -> LinkSpheres:
    if not isinstance(entry, dict):
        raise RobotError(f"{where} must have centers and radii, but it is {shown(entry)}.")
    _check_keys(entry, _LINK_KEYS, where)
    centers, radii = entry["centers"], entry["radii"]
    for key, value in (("centers", centers), ("radii", radii)):
        if not isinstance(value, list):
            raise RobotError(f"{where}.{key} must be a list, but it is {shown(value)}.")
    if len(centers) != len(radii) or not centers:
        raise RobotError(
            f"{where} has {len(centers)} centers and {len(radii)} radii; it needs as many, at least one."
        )
    for k, (center, radius) in enumerate(zip(centers, radii, strict=True)):
        if mistake := sphere_mistake(center, radius):
            raise RobotError(f"{where}, sphere {k}: {mistake}.")
    for key in ("cover", "excess"):
        value = real_number(entry[key])
        if entry[key] is not None and (value is None or not 0.0 <= value < math.inf):
            raise RobotError(f"{where}.{key} must be a number >= 0 or null, but it is {shown(entry[key])}.")
    if not isinstance(entry["solid"], bool):
        raise RobotError(f"{where}.solid must be true or false, but it is {shown(entry['solid'])}.")
    digest = entry["shapes"]
    if digest is not None and (not isinstance(digest, str) or len(digest) != 64):
        raise RobotError(f"{where}.shapes must be 64 hexadecimal digits or null, but it is {shown(digest)}.")
    return LinkSpheres(
        np.array(centers, np.float64), np.array(radii, np.float64), entry["solid"], digest or ""
    )
