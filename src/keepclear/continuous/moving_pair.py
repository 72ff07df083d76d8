"""Two moving bodies as the flat arrays that the kernels for an interval of time read."""

from __future__ import annotations

import math
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
    NOW,
    QUERY,
    TIME,
)
from keepclear.preprocess.surface import EXTENT
from keepclear.proximity.distance import Body, has_triangles
from keepclear.proximity.mesh_distance import obb_tree_of
from keepclear.proximity.packed import packed
from keepclear.shapes.arguments import FloatArray, IndexArray
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
        pairs = _Rows([query], least)
        a, b = pairs.bodies[0]
        Q_A, Q_B = pairs.motions[0]
        rows = pairs.balls[0], pairs.queries[0], pairs.answers[0], pairs.counts[0]
        return cls((a, b), (Q_A, Q_B), pairs.swapped[0], *rows)

    def run(self, budget: int | None) -> None:
        """Search until the answer is known or so many distances have been computed."""
        most = math.inf if budget is None else budget
        arrays = [part for body in self.bodies for part in _arrays(body)]
        arrays += [*self.packs, self.ball, self.query, self.answer, self.counts]
        room = (
            np.empty(swept_boxes.WINDOW * swept_pair.MOST_WINDOWS),
            np.empty(2 * swept_pair.MOST_WINDOWS, np.int32),
            np.empty(swept_pair.STACK, np.int32),
        )
        kernel = swept_pair if has_triangles(self.bodies[1]) else swept_mesh_convex
        counts, ended = self.counts, False
        while not ended and counts[EVALUATIONS] < most:
            counts[LIMIT] = counts[EVALUATIONS] + counts[BOX_PAIRS] + min(PIECE, most - counts[EVALUATIONS])
            ended = kernel.search(*arrays, *room) == swept_pair.DONE


class ConvexPairs:
    """Pairs of moving convex bodies, all in one set of arrays; shapes and motions that occur often are there once."""

    def __init__(self, queries: Sequence[Query], *, least: bool = False) -> None:
        rows = _Rows(queries, least)
        self.swapped, self.answers, self.counts = rows.swapped, rows.answers, rows.counts
        self._rows = rows
        for k, query in enumerate(queries):
            if query.t0 == query.t1:  # one instant: the shortest span that has it
                rows.queries[k, ENDS] = math.nextafter(query.t1, math.inf)
        self._most = [math.inf if query.budget is None else query.budget for query in queries]
        self._store: list[list[FloatArray | IndexArray]] = [[], [], []]
        self._ends = [0, 0, 0]
        self._found: dict[int, tuple[int, ...]] = {}
        self._places = np.array([self._place(k) for k in range(len(queries))], np.int64).reshape(-1, 12)
        self._arrays = [np.concatenate(part) if part else np.empty(0) for part in self._store]

    def run(self, begin: int, end: int) -> None:
        """Follow pairs `begin` to before `end` until all answers are known or their budgets end; Ctrl-C works."""
        rows, counts = self._rows, self.counts
        while True:
            for k in range(begin, end):
                counts[k, LIMIT] = min(counts[k, EVALUATIONS] + CONVEX_PIECE, self._most[k], MOST)
            F, L, Q = self._arrays
            paused = swept_convex.follow(
                F, L, Q, self._places, rows.balls, rows.queries, self.answers, counts, begin, end
            )
            if paused == 0 or all(counts[k, EVALUATIONS] >= self._most[k] for k in range(begin, end)):
                return

    def _place(self, k: int) -> tuple[int, ...]:
        (a, b), (Q_A, Q_B) = self._rows.bodies[k], self._rows.motions[k]
        return (*self._stored(a), *self._stored(b), *self._kept(Q_A, 2), *self._kept(Q_B, 2))

    def _stored(self, body: Body) -> tuple[int, ...]:
        reals, links = _arrays(body)
        return (*self._kept(reals, 0), *self._kept(links, 1))

    def _kept(self, array: FloatArray | IndexArray, which: int) -> tuple[int, ...]:
        """Return where an array begins and ends in its store; it goes there when it is new."""
        found = self._found.get(id(array))
        if found is None:
            begin = self._ends[which]
            self._ends[which] = end = begin + len(array)
            self._store[which].append(array)
            found = self._found[id(array)] = begin, end
        return found


class _Rows:
    """What kernels read and write for each of some questions, a row each, and which body is A there."""

    def __init__(self, queries: Sequence[Query], least: bool) -> None:
        n = len(queries)
        self.balls, self.queries = np.empty((n, swept_convex.BALL + 1)), np.zeros((n, QUERY))
        self.answers, self.counts = np.zeros((n, ANSWER)), np.zeros((n, COUNTS), np.int64)
        self.bodies: list[tuple[Body, Body]] = []
        self.motions: list[tuple[FloatArray, FloatArray]] = []
        self.swapped: list[bool] = []
        self.answers[:, [TIME, CERTAIN, FOUND]] = math.inf
        self.queries[:, LEAST] = least
        for k, query in enumerate(queries):
            body_a, body_b = query.body_a, query.body_b
            Q_A, Q_B = query.motion_a._packed, query.motion_b._packed
            swapped = _belongs_second(body_a, Q_A, body_b, Q_B)
            if swapped:
                body_a, body_b, Q_A, Q_B = body_b, body_a, Q_B, Q_A
            self.bodies.append((body_a, body_b))
            self.motions.append((Q_A, Q_B))
            self.swapped.append(swapped)
            self.balls[k] = ball_of(body_b)
            size = _scene_size(Q_A, Q_B, _extent(body_a) + _extent(body_b))
            self.queries[k, : ENDS + 1] = query.margin, query.tolerance, size, least, query.t1
            self.answers[k, NOW] = query.t0


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
