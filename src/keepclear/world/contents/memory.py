"""The memory of shapes and of the trees that were built for them, each array counted once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import numpy as np

from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import Packed
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.trees.trees import Trees


def memory_of(bodies: Iterable[Geometry]) -> int:
    """Return the memory of the arrays of shapes and trees [bytes]; shared arrays count once."""
    owners = {}
    for body in bodies:
        for array in _arrays_of(body):
            owner = _owner(array)
            owners[id(owner)] = owner
    return sum(owner.nbytes for owner in owners.values())


def _arrays_of(body: Geometry) -> Iterator[np.ndarray]:
    """Yield the arrays that a body holds now, without building any."""
    if not isinstance(body, Shape):
        yield body._nodes
        yield from _arrays_of(body.mesh)
        return
    if isinstance(body, Mesh):
        yield from (body._reals, body._links, body._triangle_face, *(body._polygons or ()))
    if isinstance(body, Convex):
        yield body._points
        if body._graph is not None:
            fields = (getattr(body._graph, field.name) for field in dataclasses.fields(body._graph))
            yield from (value for value in fields if isinstance(value, np.ndarray))
    kept = body._packed
    if isinstance(kept, Trees):
        yield from (tree._nodes for tree in (kept.obb_tree, kept.box_tree) if tree is not None)
    elif isinstance(kept, Packed):
        yield from kept


def _owner(array: np.ndarray) -> np.ndarray:
    """Return the array that owns the memory of a view, or the array itself."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
