"""What trees over meshes have in common: their mesh, their nodes, and the surface that kernels read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError
from keepclear.preprocess.surface import Surface, with_solid_facts
from keepclear.shapes.arguments import FloatArray, IndexArray, shown
from keepclear.shapes.mesh import Mesh, as_shape

Nodes = npt.NDArray[np.float32]


class MeshTree(ABC):
    """A tree of boxes over the triangles of a mesh; it never changes."""

    __slots__ = ("__weakref__", "_arrays", "_bare", "_mesh", "_nodes", "_surface")

    kind: ClassVar[str]

    def __init__(self, mesh: Mesh, nodes: Nodes, surface: Surface) -> None:
        self._mesh, self._nodes, self._bare = mesh, nodes, surface
        self._surface: Surface | None = None
        self._arrays: tuple[FloatArray, IndexArray, Nodes, IndexArray] | None = None

    @property
    def mesh(self) -> Mesh:
        """The mesh whose triangles the leaves hold."""
        return self._mesh

    @property
    @abstractmethod
    def n_nodes(self) -> int:
        """How many boxes it has."""

    @property
    def nbytes(self) -> int:
        """Memory of the boxes [bytes]; vertices and triangles are the mesh's."""
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
        if self._arrays is None:
            self._arrays = *self.surface, self._nodes, self._links
        return self._arrays

    @property
    def _links(self) -> IndexArray:
        """The nodes as integers."""
        return self._nodes.view(np.int32)

    @abstractmethod
    def refit(self, vertices: npt.ArrayLike) -> Self:
        """Return a tree of the same triangles with moved vertices, its boxes fitted anew without sorting.

        It answers as exactly as a new tree. It is slower to search than a new one if neighbours have moved apart.

        Args:
            vertices: New positions of all vertices, (n, 3) [m].
        """

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_nodes} boxes, {self.nbytes} bytes, {self._mesh!r})"


def mesh_to_build_for(builder: str, mesh: object) -> Mesh:
    """Return the mesh that a builder was given, or raise an `ArgumentError`."""
    shape = as_shape(mesh)
    if not isinstance(shape, Mesh):
        raise ArgumentError(f"{builder} takes a kc.Mesh, but it was given {shown(mesh)}.")
    return shape
