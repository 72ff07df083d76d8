"""Bodies of several parts, `[(shape, X), ...]`: their distance and their contacts at given poses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Body, as_body
from keepclear.geometry.pose import checked_poses
from keepclear.kernels.convex import gjk
from keepclear.query.batches import batch_size, checked_threads
from keepclear.query.instant.distance import distance
from keepclear.results import Collision, Contacts, Distance, State

Ask = Callable[[int, int, FloatArray, FloatArray], Distance]
Find = Literal["any", "all"]

COMPOSED = 2.0**-48
"""Bound of the rounding of a point under the product of two poses, as a part of the terms of its sums [1].

Each entry of the product is a sum of at most four terms with an error of 4 units of 2^-53 of them, three entries of 7;
the kernels then project the rotation, which moves it by at most its error. 32 units are twice that.
"""
SAMPLED = 64  # number of poses that decide the order of pairs of parts, the closest first


class _Posed:
    """A compound at n poses: poses of its parts, balls around them, and bounds of their rounding."""

    def __init__(self, body: Body, X_W: FloatArray) -> None:
        self.body, self.X_W, self.balls = body, X_W, [part.ball for part in body.parts]
        self.far = np.sqrt((X_W[:, :3, 3] ** 2).sum(axis=1))

    def poses(self, p: int, which: IntArray) -> FloatArray:
        """Return the poses of part p in the world, (k, 4, 4), at some of the poses of the compound."""
        X = self._some(self.X_W, which)
        return X.copy() if self.balls[p].shift == 0.0 else np.ascontiguousarray(X @ self.body.parts[p].X_OP)

    def centers(self, p: int, which: IntArray) -> FloatArray:
        """Return the centre of the ball around part p, (k, 3)."""
        X, X_OP = self._some(self.X_W, which), self.body.parts[p].X_OP
        center = X_OP[:3, :3] @ self.balls[p].center + X_OP[:3, 3]
        return np.asarray(X[:, :3, :3] @ center + X[:, :3, 3])

    def slack(self, p: int, which: IntArray) -> FloatArray:
        """Return how far a point of part p may be from its position by the product of its poses, (k,) [m]."""
        shift = self.balls[p].shift
        return COMPOSED * (self._some(self.far, which) + shift) if shift > 0.0 else np.zeros(len(which))

    def _some(self, values: FloatArray, which: IntArray) -> FloatArray:
        return np.broadcast_to(values, (len(which), *values.shape[1:])) if len(values) == 1 else values[which]


def compound_distance(a: object, X_WA: object, b: object, X_WB: object, threads: int = 1) -> Distance:
    """Return the minimum distance of all pairs of parts; see `kc.distance`."""
    one, other = as_body(a), as_body(b)
    threads = checked_threads(threads)

    def ask(p: int, q: int, X_WP: FloatArray, X_WQ: FloatArray) -> Distance:
        return distance(one.parts[p].body, X_WP, other.parts[q].body, X_WQ, threads=threads)

    return nearest_parts(one, X_WA, other, X_WB, ask)


def nearest_parts(a: Body, X_WA: object, b: Body, X_WB: object, ask: Ask) -> Distance:
    """Return the minimum distance of all pairs of parts.

    Args:
        a: The first body.
        X_WA: Its pose or poses.
        b: The second body.
        X_WB: Its pose or poses.
        ask: A function that returns the distances of parts p and q at n poses.
    """
    posed_a, posed_b, n, single = _posed(a, X_WA, b, X_WB)
    rows = np.full((n, gjk.ROW), np.inf)
    parts = np.full((n, 2), -1, np.int64)
    everywhere = np.arange(n)
    for p, q in _ordered(posed_a, posed_b, n):
        slack = posed_a.slack(p, everywhere) + posed_b.slack(q, everywhere)
        # harmless (slack): `_apart` bounds the distance of exact products
        bound = _apart(posed_a, p, posed_b, q, everywhere) - slack
        which = np.flatnonzero(~(bound > rows[:, gjk.UPPER]))
        if len(which):
            found = ask(p, q, posed_a.poses(p, which), posed_b.poses(q, which))
            _keep_nearest(rows, parts, which, found, (p, q), slack[which])
    touching = (rows[:, gjk.STATE] == gjk.SEPARATE) & ~(rows[:, gjk.LOWER] > 0.0)
    rows[touching, gjk.STATE] = gjk.TOUCHING
    parts[:, [not a.numbered, not b.numbered]] = -1
    solid = a.is_solid, b.is_solid
    return Distance(rows[0], solid, parts[0]) if single else Distance(rows, solid, parts)


def _posed(a: Body, X_WA: object, b: Body, X_WB: object) -> tuple[_Posed, _Posed, int, bool]:
    poses_a, _, single_a = checked_poses(X_WA, "X_WA", scaled=False)
    poses_b, _, single_b = checked_poses(X_WB, "X_WB", scaled=False)
    n = batch_size(len(poses_a), single_a, len(poses_b), single_b)
    return _Posed(a, poses_a), _Posed(b, poses_b), n, single_a and single_b


def _ordered(a: _Posed, b: _Posed, n: int) -> list[tuple[int, int]]:
    """Return all pairs of parts; those whose balls come closest at some of the poses are first."""
    pairs = _pairs(a.body, b.body)
    if len(pairs) == 1 or n == 0:
        return pairs
    some = np.unique(np.linspace(0, n - 1, min(n, SAMPLED)).astype(np.int64))
    return sorted(pairs, key=lambda pair: float(_apart(a, pair[0], b, pair[1], some).min()))


def _apart(a: _Posed, p: int, b: _Posed, q: int, which: IntArray) -> FloatArray:
    """Return lower bounds of the distances of two parts at poses, by the balls around them, (k,) [m]."""
    gap = a.centers(p, which) - b.centers(q, which)
    one, other = a.balls[p], b.balls[q]
    size = one.radius + other.radius
    far = np.sqrt((gap * gap).sum(axis=1))
    rounding = COMPOSED * (a.far.max(initial=0.0) + b.far.max(initial=0.0) + size)
    rounding += COMPOSED * sum(float(np.linalg.norm(ball.center)) + ball.shift for ball in (one, other))
    return np.asarray(far - size - rounding)


def _keep_nearest(
    rows: FloatArray,
    parts: IntArray,
    which: IntArray,
    found: Distance,
    pair: tuple[int, int],
    slack: FloatArray,
) -> None:
    """Take over the results of two parts where they are the closest so far, and the smallest bounds everywhere."""
    new = found._rows[:, : gjk.ROW].copy()
    if not found._is_of_surfaces:
        new[:, 14:16] = -1.0
    new[:, gjk.LOWER] -= slack
    new[:, gjk.UPPER] += slack
    old = rows[which]
    lower = np.minimum(old[:, gjk.LOWER], new[:, gjk.LOWER])
    upper = np.minimum(old[:, gjk.UPPER], new[:, gjk.UPPER])
    iterations = np.where(np.isinf(old[:, gjk.DISTANCE]), 0.0, old[:, 12]) + new[:, 12]
    nearer = new[:, gjk.DISTANCE] < old[:, gjk.DISTANCE]
    nearer |= (new[:, gjk.DISTANCE] == old[:, gjk.DISTANCE]) & (new[:, gjk.STATE] > old[:, gjk.STATE])
    best = np.where(nearer[:, None], new, old)
    best[:, gjk.LOWER], best[:, gjk.UPPER], best[:, 12] = lower, upper, iterations
    rows[which] = best
    parts[which[nearer]] = pair


def compound_collide(
    a: object, X_WA: object, b: object, X_WB: object, find: Find, using: Any, threads: int
) -> Collision:
    """Return whether any parts of two bodies intersect, and which faces do; see `kc.collide`.

    Products of poses are rounded. Where parts come closer than that, and their surfaces as placed do not intersect, the
    state is TOUCHING, which counts as contact.
    """
    from keepclear.query.instant.collide import collide, faces_of

    one, other = as_body(a), as_body(b)
    posed_a, posed_b, n, single = _posed(one, X_WA, other, X_WB)
    if using is not None and not any(
        faces_of(p.body) is not None and faces_of(q.body) is not None for p in one.parts for q in other.parts
    ):
        raise ArgumentError(f"using={shown(using)} needs two bodies with faces; leave it out here.")
    state = np.zeros(n, np.int8)
    found: list[tuple[tuple[int, int], IntArray, Collision]] = []
    for p, q in _pairs(one, other):
        which = np.flatnonzero(state == State.SEPARATE) if find == "any" else np.arange(n)
        near = _apart(posed_a, p, posed_b, q, which)
        # harmless (posed_a.slack(p, which)): `_apart` bounds the distance of exact products
        # harmless (posed_b.slack(q, which)): likewise
        near -= posed_a.slack(p, which) + posed_b.slack(q, which)
        which = which[~(near > 0.0)]
        bodies = one.parts[p].body, other.parts[q].body
        with_faces = faces_of(bodies[0]) is not None and faces_of(bodies[1]) is not None
        if len(which) == 0 and (find == "any" or with_faces):
            continue
        contact = collide(
            bodies[0], posed_a.poses(p, which), bodies[1], posed_b.poses(q, which), find,
            using=using if with_faces else None, threads=threads,
        )  # fmt: skip
        found.append(((p, q), which, contact))
        state[which] = np.where(state[which] == State.SEPARATE, contact._state, state[which])
        # Surfaces that cross take precedence over a part inside another.
        state[which[contact._state == State.INTERFERING]] = State.INTERFERING
    _mark_touching(state, posed_a, posed_b)
    return _joined(state, found, single, find, (one, other))


def _pairs(a: Body, b: Body) -> list[tuple[int, int]]:
    return [(p, q) for p in range(len(a.parts)) for q in range(len(b.parts))]


def _mark_touching(state: npt.NDArray[np.int8], a: _Posed, b: _Posed) -> None:
    """Count poses as contact if rounding hides whether parts intersect."""
    free = np.flatnonzero(state == State.SEPARATE)
    if len(free) == 0 or not any(ball.shift for ball in a.balls + b.balls):
        return
    poses = [np.ascontiguousarray(posed._some(posed.X_W, free)) for posed in (a, b)]
    answer = compound_distance(a.body, poses[0], b.body, poses[1])
    state[free[np.asarray(answer.colliding)]] = State.TOUCHING


def _joined(
    state: npt.NDArray[np.int8],
    found: list[tuple[tuple[int, int], IntArray, Collision]],
    single: bool,
    find: str,
    bodies: tuple[Body, Body],
) -> Collision:
    """Return the contacts of all pairs of parts as one result, in the order of poses, then of parts."""
    frames = [np.repeat(which, np.diff(contact._start)) for _, which, contact in found]
    frame = np.concatenate([np.empty(0, np.int64), *frames])
    order = np.argsort(frame, kind="stable")
    pairs = np.concatenate([np.empty((0, 2), np.int64), *(contact._faces() for _, _, contact in found)])
    rows = [np.tile(pair, (len(f), 1)) for (pair, _, _), f in zip(found, frames, strict=True)]
    parts = np.concatenate([np.empty((0, 2), np.int64), *rows])
    parts[:, [not body.numbered for body in bodies]] = -1

    def contacts() -> Contacts:
        each = [contact._where() for _, _, contact in found]
        starts = np.cumsum([0, *(len(where.segments_W) for where in each)]).tolist()
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return Contacts(
            np.concatenate([np.empty((0, 2, 3)), *(where.segments_W for where in each)])[order],
            np.concatenate([np.empty(0, bool), *(where.coplanar for where in each)])[order],
            {int(place[start + k]): polygon for start, where in zip(starts[:-1], each, strict=True)
             for k, polygon in where.polygons_W.items()},
        )  # fmt: skip

    used = sorted({contact.using for _, _, contact in found}) or ["distance"]
    return Collision(
        state,
        np.searchsorted(frame[order], np.arange(len(state) + 1)),
        pairs[order],
        contacts,
        single=single,
        find=find,
        using=" and ".join(used),
        solid=(bodies[0].is_solid, bodies[1].is_solid),
        parts=parts[order],
    )
