"""The table of sections of a prepared model: their names, and the functions that write, read and prove them.

A row takes the structures of a model's shape as arrays, and adds proved arrays to a model. The shape itself is not in
the table: it comes first, and everything else is proved to belong to it. Each further stored structure needs a row
here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.preprocess import hulls, trees
from keepclear.preprocess.closure_proof import CLOSURE_VERSION, find_closure_proof, proof_from
from keepclear.preprocess.decomposition import Decomposition
from keepclear.preprocess.element_proof import ELEMENTS_VERSION, element_sections, proved_elements
from keepclear.preprocess.section_file import FileDamage
from keepclear.preprocess.sphere_tree import SphereTree
from keepclear.preprocess.sphere_tree_proof import (
    SPHERE_TREE_VERSION,
    proved_sphere_tree,
    sphere_tree_sections,
)
from keepclear.preprocess.surface import fill_closure
from keepclear.preprocess.tree_proof import TREE_VERSION, proved_tree, tree_sections
from keepclear.preprocess.virtuality import HULL_FACES_VERSION, hull_face_sections, proved_hull_faces
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.shape import Shape

__all__ = ["SECTIONS", "Model", "Section"]

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass
class Model:
    """A shape with its trees and hull, and structures that depend on more than the shape; None if not built."""

    shape: Shape
    elements: Decomposition | None = None
    sphere_tree: SphereTree | None = None


class Section(NamedTuple):
    """One row of the table.

    Attributes:
        version: Version of the builder and of the form of its arrays; files with another version are refused.
        what: Its name in a list.
        write: Takes a model and returns the arrays to store; None if nothing was built.
        read: Takes a model and arrays, and adds the proved structure to the model, or raises `FileDamage`.
    """

    version: int
    what: str
    write: Callable[[Model], Arrays | None]
    read: Callable[[Model, Arrays], None]


def _mesh(model: Model, name: str) -> Mesh:
    shape = model.shape
    if not isinstance(shape, Mesh):
        raise FileDamage(f"has the section {name!r}, which belongs to a mesh, for a {type(shape).__name__}")
    return shape


def _write_closure(model: Model) -> Arrays | None:
    shape = model.shape
    if not isinstance(shape, Mesh) or shape._closure is None:
        return None
    proof = find_closure_proof(shape._vertices, shape._triangles)
    return None if proof is None else proof._asdict()


def _read_closure(model: Model, arrays: Arrays) -> None:
    fill_closure(_mesh(model, "closure"), proof_from(arrays))


def _write_aligned(model: Model) -> Arrays | None:
    shape = model.shape
    if not isinstance(shape, Mesh) or shape._packed is None or shape._packed.aligned is None:
        return None
    return {"part": np.array([shape._packed.aligned])}


def _read_aligned(model: Model, arrays: Arrays) -> None:
    """Set the part of a mesh's area that is perpendicular to an axis; it only decides which tree is faster."""
    part = arrays.get("part")
    if (
        len(arrays) != 1
        or part is None
        or part.shape != (1,)
        or part.dtype != np.float64
        or not 0.0 <= part[0] <= 1.0
    ):
        raise FileDamage("has a fraction of its area that is not from 0 to 1")
    trees.kept_trees(_mesh(model, "aligned")).aligned = float(part[0])


def _tree(kind: Any) -> Section:
    def write(model: Model) -> Arrays | None:
        shape = model.shape
        if not isinstance(shape, Mesh) or shape._packed is None:
            return None
        tree = getattr(shape._packed, kind)
        return None if tree is None else tree_sections(tree)

    def read(model: Model, arrays: Arrays) -> None:
        mesh = _mesh(model, kind)
        trees.keep_tree(mesh, proved_tree(mesh, kind, arrays))

    what = {"obb_tree": "tree of oriented boxes", "box_tree": "tree of axis-aligned boxes"}[kind]
    return Section(TREE_VERSION[kind], what, write, read)


def _write_hull(model: Model) -> Arrays | None:
    shape = model.shape
    hull = hulls.known_hull(shape) if isinstance(shape, Mesh) else shape
    if not isinstance(hull, Convex) or hull._graph is None:
        return None
    return hulls.hull_sections(hull._points, hull._graph)


def _read_hull(model: Model, arrays: Arrays) -> None:
    shape = model.shape
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


def _write_hull_faces(model: Model) -> Arrays | None:
    shape = model.shape
    if not isinstance(shape, Mesh) or shape._packed is None or shape._packed.hull_faces is None:
        return None
    return hull_face_sections(shape._packed.hull_faces) if _write_hull(model) is not None else None


def _read_hull_faces(model: Model, arrays: Arrays) -> None:
    mesh = _mesh(model, "hull_faces")
    hull = hulls.known_hull(mesh)
    if hull is None or hull._graph is None:
        raise FileDamage("has faces of a hull, and no hull")
    trees.kept_trees(mesh).hull_faces = proved_hull_faces(mesh, hull._graph, arrays)


def _write_elements(model: Model) -> Arrays | None:
    return None if model.elements is None else element_sections(model.elements)


def _read_elements(model: Model, arrays: Arrays) -> None:
    model.elements = proved_elements(_mesh(model, "elements"), arrays)


def _write_sphere_tree(model: Model) -> Arrays | None:
    return None if model.sphere_tree is None else sphere_tree_sections(model.sphere_tree)


def _read_sphere_tree(model: Model, arrays: Arrays) -> None:
    model.sphere_tree = proved_sphere_tree(model.shape, arrays)


SECTIONS: dict[str, Section] = {
    "closure": Section(CLOSURE_VERSION, "whether it is closed", _write_closure, _read_closure),
    "aligned": Section(1, "which tree suits it", _write_aligned, _read_aligned),
    "obb_tree": _tree("obb_tree"),
    "box_tree": _tree("box_tree"),
    "hull": Section(hulls.HULL_VERSION, "convex hull with its graph", _write_hull, _read_hull),
    "hull_faces": Section(
        HULL_FACES_VERSION, "which faces of the hull are real", _write_hull_faces, _read_hull_faces
    ),
    "elements": Section(ELEMENTS_VERSION, "convex elements", _write_elements, _read_elements),
    "sphere_tree": Section(SPHERE_TREE_VERSION, "sphere tree", _write_sphere_tree, _read_sphere_tree),
}
"""Rows by name, in the order in which files have them; a row may rely on those before it."""
