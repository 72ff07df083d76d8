"""Shifts that separate two bodies at one instant: searched along a few directions, and proved by distances."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry, shape_of
from keepclear.geometry.hulls.build import hull_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.kernels.convex import gjk
from keepclear.query.moving.samples import PairSamples, Sampled

Placed = tuple[Geometry, FloatArray]
"""A body and its pose in the world, (4, 4), or its poses at some instants, (n, 4, 4)."""

VERTICAL = 1.25
"""A shift along z may be this many times longer than the shortest one found, and is preferred all the same."""

ALONG_AXIS = 1.1
"""The same for shifts along x and y."""

FINEST = 1e-6
"""Shifts are multiples of a step of three significant digits, and of at least this [m]."""

_DOUBLINGS, _HALVINGS, _RETRIES = 12, 14, 6
_PRECISION = 2e-3  # relative length at which the search along a direction ends
_AXES = ((0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))


class SeparatingShift(NamedTuple):
    """A shift of A in the world [m], after which A and B are farther apart than `lower` [m], which is certified."""

    shift_W: tuple[float, float, float]
    lower: float


class Depths(NamedTuple):
    """How close two bodies of several parts are at instants, which separates instants of a contact by how deep it is.

    Attributes:
        values: The signed distances of each two parts, of hulls where meshes intersect, (parts, n) [m].
        away: The direction in which A moves away from B, for each two parts; nan where it is unknown, (parts, n, 3).
        depth: Certified depths of the two convex parts that overlap deepest, nan if none do, (n,) [m].
    """

    values: FloatArray
    away: FloatArray
    depth: FloatArray

    def directions(self, k: int) -> list[FloatArray]:
        """Return unit vectors that separate parts at an instant when A moves along them, nearer parts first."""
        found, least = list[FloatArray](), math.inf
        for value, away in zip(self.values[:, k].tolist(), self.away[:, k], strict=True):
            size = float(np.linalg.norm(away))
            # harmless (<): it is where a search begins; `rounded` proves what it returns
            if value < least and math.isfinite(size) and size > 0.0:
                found.insert(0, away / size)
            # harmless (min): likewise
            least = min(least, value)
        return found


def depth_measure(a: Sequence[Placed], b: Sequence[Placed]) -> Depths:
    """Return how close two bodies of several parts are at n instants."""
    placed = list(product(a, b))
    around = [((_hull(one), X_WA), (_hull(other), X_WB)) for (one, X_WA), (other, X_WB) in placed]
    times = [np.zeros(len(X_WA)) for (_, X_WA), _ in placed]
    poses = ([one[side][1] for one in placed * 2] for side in (0, 1))
    both = np.array(_samples([*placed, *around]).rows(times * 2, *poses))
    exact, hulls = both[: len(placed)], both[len(placed) :]
    normals = slice(gjk.NORMAL, gjk.NORMAL + 3)
    meet = (exact[..., gjk.DISTANCE] <= 0.0) & ~np.isfinite(exact[..., normals]).all(axis=2)
    least = np.minimum(exact[..., gjk.DISTANCE], np.where(meet, hulls[..., gjk.DISTANCE], np.inf))
    upper = np.where(meet, 0.0, exact[..., gjk.UPPER]).min(axis=0)
    away = -np.where(meet[..., None], hulls[..., normals], exact[..., normals])
    return Depths(least, away, np.where(upper < 0.0, -upper, np.nan))


def _samples(placed: Sequence[tuple[Placed, Placed]]) -> PairSamples:
    return PairSamples([Sampled(one, None, other, None) for (one, _), (other, _) in placed])


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
        self._samples = _samples(self._placed)

    def lower(self, shifts: FloatArray) -> FloatArray:
        """Return certified lower bounds of the distance after each of some shifts (n, 3), (n,) [m]."""
        poses = [np.repeat([X_WA, X_WB], len(shifts), axis=0) for (_, X_WA), (_, X_WB) in self._placed]
        X_WA, X_WB = [X[: len(shifts)] for X in poses], [X[len(shifts) :] for X in poses]
        for X in X_WA:
            X[:, :3, 3] += shifts
        rows = self._samples.rows([np.zeros(len(shifts))] * len(poses), X_WA, X_WB)
        return np.asarray(np.min([found[:, gjk.LOWER] for found in rows], axis=0))

    def lengths(self, along: FloatArray) -> FloatArray:
        """Return the lengths of shifts along directions (n, 3) that exceed the target, (n,); inf where it is too long.

        In each round, all directions are tried at another length: twice the last one until it suffices, then halves.
        Those much longer than the best are given up: they would not be chosen.
        """
        beyond = np.array([_top(self.b, n) + _top(self.a, -n) for n in along]) + self.target
        # harmless: it is where and how a search goes on; `rounded` proves what it returns
        end = beyond + np.maximum(0.5 * _PRECISION * beyond, FINEST)  # there a plane is between them
        # harmless: it is where and how a search goes on; `rounded` proves what it returns
        low, high = np.zeros(len(along)), np.minimum(np.maximum(beyond * 2.0**-10, FINEST), end)
        is_left, is_apart = np.ones(len(along), dtype=bool), np.zeros(len(along), dtype=bool)
        for _ in range(_DOUBLINGS + _HALVINGS):
            # harmless: it is where and how a search goes on; `rounded` proves what it returns
            is_rough = high - low > np.maximum(_PRECISION * high, FINEST)
            asked = np.flatnonzero(is_left & (is_rough | ~is_apart))
            if not asked.size:
                break
            tried = np.where(is_apart, 0.5 * (low + high), high)[asked]
            # harmless: it is where and how a search goes on; `rounded` proves what it returns
            is_enough = self.lower(tried[:, None] * along[asked]) > self.target
            enough, short = asked[is_enough], asked[~is_enough]
            high[enough], low[short] = tried[is_enough], tried[~is_enough]
            is_apart[enough] = True
            longer = short[~is_apart[short]]
            # harmless: it is where and how a search goes on; `rounded` proves what it returns
            most = np.minimum(2.0 * high[is_apart].min(initial=np.inf), end[longer])
            is_left[longer] = high[longer] < most
            # harmless: it is where and how a search goes on; `rounded` proves what it returns
            high[longer] = np.minimum(2.0 * high[longer], end[longer])
        return np.where(is_left & is_apart, high, np.inf)

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
    # harmless: other shifts are tried; `rounded` proves what is returned
    step = max(10.0 ** (math.floor(math.log10(length)) - 2), FINEST)
    steps = direction * (length / step)
    whole, k = np.round(steps), int(np.argmax(np.abs(steps)))
    # harmless: other shifts are tried; `rounded` proves what is returned
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


def _hull(body: Geometry) -> Geometry:
    """Return the hull of a mesh; other bodies, and meshes without a hull, are returned as they are."""
    shape = shape_of(body)
    return (hull_of(shape) or body) if isinstance(shape, Mesh) else body
