"""The states of two tracked groups: which hulls are merged, released and recovered."""

from __future__ import annotations

import math

from keepclear.proximity.group_hulls import HullTask
from keepclear.proximity.group_nodes import Node, Side
from keepclear.proximity.group_pairs import PairTable
from keepclear.proximity.tracking import RECOVERED, EventKind, Thresholds, TrackerEvent

__all__ = ["GroupStates"]


class GroupStates:
    """The states of nodes: merges members at rest, releases hulls that are hit, and recovers hulls that are free again.

    States do not change results: the results of `GroupTracker` are the same with any hulls.
    """

    def __init__(self, a: Side, b: Side, pairs: PairTable, thresholds: Thresholds) -> None:
        self.a, self.b, self.pairs, self.thresholds = a, b, pairs, thresholds
        self.eps = thresholds.eps_hull or 0.0
        self.events: list[TrackerEvent] = []
        self._merging: HullTask[tuple[Side, Node, object]] = HullTask(thresholds.background)

    def note(self, t: float, node: str, kind: EventKind) -> None:
        """Add an event."""
        self.events.append(TrackerEvent(t, node, kind))

    def merge(self, t: float) -> None:
        """Take over a merged hull, and begin to merge the next: one per call, members before their group."""
        if not self._merging.is_busy:
            waiting = ((side, node) for side in (self.a, self.b) for node in side.root.within())
            for side, node in waiting:
                if self._is_due(node, t):
                    bodies = [leaf.body for leaf in node.within() if leaf.body is not None]
                    assert node.relative is not None
                    self._merging.start((side, node, node.relative), bodies, node.relative)
                    break
        done = self._merging.finished()
        if done is not None:
            (side, node, relative), hull = done
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
        """Reset: merged hulls are kept, and none is released."""
        for side in (self.a, self.b):
            for node in side.root.within():
                node.is_released = node.is_near = False
                node.clear_t = -math.inf
