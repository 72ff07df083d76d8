"""Pairs that have not moved relative to each other: those that touch are listed, not checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from keepclear.continuous.extent import outline_of
from keepclear.errors import KeepclearError
from keepclear.proximity.collide import collide
from keepclear.proximity.distance import Body, distance
from keepclear.report.report import Unchecked
from keepclear.shapes.arguments import FloatArray
from keepclear.world.judge import hull_of
from keepclear.world.look import Look, look_at
from keepclear.world.rules import Window
from keepclear.world.sweep import Sweep
from keepclear.world.timeline import Timeline, part_of

# Along these a mesh is shifted to find out whether that ends a contact: to faces, edges and corners of a cube.
DIRECTIONS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z])


class Resting(NamedTuple):
    """Two items by number, from when to when they rest relative to each other [s], and their margin [m].

    `moves` is when the pair first moves, None if it never does.
    """

    i: int
    j: int
    t0: float
    t1: float
    margin: float
    moves: float | None = None


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
        row = rows[k]
        a, b = timeline.items[row.i].name, timeline.items[row.j].name
        least = min(look.distance for look in looks.values())
        overlaps = any(_overlaps(timeline, *which, row.t0, look, tolerance) for which, look in looks.items())
        state = _words(least, tolerance, overlaps=overlaps)
        until = "nothing moves between them" if row.moves is None else f"they first move at {row.moves:.6g} s"
        t_from, t_to = (None, None) if (row.t0, row.t1) == whole else (row.t0, row.t1)
        listed = Unchecked(
            a=a, b=b, reason="at rest", touching=True, detail=f"{state}, and {until}", t_from=t_from, t_to=t_to
        )  # fmt: skip
        warning = f"{a!r} and {b!r}: {state}, and this is not checked because {until}" if overlaps else ""
        found[k] = RestingContact(listed, warning)
    return found


def _words(distance: float, tolerance: float, *, overlaps: bool) -> str:
    if distance < -tolerance:
        return f"they overlap by {-1e3 * distance:.3g} mm"
    if overlaps:
        return f"they overlap: a shift of {1e3 * tolerance:.3g} mm does not separate them"
    return (
        "they touch"
        if distance <= tolerance
        else f"they are {1e3 * distance:.3g} mm apart, within their margin"
    )


Which = tuple[tuple[int, int], tuple[int, int]]


def _near(
    timeline: Timeline, rows: Sequence[Resting], sweep: Sweep, tolerance: float
) -> dict[int, dict[Which, Look]]:
    """Return the parts that are within margin and tolerance, by the row of their pair."""
    items = timeline.items
    parts = [
        (k, (row.i, p), (row.j, q))
        for k, row in enumerate(rows)
        for p in range(len(items[row.i].parts))
        for q in range(len(items[row.j].parts))
    ]
    found: dict[int, dict[Which, Look]] = {}
    if not parts:
        return found
    slots = np.searchsorted(sweep.times, [rows[k].t0 for k, _, _ in parts], side="right") - 1
    slots = np.clip(slots, 0, len(sweep.lower) - 1)
    a = np.array([sweep.number[p] for _, p, _ in parts])
    b = np.array([sweep.number[q] for _, _, q in parts])
    gaps = np.maximum(
        sweep.lower[slots, b] - sweep.upper[slots, a], sweep.lower[slots, a] - sweep.upper[slots, b]
    )
    limits = np.array([rows[k].margin for k, _, _ in parts]) + tolerance
    for number in np.flatnonzero(gaps.max(axis=1) <= limits).tolist():
        k, one, other = parts[number]
        look = look_at(timeline, one, other, rows[k].t0)
        if look.lower <= limits[number]:
            found.setdefault(k, {})[one, other] = look
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
