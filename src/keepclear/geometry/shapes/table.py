"""The table of kinds of shapes, complete: one row for each, which everything that treats kinds differently asks.

A kind that is not in the table raises. CONTRIBUTING.md has the recipe for another row.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy.typing as npt

from keepclear.errors import KeepclearError
from keepclear.files.access import FileDamage
from keepclear.geometry.shapes import ellipsoid, polyhedra, primitives
from keepclear.geometry.shapes.row import SHAPE_TABLE, Arrays, CellKey, ShapeRow, shape_of_sizes
from keepclear.geometry.shapes.shape import Shape

__all__ = ["SHAPE_TABLE", "cell_keys", "primitive", "shape_from", "shape_values", "urdf_elements"]

assert all((ellipsoid, polyhedra, primitives)), "modules that add rows"


def cell_keys() -> dict[str, tuple[type[Shape], ShapeRow, CellKey]]:
    """Return the kinds that cell files may have, by their keys."""
    return {row.cell.key: (cls, row, row.cell) for cls, row in SHAPE_TABLE if row.cell is not None}


def urdf_elements() -> dict[str, tuple[type[Shape], ShapeRow]]:
    """Return the kinds that robot files may have, by their elements."""
    return {row.urdf: (cls, row) for cls, row in SHAPE_TABLE if row.urdf is not None}


def primitive(element: str, numbers: Iterable[float]) -> Shape:
    """Return the shape of an element of robot files that is given by its sizes, one after the other."""
    cls, row = urdf_elements()[element]
    assert row.sizes is not None, element
    return shape_of_sizes(cls, row.sizes, numbers)


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
