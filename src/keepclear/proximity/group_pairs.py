"""Pairs of nodes of two tracked groups: bounds of their distance, kept while both move."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import mesh_convex
from keepclear.proximity.distance import distance
from keepclear.proximity.group_hulls import NodeHull
from keepclear.proximity.group_nodes import Node, Side
from keepclear.proximity.mesh_distance import obb_tree_of
from keepclear.proximity.mesh_states import ON_FACE
from keepclear.proximity.tracker import Tracker
from keepclear.results import Distance

__all__ = ["Approach", "PairTable"]

_distance_one: Any = gjk.distance_one


class Approach(NamedTuple):
    """The distance of the hull of a node and another node.

    Attributes:
        lower: Lower bound of their distance [m]; not positive where they overlap.
        points: The closest points of A's node and of B's, in the world; None if only the bound is known.
    """

    lower: float
    points: tuple[FloatArray, FloatArray] | None = None


class _Pair:
    """The data of two nodes: a bound plus their travel, the memory of the search, and a tracker."""

    __slots__ = ("frame", "hulls", "key", "memory", "tracker")

    def __init__(self) -> None:
        self.key = -math.inf
        self.frame = -1
        self.hulls: tuple[NodeHull | None, NodeHull | None] = (None, None)
        self.memory: FloatArray | None = None
        self.tracker: Tracker | None = None


class PairTable:
    """The pairs of nodes of two sides.

    A bound that was found once holds while both move: it falls by no more than they travel.

    Attributes:
        computed: Pairs of hulls, elements and bodies whose distance was computed so far.
    """

    def __init__(self, a: Side, b: Side) -> None:
        self._a, self._b = a, b
        self._pairs: dict[tuple[Node, Node], _Pair] = {}
        self._watched: dict[tuple[Node, Node, bool], tuple[float, NodeHull]] = {}
        self._frame = self.computed = 0

    def next_frame(self) -> None:
        """Begin a frame: both sides have moved."""
        self._frame += 1

    def forget(self) -> None:
        """Discard the data of removed nodes."""
        alive = {*self._a.root.within(), *self._b.root.within()}
        self._pairs = {key: pair for key, pair in self._pairs.items() if key[0] in alive and key[1] in alive}
        self._watched = {
            key: known for key, known in self._watched.items() if key[0] in alive and key[1] in alive
        }

    def _pair(self, a: Node, b: Node) -> _Pair:
        pair = self._pairs.get((a, b))
        if pair is None:
            pair = self._pairs[a, b] = _Pair()
        if pair.hulls != (a.hull, b.hull):
            pair.hulls, pair.key, pair.memory, pair.frame = (a.hull, b.hull), -math.inf, None, -1
        return pair

    def bound(self, a: Node, b: Node) -> float:
        """Return a lower bound of the distance of two nodes from stored bounds, or spheres of leaves [m]."""
        pair = self._pair(a, b)
        bound = pair.key - a.travel - b.travel
        if pair.frame < 0 and a.group is None and b.group is None:
            bound = self._between_spheres(a, b)
            # harmless (a.travel): the bound that is kept is smaller
            # harmless (b.travel): likewise
            pair.key, pair.frame = bound + a.travel + b.travel, 0
        return bound if not math.isnan(bound) else -math.inf

    def _between_spheres(self, a: Node, b: Node) -> float:
        x, y = self._a.center_W(a), self._b.center_W(b)
        radii = float(self._a.radii[a.first] + self._b.radii[b.first])
        return math.dist(x, y) - radii - 2.0**-46 * (float(np.abs(x).max() + np.abs(y).max()) + radii)

    def is_fresh(self, a: Node, b: Node) -> bool:
        """Return whether the bound of two nodes was computed in this frame."""
        return self._pair(a, b).frame == self._frame

    def hulls_bound(self, a: Node, b: Node) -> Approach:
        """Compute the distance of the hulls of two nodes; -inf if they overlap or one has none."""
        pair = self._pair(a, b)
        if a.hull is None or b.hull is None:
            return Approach(-math.inf)
        if pair.memory is None:
            pair.memory = np.zeros(gjk.ROW + gjk.MEMORY)
            pair.memory[gjk.ROW : gjk.ROW + 4] = 0.0, -1.0, -1.0, 0.0
        row = pair.memory
        if not self.is_fresh(a, b):
            self.computed += 1
            ended = _distance_one(*a.hull.packed, *b.hull.packed, self._a.pose(a), self._b.pose(b), row, True)
            lower = row[gjk.LOWER] - a.drift - b.drift if ended == 0 else -math.inf
            pair.frame = self._frame
            # harmless (a.travel): the bound that is kept is smaller
            # harmless (b.travel): likewise
            pair.key = float(lower) + a.travel + b.travel if lower > 0.0 else -math.inf
        lower = pair.key - a.travel - b.travel
        points = row[gjk.POINT_A : gjk.POINT_A + 3], row[gjk.POINT_B : gjk.POINT_B + 3]
        # harmless (>): points decide which hull is released, and no answer depends on that
        return Approach(lower, points if lower > 0.0 else None)

    def exact(self, a: Node, b: Node, *, exact: bool, enough: float | None) -> Distance:
        """Return the distance of two leaves."""
        pair = self._pair(a, b)
        if pair.tracker is None:
            assert a.body is not None
            assert b.body is not None
            pair.tracker = Tracker(a.body, b.body)
        self.computed += 1
        found = pair.tracker.distance(self._a.pose(a), self._b.pose(b), exact=exact, enough=enough)
        row = found._rows
        # harmless (a.travel): the bound that is kept is smaller
        # harmless (b.travel): likewise
        pair.frame, pair.key = self._frame, float(row[gjk.LOWER]) + a.travel + b.travel
        if not row[gjk.LOWER] > 0.0:
            pair.key = -math.inf
        return found

    def approach(self, a: Node, b: Node, *, of_a: bool, limit: float) -> Approach:
        """Return the distance of the hull of A's node (or of B's) and the other node, if it may be below `limit`.

        The other node is represented by its hull if that is intact, and a released mesh by its triangles.
        """
        hull, other = (a, b) if of_a else (b, a)
        if not (other.is_released and other.mesh is not None):
            # harmless: `approach` is for states, and no answer depends on them
            bound = self._pair(a, b).key - a.travel - b.travel
            return Approach(bound) if bound > limit else self.hulls_bound(a, b)
        assert hull.hull is not None
        key, of = self._watched.get((a, b, of_a), (-math.inf, None))
        # harmless: likewise
        if of is hull.hull and key - a.travel - b.travel > limit:
            # harmless: likewise
            return Approach(key - a.travel - b.travel)
        self.computed += 1
        row = np.empty(gjk.ROW)
        X_hull, X_other = (self._a.pose(a), self._b.pose(b)) if of_a else (self._b.pose(b), self._a.pose(a))
        tree = obb_tree_of(other.body)  # type: ignore[arg-type]
        assert tree is not None
        mesh_convex.distance(*tree.arrays, *hull.hull.packed, X_other[None], X_hull[None], row, 0, 1)
        # harmless: likewise
        lower = float(row[gjk.LOWER]) - hull.drift
        # harmless: likewise
        self._watched[a, b, of_a] = lower + a.travel + b.travel, hull.hull
        p_other, p_hull = row[gjk.POINT_A : gjk.POINT_A + 3], row[gjk.POINT_B : gjk.POINT_B + 3]
        points = (p_hull, p_other) if of_a else (p_other, p_hull)
        # harmless: likewise
        return Approach(lower, points if lower > 0.0 else None)

    def touching_points(self, a: Node, b: Node) -> tuple[FloatArray, FloatArray] | None:
        """Return the contact points of two hulls that only touch, up to rounding; None if they overlap deeper."""
        if a.hull is None or b.hull is None or (a.is_released and a.mesh) or (b.is_released and b.mesh):
            return None
        found = distance(a.hull.shape, self._a.pose(a), b.hull.shape, self._b.pose(b))
        # harmless: likewise
        if -found.distance > ON_FACE * (a.hull.radius + b.hull.radius):
            return None
        return found.p_WA, found.p_WB
