"""Trees of oriented boxes over meshes: the fast structure for contacts and distances."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError
from keepclear.kernels import obb_tree as kernels
from keepclear.preprocess.surface import Surface, bare_surface, with_solid_facts
from keepclear.shapes.arguments import FloatArray, IndexArray, shown
from keepclear.shapes.mesh import Mesh, as_shape

__all__ = ["OBBTree", "build_obb_tree"]

Nodes = npt.NDArray[np.float32]


class OBBTree:
    """Oriented boxes around ever smaller parts of a mesh, down to single triangles; `kc.build_obb_tree` makes it.

    `kc.collide` and `kc.distance` take it in place of its mesh.
    """

    kind = "obb_tree"
    __slots__ = ("__weakref__", "_bare", "_mesh", "_nodes", "_order", "_surface")

    _surface: Surface | None

    def __init__(self, mesh: Mesh, nodes: Nodes, order: IndexArray, surface: Surface) -> None:
        self._mesh, self._nodes, self._order, self._bare = mesh, nodes, order, surface
        self._surface = None

    @property
    def mesh(self) -> Mesh:
        """The mesh whose triangles the leaves hold."""
        return self._mesh

    @property
    def n_nodes(self) -> int:
        """How many boxes it has: 2 n - 1 for n triangles."""
        return len(self._nodes) // kernels.NODE

    @property
    def nbytes(self) -> int:
        """Memory of the boxes [bytes], 64 each; vertices and triangles are the mesh's."""
        return int(self._nodes.nbytes)

    @property
    def surface(self) -> Surface:
        """The mesh for the kernels, with what decides whether something is inside it; found when first asked for."""
        if self._surface is None:
            self._surface = self._bare = with_solid_facts(self._bare, self._mesh)
        return self._surface

    @property
    def arrays(self) -> tuple[FloatArray, IndexArray, Nodes, IndexArray]:
        """Surface and nodes as kernels take them; the nodes twice, as numbers and as links."""
        return *self.surface, self._nodes, self._nodes.view(np.int32)

    def refit(self, vertices: npt.ArrayLike) -> Self:
        """Return a tree of the same triangles with moved vertices, its boxes fitted anew without sorting.

        It answers as exactly as a new tree. It is slower to search than a new one if neighbours have moved apart.

        Args:
            vertices: New positions of all vertices, (n, 3) [m].
        """
        mesh = self._mesh._with_vertices(vertices)
        surface = bare_surface(mesh)
        nodes = self._nodes.copy()
        stack, axes = _scratch()
        kernels.refit(*surface, self._order, nodes, nodes.view(np.int32), stack, axes)
        return type(self)(mesh, nodes, self._order, surface)

    def __reduce__(self) -> Any:
        return type(self), (self._mesh, self._nodes, self._order, self._bare)

    def __repr__(self) -> str:
        return f"OBBTree({self.n_nodes} boxes, {self.nbytes} bytes, {self._mesh!r})"


def build_obb_tree(mesh: Mesh) -> OBBTree:
    """Return the tree of oriented boxes of a mesh.

    Args:
        mesh: A `kc.Mesh`, or a `trimesh.Trimesh`.

    Example:
        >>> import keepclear as kc
        >>> tree = kc.build_obb_tree(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]))
        >>> tree.n_nodes, tree.nbytes
        (3, 192)
    """
    shape = as_shape(mesh)
    if not isinstance(shape, Mesh):
        raise ArgumentError(f"build_obb_tree takes a kc.Mesh, but it was given {shown(mesh)}.")
    surface, n = bare_surface(shape), len(shape._triangles)
    order, nodes = np.empty(n, np.int32), np.empty(kernels.NODE * (2 * n - 1), np.float32)
    kernels.build(*surface, order, nodes, nodes.view(np.int32), *_scratch())
    return OBBTree(shape, nodes, order, surface)


def _scratch() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    return np.empty(kernels.STACK, np.int64), np.empty(9)
