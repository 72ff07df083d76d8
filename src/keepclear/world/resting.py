"""Pairs that have not moved relative to each other: those that touch are listed, not checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from keepclear.continuous.extent import outline_of
from keepclear.errors import KeepclearError
from keepclear.proximity.collide import collide
from keepclear.proximity.distance import Body, distance
from keepclear.report.report import Unchecked
from keepclear.report.words import length
from keepclear.scene.rules import Window
from keepclear.scene.timeline import Timeline, part_of
from keepclear.shapes.arguments import FloatArray
from keepclear.world.judge import hull_of
from keepclear.world.look import Look, look_at
from keepclear.world.sweep import Sweep

# Along these a mesh is shifted to find out whether that ends a contact: to faces, edges and corners of a cube.
DIRECTIONS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z])


Resting = tuple[int, int, float, float, float, float]
"""Two items by number, from when to when they rest [s], their margin [m], and when they first move, or infinity [s]."""
Which = tuple[tuple[int, int], tuple[int, int]]


class RestingContact(NamedTuple):
    """What is said about a pair that is within its margin: how it is listed, and a warning if it overlaps, or ""."""

    listed: Unchecked
    warning: str


def resting_contacts(
    timeline: Timeline, rows: Sequence[Resting], sweep: Sweep, tolerance: float, whole: Window
) -> list[RestingContact | None]:
    """Return what is said about pairs at rest that are within their margin, None for the others.

    Args:
        timeline: All items.
        rows: The pairs.
        sweep: Boxes around all parts.
        tolerance: What a distance may be more than the margin, and how deep an overlap may be without a warning [m].
        whole: The interval that is asked for: a pair that rests all the time needs no times [s].
    """
    found: list[RestingContact | None] = [None] * len(rows)
    for k, looks in _near(timeline, rows, sweep, tolerance).items():
        i, j, t0, t1, _, moves = rows[k]
        a, b = timeline.items[i].name, timeline.items[j].name
        least = min(look.distance for look in looks.values())
        overlaps = any(_overlaps(timeline, *which, t0, look, tolerance) for which, look in looks.items())
        state = _words(least, tolerance, overlaps=overlaps)
        until = "nothing moves between them" if moves == math.inf else f"they first move at {moves:.6g} s"
        t_from, t_to = (None, None) if (t0, t1) == whole else (t0, t1)
        listed = Unchecked(
            a=a, b=b, reason="at rest", touching=True, detail=f"{state}, and {until}", t_from=t_from, t_to=t_to
        )  # fmt: skip
        warning = f"{a!r} and {b!r}: {state}, and this is not checked because {until}" if overlaps else ""
        found[k] = RestingContact(listed, warning)
    return found


def _words(distance: float, tolerance: float, *, overlaps: bool) -> str:
    if distance < -tolerance:
        return f"they overlap by {length(-distance)}"
    if overlaps:
        return f"they overlap: a shift of {length(tolerance)} does not separate them"
    return (
        "they touch" if distance <= tolerance else f"they are {length(distance)} apart, within their margin"
    )


def _near(
    timeline: Timeline, rows: Sequence[Resting], sweep: Sweep, tolerance: float
) -> dict[int, dict[Which, Look]]:
    """Return the parts that are within margin and tolerance, by the row of their pair."""
    found: dict[int, dict[Which, Look]] = {}
    if not rows:
        return found
    table = np.array(rows)
    pairs, times, limits = table[:, :2].astype(np.intp), table[:, 2], table[:, 4] + tolerance
    counts = np.array([len(item.parts) for item in timeline.items])
    starts = np.cumsum(counts) - counts
    row = np.repeat(np.arange(len(rows)), counts[pairs].prod(axis=1))
    inner = np.arange(len(row)) - np.searchsorted(row, row)  # which of the pairs of parts of a row it is
    p, q = np.divmod(inner, counts[pairs[row, 1]])
    a, b = starts[pairs[row, 0]] + p, starts[pairs[row, 1]] + q
    slots = np.clip(np.searchsorted(sweep.times, times, side="right") - 1, 0, len(sweep.lower) - 1)[row]
    gaps = np.maximum(
        sweep.lower[slots, b] - sweep.upper[slots, a], sweep.lower[slots, a] - sweep.upper[slots, b]
    )
    for n in np.flatnonzero(gaps.max(axis=1) <= limits[row]).tolist():
        k = int(row[n])
        which = (rows[k][0], int(p[n])), (rows[k][1], int(q[n]))
        look = look_at(timeline, *which, rows[k][2])
        if look.lower <= limits[k]:
            found.setdefault(k, {})[which] = look
    return found


def _overlaps(
    timeline: Timeline, a: tuple[int, int], b: tuple[int, int], t: float, look: Look, tolerance: float
) -> bool:
    """Tell whether two parts overlap by more than the tolerance, or may: the depth of meshes is not known.

    A shift that ends the contact bounds the depth. Hulls give one; where they do not, some directions are tried.
    """
    bodies = part_of(timeline.items, a).body, part_of(timeline.items, b).body
    if look.distance > 0.0 or not any(outline_of(body).is_mesh for body in bodies):
        return look.distance < -tolerance
    X_WA, X_WB = (timeline.motion(*which, timeline.carrier(which[0], t)).pose(t) for which in (a, b))
    hulls = hull_of(bodies[0]), hull_of(bodies[1])
    if hulls[0] is not None and hulls[1] is not None:
        try:
            if distance(hulls[0], X_WA, hulls[1], X_WB).distance >= -tolerance:
                return False
        except KeepclearError:  # a pose that a cubic deforms is no pose for hulls
            return True
    return not _separates(bodies, X_WA, X_WB, tolerance * _directions(bodies, X_WA, X_WB))


def _directions(bodies: tuple[Body, Body], X_WA: FloatArray, X_WB: FloatArray) -> FloatArray:
    """Return unit vectors along which a contact of meshes may end soonest."""
    found = [DIRECTIONS.astype(np.float64)]
    for body, X_W in zip(bodies, (X_WA, X_WB), strict=True):
        found += [X_W[:3, :3].T, -X_W[:3, :3].T] if outline_of(body).is_mesh else []
    vectors = np.concatenate(found)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _separates(
    bodies: tuple[Body, Body], X_WA: FloatArray, X_WB: FloatArray, shifts: Iterable[FloatArray]
) -> bool:
    """Tell whether one of some shifts of B ends the contact."""
    for shift in shifts:
        moved = X_WB.copy()
        moved[:3, 3] += shift
        if not collide(bodies[0], X_WA, bodies[1], moved).colliding:
            return True
    return False
