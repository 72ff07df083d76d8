"""Contacts of a pair over time, with durations and minimum distances, for pages; JSON does not contain them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from keepclear.report.report import Contact

__all__ = ["ContactHistory", "histories_within"]

MOST_QUERIES = 30_000
"""Distance queries for the histories of one page: 1 s for convex shapes, and a few seconds for meshes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactHistory:
    """The contacts of a pair, how long each lasts, and how close the pair comes.

    Attributes:
        contacts: In the order of time, with `t_last`, and `t_end` where the pair separates again.
        least: For each contact, certified bounds of the least distance during it, None where the margin is 0 [m].
        left: The time from which contacts were not searched [s]; None: all were found.
        rest: Certified bounds of the least distance from there on, or over contacts whose own was not searched, while
            the pair is checked; None where that was not searched, or where nothing was left out [m].
        queries: How many distance queries it took.
    """

    contacts: tuple[Contact, ...]
    least: tuple[tuple[float, float] | None, ...]
    left: float | None = None
    rest: tuple[float, float] | None = None
    queries: int = 0


def histories_within(
    histories: Mapping[int, ContactHistory], rows: Iterable[int], most_queries: int = MOST_QUERIES
) -> dict[int, ContactHistory]:
    """Return the histories of rows in their order, within a budget of distance queries.

    The budget does not depend on which histories exist already, so that one report always gives the same page.
    """
    found: dict[int, ContactHistory] = {}
    spent = 0
    for row in rows:
        if spent >= most_queries:
            break
        if row in histories:
            found[row] = histories[row]
            spent += found[row].queries
    return found
