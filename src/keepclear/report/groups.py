"""Groups of pairs in a report: chosen pairs, pairs with the surroundings, and pairs of a robot's own links."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.names import known_names

if TYPE_CHECKING:
    from keepclear.report.records import PairRecords
    from keepclear.report.report import Report

GROUPS = ("pinned", "surroundings", "own links")
"""The groups by code, in the order in which they are shown."""
PINNED, SURROUNDINGS, OWN_LINKS = range(3)

_BETWEEN = " - "


def groups_of(records: PairRecords, pins: Iterable[str]) -> npt.NDArray[np.int8]:
    """Return the codes of `GROUPS` of pairs (k,); pins that name nothing select nothing."""
    names = records.names
    owners = [name.partition("/")[0] for name in names]
    codes = {owner: k for k, owner in enumerate(dict.fromkeys(owners))}
    robot = np.array(
        [
            codes[owner] if "/" in name else -1 - k
            for k, (name, owner) in enumerate(zip(names, owners, strict=True))
        ],
        dtype=np.int64,
    )
    found = np.where(robot[records.a] == robot[records.b], OWN_LINKS, SURROUNDINGS).astype(np.int8)
    for pin in pins:
        parts = _parts(pin, names)
        if not parts:
            continue
        first, last = (
            np.array([_is_of(name, part) for name in names], dtype=bool) for part in (parts[0], parts[-1])
        )
        a, b = records.a, records.b
        chosen = first[a] | first[b] if len(parts) == 1 else (first[a] & last[b]) | (first[b] & last[a])
        found[chosen] = PINNED
    return found


def pinned_report(report: Report, pins: Sequence[str], known: Collection[str]) -> Report:
    """Return a report with the chosen pairs first, in all programs; see `Report.pinned`.

    Args:
        report: The report.
        pins: Objects, links, robots, or two of them with " - " between them.
        known: The names of all objects and links.
    """
    pins = tuple(dict.fromkeys(pins))
    check_pins(pins, known)
    programs = tuple(_ordered(program, pins) for program in report.programs)
    return replace(_ordered(report, pins), programs=programs)


def check_pins(pins: Iterable[str], known: Collection[str]) -> None:
    """Raise an `UnknownNameError` for the first pin that names nothing."""
    for pin in [pins] if isinstance(pins, str) else pins:
        if not isinstance(pin, str) or not pin or pin is pins:
            raise ArgumentError(
                f"pins must be a list of names, such as ['arm', 'part - table'], but it has {pin!r}."
            )
        if not _parts(pin, known):
            names = list(dict.fromkeys([*(name.partition("/")[0] for name in known), *known]))
            wrong = next((part for part in pin.split(_BETWEEN) if not _is_known(part, known)), pin)
            about = "" if wrong == pin else f" of the pair {pin!r}"
            raise UnknownNameError(
                f"the report has no object, link or robot {wrong!r}{about} to pin{known_names(wrong, names, 'name')}"
            )


def _ordered(report: Report, pins: tuple[str, ...]) -> Report:
    is_pinned = groups_of(report.records, pins) == PINNED
    rows = np.concatenate([np.flatnonzero(is_pinned), np.flatnonzero(~is_pinned)])
    return replace(report, pins=pins, pairs=report.records.take(rows))


def _parts(pin: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the one or two names of a pin; () if it names nothing. Names of objects may contain " - "."""
    if _is_known(pin, known):
        return (pin,)
    words = pin.split(_BETWEEN)
    for k in range(1, len(words)):
        pair = _BETWEEN.join(words[:k]), _BETWEEN.join(words[k:])
        if all(_is_known(name, known) for name in pair):
            return pair
    return ()


def _is_known(name: str, known: Iterable[str]) -> bool:
    return any(_is_of(one, name) for one in known)


def _is_of(name: str, part: str) -> bool:
    """Return whether a name is this object, or a link of this robot."""
    return name == part or name.startswith(f"{part}/")
