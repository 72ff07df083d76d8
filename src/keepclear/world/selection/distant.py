"""Warnings about objects that never come near anything else, usually because millimetres were taken for metres."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import UnitMistake
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.scene.items import WorldRobot
from keepclear.scene.scene import Scene
from keepclear.scene.steps import Steps
from keepclear.scene.timeline import part_of
from keepclear.tolerances import IMPLAUSIBLY_LARGE
from keepclear.world.selection.held import held_mistakes

FARTHEST, SMALL, LARGE = 10.0, 3.0, 10.0
"""Groups that are farther apart than this many times the size of the larger object get a warning.

Millimetres taken for metres give a factor of 1000, inches one of 39. The distances of objects in one cell are a few
times its size. Small objects may be far apart, and a floor does not limit where the others are: objects smaller than
`SMALL` or larger than `LARGE` [m] count as that large. Only a warning depends on it.
"""
LARGEST, THICKEST = IMPLAUSIBLY_LARGE, 5.0
"""A plain shape that is larger than the first in one direction, and than the second in all, gets a warning [m].

A table of 1200 x 800 x 50 mm read as metres is that large; floors and fences are thin. Only a warning depends on it.
"""
NAMED = 4  # objects that a warning names


def unit_mistakes(steps: Steps, scene: Scene) -> list[UnitMistake]:
    """Return warnings for held objects that float or jump, and objects that look like millimetres taken for metres."""
    held = held_mistakes(scene, steps.t0, steps.t1)
    return [*held, *distant_things(steps, scene), *oversized_things(scene)]


def distant_things(steps: Steps, scene: Scene) -> list[UnitMistake]:
    """Return a warning for each group of objects that is far away from the largest group during the whole interval."""
    if not len(steps.still):
        return []
    all_of_it = steps.still[:, 3:].max(axis=0) - steps.still[:, :3].min(axis=0)
    if np.linalg.norm(all_of_it) <= FARTHEST * SMALL:
        return []  # the usual case: nothing is that far away
    names, lower, upper, sizes = _boxes(steps, scene)
    groups = _groups(lower, upper, sizes)
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


def oversized_things(scene: Scene) -> list[UnitMistake]:
    """Return a warning for each object of plain shapes that is too large for a cell."""
    found: dict[str, UnitMistake] = {}
    sizes = 2.0 * scene.around[:, 4:7]
    for g in np.flatnonzero((sizes.max(axis=1) > LARGEST) & (sizes.min(axis=1) > THICKEST)).tolist():
        item, part, size = scene.items[scene.item[g]], part_of(scene.items, scene.geoms[g]), sizes[g]
        if not bounding_volumes_of(part.body).is_mesh:
            text = (
                f"{item.name!r} is {float(size.max()):.4g} m large; check whether its size is in millimetres"
            )
            found[item.name] = UnitMistake(f"{text} where metres are expected")
    return list(found.values())


def _warning(names: list[str], gap: float) -> UnitMistake:
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    verb = "comes" if len(names) == 1 else "come"
    return UnitMistake(
        f"{shown} never {verb} within {gap:.4g} m of anything else; check whether a position is in millimetres "
        "where metres are expected"
    )


def _boxes(steps: Steps, scene: Scene) -> tuple[list[str], FloatArray, FloatArray, FloatArray]:
    """Return objects and robots in words, with boxes (n, 3) around their whole motions, and their sizes (n,) [m]."""
    owners: dict[int, list[int]] = {}
    words: dict[int, str] = {}
    for g, (i, _) in enumerate(scene.geoms):
        owner = scene.items[i].owner
        owners.setdefault(id(owner), []).append(g)
        words[id(owner)] = f"{'robot' if isinstance(owner, WorldRobot) else 'object'} {owner.name!r}"
    lower, upper, sizes = [], [], []
    for bodies in owners.values():
        low, high = steps.still[bodies, :3].min(axis=0), steps.still[bodies, 3:].max(axis=0)
        lower.append(low)
        upper.append(high)
        columns = steps.column[bodies]
        moving, rest = steps.boxes[:, columns[columns >= 0]], steps.still[bodies][columns < 0]
        if moving.size:  # without the path
            low = np.minimum(moving[:, :, :3].min(axis=1), rest[:, :3].min(axis=0, initial=np.inf))
            high = np.maximum(moving[:, :, 3:].max(axis=1), rest[:, 3:].max(axis=0, initial=-np.inf))
        sizes.append(np.linalg.norm(high - low, axis=-1).min())
    return (
        list(words.values()),
        np.array(lower).reshape(-1, 3),
        np.array(upper).reshape(-1, 3),
        np.clip(np.array(sizes), SMALL, LARGE),
    )


def _groups(lower: FloatArray, upper: FloatArray, sizes: FloatArray) -> list[list[int]]:
    """Join boxes that are near each other relative to the sizes of the objects, until all groups are far apart."""
    if not len(lower):
        return []
    if np.linalg.norm(upper.max(axis=0) - lower.min(axis=0)) <= FARTHEST * sizes.max():
        return [list(range(len(lower)))]  # everything is near the largest object
    groups = [[k] for k in range(len(lower))]
    low, high, size = lower.copy(), upper.copy(), sizes.copy()
    k = 0
    while k < len(groups):
        others = np.arange(len(groups)) != k
        gaps = np.linalg.norm(np.maximum(np.maximum(low - high[k], low[k] - high), 0.0), axis=1)
        near = np.flatnonzero(others & (gaps <= FARTHEST * np.maximum(size, size[k])))
        if not len(near):
            k += 1
            continue
        for n in near.tolist():
            groups[k] += groups[n]
            low[k], high[k] = np.minimum(low[k], low[n]), np.maximum(high[k], high[n])
            size[k] = max(size[k], size[n])
        kept = np.setdiff1d(np.arange(len(groups)), near)
        groups, low, high, size, k = [groups[n] for n in kept.tolist()], low[kept], high[kept], size[kept], 0
    return [sorted(group) for group in groups]


def _gap(low: FloatArray, high: FloatArray, other_low: FloatArray, other_high: FloatArray) -> float:
    return float(np.linalg.norm(np.maximum(np.maximum(other_low - high, low - other_high), 0.0)))
