"""Pairs that do not move relative to each other: those that touch are listed, not judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from keepclear.report.report import Unchecked
from keepclear.world.look import look_at
from keepclear.world.rules import Rules, Window
from keepclear.world.sweep import Sweep
from keepclear.world.timeline import Timeline

Row = tuple[int, int, float, float]


def resting_contacts(
    timeline: Timeline, rules: Rules, rows: Sequence[Row], sweep: Sweep, tolerance: float, whole: Window
) -> list[Unchecked | None]:
    """Return for pairs (item, item, from, to) at rest what is said of those within their margin, None for the others.

    Args:
        timeline: All items.
        rules: What was said about them.
        rows: The pairs, and when they rest [s].
        sweep: Boxes around all parts.
        tolerance: What a distance may be more than the margin [m].
        whole: The interval that is looked at: a pair that rests all the time needs no times [s].
    """
    found: list[Unchecked | None] = []
    for (i, j, start, end), distance in zip(
        rows, _distances(timeline, rules, rows, sweep, tolerance), strict=True
    ):
        a, b = timeline.items[i].name, timeline.items[j].name
        if distance is None:
            found.append(None)
            continue
        t_from, t_to = (None, None) if (start, end) == whole else (start, end)
        detail = f"{_words(distance, tolerance)}, and nothing moves between them"
        found.append(
            Unchecked(a=a, b=b, reason="at rest", touching=True, detail=detail, t_from=t_from, t_to=t_to)
        )
    return found


def _words(distance: float, tolerance: float) -> str:
    if distance < -tolerance:
        return f"they overlap by {-1e3 * distance:.3g} mm"
    return (
        "they touch"
        if distance <= tolerance
        else f"they are {1e3 * distance:.3g} mm apart, within their margin"
    )


def _distances(
    timeline: Timeline, rules: Rules, rows: Sequence[Row], sweep: Sweep, tolerance: float
) -> list[float | None]:
    """Return the distances of the pairs that are within their margin and the tolerance, None for the others [m]."""
    items = timeline.items
    parts = [
        (row, (i, p), (j, q), t)
        for row, (i, j, t, _) in enumerate(rows)
        for p in range(len(items[i].parts))
        for q in range(len(items[j].parts))
    ]
    found: list[float | None] = [None] * len(rows)
    if not parts:
        return found
    slots = np.searchsorted(sweep.times, [t for _, _, _, t in parts], side="right") - 1
    slots = np.clip(slots, 0, len(sweep.lower) - 1)
    a = np.array([sweep.number[p] for _, p, _, _ in parts])
    b = np.array([sweep.number[q] for _, _, q, _ in parts])
    gaps = np.maximum(
        sweep.lower[slots, b] - sweep.upper[slots, a], sweep.lower[slots, a] - sweep.upper[slots, b]
    )
    margins = [*rules.margins.values(), *(margin for _, _, margin in rules.pair_margins)]
    for k in np.flatnonzero(gaps.max(axis=1) <= max(margins, default=0.0) + tolerance).tolist():
        row, one, other, t = parts[k]
        look = look_at(timeline, one, other, t)
        if look.lower <= rules.margin(items[one[0]].name, items[other[0]].name) + tolerance:
            before = found[row]
            found[row] = look.distance if before is None else min(before, look.distance)
    return found
