"""Sphere trees of meshes whose vertices have moved: cells beside the box around all moved triangles are kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.row import CellSurface
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.geometry.spheres.tree import (
    Level,
    SphereTree,
    build_sphere_tree,
    cover_cells,
    cube_edge,
    divided,
    join_levels,
    slots_in,
    without_childless,
)

Indices = npt.NDArray[np.int64]


class _Rank(NamedTuple):
    """A rank of the new tree while it is made.

    Attributes:
        level: Its cells, spheres and parents.
        old: The sphere of the old tree with the same cell, -1 for none.
        open_cells: The cells that a moved triangle may touch, before or after; all others have an old sphere.
        now: These cells with their triangles.
    """

    level: Level
    old: Indices
    open_cells: Indices
    now: Level


def refitted_sphere_tree(tree: SphereTree, mesh: Mesh) -> SphereTree:
    """Return the sphere tree of a mesh that has the same triangles as that of a tree, and moved vertices."""
    before = tree.shape
    assert isinstance(before, Mesh)
    surface = SHAPE_TABLE[mesh].cells(mesh)
    root, n_ranks = tree._cells[0], len(tree._divided_by)
    if (root[:3] > surface.lower).any() or (root[3:] < surface.upper).any() or n_ranks < 2:
        kept = {"ranks": n_ranks} if n_ranks > 1 else {}
        return build_sphere_tree(mesh, tree.accuracy, cells=tree.cells, **kept)  # type: ignore[arg-type]
    surface = surface._replace(pad=max(surface.pad, tree._surface_pad))
    rank = _root(tree, len(mesh._triangles))
    levels, moved = [rank.level], _moved_box(before, mesh, surface.pad)
    for k in range(1, n_ranks):
        rank = _below(tree, rank, k, surface, moved)
        levels.append(rank.level)
    levels = without_childless(levels)
    radii = list(tree._divided_by)
    return join_levels(mesh, surface.pad, levels, cover_cells(levels), radii, tree.accuracy, tree.cells)


def _moved_box(before: Mesh, after: Mesh, pad: float) -> FloatArray:
    """Return the box (6,) around all triangles of which a vertex has moved, before and after, enlarged for the test."""
    is_moved = (before._vertices != after._vertices).any(axis=1)
    corners = after._triangles[is_moved[after._triangles].any(axis=1)]
    points = np.concatenate([before._vertices[corners], after._vertices[corners]]).reshape(-1, 3)
    lower, upper = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
    return np.concatenate([lower - 2.0 * pad, upper + 2.0 * pad])


def _root(tree: SphereTree, n: int) -> _Rank:
    sphere = tree._spheres.reshape(-1, 4)[:1].copy()
    sphere[0, 3] = tree._radii[0]
    level = Level(tree._cells[:1].copy(), sphere, np.array([-1], np.int32))
    now = level._replace(start=np.array([0, n]), triangles=np.arange(n, dtype=np.int32))
    return _Rank(level, np.zeros(1, np.int64), np.zeros(1, np.int64), now)


def _below(tree: SphereTree, above: _Rank, k: int, surface: CellSurface, moved: FloatArray) -> _Rank:
    """Return rank k: open cells are divided again, the others keep their children."""
    radius, even, is_last = tree._divided_by[k], tree.cells == "even", k + 1 == len(tree._divided_by)
    fresh = divided(surface, above.now, radius, even, is_last=is_last)
    kept_in = np.ones(len(above.old), bool)
    kept_in[above.open_cells] = False
    parents = np.flatnonzero(kept_in)
    first, last = tree._first[above.old[parents]], tree._first[above.old[parents] + 1]
    kept = _ranges(first, last)
    parent = np.concatenate([above.open_cells[fresh.parent], np.repeat(parents, last - first)])
    order = np.argsort(parent, kind="stable")
    spheres = tree._spheres.reshape(-1, 4)[kept].copy()
    spheres[:, 3] = fresh.spheres[0, 3] if len(fresh.spheres) else tree._radii[k]
    level = Level(
        np.concatenate([fresh.cells, tree._cells[kept]])[order],
        np.concatenate([fresh.spheres, spheres])[order],
        parent[order].astype(np.int32),
    )
    same = _same_cells(tree, above, fresh, k)
    old = np.concatenate([same, kept])[order]
    if is_last:
        return _Rank(level, old, np.empty(0, np.int64), fresh)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    # A cell beside the box is touched by the same triangles as before.
    beside = (fresh.cells[:, :3] > moved[3:]).any(axis=1) | (fresh.cells[:, 3:] < moved[:3]).any(axis=1)
    chosen = np.flatnonzero(~beside | (same < 0))
    return _Rank(level, old, place[chosen], _taken(fresh, chosen))


def _same_cells(tree: SphereTree, above: _Rank, fresh: Level, k: int) -> Indices:
    """Return for each fresh cell the sphere of the old tree in the same cell of the same parent, -1 without one."""
    begin, end = tree._rank_start[k], tree._rank_start[k + 1]
    edge, even = cube_edge(tree._divided_by[k]), tree.cells == "even"
    old_parent = tree._rank_start[k - 1] + tree._parent[begin:end].astype(np.int64)
    known = _keys(old_parent, slots_in(tree._cells[begin:end], tree._cells[old_parent], edge, even))
    parent = above.open_cells[fresh.parent]
    wanted = _keys(above.old[parent], slots_in(fresh.cells, above.level.cells[parent], edge, even))
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    found = (known[at] == wanted) & (above.old[parent] >= 0)
    return np.where(found, begin + at, -1)


def _keys(parent: npt.NDArray[np.integer], slot: Indices) -> Indices:
    """Return one number for a parent and a number in its grid; it increases in the order of trees."""
    return np.asarray((parent.astype(np.int64) << 25) + slot)


def _ranges(first: npt.NDArray[np.integer], last: npt.NDArray[np.integer]) -> Indices:
    """Return the concatenated numbers of all ranges from `first` to `last`."""
    count = (last - first).astype(np.int64)
    begin = np.cumsum(count) - count
    return np.asarray(np.arange(int(count.sum())) - np.repeat(begin - first, count), np.int64)


def _taken(level: Level, chosen: Indices) -> Level:
    """Return some cells of a level, with their triangles."""
    first, last = level.start[chosen], level.start[chosen + 1]
    start = np.concatenate([[0], np.cumsum(last - first)])
    triangles = level.triangles[_ranges(first, last)]
    return Level(level.cells[chosen], level.spheres[chosen], level.parent[chosen], start, triangles)
