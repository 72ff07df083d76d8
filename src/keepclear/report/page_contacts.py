"""The contacts of a pair for a page: the kind of each contact, and how close the pair comes."""

from __future__ import annotations

import math
from typing import Any

from keepclear.report.history import ContactHistory
from keepclear.report.json_file import plain
from keepclear.report.report import PairReport, Report
from keepclear.report.words import contact_event, event_of, is_open, pair_sentence, reached

__all__ = ["contact_content"]


def contact_content(pair: PairReport, history: ContactHistory | None, report: Report) -> dict[str, Any]:
    """Return the values that a page shows for a colliding pair instead of those of its report.

    Args:
        pair: The pair.
        history: Its contacts with their durations; None if they were not searched, as in a report from JSON.
        report: The report of the pair.

    Returns:
        "contacts": each with its "event", and "least", how close the pair comes during it; "left": the time from which
        contacts were not searched; "event", "least" and "sentence" of the pair; "reach": its sort key [m]; "is_open":
        whether a pair that is too close may be in contact as well.
    """
    known = history if history is not None else _known(pair, report.tolerance)
    margin, tolerance = pair.margin, report.tolerance
    contacts = []
    for contact, reach in zip(known.contacts, known.least, strict=True):
        event = "contact" if reach is None else contact_event(margin, reach[1], tolerance)
        text = "" if reach is None or event == "contact" else _least_text(*reach, margin)
        contacts.append(plain(contact) | {"event": event, "least": text})
    reaches = [reach for reach in (*known.least, known.rest) if reach is not None]
    depths = [c.distance_upper for c in known.contacts if c.distance_upper is not None]
    upper = min([*depths, *(high for _, high in reaches)], default=0.0)
    if history is None or known.left is not None:
        upper = min(upper, _least_of_curve(pair, report))
    is_contact = any(contact["event"] == "contact" for contact in contacts) or upper <= tolerance
    found: dict[str, Any] = {"contacts": contacts, "left": known.left, "reach": upper}
    if margin <= 0.0:
        return found | {"event": "contact"}
    words = pair_sentence(pair, briefly=True)
    if is_contact or event_of(pair, tolerance) == "contact":
        return found | {"event": "contact", "least": "", "sentence": f"{words} and touches it"}
    lower = min((low for low, _ in reaches), default=0.0)
    least = _least_text(lower if known.left is None or known.rest is not None else 0.0, upper, margin)
    sentence = f"{words}, {least} at the closest" if least else words
    may_touch = history is None and is_open(pair)
    return found | {"event": "too close", "least": least, "sentence": sentence, "is_open": may_touch}


def _known(pair: PairReport, tolerance: float) -> ContactHistory:
    """Return the contacts of a pair that its report contains."""
    first = pair.margin + tolerance if pair.clearance_upper is None else pair.clearance_upper
    uppers = [first if c.distance_upper is None else c.distance_upper for c in pair.contacts]
    least = tuple((0.0, upper) if pair.margin > 0.0 else None for upper in uppers)
    return ContactHistory(contacts=pair.contacts, least=least)


def _least_text(lower: float, upper: float, margin: float) -> str:
    """Return how close a pair comes; "" if it is only known to be within its margin."""
    return "" if lower <= 0.0 and upper >= margin else reached(lower, upper)


def _least_of_curve(pair: PairReport, report: Report) -> float:
    """Return the smallest upper bound of a curve over the checked times, infinite without a curve [m]."""
    if pair.curve is None:
        return math.inf
    names = {pair.a, pair.b}
    skipped = [
        (report.t0 if one.t_from is None else one.t_from, report.t1 if one.t_to is None else one.t_to)
        for one in report.unchecked
        if {one.a, one.b} == names and one.reason != "undecided"
    ]
    instants = zip(pair.curve.times, pair.curve.upper, strict=True)
    return min((x for t, x in instants if not any(a <= t <= b for a, b in skipped)), default=math.inf)
