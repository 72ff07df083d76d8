"""Sphere trees in files: the numbers of their cells, from which the tree is rebuilt and proved.

Cells are divided by rules, so a number in the grid of its parent defines a cell: 8 bytes for each sphere instead of
88. Centres, radii and reaches are computed as by the builder. `kernels/spheres/cover_proof.py` proves that the cells
contain the surface, and that the surface passes through each of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.spheres import cover_proof
from keepclear.kernels.spheres.pair_search import SPHERE
from keepclear.preprocess.section_file import FileDamage
from keepclear.preprocess.sphere_tree import (
    FINEST,
    MOST_CHILDREN,
    MOST_RANKS,
    STORED,
    Level,
    SphereTree,
    circumradius,
    cover_cells,
    cube_edge,
    join_levels,
    largest_grid,
    slots_in,
)
from keepclear.shapes.row import CellSurface
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import SHAPE_TABLE

__all__ = ["SPHERE_TREE_VERSION", "proved_sphere_tree", "sphere_tree_sections"]

SPHERE_TREE_VERSION = 1
"""Version of the rules of division and of the form of these arrays."""

_TYPES = {
    "root": (np.float64, 1),
    "radii": (np.float64, 1),
    "settings": (np.float64, 1),
    "sizes": (np.int32, 1),
    "counts": (np.int32, 1),
    "slots": (np.int32, 1),
}
_NOTHING = np.empty(0, np.int32)


def sphere_tree_sections(tree: SphereTree) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a sphere tree for a file.

    These are the cell of the root, the radii by which cells were divided, the accuracy and whether cells are even, the
    number of spheres of each rank, and for each sphere the number of its children and its number in its parent's grid.
    """
    even = tree.cells == "even"
    starts = tree._rank_start
    slots = [np.zeros(1, np.int64)]
    for k in range(1, len(tree._divided_by)):
        above, mine = tree._cells[starts[k - 1] : starts[k]], slice(starts[k], starts[k + 1])
        edge = cube_edge(tree._divided_by[k])
        slots.append(slots_in(tree._cells[mine], above[tree._parent[mine]], edge, even))
    return {
        "root": tree._cells[0].copy(),
        "radii": np.array(tree._divided_by),
        "settings": np.array([tree.accuracy, float(even)]),
        "sizes": np.diff(starts).astype(np.int32),
        "counts": np.diff(tree._first).astype(np.int32),
        "slots": np.concatenate(slots).astype(np.int32),
    }


def proved_sphere_tree(shape: Shape, arrays: Mapping[str, npt.NDArray[Any]]) -> SphereTree:
    """Return the sphere tree of a shape from a file; every rank covers the surface.

    Raises:
        FileDamage: It is not a sphere tree, does not cover the surface, or has spheres far away from it.
    """
    if set(arrays) != set(_TYPES) or any(
        (arrays[name].dtype, arrays[name].ndim) != (np.dtype(kind), ndim)
        for name, (kind, ndim) in _TYPES.items()
    ):
        raise FileDamage("has a sphere tree without its cells")
    surface = SHAPE_TABLE[shape].cells(shape)
    root, radii, even = _checked_settings(surface, arrays)
    ends = _checked_counts(arrays, len(radii))
    levels = [_root_level(root)]
    for k in range(1, len(radii)):
        levels.append(_unfolded(levels[-1], arrays, ends[k - 1 : k + 2], radii[k], even))
    stored = cover_cells(levels)
    tree = join_levels(
        shape, surface.pad, levels, stored, radii, float(arrays["settings"][0]), "even" if even else "source"
    )
    _prove(surface, tree, arrays["slots"], even)
    return tree


def _checked_settings(
    surface: CellSurface, arrays: Mapping[str, npt.NDArray[Any]]
) -> tuple[FloatArray, list[float], bool]:
    """Return the cell of the root, which contains the surface, the radii of ranks, and whether cells are even."""
    root, radii, settings = arrays["root"], arrays["radii"], arrays["settings"]
    if (
        root.shape != (6,)
        or not np.isfinite(root).all()
        or (root[:3] > surface.lower).any()
        or (root[3:] < surface.upper).any()
    ):
        raise FileDamage("has a sphere tree whose root does not hold the surface")
    least = FINEST * float(np.abs(root).max())
    if (
        not 1 <= len(radii) <= MOST_RANKS
        or not np.isfinite(radii).all()
        or (np.diff(radii) >= 0.0).any()
        or radii[-1] < least
        or settings.shape != (2,)
        or not least <= settings[0] < math.inf
        or settings[1] not in (0.0, 1.0)
        or (settings[0] != radii[-1] if len(radii) > 1 else settings[0] < radii[0])
        or radii[0]
        != circumradius(*(part.tolist() for part in (root[:3], root[3:], 0.5 * (root[:3] + root[3:]))))
    ):
        raise FileDamage("has a sphere tree with radii that no tree has")
    return root, radii.tolist(), bool(settings[1])


def _checked_counts(arrays: Mapping[str, npt.NDArray[Any]], n_ranks: int) -> list[int]:
    """Return the start of each rank, and the end of the last: the children of all spheres of a rank form the next."""
    sizes, counts, slots = arrays["sizes"], arrays["counts"], arrays["slots"]
    n = len(counts)
    if sizes.shape != (n_ranks,) or sizes[0] != 1 or sizes.min() < 1 or slots.shape != (n,):
        raise FileDamage("has a sphere tree with other ranks than it says")
    ends = np.concatenate([[0], np.cumsum(sizes.astype(np.int64))])
    inner = counts[: ends[-2]]
    if ends[-1] != n or counts[ends[-2] :].any() or (len(inner) and inner.min() < 1):
        raise FileDamage("has a sphere tree with other ranks than it says")
    for k in range(n_ranks - 1):
        if int(counts[ends[k] : ends[k + 1]].astype(np.int64).sum()) != sizes[k + 1]:
            raise FileDamage("has a sphere tree with other ranks than it says")
    return [int(end) for end in ends]


def _root_level(root: FloatArray) -> Level:
    lower, upper = root[:3], root[3:]
    center = 0.5 * (lower + upper)
    radius = circumradius(lower.tolist(), upper.tolist(), center.tolist())
    return Level(root[None].copy(), np.array([[*center, radius]]), np.array([-1], np.int32))


def _unfolded(
    above: Level, arrays: Mapping[str, npt.NDArray[Any]], ends: Sequence[int], radius: float, even: bool
) -> Level:
    """Return the next lower rank."""
    edge = cube_edge(radius)
    if largest_grid(above.cells, edge) > MOST_CHILDREN:
        raise FileDamage("has a sphere tree with more cells than any tree has")
    begin, middle, end = ends
    n = end - middle
    level = Level(np.empty((n, 6)), np.empty((n, SPHERE)), np.empty(n, np.int32))
    lengths = np.array([edge, math.nextafter(radius * STORED, math.inf)])
    counts, slots = arrays["counts"][begin:middle].copy(), arrays["slots"][middle:end].copy()
    if cover_proof.unfold(above.cells, counts, slots, lengths, even, *level[:3]) != 0:
        raise FileDamage("has a sphere tree with a cell that its parent does not have")
    return level


def _prove(surface: CellSurface, tree: SphereTree, slots: npt.NDArray[np.int32], even: bool) -> None:
    edges = np.array([cube_edge(radius) for radius in tree._divided_by[1:]])
    if len(edges) == 0:  # only the root, which contains the surface
        return
    is_hit = np.zeros(tree.n_spheres, np.uint8)
    ended = cover_proof.prove(
        surface.kind,
        surface.reals,
        surface.links,
        tree._cells[0].copy(),
        tree._first,
        slots.copy(),
        edges,
        even,
        surface.pad,
        is_hit,
        np.empty((len(edges), cover_proof.PLACES), np.int64),
        np.empty((len(edges), cover_proof.LENGTHS)),
    )
    if ended != cover_proof.PROVED:
        raise FileDamage("has a sphere tree that leaves out a part of the surface")
    if not is_hit[tree._rank_start[-2] :].all():
        raise FileDamage("has a sphere tree with spheres that are nowhere near the surface")
