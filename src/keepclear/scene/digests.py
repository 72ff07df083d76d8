"""Digests of everything that a query about two bodies depends on: shapes, and the segments of motions in its window.

A result may be reused if all bits that kernels read are the same: those of the shapes, of the packed relative motions
within the window of time, and of the numbers of the query.
"""

from __future__ import annotations

import hashlib
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from keepclear.geometry.bodies.bounds import shape_of
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import shape_values
from keepclear.geometry.storage.cache import digest_of
from keepclear.kernels.tables.motion import (
    HEAD,
    joint_coefficients,
    knots_of,
    link_rows,
    motion_row,
    segment_rows,
)
from keepclear.kernels.tables.pair import Pairs
from keepclear.motion.joints.kinematics import Kinematics
from keepclear.motion.motion import Motion
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import part_of

__all__ = ["SceneContent", "kinematics_digest", "motion_digest", "shape_digest"]

_TEXTS = ("name",)  # of shapes, for messages


def shape_digest(shape: Shape) -> bytes:
    """Return the digest of a shape."""
    values, arrays = shape_values(shape)
    known = sorted((name, value) for name, value in values.items() if name not in _TEXTS)
    names = sorted(arrays)
    return digest_of("shape " + " ".join(names), *(arrays[name] for name in names), more=repr(known).encode())


def motion_digest(motion: Motion, t0: float, t1: float) -> bytes:
    """Return the digest of a packed motion from t0 to t1: every segment that overlaps this interval, ends included.

    Rest before the first or after the last knot is included.
    """
    Q = motion._packed
    knots, rows = knots_of(Q), segment_rows(Q)
    n = len(rows)
    first = int(np.searchsorted(knots, t0, side="right")) - 1
    last = int(np.searchsorted(knots, t1, side="right")) - 1
    before, after = first < 0, last >= n
    first, last = min(max(first, 0), n - 1), min(max(last, 0), n - 1)
    head = motion_row(Q[:HEAD].copy())
    head["n"] = head["t0"] = head["t1"] = 0  # of the whole motion, not of its segments within the window
    found = hashlib.sha256(struct.pack("<??q", before, after, last - first + 1))
    segments = slice(first, last + 1)
    for array in (
        head,
        knots[first : last + 2],
        rows[segments],
        joint_coefficients(Q)[segments],
        link_rows(Q),
    ):
        found.update(array.tobytes())
    return found.digest()


class SceneContent:
    """Digests of the bodies and motions of a scene, each computed once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._bodies: dict[int, bytes] = {}
        self._parents: dict[tuple[int, int], bytes] = {}
        self._motions: dict[tuple[int, int, int], bytes] = {}
        self._knots: dict[int, list[float]] = {}

    def rows(self, rows: Pairs) -> list[bytes | None]:
        """Return the digests of rows of PAIR; None for user-defined motions, whose content is unknown."""
        geoms, timeline = self._scene.geoms, self._scene.timeline
        numbers = np.stack([rows[name] for name in ("t0", "t1", "margin", "hint")], axis=1).astype("<f8")
        found: list[bytes | None] = []
        columns = [rows[name].tolist() for name in ("geom_a", "geom_b", "t0", "t1")]
        for row, (a, b, t0, t1) in enumerate(zip(*columns, strict=True)):
            items = geoms[a][0], geoms[b][0]
            parts = [numbers[row].tobytes(), self.body(a), self.body(b)]
            parents = [tuple(timeline.parent_index(i, t) for i in items) for t in (t0, t1)]
            # At its end a window may already have the next parent frames.
            for i, j in parents[:1] if parents[0] == parents[1] else parents:
                parts += self._pair(a, b, i, j, t0, t1)
            found.append(None if b"" in parts else b"".join(parts))
        return found

    def body(self, geom: int) -> bytes:
        """Return the digest of a body of the scene."""
        found = self._bodies.get(geom)
        if found is None:
            body = part_of(self._scene.items, self._scene.geoms[geom]).body
            shape: Any = shape_of(body)
            known = _KNOWN.get(id(shape))
            if known is None:
                known = _remember(shape, shape_digest(shape))
            found = self._bodies[geom] = type(body).__name__.encode() + known[1]
        return found

    def _pair(self, a: int, b: int, i: int, j: int, t0: float, t1: float) -> Iterator[bytes]:
        """Yield digests of the motions of two bodies with their parent frames i and j, and of their relative motion."""
        geoms, timeline = self._scene.geoms, self._scene.timeline
        for geom, k in ((a, i), (b, j)):
            yield self._parent(geom, k)
            yield self._motion(timeline.motion(*geoms[geom], k), t0, t1)
        one, other = timeline.parent_frames[geoms[a][0]][i], timeline.parent_frames[geoms[b][0]][j]
        if one.robot is not None and one.robot is other.robot:
            t = max(t0, one.window[0], other.window[0])
            yield self._motion(timeline.relative_motion(geoms[a], geoms[b], t, hulls=True).motion_b, t0, t1)

    def _parent(self, geom: int, k: int) -> bytes:
        """Return the digest of a body's kinematic chain without its segments: links, joints and fixed poses."""
        found = self._parents.get((geom, k))
        if found is None:
            i, p = self._scene.geoms[geom]
            parent, X_OP = self._scene.timeline.parent_frames[i][k], self._scene.items[i].parts[p].X_OP
            if parent.robot is None:
                found = digest_of("object", X_OP)
            else:
                robot = parent.robot
                more = struct.pack("<q", parent.link) + kinematics_digest(robot.robot.kinematics)
                found = digest_of("link", X_OP, parent.X_LO, robot.X_WB, more=more)
            self._parents[geom, k] = found
        return found

    def _motion(self, motion: Motion, t0: float, t1: float) -> bytes:
        """Return the digest of a motion between two times, or nothing for one that is not packed."""
        knots = self._knots.get(id(motion))
        if knots is None:
            if not motion._is_packed:
                return b""
            knots = self._knots[id(motion)] = np.asarray(motion.knots).tolist()
        key = id(motion), bisect_right(knots, t0), bisect_right(knots, t1)
        found = self._motions.get(key)
        if found is None:
            found = self._motions[key] = motion_digest(motion, t0, t1)
        return found


MOST_KNOWN = 4096
_KNOWN: dict[int, tuple[Any, bytes]] = {}  # with the object itself, because ids of deleted objects are reused


def kinematics_digest(kinematics: Kinematics) -> bytes:
    """Return the digest of a tree of joints."""
    known = _KNOWN.get(id(kinematics))
    if known is None:
        values = [getattr(kinematics, field.name) for field in fields(kinematics)]
        arrays = [value for value in values if isinstance(value, np.ndarray)]
        others = [value for value in values if not isinstance(value, np.ndarray)]
        known = _remember(kinematics, digest_of("kinematics", *arrays, more=repr(others).encode()))
    return known[1]


def _remember(thing: Any, digest: bytes) -> tuple[Any, bytes]:
    # harmless (>=): a cache that forgets sooner computes the same digest again
    if len(_KNOWN) >= MOST_KNOWN:
        _KNOWN.clear()
    _KNOWN[id(thing)] = thing, digest
    return thing, digest
