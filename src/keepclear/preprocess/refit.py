"""Meshes whose vertices have moved: their structures are updated where something has changed."""

from __future__ import annotations

import numpy.typing as npt

from keepclear.preprocess.hulls import known_hull, refit_hull
from keepclear.preprocess.surface import surface_of_mesh
from keepclear.preprocess.trees import KINDS, keep_tree, kept_trees
from keepclear.preprocess.virtuality import hull_faces_of
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.packed_hull import pack_hull

__all__ = ["refitted_mesh"]


def refitted_mesh(mesh: Mesh, vertices: npt.ArrayLike) -> Mesh:
    """Return a mesh of the same triangles with moved vertices, and with the updated structures of the mesh before.

    Boxes of trees are fitted to triangles that have moved; the order of triangles in them stays. The hull stays if no
    vertex of it has moved and no other has left it. Whether the mesh is closed depends on positions, so it is
    determined again.

    Raises:
        MeshError: The array has another shape, or a number in it is not finite.
    """
    moved = mesh._with_vertices(vertices)
    before, after = kept_trees(mesh), kept_trees(moved)
    surface_of_mesh(moved)
    after.aligned = before.aligned  # it decides which tree is faster, and no answer
    for kind in KINDS:
        tree = getattr(before, kind)
        if tree is not None:
            keep_tree(moved, tree._refitted(moved))
    refit_hull(moved, mesh)
    hull = known_hull(moved)
    if hull is not None:
        pack_hull(hull)
    if before.hull_faces is not None:
        hull_faces_of(moved)
    return moved
