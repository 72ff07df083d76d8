"""The distance of two groups of bodies that move, tracked from frame to frame."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Any

from keepclear.checks import FloatArray, checked_flag, checked_length
from keepclear.exclusive import one_call
from keepclear.geometry.bodies.body import Geometry, as_geometry, shape_of
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees.hull_frames import HYSTERESIS
from keepclear.query.track.group import Group
from keepclear.query.track.group_nodes import Node, Side
from keepclear.query.track.group_pairs import NearestLeaves, PairTable
from keepclear.query.track.tracked_hulls import HullTask, TrackedHull, merge_hull
from keepclear.query.track.tracker import Tracker, TrackerStatistics
from keepclear.query.track.transitions import (
    RECOVERED,
    States,
    Thresholds,
    TrackerEvent,
    TrackerState,
    checked_thresholds,
    next_time,
)
from keepclear.results import Distance


class GroupTracker(Tracker):
    """Tracks the closest points of two bodies of which at least one is a group; `kc.Tracker` makes it.

    Each frame is a search over pairs of nodes, the nearest first: a hull that is farther away than what was found
    stands for all its members. The answer is the minimum distance of all pairs of members, whatever hulls are released.
    """

    def __init__(self, a: Any, b: Any, **options: Any) -> None:
        self._thresholds = checked_thresholds(**options)
        self._a, self._b = (body if isinstance(body, Group) else as_geometry(body) for body in (a, b))  # type: ignore[assignment]
        self._side_a, self._side_b = Side("A", self._a), Side("B", self._b)
        self._pairs = PairTable(self._side_a, self._side_b)
        self._states = GroupStates(self._side_a, self._side_b, self._pairs, self._thresholds)
        self._frames = self._contacts = 0
        self._begin()

    def _begin(self) -> None:
        self._t = -math.inf
        self._last: tuple[Node, Node] | None = None

    @one_call
    def reset(self) -> None:
        """Discard the last frame; merged hulls are kept, and none is released."""
        self._begin()
        self._states.reset()

    def _work(self) -> TrackerStatistics:
        return TrackerStatistics(frames=self._frames, penetrations=self._contacts, pairs=self._pairs.computed)

    @property
    def state(self) -> TrackerState:
        """The state after the last frame; a body counts as open while its outermost hull is not in use."""
        return self._states.state(*(not side.root.is_intact for side in (self._side_a, self._side_b)))

    @property
    @one_call
    def released(self) -> tuple[str, ...]:
        """The nodes whose hull is released, members before their group."""
        return tuple(
            n.path for side in (self._side_a, self._side_b) for n in side.root.within() if n.is_released
        )

    @property
    def events(self) -> tuple[TrackerEvent, ...]:
        """All changes of states so far, in their order."""
        return tuple(self._states.events)

    @one_call
    def distance(
        self, X_WA: Any, X_WB: Any, t: Any = None, *, exact: bool = True, enough: float | None = None
    ) -> Distance:
        """Return the minimum distance of two members, one of each body, in one frame.

        Args:
            X_WA: For a group the poses (4, 4) of its members in the world by their names, also of those in groups
                within it; members that were given with a pose have none here. For a body its pose.
            X_WB: The same for B.
            t: Time of the frame [s]; None: frames follow at 60 Hz. Only events and states depend on it.
            exact: False: bounds of hulls are enough: `lower` is certified, and `distance` is that of two points of the
                bodies, an upper bound.
            enough: The same wherever `lower` is above this distance [m]; None: nowhere.
        """
        checked_flag("exact", exact)
        least = None if enough is None else checked_length("enough", enough)
        time = next_time(self._t, t)
        states = self._states
        self._place(X_WA, X_WB, time)
        self._t = time
        self._pairs.next_frame()
        gap = self._between_spheres(time)
        states.merge(time)
        row, pair = self._nearest(-1.0 if not exact else (math.inf if least is None else least), gap)
        self._last = pair
        states.release(time)
        states.recover(time)
        self._frames += 1
        in_contact = not row[gjk.LOWER] > 0.0
        self._contacts += in_contact
        states.note_contact(time, in_contact)
        solid = tuple(_is_solid(side) for side in (self._side_a, self._side_b))
        return Distance(row, solid, members=(_name_of(pair[0]), _name_of(pair[1])))  # type: ignore[arg-type]

    def _place(self, X_WA: Any, X_WB: Any, t: float) -> None:
        """Take over members and poses of a frame; the first one sizes the thresholds."""
        states, sides = self._states, (self._side_a, self._side_b)
        for side in sides:
            if side.synchronise():
                self._pairs.forget()
                if self._last is not None and not self._nodes().issuperset(self._last):
                    self._last = None
                if states.is_sized:
                    for path, kind in side.changes:
                        states.note(t, path, kind)  # type: ignore[arg-type]
        poses = self._side_a.posed(X_WA, "X_WA"), self._side_b.posed(X_WB, "X_WB")
        void = [node for side, X in zip(sides, poses, strict=True) for node in side.settle(side.move(X), t)]
        if not states.is_sized:
            states.thresholds = self._thresholds.sized(*(side.sphere_W()[1] for side in sides))
            states.is_sized = True
        for node in void:
            states.note(t, node.path, "void")

    def _nodes(self) -> set[Node]:
        return {*self._side_a.root.within(), *self._side_b.root.within()}

    def _between_spheres(self, t: float) -> float:
        """Return a lower bound of the distance by the spheres around both bodies, and record whether they are far."""
        (x, r), (y, s) = self._side_a.sphere_W(), self._side_b.sphere_W()
        states = self._states
        far = states.thresholds.far or 0.0
        # harmless (2.0**-48): of the 32 units of the spheres, their sums and this difference need 16
        gap = (math.dist(x, y) - r - s) * (1.0 - 2.0**-48)
        states.note_far(t, gap > HYSTERESIS * far or (states.is_far and gap >= far))
        return gap

    def _nearest(self, accepted: float, gap: float) -> tuple[FloatArray, tuple[Node, Node]]:
        """Return the row of the closest two leaves, and these; bounds suffice if the lower one is above `accepted`."""
        search = NearestLeaves(self._pairs, accepted)
        if self._last is not None:
            search.measure(*self._last)
        if search.row is not None and (
            gap > accepted if accepted >= 0.0 else self._states.is_far and gap > 0.0
        ):
            search.accept(gap)
            return search.result()
        # harmless (self._states.thresholds.eps_element): the order of a search
        eps = self._states.thresholds.eps_element or 0.0
        for a, b in itertools.product(self._side_a.root.cut(), self._side_b.root.cut()):
            search.push(a, b, -math.inf)
        # harmless (eps): the order of a search
        search.run(eps)
        return search.result()


class GroupStates(States):
    """The states of nodes: merges members at rest, releases hulls that are hit, and recovers hulls that are free again.

    States do not change results: the results of `GroupTracker` are the same with any hulls.
    """

    def __init__(self, a: Side, b: Side, pairs: PairTable, thresholds: Thresholds) -> None:
        super().__init__()
        self.a, self.b, self.pairs = a, b, pairs
        self.thresholds, self.is_sized = thresholds, False  # they are sized by the poses of the first frame
        self._merging: HullTask[tuple[Side, Node, FloatArray, TrackedHull]] = HullTask(thresholds.background)

    @property
    def eps(self) -> float:
        """Distance of hulls below which one of them may be released [m]."""
        return self.thresholds.eps_hull or 0.0

    def merge(self, t: float) -> None:
        """Take over a merged hull, and begin to merge the next: one per call, members before their group."""
        if not self._merging.is_busy:
            waiting = ((side, node) for side in (self.a, self.b) for node in side.root.within())
            for side, node in waiting:
                if self._is_due(node, t):
                    bodies = [leaf.body for leaf in node.within() if leaf.body is not None]
                    assert node.relative is not None
                    self._merging.start(partial(_merged, side, node, bodies, node.relative))
                    break
        done = self._merging.finished()
        if done is not None:
            side, node, relative, hull = done
            if node.relative is relative and node in set(side.root.within()):  # nothing has moved meanwhile
                node.hull, node.is_released = hull, False
                self.note(t, node.path, "merged")

    def _is_due(self, node: Node, t: float) -> bool:
        """Return whether a group has come to rest, and the hulls that it is merged from are intact."""
        if node.group is None or node.hull is not None or node.first == node.last:
            return False
        if t - node.moved_t < self.thresholds.rest:
            return False
        return all(child.is_intact or child.group is None or not child.children for child in node.children)

    def release(self, t: float) -> None:
        """Release the hulls of nodes that are hit, by the following rules, one level at a time.

        One virtual face: that hull. Two: the one with fewer elements, else A's. Two real faces: none. Hulls that
        overlap: both.
        """
        hit: dict[Node, None] = {}
        for a in self.a.root.cut():
            for b in self.b.root.cut():
                if (a.is_intact and a.may_open) or (b.is_intact and b.may_open):
                    hit.update(dict.fromkeys(self._hit(a, b)))
        for node in hit:
            node.is_released = node.is_near = True
            self.note(t, node.path, "released")

    def _hit(self, a: Node, b: Node) -> list[Node]:
        # harmless (self.eps): states decide which work is done, and no answer depends on them
        near = self.pairs.approach(a, b, of_a=a.is_intact, limit=self.eps)
        open_ = (
            # harmless (self.eps): states decide which work is done, and no answer depends on them
            [node for node in (a, b) if node.is_intact and node.is_openable] if near.lower < self.eps else []
        )
        if not open_:
            return []
        points = near.points
        if points is None:
            points = self.pairs.touching_points(a, b)
            if points is None:
                return open_
        poses = self.a.pose(a), self.b.pose(b)
        virtual = [
            node
            for node, p, X in zip((a, b), points, poses, strict=True)
            if node in open_ and node.hull is not None and node.hull.is_virtual(p, X)
        ]
        return [min(virtual, key=lambda node: node.n_elements)] if virtual else []

    def recover(self, t: float) -> None:
        """Recover hulls that no foreign body has approached for the set time, members before their group."""
        for side, other in ((self.a, self.b), (self.b, self.a)):
            for node in side.root.within():
                if node.is_released and node.hull is not None:
                    self._recover(t, node, other)

    def _recover(self, t: float, node: Node, other: Side) -> None:
        of_a, limit = other is self.b, RECOVERED * self.eps
        pairs = (((node, foreign) if of_a else (foreign, node)) for foreign in other.root.cut())
        is_near = any(self.pairs.approach(*pair, of_a=of_a, limit=limit).lower < limit for pair in pairs)
        if node.is_near and not is_near:
            node.clear_t = t
        node.is_near = is_near
        if is_near or t - node.clear_t < self.thresholds.recovery:
            return
        if not any(
            child.is_released or (child.group is not None and child.hull is None) for child in node.children
        ):
            node.is_released = False
            self.note(t, node.path, "recovered")

    def reset(self) -> None:
        """Discard the last frame; merged hulls are kept, and none is released."""
        self.is_far = self.in_contact = False
        for side in (self.a, self.b):
            for node in side.root.within():
                node.is_released = node.is_near = False
                node.clear_t = -math.inf


def _merged(
    side: Side, node: Node, bodies: list[Geometry], relative: FloatArray
) -> tuple[Side, Node, FloatArray, TrackedHull]:
    return side, node, relative, merge_hull(bodies, relative)


def _is_solid(side: Side) -> bool:
    bodies = [node.body for node in side.root.within() if node.body is not None]
    return all(shape_of(body).is_solid for body in bodies)


def _name_of(node: Node) -> str:
    return node.path.rsplit("/", 1)[-1]
