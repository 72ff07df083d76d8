"""Checks of the numbers of a saved crowd; an impossible one raises a `ValueError` that names it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray

FARTHEST = 1e36
"""Greatest coordinate and speed of a member [m, m/s].

A member that is pushed by `LARGEST_SIZE` for `LONGEST_TIME` stays below. Kernels square products of a coordinate and a
speed: beyond 1e38 these overflow, and a contact would be lost.
"""


def require(name: str, is_good: Any) -> None:
    """Raise a `ValueError` that names an invalid value and its first row, unless all are valid."""
    good = np.asarray(is_good)
    if not good.all():
        where = "" if good.ndim == 0 else f" in row {int(np.argwhere(~good)[0][0])}"
        raise ValueError(f"{name} is impossible{where}")


def within(values: Any, low: float, high: float) -> npt.NDArray[np.bool_]:
    """Return which values are numbers from low to high; NaN never is."""
    return np.asarray((np.asarray(values) >= low) & (np.asarray(values) <= high))


def whole(values: Any, low: float, high: float) -> npt.NDArray[np.bool_]:
    return np.asarray(within(values, low, high) & (np.asarray(values) == np.floor(values)))


def check_vectors(name: str, vectors: FloatArray, dimensions: int) -> None:
    require(name, within(vectors, -FARTHEST, FARTHEST))
    require(name, vectors[:, dimensions:] == 0.0)
