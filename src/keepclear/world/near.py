"""The pairs of a scene that swept boxes do not prove clear, and their windows of time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray
from keepclear.kernels.tables.pair import Pairs
from keepclear.scene.pair_rules import reach_of
from keepclear.scene.scene import Scene
from keepclear.scene.steps import Steps
from keepclear.world.plan import PairTable

# Worlds with at most this many checked pairs list all of them; larger ones list near pairs, and count the others.
MOST_LISTED = 2_000


def checked_pairs(scene: Scene, steps: Steps, within: float) -> tuple[IntArray, IntArray, int]:
    """Return the pairs of items that reports list, their pairs of bodies, and how many checked pairs there are.

    Args:
        scene: The scene.
        steps: Its time steps.
        within: Pairs that are always farther apart than this and than their margin need not be listed [m].

    Returns:
        Items (k, 2), then (m, 3) the row of a pair with one body of each of its items, sorted; and a count.
    """
    n = len(scene.items)
    classes = scene.frames.classes
    counts = np.bincount(classes, minlength=1)
    different = n * (n - 1) // 2 - int((counts * (counts - 1) // 2).sum())
    total = different - scene.pair_rules.n_excluded(classes)[0]
    if total <= MOST_LISTED and n <= MOST_LISTED + 1:
        i, j = np.triu_indices(n, 1)
        keys = (i * n + j)[classes[i] != classes[j]]
        keys = keys[scene.pair_rules.is_checked(keys)]
        pairs = np.stack([keys // n, keys % n], axis=1)
        return pairs, _bodies_of(scene, pairs), total
    near = np.concatenate([steps.candidates(reach(scene, within), _keys(scene)), *_carried_together(scene)])
    near = near[scene.frames.classes[scene.item[near[:, 0]]] != scene.frames.classes[scene.item[near[:, 1]]]]
    near = np.unique(near, axis=0)
    items = scene.item[near]
    keys = items[:, 0] * n + items[:, 1]
    kept = scene.pair_rules.is_checked(keys)
    found, rows = np.unique(keys[kept], return_inverse=True)
    bodies = np.concatenate([rows.reshape(-1, 1), near[kept]], axis=1)
    order = np.lexsort(bodies.T[::-1])
    return np.stack([found // n, found % n], axis=1), bodies[order], total


def resting_pairs(scene: Scene, steps: Steps, tolerance: float) -> tuple[IntArray, int]:
    """Return pairs of items that never move relative to each other and may touch, (k, 2), and how many never move."""
    n, classes = len(scene.items), scene.frames.classes
    counts = np.bincount(classes, minlength=1)
    total = int((counts * (counts - 1) // 2).sum()) - scene.pair_rules.n_excluded(classes)[1]
    if total == 0:
        return np.empty((0, 2), np.int64), 0
    near = scene.item[steps.same_class(reach(scene, tolerance), _keys(scene))]
    keys = np.unique(near[:, 0] * n + near[:, 1])
    keys = keys[scene.pair_rules.is_checked(keys)]
    return np.stack([keys // n, keys % n], axis=1), total


def near_rows(
    table: PairTable,
    bodies: IntArray,
    steps: Steps,
    beyond: float | None,
    which: npt.NDArray[np.bool_] | None = None,
) -> Pairs:
    """Return rows of PAIR for the times at which boxes do not prove that pairs of bodies keep clear.

    Args:
        table: The pairs of items.
        bodies: (m, 3) the row of a pair with one body of each of its items.
        steps: The boxes.
        beyond: Return all times at which a pair may be closer than this; None: than its margin [m].
        which: Return only these pairs, (n,).
    """
    if which is not None:
        bodies = bodies[which[bodies[:, 0]]]
    limits = table.margins[bodies[:, 0]] if beyond is None else np.full(len(bodies), beyond)
    rows = steps.near_rows(bodies, limits)
    if not table.plans:
        return rows
    special = np.zeros(len(table), dtype=bool)
    special[list(table.plans)] = True
    is_special = special[rows["pair"]]
    found = [
        (k, max(window.t0, t0), min(window.t1, t1), window.margin)
        for k in np.flatnonzero(is_special).tolist()
        for t0, t1 in [(rows["t0"].item(k), rows["t1"].item(k))]
        for window in table.windows(rows["pair"].item(k))
        if max(window.t0, t0) <= min(window.t1, t1)
    ]
    numbers, *columns = zip(*found, strict=True) if found else [()] * 4
    clipped = rows[np.array(numbers, np.int64)]
    clipped["t0"], clipped["t1"], clipped["margin"] = columns
    clipped["now"] = clipped["since"] = clipped["t0"]
    clipped["hint"] = np.clip(clipped["hint"], clipped["t0"], clipped["t1"])
    return np.concatenate([rows[~is_special], clipped])


def reach(scene: Scene, within: float) -> FloatArray:
    """Return the distance of each body below which boxes do not prove it clear, (bodies,) [m].

    The margin of a pair is at most the larger margin of its items, or the smaller of the margins of pairs with them,
    plus the path errors of both.
    """
    found = reach_of(scene.pair_rules) + within
    for i in np.flatnonzero(~scene.is_exact).tolist():
        found[i] += scene.errors.most(i)
    return found[scene.item]


def _carried_together(scene: Scene) -> list[IntArray]:
    """Return all pairs of bodies that a robot with a path error carries at any time.

    Their error depends on their relative speed, which the speed of a single body does not bound.
    """
    if scene.is_exact.all():
        return []
    carried: dict[int, list[int]] = {}
    for i, parents in enumerate(scene.timeline.parent_frames):
        for robot in {id(parent.robot) for parent in parents if parent.robot is not None}:
            carried.setdefault(robot, []).extend(scene.bodies_of(i))
    found = []
    for bodies in carried.values():
        a, b = np.triu_indices(len(bodies), 1)
        some = np.array(bodies)
        pairs = np.stack([some[a], some[b]], axis=1)
        found.append(pairs[scene.item[pairs[:, 0]] != scene.item[pairs[:, 1]]])
    return found


def _bodies_of(scene: Scene, pairs: IntArray) -> IntArray:
    """Return the pairs of bodies of pairs of items, (m, 3): the row of the pair, and one body of each item."""
    first = np.append(scene.first, len(scene.geoms))
    counts = np.diff(first)
    i, j = pairs[:, 0], pairs[:, 1]
    row = np.repeat(np.arange(len(pairs)), counts[i] * counts[j])
    inner = np.arange(len(row)) - np.searchsorted(row, row)
    p, q = np.divmod(inner, counts[j[row]])
    return np.stack([row, first[i[row]] + p, first[j[row]] + q], axis=1)


def _keys(scene: Scene) -> IntArray:
    return np.stack([scene.item, scene.frames.classes[scene.item]], axis=1)
