"""Numbers on the command line: bad ones are one line that names the option."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click

from keepclear.errors import ArgumentError

__all__ = ["number", "span", "whole_numbers"]

Callback = Callable[[click.Context, click.Parameter, Any], Any]


def number(least: float, *, whole: bool = False, above: bool = False) -> Callback:
    """Return a check for a finite number that is at least `least`, or above it; whole if asked for."""

    def checked(_: click.Context, param: click.Parameter, value: Any) -> float | int | None:
        if value is None:
            return None
        found = _parsed(value)
        is_right = found is not None and (found > least if above else found >= least)
        if not is_right or found is None or (whole and found != int(found)):
            kind = "a whole number" if whole else "a number"
            raise ArgumentError(
                f"{param.opts[0]} must be {kind} {'>' if above else '>='} {least:g}, but it is '{value}'."
            )
        return int(found) if whole else found

    return checked


def span(_: click.Context, param: click.Parameter, value: Any) -> tuple[float, float] | None:
    """Check one number, or two with a colon between them from low to high; none of them negative."""
    if value is None:
        return None
    parts = [_parsed(part) for part in str(value).split(":")]
    low, high = (parts[0], parts[-1]) if len(parts) <= 2 else (None, None)
    if low is None or high is None or not 0.0 <= low <= high:
        raise ArgumentError(
            f"{param.opts[0]} must be a number >= 0, or two such as 0.1:10 from low to high, but it is '{value}'."
        )
    return low, high


def whole_numbers(_: click.Context, param: click.Parameter, value: Any) -> tuple[int, ...] | None:
    """Check whole numbers above 0 with commas between them; they come back in order, each once."""
    if value is None:
        return None
    numbers = [_parsed(part) for part in str(value).split(",")]
    if any(one is None or one < 1 or one != int(one) for one in numbers):
        raise ArgumentError(
            f"{param.opts[0]} must be whole numbers with commas between them, such as 500,1000, but it is '{value}'."
        )
    return tuple(sorted({int(one) for one in numbers if one is not None}))


def _parsed(value: Any) -> float | None:
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) and abs(found) <= 1e12 else None
