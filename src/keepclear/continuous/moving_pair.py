"""Two moving bodies as the flat arrays that the kernels for an interval of time read."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from keepclear.continuous.arguments import Query
from keepclear.kernels import motion, swept_boxes, swept_convex, swept_leaf, swept_mesh_convex, swept_pair
from keepclear.kernels import support as core
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


class Ball(NamedTuple):
    """A ball around the core of a body in its own frame, and the radius of one inside it around its middle [m]."""

    center: FloatArray
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
            return Ball(center, radius, _inner_radius(shape) if isinstance(shape, Convex) else 0.0)
        case Box():
            size = np.asarray(shape.size)
            return Ball(np.zeros(3), math.hypot(*(size / 2)) * ROUND_UP, float(size.min()) / 2)
        case Cylinder():
            half = shape.length / 2
            return Ball(np.zeros(3), math.hypot(shape.radius, half) * ROUND_UP, min(shape.radius, half))
        case Capsule():
            return Ball(np.zeros(3), shape.length / 2 * ROUND_UP, 0.0)
    return Ball(np.zeros(3), 0.0, 0.0)


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


@dataclass(slots=True)
class MovingPair:
    """Two moving bodies: A, in whose frame the search is done, and B, which moves there.

    A mesh beside a convex body is A. Otherwise A is the body with the rigid motion, and of two of them the larger one:
    what is far out on a body sweeps far.
    """

    bodies: tuple[Body, Body]
    packs: tuple[FloatArray, FloatArray]
    swapped: bool
    ball: FloatArray
    query: FloatArray
    answer: FloatArray
    counts: Any

    @classmethod
    def of(cls, query: Query, *, least: bool = False) -> MovingPair:
        """Return the pair that a question is about."""
        body_a, body_b = query.body_a, query.body_b
        Q_A, Q_B = query.motion_a._packed, query.motion_b._packed
        swapped = _belongs_second(body_a, Q_A, body_b, Q_B)
        if swapped:
            body_a, body_b, Q_A, Q_B = body_b, body_a, Q_B, Q_A
        ball = ball_of(body_b)
        numbers = np.zeros(swept_leaf.QUERY)
        numbers[swept_leaf.MARGIN], numbers[swept_leaf.TOLERANCE] = query.margin, query.tolerance
        numbers[swept_leaf.SIZE] = _scene_size(Q_A, Q_B, _extent(body_a) + _extent(body_b))
        numbers[swept_leaf.LEAST], numbers[swept_leaf.ENDS] = least, query.t1
        answer = np.zeros(swept_leaf.ANSWER)
        answer[swept_leaf.NOW] = query.t0
        answer[[swept_leaf.TIME, swept_leaf.CERTAIN, swept_leaf.FOUND]] = math.inf
        return cls(
            (body_a, body_b),
            (Q_A, Q_B),
            swapped,
            np.array([*ball.center, ball.radius, ball.inner]),
            numbers,
            answer,
            np.zeros(swept_leaf.COUNTS, np.int64),
        )

    @property
    def is_convex(self) -> bool:
        """Whether neither body is a mesh."""
        return not has_triangles(self.bodies[0]) and not has_triangles(self.bodies[1])

    def run(self, budget: int | None) -> None:
        """Search until the answer is known or so many distances have been computed."""
        most = math.inf if budget is None else budget
        search, counts = self._search(), self.counts
        piece = CONVEX_PIECE if self.is_convex else PIECE
        while True:
            done = counts[swept_leaf.EVALUATIONS]
            if not self.is_convex:
                done += counts[swept_leaf.BOX_PAIRS]
            counts[swept_leaf.LIMIT] = done + min(piece, max(1, most - counts[swept_leaf.EVALUATIONS]))
            if search() == swept_pair.DONE or counts[swept_leaf.EVALUATIONS] >= most:
                return

    def _search(self) -> Callable[[], int]:
        """Return the kernel for these bodies with its arrays."""
        arrays = [part for body in self.bodies for part in _arrays(body)]
        common = (*self.packs, self.ball, self.query, self.answer, self.counts)
        if self.is_convex:
            return lambda: swept_convex.follow(*arrays, *common)
        room = (
            np.empty(swept_boxes.WINDOW * swept_pair.MOST_WINDOWS),
            np.empty(2 * swept_pair.MOST_WINDOWS, np.int32),
            np.empty(swept_pair.STACK, np.int32),
        )
        kernel = swept_pair if has_triangles(self.bodies[1]) else swept_mesh_convex
        return lambda: kernel.search(*arrays, *common, *room)


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
