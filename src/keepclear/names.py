"""Names in messages: which one may be meant, and all that there are, the nearest first."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["close_name", "did_you_mean", "known_names", "listed", "nearest", "nearest_first"]

LISTED = 200
"""Names in one message. Robots and cells have fewer; of a world with thousands of objects the nearest ones matter."""
_ALIKE = 0.6  # of difflib: below it, two names have little in common


def nearest(name: object, known: Iterable[str]) -> str | None:
    """Return the known name that looks most like this one, None if none does; upper and lower case count alike."""
    found = _alike(name, list(known), 1)
    return found[0] if found else None


def nearest_first(name: object, known: Iterable[str]) -> list[str]:
    """Return all known names: first those that look like this one, the most similar first, then the others as given."""
    names = list(dict.fromkeys(known))
    alike = _alike(name, names, max(len(names), 1))
    return [*alike, *(one for one in names if one not in set(alike))]


def did_you_mean(name: object, known: Iterable[str], otherwise: str = "") -> str:
    """Return "; did you mean 'x'?", or the other advice where nothing looks like the name.

    Examples:
        >>> did_you_mean("forarm", ["base", "forearm"])
        "; did you mean 'forearm'?"
    """
    close = nearest(name, known)
    if close is not None:
        return f"; did you mean {close!r}?"
    return f"; {otherwise}" if otherwise else ""


def close_name(name: object, known: Iterable[str]) -> str:
    """Return how a message about an unknown name ends: with the nearest one that is known, or a full stop."""
    return did_you_mean(name, known) or "."


def known_names(name: object, known: Iterable[str], noun: str) -> str:
    """Return how a message about an unknown name ends: with the nearest one, and with all names.

    Examples:
        >>> known_names("forarm", ["base", "forearm"], "link")
        "; did you mean 'forearm'? It has 2 links: forearm, base."
        >>> known_names("forarm", [], "link")
        '. It has no links.'
    """
    names = list(known)
    count = f"{len(names)} {noun}{'s' * (len(names) != 1)}: " if names else f"no {noun}s"
    return f"{close_name(name, names)} It has {count}{listed(nearest_first(name, names), None)}."


def listed(names: Iterable[str], last: str | None = "and") -> str:
    """Return names as words, "a, b and c"; last=None: "a, b, c"."""
    words = list(names)
    if len(words) > LISTED:
        return f"{', '.join(words[:LISTED])} and {len(words) - LISTED} more"
    if last is None or len(words) < 2:
        return ", ".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _alike(name: object, known: list[str], n: int) -> list[str]:
    """Return up to n known names that look like this one, the most similar first."""
    if not isinstance(name, str):
        return []
    by_lower: dict[str, list[str]] = {}
    for one in known:
        by_lower.setdefault(one.lower(), []).append(one)
    close = difflib.get_close_matches(name.lower(), by_lower, n=n, cutoff=_ALIKE)
    return [one for lower in close for one in by_lower[lower]][:n]
