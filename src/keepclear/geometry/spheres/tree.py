"""Sphere trees: ranks of ever smaller spheres that provably cover the surface of a shape."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import (
    FloatArray,
    IndexArray,
    checked_choice,
    checked_positive,
    is_whole,
    read_only,
    real_number,
    shown,
)
from keepclear.errors import ArgumentError
from keepclear.geometry.shapes.mesh import Mesh, as_shape
from keepclear.geometry.shapes.row import CellSurface
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.geometry.storage.section_file import FileDamage, check_arrays
from keepclear.kernels.spheres import division
from keepclear.kernels.spheres import division as forms
from keepclear.kernels.spheres.pair_search import SPHERE
from keepclear.kinds import SPHERE_TREES
from keepclear.results import compared_by_content
from keepclear.unchanging import Unchanging

__all__ = ["SphereRank", "SphereTree", "build_sphere_tree"]

Cells = Literal["source", "even"]

ROUND_UP = 1.0 + 2.0**-49
"""Upper bound of the rounding of a norm of three differences, or of a sum of a few positive numbers [1]."""

STORED = 1.0 + 2e-9
"""Relative excess of stored radii over those of the formula [1]: cubes may be stretched by 1e-9 of their edge."""

FINEST = 2.0**-40
"""Finest accuracy, as a part of the largest coordinate [1]: below it rounded cells would no longer be cubes."""

MOST_RANKS = 64
MOST_CHILDREN = 1 << 24  # cells into which one is divided: the scratch for them takes 64 MB
MOST_SPHERES = 1 << 24  # of one rank: 2 GB while it is built
MOST_CHILDLESS = (
    8  # times as many spheres as a tree has may be found in a rank before the childless ones are removed
)


@compared_by_content
class SphereRank(NamedTuple):
    """The spheres of one rank, all of one radius; arrays are read-only.

    Attributes:
        centers: Their centres in the frame of the shape, (m, 3) [m].
        radius: Their radius [m].
        reach: The radius around each centre within which all spheres below it lie, (m,) [m]; not less than `radius`.
        cells: The box that each sphere stands for, (m, 2, 3): lower and upper corner [m].
        parent: The sphere of the rank above to which each belongs, (m,); -1 for the root.
        child_start: The spheres of the rank below that belong to sphere i are child_start[i]:child_start[i + 1],
            (m + 1,); all 0 in the lowest rank.
    """

    centers: FloatArray
    radius: float
    reach: FloatArray
    cells: FloatArray
    parent: IndexArray
    child_start: IndexArray

    def __len__(self) -> int:
        return len(self.centers)


_NO_START, _NO_TRIANGLES = np.empty(0, np.int64), np.empty(0, np.int32)


class Level(NamedTuple):
    """A rank while a tree is built: cells (m, 6), spheres (m, 4), parents, and the triangles of each cell."""

    cells: FloatArray
    spheres: FloatArray
    parent: IndexArray
    start: npt.NDArray[np.int64] = _NO_START
    triangles: IndexArray = _NO_TRIANGLES


@SPHERE_TREES.register
class SphereTree(Unchanging):
    """Ranks of spheres around the surface of a shape; `kc.build_sphere_tree` makes it; immutable.

    Every point of the surface is in a sphere of every rank. Each sphere but the root has one parent. `kc.collide` and
    `kc.distance` take two such trees and answer for the covered shapes.
    """

    __slots__ = (
        "__weakref__",
        "_cells",
        "_divided_by",
        "_first",
        "_most_children",
        "_parent",
        "_radii",
        "_rank_start",
        "_ranks",
        "_shape",
        "_spheres",
        "_surface_pad",
        "accuracy",
        "cells",
    )

    _instead = "build another one"
    _shape: Shape
    _spheres: FloatArray
    _first: IndexArray
    _parent: IndexArray
    _cells: FloatArray
    _radii: tuple[float, ...]
    _divided_by: tuple[float, ...]
    _rank_start: tuple[int, ...]
    _surface_pad: float
    _ranks: tuple[SphereRank, ...] | None
    _most_children: int | None
    accuracy: float
    """The smallest radius that was asked for [m]."""
    cells: str
    """How cells were divided: "source" or "even"."""

    def __init__(self) -> None:
        raise TypeError("a SphereTree is made by kc.build_sphere_tree(shape, accuracy).")

    @classmethod
    def _of(cls, **values: object) -> Self:
        """Return a tree of checked arrays."""
        tree = object.__new__(cls)
        tree._fill(**({"_ranks": None, "_most_children": None} | values))
        return tree

    @property
    def shape(self) -> Shape:
        """The shape whose surface is covered."""
        return self._shape

    @property
    def ranks(self) -> tuple[SphereRank, ...]:
        """The ranks, the root first and the smallest spheres last."""
        if self._ranks is None:
            object.__setattr__(self, "_ranks", tuple(map(self._rank, range(len(self._radii)))))
        assert self._ranks is not None
        return self._ranks

    def _rank(self, k: int) -> SphereRank:
        first, last = self._rank_start[k], self._rank_start[k + 1]
        spheres = self._spheres.reshape(-1, SPHERE)[first:last]
        is_last = k + 1 == len(self._radii)
        start = np.zeros(last - first + 1, np.int32) if is_last else self._first[first : last + 1] - last
        return SphereRank(
            read_only(spheres[:, :3]),
            self._radii[k],
            read_only(spheres[:, 3]),
            read_only(self._cells[first:last].reshape(-1, 2, 3)),
            read_only(self._parent[first:last]),
            read_only(start),
        )

    @property
    def most_children(self) -> int:
        """The largest numbers of children of a sphere in each rank, added up: the scratch that a search needs."""
        if self._most_children is None:
            most = sum(int(np.diff(rank.child_start).max()) for rank in self.ranks[:-1])
            object.__setattr__(self, "_most_children", most)
        assert self._most_children is not None
        return self._most_children

    @property
    def n_spheres(self) -> int:
        """The number of spheres of all ranks."""
        return self._rank_start[-1]

    @property
    def n_leaves(self) -> int:
        """The number of spheres of the lowest rank."""
        return self._rank_start[-1] - self._rank_start[-2]

    @property
    def ratio(self) -> float:
        """The ratio of radii of neighbouring ranks that resulted; 1 for a single rank."""
        n = len(self._radii)
        return 1.0 if n == 1 else (self._radii[0] / self._radii[-1]) ** (1.0 / (n - 1))

    @property
    def cover(self) -> float:
        """The greatest distance of a point of the surface from the spheres of any rank [m]: 0, which is proved.

        The true surface of a mesh that approximates it may be farther away, by its `tessellation_error`.
        """
        return self._shape.tessellation_error if isinstance(self._shape, Mesh) else 0.0

    @property
    def excess(self) -> float:
        """A bound of the distance of any point of the smallest spheres from the surface [m]; never too small.

        The surface passes through the cell of each sphere, up to the allowance of that test, and the cell lies inside
        the sphere. So the bound is twice the smallest radius plus the allowance, and `cover`.
        """
        return (2.0 * self._radii[-1] + 4.0 * self._surface_pad + self.cover) * ROUND_UP

    def refit(self, vertices: npt.ArrayLike) -> SphereTree:
        """Return a sphere tree of the same triangles with moved vertices: only cells that moved triangles touch change.

        The cell of the root is kept while it contains the surface. If it does not, the tree is built again.

        Args:
            vertices: New positions of all vertices of the mesh, (n, 3) [m].

        Raises:
            ArgumentError: The covered shape is not a mesh.
            MeshError: The array has a wrong shape, or a number in it is not finite.
        """
        from keepclear.geometry.spheres.tree_refit import refitted_sphere_tree

        if not isinstance(self._shape, Mesh):
            raise ArgumentError(
                f"refit: {self._shape!r} has no vertices to move; refit the sphere tree of a kc.Mesh."
            )
        return refitted_sphere_tree(self, self._shape._with_vertices(vertices))

    @property
    def nbytes(self) -> int:
        """Memory of the spheres, their cells and links [bytes]; the shape is not counted."""
        return self._spheres.nbytes + self._first.nbytes + self._parent.nbytes + self._cells.nbytes

    def __reduce__(self) -> Any:
        names = [name for name in self.__slots__ if name not in ("__weakref__", "_most_children", "_ranks")]
        return _restored, (type(self), {name: getattr(self, name) for name in names})

    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """Return a self-contained page of the ranks over the shape, and write it to a file if a path is given."""
        from keepclear.report.pages.sphere_page import page_of_spheres

        return page_of_spheres(self, path=path, title=title)

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{last - first} of {radius:.4g} m"
            for first, last, radius in zip(
                self._rank_start[:-1], self._rank_start[1:], self._radii, strict=True
            )
        )
        n = self.n_spheres
        return (
            f"SphereTree({n} sphere{'s' * (n != 1)}: {counts}; cover {self.cover:g} m, excess {self.excess:.4g} m, "
            f"{self._shape!r})"
        )


def _restored(kind: type[SphereTree], values: dict[str, object]) -> SphereTree:
    return kind._of(**values)


def build_sphere_tree(
    shape: Shape,
    accuracy: float,
    ratio: float = 2.0,
    ranks: int | None = None,
    cells: Cells = "source",
) -> SphereTree:
    """Return ranks of spheres that cover the surface of a shape, the smallest with the radius `accuracy`.

    Args:
        shape: A shape of any kind, a mesh closed or not, or a `trimesh.Trimesh`.
        accuracy: Radius of the smallest spheres [m]. A shape whose enclosing sphere is not larger gets that one sphere.
        ratio: About how many times smaller the spheres of the next rank are, > 1.
        ranks: Number of ranks, instead of `ratio`; at least 2.
        cells: "source": cubes of the full edge, the first and the last flush with the ends of the cell that they
            divide, overlaps removed; "even": cells divided into equal parts, which is tighter.

    Raises:
        ArgumentError: A number is out of its range, or the tree would be too large.

    Examples:
        >>> import keepclear as kc
        >>> tree = kc.build_sphere_tree(kc.Box([0.4, 0.2, 0.2]), accuracy=0.05)
        >>> [len(rank) for rank in tree.ranks], [round(rank.radius, 6) for rank in tree.ranks]
        ([1, 16, 178], [0.244949, 0.110668, 0.05])
        >>> tree.cover, round(tree.excess, 6)
        (0.0, 0.1)
    """
    return build_at_most(MOST_SPHERES, shape, accuracy, ratio, ranks, cells)


def build_at_most(
    most: int, shape: Shape, accuracy: float, ratio: float, ranks: int | None, cells: Cells
) -> SphereTree:
    """Return the sphere tree of these arguments of `build_sphere_tree`; a rank of more than `most` spheres raises."""
    known = as_shape(shape)
    radius = checked_positive("accuracy", accuracy, "metres")
    wanted, ranks = checked_ranks(ratio, ranks)
    even = checked_choice("build_sphere_tree", "cells", cells, ("source", "even")) == "even"
    surface = SHAPE_TABLE[known].cells(known)
    root = _root(surface)
    largest = float(np.abs(root.cells).max())
    if radius < FINEST * largest:
        raise ArgumentError(
            f"accuracy = {radius:g} m is too fine for coordinates of {largest:g} m: at least {FINEST * largest:g} m."
        )
    radii = _radii(float(root.spheres[0, 3]), radius, wanted, ranks)
    _refuse_hopeless(surface, cube_edge(radius), most)
    levels = [root]
    for k in range(1, len(radii)):
        levels.append(divided(surface, levels[-1], radii[k], even, most, is_last=k + 1 == len(radii)))
        levels[-2] = levels[-2]._replace(start=_NO_START, triangles=_NO_TRIANGLES)
    levels = without_childless(levels)
    return join_levels(known, surface.pad, levels, cover_cells(levels), radii, radius, cells)


def checked_ranks(ratio: object, ranks: Any) -> tuple[float, int | None]:
    """Return the options of `build_sphere_tree` about its ranks if they are valid."""
    wanted = real_number(ratio)
    if wanted is None or not 1.0 < wanted < math.inf:
        raise ArgumentError(f"ratio must be a finite number > 1, but it is {shown(ratio)}; 2 is usual.")
    if ranks is None:
        return wanted, None
    if not is_whole(ranks) or not 2 <= ranks <= MOST_RANKS:
        raise ArgumentError(
            f"ranks must be a whole number from 2 to {MOST_RANKS}, or None for what ratio gives, but it is "
            f"{shown(ranks)}."
        )
    return wanted, int(ranks)


def _root(surface: CellSurface) -> Level:
    """Return the sphere around the enveloping box; all triangles belong to its cell."""
    lower, upper = surface.lower, surface.upper
    center = 0.5 * (lower + upper)
    n = len(surface.links) // 3
    return Level(
        np.concatenate([lower, upper])[None],
        np.array([[*center, circumradius(lower.tolist(), upper.tolist(), center.tolist())]]),
        np.array([-1], np.int32),
        np.array([0, n]),
        np.arange(n, dtype=np.int32),
    )


def circumradius(lower: list[float], upper: list[float], center: list[float]) -> float:
    """Return the smallest double that is not less than the distance from a centre to any corner of a box [m]."""
    far = [
        max(Fraction(u) - Fraction(c), Fraction(c) - Fraction(v))
        for v, u, c in zip(lower, upper, center, strict=True)
    ]
    square = sum(x * x for x in far)
    radius = math.hypot(*(float(x) for x in far))
    while Fraction(radius) ** 2 < square:
        radius = math.nextafter(radius, math.inf)
    while radius > 0.0 and Fraction(below := math.nextafter(radius, 0.0)) ** 2 >= square:
        radius = below
    return radius


def _refuse_hopeless(surface: CellSurface, edge: float, most: int) -> None:
    """Raise if the largest triangle or the longest side passes through too many cells.

    No cube has a section above sqrt(2) edge^2, nor a chord above sqrt(3) edge.
    """
    if surface.kind != forms.TRIANGLES:
        return
    corners = surface.reals.reshape(-1, 3)[surface.links.reshape(-1, 3)]
    sides = corners - np.roll(corners, 1, axis=1)
    normals = np.cross(sides[:, 0], sides[:, 1])
    area = 0.5 * math.sqrt(float((normals**2).sum(axis=1).max(initial=0.0)))
    length = math.sqrt(float((sides**2).sum(axis=2).max(initial=0.0)))
    least = max(area / edge / (math.sqrt(2.0) * edge), length / (math.sqrt(3.0) * edge))
    if least > 1.01 * most:
        raise ArgumentError(
            f"a rank would have at least {least:.3g} spheres, more than {most}; take a larger accuracy."
        )


def _radii(largest: float, smallest: float, ratio: float, ranks: int | None) -> list[float]:
    """Return the radius of each rank: a geometric sequence between that of the root and the accuracy.

    n = max(2, floor((log r_1 - log r_n) / log ratio + 1/2) + 1) and r_i = r_n (r_1 / r_n)^((n - i) / (n - 1)).
    """
    if largest <= smallest:
        return [largest]
    n = ranks
    if n is None:
        n = max(2, math.floor((math.log(largest) - math.log(smallest)) / math.log(ratio) + 0.5) + 1)
    if n > MOST_RANKS:
        raise ArgumentError(
            f"ratio = {ratio:g} would need {n} ranks from {largest:g} m to {smallest:g} m, more than {MOST_RANKS}; "
            "take a larger ratio, or give ranks."
        )
    steps = [smallest * (largest / smallest) ** ((n - i) / (n - 1)) for i in range(2, n)]
    return [largest, *steps, smallest]


def cube_edge(radius: float) -> float:
    """Return the edge of the cube that a sphere is around [m]."""
    return 2.0 * radius / math.sqrt(3.0)


def largest_grid(cells: FloatArray, edge: float) -> float:
    """Return the greatest number of cubes of an edge into which one of (m, 6) cells is divided."""
    sizes = cells[:, 3:] - cells[:, :3]
    return float(np.prod(np.maximum(1.0, np.ceil(sizes / edge - division.FLUSH)), axis=1).max(initial=1.0))


def slots_in(cells: FloatArray, parents: FloatArray, edge: float, even: bool) -> npt.NDArray[np.int64]:
    """Return the number of each of (m, 6) cells in the grid of its parent, (m, 6)."""
    size = parents[:, 3:] - parents[:, :3]
    n = np.maximum(1, np.ceil(size / edge - division.FLUSH)).astype(np.int64)
    width = size / n if even else np.maximum(size / n, edge)
    index = np.rint((cells[:, :3] - parents[:, :3]) / np.where(width > 0.0, width, 1.0)).astype(np.int64)
    return np.asarray((index[:, 0] * n[:, 1] + index[:, 1]) * n[:, 2] + index[:, 2])


def divided(
    surface: CellSurface, above: Level, radius: float, even: bool, most: int = MOST_SPHERES, *, is_last: bool
) -> Level:
    """Return the next lower rank: one call of the kernel counts, the next fills."""
    edge = cube_edge(radius)
    lengths = np.array([edge, math.nextafter(radius * STORED, math.inf), surface.pad])
    grid = largest_grid(above.cells, edge)
    if grid > MOST_CHILDREN:
        raise ArgumentError(
            f"a cell would be divided into {grid:.3g} cells of {edge:.3g} m, more than {MOST_CHILDREN}; take more "
            "ranks, a smaller ratio or a larger accuracy."
        )
    scratch, counts = np.empty(int(grid), np.int32), np.zeros(division.COUNTS, np.int64)
    given = (
        surface.kind, surface.reals, surface.links, above.cells, above.start, above.triangles, lengths, even, scratch,
    )  # fmt: skip

    def run(n: int, n_stored: int, n_pairs: int) -> Level:
        level = Level(
            np.empty((n, 6)),
            np.empty((n, SPHERE)),
            np.empty(n, np.int32),
            np.zeros(n + 1 if n_stored else 0, np.int64),
            np.empty(n_stored, np.int32),
        )
        pairs = np.empty(2 * n_pairs, np.int32)
        if division.divide(*given, pairs, counts, *level) != 0:
            raise AssertionError("the scratch of a division was computed too small")
        return level

    run(0, 0, 0)
    n, n_stored, n_pairs = counts.tolist()
    if n > most or n_stored > 8 * MOST_SPHERES:
        raise ArgumentError(f"a rank would have {n} spheres, more than {most}; take a larger accuracy.")
    return run(n, 0, 0) if is_last else run(n, n_stored, n_pairs)


def without_childless(levels: list[Level]) -> list[Level]:
    """Return the ranks without spheres that have no cell in the lowest rank.

    A triangle may touch a cell only by the allowance for rounding, and then none of the cells into which it is divided.
    """
    levels = list(levels)
    for k in range(len(levels) - 2, -1, -1):
        keeps = np.bincount(levels[k + 1].parent, minlength=len(levels[k].cells)) > 0
        if not keeps.all():
            number = (np.cumsum(keeps) - 1).astype(np.int32)
            levels[k + 1] = levels[k + 1]._replace(parent=number[levels[k + 1].parent])
            cells, spheres, parent, *_ = levels[k]
            levels[k] = levels[k]._replace(cells=cells[keeps], spheres=spheres[keeps], parent=parent[keeps])
    return levels


def cover_cells(levels: Sequence[Level]) -> list[float]:
    """Return the radius of each rank, not less than the distance from any centre to the farthest corner of its cell.

    So each cell is in its sphere, rounding included; and the cells of a rank contain the surface.
    """
    radii = [float(levels[0].spheres[0, 3])]  # exact
    for level in levels[1:]:
        center, lower, upper = level.spheres[:, :3], level.cells[:, :3], level.cells[:, 3:]
        far = np.maximum(np.abs(upper - center), np.abs(lower - center))
        needed = float(np.sqrt((far * far).sum(axis=1).max())) * ROUND_UP
        radii.append(max(float(level.spheres[0, 3]), needed))
        level.spheres[:, 3] = radii[-1]
    return radii


def _reach(levels: Sequence[Level]) -> None:
    """Widen the radius of each sphere to its reach, from the lowest rank upwards, rounded up."""
    for above, below in zip(levels[-2::-1], levels[:0:-1], strict=True):
        offsets = below.spheres[:, :3] - above.spheres[below.parent, :3]
        needed = (np.sqrt((offsets * offsets).sum(axis=1)) * ROUND_UP + below.spheres[:, 3]) * ROUND_UP
        np.maximum.at(above.spheres[:, 3], below.parent, needed)


def join_levels(
    shape: Shape,
    pad: float,
    levels: Sequence[Level],
    stored: list[float],
    radii: list[float],
    accuracy: float,
    cells: str,
) -> SphereTree:
    """Return the tree of ranks: their arrays in the form of kernels, with the reach of each sphere.

    Args:
        shape: The shape.
        pad: The allowance of its surface [m].
        levels: The ranks, their spheres with the radius of the rank; they are changed.
        stored: The radius of each rank [m].
        radii: The radii by which cells were divided [m].
        accuracy, cells: The options of the user.
    """
    _reach(levels)
    rank_start = np.concatenate([[0], np.cumsum([len(level.cells) for level in levels])])
    children = [np.bincount(below.parent, minlength=len(level.cells)) for level, below in pairwise(levels)]
    counts = np.concatenate([*children, np.zeros(len(levels[-1].cells), np.int64)])
    first = np.concatenate([[1], 1 + np.cumsum(counts)])
    return SphereTree._of(
        _shape=shape,
        _spheres=np.concatenate([level.spheres for level in levels]).reshape(-1),
        _first=first.astype(np.int32),
        _parent=np.concatenate([level.parent for level in levels]),
        _cells=np.concatenate([level.cells for level in levels]),
        _radii=tuple(stored),
        _divided_by=tuple(radii),
        _rank_start=tuple(rank_start.tolist()),
        _surface_pad=pad,
        accuracy=accuracy,
        cells=cells,
    )


def sphere_tree_sections(tree: SphereTree) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a sphere tree for a file: its settings, and how many children each sphere has.

    Building the tree again takes at most twice as long as a proof that stored cells cover the surface.
    """
    settings = np.array([tree.accuracy, len(tree._radii), tree.cells == "even"], np.float64)
    return {"settings": settings, "counts": np.diff(tree._first).astype(np.int32)}


def sphere_tree_from(shape: Shape, arrays: Mapping[str, npt.NDArray[Any]]) -> SphereTree:
    """Return the sphere tree of a shape, built again with the settings in a file.

    There are as many numbers of children as spheres, and only as many spheres are built, up to a factor: a file of a
    few bytes cannot ask for millions. Their values do not matter.

    Raises:
        FileDamage: They are not the arrays of a sphere tree.
        ArgumentError: There is no sphere tree with these settings.
    """
    check_arrays("a sphere tree", arrays, {"settings": (np.float64, 1), "counts": (np.int32, 1)})
    settings, counts = arrays["settings"], arrays["counts"]
    if len(settings) != 3 or settings[1] not in range(1, MOST_RANKS + 1) or settings[2] not in (0.0, 1.0):
        raise FileDamage("has a sphere tree with settings that none has")
    ranks, cells = int(settings[1]), "even" if settings[2] else "source"
    most = min(MOST_SPHERES, MOST_CHILDLESS * (len(counts) + 1))
    return build_at_most(most, shape, float(settings[0]), 2.0, ranks if ranks > 1 else None, cells)  # type: ignore[arg-type]
