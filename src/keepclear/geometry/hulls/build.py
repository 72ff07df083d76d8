"""Convex hulls of meshes, computed once: kept with the mesh, and on disk for the next process.

Finding the 14 hulls of the demo cell takes 60 ms of process CPU, and importing the library that finds them 250 ms.
Reading them takes 20 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.geometry.hulls.check import checked_hull_graph, is_within
from keepclear.geometry.shapes.convex import Convex
from keepclear.geometry.shapes.hull import HullGraph, HullLayout, build_graph, build_hull_graph
from keepclear.geometry.shapes.hull_witness import find_witnesses
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed_hull import find_layout
from keepclear.geometry.storage.cache import digest_of, read_entry, write_entry
from keepclear.geometry.storage.section_file import FileDamage, check_arrays

HULL_VERSION = 1
"""Version of the content of files of hulls, and of the search for hulls; those of other versions are computed again."""


def hull_of(mesh: Mesh) -> Convex | None:
    """Return the convex hull of a mesh; None if it has none. It lives as long as the mesh."""
    if mesh._hull is None:
        with mesh._lock:
            if mesh._hull is None:
                object.__setattr__(mesh, "_hull", _around(mesh))
    return known_hull(mesh)


def _around(mesh: Mesh) -> Convex | bool:
    """Return the hull of a mesh, whose graph is found when it is first needed; False if it has none."""
    try:
        return Convex._around(mesh._vertices, _find_graph)
    except KeepclearError:
        return False


def known_hull(mesh: Mesh) -> Convex | None:
    """Return the convex hull of a mesh if it was found before."""
    return mesh._hull or None


def keep_hull(mesh: Mesh, graph: HullGraph) -> None:
    """Set the graph of the hull of a mesh."""
    hull = Convex._around(mesh._vertices, _find_graph)
    object.__setattr__(hull, "_graph", graph)
    object.__setattr__(mesh, "_hull", hull)


def refit_hull(mesh: Mesh, before: Mesh) -> None:
    """Set the hull of a mesh to that before its vertices moved, if that is still its hull, else compute it.

    If no vertex of the hull has moved, the hull is that of its old vertices and the moved ones, and it has not changed
    if these are inside. All other points are inside as they were.
    """
    known = known_hull(before)
    if known is None or known._graph is None:
        return
    graph, points = known._graph, mesh._vertices
    is_moved = (points != before._vertices).any(axis=1)
    if graph.proved and not is_moved[graph.point_index].any():
        moved = np.flatnonzero(is_moved)
        keep_hull(mesh, _with_moved(points, graph, moved))
    else:
        keep_hull(mesh, build_hull_graph(points))


def _with_moved(points: FloatArray, graph: HullGraph, moved: npt.NDArray[np.int64]) -> HullGraph:
    """Return the hull of points of which some that are not vertices of the hull have moved."""
    if len(moved) == 0:
        return graph
    witness = find_witnesses(points[moved], graph)
    if is_within(points[moved], witness, graph):
        layout = graph.layout
        if layout is not None:
            layout = layout._replace(witness=layout.witness.copy())
            layout.witness[moved] = witness
        return replace(graph, layout=layout, outside=None)
    candidates = np.union1d(graph.point_index, moved)
    found = build_hull_graph(points[candidates])
    return replace(found, point_index=candidates[found.point_index], layout=None, outside=None)


def hull_sections(points: FloatArray, graph: HullGraph) -> dict[str, npt.NDArray[Any]] | None:
    """Return the arrays of the hull of points for a file; None for a hull that is not proved to be convex."""
    if not graph.proved:
        return None
    layout = find_layout(points, graph) if graph.layout is None else graph.layout
    arrays = {"point_index": graph.point_index, "triangles": graph.triangles, "facet": graph.facet}
    return {name: values.astype(np.int32) for name, values in (arrays | layout._asdict()).items()}


def proved_hull(points: FloatArray, sections: Mapping[str, npt.NDArray[Any]]) -> HullGraph:
    """Return the graph of the hull of points from a file that may be forged.

    Raises:
        FileDamage: It is not the hull of these points, or cannot be proved to be.
    """
    names = ("point_index", "facet", *HullLayout._fields)
    forms = dict.fromkeys(names, (np.int32, 1)) | {"triangles": (np.int32, 2)}
    check_arrays("a hull", sections, forms)
    graph = checked_hull_graph(points, *_arrays_of(sections))
    if graph is None:
        raise FileDamage("has a hull that is not that of its points")
    return graph


def _arrays_of(sections: Mapping[str, npt.NDArray[Any]]) -> tuple[Any, ...]:
    """Return the vertices, triangles, flat faces and layout in the arrays of a file."""
    index, triangles, facet, order, table = (
        sections[name].astype(np.int64) for name in ("point_index", "triangles", "facet", "order", "table")
    )
    return index, triangles, facet, HullLayout(sections["witness"], order, table)


def _find_graph(points: FloatArray) -> HullGraph:
    """Return the graph of the hull of points, from the cache if it is there."""
    key = "hull", HULL_VERSION, digest_of("points", points)
    stored = read_entry(*key)
    if stored is not None:
        index, triangles, facet, layout = _arrays_of(stored)
        graph = build_graph(index, points[index], triangles, facet, 3, proved=True)
        return replace(graph, layout=layout)
    graph = build_hull_graph(points)
    if graph.proved:
        graph = replace(graph, layout=find_layout(points, graph))
    sections = hull_sections(points, graph)
    if sections is not None:
        write_entry(*key, sections)
    return graph
