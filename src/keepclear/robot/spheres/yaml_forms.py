"""Sphere models as YAML: `collision_spheres` of cuRobo, and XRDF, the extended robot description of Isaac."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from keepclear.checks import real_number, shown
from keepclear.errors import FileMissingError, RobotError
from keepclear.files.access import read_regular_file
from keepclear.files.yaml import Document, Place, parse_document
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.robot.spheres.numbers import MAX_MODEL_SIZE, ModelFile, SphereTexts, cover_of, sphere_mistake
from keepclear.tolerances import LARGEST_SIZE

_XRDF_VERSIONS = (1, 2)
_COLLISION = ("collision", "world_collision")  # of versions 1 and 2
GEOMETRY = "keepclear_spheres"


def parse_curobo(data: bytes, path: Path) -> ModelFile:
    """Return the model in a configuration of cuRobo, or in a file of `collision_spheres` alone."""
    return _curobo(_document(data, str(path)), path)


def parse_xrdf(data: bytes, path: Path) -> ModelFile:
    """Return the model in an XRDF file: the geometry that it selects for collisions with the world."""
    return _xrdf(_document(data, str(path)))


def _document(data: bytes, shown_path: str) -> Document:
    document = parse_document(data, shown_path)
    if not document.is_broken and not isinstance(document.value, dict):
        document.add((), "this is not a sphere model: it has no names of links with spheres")
    _raise_mistakes(document)
    return document


def _refuse(document: Document, place: Place, text: str) -> NoReturn:
    document.add(place, text)
    _raise_mistakes(document)
    raise AssertionError("the error was not raised")


def _raise_mistakes(document: Document) -> None:
    found = document.mistakes
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise RobotError(f"{found[0]}{more}.")


def _curobo(document: Document, path: Path) -> ModelFile:
    value: dict[str, Any] = document.value
    place: Place = ()
    for step in ("robot_cfg", "kinematics"):
        if "collision_spheres" not in value and isinstance(value.get(step), dict):
            value, place = value[step], (*place, step)
    spheres = value.get("collision_spheres")
    here: Place = (*place, "collision_spheres")
    if spheres is None:
        where = here if "collision_spheres" in value else place
        _refuse(document, where, "there is no collision_spheres; add the spheres of each link")
    buffers = _buffers(document, (*place, "collision_sphere_buffer"), value.get("collision_sphere_buffer"))
    if isinstance(spheres, str):
        document, here = _other_file(document, here, spheres, path)
        spheres = document.value["collision_spheres"]
    name = document.value.get("robot", "")
    return _model(document, here, spheres, buffers, name if isinstance(name, str) else "")


def _other_file(document: Document, place: Place, name: str, path: Path) -> tuple[Document, Place]:
    """Return the file of spheres that a configuration names, relative to its folder."""
    pure = PurePosixPath(name)
    if not name or pure.is_absolute() or ".." in pure.parts or "\\" in name or "\0" in name:
        _refuse(
            document, place, f"this names the file {shown(name)}; give a path below the folder of this file"
        )
    other = path.parent / name
    line, column = document.position(place)
    label = f"{path}:{line}:{column}: the file of spheres '{name}'"
    try:
        data = read_regular_file(other, MAX_MODEL_SIZE)
    except FileNotFoundError:
        raise FileMissingError(
            f"{label} is not in the folder of this file; read that file instead, and mind the collision_sphere_buffer."
        ) from None
    except OSError as cause:
        raise RobotError(f"{label} cannot be opened: {cause.strerror or cause}.") from cause
    found = _document(data, str(other))
    if not isinstance(found.value.get("collision_spheres"), dict):
        _refuse(found, ("collision_spheres",), "there is no collision_spheres; add the spheres of each link")
    return found, ("collision_spheres",)


def _xrdf(document: Document) -> ModelFile:
    root = document.value
    if root.get("format") != "xrdf":
        document.add(("format",), f"the format must be xrdf, but it is {shown(root.get('format'))}")
    version = real_number(root.get("format_version"))
    if version not in _XRDF_VERSIONS:
        said = shown(root.get("format_version"))
        document.add(("format_version",), f"versions 1.0 and 2.0 are read, but this is {said}")
    groups = root.get("geometry")
    if not isinstance(groups, dict) or not groups:
        document.add(("geometry",), "there is no geometry with spheres; add it")
    _raise_mistakes(document)
    name, section = _selected(document, groups)
    group, place = groups[name], ("geometry", name)
    if not isinstance(group, dict) or "spheres" not in group:
        _refuse(document, place, "this geometry has no spheres; add 'spheres', with the spheres of each link")
    for key in group:
        if key != "spheres":
            document.add((*place, key), "only spheres are read; remove it, or write what it stands for")
    buffer = root[section].get("buffer_distance") if section else None
    buffers = _buffers(document, (section, "buffer_distance"), buffer)
    return _model(document, (*place, "spheres"), group["spheres"], buffers, "")


def _selected(document: Document, groups: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name of the geometry against the world, and the section that selects it ("": it is the only one)."""
    for section in _COLLISION:
        chosen = document.value.get(section)
        if chosen is None:
            continue
        name = chosen.get("geometry") if isinstance(chosen, dict) else None
        if not isinstance(name, str) or name not in groups:
            known = ", ".join(groups)
            text = f"this must name a geometry, one of {known}, but it is {shown(name)}"
            _refuse(document, (section, "geometry"), text)
        return str(name), section
    if len(groups) > 1:
        text = f"there are {len(groups)} geometries; say which with 'collision: {{geometry: ...}}'"
        _refuse(document, ("geometry",), text)
    return next(iter(groups)), ""


def _buffers(document: Document, place: Place, value: Any) -> float | dict[str, float]:
    """Return the enlargement of radii [m]: one length, or one by the name of a link."""
    if value is None:
        return 0.0
    if isinstance(value, dict):
        return {link: _buffer(document, (*place, link), entry) for link, entry in value.items()}
    return _buffer(document, place, value)


def _buffer(document: Document, place: Place, value: Any) -> float:
    number = real_number(value)
    if number is None or not abs(number) <= LARGEST_SIZE:
        document.add(place, f"this must be a finite length in metres, but it is {shown(value)}")
        return 0.0
    return number


def _model(
    document: Document, place: Place, spheres: Any, buffers: float | dict[str, float], robot_name: str
) -> ModelFile:
    if not isinstance(spheres, dict):
        _refuse(
            document, place, f"this must have a list of spheres for each link, but it is {shown(spheres)}"
        )
    links: dict[str, SphereCover] = {}
    for link, entries in spheres.items():
        buffer = buffers.get(link, 0.0) if isinstance(buffers, dict) else buffers
        found = _link(document, (*place, link), entries, buffer)
        if found is not None:
            links[link] = found
    _raise_mistakes(document)
    if not links:
        _refuse(document, place, "there is no sphere here; add the spheres of each link")
    return ModelFile(Path(document.file), document.file, robot_name, links)


def _link(document: Document, place: Place, entries: Any, buffer: float) -> SphereCover | None:
    """Return the spheres of a link, None where it has none.

    A sphere whose radius is not above 0 with the buffer does not exist for a planner. A link of such spheres only is a
    placeholder, for a part that is attached later, say; among others such a sphere is an error.
    """
    if entries is None:
        return None
    if not isinstance(entries, list):
        document.add(place, f"this must be a list of spheres, but it is {shown(entries)}")
        return None
    spheres, absent = [], []
    for k, entry in enumerate(entries):
        found = _sphere(document, (*place, k), entry)
        if found is None:
            continue
        center, radius = found
        number = real_number(radius)
        is_absent = number is not None and number >= -LARGEST_SIZE and number + buffer <= 0.0
        if is_absent:
            absent.append(k)
        mistake = sphere_mistake(center, 1.0 if is_absent else radius if number is None else number + buffer)
        if mistake:
            document.add((*place, k), mistake)
        elif number is not None:
            spheres.append((center, number))
    if absent and len(absent) < len(entries):
        document.add(
            (*place, absent[0], "radius"),
            "this radius is not above 0, unlike others of the link; remove the sphere, or correct it",
        )
    if absent or not spheres:
        return None
    return cover_of(spheres, buffer)


def _sphere(document: Document, place: Place, entry: Any) -> tuple[Any, Any] | None:
    """Return the center and the radius of a sphere as the file has them; None if it is not a sphere."""
    keys = ("center", "radius")
    if not isinstance(entry, dict):
        document.add(place, f"a sphere has a center and a radius, but this is {shown(entry)}")
        return None
    for key in keys:
        if key not in entry:
            document.add(place, f"this sphere has no {key}; give it one")
            return None
    for key in entry:
        if key not in keys:
            document.add((*place, key), "a sphere has a center and a radius only; remove it", key=True)
            return None
    return entry["center"], entry["radius"]


def curobo_text(robot_name: str, links: Mapping[str, Sequence[SphereTexts]]) -> str:
    """Return a file of `collision_spheres`, which `collision_spheres` of a cuRobo configuration names."""
    lines = [
        "# Spheres in the frames of links, for cuRobo: name this file at robot_cfg: kinematics: collision_spheres.",
        "# No collision_sphere_buffer is needed for their sake: radii are rounded outward.",
        f"robot: {_quoted(robot_name)}",
        "collision_spheres:",
        *_lines(links, "  "),
    ]
    return "\n".join(lines) + "\n"


def xrdf_text(robot_name: str, links: Mapping[str, Sequence[SphereTexts]]) -> str:
    """Return an XRDF file with geometry and collisions; the configuration space is for its user to add."""
    lines = [
        f"# Spheres of {' '.join(robot_name.split())} in the frames of its links; add cspace, tool_frames and",
        "# self_collision, or take geometry and collision over into your file.",
        "format: xrdf",
        "format_version: 1.0",
        "collision:",
        f"  geometry: {GEOMETRY}",
        "geometry:",
        f"  {GEOMETRY}:",
        "    spheres:",
        *_lines(links, "      "),
    ]
    return "\n".join(lines) + "\n"


def _lines(links: Mapping[str, Sequence[SphereTexts]], indent: str) -> list[str]:
    lines = []
    for link, spheres in links.items():
        lines.append(f"{indent}{_quoted(link)}:")
        for center, radius in spheres:
            lines.append(f"{indent}  - center: [{', '.join(map(_number, center))}]")
            lines.append(f"{indent}    radius: {_number(radius)}")
    return lines


def _number(text: str) -> str:
    """Return a number that readers of YAML 1.1 also parse as a float."""
    return text if "." in text or "e" in text else f"{text}.0"


def _quoted(text: str) -> str:
    """Return a text in double quotes, with the escapes of YAML and JSON."""
    import json

    return json.dumps(text)
