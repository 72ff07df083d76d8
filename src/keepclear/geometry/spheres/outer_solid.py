"""The solid that a mesh bounds or nearly bounds: its components with caps on small openings, and its outer boundary.

A connected component whose openings have little area is a *shell*: caps close it, so that it has exact winding numbers.
The solid is the union of the shells, whichever way their triangles are oriented; a cavity and whatever else is inside
of a shell belong to it. What is covered does not depend on this: only how far spheres reach beyond a body does
(docs/theory/sphere-covers).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.mesh_check import Indices, component_labels, merge_and_count_edges
from keepclear.geometry.trees.trees import kept_trees, tree_of
from keepclear.kernels.trees import nearest_triangle
from keepclear.kernels.trees.winding import winding_numbers

NEARLY = 0.15
"""Largest area of the caps of a shell, as a part of its area [1].

The openings of robot links have less: 0.03 in the forearm of a UR10, 0.07 in link 6 of a Panda. A cube without a lid
has 0.2 and a bowl 0.5: a larger value would count what is in such containers as inside of them.
"""

WELD = 1e-4
"""Largest gap between ends of open edges that is closed, as a part of the size [1]: a wider one is an opening."""

SMALLEST = 1e-3
"""Smallest size of a shell, as a part of the size of the mesh [1]; smaller components are surfaces."""

FINEST = 0.01
"""Smallest triangles that are divided to leave out what is inside of other shells, as a part of the size [1]."""

UNIT = 2.0**-52
"""More than the error of a rounded midpoint, as a part of the largest coordinate [1]."""


class Shell(NamedTuple):
    """A closed mesh, with the box around it."""

    mesh: Mesh
    lower: FloatArray
    upper: FloatArray


class Outline(NamedTuple):
    """A solid with its boundary, or a surface.

    Attributes:
        mesh: The triangles of the boundary, or of the surface. The boundary may have more: nothing is missing.
        shells: Points of nonzero winding number about one of them are inside. None of a surface.
        pad: How far the true boundary or surface may be from the triangles [m].
        openings: How many caps close the shells.
    """

    mesh: Mesh
    shells: tuple[Shell, ...]
    pad: float
    openings: int = 0


def outer_solid_of(mesh: Mesh) -> tuple[Outline, ...]:
    """Return the solid that a mesh bounds or nearly bounds, and the surface that is left, as far as there is any.

    A mesh that was declared a surface with solid=False is one.
    """
    kept = kept_trees(mesh)
    if kept.outer_solid is None:
        kept.outer_solid = _outlines(mesh) if mesh._solid is not False else (Outline(mesh, (), 0.0),)
    return cast(tuple[Outline, ...], kept.outer_solid)


def _outlines(mesh: Mesh) -> tuple[Outline, ...]:
    lower, upper = mesh.bounds
    size = float(np.linalg.norm(upper - lower))
    vertices, weld = mesh._vertices, 0.0 if mesh.is_solid else WELD * size
    triangles, gap, _ = merge_and_count_edges(vertices, mesh._triangles, weld)
    a, b, c = triangles.T
    whole = np.flatnonzero((a != b) & (b != c) & (c != a))
    label = component_labels(triangles[whole], len(vertices))
    shells: list[Mesh] = []
    is_left, openings = np.ones(len(triangles), bool), 0
    for k in np.unique(label):
        which = whole[label == k]
        found = _shell(vertices, triangles[which], SMALLEST * size)
        if found is not None:
            shells.append(found[0])
            openings += found[1]
            is_left[which] = False
    if not shells:
        return (Outline(mesh, (), 0.0),)
    outlines = []
    if len(shells) == 1 and openings == 0 and gap == 0.0 and not is_left.any():
        outlines.append(Outline(mesh, shells_of([mesh]), 0.0))
    else:
        pad = gap + 64.0 * UNIT * float(np.abs(vertices).max())
        closed = shells_of(shells)
        outlines.append(Outline(_boundary(closed, FINEST * size), closed, pad, openings))
    if is_left.any():
        loose = mesh._triangles[is_left]
        outlines.append(Outline(_soup(vertices[loose]), (), 0.0))
    return tuple(outlines)


def shells_of(meshes: Sequence[Mesh]) -> tuple[Shell, ...]:
    """Return closed meshes with their boxes."""
    return tuple(Shell(mesh, *mesh.bounds) for mesh in meshes)


def _soup(corners: FloatArray) -> Mesh:
    """Return (n, 3, 3) triangles as a surface."""
    return Mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), solid=False)


def _shell(vertices: FloatArray, triangles: Indices, smallest: float) -> tuple[Mesh, int] | None:
    """Return a component closed by caps, and their number; None if they are too large, or it is too small."""
    used, links = np.unique(triangles, return_inverse=True)
    points, links = vertices[used], links.reshape(-1, 3)
    if float(np.ptp(points, axis=0).max()) <= smallest:
        return None
    loops = _loops(links, len(points))
    centers = [points[loop].mean(axis=0) for loop in loops]
    caps = [
        np.stack([np.roll(loop, -1), loop, np.full(len(loop), len(points) + k)], axis=1)
        for k, loop in enumerate(loops)
    ]
    if loops:
        points = np.concatenate([points, centers])
        openings = np.concatenate(caps)
        if area_of(points[openings]) > NEARLY * area_of(points[links]):
            return None
        links = np.concatenate([links, openings])
    return Mesh(points, links, solid=True), len(loops)


def area_of(corners: FloatArray) -> float:
    """Return the area of (n, 3, 3) triangles [m^2]."""
    a, b, c = (corners[:, k] for k in range(3))
    return 0.5 * float(np.sqrt((np.cross(b - a, c - a) ** 2).sum(axis=1)).sum())


def _loops(triangles: Indices, n: int) -> list[Indices]:
    """Return closed paths along edges that are used more often in their direction than in the other one.

    As many edges begin at a vertex as end there, so a path goes on until it comes to one of its own vertices; the part
    since then is a loop, and is removed.
    """
    tail, head = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    keys, counts = np.unique(np.concatenate([tail * n + head, head * n + tail]), return_counts=True)
    uses = np.zeros(len(keys), np.int64)
    np.add.at(uses, np.searchsorted(keys, tail * n + head), 1)
    net = 2 * uses - counts  # uses of an edge minus uses of its reverse
    onward: dict[int, list[int]] = {}
    for key, k in zip(keys[net > 0].tolist(), net[net > 0].tolist(), strict=True):
        onward.setdefault(key // n, []).extend([key % n] * k)
    loops = []
    for start in onward:
        path, at = [start], {start: 0}
        while onward[path[-1]]:
            following = onward[path[-1]].pop()
            if following in at:
                first = at[following]
                loops.append(np.array(path[first:], np.int64))
                for vertex in path[first + 1 :]:
                    del at[vertex]
                del path[first + 1 :]
            else:
                at[following] = len(path)
                path.append(following)
    return loops


def _boundary(shells: tuple[Shell, ...], finest: float) -> Mesh:
    """Return the triangles of shells without those that are proved to be inside of another shell.

    Triangles near the surface of another shell are halved, and their halves tested again. What is in the interior of a
    shell is in the interior of the union, so no path leaves the solid there.
    """
    kept = []
    for shell in shells:
        corners = shell.mesh._vertices[shell.mesh._triangles]
        while len(corners):
            middle = corners.mean(axis=1)
            radius = np.sqrt(((corners - middle[:, None]) ** 2).sum(axis=2).max(axis=1)) * (1.0 + 1e-9)
            hidden, near = np.zeros(len(corners), bool), np.zeros(len(corners), bool)
            for other in shells:
                if other is shell:
                    continue
                low, high = other.lower - radius[:, None], other.upper + radius[:, None]
                close = ((middle >= low) & (middle <= high)).all(axis=1)
                which = np.flatnonzero(close & ~hidden)
                if not len(which):
                    continue
                away = surface_distances(other.mesh, middle[which])[:, nearest_triangle.LOWER] > radius[which]
                near[which[~away]] = True
                hidden[which[away]] = points_inside((other,), middle[which[away]])
            divided = near & ~hidden & (radius > finest)
            kept.append(corners[~hidden & ~divided])
            corners = halves_of(corners[divided])
    return _soup(np.concatenate(kept))


def halves_of(corners: FloatArray) -> FloatArray:
    """Return the two halves of each of (n, 3, 3) triangles, cut at the middle of its longest edge."""
    edges = ((corners - np.roll(corners, -1, axis=1)) ** 2).sum(axis=2)
    longest, which = edges.argmax(axis=1), np.arange(len(corners))
    p, q, r = (corners[which, (longest + k) % 3] for k in range(3))
    middle = 0.5 * (p + q)
    return np.concatenate([np.stack([p, middle, r], axis=1), np.stack([middle, q, r], axis=1)])


def surface_distances(mesh: Mesh, points: FloatArray) -> FloatArray:
    """Return bounds of the distances of points (n, 3) from triangles, as rows of `kernels.trees.nearest_triangle`."""
    rows = np.empty((len(points), nearest_triangle.ROW))
    arrays = tree_of(mesh, "obb_tree").arrays
    nearest_triangle.point_distances(*arrays, np.ascontiguousarray(points).reshape(-1), rows.reshape(-1))
    return rows


def points_inside(shells: Sequence[Shell], points: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which points (n, 3) are inside of a shell; one on its surface may be either."""
    inside = np.zeros(len(points), bool)
    for mesh, lower, upper in shells:
        which = np.flatnonzero(~inside & ((points >= lower) & (points <= upper)).all(axis=1))
        if len(which):
            numbers = np.empty(len(which), np.int64)
            chosen = np.ascontiguousarray(points[which]).reshape(-1)
            winding_numbers(*tree_of(mesh, "obb_tree").arrays, chosen, numbers)
            inside[which] = numbers != 0
    return inside
