"""Elements of a surface whose vertices have moved: those that are still convex stay, the others are divided again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, read_only
from keepclear.geometry.decomposition.decomposition import Decomposition, decompose
from keepclear.geometry.decomposition.element_proof import ALMOST, certified
from keepclear.geometry.decomposition.element_search import (
    Indices,
    Settings,
    Surface,
    find_flat_faces,
    flat_within,
    in_order,
    merged_elements,
    rounding_of,
)
from keepclear.geometry.shapes.mesh import Mesh

OF_VERTICES = ("vertices", "boundary")
"""The cached values of an element that depend only on its triangles."""
OF_POSITIONS = ("hull", "center", "radius")
"""The cached values of an element that also depend on the positions of its vertices."""


def refitted_elements(elements: Decomposition, mesh: Mesh) -> Decomposition:
    """Return the elements of a mesh that has the same triangles and moved vertices.

    Elements without a moved vertex keep their cached values. The defects of the others are computed again. Those that
    are no longer flat where they were, or convex within the tolerance, are decomposed separately.

    Args:
        elements: The elements before.
        mesh: The mesh of the same triangles.
    """
    before, after = elements.mesh._vertices, mesh._vertices
    T = elements._welded
    if float(np.abs(after[T] - after[mesh._triangles]).max(initial=0.0)) > elements._seam:
        return decompose(mesh, elements.eps)  # vertices that counted as one have moved apart
    is_moved = (before != after).any(axis=1)
    is_changed = np.zeros(len(elements), bool)
    is_changed[elements.element_of[(is_moved[T] | is_moved[mesh._triangles]).any(axis=1)]] = True
    size = float(np.ptp(after[T].reshape(-1, 3), axis=0).max())
    whole = Surface(after.copy(), T, elements._seam, elements.eps, flat_within(elements.eps, size))
    defects = elements.defects.copy()
    is_broken = np.zeros(len(elements), bool)
    if is_changed.any():
        mine = np.flatnonzero(is_changed[elements.element_of])
        part, (number, face_of, element_of_face) = _selected(whole, elements, mine)
        found = certified(part, face_of, element_of_face, elements.signs[number])
        defects[number] = np.maximum(found.heights, found.flatness) + rounding_of(whole)
        is_broken[number] = (found.heights > whole.eps * ALMOST) | (found.flatness > whole.flat)
    if not is_broken.any():
        result = Decomposition(
            mesh, elements.eps, elements.signs, read_only(defects), elements.element_of, elements.n_borders, 0, T,
            elements._face_of, elements._seam,
        )  # fmt: skip
        origin = np.arange(len(elements))
    else:
        result, origin = _divided(whole, elements, mesh, defects, is_broken)
    _pass_on(elements, result, origin, is_changed)
    return result


def _selected(
    whole: Surface, elements: Decomposition, mine: Indices
) -> tuple[Surface, tuple[Indices, Indices, Indices]]:
    """Return the surface of some triangles; their elements, flat faces and the element of each, numbered from 0."""
    number, element_of = np.unique(elements.element_of[mine], return_inverse=True)
    _, face_of = np.unique(elements._face_of[mine], return_inverse=True)
    element_of_face = np.empty(int(face_of.max()) + 1, np.int64)
    element_of_face[face_of] = element_of
    part = whole._replace(triangles=np.ascontiguousarray(whole.triangles[mine]))
    return part, (number, face_of.astype(np.int64), element_of_face)


def _divided(
    whole: Surface,
    elements: Decomposition,
    mesh: Mesh,
    defects: FloatArray,
    is_broken: npt.NDArray[np.bool_],
) -> tuple[Decomposition, Indices]:
    """Return the elements with broken ones decomposed again, and the earlier number of each, -1 for new ones."""
    mine = np.flatnonzero(is_broken[elements.element_of])
    part = whole._replace(triangles=np.ascontiguousarray(whole.triangles[mine]))
    faces = find_flat_faces(part, elements.element_of[mine])
    found = merged_elements(faces, Settings(whole.eps), None)
    raw, face_of = elements.element_of.copy(), elements._face_of.copy()
    raw[mine] = len(elements) + found.element_of[faces.face_of]
    face_of[mine] = int(face_of.max()) + 1 + faces.face_of
    face_of = np.unique(face_of, return_inverse=True)[1].astype(np.int64)
    left, raw = np.unique(raw, return_inverse=True)
    signs = np.concatenate([elements.signs, found.signs])[left]
    known = np.concatenate([defects, found.heights + rounding_of(whole)])[left]
    order, element_of = in_order(raw.astype(np.int64), len(left))
    origin = np.where(left < len(elements), left, -1)[order]
    result = Decomposition(
        mesh, elements.eps, read_only(signs[order]), read_only(known[order]), read_only(element_of), elements.n_borders,
        found.tests, elements._welded, face_of, elements._seam,
    )  # fmt: skip
    return result, origin


def _pass_on(
    elements: Decomposition,
    result: Decomposition,
    origin: Indices,
    is_changed: npt.NDArray[np.bool_],
) -> None:
    """Copy the cached values of unchanged elements."""
    if "elements" not in elements.__dict__:
        return
    for new, old in enumerate(origin):
        if old >= 0:
            known = elements.elements[old].__dict__
            names = OF_VERTICES if is_changed[old] else OF_VERTICES + OF_POSITIONS
            result.elements[new].__dict__.update({name: known[name] for name in names if name in known})
