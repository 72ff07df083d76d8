"""Trees of axis-aligned boxes over meshes: the small structure for contacts."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError
from keepclear.kernels import box_cuts
from keepclear.kernels import box_tree as kernels
from keepclear.preprocess.surface import Surface, bare_surface, with_solid_facts
from keepclear.shapes.arguments import FloatArray, IndexArray, shown
from keepclear.shapes.mesh import Mesh, as_shape

__all__ = ["BoxTree", "build_box_tree"]

Nodes = npt.NDArray[np.float32]


class BoxTree:
    """Boxes around ever smaller parts of a mesh, down to single triangles; `kc.build_box_tree` makes it.

    All boxes have the axes of the mesh's frame. Each is its parent with something cut off along one axis, and only
    that is stored: 12 bytes per box, at most 32 bytes per triangle. `kc.collide` takes the tree in place of its mesh.
    """

    kind = "box_tree"
    __slots__ = ("__weakref__", "_bare", "_mesh", "_nodes", "_surface")

    _surface: Surface | None

    def __init__(self, mesh: Mesh, nodes: Nodes, surface: Surface) -> None:
        self._mesh, self._nodes, self._bare = mesh, nodes, surface
        self._surface = None

    @property
    def mesh(self) -> Mesh:
        """The mesh whose triangles the leaves hold."""
        return self._mesh

    @property
    def n_nodes(self) -> int:
        """How many boxes it has: 2 n - 1 for n triangles, and one for each further cut that pays."""
        return len(self._nodes) // kernels.NODE - 1

    @property
    def nbytes(self) -> int:
        """Memory of the boxes [bytes], 12 each, and 12 for the depth; vertices and triangles are the mesh's."""
        return int(self._nodes.nbytes)

    @property
    def depth(self) -> int:
        """How many boxes there are on the longest way from the root to a leaf."""
        return int(self._links[-kernels.NODE])

    @property
    def _links(self) -> npt.NDArray[np.int32]:
        return self._nodes.view(np.int32)

    @property
    def surface(self) -> Surface:
        """The mesh for the kernels, with what decides whether something is inside it; found when first asked for."""
        if self._surface is None:
            self._surface = self._bare = with_solid_facts(self._bare, self._mesh)
        return self._surface

    @property
    def arrays(self) -> tuple[FloatArray, IndexArray, Nodes, IndexArray]:
        """Surface and nodes as kernels take them; the nodes twice, as numbers and as links."""
        return *self.surface, self._nodes, self._links

    def refit(self, vertices: npt.ArrayLike) -> Self:
        """Return a tree of the same triangles with moved vertices, its boxes cut anew without sorting.

        It answers as exactly as a new tree. It is slower to search than a new one if neighbours have moved apart.

        Args:
            vertices: New positions of all vertices, (n, 3) [m].
        """
        mesh = self._mesh._with_vertices(vertices)
        surface, nodes = bare_surface(mesh), self._nodes.copy()
        order, triangles, scratch = _scratch(len(mesh._triangles))
        boxes = np.empty(12 * self.n_nodes)
        kernels.refit(*surface, order, nodes, nodes.view(np.int32), triangles, boxes, scratch)
        return type(self)(mesh, nodes, surface)

    def __reduce__(self) -> Any:
        return type(self), (self._mesh, self._nodes, self._bare)

    def __repr__(self) -> str:
        return f"BoxTree({self.n_nodes} boxes, {self.nbytes} bytes, {self._mesh!r})"


def build_box_tree(mesh: Mesh) -> BoxTree:
    """Return the tree of axis-aligned boxes of a mesh.

    Args:
        mesh: A `kc.Mesh`, or a `trimesh.Trimesh`.

    Raises:
        ArgumentError: It is another shape or no shape, or has more than 100 million triangles.

    Example:
        >>> import keepclear as kc
        >>> tree = kc.build_box_tree(kc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]))
        >>> tree.n_nodes, tree.nbytes
        (3, 48)
    """
    shape = as_shape(mesh)
    if not isinstance(shape, Mesh):
        raise ArgumentError(f"build_box_tree takes a kc.Mesh, but it was given {shown(mesh)}.")
    surface, n = bare_surface(shape), len(shape._triangles)
    if 8 * n > 3 * kernels.MOST_NODES:
        most = 3 * kernels.MOST_NODES // 8
        raise ArgumentError(
            f"build_box_tree takes at most {most} triangles, but the mesh has {n}; cut it in parts."
        )
    order, triangles, scratch = _scratch(n)
    room = np.empty(8 * n, np.float32)
    n_nodes = kernels.build(*surface, order, room, room.view(np.int32), triangles, scratch)
    return BoxTree(shape, room[: kernels.NODE * (n_nodes + 1)].copy(), surface)


def _scratch(n: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    return np.empty(n, np.int32), np.empty(box_cuts.TRIANGLE * n), np.empty(kernels.SCRATCH)
