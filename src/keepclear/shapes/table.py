"""The table of kinds of shapes, complete: one row for each, which everything that treats kinds differently asks.

A kind that is not in the table raises. CONTRIBUTING.md has the recipe for another row.
"""

from __future__ import annotations

from collections.abc import Iterable

from keepclear.shapes import ellipsoid, polyhedra, primitives
from keepclear.shapes.row import SHAPE_TABLE, CellKey, ShapeRow, shape_of_sizes
from keepclear.shapes.shape import Shape

__all__ = ["SHAPE_TABLE", "cell_keys", "primitive", "urdf_elements"]

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
