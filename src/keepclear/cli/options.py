"""Options of commands: their groups in the help, and numbers, where a bad one is one line that names the option."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import click

from keepclear.errors import ArgumentError
from keepclear.report.formats import FORMATS

_MOST = 1e12  # of a number
_WIDEST = 30  # columns of the options in a help text
Callback = Callable[[click.Context, click.Parameter, Any], Any]


class Grouped(click.Command):
    """A command whose help lists its options in groups; options in no group come last."""

    groups: Mapping[str, tuple[str, ...]] = {
        "What is verified": (
            "--program", "--contacts", "--tolerance", "--no-clearances", "--method", "--cross-check", "--strict",
            "--pin",
        ),
        "Sampling instead of a proof": ("--stepwise", "--models", "--accuracy", "--ratio", "--ranks"),
        "Files and pages": (*(f"--{one.kind}" for one in FORMATS), "--annotations"),
        "Comparison with earlier results": ("--baseline", "--baseline-limit", "--store"),
        "Several cells": ("--pages", "--serve", "--effort", "--processes", "--cluster", "--timeout"),
    }  # fmt: skip

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of each group under its title, all in one column."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        records = {max(one.opts, key=len): one.get_help_record(ctx) or ("", "") for one in options}
        width = max(len(first) for first, _ in records.values() if len(first) <= _WIDEST)
        for title, names in {**self.groups, "Other options": tuple(records)}.items():
            rows = [records.pop(name) for name in names if name in records]
            if rows:
                with formatter.section(title):
                    formatter.write_dl([(first.ljust(width), text) for first, text in rows], col_max=width)


def together(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a decorator that adds several options to a command, in their order."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def number(least: float, *, whole: bool = False, above: bool = False) -> Callback:
    """Return a check for a finite number that is at least `least`, or above it; whole if asked for."""

    def checked(_: click.Context, param: click.Parameter, value: Any) -> float | int | None:
        if value is None:
            return None
        found = _parsed(value)
        is_right = found is not None and (found > least if above else found >= least)
        if not is_right or found is None or (whole and found != int(found)):
            kind = "a whole number" if whole else "a number"
            most = f" and at most {_MOST:g}" if _is_huge(value) else ""
            raise ArgumentError(
                f"{param.opts[0]} must be {kind} {'>' if above else '>='} {least:g}{most}, but it is '{value}'."
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
    return found if math.isfinite(found) and abs(found) <= _MOST else None


def _is_huge(value: Any) -> bool:
    try:
        return float(value) > _MOST
    except (TypeError, ValueError):
        return False
