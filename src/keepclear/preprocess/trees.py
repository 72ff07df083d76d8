"""The trees of a mesh, built when they are first needed and kept beside it; those of large meshes also on disk."""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np

from keepclear.checks import shown
from keepclear.errors import ArgumentError
from keepclear.preprocess.box_tree import BoxTree, build_box_tree
from keepclear.preprocess.model_cache import (
    is_worth_keeping,
    mesh_digest,
    read_entry,
    write_entry,
)
from keepclear.preprocess.obb_tree import OBBTree, build_obb_tree
from keepclear.shapes.mesh import Mesh

Tree = OBBTree | BoxTree
Using = Literal["obb_tree", "box_tree"]

KINDS = ("obb_tree", "box_tree")
TREE_VERSION = {"obb_tree": 1, "box_tree": 1}
"""Versions of the builders and of the layouts of nodes; trees of other versions are built again."""
# Meshes with more triangles than this get a BoxTree unless another kind is requested: their oriented boxes would take
# 640 MB, a BoxTree takes a fifth.
LARGE = 5_000_000
# Meshes with at least this part of their surface across the axes of their frame, as machined parts have, are searched
# faster in BoxTrees: 3 to 4 times on parts with 3/4 (`python -m benchmarks box_tree`), half as fast with none.
ALIGNED = 0.5


def checked_using(using: object) -> Using | None:
    """Return the requested kind of tree, None for none, or raise an `ArgumentError`."""
    if using is not None and not (isinstance(using, str) and using in KINDS):
        raise ArgumentError(f"using must be None, 'obb_tree' or 'box_tree', but it is {shown(using)}.")
    return cast("Using | None", using)


class Trees:
    """The structures that have been built for a mesh so far."""

    __slots__ = (*KINDS, "aligned", "hull_faces", "outer_solid")

    obb_tree: OBBTree | None
    box_tree: BoxTree | None
    aligned: float | None
    hull_faces: Any  # `HullFaces` of `virtuality.py`
    outer_solid: Any  # outlines of `outer_solid.py`

    def __init__(self) -> None:
        self.obb_tree = self.box_tree = self.aligned = self.hull_faces = self.outer_solid = None


def tree_of(mesh: Mesh, using: Using) -> Tree:
    """Return the tree of a mesh; it is built on first use, and concurrent threads get the same tree."""
    trees = kept_trees(mesh)
    found: Tree | None = getattr(trees, using)
    if found is None:
        with mesh._lock:
            found = getattr(trees, using)
            if found is None:
                found = _recalled(mesh, using) if is_worth_keeping(mesh) else _built(mesh, using)
                setattr(trees, using, found)
    return found


def _built(mesh: Mesh, using: Using) -> Tree:
    return build_obb_tree(mesh) if using == "obb_tree" else build_box_tree(mesh)


def _recalled(mesh: Mesh, using: Using) -> Tree:
    """Return the tree that is stored in the cache, or a new one, which is then stored."""
    key = using, TREE_VERSION[using], mesh_digest(mesh)
    stored = read_entry(*key)
    if stored is not None:
        return OBBTree(mesh, stored["nodes"]) if using == "obb_tree" else BoxTree(mesh, stored["nodes"])
    tree = _built(mesh, using)
    write_entry(*key, {"nodes": tree._nodes})
    return tree


def keep_tree(mesh: Mesh, tree: Tree) -> None:
    """Set the tree of its kind that searches of a mesh use."""
    with mesh._lock:
        setattr(kept_trees(mesh), tree.kind, tree)


def kept_trees(mesh: Mesh) -> Trees:
    """Return the structures that are kept with a mesh."""
    trees: Trees | None = mesh._packed
    if trees is None:
        with mesh._lock:
            trees = mesh._packed
            if trees is None:
                trees = mesh._packed = Trees()
    return trees


def aligned_part(mesh: Mesh) -> float:
    """Return the part of a mesh's area that is perpendicular to an axis of its frame, to within 2.6 degrees."""
    trees = kept_trees(mesh)
    if trees.aligned is None:
        a, b, c = (mesh._vertices[mesh._triangles[:, i]] for i in range(3))
        normals = np.abs(np.cross(b - a, c - a))
        areas = np.sqrt(np.einsum("ij,ij->i", normals, normals))
        total = float(areas.sum())
        trees.aligned = (
            float(areas[normals.max(axis=1) >= 0.999 * areas].sum()) / total if total > 0.0 else 0.0
        )
    return trees.aligned


def trees_of(a: Mesh | Tree, b: Mesh | Tree, using: Using | None) -> tuple[Tree, Tree]:
    """Return two trees of one kind: the requested kind, that of a given tree, or the better one.

    Raises:
        ArgumentError: A given tree has another kind than the requested one, or two trees differ in kind.
    """
    if using is None and isinstance(a, Mesh) and isinstance(b, Mesh):
        best = _best_kind(a, b)
        return tree_of(a, best), tree_of(b, best)
    checked_using(using)
    given = {body.kind for body in (a, b) if not isinstance(body, Mesh)}
    if using is not None:
        given.add(using)
    if len(given) > 1:
        raise ArgumentError(
            "an OBBTree and a BoxTree cannot be searched together; give two trees of one kind (kc.build_obb_tree, "
            "kc.build_box_tree), or a mesh beside a tree, and leave `using` out."
        )
    kind: Any = given.pop()
    return (
        tree_of(a, kind) if isinstance(a, Mesh) else a,
        tree_of(b, kind) if isinstance(b, Mesh) else b,
    )


def likely_kinds(mesh: Mesh) -> tuple[Using, ...]:
    """Return the kinds of trees that queries about a mesh use, as far as the mesh itself decides."""
    if len(mesh._triangles) > LARGE:
        return ("box_tree",)
    return ("obb_tree", "box_tree") if aligned_part(mesh) >= ALIGNED else ("obb_tree",)


def _best_kind(a: Mesh, b: Mesh) -> Using:
    """Return the kind of tree for meshes: BoxTrees for very large ones and for those with faces along their axes."""
    if len(a._triangles) > LARGE or len(b._triangles) > LARGE:
        return "box_tree"
    return "box_tree" if aligned_part(a) >= ALIGNED and aligned_part(b) >= ALIGNED else "obb_tree"
