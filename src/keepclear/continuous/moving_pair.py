"""Two moving bodies as the flat arrays that the kernels for an interval of time read."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.continuous.arguments import Query
from keepclear.continuous.extent import Ball, outline_of
from keepclear.kernels import motion, swept_boxes, swept_convex, swept_mesh_convex, swept_pair
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
from keepclear.proximity.distance import Body
from keepclear.proximity.mesh_distance import obb_tree_of
from keepclear.proximity.packed import packed
from keepclear.shapes.arguments import FloatArray
from keepclear.shapes.shape import Shape

ROUND_UP = 1.0 + 1e-12
# Pairs of boxes and distances between two looks at the keyboard; about a tenth of a second.
PIECE = 1 << 18
CONVEX_PIECE = 1 << 16
MOST = 1 << 62


_local = threading.local()


def stop_when(event: threading.Event) -> None:
    """Let searches of this thread end with `KeyboardInterrupt` soon after an event, as those of the main thread do."""
    _local.stop = event


def look_for_stop() -> None:
    """Raise `KeyboardInterrupt` if this thread was told to stop."""
    stop: threading.Event | None = getattr(_local, "stop", None)
    if stop is not None and stop.is_set():
        raise KeyboardInterrupt


def is_convex(query: Query) -> bool:
    """Tell whether neither body of a question is a mesh."""
    return not (outline_of(query.body_a).is_mesh or outline_of(query.body_b).is_mesh)


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
        numbers[SIZE] = _scene_size(Q_A, Q_B, outline_of(body_a).extent + outline_of(body_b).extent)
        numbers[LEAST], numbers[ENDS] = least, query.t1
        if query.t0 == query.t1:  # one instant: the shortest span that has it
            numbers[ENDS] = math.nextafter(query.t1, math.inf)
        answer[NOW] = query.t0
        answer[[TIME, CERTAIN, FOUND]] = math.inf
        counts = np.zeros(COUNTS, np.int64)
        return cls(
            (body_a, body_b), (Q_A, Q_B), swapped, np.array(outline_of(body_b).ball), numbers, answer, counts
        )

    def run(self, budget: int | None) -> None:
        """Search until the answer is known or so many distances have been computed."""
        most = math.inf if budget is None else budget
        arrays = [part for body in self.bodies for part in _arrays(body)]
        arrays += [*self.packs, self.ball, self.query, self.answer, self.counts]
        room = _room()
        kernel = swept_pair if outline_of(self.bodies[1]).is_mesh else swept_mesh_convex
        counts, ended = self.counts, False
        while not ended and counts[EVALUATIONS] < most:
            look_for_stop()
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
        numbers: Margin and tolerance [m]; each one for all pairs, or an array (n,).
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
        numbers: tuple[float | FloatArray, float | FloatArray],
        budget: int | None,
        *,
        least: bool = False,
    ) -> None:
        arrays = [_arrays(body) for body in bodies]
        packs = [motion._packed for motion in motions]
        outlines = [outline_of(body) for body in bodies]
        balls, extents = (
            np.array([line.ball for line in outlines]),
            np.array([line.extent for line in outlines]),
        )
        heads = np.array([Q[: motion.HEADER] for Q in packs])
        a, ma, b, mb = cases.T
        rank, radius = _rank(heads.T), balls[:, Ball._fields.index("radius")]
        self.swapped = (rank[ma] > rank[mb]) | ((rank[ma] == rank[mb]) & (radius[a] < radius[b]))
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
            look_for_stop()
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
            if paused == 0 or (counts[begin:end, LIMIT] >= self._most).all():  # or nobody has room to go on
                return


def _joined(parts: Sequence[Any]) -> tuple[Any, npt.NDArray[np.int64]]:
    """Return arrays one after the other, and where each begins and ends, (n, 2)."""
    ends = np.cumsum([len(part) for part in parts])
    return np.concatenate(parts), np.stack([ends - [len(part) for part in parts], ends], axis=1)


def _belongs_second(a: Body, Q_A: FloatArray, b: Body, Q_B: FloatArray) -> bool:
    outline_a, outline_b = outline_of(a), outline_of(b)
    if outline_a.is_mesh != outline_b.is_mesh:
        return outline_b.is_mesh
    if _rank(Q_A) != _rank(Q_B):
        return bool(_rank(Q_A) > _rank(Q_B))
    return outline_a.ball.radius < outline_b.ball.radius


def _rank(head: FloatArray) -> Any:
    """Return what belongs second: a cubic rather than a rigid motion, and a chain of joints rather than another."""
    return 2.0 * head[motion.AFFINE] + (head[motion.JOINTS] > 0.0)


def _scene_size(Q_A: FloatArray, Q_B: FloatArray, extents: float) -> float:
    """Return what rounding is measured by, as `kernels.motion.scene_size` does [m]."""
    terms = max(Q_A[motion.TERMS], Q_B[motion.TERMS])
    return float((Q_A[motion.PLACE] + Q_B[motion.PLACE] + terms * extents) / Q_A[motion.SMALLEST])


def _arrays(body: Body) -> tuple[Any, ...]:
    if outline_of(body).is_mesh:
        tree = obb_tree_of(body)
        assert tree is not None
        return tree.arrays
    assert isinstance(body, Shape)
    return packed(body)
