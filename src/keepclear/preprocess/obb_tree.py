"""Trees of oriented boxes over meshes: the fast structure for contacts and distances."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from keepclear.kernels.trees import obb_tree as kernels
from keepclear.kernels.trees import surface_layout as layout
from keepclear.kinds import TREES
from keepclear.preprocess.mesh_tree import MeshTree, Nodes, mesh_to_build_for
from keepclear.preprocess.surface import bare_surface
from keepclear.shapes.mesh import Mesh

__all__ = ["OBBTree", "build_obb_tree"]

SIZES = slice(layout.ORIGIN, layout.ROOT_HALF + 3)  # entries of the header of a surface


@TREES.register
class OBBTree(MeshTree):
    """A hierarchy of oriented boxes around the parts of a mesh, down to single triangles; from `kc.build_obb_tree`.

    64 bytes per box, 128 per triangle. `kc.collide` and `kc.distance` accept it in place of its mesh.
    """

    kind = "obb_tree"
    __slots__ = ()

    @property
    def n_nodes(self) -> int:
        """Number of boxes: 2 n - 1 for n triangles."""
        return len(self._nodes) // kernels.NODE

    def _refitted(self, mesh: Mesh) -> Self:
        nodes, n = self._nodes.copy(), len(mesh._triangles)
        before, after = bare_surface(self._mesh), bare_surface(mesh)
        is_moved = np.ones(n, np.uint8)
        if np.array_equal(before.reals[SIZES], after.reals[SIZES]):  # the unit of boxes
            has_moved = (self._mesh._vertices != mesh._vertices).any(axis=1)
            is_moved = has_moved[mesh._triangles].any(axis=1).astype(np.uint8)
        scratch: tuple[Any, ...] = (*_arrays(n, nodes), is_moved, np.empty(n + 1, np.int32))
        kernels.refit(*after, *scratch)
        return type(self)(mesh, nodes)


def build_obb_tree(mesh: Mesh) -> OBBTree:
    """Return the tree of oriented boxes of a mesh.

    Args:
        mesh: A `kc.Mesh`, or a `trimesh.Trimesh`.

    Examples:
        >>> import keepclear as kc
        >>> tree = kc.build_obb_tree(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]))
        >>> tree.n_nodes, tree.nbytes
        (3, 192)
    """
    shape = mesh_to_build_for("build_obb_tree", mesh)
    n = len(shape._triangles)
    nodes = np.empty(kernels.NODE * (2 * n - 1), np.float32)
    kernels.build(*bare_surface(shape), *_arrays(n, nodes))
    return OBBTree(shape, nodes)


def _arrays(n: int, nodes: Nodes) -> tuple[Any, ...]:
    """Return the arguments of kernels after the surface: the nodes, and scratch for n triangles."""
    return np.empty(n, np.int32), nodes, nodes.view(np.int32), np.empty(kernels.STACK, np.int64), np.empty(9)
