"""Units of numbers in files: their names, and their values in metres, radians or seconds."""

from __future__ import annotations

import math
import re

__all__ = ["ANGLE", "LENGTH", "NAMES", "TIME", "split_unit", "unit_of"]

TIME = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0}
ANGLE = {"rad": 1.0, "deg": math.pi / 180.0}
LENGTH = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "in": 0.0254, "ft": 0.3048}

NAMES = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "min": "minutes", "rad": "radians",
         "deg": "degrees", "m": "metres", "cm": "centimetres", "mm": "millimetres", "um": "micrometres",
         "in": "inches", "ft": "feet"}  # fmt: skip
"""The names of units in texts."""

_OTHER_NAMES = {
    "s": "sec secs second",
    "ms": "msec millisecond",
    "us": "usec µs",
    "min": "minute",
    "rad": "radian",
    "deg": "degree °",
    "m": "metre meter meters",
    "cm": "centimetre centimeter centimeters",
    "mm": "millimetre millimeter millimeters",
    "um": "micrometers µm",
    "in": "inch",
    "ft": "foot",
}
_UNIT_NAMES = {
    word: short for short, long in NAMES.items() for word in (short, long, *_OTHER_NAMES[short].split())
}
_BRACKETED = re.compile(r"(.*\S)\s*[\[(]\s*([^\[\]()]*?)\s*[\])]")


def unit_of(text: str) -> tuple[str, bool] | None:
    """Return the short name of a unit and whether it is per second; None if the text is not a unit.

    Examples:
        >>> unit_of("degrees/s"), unit_of("mm"), unit_of("x")
        (('deg', True), ('mm', False), None)
    """
    name, slash, below = text.strip().lower().partition("/")
    short = _UNIT_NAMES.get(name.strip())
    if short is None or (slash and _UNIT_NAMES.get(below.strip()) != "s"):
        return None
    return short, bool(slash)


def split_unit(heading: str) -> tuple[str, str | None]:
    """Return the name in the head of a column, and what it has in brackets behind it.

    Examples:
        >>> split_unit("j1 [deg]"), split_unit("time(ms)"), split_unit("x")
        (('j1', 'deg'), ('time', 'ms'), ('x', None))
    """
    found = _BRACKETED.fullmatch(heading.strip())
    return (found[1], found[2]) if found else (heading.strip(), None)
