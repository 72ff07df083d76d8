"""Common base of trees over meshes: their mesh, whose arrays kernels read, and their nodes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IndexArray, shown
from keepclear.errors import ArgumentError
from keepclear.preprocess.surface import Surface, surface_of_mesh
from keepclear.shapes.mesh import Mesh, as_shape

Nodes = npt.NDArray[np.float32]


class MeshTree(ABC):
    """A tree of boxes over the triangles of a mesh; it never changes, and stores only its boxes."""

    __slots__ = ("__weakref__", "_arrays", "_mesh", "_nodes")

    kind: ClassVar[str]

    def __init__(self, mesh: Mesh, nodes: Nodes) -> None:
        self._mesh, self._nodes = mesh, nodes
        self._arrays: tuple[FloatArray, IndexArray, Nodes, IndexArray] | None = None

    @property
    def mesh(self) -> Mesh:
        """The mesh whose triangles are in the leaves."""
        return self._mesh

    @property
    @abstractmethod
    def n_nodes(self) -> int:
        """Number of boxes."""

    @property
    def nbytes(self) -> int:
        """Memory of the boxes [bytes]; vertices and triangles are the mesh's."""
        return int(self._nodes.nbytes)

    @property
    def surface(self) -> Surface:
        """The arrays of the mesh, with the data for tests of its inside; computed on first use."""
        return surface_of_mesh(self._mesh)

    @property
    def arrays(self) -> tuple[FloatArray, IndexArray, Nodes, IndexArray]:
        """Surface and nodes in the form of kernels; the nodes twice, as numbers and as links."""
        if self._arrays is None:
            self._arrays = *self.surface, self._nodes, self._nodes.view(np.int32)
        return self._arrays

    def refit(self, vertices: npt.ArrayLike) -> Self:
        """Return a tree of the same triangles with moved vertices, its boxes refitted without sorting.

        Its results are as exact as those of a new tree. It is slower to search if neighbours have moved apart.

        Args:
            vertices: New positions of all vertices, (n, 3) [m].
        """
        return self._refitted(self._mesh._with_vertices(vertices))

    @abstractmethod
    def _refitted(self, mesh: Mesh) -> Self:
        """Return this tree over a mesh of the same triangles."""

    def __reduce__(self) -> Any:
        return type(self), (self._mesh, self._nodes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_nodes} boxes, {self.nbytes} bytes, {self._mesh!r})"


def mesh_to_build_for(builder: str, mesh: object) -> Mesh:
    """Return the mesh that a builder was given, or raise an `ArgumentError`."""
    shape = as_shape(mesh)
    if not isinstance(shape, Mesh):
        raise ArgumentError(f"{builder} takes a kc.Mesh, but it was given {shown(mesh)}.")
    return shape
