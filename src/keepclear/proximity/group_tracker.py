"""The distance of two groups of bodies that move, tracked from frame to frame."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

from keepclear.checks import FloatArray, checked_flag, checked_length
from keepclear.exclusive import one_call
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees.hull_frames import HYSTERESIS
from keepclear.proximity.body import as_geometry, shape_of
from keepclear.proximity.group import Group
from keepclear.proximity.group_nodes import Node, Side
from keepclear.proximity.group_pairs import PairTable
from keepclear.proximity.group_states import GroupStates
from keepclear.proximity.tracker import Tracker, TrackerStatistics
from keepclear.proximity.tracking import PAIR, TrackerEvent, TrackerState, checked_thresholds, next_time
from keepclear.results import Distance

__all__ = ["GroupTracker"]


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
        self._states: GroupStates | None = None
        self._frames = self._contacts = 0
        self._begin()

    def _begin(self) -> None:
        self._t, self._in_contact, self._is_far = -math.inf, False, False
        self._last: tuple[Node, Node] | None = None

    @one_call
    def reset(self) -> None:
        """Discard the last frame; merged hulls are kept, and none is released."""
        self._begin()
        if self._states is not None:
            self._states.reset()

    @property
    def statistics(self) -> TrackerStatistics:
        """Counts of the work done by the tracker so far; `pairs` counts computed pairs of hulls and bodies."""
        return TrackerStatistics(frames=self._frames, penetrations=self._contacts, pairs=self._pairs.computed)

    @property
    def state(self) -> TrackerState:
        """The state after the last frame; a body counts as open while its outermost hull is not in use."""
        if self._in_contact:
            return TrackerState.CONTACT
        a, b = (side.root.is_intact for side in (self._side_a, self._side_b))
        if a and b:
            return TrackerState.FAR if self._is_far else TrackerState.HULLS
        return TrackerState.OPEN_AB if not (a or b) else (TrackerState.OPEN_A if b else TrackerState.OPEN_B)

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
        return () if self._states is None else tuple(self._states.events)

    def _counts(self) -> tuple[int, ...]:
        return self._frames, self._contacts, self._pairs.computed

    def _count_from(self, counts: tuple[int, ...]) -> None:
        self._frames, self._contacts, self._pairs.computed = counts

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
        states = self._placed(X_WA, X_WB, time)
        self._t = time
        self._pairs.next_frame()
        gap = self._between_spheres(states, time)
        states.merge(time)
        row, pair = self._nearest(-1.0 if not exact else (math.inf if least is None else least), gap)
        self._last = pair
        states.release(time)
        states.recover(time)
        self._frames += 1
        self._note_contact(states, time, not row[gjk.LOWER] > 0.0)
        solid = tuple(_is_solid(side) for side in (self._side_a, self._side_b))
        return Distance(row, solid, members=(_name_of(pair[0]), _name_of(pair[1])))  # type: ignore[arg-type]

    def _placed(self, X_WA: Any, X_WB: Any, t: float) -> GroupStates:
        """Take over members and poses of a frame; return the states, which the first frame creates."""
        changed = False
        for side in (self._side_a, self._side_b):
            if side.synchronise():
                changed = True
                if self._states is not None:
                    for path, kind in side.changes:
                        self._states.note(t, path, kind)  # type: ignore[arg-type]
        if changed:
            self._pairs.forget()
            if self._last is not None and not self._nodes().issuperset(self._last):
                self._last = None
        poses = self._side_a.posed(X_WA, "X_WA"), self._side_b.posed(X_WB, "X_WB")
        sides = zip((self._side_a, self._side_b), poses, strict=True)
        void = [node for side, X in sides for node in side.settle(side.move(X), t)]
        if self._states is None:
            radii = self._side_a.sphere_W()[1], self._side_b.sphere_W()[1]
            self._states = GroupStates(
                self._side_a, self._side_b, self._pairs, self._thresholds.sized(*radii)
            )
        for node in void:
            self._states.note(t, node.path, "void")
        return self._states

    def _nodes(self) -> set[Node]:
        return {*self._side_a.root.within(), *self._side_b.root.within()}

    def _between_spheres(self, states: GroupStates, t: float) -> float:
        """Return a lower bound of the distance by the spheres around both bodies, and record whether they are far."""
        (x, r), (y, s) = self._side_a.sphere_W(), self._side_b.sphere_W()
        # harmless (2.0**-48): of the 32 units of the spheres, their sums and this difference need 16
        gap, far = (math.dist(x, y) - r - s) * (1.0 - 2.0**-48), states.thresholds.far or 0.0
        is_far = gap > HYSTERESIS * far or (self._is_far and gap >= far)
        if is_far != self._is_far:
            self._is_far = is_far
            states.note(t, PAIR, "far" if is_far else "near")
        return gap

    def _note_contact(self, states: GroupStates, t: float, in_contact: bool) -> None:
        self._contacts += in_contact
        if in_contact != self._in_contact:
            self._in_contact = in_contact
            states.note(t, PAIR, "contact" if in_contact else "apart")

    def _nearest(self, accepted: float, gap: float) -> tuple[FloatArray, tuple[Node, Node]]:
        """Return the row of the closest two leaves, and these; bounds suffice if the lower one is above `accepted`."""
        search = _Search(self._pairs, accepted)
        if self._last is not None:
            search.measure(*self._last)
        if search.row is not None and (gap > accepted if accepted >= 0.0 else self._is_far and gap > 0.0):
            search.accept(gap)
            return search.result()
        # harmless (self._states.thresholds.eps_element): the order of a search
        eps = (self._states.thresholds.eps_element if self._states else None) or 0.0
        for a, b in itertools.product(self._side_a.root.cut(), self._side_b.root.cut()):
            search.push(a, b, -math.inf)
        # harmless (eps): the order of a search
        search.run(eps)
        return search.result()


class _Search:
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


def _is_solid(side: Side) -> bool:
    bodies = [node.body for node in side.root.within() if node.body is not None]
    return all(shape_of(body).is_solid for body in bodies)


def _name_of(node: Node) -> str:
    return node.path.rsplit("/", 1)[-1]
