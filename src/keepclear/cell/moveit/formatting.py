"""Text of cells, and of mesh and SRDF files beside them: all digits of numbers, quotes where YAML needs them."""

from __future__ import annotations

import re
from xml.sax.saxutils import quoteattr

import numpy as np

from keepclear.checks import FloatArray
from keepclear.shapes.mesh import Mesh

__all__ = ["file_word", "number_text", "obj_text", "pose_keys", "quoted", "sentence", "srdf_text"]

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*([-./][A-Za-z0-9_]+)*")


def quoted(text: str) -> str:
    """Return a name for YAML, in quotes unless it is a plain word."""
    is_plain = _WORD.fullmatch(text) and text.lower() not in ("null", "true", "false")
    return text if is_plain else sentence(text)


def sentence(text: str) -> str:
    """Return a text in quotes, on one line."""
    return "'" + " ".join(text.split()).replace("'", "''") + "'"


def file_word(text: str) -> str:
    """Return a part of a file name."""
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in text)[:60]


def number_text(value: float) -> str:
    """Return a number with all digits."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e9 else repr(value)


def pose_keys(X: FloatArray) -> str:
    """Return the keys of a pose, behind a comma; "" for the identity."""
    if not np.array_equal(X[:3, :3], np.eye(3)):
        return f", pose: [{', '.join(_row(row) for row in X[:3])}]"
    return f", position: {_row(X[:3, 3])}" if X[:3, 3].any() else ""


def obj_text(mesh: Mesh) -> str:
    """Return a mesh as the text of an OBJ file, with all digits."""
    rows = [f"v {' '.join(map(repr, row))}" for row in mesh.vertices.tolist()]
    return "\n".join([*rows, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles.tolist()), ""])


def srdf_text(name: str, pairs: list[tuple[str, str]]) -> str:
    """Return the text of an SRDF file that lets pairs of links touch."""
    rows = [
        f'  <disable_collisions link1={quoteattr(a)} link2={quoteattr(b)} reason="scene"/>' for a, b in pairs
    ]
    return "\n".join([f"<robot name={quoteattr(name)}>", *rows, "</robot>", ""])


def _row(values: FloatArray) -> str:
    return f"[{', '.join(number_text(value) for value in (values + 0.0).tolist())}]"
