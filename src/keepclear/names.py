"""Names in messages: which one may be meant, and all that there are, the nearest first."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable

LISTED = 200
"""Names in one message. Robots and cells have fewer; of a world with thousands of objects the nearest ones matter."""
_ALIKE = 0.6  # of difflib: below it, two names have little in common
_KEYWORD = re.compile(r"(?:\b(?P<verb>pass) )?\b(?P<name>[a-z_]+)=(?P<value>'[^']*'|\[[^]]*\]|True|False|)")


def reworded_keywords(text: str, write: Callable[[str, str], str | None], verb: str) -> str:
    """Return advice about Python arguments for users of a file or a command.

    Args:
        text: The message, such as "pass unit='mm'".
        write: Returns a name and its value, "" if there is none, as the file or command has them; None leaves them
            unchanged.
        verb: The verb instead of "pass".

    Examples:
        >>> reworded_keywords("pass unit='mm'.", lambda name, value: f"{name}: {value}", "write")
        'write unit: mm.'
    """

    def replaced(match: re.Match[str]) -> str:
        value = match["value"]
        found = write(match["name"], value.lower() if value in ("True", "False") else value.strip("'"))
        if found is None:
            return match.group()
        return f"{verb} {found}" if match["verb"] else found

    return _KEYWORD.sub(replaced, text)


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


def counted(n: int, what: str) -> str:
    """Return a number and a noun.

    Examples:
        >>> counted(1, "edge"), counted(2, "edge with a gap"), counted(0, "vertex")
        ('1 edge', '2 edges with a gap', '0 vertices')
    """
    if n == 1:
        return f"1 {what}"
    noun, *rest = what.split(" ", 1) if what.startswith(("edge ", "face ")) else (what,)
    plural = noun[:-2] + "ices" if noun.endswith("vertex") else noun + "s"
    return " ".join([str(n), plural, *rest])


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
