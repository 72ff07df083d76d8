"""The parent frames of items over time, and the relative motions of two items."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import HERE, Part
from keepclear.geometry.bodies.bounds import bounding_volumes_of, extent_of
from keepclear.motion.fixed import Fixed, rounded_place
from keepclear.motion.joints.chains import inverse
from keepclear.motion.motion import Motion, head_of, shifted_motion
from keepclear.scene.items import Item, WorldObject, WorldRobot
from keepclear.scene.rules import Attachment, Window

AT_ORIGIN = Fixed(np.eye(4))


class ParentFrame(NamedTuple):
    """The parent frame of an item for a while: a motion in the world, or a link of a robot with a pose in its frame.

    `terms` is the size that the rounding of X_LO is relative to, if it is the result of other poses [m]. `is_given`
    marks a pose in the frame of a link that the user gave: the object may jump to it.
    """

    window: Window
    motion: Motion | None
    robot: WorldRobot | None = None
    link: int = -1
    X_LO: FloatArray = HERE
    terms: float = 0.0
    is_given: bool = False

    def terms_of(self, X_OP: FloatArray) -> float:
        """Return the size that the rounding of X_LO X_OP is relative to [m]."""
        return self.terms + float(np.linalg.norm(self.X_LO[:3, 3]) + np.linalg.norm(X_OP[:3, 3]))


class RelativeMotion(NamedTuple):
    """Motions of two parts in a common frame, and how that frame moves; None is the world."""

    motion_a: Motion
    motion_b: Motion
    frame: Motion | None


@dataclass(slots=True)
class Timeline:
    """The parent frames of all items in the order of time, and their motions, each created once.

    `geoms` has the bodies of all items, (item, part) each, and `first` the number of each item's first one.
    """

    items: Sequence[Item]
    attachments: Sequence[Attachment]
    robots: Mapping[str, WorldRobot]
    parent_frames: list[list[ParentFrame]] = field(default_factory=list)
    geoms: list[tuple[int, int]] = field(init=False)
    first: list[int] = field(init=False)
    _motions: dict[tuple[int, int, int], Motion] = field(default_factory=dict)
    _relative: dict[tuple[tuple[int, int], tuple[int, int], int, int, bool], RelativeMotion] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        self.geoms = [(i, p) for i, item in enumerate(self.items) for p in range(len(item.parts))]
        self.first = list(itertools.accumulate((len(item.parts) for item in self.items), initial=0))
        by_name = {item.name: k for k, item in enumerate(self.items)}
        tools = {event.name for event in self.attachments if event.t_from == -math.inf}
        self.parent_frames = [[] if item.name in tools else [_own_parent(item)] for item in self.items]
        for event in sorted(self.attachments, key=lambda e: (e.t_from, e.name)):
            if event.name in by_name:
                self._attach(by_name[event.name], event)

    def parent_index(self, i: int, t: float) -> int:
        """Return the number of the parent frame of item i at time t: the later one at a boundary of two."""
        if len(self.parent_frames[i]) == 1:
            return 0
        return max(k for k, parent in enumerate(self.parent_frames[i]) if parent.window[0] <= t)

    def motion(self, i: int, p: int, k: int) -> Motion:
        """Return the motion of part p of item i in the world with parent frame k."""
        found = self._motions.get((i, p, k))
        if found is None:
            item, parent = self.items[i], self.parent_frames[i][k]
            part = item.parts[p]
            if parent.robot is not None:
                program, name = parent.robot.program, parent.robot.robot.link_names[parent.link]
                X_WB, X_LP = parent.robot.X_WB, parent.X_LO @ part.X_OP
                terms = float(np.linalg.norm(X_WB[:3, 3])) + parent.terms_of(part.X_OP)
                found = program.between(0, parent.link, X_WB, X_LP, name, terms)
            else:
                assert parent.motion is not None
                found = shifted_motion(parent.motion, part.X_OP, extent_of(part.body))
            self._motions[i, p, k] = found
        return found

    def poses(self, i: int, p: int, times: FloatArray) -> FloatArray:
        """Return the poses of part p of item i in the world at instants, (n, 4, 4)."""
        parents = np.searchsorted(self.changes(i), times, side="right")  # the later one at a boundary of two
        X_W = np.empty((len(times), 4, 4))
        for k in np.unique(parents).tolist():
            X_W[parents == k] = self.motion(i, p, k).pose(times[parents == k])
        return X_W

    def relative_motion(
        self, a: tuple[int, int], b: tuple[int, int], t: float, *, hulls: bool = False
    ) -> RelativeMotion:
        """Return the relative motion of two parts (item, part) around time t, in the frame that suits it best.

        Between two links of one robot only the joints between them count. For a mesh on a link and a convex body that
        rests in the world it is the frame of the mesh, where meshes are searched; hulls do not need that.
        """
        (i, _), (j, _) = a, b
        ki, kj = self.parent_index(i, t), self.parent_index(j, t)
        key = a, b, ki, kj, hulls
        if key not in self._relative:
            self._relative[key] = self._make_relative(key)
        return self._relative[key]

    def _make_relative(self, key: tuple[tuple[int, int], tuple[int, int], int, int, bool]) -> RelativeMotion:
        a, b, ki, kj, hulls = key
        (i, p), (j, q) = a, b
        one, other = self.parent_frames[i][ki], self.parent_frames[j][kj]
        motion_a, motion_b = self.motion(i, p, ki), self.motion(j, q, kj)
        if hulls and (one.robot is None or one.robot is not other.robot):
            return RelativeMotion(motion_a, motion_b, None)
        X_OP, X_OQ = self.items[i].parts[p].X_OP, self.items[j].parts[q].X_OP
        X_one, X_other = one.X_LO @ X_OP, other.X_LO @ X_OQ
        if one.robot is not None and one.robot is other.robot:
            names = one.robot.robot.link_names
            name = f"{names[other.link]} relative to {names[one.link]}"
            terms = one.terms_of(X_OP) + other.terms_of(X_OQ)
            relative = one.robot.program.between(one.link, other.link, inverse(X_one), X_other, name, terms)
            return RelativeMotion(AT_ORIGIN, relative, motion_a)
        mesh_a, mesh_b = (bounding_volumes_of(self.items[x].parts[y].body).is_mesh for x, y in (a, b))
        if one.robot is not None and mesh_a and not mesh_b and isinstance(motion_b, Fixed):
            return RelativeMotion(AT_ORIGIN, _from_link(one, X_OP, motion_b), motion_a)
        if other.robot is not None and mesh_b and not mesh_a and isinstance(motion_a, Fixed):
            return RelativeMotion(_from_link(other, X_OQ, motion_a), AT_ORIGIN, motion_b)
        return RelativeMotion(motion_a, motion_b, None)

    def changes(self, i: int) -> list[float]:
        """Return the times at which an item changes its parent frame."""
        return [parent.window[0] for parent in self.parent_frames[i][1:]]

    def _attach(self, i: int, event: Attachment) -> None:
        """Attach an object to a link from an instant on; after its release it rests at its last pose."""
        frames = self.parent_frames[i]
        last = frames[-1] if frames else None
        if last is not None and (event.t_from < last.window[0] or event.t_from == -math.inf):
            since = "from the start" if event.t_from == -math.inf else f"from {event.t_from:.6g} s"
            until = f", before it is released at {last.window[0]:.6g} s" * (last.window[0] > -math.inf)
            raise ArgumentError(
                f"object {event.name!r} is attached to {event.link!r} {since} on{until}; attach it to one thing at a "
                "time."
            )
        owner, _, name = event.link.partition("/")
        robot = self.robots.get(owner)
        if robot is None or name not in robot.robot.link_names:
            raise ArgumentError(
                f"object {event.name!r} can only be attached to a link of a robot, not {event.link!r}."
            )
        number = robot.robot.link_names.index(name)
        link = robot.program.link(name, robot.X_WB)
        size = max(
            float(np.linalg.norm(part.X_OP[:3, 3])) + extent_of(part.body) for part in self.items[i].parts
        )
        X_LO, terms = event.X_LA, 0.0
        if X_LO is None:
            assert last is not None
            X_WO, terms = _carried_to(last, event.t_from)
            X_LO = _rigid(inverse(link.pose(event.t_from)) @ X_WO)
            terms += _product_terms(link, X_LO, size)
        if last is not None:
            frames[-1] = last._replace(window=(last.window[0], event.t_from))
        window, is_given = (event.t_from, event.t_to), event.X_LA is not None
        frames.append(ParentFrame(window, None, robot, number, X_LO, terms, is_given))
        if event.t_to < math.inf:
            rest = Fixed(_rigid(link.pose(event.t_to) @ X_LO))
            rest._enlarge_place(terms + _product_terms(link, X_LO, size))
            frames.append(ParentFrame((event.t_to, math.inf), rest))


def rests(motion: Motion, t0: float, t1: float) -> bool:
    """Return whether a body is at rest from t0 to t1."""
    return motion.rests(t0, t1)


def _own_parent(item: Item) -> ParentFrame:
    always = (-math.inf, math.inf)
    if isinstance(item.owner, WorldObject):
        if item.owner.motion is None:
            raise ArgumentError(
                f"object {item.name!r} has no pose in the world; give it one with world.move({item.name!r}, pose)."
            )
        return ParentFrame(always, item.owner.motion)
    return ParentFrame(always, None, item.owner, item.link)


def _carried_to(parent: ParentFrame, t: float) -> tuple[FloatArray, float]:
    """Return the pose of an object at time t, and the size that its rounding is relative to [m]."""
    if parent.robot is None:
        assert parent.motion is not None
        return np.asarray(parent.motion.pose(t)), rounded_place(parent.motion)
    name = parent.robot.robot.link_names[parent.link]
    link = parent.robot.program.link(name, parent.robot.X_WB)
    return np.asarray(link.pose(t) @ parent.X_LO), parent.terms + _product_terms(link, parent.X_LO, 0.0)


def _product_terms(link: Motion, X_LO: FloatArray, size: float) -> float:
    """Return the size that the rounding of a pose is relative to which follows from those of a link and an object [m].

    Points of the link at most |X_LO| + size from its origin are rounded by POSE_ROUNDING times `place` and `terms` of
    the link's motion; the product of two poses adds at most half of that (`shifted_motion`).
    """
    head = head_of(link)
    return 1.5 * (head.place + (head.terms + 1.0) * (float(np.linalg.norm(X_LO[:3, 3])) + size))


def _from_link(parent: ParentFrame, X_OP: FloatArray, rest: Fixed) -> Motion:
    """Return the motion of a body at rest relative to a part of an object that is fixed to a link."""
    assert parent.robot is not None
    robot = parent.robot
    name = f"world relative to {robot.robot.link_names[parent.link]}"
    X_last = inverse(robot.X_WB) @ rest.X_W
    terms = parent.terms_of(X_OP) + float(np.linalg.norm(robot.X_WB[:3, 3])) + head_of(rest).place
    return robot.program.between(parent.link, 0, inverse(parent.X_LO @ X_OP), X_last, name, terms)


def _rigid(X: FloatArray) -> FloatArray:
    """Return the nearest rigid pose of a product of many rigid maps."""
    u, _, vt = np.linalg.svd(X[:3, :3])
    out = X.copy()
    out[:3, :3] = u @ vt
    return out


def part_of(items: Sequence[Item], which: tuple[int, int]) -> Part:
    """Return a part, given the numbers of its item and of the part."""
    return items[which[0]].parts[which[1]]
