"""Pairs of nodes of two tracked groups: bounds of their distance, kept while both move, and the nearest pair."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import mesh_convex
from keepclear.query.instant.distance import distance
from keepclear.query.instant.mesh_distance import obb_tree_of
from keepclear.query.track.group_nodes import Node, Side
from keepclear.query.track.tracked_hulls import ON_FACE, TrackedHull
from keepclear.query.track.tracker import Tracker
from keepclear.results import Distance

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
        self.hulls: tuple[TrackedHull | None, TrackedHull | None] = (None, None)
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
        self._watched: dict[tuple[Node, Node, bool], tuple[float, TrackedHull]] = {}
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


class NearestLeaves:
    """A search for the closest pair of leaves, the pair with the smallest bound first."""

    def __init__(self, pairs: PairTable, accepted: float) -> None:
        self._pairs, self._accepted = pairs, accepted
        self._heap: list[tuple[float, int, Node, Node]] = []
        self._count = itertools.count()
        self._measured: set[tuple[Node, Node]] = set()
        self._lower = math.inf
        self.row: FloatArray | None = None
        self._pair: tuple[Node, Node] | None = None

    def push(self, a: Node, b: Node, bound: float) -> None:
        """Add a pair, with an additional bound that holds for it."""
        # harmless (max): a smaller bound is one too
        bound = max(bound, self._pairs.bound(a, b))
        if self.row is None or not bound > self.row[gjk.UPPER]:
            heapq.heappush(self._heap, (bound, next(self._count), a, b))

    def accept(self, bound: float) -> None:
        """Accept a bound as sufficient for all pairs that it covers."""
        self._lower = min(self._lower, bound)

    def run(self, eps_element: float) -> None:
        """Continue until no remaining pair may be closer than the closest leaves, or bounds suffice."""
        while self._heap:
            bound, _, a, b = heapq.heappop(self._heap)
            if self.row is not None and bound > self.row[gjk.UPPER]:
                self.accept(bound)
                return
            if self.row is not None and 0.0 <= self._accepted < bound:
                self.accept(bound)
                return
            if a.group is None and b.group is None:
                self.measure(a, b)
            elif a.hull is not None and b.hull is not None and not self._pairs.is_fresh(a, b):
                self.push(a, b, self._pairs.hulls_bound(a, b).lower)
            # harmless (>): a bound that is not positive proves nothing, so that contact is the answer
            elif self._accepted < 0.0 and bound > 0.0 and self.row is not None:
                self.accept(bound)
            else:
                # harmless (eps_element): the order of a search
                self._open(a, b, bound, eps_element)

    def _open(self, a: Node, b: Node, bound: float, eps_element: float) -> None:
        """Replace a node by its members, for this result only: of two groups the one with fewer members, else A's."""
        if b.group is None or (a.group is not None and len(a.children) <= len(b.children)):
            pairs = [(child, b) for child in a.children]
        else:
            pairs = [(a, child) for child in b.children]
        # Those within eps_element come first: one of them is likely to be the closest, and prunes the others.
        # harmless: the order of a search
        pairs.sort(key=lambda pair: self._pairs.bound(*pair) > eps_element)
        for pair in pairs:
            self.push(*pair, bound)

    def measure(self, a: Node, b: Node) -> None:
        """Compute the distance of two leaves, once."""
        if (a, b) in self._measured:
            return
        self._measured.add((a, b))
        enough = self._accepted if 0.0 <= self._accepted < math.inf else None
        found = self._pairs.exact(a, b, exact=self._accepted >= 0.0, enough=enough)
        row = found._rows[: gjk.ROW]
        self._lower = min(self._lower, float(row[gjk.LOWER]))
        if (
            self.row is None
            or row[gjk.DISTANCE] < self.row[gjk.DISTANCE]
            or (row[gjk.DISTANCE] == self.row[gjk.DISTANCE] and row[gjk.STATE] > self.row[gjk.STATE])
        ):
            self.row, self._pair = row.copy(), (a, b)
            if not found._is_of_surfaces:
                self.row[14:16] = -1.0

    def result(self) -> tuple[FloatArray, tuple[Node, Node]]:
        """Return the row of the closest leaves with the bounds of all, and these leaves."""
        assert self.row is not None
        assert self._pair is not None
        self.row[gjk.LOWER] = min(float(self.row[gjk.LOWER]), self._lower)
        return self.row, self._pair
