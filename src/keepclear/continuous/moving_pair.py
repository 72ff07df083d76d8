"""Two moving bodies as the flat arrays that the kernels for an interval of time read."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from keepclear.continuous.arguments import Query
from keepclear.kernels import motion, swept_boxes, swept_convex, swept_mesh_convex, swept_pair
from keepclear.kernels import support as core
from keepclear.kernels.swept_leaf import (
    ANSWER,
    BOX_PAIRS,
    CERTAIN,
    COUNTS,
    ENDS,
    EVALUATIONS,
    FOUND,
    LEAST,
    LIMIT,
    MARGIN,
    NOW,
    QUERY,
    SIZE,
    TIME,
    TOLERANCE,
)
from keepclear.motions.motion import Motion
from keepclear.preprocess.surface import EXTENT
from keepclear.proximity.distance import Body, has_triangles
from keepclear.proximity.mesh_distance import obb_tree_of
from keepclear.proximity.packed import packed
from keepclear.shapes.arguments import FloatArray
from keepclear.shapes.convex import Convex
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.primitives import Box, Capsule, Cylinder
from keepclear.shapes.shape import Shape

ROUND_UP = 1.0 + 1e-12
# Pairs of boxes and distances between two looks at the keyboard; about a tenth of a second.
PIECE = 1 << 18
CONVEX_PIECE = 1 << 16
MOST = 1 << 62


class Ball(NamedTuple):
    """A ball around the core of a body in its own frame, and the radius of one inside it around its middle [m]."""

    x: float
    y: float
    z: float
    radius: float
    inner: float


_local = threading.local()
_balls: WeakKeyDictionary[Shape, Ball] = WeakKeyDictionary()


def ball_of(body: Body) -> Ball:
    """Return the ball of a body, kept beside it."""
    shape = body if isinstance(body, Shape) else body.mesh
    found = _balls.get(shape)
    if found is None:
        found = _balls[shape] = _make_ball(shape)
    return found


def _make_ball(shape: Shape) -> Ball:
    match shape:
        case Mesh() | Convex():
            points = shape._vertices if isinstance(shape, Mesh) else shape._points
            center = 0.5 * (points.min(axis=0) + points.max(axis=0))
            radius = float(np.sqrt(((points - center) ** 2).sum(axis=1).max())) * ROUND_UP
            x, y, z = center.tolist()
            return Ball(x, y, z, radius, _inner_radius(shape) if isinstance(shape, Convex) else 0.0)
        case Box():
            size = np.asarray(shape.size)
            return Ball(0.0, 0.0, 0.0, math.hypot(*(size / 2)) * ROUND_UP, float(size.min()) / 2)
        case Cylinder():
            half = shape.length / 2
            return Ball(0.0, 0.0, 0.0, math.hypot(shape.radius, half) * ROUND_UP, min(shape.radius, half))
        case Capsule():
            return Ball(0.0, 0.0, 0.0, shape.length / 2 * ROUND_UP, 0.0)
    return Ball(0.0, 0.0, 0.0, 0.0, 0.0)


def _inner_radius(shape: Convex) -> float:
    """Return the radius of a ball inside a hull around the mean of its vertices, with half to spare."""
    graph = shape.graph
    if graph.dimension < 3:
        return 0.0
    center = packed(shape).reals[core.CENTER : core.CENTER + 3]
    a, b, c = (graph.vertices[graph.triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.sqrt((normals * normals).sum(axis=1))
    good = lengths > 0.0
    heights = np.abs(((a - center) * normals).sum(axis=1)[good]) / lengths[good]
    return 0.5 * float(heights.min()) if good.any() else 0.0


def is_convex(query: Query) -> bool:
    """Tell whether neither body of a question is a mesh."""
    return not (has_triangles(query.body_a) or has_triangles(query.body_b))


@dataclass(slots=True)
class MovingPair:
    """Two moving bodies, at least one of them a mesh: A, in whose frame the search is done, and B, which moves there.

    A mesh beside a convex body is A. Otherwise A is the body with the rigid motion, and of two of them the larger one:
    what is far out on a body sweeps far.
    """

    bodies: tuple[Body, Body]
    packs: tuple[FloatArray, FloatArray]
    swapped: bool
    ball: FloatArray
    query: FloatArray
    answer: FloatArray
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, query: Query, *, least: bool = False) -> MovingPair:
        """Return the pair that a question is about."""
        body_a, body_b = query.body_a, query.body_b
        Q_A, Q_B = query.motion_a._packed, query.motion_b._packed
        swapped = _belongs_second(body_a, Q_A, body_b, Q_B)
        if swapped:
            body_a, body_b, Q_A, Q_B = body_b, body_a, Q_B, Q_A
        numbers, answer = np.zeros(QUERY), np.zeros(ANSWER)
        numbers[MARGIN], numbers[TOLERANCE] = query.margin, query.tolerance
        numbers[SIZE] = _scene_size(Q_A, Q_B, _extent(body_a) + _extent(body_b))
        numbers[LEAST], numbers[ENDS] = least, query.t1
        if query.t0 == query.t1:  # one instant: the shortest span that has it
            numbers[ENDS] = math.nextafter(query.t1, math.inf)
        answer[NOW] = query.t0
        answer[[TIME, CERTAIN, FOUND]] = math.inf
        counts = np.zeros(COUNTS, np.int64)
        return cls((body_a, body_b), (Q_A, Q_B), swapped, np.array(ball_of(body_b)), numbers, answer, counts)

    def run(self, budget: int | None) -> None:
        """Search until the answer is known or so many distances have been computed."""
        most = math.inf if budget is None else budget
        arrays = [part for body in self.bodies for part in _arrays(body)]
        arrays += [*self.packs, self.ball, self.query, self.answer, self.counts]
        room = _room()
        kernel = swept_pair if has_triangles(self.bodies[1]) else swept_mesh_convex
        counts, ended = self.counts, False
        while not ended and counts[EVALUATIONS] < most:
            counts[LIMIT] = counts[EVALUATIONS] + counts[BOX_PAIRS] + min(PIECE, most - counts[EVALUATIONS])
            ended = kernel.search(*arrays, *room) == swept_pair.DONE


def _room() -> tuple[Any, ...]:
    """Return scratch for a search, one for each thread: made anew, its pages would cost as much as a short search."""
    room: tuple[Any, ...] | None = getattr(_local, "room", None)
    if room is None:
        room = _local.room = (
            np.empty(swept_boxes.WINDOW * swept_pair.MOST_WINDOWS),
            np.empty(2 * swept_pair.MOST_WINDOWS, np.int32),
            np.empty(swept_pair.STACK, np.int32),
        )
    return room


class ConvexPairs:
    """Pairs of moving convex bodies, all in one set of arrays; shapes and motions that occur often are there once.

    Args:
        bodies: The convex bodies that occur.
        motions: The motions that occur.
        cases: For each pair the numbers of A, its motion, B and its motion, (n, 4).
        t0: When each pair's interval starts [s].
        t1: When it ends [s].
        numbers: Margin and tolerance [m].
        budget: Largest number of distances for each pair.
        least: Whether the least distance is asked for.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        motions: Sequence[Motion],
        cases: npt.NDArray[np.int64],
        t0: FloatArray,
        t1: FloatArray,
        numbers: tuple[float, float],
        budget: int | None,
        *,
        least: bool = False,
    ) -> None:
        arrays = [_arrays(body) for body in bodies]
        packs = [motion._packed for motion in motions]
        balls, extents = (
            np.array([ball_of(body) for body in bodies]),
            np.array([_extent(body) for body in bodies]),
        )
        heads = np.array([Q[: motion.HEADER] for Q in packs])
        a, ma, b, mb = cases.T
        affine, radius = heads[:, motion.AFFINE], balls[:, Ball._fields.index("radius")]
        self.swapped = (affine[ma] > affine[mb]) | ((affine[ma] == affine[mb]) & (radius[a] < radius[b]))
        first, second = np.where(self.swapped, b, a), np.where(self.swapped, a, b)
        first_m, second_m = np.where(self.swapped, mb, ma), np.where(self.swapped, ma, mb)
        n = len(cases)
        self._balls, self._queries = balls[second], np.zeros((n, QUERY))
        self.answers, self.counts = np.zeros((n, ANSWER)), np.zeros((n, COUNTS), np.int64)
        terms = np.maximum(heads[first_m, motion.TERMS], heads[second_m, motion.TERMS])
        size = (
            heads[first_m, motion.PLACE] + heads[second_m, motion.PLACE] + terms * (extents[a] + extents[b])
        )
        self._queries[:, MARGIN], self._queries[:, TOLERANCE], self._queries[:, LEAST] = *numbers, least
        self._queries[:, SIZE] = size / heads[first_m, motion.SMALLEST]
        # One instant: the shortest span that has it.
        self._queries[:, ENDS] = np.where(t0 == t1, np.nextafter(t1, math.inf), t1)
        self.answers[:, NOW] = t0
        self.answers[:, [TIME, CERTAIN, FOUND]] = math.inf
        self._most = MOST if budget is None else budget
        self._F, reals = _joined([part[0] for part in arrays])
        self._L, links = _joined([part[1] for part in arrays])
        self._Q, rows = _joined(packs)
        self._places = np.concatenate(
            [reals[first], links[first], reals[second], links[second], rows[first_m], rows[second_m]], axis=1
        )

    def run(self, begin: int, end: int) -> None:
        """Follow pairs `begin` to before `end` until all answers are known or their budgets end; Ctrl-C works."""
        counts = self.counts
        while True:
            counts[begin:end, LIMIT] = np.minimum(counts[begin:end, EVALUATIONS] + CONVEX_PIECE, self._most)
            paused = swept_convex.follow(
                self._F,
                self._L,
                self._Q,
                self._places,
                self._balls,
                self._queries,
                self.answers,
                counts,
                begin,
                end,
            )
            if paused == 0 or paused == np.count_nonzero(counts[begin:end, EVALUATIONS] >= self._most):
                return


def _joined(parts: Sequence[Any]) -> tuple[Any, npt.NDArray[np.int64]]:
    """Return arrays one after the other, and where each begins and ends, (n, 2)."""
    ends = np.cumsum([len(part) for part in parts])
    return np.concatenate(parts), np.stack([ends - [len(part) for part in parts], ends], axis=1)


def _belongs_second(a: Body, Q_A: FloatArray, b: Body, Q_B: FloatArray) -> bool:
    if has_triangles(a) != has_triangles(b):
        return has_triangles(b)
    if Q_A[motion.AFFINE] != Q_B[motion.AFFINE]:
        return bool(Q_A[motion.AFFINE] > Q_B[motion.AFFINE])
    return ball_of(a).radius < ball_of(b).radius


def _scene_size(Q_A: FloatArray, Q_B: FloatArray, extents: float) -> float:
    """Return what rounding is measured by, as `kernels.motion.scene_size` does [m]."""
    terms = max(Q_A[motion.TERMS], Q_B[motion.TERMS])
    return float((Q_A[motion.PLACE] + Q_B[motion.PLACE] + terms * extents) / Q_A[motion.SMALLEST])


def _arrays(body: Body) -> tuple[Any, ...]:
    tree = obb_tree_of(body)
    if tree is not None:
        return tree.arrays
    assert isinstance(body, Shape)
    return packed(body)


def _extent(body: Body) -> float:
    """Return how far the body reaches from the origin of its frame [m], with its radius."""
    reals = _arrays(body)[0]
    if has_triangles(body):
        return float(reals[EXTENT])
    return float(reals[core.EXTENT] + reals[core.RADIUS])
