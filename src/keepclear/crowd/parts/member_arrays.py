"""The arguments of crowds, checked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, as_array, checked_number, converted, shown
from keepclear.errors import ArgumentError
from keepclear.tolerances import LARGEST_SIZE

# Beyond it a float64 has too few digits for fractions of a second.
LONGEST_TIME = 1e12
# Greatest number of an interval of a motion: beyond it a float64 cannot represent every number.
MOST_INTERVALS = 2.0**52
# Sizes and times of motions below this lead out of the range of float64, where they are divided by and squared.
SMALLEST_NUMBER = 1e-30


def checked_vectors(name: str, value: npt.ArrayLike, n: int | None, dimensions: int | None) -> FloatArray:
    """Return fresh vectors (n, 2) or (n, 3), finite, or raise an `ArgumentError`."""
    wanted = f"({'n' if n is None else n}, {'2 or 3' if dimensions is None else dimensions})"
    array = _numbers(name, value, wanted)
    if array.ndim != 2 or array.shape[1] not in ((2, 3) if dimensions is None else (dimensions,)):
        raise ArgumentError(f"crowd: {name} must have shape {wanted}, but they have shape {array.shape}.")
    if n is not None and len(array) != n:
        raise ArgumentError(f"crowd: there are {n} members, but {len(array)} {name}; give one row for each.")
    bad = np.argwhere(~(np.abs(array) <= LARGEST_SIZE))
    if len(bad):
        i, c = bad[0]
        raise ArgumentError(
            f"crowd: {name}[{i}] has {'xyz'[c]} = {array[i, c]:g}; give finite numbers in metres and seconds, "
            f"up to {LARGEST_SIZE:g}."
        )
    return array


def checked_sizes(
    name: str, value: npt.ArrayLike, n: int, *, zero: bool, endless: bool = False
) -> FloatArray:
    """Return one number per member (n,), from one for each or one for all.

    They are positive, or also 0 where `zero`, and finite, or also infinite where `endless`.
    """
    array = _numbers(name, value, f"({n},)")
    if array.ndim > 1 or (array.ndim == 1 and len(array) != n):
        raise ArgumentError(
            f"crowd: {name} must be one number, or {n} of them, one per member, but they have shape {array.shape}."
        )
    array = np.ascontiguousarray(np.broadcast_to(array, (n,)))
    large_enough = (array >= 0.0) if zero else (array > 0.0)
    small_enough = (array <= LARGEST_SIZE) | (endless & np.isposinf(array))
    bad = np.flatnonzero(~(large_enough & small_enough))
    if len(bad):
        i = int(bad[0])
        least = ">= 0" if zero else "> 0"
        raise ArgumentError(
            f"crowd: {name}[{i}] must be finite and {least}, but it is {array[i]:g}; the greatest is "
            f"{LARGEST_SIZE:g}{', or inf for none' if endless else ''}."
        )
    return array


def checked_corner(name: str, value: npt.ArrayLike, dimensions: int) -> FloatArray:
    """Return one vector (2,) or (3,), finite."""
    array = _numbers(name, value, f"({dimensions},)")
    if array.shape != (dimensions,) or not (np.abs(array) <= LARGEST_SIZE).all():
        raise ArgumentError(
            f"crowd: {name} must be {dimensions} finite numbers from {-LARGEST_SIZE:g} to {LARGEST_SIZE:g}, "
            f"but it is {shown(value)}."
        )
    return array


def checked_bounds(
    bounds: tuple[npt.ArrayLike, npt.ArrayLike] | None, dimensions: int
) -> tuple[FloatArray, FloatArray] | None:
    """Return the corners of the box, or None where there are no walls."""
    if bounds is None:
        return None
    try:
        lower, upper = bounds
    except (TypeError, ValueError):
        raise ArgumentError(
            f"crowd: bounds must be two corners (lower, upper), but it is {shown(bounds)}."
        ) from None
    a, b = (
        checked_corner("the lower corner of bounds", lower, dimensions),
        checked_corner("the upper corner of bounds", upper, dimensions),
    )
    if not (a < b).all():
        c = int(np.flatnonzero(~(a < b))[0])
        raise ArgumentError(
            f"crowd: bounds must be a lower and an upper corner, but along {'xyz'[c]} they are {a[c]:g} and {b[c]:g}."
        )
    return a, b


def check_inside(
    positions: FloatArray, radii: FloatArray, bounds: tuple[FloatArray, FloatArray], ids: IntArray
) -> None:
    """Raise an `ArgumentError` if a sphere reaches out of the box by more than rounding."""
    slack = 1e-9 * np.abs(np.concatenate(bounds)).max()
    low, high = positions - radii[:, None] - bounds[0], bounds[1] - positions - radii[:, None]
    out = np.argwhere((low < -slack) | (high < -slack))
    if len(out):
        k, c = out[0]
        raise ArgumentError(
            f"crowd: sphere {ids[k]} at {positions[k]} with radius {radii[k]:g} reaches out of the box along "
            f"{'xyz'[c]}; move it inside, or enlarge bounds."
        )


def checked_ids(ids: npt.ArrayLike) -> IntArray:
    """Return whole numbers (k,), each once."""
    array = np.atleast_1d(as_array(ids, "crowd: ids"))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ArgumentError(f"crowd: ids must be whole numbers (k,), but they are {shown(ids)}.")
    array = array.astype(np.int64)
    if len(np.unique(array)) != len(array):
        raise ArgumentError("crowd: an id is given twice; give each member once.")
    return array


def checked_times(name: str, value: npt.ArrayLike, n: int) -> FloatArray:
    """Return one finite time per member (n,), from one for each or one for all [s]."""
    times = np.array(
        [
            checked_number(name, one, -LONGEST_TIME, LONGEST_TIME)
            for one in np.atleast_1d(as_array(value, f"crowd: {name}", dtype=object))
        ]
    )
    if times.shape not in ((1,), (n,)):
        raise ArgumentError(
            f"crowd: {name} must be one time, or {n} of them, one per member, but there are {times.size}."
        )
    return np.broadcast_to(times, (n,))


def checked_groups(groups: npt.ArrayLike | None, n: int) -> IntArray:
    """Return the groups of members (n,), -1 for those that belong to none."""
    if groups is None:
        return np.full(n, -1)
    array = as_array(groups, "crowd: groups")
    if array.dtype.kind not in "iu" or array.shape not in ((), (n,)) or (array < -1).any():
        raise ArgumentError(
            f"crowd: groups must be one whole number >= -1, or {n} of them, one per member, but they are "
            f"{shown(groups)}."
        )
    return np.broadcast_to(array, (n,)).astype(np.int64)


def _numbers(name: str, value: npt.ArrayLike, wanted: str) -> FloatArray:
    expected = f"crowd: {name} must be numbers {wanted}"
    given = converted(value, expected, ArgumentError)
    if given.dtype.kind not in "iuf":
        raise ArgumentError(f"{expected}, but they are {shown(value)}.")
    return np.array(given, dtype=np.float64, order="C", copy=True)
