"""The content of a program as one digest of everything that its report depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from keepclear.cell.cell import Cell
from keepclear.motions.motion import MOTION_TABLE, Motion
from keepclear.preprocess.model_cache import digest_of
from keepclear.robot.joint_trajectory import JointTrajectory
from keepclear.robot.model import Robot
from keepclear.shapes.shape import Shape
from keepclear.world.content import kinematics_digest, shape_digest

__all__ = ["CellContent", "digest"]


def digest(value: Any, known: dict[int, tuple[Any, bytes]] | None = None) -> bytes:
    """Return the digest of plain values, arrays, shapes, robots and motions, and of dataclasses and models of them.

    Args:
        value: The value; an unknown class raises.
        known: Digests of shapes and robots by id, with the object itself, so that each is computed once.
    """
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return hashlib.sha256(f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")).digest()
    if isinstance(value, np.ndarray):
        return digest_of("array", value)
    if isinstance(value, Enum):
        return digest(value.value)
    known = {} if known is None else known
    if isinstance(value, Shape | Robot):
        found = known.get(id(value))
        if found is None:
            found = known[id(value)] = value, _of_thing(value, known)
        return found[1]
    if isinstance(value, JointTrajectory):
        texts = value.interpolation, value._hold, value._name
        return _joined("program", (value.times, value.coefficients, value.q, *texts, value.robot), known)
    if isinstance(value, Motion) and (content := MOTION_TABLE[value].content) is not None:
        return _joined("motion", content(value), known)
    if isinstance(value, Mapping):
        return _joined("mapping", [part for item in value.items() for part in item], known)
    if isinstance(value, tuple | list):
        return _joined("list", value, known)
    if is_dataclass(value) and not isinstance(value, type):
        return _joined(type(value).__name__, [getattr(value, f.name) for f in fields(value)], known)
    if hasattr(value, "model_dump"):
        return _joined(type(value).__name__, [dict(value)], known)  # a dump of its unions would warn
    raise TypeError(f"no digest is defined for the content of {type(value).__name__}")


def _of_thing(value: Shape | Robot, known: dict[int, tuple[Any, bytes]]) -> bytes:
    if isinstance(value, Shape):
        return shape_digest(value) + digest(getattr(value, "_name", None))
    links = [(link.name, [(e.shape, e.X_LG) for e in link.elements]) for link in value.links]
    parts = (value.name, links, value.link_joints, value.allowed_pairs, value.warnings)
    return kinematics_digest(value.kinematics) + _joined("robot", parts, known)


def _joined(kind: str, parts: Any, known: dict[int, tuple[Any, bytes]]) -> bytes:
    found = hashlib.sha256(kind.encode())
    for part in parts:
        one = digest(part, known)
        found.update(len(one).to_bytes(2, "little") + one)
    return found.digest()


class CellContent:
    """Keys of the programs of a cell; the digest of their common content is computed once."""

    def __init__(self, cell: Cell, known: dict[int, tuple[Any, bytes]] | None = None) -> None:
        self._cell, self._known = cell, {} if known is None else known
        specs = cell._specs
        rules = specs.settings, specs.objects, specs.allowed, specs.margins, specs.only, specs.attached
        settings = cell.title, cell.tolerance, cell.interval, cell.far, cell.method
        self._common = digest((settings, dict(cell.objects), dict(cell.motions), rules), self._known)

    def key(self, program: str | None, options: Mapping[str, Any]) -> bytes:
        """Return the key of the report of a program; it depends on the options."""
        motions = {} if program is None else dict(self._cell.program_motions[program])
        asked = sorted((name, value) for name, value in options.items() if name != "threads")
        return hashlib.sha256(self._common + digest((program, motions, asked), self._known)).digest()
