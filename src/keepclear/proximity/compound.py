"""Bodies of several parts, `[(shape, X), ...]`: their distance and their contacts at given poses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.exclusive import one_call
from keepclear.kernels.convex import gjk
from keepclear.motions.pose import checked_poses
from keepclear.proximity.batch import batch_size, checked_threads
from keepclear.proximity.distance import Body, as_body, distance
from keepclear.proximity.tracker import Tracker, TrackerStatistics
from keepclear.proximity.tracking import TrackerState, checked_thresholds
from keepclear.results import Collision, Contacts, Distance, State
from keepclear.shapes.shape import Shape

__all__ = ["Compound", "CompoundTracker", "as_compound", "is_compound"]

IntArray = npt.NDArray[np.int64]
Parts = Sequence[tuple[Body, npt.ArrayLike]]
Ask = Callable[[int, int, FloatArray, FloatArray], Distance]
Find = Literal["any", "all"]

HERE = np.eye(4)
COMPOSED = 2.0**-48
"""Bound of the rounding of a point under the product of two poses, as a part of the terms of its sums [1].

Each entry of the product is a sum of at most four terms with an error of 4 units of 2^-53 of them, three entries of 7;
the kernels then project the rotation, which moves it by at most its error. 32 units are twice that.
"""
SAMPLED = 64  # number of poses that decide the order of pairs of parts, the closest first


class Part(NamedTuple):
    """A part of a compound: a body, its pose in the frame of the whole, and a ball around it in its own frame [m]."""

    body: Body
    X_CP: FloatArray
    center: FloatArray
    radius: float
    shift: float
    """The size of the terms of products of poses, without those of the compound's pose [m]."""


class Compound:
    """A checked list of parts with their poses; `numbered` tells whether it was given as a list.

    Args:
        parts: Bodies and poses (4, 4) in the frame of the compound.
        numbered: False for a single body.
    """

    __slots__ = ("numbered", "parts")

    def __init__(self, parts: Sequence[tuple[Body, FloatArray]], numbered: bool = True) -> None:
        self.parts = tuple(_part(body, X) for body, X in parts)
        self.numbered = numbered

    @property
    def is_solid(self) -> bool:
        """Whether all parts are solids."""
        return all(_shape_of(part.body).is_solid for part in self.parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Compound, ([(part.body, part.X_CP) for part in self.parts], self.numbered)

    def __repr__(self) -> str:
        return f"[{', '.join(f'({part.body!r}, X)' for part in self.parts)}]"


def is_compound(value: object) -> bool:
    """Return whether a value is meant as a compound: a list or a tuple is."""
    return isinstance(value, list | tuple | Compound)


def as_compound(value: object) -> Compound:
    """Return a list of (shape, pose) as a compound, and any other body as a compound of a single part.

    Raises:
        ArgumentError: The list is empty, an entry is not a pair of a shape and a pose, or is a compound itself.
        PoseError: A pose is not rigid.
    """
    if isinstance(value, Compound):
        return value
    if not isinstance(value, list | tuple):
        return Compound([(as_body(value), HERE)], numbered=False)
    if len(value) == 0:
        raise ArgumentError("a compound needs at least one part (shape, X), but the list is empty.")
    return Compound([_checked_part(k, entry) for k, entry in enumerate(value)])


def _checked_part(k: int, entry: object) -> tuple[Body, FloatArray]:
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        raise ArgumentError(
            f"part {k} of a compound must be (shape, X) with its pose X (4, 4), but it is {shown(entry)}; a mesh from "
            "arrays is kc.Mesh(vertices, faces)."
        )
    body, X = entry
    if isinstance(body, list | tuple | Compound):
        raise ArgumentError(
            f"part {k} of a compound is a list itself; give all parts in one list, with their poses multiplied."
        )
    try:
        poses, _, single = checked_poses(X, f"the pose of part {k}", scaled=False)
        if single:
            return as_body(body), poses[0]
    except KeepclearError as error:
        raise type(error)(f"compound: part {k}: {error}") from None
    raise ArgumentError(
        f"part {k} of a compound needs one pose (4, 4), but X has shape {np.shape(cast(Any, X))}."
    )


def _part(body: Body, X_CP: FloatArray) -> Part:
    lower, upper = _shape_of(body).bounds
    center = 0.5 * (lower + upper)
    radius = float(np.linalg.norm(np.maximum(upper - center, center - lower))) * (1.0 + 2.0**-48)
    shift = 0.0
    if not np.array_equal(X_CP, HERE):
        shift = float(np.linalg.norm(X_CP[:3, 3])) + float(np.linalg.norm(center)) + radius
    return Part(body, X_CP, center, radius, shift)


def _shape_of(body: Body) -> Shape:
    return body if isinstance(body, Shape) else body.mesh


class _Posed:
    """A compound at n poses: poses of its parts, balls around them, and bounds of their rounding."""

    def __init__(self, compound: Compound, X_W: FloatArray) -> None:
        self.compound, self.X_W = compound, X_W
        self.far = np.sqrt((X_W[:, :3, 3] ** 2).sum(axis=1))

    def poses(self, p: int, which: IntArray) -> FloatArray:
        """Return the poses of part p in the world, (k, 4, 4), at some of the poses of the compound."""
        X, part = self._some(self.X_W, which), self.compound.parts[p]
        return X.copy() if part.shift == 0.0 else np.ascontiguousarray(X @ part.X_CP)

    def centers(self, p: int, which: IntArray) -> FloatArray:
        """Return the centre of the ball around part p, (k, 3)."""
        X, part = self._some(self.X_W, which), self.compound.parts[p]
        center = part.X_CP[:3, :3] @ part.center + part.X_CP[:3, 3]
        return np.asarray(X[:, :3, :3] @ center + X[:, :3, 3])

    def slack(self, p: int, which: IntArray) -> FloatArray:
        """Return how far a point of part p may be from its position by the product of its poses, (k,) [m]."""
        shift = self.compound.parts[p].shift
        return COMPOSED * (self._some(self.far, which) + shift) if shift > 0.0 else np.zeros(len(which))

    def _some(self, values: FloatArray, which: IntArray) -> FloatArray:
        return np.broadcast_to(values, (len(which), *values.shape[1:])) if len(values) == 1 else values[which]


def compound_distance(a: object, X_WA: object, b: object, X_WB: object, threads: int = 1) -> Distance:
    """Return the minimum distance of all pairs of parts; see `kc.distance`."""
    one, other = as_compound(a), as_compound(b)
    threads = checked_threads(threads)

    def ask(p: int, q: int, X_WP: FloatArray, X_WQ: FloatArray) -> Distance:
        return distance(one.parts[p].body, X_WP, other.parts[q].body, X_WQ, threads=threads)

    return nearest_parts(one, X_WA, other, X_WB, ask)


def nearest_parts(a: Compound, X_WA: object, b: Compound, X_WB: object, ask: Ask) -> Distance:
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
        bound = _apart(posed_a, p, posed_b, q, everywhere) - slack
        which = np.flatnonzero(~(bound > rows[:, gjk.UPPER]))
        if len(which):
            found = ask(p, q, posed_a.poses(p, which), posed_b.poses(q, which))
            _keep_nearest(rows, parts, which, found, (p, q), slack[which])
    touching = (rows[:, gjk.STATE] == gjk.SEPARATE) & ~(rows[:, gjk.LOWER] > 0.0)
    rows[touching, gjk.STATE] = gjk.TOUCHING
    for k, compound in enumerate((a, b)):
        if not compound.numbered:
            parts[:, k] = -1
    solid = a.is_solid, b.is_solid
    return Distance(rows[0], solid, parts[0]) if single else Distance(rows, solid, parts)


def _posed(a: Compound, X_WA: object, b: Compound, X_WB: object) -> tuple[_Posed, _Posed, int, bool]:
    poses_a, _, single_a = checked_poses(X_WA, "X_WA", scaled=False)
    poses_b, _, single_b = checked_poses(X_WB, "X_WB", scaled=False)
    n = batch_size(len(poses_a), single_a, len(poses_b), single_b)
    return _Posed(a, poses_a), _Posed(b, poses_b), n, single_a and single_b


def _ordered(a: _Posed, b: _Posed, n: int) -> list[tuple[int, int]]:
    """Return all pairs of parts; those whose balls come closest at some of the poses are first."""
    pairs = [(p, q) for p in range(len(a.compound.parts)) for q in range(len(b.compound.parts))]
    if len(pairs) == 1 or n == 0:
        return pairs
    some = np.unique(np.linspace(0, n - 1, min(n, SAMPLED)).astype(np.int64))
    return sorted(pairs, key=lambda pair: float(_apart(a, pair[0], b, pair[1], some).min()))


def _apart(a: _Posed, p: int, b: _Posed, q: int, which: IntArray) -> FloatArray:
    """Return lower bounds of the distances of two parts at poses, by the balls around them, (k,) [m]."""
    gap = a.centers(p, which) - b.centers(q, which)
    size = a.compound.parts[p].radius + b.compound.parts[q].radius
    far = np.sqrt((gap * gap).sum(axis=1))
    rounding = COMPOSED * (a.far.max(initial=0.0) + b.far.max(initial=0.0) + size)
    rounding += COMPOSED * sum(
        float(np.linalg.norm(part.center)) + part.shift for part in (a.compound.parts[p], b.compound.parts[q])
    )
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


class CompoundTracker(Tracker):
    """Tracks the closest points of two bodies of which at least one has several parts; `kc.Tracker` returns it.

    Each pair of parts that comes near has its own tracker.
    """

    def __init__(self, a: Any, b: Any, **options: Any) -> None:
        self._thresholds = checked_thresholds(**options)
        self._a, self._b = as_compound(a), as_compound(b)  # type: ignore[assignment]
        self._trackers: dict[tuple[int, int], Tracker] = {}
        self._past = TrackerStatistics()
        self._frames, self._in_contact = 0, False

    @property
    def state(self) -> TrackerState:
        """HULLS or CONTACT, after the last frame; hulls of parts are released by the trackers of parts."""
        return TrackerState.CONTACT if self._in_contact else TrackerState.HULLS

    @one_call
    def reset(self) -> None:
        """Discard the last frame; the next query starts cold."""
        self._in_contact = False
        for tracker in self._trackers.values():
            tracker.reset()

    @property
    def statistics(self) -> TrackerStatistics:
        """The sum of the statistics of all trackers of pairs of parts; `frames` counts those of the whole bodies."""
        each = [self._past, *(tracker.statistics for tracker in list(self._trackers.values()))]
        counts = [(s.iterations, s.vertices, s.fallbacks, s.penetrations, s.by_hulls) for s in each]
        sums = [sum(values) for values in zip(*counts, strict=True)]
        return TrackerStatistics(self._frames, *sums)

    @one_call
    def distance(
        self,
        X_WA: npt.ArrayLike,
        X_WB: npt.ArrayLike,
        t: npt.ArrayLike | None = None,  # noqa: ARG002
        *,
        exact: bool = True,  # noqa: ARG002
        enough: float | None = None,  # noqa: ARG002
    ) -> Distance:
        """Return the distance at one pair of poses, or at n frames in their order; always exact."""
        one, other = cast(Compound, self._a), cast(Compound, self._b)
        answer = nearest_parts(one, X_WA, other, X_WB, self._ask)
        self._frames += 1 if answer._rows.ndim == 1 else len(answer)
        if answer._rows.size:
            self._in_contact = bool(np.ravel(answer.colliding)[-1])
        return answer

    def _ask(self, p: int, q: int, X_WP: FloatArray, X_WQ: FloatArray) -> Distance:
        tracker = self._trackers.get((p, q))
        if tracker is None:
            bodies = cast(Compound, self._a).parts[p].body, cast(Compound, self._b).parts[q].body
            tracker = self._trackers[p, q] = Tracker(*bodies)
        return tracker.distance(X_WP, X_WQ)

    def _counts(self) -> tuple[int, ...]:
        found = self.statistics
        return (
            found.frames,
            found.iterations,
            found.vertices,
            found.fallbacks,
            found.penetrations,
            found.by_hulls,
        )

    def _count_from(self, counts: tuple[int, ...]) -> None:
        self._frames, self._past = counts[0], TrackerStatistics(*counts)


def compound_collide(
    a: object, X_WA: object, b: object, X_WB: object, find: Find, using: Any, threads: int
) -> Collision:
    """Return whether any parts of two bodies intersect, and which faces do; see `kc.collide`.

    Products of poses are rounded. Where parts come closer than that, and their surfaces as placed do not intersect, the
    state is TOUCHING, which counts as contact.
    """
    from keepclear.proximity.collide import collide, faces_of

    one, other = as_compound(a), as_compound(b)
    posed_a, posed_b, n, single = _posed(one, X_WA, other, X_WB)
    if using is not None and not any(
        faces_of(p.body) is not None and faces_of(q.body) is not None for p in one.parts for q in other.parts
    ):
        raise ArgumentError(f"using={shown(using)} needs two bodies with faces; leave it out here.")
    state = np.zeros(n, np.int8)
    found: list[tuple[tuple[int, int], IntArray, Collision]] = []
    for p, q in _in_order(one, other):
        which = np.flatnonzero(state == State.SEPARATE) if find == "any" else np.arange(n)
        near = _apart(posed_a, p, posed_b, q, which)
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


def _in_order(a: Compound, b: Compound) -> Iterator[tuple[int, int]]:
    return ((p, q) for p in range(len(a.parts)) for q in range(len(b.parts)))


def _mark_touching(state: npt.NDArray[np.int8], a: _Posed, b: _Posed) -> None:
    """Count poses as contact if rounding hides whether parts intersect."""
    free = np.flatnonzero(state == State.SEPARATE)
    if len(free) == 0 or not any(part.shift for posed in (a, b) for part in posed.compound.parts):
        return
    poses = [np.ascontiguousarray(posed._some(posed.X_W, free)) for posed in (a, b)]
    answer = compound_distance(a.compound, poses[0], b.compound, poses[1])
    state[free[np.asarray(answer.colliding)]] = State.TOUCHING


def _joined(
    state: npt.NDArray[np.int8],
    found: list[tuple[tuple[int, int], IntArray, Collision]],
    single: bool,
    find: str,
    compounds: tuple[Compound, Compound],
) -> Collision:
    """Return the contacts of all pairs of parts as one result, in the order of poses, then of parts."""
    frames = [np.repeat(which, np.diff(contact._start)) for _, which, contact in found]
    frame = np.concatenate([np.empty(0, np.int64), *frames])
    order = np.argsort(frame, kind="stable")
    pairs = np.concatenate([np.empty((0, 2), np.int64), *(contact._faces() for _, _, contact in found)])
    rows = [np.tile(pair, (len(f), 1)) for (pair, _, _), f in zip(found, frames, strict=True)]
    parts = np.concatenate([np.empty((0, 2), np.int64), *rows])
    for k, compound in enumerate(compounds):
        if not compound.numbered:
            parts[:, k] = -1

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
        solid=(compounds[0].is_solid, compounds[1].is_solid),
        parts=parts[order],
    )
