"""Checks of numbers, times, choices and arrays that users give: one set for all doors."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError, KeepclearError, ShapeError
from keepclear.names import close_name, listed
from keepclear.tolerances import LARGEST_LENGTH, LARGEST_SIZE, LATEST_TIME, SMALLEST_HULL, SMALLEST_SIZE

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int32]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_REPR_LENGTH = 60
Window = tuple[float, float]
LARGEST_SCALE = LARGEST_SIZE / SMALLEST_HULL  # from the smallest points of a shape to the largest
MOST_EVALUATIONS = 1 << 62  # what kernels can count to; as a budget it is no limit


def shown(value: object) -> str:
    """Return a short text for a value in an error message: what it looks like and its type."""
    if isinstance(value, np.ndarray) and value.ndim > 0:
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    if isinstance(value, np.number):
        value = value.item()  # NumPy 2 would print np.float64(-0.1)
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a foreign __repr__ may do anything; the message must still come out
        text = "an object that cannot be printed"
    if len(text) > _REPR_LENGTH:
        text = text[: _REPR_LENGTH - 3] + "..."
    return text if isinstance(value, float | int) or value is None else f"{text} ({type(value).__name__})"


def real_number(value: object) -> float | None:
    """Return a real number as a float, or None for anything else (a bool, a text, a complex number ...)."""
    if type(value) is float:
        return value
    if isinstance(value, np.ndarray):
        if value.ndim != 0 or value.dtype.kind not in "iuf":
            return None
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf  # too large for a double, of either sign: refused like infinity
    except (TypeError, ValueError):
        return None


def checked_size(shape: str, argument: str, value: object) -> float:
    """Return one size of a shape [m], or raise a `ShapeError` that says why it cannot be one."""
    number = real_number(value)
    if number is None:
        raise ShapeError(
            f"{shape}: {argument} must be a number > 0, but it is {shown(value)}; "
            "give it in metres, such as 0.25."
        )
    if math.isnan(number) or number <= 0.0 or math.isinf(number):
        raise ShapeError(
            f"{shape}: {argument} must be finite and > 0, but it is {shown(value)}; "
            "give it in metres, such as 0.25."
        )
    if not SMALLEST_SIZE <= number <= LARGEST_SIZE:
        raise ShapeError(
            f"{shape}: {argument} must lie between {SMALLEST_SIZE:g} m and {LARGEST_SIZE:g} m, but it is "
            f"{shown(value)}; give it in metres."
        )
    return number


def checked_scale(shape: str, value: object) -> float:
    """Return the factor of a uniform scaling, or raise a `ShapeError`."""
    number = real_number(value)
    if number is None or not 0.0 < number < math.inf:
        raise ShapeError(
            f"{shape}: a shape is scaled by one finite number > 0, but the factor is {shown(value)}; "
            "mirrored or stretched shapes need new points or sizes."
        )
    if not 1.0 / LARGEST_SCALE <= number <= LARGEST_SCALE:
        raise ShapeError(
            f"{shape}: the factor of a scaled shape must lie between {1.0 / LARGEST_SCALE:g} and {LARGEST_SCALE:g}, "
            f"but it is {shown(value)}."
        )
    return number


def checked_triple(shape: str, argument: str, value: object) -> tuple[object, object, object]:
    """Return the three entries of a sequence or array, unchecked, or raise a `ShapeError`."""
    advice = f"expected three numbers, such as {argument}=[1.2, 0.8, 0.05]"
    if isinstance(value, np.ndarray):
        if value.shape != (3,):
            raise ShapeError(f"{shape}: {argument} has shape {value.shape}; {advice}.")
        return value[0], value[1], value[2]
    if isinstance(value, str | bytes | bytearray) or not isinstance(value, Sequence):
        raise ShapeError(f"{shape}: {argument} is {shown(value)}; {advice}.")
    if len(value) != 3:
        raise ShapeError(f"{shape}: {argument} has {len(value)} entries; {advice}.")
    return value[0], value[1], value[2]


def checked_points(
    shape: str, argument: str, value: object, *, error: type[ShapeError] = ShapeError
) -> FloatArray:
    """Return points as a fresh float64 array (n, 3), n >= 0, finite, with 0.0 for -0.0, or raise `error`."""
    array = _real_array(shape, argument, value, error)
    if array.ndim != 2 or array.shape[1] != 3:
        raise error(
            f"{shape}: {argument} must have shape (n, 3), one row per point, but it has shape {array.shape}."
        )
    with np.errstate(over="ignore"):  # a long double beyond the range of double becomes inf, reported below
        points = np.array(array, dtype=np.float64, order="C", copy=True)
    bad = ~np.isfinite(points)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise error(
            f"{shape}: {argument}[{row}] has {'xyz'[column]} = {points[row, column]}, one of "
            f"{int(bad.sum())} values that are not finite; remove or repair these points."
        )
    if points.size and np.abs(points).max() > LARGEST_SIZE:
        row, column = np.unravel_index(int(np.abs(points).argmax()), points.shape)
        raise error(
            f"{shape}: {argument}[{row}] has {'xyz'[column]} = {points[row, column]:g} m, more than "
            f"{LARGEST_SIZE:g} m from the origin; give points in metres, near the shape's own frame."
        )
    points += 0.0  # -0.0 becomes 0.0, so that equal numbers have equal bytes
    return points


def _real_array(shape: str, argument: str, value: object, error: type[ShapeError]) -> npt.NDArray[Any]:
    expected = f"{argument} must be an array of numbers of shape (n, 3)"
    if value is None or isinstance(value, str | bytes | bytearray | dict | set | frozenset):
        raise error(
            f"{shape}: {expected}, but it is {shown(value)}; give one row x, y, z in metres per point."
        )
    try:
        array = as_array(value)
    except Exception as cause:  # ragged lists, or whatever a foreign __array__ raises
        raise error(f"{shape}: {expected}, but {shown(value)} cannot be made into one: {cause}") from cause
    if array.dtype == object and array.ndim == 2:
        floats = [real_number(entry) for entry in array.flat]  # fractions, and numbers of mixed types
        if None not in floats:
            return np.array(floats, dtype=np.float64).reshape(array.shape)
    if array.size == 0 and array.dtype.kind in "iuf":
        return array.reshape(-1, 3) if array.ndim == 1 else array
    if array.dtype.kind not in "iuf":
        what = "a ragged or mixed list" if array.dtype == object else f"of dtype {array.dtype}"
        raise error(f"{shape}: {expected}, but it is {what}; give one row x, y, z in metres per point.")
    return array


def as_array(
    value: object,
    what: str = "it",
    error: type[KeepclearError] = ArgumentError,
    dtype: npt.DTypeLike | None = None,
) -> npt.NDArray[Any]:
    """Return `np.asarray(value)`, or raise `error` where masked arrays hide entries: these have no value."""
    if type(value) is not np.ndarray and (n := _n_masked(value)):
        entries = "a masked entry" if n == 1 else f"{n} masked entries"
        raise error(f"{what} has {entries}, whose value is unknown; fill such entries, or leave them out.")
    return np.asarray(value, dtype=dtype)


def converted(value: object, expected: str, error: type[KeepclearError]) -> npt.NDArray[Any]:
    """Return a value as an array, or raise `error`, which begins with what was expected."""
    try:
        return as_array(value)
    except Exception as cause:  # ragged lists, or any error of a user-defined __array__
        raise error(f"{expected}: {cause}") from cause


def _n_masked(value: object) -> int:
    if isinstance(value, np.ndarray):
        return int(np.count_nonzero(value.mask)) if isinstance(value, np.ma.MaskedArray) else 0
    if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple | np.ndarray):
        return sum(map(_n_masked, value))
    return 0


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a view of an array that cannot be written to; kernels get the array itself."""
    view = array.view()
    view.flags.writeable = False
    return view


def checked_instant(name: str, t: object) -> float:
    """Return a time that is not too large [s]."""
    time = real_number(t)
    if time is None or not math.isfinite(time):
        raise ArgumentError(f"{name} must be a finite number of seconds, but it is {shown(t)}.")
    if abs(time) > LATEST_TIME:
        raise ArgumentError(f"{name} = {time:g} s is beyond the largest time, {LATEST_TIME:g} s.")
    return time


def checked_length(name: str, value: object, unit: str = "metres") -> float:
    """Return a finite number that is not negative and not too large: a length, or a duration in seconds."""
    number = real_number(value)
    if number is None or not 0.0 <= number < math.inf:
        raise ArgumentError(f"{name} must be a finite number >= 0, in {unit}, but it is {shown(value)}.")
    return _limited(name, number, unit)


class Lengths(NamedTuple):
    """One length for all of some things, or one for each, (n,) [m]; called with an index it gives that of a thing."""

    values: float | FloatArray

    def __call__(self, k: int) -> float:
        """Return the length of thing k [m]."""
        return self.values if isinstance(self.values, float) else self.values.item(k)


def checked_lengths(name: str, value: object, n: int, noun: str) -> Lengths:
    """Return lengths that are finite, not negative and not too large: one, or one for each of n things."""
    if type(value) is float or np.ndim(value) == 0:  # type: ignore[arg-type]
        return Lengths(checked_length(name, value))
    array = as_array(value, name)
    if array.shape != (n,) or array.dtype.kind not in "iuf":
        raise ArgumentError(
            f"{name} must be a number or an array ({n},), one for each {noun}, but it is {shown(value)}."
        )
    lengths = array.astype(np.float64)
    bad = np.flatnonzero(~((lengths >= 0.0) & (lengths <= LARGEST_LENGTH)))
    if len(bad):
        checked_length(f"{name}[{bad[0]}]", lengths.item(bad[0]))
    return Lengths(lengths + 0.0)


def checked_positive(name: str, value: object, unit: str) -> float:
    """Return a finite number > 0 that is not too large: a length, a duration in seconds, or a factor without a unit."""
    number = real_number(value)
    if number is None or not 0.0 < number < math.inf:
        of = f", in {unit}" * bool(unit)
        raise ArgumentError(f"{name} must be a finite number > 0{of}, but it is {shown(value)}.")
    return _limited(name, number, unit)


def _limited(name: str, number: float, unit: str) -> float:
    largest = LATEST_TIME if unit == "seconds" else LARGEST_LENGTH
    if number > largest:
        raise ArgumentError(f"{name} = {f'{number:g} {unit}'.strip()} is beyond the largest, {largest:g}.")
    return number + 0.0  # -0.0 becomes 0.0


def checked_path(door: str, path: object, what: str = "a file") -> Path:
    """Return the path that a function was given, or raise an `ArgumentError`."""
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise ArgumentError(f"{door} takes the path of {what}, but it was given {shown(path)}.")
    if "\0" in os.fspath(path) or not os.fspath(path):
        raise ArgumentError(f"{door} takes the path of {what}, but {shown(path)} cannot be one.")
    return Path(path)


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number; a bool is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def checked_flag(name: str, value: object) -> bool:
    """Return True or False unchanged."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f"{name} must be True or False, but it is {shown(value)}.")
    return bool(value)


def checked_budget(budget: object) -> int | None:
    """Return the maximum number of evaluations, or None for no limit."""
    if budget is None:
        return None
    if not is_whole(budget) or int(budget) < 1:  # type: ignore[call-overload]
        raise ArgumentError(
            f"budget must be a whole number of evaluations >= 1, or None for no limit, but it is {shown(budget)}."
        )
    return min(int(budget), MOST_EVALUATIONS)  # type: ignore[call-overload,no-any-return]


def checked_window(t_from: object, t_to: object, what: str) -> Window:
    """Return a window of time; None is no end."""
    start = -math.inf if t_from is None else checked_instant(f"{what}: t_from", t_from)
    end = math.inf if t_to is None else checked_instant(f"{what}: t_to", t_to)
    if start > end:
        raise ArgumentError(f"{what}: it begins at {start:.9g} s, after its end at {end:.9g} s.")
    return start, end


def checked_interval(span: Window, t0: object, t1: object) -> Window:
    """Return an interval of time, by default all that moves."""
    start = span[0] if t0 is None else checked_instant("t0", t0)
    end = span[1] if t1 is None else checked_instant("t1", t1)
    if start > end:
        raise ArgumentError(f"t0 = {start:.9g} s comes after t1 = {end:.9g} s; give the earlier time first.")
    return start, end


def checked_number(name: str, value: object, least: float, most: float) -> float:
    """Return a number from `least` to `most`."""
    number = real_number(value)
    if number is None or not least <= number <= most:
        raise ArgumentError(
            f"crowd: {name} must be a finite number from {least:g} to {most:g}, but it is {shown(value)}."
        )
    return number


def checked_choice(label: str, argument: str, value: object, choices: tuple[str, ...]) -> str:
    """Return one of the choices, or raise an `ArgumentError` that suggests the nearest."""
    if isinstance(value, str) and value in choices:
        return value
    options = listed(map(repr, choices), "or")
    raise ArgumentError(
        f"{label}: {argument} must be {options}, but it is {shown(value)}{close_name(value, choices)}"
    )
