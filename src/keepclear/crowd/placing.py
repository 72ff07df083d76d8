"""Spheres placed in a box without overlap: at random, then pushed apart until they fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, as_array, real_number, shown
from keepclear.crowd.parts.member_arrays import checked_bounds, checked_sizes
from keepclear.errors import ArgumentError

__all__ = ["filled_share", "place_spheres"]


DRAWS = 40
"""Greatest number of rounds in which overlapping spheres get other positions, before they are pushed."""

ROUNDS, PATIENCE = 4000, 250
"""Greatest numbers of rounds of pushing, in total and without progress, before a box counts as too full; half full
takes a few hundred."""

GAP = 1e-3
"""Distance of spheres from each other and from walls, in parts of their radii."""


def place_spheres(
    radii: npt.ArrayLike, bounds: tuple[npt.ArrayLike, npt.ArrayLike], *, seed: int = 0
) -> FloatArray:
    """Return random centres (n, 2 or 3) of spheres or discs in a box, so that none overlap or touch.

    They start at random positions. Of two that overlap the smaller one moves to another random position, as long as
    that helps; the remaining overlaps are pushed apart, the smaller sphere farther than the larger. This fills half of
    a box and more; adding one sphere after the other stops at a quarter.

    Args:
        radii: One for each (n,) [m]; they may differ much.
        bounds: Lower and upper corner of the box, 2 or 3 numbers each [m].
        seed: The same seed gives the same positions.

    Raises:
        ArgumentError: The spheres do not fit, or no arrangement was found.

    Examples:
        >>> centres = place_spheres([3.0, 2.0, 1.0], ([0, 0, 0], [8, 8, 8]), seed=1)
        >>> centres.shape, bool(np.linalg.norm(centres[0] - centres[1]) > 5.0)
        ((3, 3), True)
    """
    lower, upper = _checked_box(bounds)
    given = np.atleast_1d(as_array(radii, "radii"))
    r = checked_sizes("radii", given, len(given) if given.ndim == 1 else 1, zero=True)
    rng = np.random.default_rng(_checked_seed(seed))
    _check_space(r, lower, upper)
    inset = np.minimum(GAP * r[:, None], 0.25 * (upper - lower - 2.0 * r[:, None]))
    low, high = lower + r[:, None] + inset, upper - r[:, None] - inset
    x, nearby = rng.uniform(low, high), Nearby(r)
    _redraw(x, r, low, high, nearby, rng)
    least, since = math.inf, 0
    for k in range(ROUNDS):
        pairs, offsets, depths = nearby.overlaps(x)
        if len(depths) == 0:
            return x
        if (left := float(depths.sum())) < 0.9 * least:
            least, since = left, k
        elif k - since > PATIENCE:
            break
        nearby.moved(_push(x, r, pairs, offsets, depths, low, high))
    raise ArgumentError(
        f"place_spheres: {len(r)} spheres fill {filled_share(r, lower, upper):.1%} of the box, and could not be put "
        "into it without overlaps; enlarge the box, or take fewer or smaller ones."
    )


def _redraw(
    x: FloatArray, r: FloatArray, low: FloatArray, high: FloatArray, nearby: Nearby, rng: np.random.Generator
) -> None:
    """Move the smaller of two overlapping spheres to another position, as long as the number of overlaps falls."""
    (i, j), least, since = nearby.overlaps(x)[0], math.inf, 0
    for k in range(DRAWS):
        wrong = np.unique(np.where(r[i] < r[j], i, j))
        if len(wrong) < 0.9 * least:
            least, since = len(wrong), k
        if len(wrong) == 0 or k - since >= 5:
            break
        x[wrong] = rng.uniform(low[wrong], high[wrong])
        i, j = nearby.overlaps_of(x, wrong)
    nearby.forget()


def filled_share(radii: FloatArray, lower: FloatArray, upper: FloatArray) -> float:
    """Return the part of a box that spheres, or of a rectangle that discs, would fill."""
    ball = math.pi if len(lower) == 2 else 4.0 * math.pi / 3.0
    return float(ball * np.sum(radii ** len(lower)) / np.prod(upper - lower))


def _checked_seed(seed: object) -> int:
    number = real_number(seed)
    if number is None or not 0.0 <= number <= 2.0**53 or number != int(number):
        raise ArgumentError(
            f"place_spheres: seed must be a whole number from 0 to 2**53, but it is {shown(seed)}."
        )
    return int(number)


def _checked_box(bounds: tuple[npt.ArrayLike, npt.ArrayLike]) -> tuple[FloatArray, FloatArray]:
    try:
        dimensions = len(np.atleast_1d(np.asarray(bounds[0])))
    except (TypeError, IndexError, ValueError):
        dimensions = 3  # the check below raises for any other value
    if dimensions not in (2, 3):
        raise ArgumentError(
            f"place_spheres: corners have 2 or 3 numbers, but the lower one has {dimensions}."
        )
    box = checked_bounds(bounds, dimensions)
    if box is None:
        raise ArgumentError(
            "place_spheres: bounds are missing; give the lower and the upper corner of a box."
        )
    return box


def _check_space(r: FloatArray, lower: FloatArray, upper: FloatArray) -> None:
    narrow = float((upper - lower).min())
    if len(r) and 2.0 * r.max() > narrow:
        i = int(r.argmax())
        raise ArgumentError(
            f"place_spheres: sphere {i} with radius {r[i]:g} does not fit into a box that is {narrow:g} wide."
        )
    filled = filled_share(r, lower, upper)
    if filled >= 1.0:
        raise ArgumentError(
            f"place_spheres: {len(r)} spheres would fill {filled:.1%} of the box; enlarge it, or take fewer or "
            "smaller ones."
        )


def _push(
    x: FloatArray,
    r: FloatArray,
    pairs: IntArray,
    offsets: FloatArray,
    depths: FloatArray,
    low: FloatArray,
    high: FloatArray,
) -> float:
    """Push overlapping pairs apart in place, and return the largest displacement."""
    i, j = pairs
    sizes = np.linalg.norm(offsets, axis=1)
    same = sizes == 0.0  # two at one position: any direction works
    offsets[same, 0], sizes[same] = 1.0, 1.0
    pushes = offsets * (depths / sizes)[:, None]
    share = r[j] / np.maximum(r[i] + r[j], 1e-300)
    before = x.copy()
    for c in range(x.shape[1]):
        x[:, c] -= np.bincount(i, pushes[:, c] * share, len(x))
        x[:, c] += np.bincount(j, pushes[:, c] * (1.0 - share), len(x))
    np.clip(x, low, high, out=x)
    return float(np.abs(x - before).max()) * math.sqrt(x.shape[1])


@dataclass
class _Class:
    """Spheres of about one size: their ids, and the radius of the largest."""

    ids: IntArray
    largest: float


class Nearby:
    """Pairs that may overlap, kept as long as none moved far, so that trees are seldom built."""

    def __init__(self, radii: FloatArray) -> None:
        self._r = radii
        self._classes = _size_classes(radii)
        self._pairs: IntArray = np.zeros((2, 0), np.int64)
        self._slack = -1.0  # how far two spheres may still move in sum
        self._skin = 0.0  # additional distance of the pairs that are kept

    def overlaps(self, x: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return pairs (2, m) that are closer than the gap, vectors from first to second, and how much too close."""
        if self._slack < 0.0:
            self._pairs = np.concatenate([np.zeros((2, 0), np.int64), *self._found(x)], axis=1)
            self._slack = self._skin
        i, j = self._pairs
        d = x[j] - x[i]
        reach = (self._r[i] + self._r[j]) * (1.0 + GAP)
        near = np.flatnonzero(np.einsum("ij,ij->i", d, d) <= reach**2)
        offsets = d[near]
        depths = reach[near] * (1.0 + GAP) - np.linalg.norm(offsets, axis=1)
        return self._pairs[:, near], offsets, depths

    def overlaps_of(self, x: FloatArray, who: IntArray) -> IntArray:
        """Return the pairs (2, m) of these members that are closer than the gap; some of them twice."""
        from scipy.spatial import cKDTree

        chosen = np.zeros(len(x), bool)
        chosen[who] = True
        found = [np.zeros((2, 0), np.int64)]
        mine = [(c.ids[chosen[c.ids]], c.largest) for c in self._classes]
        trees = [cKDTree(x[ids]) for ids, _ in mine]
        for every in self._classes:
            tree = cKDTree(x[every.ids], balanced_tree=False, compact_nodes=False)
            for (ids, largest), small in zip(mine, trees, strict=True):
                met = small.sparse_distance_matrix(
                    tree, (largest + every.largest) * (1.0 + GAP), output_type="ndarray"
                )
                pairs = np.stack([ids[met["i"]], every.ids[met["j"]]])
                found.append(self._close(x, pairs[:, pairs[0] != pairs[1]], 0.0))
        return np.concatenate(found, axis=1)

    def moved(self, distance: float) -> None:
        """Record that all moved by at most this distance since they were checked."""
        self._slack -= 2.0 * distance
        self._skin = float(np.clip(16.0 * distance, 0.02 * self._r.mean(), self._r.mean()))

    def forget(self) -> None:
        """Record that some have unrelated new positions."""
        self._slack = -1.0

    def _found(self, x: FloatArray) -> list[IntArray]:
        from scipy.spatial import cKDTree

        trees = [cKDTree(x[c.ids], balanced_tree=False, compact_nodes=False) for c in self._classes]
        found = []
        for a, (first, tree) in enumerate(zip(self._classes, trees, strict=True)):
            reach = 2.0 * first.largest * (1.0 + GAP) + self._skin
            pairs = tree.query_pairs(reach, output_type="ndarray")
            found.append(self._close(x, first.ids[pairs.T], self._skin))
            for second, other in zip(self._classes[:a], trees[:a], strict=True):
                reach = (first.largest + second.largest) * (1.0 + GAP) + self._skin
                met = tree.sparse_distance_matrix(other, reach, output_type="ndarray")
                found.append(
                    self._close(x, np.stack([first.ids[met["i"]], second.ids[met["j"]]]), self._skin)
                )
        return found

    def _close(self, x: FloatArray, pairs: IntArray, skin: float) -> IntArray:
        """Return those of some pairs (2, m) that are as near as their own radii and the skin say."""
        i, j = pairs
        d = x[j] - x[i]
        reach = (self._r[i] + self._r[j]) * (1.0 + GAP) + skin
        return pairs[:, np.einsum("ij,ij->i", d, d) <= reach**2]


def _size_classes(radii: FloatArray) -> list[_Class]:
    """Return the spheres by size, the sizes of a class within a factor of two, the smallest ones together."""
    classes: list[_Class] = []
    left = np.argsort(radii, kind="stable")
    while len(left):
        largest = float(radii[left[-1]])
        first = 0 if len(classes) == 11 else int(np.searchsorted(radii[left], 0.5 * largest, side="left"))
        classes.append(_Class(np.sort(left[first:]), largest))
        left = left[:first]
    return classes[::-1]
