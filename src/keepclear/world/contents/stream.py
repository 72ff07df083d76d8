"""Objects whose vertices and faces arrive in chunks: begin, send, end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_points
from keepclear.errors import MeshError
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.mesh_faces import Faces, checked_faces

_ANY_VERTEX = 2**31 - 1  # the number of vertices is only known at the end


class StreamedMesh:
    """An object under construction, which takes vertices and faces in any number of chunks.

    `World.begin` returns it. Use it in a `with` block: at its end the mesh is checked and added to the world, as by
    `World.add`; after an exception nothing is added.
    """

    def __init__(self, name: str, solid: bool | None, add: Callable[[Mesh], None]) -> None:
        self._name, self._solid, self._add = name, solid, add
        self._points: list[FloatArray] = []
        self._polygons: list[Faces] = []
        self._n_vertices = 0
        self._lock = Lock()  # chunks may come from several threads

    def vertices(self, vertices: npt.ArrayLike) -> int:
        """Add points (k, 3) [m], and return the index of the first of them."""
        points = checked_points(f"object {self._name!r}", "vertices", vertices, error=MeshError)
        with self._lock:
            self._points.append(points)
            first = self._n_vertices
            self._n_vertices += len(points)
        return first

    def faces(self, faces: npt.NDArray[np.integer] | Sequence[Sequence[int]]) -> None:
        """Add faces: vertex indices (k, 3) or lists for polygons; their vertices may come later."""
        if not isinstance(faces, Sequence | np.ndarray) or len(faces):
            self._polygons.append(checked_faces(f"object {self._name!r}", faces, _ANY_VERTEX))

    def end(self) -> None:
        """Build the object and add it; the `with` block does this."""
        points = np.concatenate(self._points) if self._points else np.zeros((0, 3))
        self._add(Mesh(points, _joined(self._polygons), self._solid, name=self._name))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.end()


def _joined(portions: list[Faces]) -> Any:
    """Return all faces in the form of `Mesh`: an array, or a list of arrays if their numbers of corners differ."""
    if not portions:
        return []
    counts = np.concatenate([np.diff(part.start) for part in portions])
    corners = np.concatenate([part.corners for part in portions])
    if (counts == counts[0]).all():
        return corners.reshape(len(counts), -1)
    return np.split(corners, np.cumsum(counts)[:-1])
