"""Trees of meshes from the arrays of a file: proved over the mesh before they are searched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.kernels.trees import box_tree as box_kernels
from keepclear.kernels.trees import obb_tree as obb_kernels
from keepclear.kernels.trees import tree_proof as kernels
from keepclear.preprocess.box_tree import BoxTree
from keepclear.preprocess.obb_tree import OBBTree
from keepclear.preprocess.section_file import FileDamage, check_arrays
from keepclear.preprocess.surface import bare_surface
from keepclear.shapes.mesh import Mesh

__all__ = ["proved_tree"]

Tree = OBBTree | BoxTree

MOST_LEVELS = 2048

_prove_obb: Callable[..., int] = kernels.prove_obb_tree
_prove_box: Callable[..., int] = kernels.prove_box_tree
_WHY = {
    kernels.NO_TREE: "its links make no tree over the triangles of the mesh",
    kernels.TOO_SMALL: "a box of it does not hold its triangles",
}


def proved_tree(mesh: Mesh, kind: str, sections: Mapping[str, npt.NDArray[Any]]) -> Tree:
    """Return the tree over a mesh from a file: every triangle occurs once, and is in every box above it.

    Raises:
        FileDamage: The tree is invalid.
    """
    check_arrays(kind.replace("_", " "), sections, {"nodes": (np.float32, 1)})
    nodes = sections["nodes"]
    ended = _prove_obb_tree(mesh, nodes) if kind == "obb_tree" else _prove_box_tree(mesh, nodes)
    if ended != kernels.PROVED:
        raise FileDamage(f"has {kind.replace('_', ' ')} that is none of its mesh: {_WHY[ended]}")
    return OBBTree(mesh, nodes) if kind == "obb_tree" else BoxTree(mesh, nodes)


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
