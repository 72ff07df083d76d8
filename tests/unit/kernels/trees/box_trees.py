"""Box trees taken apart in exact fractions, for tests of the builder and of the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

import keepclear as kc
from keepclear.kernels.box_trees import pair
from keepclear.kernels.box_trees import tree as layout
from keepclear.kernels.tables import surface
from keepclear.kernels.trees import obb_pair
from keepclear.kernels.triangles import exact

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Place:
    """A node with all that is said about its triangles on the way to it, relative to the origin of the surface."""

    node: int
    kind: int
    axis: int
    link: int
    level: int
    lower: Vector
    upper: Vector
    slabs: tuple[tuple[Vector, Fraction, Fraction], ...]


def places(tree: kc.BoxTree) -> Iterator[Place]:
    """Give every node of a tree, parents first; leaves have been trimmed."""
    half = tuple(Fraction(x) for x in tree.surface.reals[surface.ROOT_HALF : surface.ROOT_HALF + 3])
    waiting = [Place(0, 0, 0, 0, 1, tuple(-x for x in half), half, ())]
    while waiting:
        place = waiting.pop()
        word = int(tree.arrays[3][3 * place.node]) + 2**31
        kind, axis = divmod(word >> 28, 4)
        place = replace(place, kind=kind, axis=axis, link=word & (2**28 - 1))
        words = tree._nodes[3 * place.node + 1 : 3 * place.node + 3]
        first, second = (Fraction(0 if kind == layout.SLAB else float(word)) for word in words)
        below = replace(place, node=place.link, level=place.level + 1)
        if kind == layout.SPLIT:
            yield place
            waiting.append(replace(below, upper=_changed(place.upper, axis, -first)))
            waiting.append(replace(below, node=place.link + 1, lower=_changed(place.lower, axis, second)))
            continue
        if kind == layout.SLAB:
            below = replace(below, slabs=(*place.slabs, _slab(tree, place)))
        else:
            trimmed = {
                "lower": _changed(place.lower, axis, first),
                "upper": _changed(place.upper, axis, -second),
            }
            place, below = replace(place, **trimmed), replace(below, **trimmed)
        yield place
        if kind != layout.LEAF:
            waiting.append(below)


def _changed(corner: Vector, axis: int, by: Fraction) -> Vector:
    return (*corner[:axis], corner[axis] + by, *corner[axis + 1 :])


def _slab(tree: kc.BoxTree, place: Place) -> tuple[Vector, Fraction, Fraction]:
    first, second = (int(x) + 2**31 for x in tree.arrays[3][3 * place.node + 1 : 3 * place.node + 3])
    half = tree.surface.reals[surface.ROOT_HALF : surface.ROOT_HALF + 3]
    unit = sum(map(Fraction, half)) * (1 + Fraction(1, 2**20)) / 2**21
    direction = [Fraction(0)] * 3
    direction[place.axis] = Fraction(1)
    direction[(place.axis + 1) % 3] = Fraction((first & 1023) - 512, 511)
    direction[(place.axis + 2) % 3] = Fraction((second & 1023) - 512, 511)
    return tuple(direction), ((first >> 10) - 2**21) * unit, ((second >> 10) - 2**21) * unit


def outside(tree: kc.BoxTree) -> Fraction:
    """Return how far a triangle sticks out of any box or slab on the way to it, at most, as a part of the size."""
    reals = tree.surface.reals
    origin = [Fraction(x) for x in reals[surface.ORIGIN : surface.ORIGIN + 3]]
    most = Fraction(0)
    for place in places(tree):
        if place.kind != layout.LEAF:
            continue
        for vertex in tree.mesh.vertices[tree.mesh.triangles[place.link]]:
            x = [Fraction(v) - o for v, o in zip(vertex, origin, strict=True)]
            most = max([most, *(lo - v for lo, v in zip(place.lower, x, strict=True))])
            most = max([most, *(v - hi for v, hi in zip(x, place.upper, strict=True))])
            for direction, least, greatest in place.slabs:
                product = sum(d * v for d, v in zip(direction, x, strict=True))
                most = max(most, least - product, product - greatest)
    return most / Fraction(reals[surface.EXTENT])


@dataclass(frozen=True)
class Search:
    """What a search found, sorted, and what it counted."""

    hits: list[tuple[int, int, int]]
    state: npt.NDArray[np.int64]
    calls: int


def search(
    a: kc.BoxTree,
    X_WA: Any,
    b: kc.BoxTree,
    X_WB: Any,
    *,
    find_all: bool = True,
    capacity: int = 1000,
    budget: int = 10**9,
) -> Search:
    """Run the kernel to its end, in as many pieces as capacity and budget make it."""
    state, digits = np.zeros(obb_pair.STATE, np.int64), np.zeros(exact.SCRATCH, np.int64)
    state[obb_pair.DEPTH] = -1
    stack = np.empty(pair.PAIR * (a.depth + b.depth + 2))
    buffer, hits, calls = np.empty(obb_pair.HIT * capacity, np.int32), [], 0
    poses = [np.ascontiguousarray(X, dtype=np.float64).reshape(-1, 4, 4) for X in (X_WA, X_WB)]
    trees = (*a.arrays, *b.arrays)
    while True:
        ended = pair.collide(*trees, *poses, state, stack, buffer, digits, find_all, budget)
        calls += 1
        rows = buffer.reshape(-1, obb_pair.HIT)[: state[obb_pair.HITS]]
        hits += [(int(pose), int(i), int(j)) for pose, i, j, _ in rows]
        state[obb_pair.HITS] = 0
        assert ended in (obb_pair.DONE, obb_pair.PAUSED, obb_pair.FULL)
        if ended == obb_pair.DONE:
            return Search(sorted(hits), state, calls)
