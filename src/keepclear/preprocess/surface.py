"""Meshes as the flat arrays that the kernels for surfaces read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.errors import MeshError
from keepclear.kernels.motion.pieces import find_seeds
from keepclear.shapes.arguments import FloatArray, IndexArray
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.mesh_edges import first_at_position
from keepclear.tolerances import SMALLEST_MESH

# Where the header of `Surface.reals` holds what; the vertices follow it, x, y, z each.
EXTENT, RADIUS, N_TRIANGLES, N_SEEDS, SOLID, SEAM = 0, 1, 2, 3, 4, 5
ORIGIN = 6  # centre of the box around the used vertices, three numbers
HALF = 9  # half sizes of that box, three numbers
HEADER = 16

ROUND_UP = 1 + 2**-50  # more than covers the rounding of a difference or a norm


class Surface(NamedTuple):
    """One surface for the kernels.

    `reals` has the header and then the vertices; `links` has three corners per triangle and then the seeds: one
    vertex of each piece of the surface. Pieces share no vertex position.
    """

    reals: FloatArray
    links: IndexArray


def surface_of_mesh(mesh: Mesh) -> Surface:
    """Return all arrays of a mesh, with its seeds and whether it is solid."""
    return with_solid_facts(bare_surface(mesh), mesh)


def bare_surface(mesh: Mesh) -> Surface:
    """Return the arrays of a mesh without seeds, marked as not solid: enough to build trees and to see surfaces meet.

    Whether a mesh is closed takes ten times as long to find out as all of this.
    """
    vertices, corners = mesh._vertices, mesh._triangles.ravel()
    is_used = np.zeros(len(vertices), dtype=bool)
    is_used[corners] = True
    used = vertices if is_used.all() else vertices[is_used]
    reals = np.zeros(HEADER + vertices.size)
    reals[EXTENT] = np.sqrt(np.einsum("ij,ij->i", used, used).max()) * ROUND_UP
    reals[N_TRIANGLES] = len(mesh._triangles)
    columns = np.ascontiguousarray(used.T)  # minima along rows are ten times faster
    lower, upper = columns.min(axis=1), columns.max(axis=1)
    extent = float((upper - lower).max())
    if 0.0 < extent < SMALLEST_MESH:
        label = "Mesh" if mesh.name is None else f"mesh {mesh.name!r}"
        raise MeshError(f"{label} extends {extent:g} m, less than {SMALLEST_MESH:g} m; give it in metres.")
    origin = 0.5 * (lower + upper)
    reals[ORIGIN : ORIGIN + 3] = origin
    reals[HALF : HALF + 3] = np.maximum(upper - origin, origin - lower) * ROUND_UP
    reals[HEADER:] = vertices.ravel()
    return Surface(reals, corners.copy())


def with_solid_facts(surface: Surface, mesh: Mesh) -> Surface:
    """Return a bare surface with what the test for one solid inside another needs besides."""
    reals, is_solid = surface.reals.copy(), mesh.is_solid
    seeds = np.empty(len(mesh._vertices), np.int32)
    seeds = seeds[: find_seeds(reals, surface.links, first_at_position(mesh._vertices), seeds)]
    reals[N_SEEDS], reals[SOLID] = len(seeds), is_solid
    reals[SEAM] = mesh.check.seam_gap * ROUND_UP if is_solid else 0.0
    return Surface(reals, np.concatenate([surface.links, seeds]))
