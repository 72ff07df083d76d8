"""Trees of axis-aligned boxes over meshes: the small structure for contacts."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError
from keepclear.kernels.trees import box_cuts
from keepclear.kernels.trees import box_tree as kernels
from keepclear.kinds import TREES
from keepclear.preprocess.mesh_tree import MeshTree, mesh_to_build_for
from keepclear.preprocess.surface import bare_surface
from keepclear.shapes.mesh import Mesh

__all__ = ["BoxTree", "build_box_tree"]


@TREES.register
class BoxTree(MeshTree):
    """A hierarchy of axis-aligned boxes around the parts of a mesh, down to single triangles; from `kc.build_box_tree`.

    All boxes have the axes of the mesh's frame. Each is its parent shortened along one axis, and only that cut
    is stored: 12 bytes per box, at most 32 bytes per triangle. `kc.collide` accepts the tree in place of its mesh.
    """

    kind = "box_tree"
    __slots__ = ()

    @property
    def n_nodes(self) -> int:
        """Number of boxes: 2 n - 1 for n triangles, and one for each additional cut that pays."""
        return len(self._nodes) // kernels.NODE - 1

    @property
    def depth(self) -> int:
        """Number of boxes on the longest path from the root to a leaf."""
        return int(self._nodes[-kernels.NODE :].view(np.int32)[0])

    def _refitted(self, mesh: Mesh) -> Self:
        surface, nodes = bare_surface(mesh), self._nodes.copy()
        order, triangles, scratch = _scratch(len(mesh._triangles))
        boxes = np.empty(12 * self.n_nodes)
        kernels.refit(*surface, order, nodes, nodes.view(np.int32), triangles, boxes, scratch)
        return type(self)(mesh, nodes)


def build_box_tree(mesh: Mesh) -> BoxTree:
    """Return the tree of axis-aligned boxes of a mesh.

    Args:
        mesh: A `kc.Mesh`, or a `trimesh.Trimesh`.

    Raises:
        ArgumentError: It is not a mesh, or has more than 100 million triangles.

    Examples:
        >>> import keepclear as kc
        >>> tree = kc.build_box_tree(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]))
        >>> tree.n_nodes, tree.nbytes
        (3, 48)
    """
    shape = mesh_to_build_for("build_box_tree", mesh)
    surface, n = bare_surface(shape), len(shape._triangles)
    if 8 * n > 3 * kernels.MOST_NODES:
        most = 3 * kernels.MOST_NODES // 8
        raise ArgumentError(
            f"build_box_tree takes at most {most} triangles, but the mesh has {n}; cut it in parts."
        )
    order, triangles, scratch = _scratch(n)
    nodes = np.empty(8 * n, np.float32)
    n_nodes = kernels.build(*surface, order, nodes, nodes.view(np.int32), triangles, scratch, kernels.FULL)
    return BoxTree(shape, nodes[: kernels.NODE * (n_nodes + 1)].copy())


def _scratch(n: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    return np.empty(n, np.int32), np.empty(box_cuts.TRIANGLE * n), np.empty(kernels.SCRATCH)
