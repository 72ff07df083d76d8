"""Suggestions for names that nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["did_you_mean", "listed", "nearest"]

LISTED = 12  # names in a message


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that looks most like this one, None if none does."""
    by_lower: dict[str, str] = {}
    for one in known:
        by_lower.setdefault(one.lower(), one)
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return "; did you mean 'x'?", or the other advice where nothing looks like the name.

    Example:
        >>> did_you_mean("forarm", ["base", "forearm"])
        "; did you mean 'forearm'?"
    """
    close = nearest(name, known)
    if close is not None:
        return f"; did you mean '{close}'?"
    return f"; {otherwise}" if otherwise else ""


def listed(names: Iterable[str], last: str = "and") -> str:
    """Return names as words: "a, b and c"; long lists end in "..."."""
    words = list(names)
    if len(words) > LISTED:
        return ", ".join(words[:LISTED]) + ", ..."
    return ", ".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {last} {words[-1]}"
