"""A world at one instant: which pairs touch, and how far apart the others are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.broad_phase import tree
from keepclear.results import compared_by_content
from keepclear.scene.distances import query_distance, within
from keepclear.scene.pair_rules import reach_of
from keepclear.scene.scene import Scene
from keepclear.scene.steps import box_gap


@compared_by_content
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


def colliding_pairs(scene: Scene, t: float, *, at_rest: bool) -> tuple[tuple[str, str], ...]:
    """Return the names of the pairs that are within their margin at an instant, without allowed pairs.

    Without `at_rest`, contact is ignored until a pair first moves.
    """
    found: dict[tuple[str, str], None] = {}
    for a, b, gap in _near_bodies(scene, t, 0.0, at_rest=at_rest):
        i, j = int(scene.item[a]), int(scene.item[b])
        names, margin = (scene.items[i].name, scene.items[j].name), scene.pair_rules.margin(i, j)
        if not at_rest and t <= scene.frames.unchecked_until(i, j):
            continue
        which = scene.geoms[a], scene.geoms[b]
        if gap <= margin and names not in found and within(scene.timeline, *which, t, margin):
            found[names] = None
    return tuple(found)


def distances_at(scene: Scene, t: float, far: float, *, at_rest: bool) -> tuple[PairDistance, ...]:
    """Return the distances of all pairs that are at most `far` apart, closest first."""
    best: dict[tuple[str, str], PairDistance] = {}
    listed: set[tuple[str, str]] = set()
    for a, b, gap in _near_bodies(scene, t, far, at_rest=at_rest):
        i, j = int(scene.item[a]), int(scene.item[b])
        names = scene.items[i].name, scene.items[j].name
        if gap > min(far, max(0.0, best[names].distance) if names in best else np.inf):
            continue  # boxes of parts that overlap deeper have no gap
        found = query_distance(scene.timeline, scene.geoms[a], scene.geoms[b], t)
        if (
            not at_rest
            and t <= scene.frames.unchecked_until(i, j)
            and found.lower <= scene.pair_rules.margin(i, j)
        ):
            listed.add(names)  # in contact, and they have not moved relative to each other yet
        if found.distance <= far and (names not in best or found.distance < best[names].distance):
            lower = found.lower - scene.items[i].error - scene.items[j].error
            best[names] = PairDistance(*names, found.distance, lower, found.p_WA, found.p_WB, found.normal_W)
    checked = (pair for names, pair in best.items() if names not in listed)
    return tuple(sorted(checked, key=lambda pair: (pair.distance, pair.a, pair.b)))


def _near_bodies(scene: Scene, t: float, within: float, *, at_rest: bool) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of bodies that are checked at an instant and may be near each other, and the gaps of their boxes [m].

    Args:
        scene: The scene.
        t: The instant [s].
        within: The distance that counts as near, if it exceeds their margin [m].
        at_rest: Whether pairs count that never move relative to each other.
    """
    steps, n = scene.steps(t, t), len(scene.items)
    classes = np.arange(n) if at_rest else scene.frames.classes
    margins = reach_of(scene.pair_rules)[scene.item]  # path errors do not count here
    keys = np.stack([scene.item, classes[scene.item]], axis=1)
    near = steps.same_class(np.maximum(margins, within), keys, tree.DIFFERENT)
    items = scene.item[near]
    checked = scene.pair_rules.is_checked(items[:, 0] * n + items[:, 1])
    for a, b in near[checked].tolist():
        windows = scene.pair_rules.windows(int(scene.item[a]), int(scene.item[b]))
        if not any(rule.window[0] <= t <= rule.window[1] for rule in windows):
            yield a, b, box_gap(steps.box_at(a, 0), steps.box_at(b, 0))
