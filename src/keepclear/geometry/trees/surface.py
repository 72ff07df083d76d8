"""The data of a mesh's surface for kernels, written into the arrays of the mesh.

Trees and searches read the arrays in which the mesh stores its vertices and triangles, so these exist once for all
trees of a mesh. The header before the vertices is filled in two steps, each when it is first needed: sizes, and the
data for tests of its inside. No kernel that reads an entry of the second step gets the arrays before it.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from keepclear.checks import FloatArray, IndexArray
from keepclear.errors import MeshError
from keepclear.geometry.shapes.mesh import Mesh, used_columns
from keepclear.geometry.shapes.mesh_check import first_at_position
from keepclear.kernels.tables import surface as layout
from keepclear.kernels.triangles.components import find_seeds
from keepclear.tolerances import SMALLEST_MESH

ROUND_UP = 1 + 2**-50  # upper bound of the rounding of a difference or a norm


class Surface(NamedTuple):
    """One surface for the kernels: see `kernels.trees.surface_layout` for the layout."""

    reals: FloatArray
    links: IndexArray


def surface_of_mesh(mesh: Mesh) -> Surface:
    """Return the arrays of a mesh, with its seeds and whether it is solid.

    Raises:
        MeshError: It is too small for boxes in single precision.
    """
    found: Surface | None = mesh._surface
    if found is None or len(found.links) == mesh._triangles.size:  # without seeds
        with mesh._lock:
            found = bare_surface(mesh)
            if len(found.links) == mesh._triangles.size:
                found = _with_solid_facts(mesh, found)
    return found


def bare_surface(mesh: Mesh) -> Surface:
    """Return the arrays of a mesh, at least with its sizes: enough to build trees over them.

    Whether a mesh is closed takes longer to find out than all of this.

    Raises:
        MeshError: It is too small for boxes in single precision.
    """
    if mesh._surface is None:
        with mesh._lock:
            if mesh._surface is None:
                _write_sizes(mesh)
                _keep(mesh, Surface(mesh._reals, mesh._links[: mesh._triangles.size]))
    return cast(Surface, mesh._surface)


def _write_sizes(mesh: Mesh) -> None:
    """Fill the entries of the header that need only one pass over vertices and triangles."""
    vertices, reals = mesh._vertices, mesh._reals
    columns = used_columns(vertices, mesh._triangles)
    lower, upper = columns.min(axis=1), columns.max(axis=1)
    extent = float((upper - lower).max())
    if 0.0 < extent < SMALLEST_MESH:
        label = "Mesh" if mesh.name is None else f"mesh {mesh.name!r}"
        raise MeshError(f"{label} extends {extent:g} m, less than {SMALLEST_MESH:g} m; give it in metres.")
    reals[layout.EXTENT] = np.sqrt(np.einsum("ij,ij->j", columns, columns).max()) * ROUND_UP
    reals[layout.N_TRIANGLES] = len(mesh._triangles)
    origin = 0.5 * (lower + upper)
    reals[layout.ORIGIN : layout.ORIGIN + 3] = origin
    reals[layout.ROOT_HALF : layout.ROOT_HALF + 3] = np.maximum(upper - origin, origin - lower) * ROUND_UP


def _with_solid_facts(mesh: Mesh, bare: Surface) -> Surface:
    """Return the surface with the further data of the test for one solid inside another."""
    n, is_solid = mesh._triangles.size, mesh.is_solid
    seeds = np.empty(len(mesh._vertices), np.int32)
    seeds = seeds[: find_seeds(*bare, first_at_position(mesh._vertices), seeds)]
    if n + len(seeds) > len(mesh._links):
        mesh._set_links(np.concatenate([bare.links, seeds]), n)
    else:
        mesh._links[n : n + len(seeds)] = seeds
    reals = mesh._reals
    reals[layout.N_SEEDS], reals[layout.SOLID] = len(seeds), is_solid
    reals[layout.SEAM] = mesh._closed.seam_gap * ROUND_UP if is_solid else 0.0
    return _keep(mesh, Surface(reals, mesh._links[: n + len(seeds)]))


def _keep(mesh: Mesh, surface: Surface) -> Surface:
    object.__setattr__(mesh, "_surface", surface)
    return surface
