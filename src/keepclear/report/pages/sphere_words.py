"""Audits and covers in words: lengths and shares are rounded conservatively."""

from __future__ import annotations

import math
from collections.abc import Mapping

from keepclear.names import listed
from keepclear.report.pages.page import counted
from keepclear.robot.spheres.audit import LinkAudit, SphereAudit


def upper_length(metres: float) -> str:
    """Return an upper bound of a length, rounded up to 0.01 mm, and from 0.1 m on to 1 mm.

    Examples:
        >>> upper_length(0.0623401), upper_length(1.00001), upper_length(0.0)
        ('62.35 mm', '1.001 m', '0 mm')
    """
    return _length(metres, 1)


def lower_length(metres: float) -> str:
    """Return a lower bound of a length, rounded down.

    Examples:
        >>> lower_length(0.0622499)
        '62.24 mm'
    """
    return _length(metres, -1)


def _length(metres: float, side: int) -> str:
    """Return a length rounded up (1) or down (-1); a product that exceeds its round value by 1e-9 is rounded to it."""
    if not math.isfinite(metres):
        return "without limit"
    if metres == 0.0:
        return "0 mm"
    steps, digits, unit = (1e5, 2, "mm") if metres < 0.1 else (1e3, 3, "m")
    return f"{side * math.ceil(side * metres * steps - 1e-9) / 10**digits:.{digits}f} {unit}"


def share_text(lower: float, upper: float) -> str:
    """Return a share between bounds, in percent.

    Examples:
        >>> share_text(0.2707, 0.2719), share_text(0.0, 0.0), share_text(1.0, 1.0), share_text(0.0, 0.0004)
        ('27 %', '0 %', '100 %', 'below 0.1 %')
    """
    if upper == 0.0:
        return "0 %"
    if lower == 0.0:
        return f"below {math.ceil(upper * 1e3) / 10:g} %"
    middle = 100.0 * 0.5 * (lower + upper)
    if middle > 99.5 and lower < 1.0:
        return "99 %"
    return f"{middle:.0f} %" if middle >= 0.95 else f"{middle:.1f} %"


def sticks_out_text(row: LinkAudit) -> str:
    """Return whether a link is covered, or how far it sticks out of its spheres."""
    if row.state == "covered":
        return "covered"
    if not row.n_spheres:
        return "no spheres"
    at_most = "at most " if row.state == "undecided" else ""
    return f"{at_most}{upper_length(row.sticks_out_upper)} outside"


def openings_text(counts: Mapping[str, int]) -> list[str]:
    """Return what is said of openings that count as closed, by link; nothing without such openings."""
    having = [f"{link} ({n})" for link, n in counts.items() if n]
    if not having:
        return []
    return [f"excess is measured with small openings of open meshes closed: {listed(having)}"]


def audit_sentence(audit: SphereAudit) -> str:
    """Return the result of an audit in a sentence."""
    n = len(audit.links)
    if audit.state == "covered":
        solid = sum(row.solid for row in audit.links)
        only = [row.link for row in audit.links if not row.solid]
        if 0 < solid < n:
            return (
                f"Proved: the spheres cover the solids of {counted(solid, 'link')}, and the surface alone of "
                f"{', '.join(only)}, where a mesh is not closed."
            )
        return f"Proved: the spheres cover the {'solids' if solid else 'surfaces'} of {counted(n, 'link')}."
    bad = [row for row in audit.links if row.state == "uncovered"]
    if not bad:
        left = sum(row.state == "undecided" for row in audit.links)
        return f"Not decided for {counted(left, 'link')} of {n}: nothing was found outside, and cover is not proved."
    worst = max(bad, key=lambda row: row.sticks_out_lower)
    without = [row.link for row in bad if not row.n_spheres]
    verb = "sticks out of its" if len(bad) == 1 else "stick out of their"
    said = f"{len(bad)} of {counted(n, 'link')} {verb} spheres"
    if without:
        return f"{said}; '{without[0]}' has no spheres."
    return f"{said}, '{worst.link}' by {lower_length(worst.sticks_out_lower)}."
