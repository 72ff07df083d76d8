"""The table of sections of a prepared model: their names, and the functions that write and read them.

A row takes the structures of a model's shape as arrays, and adds them to a model again. The shape itself is not in the
table: it comes first, and everything else has to belong to it. A file may be forged, so the reader of a row checks what
an answer depends on, or builds it from the shape (docs/threats.md, "Stored data"). Each further structure needs a row
here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError
from keepclear.geometry.decomposition.decomposition import Decomposition
from keepclear.geometry.decomposition.element_proof import ELEMENTS_VERSION, element_sections, proved_elements
from keepclear.geometry.hulls import build
from keepclear.geometry.hulls import faces as virtuality
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.spheres.tree import SphereTree, sphere_tree_from, sphere_tree_sections
from keepclear.geometry.storage.section_file import FileDamage, check_arrays
from keepclear.geometry.trees import trees
from keepclear.geometry.trees.surface import bare_surface, surface_of_mesh
from keepclear.kernels.box_trees import proof as kernels
from keepclear.kernels.box_trees import tree as box_kernels
from keepclear.kernels.trees import obb_tree as obb_kernels

Arrays = Mapping[str, npt.NDArray[Any]]

MOST_LEVELS = 2048

_prove_obb: Callable[..., int] = kernels.prove_obb_tree
_prove_box: Callable[..., int] = kernels.prove_box_tree
_WHY = {
    kernels.NO_TREE: "its links make no tree over the triangles of the mesh",
    kernels.TOO_SMALL: "a box of it does not hold its triangles",
}


def proved_tree(mesh: Mesh, kind: str, sections: Arrays) -> trees.Tree:
    """Return the tree over a mesh from a file: every triangle occurs once, and is in every box above it.

    Raises:
        FileDamage: The tree is invalid.
    """
    check_arrays(kind.replace("_", " "), sections, {"nodes": (np.float32, 1)})
    nodes = sections["nodes"]
    ended = _prove_obb_tree(mesh, nodes) if kind == "obb_tree" else _prove_box_tree(mesh, nodes)
    if ended != kernels.PROVED:
        raise FileDamage(f"has {kind.replace('_', ' ')} that is none of its mesh: {_WHY[ended]}")
    return trees.tree_of_nodes(mesh, kind, nodes)


def _prove_obb_tree(mesh: Mesh, nodes: npt.NDArray[np.float32]) -> int:
    n = len(mesh._triangles)
    if len(nodes) != obb_kernels.NODE * (2 * n - 1):
        return kernels.NO_TREE
    start, mark = np.empty(3 * n - 1, np.int32), np.empty(len(mesh._vertices), np.int32)
    waiting, corners = np.empty(kernels.WAITING, np.int32), np.empty(9 * kernels.WAITING)
    lists, stack = np.empty(9 * n), np.empty(2 * obb_kernels.STACK, np.int64)
    links = nodes.view(np.int32)
    return _prove_obb(*bare_surface(mesh), nodes, links, start, mark, waiting, corners, lists, stack)


def _prove_box_tree(mesh: Mesh, nodes: npt.NDArray[np.float32]) -> int:
    n = len(mesh._triangles)
    if (
        len(nodes) % box_kernels.NODE
        or not 2 * n * box_kernels.NODE <= len(nodes) <= 8 * n + box_kernels.NODE
    ):
        return kernels.NO_TREE
    seen = np.empty(len(nodes) // box_kernels.NODE - 1 + n, np.int32)
    scratch, slabs = np.empty(kernels.SCRATCH), np.empty(MOST_LEVELS, np.int64)
    return _prove_box(*bare_surface(mesh), nodes, nodes.view(np.int32), seen, scratch, np.empty(6), slabs)


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
        is_of_mesh: Whether only meshes have it.
        write: Takes a model and returns the arrays to store; None if nothing was built.
        read: Takes a model and arrays, and adds the structure to the model, or raises `FileDamage`.
    """

    version: int
    what: str
    is_of_mesh: bool
    write: Callable[[Model], Arrays | None]
    read: Callable[[Model, Arrays], None]


def _built(model: Model, name: str) -> Any:
    """Return a structure that is kept with a mesh, None if it was not built."""
    shape = model.shape
    return getattr(shape._packed, name) if isinstance(shape, Mesh) and shape._packed is not None else None


def _tree(kind: Any, what: str) -> Section:
    def write(model: Model) -> Arrays | None:
        tree = _built(model, kind)
        return None if tree is None else {"nodes": tree._nodes}

    def read(model: Model, arrays: Arrays) -> None:
        mesh: Any = model.shape
        trees.keep_tree(mesh, proved_tree(mesh, kind, arrays))
        surface_of_mesh(mesh)

    return Section(trees.TREE_VERSION[kind], what, True, write, read)


def _write_hull(model: Model) -> Arrays | None:
    shape = model.shape
    hull = build.known_hull(shape) if isinstance(shape, Mesh) else shape
    if not isinstance(hull, Convex) or hull._graph is None:
        return None
    found = build.hull_sections(hull._points, hull._graph)
    try:
        return found if found is None or build.proved_hull(hull._points, found) else None
    except FileDamage:  # it would be refused when it is read
        return None


def _read_hull(model: Model, arrays: Arrays) -> None:
    shape = model.shape
    if not isinstance(shape, Mesh | Convex):
        raise FileDamage(f"has a hull for a {type(shape).__name__}")
    graph = build.proved_hull(shape._vertices if isinstance(shape, Mesh) else shape._points, arrays)
    if isinstance(shape, Mesh):
        build.keep_hull(shape, graph)
    else:
        object.__setattr__(shape, "_graph", graph)


def _write_hull_faces(model: Model) -> Arrays | None:
    faces = _built(model, "hull_faces")
    return None if faces is None or _write_hull(model) is None else virtuality.hull_face_sections(faces)


def _read_hull_faces(model: Model, arrays: Arrays) -> None:
    mesh: Any = model.shape
    hull = build.known_hull(mesh)
    if hull is None or hull._graph is None:
        raise FileDamage("has faces of a hull, and no hull")
    trees.kept_trees(mesh).hull_faces = virtuality.hull_faces_from(mesh, hull._graph, arrays)


def _write_elements(model: Model) -> Arrays | None:
    return None if model.elements is None else element_sections(model.elements)


def _read_elements(model: Model, arrays: Arrays) -> None:
    mesh: Any = model.shape
    model.elements = proved_elements(mesh, arrays)


def _write_sphere_tree(model: Model) -> Arrays | None:
    return None if model.sphere_tree is None else sphere_tree_sections(model.sphere_tree)


def _read_sphere_tree(model: Model, arrays: Arrays) -> None:
    try:
        model.sphere_tree = sphere_tree_from(model.shape, arrays)
    except ArgumentError as cause:
        raise FileDamage(f"has a sphere tree that cannot be built: {cause}") from cause


SECTIONS: dict[str, Section] = {
    "obb_tree": _tree("obb_tree", "tree of oriented boxes"),
    "box_tree": _tree("box_tree", "tree of axis-aligned boxes"),
    "hull": Section(build.HULL_VERSION, "convex hull with its graph", False, _write_hull, _read_hull),
    "hull_faces": Section(2, "which faces of the hull are real", True, _write_hull_faces, _read_hull_faces),
    "elements": Section(ELEMENTS_VERSION, "convex elements", True, _write_elements, _read_elements),
    "sphere_tree": Section(2, "settings of the sphere tree", False, _write_sphere_tree, _read_sphere_tree),
}
"""Rows by name, in the order in which files have them; a row may rely on those before it."""
