"""The text of a STEP file: whether all that it refers to is in it, and how many faces its shapes have.

Open CASCADE leaves out what it cannot translate, without an error. So the text is checked before, and the faces that
come back are compared with those of the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from keepclear.shapes.mesh_text import Damage

__all__ = ["StepText", "parse_step"]

# A quote within a string is doubled, so that such a string is matched as two. Both may last until the end of the file.
_STRING_OR_COMMENT = re.compile(rb"'[^']*(?:'|\Z)|/\*.*?(?:\*/|\Z)", re.S)
# What begins like one of these is matched in any case, so that no text is searched twice, whatever follows.
_INSTANCE = re.compile(rb"#0*(\d+)\s*=([^;]*)")
_REFERENCE = re.compile(rb"#0*(\d+)")
_NAMES = re.compile(rb"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)\s*\(")
_FACES = {b"ADVANCED_FACE", b"FACE_SURFACE", b"FACE"}
_OPEN = {b"OPEN_SHELL", b"CONNECTED_FACE_SET", b"FACE_BASED_SURFACE_MODEL", b"GEOMETRIC_SET"}
# Solids without faces that could be counted; Open CASCADE does not translate most of them.
_NOT_READ = {
    b"CSG_SOLID", b"BOOLEAN_RESULT", b"BLOCK", b"RIGHT_ANGULAR_WEDGE", b"RIGHT_CIRCULAR_CONE",
    b"RIGHT_CIRCULAR_CYLINDER", b"SPHERE", b"TORUS", b"EXTRUDED_AREA_SOLID", b"REVOLVED_AREA_SOLID",
    b"SWEPT_DISK_SOLID", b"EXTRUDED_FACE_SOLID", b"REVOLVED_FACE_SOLID", b"SURFACE_CURVE_SWEPT_AREA_SOLID",
    b"HALF_SPACE_SOLID", b"BOXED_HALF_SPACE", b"SOLID_REPLICA", b"TESSELLATED_SOLID", b"TESSELLATED_SHELL",
}  # fmt: skip


class StepText(NamedTuple):
    """What a STEP file describes.

    Attributes:
        n_faces: How many different faces its shapes have; each counts once, however often an assembly uses its part.
        is_closed: Whether all these faces are in closed shells.
    """

    n_faces: int
    is_closed: bool


class _Instance(NamedTuple):
    names: frozenset[bytes]
    references: tuple[bytes, ...]


def parse_step(data: bytes) -> StepText:
    """Return what a STEP file describes, or raise `Damage` if it is not complete."""
    text = _STRING_OR_COMMENT.sub(b" ", data)
    if not text.rstrip().endswith(b"ISO-10303-21;"):
        raise Damage("has a string or a comment without an end; it is damaged: export it again")
    instances: dict[bytes, _Instance] = {}
    known: dict[frozenset[bytes], frozenset[bytes]] = {}
    for found in _INSTANCE.finditer(text):
        number, body = found[1], found[2]
        if number in instances:
            raise Damage(f"defines #{_shown(number)} twice; it is damaged: export it again")
        names = frozenset(name.upper() for name in _NAMES.findall(body))
        instances[number] = _Instance(known.setdefault(names, names), tuple(_REFERENCE.findall(body)))
    for instance in instances.values():
        for number in instance.references:
            if number not in instances:
                raise Damage(
                    f"refers to #{_shown(number)} in line {_line_of(data, number)}, which it does not define: a "
                    "part of it is lost; export it again"
                )
    return _described(instances)


def _described(instances: dict[bytes, _Instance]) -> StepText:
    """Return what the shape representations refer to; other geometry is for construction and presentation."""
    waiting = [number for number, one in instances.items() if any(map(_is_root, one.names))]
    reached, n_faces, is_closed, is_open = set(waiting), 0, False, False
    while waiting:
        instance = instances[waiting.pop()]
        for name in instance.names & _NOT_READ:
            raise Damage(
                f"has a {name.decode()}, a solid without faces, which is not read; export it as a boundary "
                "representation (AP203, AP214 or AP242), or as STL"
            )
        n_faces += not instance.names.isdisjoint(_FACES)
        is_closed |= b"CLOSED_SHELL" in instance.names
        is_open |= not instance.names.isdisjoint(_OPEN)
        new = {number for number in instance.references if number not in reached}
        reached |= new
        waiting += new
    if n_faces == 0:
        raise Damage(
            "has no faces in a shape representation, so that nothing tells whether all of it is read; export it as a "
            "boundary representation (AP203, AP214 or AP242), or as STL"
        )
    return StepText(n_faces, is_closed and not is_open)


def _is_root(name: bytes) -> bool:
    return b"SHAPE_REPRESENTATION" in name and b"RELATIONSHIP" not in name


def _line_of(data: bytes, number: bytes) -> int:
    """Return the line of the first reference to a number."""
    either = re.compile(_STRING_OR_COMMENT.pattern + b"|" + _REFERENCE.pattern, re.S)
    uses = (found for found in either.finditer(data) if found[1] == number)
    return data.count(b"\n", 0, next(uses).start()) + 1


def _shown(number: bytes) -> str:
    return number[:20].decode()
