"""A world at one instant: which pairs touch, and how far apart the others are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from keepclear.scene.frames import Frames
from keepclear.scene.items import WorldRobot
from keepclear.scene.rules import Rules, allowed_links
from keepclear.scene.timeline import Timeline
from keepclear.shapes.arguments import FloatArray
from keepclear.world.look import look_at, within
from keepclear.world.sweep import Sweep


class PairDistance(NamedTuple):
    """The distance of two objects or links at an instant.

    Attributes:
        a: Name of the first.
        b: Name of the second.
        distance: [m]; 0 in contact, negative where a depth is known.
        lower: The true distance is at least this [m].
        p_WA: The point of A closest to B, (3,) [m].
        p_WB: The point of B closest to A, (3,) [m].
        normal_W: Unit vector from A to B, (3,).
    """

    a: str
    b: str
    distance: float
    lower: float
    p_WA: FloatArray
    p_WB: FloatArray
    normal_W: FloatArray


def judged_pairs(timeline: Timeline, rules: Rules, t: float, frames: Frames | None) -> list[tuple[int, int]]:
    """Return the pairs of items that are checked at an instant; with frames, without those that never move."""
    links = {
        id(item.owner): allowed_links(item.owner)
        for item in timeline.items
        if isinstance(item.owner, WorldRobot)
    }
    found = []
    for i, a in enumerate(timeline.items):
        for j in range(i + 1, len(timeline.items)):
            b = timeline.items[j]
            if a.owner is b.owner:
                if not isinstance(a.owner, WorldRobot):
                    continue
                names = a.owner.robot.link_names
                if frozenset((names[a.link], names[b.link])) in links[id(a.owner)]:
                    continue
            if not rules.is_designated(a.name, b.name) or (
                frames is not None and frames.unchecked_until(i, j) == np.inf
            ):
                continue
            if not any(rule.window[0] <= t <= rule.window[1] for rule in rules.windows(a.name, b.name)):
                found.append((i, j))
    return found


def colliding_pairs(
    timeline: Timeline, rules: Rules, t: float, frames: Frames | None
) -> tuple[tuple[str, str], ...]:
    """Return the names of the pairs that are within their margin at an instant.

    With frames, contact is left out until a pair first moves.
    """
    found: dict[tuple[str, str], bool] = {}
    for (a, b), gap in _near_parts(timeline, rules, t, frames):
        names = timeline.items[a[0]].name, timeline.items[b[0]].name
        margin = rules.margin(*names)
        if frames is not None and t <= frames.unchecked_until(a[0], b[0]):
            continue
        if gap <= margin and names not in found and within(timeline, a, b, t, margin):
            found[names] = True
    return tuple(found)


def distances_at(
    timeline: Timeline, rules: Rules, t: float, far: float, frames: Frames | None
) -> tuple[PairDistance, ...]:
    """Return the distances of all pairs that are not farther apart, closest first."""
    best: dict[tuple[str, str], PairDistance] = {}
    listed: set[tuple[str, str]] = set()
    for (a, b), gap in _near_parts(timeline, rules, t, frames):
        names = timeline.items[a[0]].name, timeline.items[b[0]].name
        if gap > min(far, best[names].distance if names in best else np.inf):
            continue
        found = look_at(timeline, a, b, t)
        if _is_listed(frames, rules, names, (a[0], b[0]), t, found.lower):
            listed.add(names)
        if found.distance <= far and (names not in best or found.distance < best[names].distance):
            best[names] = PairDistance(
                *names, found.distance, found.lower, found.p_WA, found.p_WB, found.normal_W
            )
    checked = (pair for names, pair in best.items() if names not in listed)
    return tuple(sorted(checked, key=lambda pair: (pair.distance, pair.a, pair.b)))


def _is_listed(
    frames: Frames | None, rules: Rules, names: tuple[str, str], pair: tuple[int, int], t: float, lower: float
) -> bool:
    """Tell whether two items are in contact and have not moved relative to each other yet."""
    return frames is not None and t <= frames.unchecked_until(*pair) and lower <= rules.margin(*names)


def _near_parts(
    timeline: Timeline, rules: Rules, t: float, frames: Frames | None
) -> list[tuple[tuple[tuple[int, int], tuple[int, int]], float]]:
    """Return pairs of parts that are judged, with lower bounds of their distances from boxes around them."""
    sweep = Sweep(timeline, t, t)
    rows = [
        ((i, p), (j, q))
        for i, j in judged_pairs(timeline, rules, t, frames)
        for p in range(len(timeline.items[i].parts))
        for q in range(len(timeline.items[j].parts))
    ]
    if not rows:
        return []
    a, b = (np.array([sweep.number[row[side]] for row in rows]) for side in (0, 1))
    return list(zip(rows, sweep.gaps(a, b)[0].tolist(), strict=True))
