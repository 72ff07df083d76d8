"""The table of sections of a prepared model: what each is called, and who writes, reads and proves it.

A row takes from a shape what has been built for it, as arrays, and gives arrays back to a shape, proved. The shape
itself is not in the table: it comes first, and everything else is proved to belong to it. Another structure that is
worth keeping is another row here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.preprocess import hulls, trees
from keepclear.preprocess.closure_proof import CLOSURE_VERSION, find_closure_proof, proof_from
from keepclear.preprocess.section_file import FileDamage
from keepclear.preprocess.surface import fill_closure
from keepclear.preprocess.tree_proof import TREE_VERSION, proved_tree, tree_sections
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.shape import Shape

__all__ = ["SECTIONS", "Section"]

Arrays = Mapping[str, npt.NDArray[Any]]


class Section(NamedTuple):
    """One row of the table.

    Attributes:
        version: Number of the builder and of the form of its arrays; files with another number are refused.
        what: What it is called in a list.
        write: Takes a shape and returns the arrays to keep, None where nothing was built.
        read: Takes a shape and arrays, and gives the shape what they prove; else raises `FileDamage`.
    """

    version: int
    what: str
    write: Callable[[Shape], Arrays | None]
    read: Callable[[Shape, Arrays], None]


def _mesh(shape: Shape, name: str) -> Mesh:
    if not isinstance(shape, Mesh):
        raise FileDamage(f"has the section {name!r}, which belongs to a mesh, for a {type(shape).__name__}")
    return shape


def _write_closure(shape: Shape) -> Arrays | None:
    if not isinstance(shape, Mesh) or shape._closure is None:
        return None
    proof = find_closure_proof(shape._vertices, shape._triangles)
    return None if proof is None else proof._asdict()


def _read_closure(shape: Shape, arrays: Arrays) -> None:
    fill_closure(_mesh(shape, "closure"), proof_from(arrays))


def _write_aligned(shape: Shape) -> Arrays | None:
    if not isinstance(shape, Mesh) or shape._packed is None or shape._packed.aligned is None:
        return None
    return {"part": np.array([shape._packed.aligned])}


def _read_aligned(shape: Shape, arrays: Arrays) -> None:
    """Give a mesh the part of its area that is square to an axis: it decides which tree is faster, and no answer."""
    part = arrays.get("part")
    if (
        len(arrays) != 1
        or part is None
        or part.shape != (1,)
        or part.dtype != np.float64
        or not 0.0 <= part[0] <= 1.0
    ):
        raise FileDamage("has a part of its area that is no part")
    trees.kept_trees(_mesh(shape, "aligned")).aligned = float(part[0])


def _tree(kind: Any) -> Section:
    def write(shape: Shape) -> Arrays | None:
        if not isinstance(shape, Mesh) or shape._packed is None:
            return None
        tree = getattr(shape._packed, kind)
        return None if tree is None else tree_sections(tree)

    def read(shape: Shape, arrays: Arrays) -> None:
        mesh = _mesh(shape, kind)
        trees.keep_tree(mesh, proved_tree(mesh, kind, arrays))

    what = {"obb_tree": "tree of oriented boxes", "box_tree": "tree of axis-aligned boxes"}[kind]
    return Section(TREE_VERSION[kind], what, write, read)


def _write_hull(shape: Shape) -> Arrays | None:
    hull = hulls.known_hull(shape) if isinstance(shape, Mesh) else shape
    if not isinstance(hull, Convex) or hull._graph is None:
        return None
    return hulls.hull_sections(hull._points, hull._graph)


def _read_hull(shape: Shape, arrays: Arrays) -> None:
    if not isinstance(shape, Mesh | Convex):
        raise FileDamage(f"has a hull for a {type(shape).__name__}")
    points = shape._vertices if isinstance(shape, Mesh) else shape._points
    graph = hulls.proved_hull(points, arrays)
    if graph is None:
        raise FileDamage("has a hull that is not that of its points")
    if isinstance(shape, Mesh):
        hulls.keep_hull(shape, graph)
    else:
        object.__setattr__(shape, "_graph", graph)


SECTIONS: dict[str, Section] = {
    "closure": Section(CLOSURE_VERSION, "whether it is closed", _write_closure, _read_closure),
    "aligned": Section(1, "which tree suits it", _write_aligned, _read_aligned),
    "obb_tree": _tree("obb_tree"),
    "box_tree": _tree("box_tree"),
    "hull": Section(hulls.HULL_VERSION, "convex hull with its graph", _write_hull, _read_hull),
}
"""Rows by name, in the order in which files have them; a row may rely on those before it."""
