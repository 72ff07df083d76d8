"""Convex hulls of meshes, found once: kept with the mesh, and on disk for the next process.

Finding the 14 hulls of the demo cell takes 60 ms of process CPU, and importing the library that finds them 250 ms.
Reading and checking them takes 20 ms.
"""

from __future__ import annotations

import weakref

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.preprocess.hull_files import StoredHull, digest_of, read_hull, write_hull
from keepclear.shapes.convex import Convex
from keepclear.shapes.hull import HullGraph, build_hull_graph
from keepclear.shapes.hull_check import checked_hull_graph
from keepclear.shapes.mesh import Mesh

__all__ = ["hull_of"]

_hulls: weakref.WeakKeyDictionary[Mesh, Convex | None] = weakref.WeakKeyDictionary()


def hull_of(mesh: Mesh) -> Convex | None:
    """Return the convex hull of a mesh, None where it has none; it lives as long as the mesh."""
    try:
        return _hulls[mesh]
    except KeyError:
        try:
            hull: Convex | None = Convex._around(mesh._vertices, _find_graph)
        except KeepclearError:
            hull = None
        _hulls[mesh] = hull
        return hull


def _find_graph(points: FloatArray) -> HullGraph:
    """Return the graph of the hull of points, from disk if it is there and is their hull."""
    digest = digest_of(points)
    stored = read_hull(digest)
    graph = None if stored is None else checked_hull_graph(points, *stored)
    if graph is not None:
        return graph
    graph = build_hull_graph(points)
    found = StoredHull(graph.point_index, graph.triangles, graph.facet)
    if graph.proved and checked_hull_graph(points, *found) is not None:  # else it would be refused each time
        write_hull(digest, found)
    return graph
