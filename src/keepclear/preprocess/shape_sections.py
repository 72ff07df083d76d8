"""The shape of a prepared model as plain values and arrays, and back, with all checks that its class makes."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from keepclear.errors import KeepclearError
from keepclear.files import FileDamage
from keepclear.shapes.row import Arrays
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import SHAPE_TABLE

__all__ = ["shape_from", "shape_values"]


def shape_values(shape: Shape) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return a shape as values of a header, including its kind, and arrays; an unknown kind raises."""
    row = SHAPE_TABLE[shape]
    if row.stored is not None:
        values, arrays = row.stored.write(shape)
    else:
        values, arrays = {name: getattr(shape, name) for name in row.sizes or ()}, {}
    return {"kind": type(shape).__name__, **values}, arrays


def shape_from(values: Any, arrays: Arrays) -> Shape:
    """Return the shape of a header's values and of arrays.

    Raises:
        FileDamage: They do not describe a shape.
    """
    kind = values.get("kind") if isinstance(values, dict) else None
    found = [entry for entry in SHAPE_TABLE if entry[0].__name__ == kind]
    if not found:
        raise FileDamage("has a shape of an unknown kind")
    (cls, row), names = found[0], found[0][1].sizes or ()
    try:
        if row.stored is not None:
            return row.stored.read(values, arrays)
        if arrays or set(values) != {"kind", *names}:
            raise FileDamage("has a shape with other values than its kind has")
        return cls(*(values[name] for name in names))  # type: ignore[no-any-return]
    except KeepclearError as cause:
        raise FileDamage(f"has an invalid shape: {cause}") from cause
