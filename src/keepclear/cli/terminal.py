"""Texts on a terminal: how many columns they take, and how they are cut and filled up to a width."""

from __future__ import annotations

import unicodedata

__all__ = ["columns_of", "cut", "padded", "plain_line"]

ELLIPSIS = "…"


def columns_of(text: str) -> int:
    """Return how many columns a text takes: two for wide characters, none for marks that join the one before."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def padded(text: str, columns: int) -> str:
    """Return the text with spaces behind it up to a number of columns; a longer text stays as it is."""
    return text + " " * (columns - columns_of(text))


def cut(text: str, columns: int) -> str:
    """Return the text, its end left out if it takes more columns than these."""
    if columns_of(text) <= columns:
        return text
    kept, used = [], columns_of(ELLIPSIS)
    for character in text:
        used += _columns(character)
        if used > columns:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS if columns > 0 else ""


def plain_line(text: str) -> str:
    """Return the text on one line, without characters that would move the cursor or change the terminal."""
    return "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
