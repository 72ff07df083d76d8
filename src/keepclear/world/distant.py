"""Things that never come near anything else: most often millimetres that were taken for metres."""

from __future__ import annotations

import numpy as np

from keepclear.continuous.extent import outline_of
from keepclear.errors import UnitMistake
from keepclear.shapes.arguments import FloatArray
from keepclear.tolerances import IMPLAUSIBLY_LARGE
from keepclear.world.items import WorldRobot
from keepclear.world.sweep import Sweep
from keepclear.world.timeline import Timeline

FARTHEST = 10.0
"""Groups of things that are farther apart than this many times the larger one's size never come near each other.

Millimetres taken for metres are a factor of 1000, inches one of 39. The things of one cell are within a few times its
size of each other. Only a warning depends on it.
"""
LARGEST, THICKEST = IMPLAUSIBLY_LARGE, 5.0
"""A plain shape that is larger than this in one direction, and than that in all, is no part of a cell [m].

A table of 1200 x 800 x 50 mm read as metres is that large; floors and fences are thin. Only a warning depends on it.
"""
NAMED = 4  # things that a warning names


def distant_things(sweep: Sweep, timeline: Timeline) -> list[UnitMistake]:
    """Return a warning for each group of things that is far away from the largest group during the whole interval."""
    names, lower, upper = _boxes(sweep, timeline)
    groups = _groups(lower, upper)
    if len(groups) <= 1:
        return []
    boxes = [(lower[group].min(axis=0), upper[group].max(axis=0)) for group in groups]
    away = [float(np.linalg.norm(0.5 * (low + high))) for low, high in boxes]
    main = max(range(len(groups)), key=lambda k: (len(groups[k]), -away[k]))
    found = []
    for k, group in enumerate(groups):
        if k != main:
            gap = min(_gap(*boxes[k], *boxes[m]) for m in range(len(groups)) if m != k)
            found.append(_warning([names[n] for n in group], gap))
    return found


def oversized_things(timeline: Timeline) -> list[UnitMistake]:
    """Return a warning for each object of plain shapes that is as large as no part of a cell is."""
    found: dict[str, UnitMistake] = {}
    for item in timeline.items:
        for part in item.parts:
            size = 2.0 * part.around[4:7]
            if not outline_of(part.body).is_mesh and size.max() > LARGEST and size.min() > THICKEST:
                text = f"{item.name!r} is {float(size.max()):.4g} m large; check whether its size is in millimetres"
                found[item.name] = UnitMistake(f"{text} where metres are expected")
    return list(found.values())


def _warning(names: list[str], gap: float) -> UnitMistake:
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    verb = "comes" if len(names) == 1 else "come"
    return UnitMistake(
        f"{shown} never {verb} within {gap:.4g} m of anything else; check whether a position is in millimetres "
        "where metres are expected"
    )


def _boxes(sweep: Sweep, timeline: Timeline) -> tuple[list[str], FloatArray, FloatArray]:
    """Return objects and robots in words, with boxes (n, 3) around all that they pass."""
    owners: dict[int, list[int]] = {}
    words: dict[int, str] = {}
    for k, (i, _) in enumerate(sweep.parts):
        owner = timeline.items[i].owner
        owners.setdefault(id(owner), []).append(k)
        words[id(owner)] = f"{'robot' if isinstance(owner, WorldRobot) else 'object'} {owner.name!r}"
    lower = np.array([sweep.lower[:, parts].min(axis=(0, 1)) for parts in owners.values()]).reshape(-1, 3)
    upper = np.array([sweep.upper[:, parts].max(axis=(0, 1)) for parts in owners.values()]).reshape(-1, 3)
    return list(words.values()), lower, upper


def _groups(lower: FloatArray, upper: FloatArray) -> list[list[int]]:
    """Join boxes that are near each other, compared with their sizes, until all groups are far apart."""
    if not len(lower):
        return []
    sizes = np.linalg.norm(upper - lower, axis=1)
    if np.linalg.norm(upper.max(axis=0) - lower.min(axis=0)) <= FARTHEST * sizes.max():
        return [list(range(len(lower)))]  # everything is near the largest thing
    groups = [[k] for k in range(len(lower))]
    low, high = lower.copy(), upper.copy()
    k = 0
    while k < len(groups):
        others = np.arange(len(groups)) != k
        size = np.maximum(np.linalg.norm(high - low, axis=1), np.linalg.norm(high[k] - low[k]))
        gaps = np.linalg.norm(np.maximum(np.maximum(low - high[k], low[k] - high), 0.0), axis=1)
        near = np.flatnonzero(others & (gaps <= FARTHEST * size))
        if not len(near):
            k += 1
            continue
        for n in near.tolist():
            groups[k] += groups[n]
            low[k], high[k] = np.minimum(low[k], low[n]), np.maximum(high[k], high[n])
        kept = np.setdiff1d(np.arange(len(groups)), near)
        groups, low, high, k = [groups[n] for n in kept.tolist()], low[kept], high[kept], 0
    return [sorted(group) for group in groups]


def _gap(low: FloatArray, high: FloatArray, other_low: FloatArray, other_high: FloatArray) -> float:
    return float(np.linalg.norm(np.maximum(np.maximum(other_low - high, low - other_high), 0.0)))
