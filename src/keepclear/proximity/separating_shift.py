"""Shifts that separate two bodies at one instant: searched along a few directions, and proved by `distance`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.preprocess.hulls import hull_of
from keepclear.proximity.body import Geometry, shape_of
from keepclear.proximity.distance import distance
from keepclear.results import Distance
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.shape import Shape
from keepclear.shapes.table import SHAPE_TABLE

__all__ = ["Placed", "SeparatingShift", "depth_measure", "separating_shift"]

Placed = tuple[Geometry, FloatArray]
"""A body and its pose in the world, (4, 4)."""

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


def depth_measure(a: Sequence[Placed], b: Sequence[Placed]) -> tuple[float, float | None, list[FloatArray]]:
    """Return how close two bodies of several parts are, which separates instants of a contact by how deep it is.

    Returns:
        A signed distance [m], of hulls where meshes intersect, which have no depth; the certified depth [m] of the two
        convex parts that overlap deepest, None if none do; and directions that separate parts when A moves along them.
    """
    least, depth, directions = math.inf, None, list[FloatArray]()
    for one, X_WA in a:
        for other, X_WB in b:
            found = distance(one, X_WA, other, X_WB)
            value, upper = float(found.distance), float(found.upper)
            if value <= 0.0 and not np.isfinite(found.normal_W).all():
                hulls = _hull(one), _hull(other)
                if hulls[0] is not None and hulls[1] is not None:
                    found = distance(hulls[0], X_WA, hulls[1], X_WB)
                    value = min(value, float(found.distance))
            elif upper < 0.0:
                depth = max(-upper, depth or 0.0)
            if value < least:
                directions = _away(found) + directions
            least = min(least, value)
    return least, depth, directions


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
    search = _Search(a, b, target)
    found: list[tuple[float, SeparatingShift]] = []
    best = math.inf
    for k, direction in enumerate([*(np.array(axis, dtype=np.float64) for axis in _AXES), *directions]):
        length = search.length(direction, 2.0 * best)
        shift = None if length is None else search.rounded(direction, length)
        if shift is not None:
            size = math.hypot(*shift.shift_W)
            best = min(best, size)
            found.append((size / (VERTICAL if k < 2 else ALONG_AXIS if k < 6 else 1.0), shift))
    return min(found, key=lambda one: one[0])[1] if found else None


class _Search:
    """Distances of two bodies after shifts of A."""

    def __init__(self, a: Sequence[Placed], b: Sequence[Placed], target: float) -> None:
        self.a, self.b, self.target = a, b, target

    def lower(self, shift: FloatArray) -> float:
        """Return a certified lower bound of the distance after a shift, or any bound up to the target."""
        least = math.inf
        for one, X_WA in self.a:
            X = X_WA.copy()
            X[:3, 3] += shift
            for other, X_WB in self.b:
                least = min(least, float(distance(one, X, other, X_WB).lower))
                if least <= self.target:
                    return least
        return least

    def length(self, direction: FloatArray, most: float) -> float | None:
        """Return the length of a shift along a direction that exceeds the target; None if it is longer than `most`."""
        beyond = _top(self.b, direction) + _top(self.a, -direction) + self.target
        # harmless: it is where a search ends; `rounded` proves what it returns
        end = beyond + max(0.5 * _PRECISION * beyond, FINEST)  # there a plane is between them
        # harmless: it is where a search begins; `rounded` proves what it returns
        low, high = 0.0, min(max(beyond * 2.0**-10, FINEST), end)
        while not self.lower(high * direction) > self.target:
            if high >= min(most, end):
                return None
            low, high = high, min(2.0 * high, end)
        for _ in range(_HALVINGS):
            # harmless: it is when a search ends; `rounded` proves what it returns
            if high - low <= max(_PRECISION * high, FINEST):
                break
            middle = 0.5 * (low + high)
            # harmless (>): another length is found; `rounded` proves what it returns
            low, high = (low, middle) if self.lower(middle * direction) > self.target else (middle, high)
        return high

    def rounded(self, direction: FloatArray, length: float) -> SeparatingShift | None:
        """Return a shift of three digits along a direction, at least this long, that exceeds the target."""
        for _ in range(_RETRIES):
            # harmless: other shifts are tried; the test below proves what is returned
            step = max(10.0 ** (math.floor(math.log10(length)) - 2), FINEST)
            steps = direction * (length / step)
            whole, k = np.round(steps), int(np.argmax(np.abs(steps)))
            # harmless (1e-9): other shifts are tried; the test below proves what is returned
            whole[k] = math.copysign(math.ceil(abs(float(steps[k])) - 1e-9), steps[k])
            shift = np.array([float(f"{step * n:.9g}") for n in whole.tolist()]) + 0.0
            lower = self.lower(shift)
            if lower > self.target:
                x, y, z = shift.tolist()
                return SeparatingShift((x, y, z), lower)
            length *= 1.01
        return None


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


def _hull(body: Geometry) -> Shape | None:
    shape = shape_of(body)
    return hull_of(shape) if isinstance(shape, Mesh) else shape


def _away(found: Distance) -> list[FloatArray]:
    """Return the direction in which A moves away from B, if it is known."""
    away = -np.asarray(found.normal_W, dtype=np.float64)
    size = float(np.linalg.norm(away))
    return [away / size] if math.isfinite(size) and size > 0.0 else []
