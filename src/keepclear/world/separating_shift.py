"""Shifts that separate two bodies at one instant: searched along a few directions, and proved by distances."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.extent import shape_of
from keepclear.continuous.samples import PairSamples, Sampled
from keepclear.kernels.convex import gjk
from keepclear.preprocess.hulls import hull_of
from keepclear.proximity.distance import Body
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import SHAPE_TABLE

__all__ = ["Depths", "Placed", "SeparatingShift", "depth_measure", "separating_shift"]

Placed = tuple[Body, FloatArray]
"""A body and its pose in the world, (4, 4), or its poses at some instants, (n, 4, 4)."""

VERTICAL = 1.25
"""A shift along z may be this many times longer than the shortest one found, and is preferred all the same."""

ALONG_AXIS = 1.1
"""The same for shifts along x and y."""

FINEST = 1e-6
"""Shifts are multiples of a step of three significant digits, and of at least this [m]."""

_HALVINGS, _RETRIES = 14, 6
_PRECISION = 2e-3  # relative length at which the search along a direction ends
_AXES = ((0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))


class SeparatingShift(NamedTuple):
    """A shift of A in the world [m], after which A and B are farther apart than `lower` [m], which is certified."""

    shift_W: tuple[float, float, float]
    lower: float


class Depths(NamedTuple):
    """How close two bodies of several parts are at instants, which separates instants of a contact by how deep it is.

    Attributes:
        least: Signed distances, of hulls where meshes intersect, which have no depth, (n,) [m].
        depth: Certified depths of the two convex parts that overlap deepest, nan if none do, (n,) [m].
        values: The signed distances of each two parts, (parts, n) [m].
        away: For each two parts the directions in which A moves away from B, nan where they are unknown, (parts, n, 3).
    """

    least: FloatArray
    depth: FloatArray
    values: FloatArray
    away: FloatArray

    def directions(self, k: int) -> list[FloatArray]:
        """Return unit vectors that separate parts at an instant when A moves along them, nearer parts first."""
        found, least = list[FloatArray](), math.inf
        for value, away in zip(self.values[:, k].tolist(), self.away[:, k], strict=True):
            size = float(np.linalg.norm(away))
            if value < least and math.isfinite(size) and size > 0.0:
                found.insert(0, away / size)
            least = min(least, value)
        return found


def depth_measure(a: Sequence[Placed], b: Sequence[Placed]) -> Depths:
    """Return how close two bodies of several parts are at n instants."""
    bodies = [(one, other) for (one, _), (other, _) in product(a, b)]
    poses = [(X_WA, X_WB) for (_, X_WA), (_, X_WB) in product(a, b)]
    rows = np.array(_rows(bodies, poses))
    has_normal = np.isfinite(rows[..., gjk.NORMAL : gjk.NORMAL + 3]).all(axis=2)
    meet = (rows[..., gjk.DISTANCE] <= 0.0) & ~has_normal
    uppers = np.where(meet, 0.0, rows[..., gjk.UPPER])
    deepest = uppers.min(axis=0)
    hulls = {k: (_hull(bodies[k][0]), _hull(bodies[k][1])) for k in np.flatnonzero(meet.any(axis=1)).tolist()}
    known = {k: (one, other) for k, (one, other) in hulls.items() if one is not None and other is not None}
    if known:
        placed = [(poses[k][0][meet[k]], poses[k][1][meet[k]]) for k in known]
        for k, found in zip(known, _rows(list(known.values()), placed), strict=True):
            found[:, gjk.DISTANCE] = np.minimum(found[:, gjk.DISTANCE], rows[k, meet[k], gjk.DISTANCE])
            rows[k, meet[k]] = found[:, : rows.shape[2]]
    values = rows[..., gjk.DISTANCE]
    return Depths(
        values.min(axis=0), np.where(deepest < 0.0, -deepest, np.nan), values, -rows[..., gjk.NORMAL : gjk.NORMAL + 3]
    )  # fmt: skip


def _rows(
    bodies: Sequence[tuple[Body, Body]], poses: Sequence[tuple[FloatArray, FloatArray]]
) -> list[FloatArray]:
    """Return the distances of pairs of bodies at poses (n, 4, 4) of each, as `PairSamples.rows` does."""
    samples = PairSamples([Sampled(one, None, other, None) for one, other in bodies])
    return samples.rows(
        [np.zeros(len(X)) for X, _ in poses], [X for X, _ in poses], [X for _, X in poses]
    )  # fmt: skip


def separating_shift(
    a: Sequence[Placed], b: Sequence[Placed], target: float, directions: Iterable[FloatArray] = ()
) -> SeparatingShift | None:
    """Return a short shift of A after which it is farther from B than a target; None if none was found.

    The axes of the world and the given directions are searched, so a shorter shift may exist. The shift is rounded to
    three digits, and its result is certified by `distance`.

    Args:
        a: The parts of A.
        b: The parts of B.
        target: The distance that A must exceed [m].
        directions: Unit vectors (3,) in the world.
    """
    along = np.array([*_AXES, *directions], dtype=np.float64)
    search = _Search(a, b, target)
    lengths = search.lengths(along)
    found = [
        (math.hypot(*shift.shift_W) / (VERTICAL if k < 2 else ALONG_AXIS if k < 6 else 1.0), shift)
        for k, shift in search.rounded(along, lengths).items()
    ]
    return min(found, key=lambda one: one[0])[1] if found else None


class _Search:
    """Distances of two bodies after shifts of A."""

    def __init__(self, a: Sequence[Placed], b: Sequence[Placed], target: float) -> None:
        self.a, self.b, self.target = a, b, target
        self._placed = list(product(a, b))
        bodies = [(one, other) for (one, _), (other, _) in self._placed]
        self._samples = PairSamples([Sampled(one, None, other, None) for one, other in bodies])

    def lower(self, shifts: FloatArray) -> FloatArray:
        """Return certified lower bounds of the distance after each of some shifts (n, 3), (n,) [m]."""
        moved = []
        for (_, X_WA), _ in self._placed:
            X = np.repeat(X_WA[None], len(shifts), axis=0)
            X[:, :3, 3] += shifts
            moved.append(X)
        fixed = [np.repeat(X_WB[None], len(shifts), axis=0) for _, (_, X_WB) in self._placed]
        rows = self._samples.rows([np.zeros(len(shifts))] * len(moved), moved, fixed)
        return np.asarray(np.min([found[:, gjk.LOWER] for found in rows], axis=0))

    def lengths(self, along: FloatArray) -> FloatArray:
        """Return the lengths of shifts along directions (n, 3) that exceed the target, (n,); inf where it is too long.

        All directions are searched at once: longer steps first, then halves. Those much longer than the best are given
        up: they would not be chosen.
        """
        beyond = np.array([_top(self.b, n) + _top(self.a, -n) for n in along]) + self.target
        end = beyond + np.maximum(0.5 * _PRECISION * beyond, FINEST)  # there a plane is between them
        low, high = np.zeros(len(along)), np.minimum(np.maximum(beyond * 2.0**-10, FINEST), end)
        is_left, is_apart = np.ones(len(along), dtype=bool), np.zeros(len(along), dtype=bool)
        while (asked := np.flatnonzero(is_left & ~is_apart)).size:
            is_apart[asked] = self.lower(high[asked, None] * along[asked]) > self.target
            most = np.minimum(2.0 * high[is_apart].min(initial=np.inf), end)
            is_left &= is_apart | (high < most)
            longer = is_left & ~is_apart
            low[longer], high[longer] = high[longer], np.minimum(2.0 * high[longer], end[longer])
        for _ in range(_HALVINGS):
            asked = np.flatnonzero(is_apart & (high - low > np.maximum(_PRECISION * high, FINEST)))
            if not asked.size:
                break
            middle = 0.5 * (low[asked] + high[asked])
            is_enough = self.lower(middle[:, None] * along[asked]) > self.target
            low[asked], high[asked] = np.where(is_enough, (low[asked], middle), (middle, high[asked]))
        return np.where(is_apart, high, np.inf)

    def rounded(self, along: FloatArray, lengths: FloatArray) -> dict[int, SeparatingShift]:
        """Return shifts of three digits along directions, at least this long, that exceed the target."""
        found, left = dict[int, SeparatingShift](), np.flatnonzero(np.isfinite(lengths)).tolist()
        for _ in range(_RETRIES):
            if not left:
                break
            shifts = np.array([_three_digits(along[k], lengths.item(k)) for k in left])
            for k, shift, lower in zip(left, shifts.tolist(), self.lower(shifts).tolist(), strict=True):
                if lower > self.target:
                    found[k] = SeparatingShift((shift[0], shift[1], shift[2]), lower)
            left = [k for k in left if k not in found]
            lengths = lengths * 1.01
        return found


def _three_digits(direction: FloatArray, length: float) -> list[float]:
    """Return a shift along a direction, at least this long, in steps of its third digit."""
    step = max(10.0 ** (math.floor(math.log10(length)) - 2), FINEST)
    steps = direction * (length / step)
    whole, k = np.round(steps), int(np.argmax(np.abs(steps)))
    whole[k] = math.copysign(math.ceil(abs(float(steps[k])) - 1e-9), steps[k])
    return [float(f"{step * n:.9g}") + 0.0 for n in whole.tolist()]


def _top(parts: Sequence[Placed], direction: FloatArray) -> float:
    """Return how far bodies reach along a direction [m], or more."""
    tops = []
    for body, X in parts:
        shape = shape_of(body)
        corners = SHAPE_TABLE[shape].corners(shape)
        if corners is None:
            low, high = shape.bounds
            corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
        tops.append(float((corners @ (X[:3, :3].T @ direction)).max() + X[:3, 3] @ direction))
    return max(tops)


def _hull(body: Body) -> Shape | None:
    shape = shape_of(body)
    return hull_of(shape) if isinstance(shape, Mesh) else shape
