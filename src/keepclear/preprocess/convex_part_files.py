"""Convex parts as files for simulators: groups of an OBJ file, collisions of a URDF file, geoms of an MJCF file.

Coordinates are written so that they read back as the same numbers: the parts of the file contain the solid as well. A
program that reads them in single precision rounds them to 6e-8 of the coordinates.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from keepclear.errors import ArgumentError
from keepclear.files import write_whole_file
from keepclear.shapes.convex import Convex

__all__ = ["write_mjcf", "write_obj", "write_urdf"]

File = str | os.PathLike[str]


def write_obj(parts: Sequence[Convex], path: File) -> None:
    """Write parts into one OBJ file, each as an object and group `part_0`, `part_1` and so on."""
    lines, first = [], 1
    for k, part in enumerate(parts):
        lines += [f"o {_name(k)}", f"g {_name(k)}"]
        lines += [f"v {_numbers(vertex)}" for vertex in part.vertices.tolist()]
        lines += [f"f {a + first} {b + first} {c + first}" for a, b, c in part.triangles.tolist()]
        first += len(part.vertices)
    _write(path, lines)


def write_urdf(parts: Sequence[Convex], path: File, name: str) -> list[Path]:
    """Write a robot of one link with the parts as collisions, and an OBJ file for each part; return all paths."""
    file = Path(path)
    paths = [file.with_name(f"{file.stem}_{_name(k)}.obj") for k in range(len(parts))]
    for part, mesh in zip(parts, paths, strict=True):
        write_obj([part], mesh)
    lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(name)}>", f"  <link name={quoteattr(name)}>"]
    for mesh in paths:
        geometry = f"<geometry><mesh filename={quoteattr(mesh.name)}/></geometry>"
        lines.append(f"    <collision>{geometry}</collision>")
    _write(file, [*lines, "  </link>", "</robot>"])
    return [file, *paths]


def write_mjcf(parts: Sequence[Convex], path: File, name: str) -> None:
    """Write a model of one body with the parts as mesh geoms; the file holds the vertices."""
    lines = [f"<mujoco model={quoteattr(name)}>", "  <asset>"]
    for k, part in enumerate(parts):
        vertices = "  ".join(_numbers(vertex) for vertex in part.vertices.tolist())
        lines.append(f'    <mesh name="{_name(k)}" vertex="{vertices}"/>')
    lines += ["  </asset>", "  <worldbody>", f"    <body name={quoteattr(name)}>"]
    lines += [f'      <geom type="mesh" mesh="{_name(k)}"/>' for k in range(len(parts))]
    _write(path, [*lines, "    </body>", "  </worldbody>", "</mujoco>"])


def _name(k: int) -> str:
    return f"part_{k}"


def _numbers(values: Sequence[float]) -> str:
    return " ".join(repr(value) for value in values)


def _write(path: File, lines: list[str]) -> None:
    try:
        write_whole_file(path, ("\n".join(lines) + "\n").encode())
    except OSError as error:
        raise ArgumentError(f"{os.fspath(path)} cannot be written: {error.strerror or error}.") from error
