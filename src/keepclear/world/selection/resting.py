"""Pairs that have not moved relative to each other: those that touch are listed, not checked."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import KeepclearError
from keepclear.geometry.bodies.body import Geometry
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.geometry.shapes.shape import Shape
from keepclear.query.instant.collide import collide
from keepclear.query.instant.distance import are_apart, distance
from keepclear.report.parts import Unchecked
from keepclear.report.words import length, overlap_warning
from keepclear.scene.distances import DistanceSample, query_distances
from keepclear.scene.hulls import hull_of
from keepclear.scene.rules import Window
from keepclear.scene.scene import Scene
from keepclear.scene.steps import Steps, box_gap
from keepclear.scene.timeline import Timeline, part_of

# Directions in which a mesh is shifted to end a contact: to the faces, edges and corners of a cube.
DIRECTIONS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z])
_TOUCHING = 1e-6  # [m]: a smaller distance is not shown

Resting = tuple[int, int, float, float, float, float]
"""Two items by number, start and end of their rest [s], their margin [m], and when they first move, or infinity [s]."""
Which = tuple[tuple[int, int], tuple[int, int]]


class RestingContact(NamedTuple):
    """The entry of a pair within its margin: how it is listed, and a warning if it overlaps, or ""."""

    listed: Unchecked
    warning: str


def resting_contacts(
    scene: Scene, rows: Sequence[Resting], steps: Steps, tolerance: float, whole: Window
) -> list[RestingContact | None]:
    """Return the entries of pairs at rest that are within their margin; None for the others.

    Args:
        scene: All items.
        rows: The pairs.
        steps: Boxes around all bodies.
        tolerance: A distance may exceed the margin by this, and an overlap up to this depth gives no warning [m].
        whole: The requested interval; a pair that rests during all of it needs no times [s].
    """
    timeline = scene.timeline
    found: list[RestingContact | None] = [None] * len(rows)
    for k, samples in _near(scene, rows, steps, tolerance).items():
        i, j, t0, t1, _, moves = rows[k]
        a, b = timeline.items[i].name, timeline.items[j].name
        least = min(sample.distance for sample in samples.values())
        overlaps = any(
            _overlaps(timeline, *which, t0, sample, tolerance) for which, sample in samples.items()
        )
        state = _words(least, tolerance, overlaps=overlaps)
        until = "nothing moves between them" if moves == math.inf else f"they first move at {moves:.6g} s"
        t_from, t_to = (None, None) if (t0, t1) == whole else (t0, t1)
        listed = Unchecked(
            a=a, b=b, reason="at rest", touching=True, detail=f"{state}, and {until}", t_from=t_from, t_to=t_to
        )  # fmt: skip
        warning = overlap_warning(a, b, state, until) if overlaps else ""
        found[k] = RestingContact(listed, warning)
    return found


def _words(distance: float, tolerance: float, *, overlaps: bool) -> str:
    if distance < -tolerance:
        return f"they overlap by {length(-distance)}"
    if overlaps:
        return f"they overlap, probably by more than {length(tolerance)}"
    # harmless (_TOUCHING): words of a report, no bound
    if distance <= _TOUCHING:
        return "they touch"
    within = "the tolerance" if distance <= tolerance else "their margin"
    return f"they are {length(distance)} apart, within {within}"


def _near(
    scene: Scene, rows: Sequence[Resting], steps: Steps, tolerance: float
) -> dict[int, dict[Which, DistanceSample]]:
    """Return the parts that are within margin and tolerance, by the row of their pair."""
    asked: list[tuple[int, Which, float, float]] = []
    for k, (i, j, t, _, margin, _) in enumerate(rows):
        step, limit = steps.step_at(t), margin + tolerance
        for a, b in itertools.product(scene.bodies_of(i), scene.bodies_of(j)):
            if box_gap(steps.box_at(a, step), steps.box_at(b, step)) <= limit:
                asked.append((k, (scene.geoms[a], scene.geoms[b]), t, limit))
    samples = query_distances(scene.timeline, [(*which, t) for _, which, t, _ in asked])
    found: dict[int, dict[Which, DistanceSample]] = {}
    for (k, which, _, limit), sample in zip(asked, samples, strict=True):
        if sample.lower <= limit:
            found.setdefault(k, {})[which] = sample
    return found


def _overlaps(
    timeline: Timeline,
    a: tuple[int, int],
    b: tuple[int, int],
    t: float,
    sample: DistanceSample,
    tolerance: float,
) -> bool:
    """Return whether two parts overlap, or may overlap, by more than the tolerance; the depth of meshes is unknown.

    A shift that ends the contact bounds the depth. Hulls give one; where they do not, some directions are tried.
    """
    bodies = part_of(timeline.items, a).body, part_of(timeline.items, b).body
    if sample.distance > 0.0 or not any(bounding_volumes_of(body).is_mesh for body in bodies):
        return sample.distance < -tolerance
    X_WA, X_WB = (timeline.motion(*which, timeline.parent_index(which[0], t)).pose(t) for which in (a, b))
    hulls = hull_of(bodies[0]), hull_of(bodies[1])
    shifts = tolerance * _directions(bodies, X_WA, X_WB)
    if isinstance(hulls[0], Shape) and isinstance(hulls[1], Shape):
        if any(are_apart(hulls[0], X_WA, hulls[1], _shifted(X_WB, shift)) for shift in shifts):
            return False  # the depth of hulls gives the same result, but needs another kernel
        try:
            if distance(hulls[0], X_WA, hulls[1], X_WB).distance >= -tolerance:
                return False
        except KeepclearError:  # a deformed pose is not rigid, and hulls need rigid poses
            return True
    return not _separates(bodies, X_WA, X_WB, shifts)


def _directions(bodies: tuple[Geometry, Geometry], X_WA: FloatArray, X_WB: FloatArray) -> FloatArray:
    """Return unit vectors along which a contact of meshes may end soonest."""
    found = [DIRECTIONS.astype(np.float64)]
    for body, X_W in zip(bodies, (X_WA, X_WB), strict=True):
        found += [X_W[:3, :3].T, -X_W[:3, :3].T] if bounding_volumes_of(body).is_mesh else []
    vectors = np.concatenate(found)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _separates(
    bodies: tuple[Geometry, Geometry], X_WA: FloatArray, X_WB: FloatArray, shifts: Iterable[FloatArray]
) -> bool:
    """Return whether one of some shifts of B ends the contact."""
    return any(not collide(bodies[0], X_WA, bodies[1], _shifted(X_WB, shift)).colliding for shift in shifts)


def _shifted(X_W: FloatArray, shift: FloatArray) -> FloatArray:
    """Return a pose moved by a vector."""
    moved = X_W.copy()
    moved[:3, 3] += shift
    return moved
