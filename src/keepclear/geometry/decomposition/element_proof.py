"""Given elements, from a file or after their vertices have moved, which are certified again instead of searched.

Only the triangles of each element have to be given. Planes, defects and borders are computed from the mesh, in
O(n log n) with one tree of boxes for each element, whereas the search compares pairs of elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.geometry.decomposition.decomposition import Decomposition
from keepclear.geometry.decomposition.element_search import (
    Indices,
    Surface,
    count_borders,
    face_tables,
    in_order,
    rounding_of,
    spread,
    triangle_planes,
    welded_surface,
)
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.storage.section_file import FileDamage, check_arrays
from keepclear.kernels.decomposition import merging

ELEMENTS_VERSION = 2
"""Version of the form of these arrays, and of the definition of an element."""

ALMOST = 1.0 + 1e-9
"""Heights are compared with a tolerance enlarged by this factor [1]: they are summed in another order here."""

_CELLS = 1 << 10  # cells along each axis by which faces are ordered


class Certificate(NamedTuple):
    """The certified values of given elements.

    Attributes:
        heights: Greatest height of a vertex of each above the plane of one of its faces [m]; beyond the tolerance it is
            not exact.
        flatness: Greatest distance of a vertex of a flat face of each from its plane [m].
    """

    heights: FloatArray
    flatness: FloatArray


def certified(
    surface: Surface, face_of: Indices, element_of_face: Indices, signs: npt.NDArray[np.int8]
) -> Certificate:
    """Return the heights of the vertices of elements, given by the flat face of each triangle and the element of each.

    The plane of a flat face is that of its largest triangle, as in the search.
    """
    V, T, n_faces, n = surface.vertices, surface.triangles, len(element_of_face), len(signs)
    planes = _face_planes(surface, face_of, n_faces)
    flat = np.zeros(n)
    np.maximum.at(flat, element_of_face, spread(V, T, face_of, planes))
    start, vertex = face_tables(T, face_of, n_faces, len(V))
    faces = np.lexsort((_position(V, start, vertex), element_of_face))
    first = np.searchsorted(element_of_face[faces], np.arange(n + 1))
    heights, boxes = np.empty(n), np.empty((2 * int(np.diff(first).max(initial=1)), 6))
    merging.highest_vertices(
        V, planes, start, vertex, faces, first, signs.astype(np.float64), surface.eps * ALMOST, boxes, heights
    )  # fmt: skip
    return Certificate(heights, flat)


def _face_planes(surface: Surface, face_of: Indices, n_faces: int) -> FloatArray:
    """Return the plane of the largest triangle of each flat face, (n, 4); zeros where all are too thin."""
    normals, areas, is_thin = triangle_planes(surface.vertices, surface.triangles, surface.flat)
    areas = np.where(is_thin, -1.0, areas)
    order = np.lexsort((-areas, face_of))
    largest = order[np.searchsorted(face_of[order], np.arange(n_faces))]
    normal = normals[largest]
    offset = np.einsum("ij,ij->i", surface.vertices[surface.triangles[largest, 0]], normal)
    return np.ascontiguousarray(np.c_[normal, offset])


def _position(V: FloatArray, start: Indices, vertex: Indices) -> Indices:
    """Return a number for each face along a space-filling curve; nearby faces have similar numbers."""
    middle = V[vertex[start[:-1]]]
    low, size = middle.min(axis=0), float(np.ptp(middle, axis=0).max())
    cell = ((middle - low) * ((_CELLS - 1) / size if size > 0.0 else 0.0)).astype(np.int64)
    for shift, mask in ((16, 0x30000FF), (8, 0x300F00F), (4, 0x30C30C3), (2, 0x9249249)):
        cell = (cell | (cell << shift)) & mask
    return np.asarray(cell[:, 0] | (cell[:, 1] << 1) | (cell[:, 2] << 2))


def element_sections(elements: Decomposition) -> dict[str, npt.NDArray[Any]]:
    """Return arrays of elements for a file: flat faces of triangles, elements of flat faces, signs, and a tolerance."""
    element_of_face = np.empty(int(elements._face_of.max()) + 1, np.int32)
    element_of_face[elements._face_of] = elements.element_of
    return {
        "face_of": elements._face_of.astype(np.int32),
        "element_of_face": element_of_face,
        "signs": elements.signs.astype(np.int32),
        "eps": np.array([elements.eps]),
    }


def proved_elements(mesh: Mesh, arrays: Mapping[str, npt.NDArray[Any]]) -> Decomposition:
    """Return the elements of a mesh from a file: every triangle is in one, each is convex within the tolerance.

    Raises:
        FileDamage: The elements are invalid.
    """
    integers = ("face_of", "element_of_face", "signs")
    check_arrays("elements", arrays, dict.fromkeys(integers, (np.int32, 1)) | {"eps": (np.float64, 1)})
    face_of, element_of_face, signs = (arrays[name].astype(np.int64) for name in integers)
    if (
        len(face_of) != len(mesh._triangles)
        or not _numbers_all(face_of, len(element_of_face))
        or not _numbers_all(element_of_face, len(signs))
        or not np.isin(signs, (-1, 1)).all()
    ):
        raise FileDamage("has elements that do not have each triangle once")
    element_of = element_of_face[face_of]
    if not np.array_equal(in_order(element_of, len(signs))[0], np.arange(len(signs))):
        raise FileDamage("has elements in another order than that of their triangles")
    eps = arrays["eps"]
    if len(eps) != 1 or not 0.0 <= eps[0] < np.inf:
        raise FileDamage("has elements with a tolerance that none has")
    surface = welded_surface(mesh, float(eps[0]))
    known = signs.astype(np.int8)
    found = certified(surface, face_of, element_of_face, known)
    defects = np.maximum(found.heights, found.flatness) + rounding_of(surface)
    if (defects > surface.eps * ALMOST + 2.0 * rounding_of(surface)).any():
        raise FileDamage("has an element that is not convex within its tolerance")
    return Decomposition(
        mesh, surface.eps, read_only(known), read_only(defects), read_only(element_of),
        count_borders(surface.triangles, len(mesh._vertices)), 0, surface.triangles, face_of, surface.seam,
    )  # fmt: skip


def _numbers_all(number: Indices, n: int) -> bool:
    """Return whether numbers are from 0 to n - 1, and each occurs."""
    return (
        len(number) > 0
        and int(number.min()) >= 0
        and int(number.max()) < n
        and bool(np.bincount(number, minlength=n).all())
    )
