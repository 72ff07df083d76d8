"""What carries each item at which time, and how two of them move relative to each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.extent import outline_of
from keepclear.errors import ArgumentError
from keepclear.motions.fixed import Fixed
from keepclear.motions.motion import Motion
from keepclear.robot.chains import inverse
from keepclear.scene.items import HERE, Item, Part, WorldObject, WorldRobot, shifted
from keepclear.scene.rules import Attachment, Window

AT_ORIGIN = Fixed(np.eye(4))


class Carrier(NamedTuple):
    """What moves an item for a while: a motion in the world, or a link of a robot with a pose in its frame."""

    window: Window
    motion: Motion | None
    robot: WorldRobot | None = None
    link: int = -1
    X_LO: FloatArray = HERE


class Seen(NamedTuple):
    """Two parts as one sees them best: their motions in a frame, and how that frame moves; None is the world."""

    motion_a: Motion
    motion_b: Motion
    frame: Motion | None


@dataclass(slots=True)
class Timeline:
    """The carriers of all items, one after the other in time, and their motions, each made once."""

    items: Sequence[Item]
    attachments: Sequence[Attachment]
    robots: Mapping[str, WorldRobot]
    carriers: list[list[Carrier]] = field(default_factory=list)
    _motions: dict[tuple[int, int, int], Motion] = field(default_factory=dict)
    _seen: dict[tuple[tuple[int, int], tuple[int, int], int, int, bool], Seen] = field(default_factory=dict)

    def __post_init__(self) -> None:
        by_name = {item.name: k for k, item in enumerate(self.items)}
        self.carriers = [[_own_carrier(item)] for item in self.items]
        for event in sorted(self.attachments, key=lambda e: (e.t_from, e.name)):
            if event.name in by_name:
                self._attach(by_name[event.name], event)

    def carrier(self, i: int, t: float) -> int:
        """Return the number of the carrier of item i at time t: the later one where two meet."""
        if len(self.carriers[i]) == 1:
            return 0
        return max(k for k, carrier in enumerate(self.carriers[i]) if carrier.window[0] <= t)

    def motion(self, i: int, p: int, k: int) -> Motion:
        """Return how part p of item i moves in the world with carrier k."""
        found = self._motions.get((i, p, k))
        if found is None:
            item, carrier = self.items[i], self.carriers[i][k]
            part = item.parts[p]
            if carrier.robot is not None:
                program, name = carrier.robot.program, carrier.robot.robot.link_names[carrier.link]
                found = program.between(0, carrier.link, carrier.robot.X_WB, carrier.X_LO @ part.X_OP, name)
            else:
                assert carrier.motion is not None
                found = shifted(carrier.motion, part.X_OP, item.name)
            self._motions[i, p, k] = found
        return found

    def seen(self, a: tuple[int, int], b: tuple[int, int], t: float, *, hulls: bool = False) -> Seen:
        """Return two parts (item, part) as they see each other best around time t.

        Two links of one robot see only the joints between them. A mesh on a link sees a convex body that rests in the
        world from its own frame, because that is where meshes are searched; hulls do not need that.
        """
        (i, _), (j, _) = a, b
        ki, kj = self.carrier(i, t), self.carrier(j, t)
        key = a, b, ki, kj, hulls
        if key not in self._seen:
            self._seen[key] = self._made_seen(key)
        return self._seen[key]

    def _made_seen(self, key: tuple[tuple[int, int], tuple[int, int], int, int, bool]) -> Seen:
        a, b, ki, kj, hulls = key
        (i, p), (j, q) = a, b
        one, other = self.carriers[i][ki], self.carriers[j][kj]
        motion_a, motion_b = self.motion(i, p, ki), self.motion(j, q, kj)
        if hulls and (one.robot is None or one.robot is not other.robot):
            return Seen(motion_a, motion_b, None)
        X_one = one.X_LO @ self.items[i].parts[p].X_OP
        X_other = other.X_LO @ self.items[j].parts[q].X_OP
        if one.robot is not None and one.robot is other.robot:
            names = one.robot.robot.link_names
            name = f"{names[other.link]} seen from {names[one.link]}"
            way = one.robot.program.between(one.link, other.link, inverse(X_one), X_other, name)
            return Seen(AT_ORIGIN, way, motion_a)
        mesh_a, mesh_b = (outline_of(self.items[x].parts[y].body).is_mesh for x, y in (a, b))
        if one.robot is not None and mesh_a and not mesh_b and isinstance(motion_b, Fixed):
            return Seen(AT_ORIGIN, _from_link(one, X_one, motion_b), motion_a)
        if other.robot is not None and mesh_b and not mesh_a and isinstance(motion_a, Fixed):
            return Seen(_from_link(other, X_other, motion_a), AT_ORIGIN, motion_b)
        return Seen(motion_a, motion_b, None)

    def changes(self, i: int) -> list[float]:
        """Return when an item changes what carries it."""
        return [carrier.window[0] for carrier in self.carriers[i][1:]]

    def _attach(self, i: int, event: Attachment) -> None:
        """Let an object ride with a link from an instant on, and rest where that puts it afterwards."""
        last = self.carriers[i][-1]
        if event.t_from < last.window[0]:
            raise ArgumentError(
                f"object {event.name!r} is attached to {event.link!r} from {event.t_from:.6g} s on, before it is "
                f"let go at {last.window[0]:.6g} s; attach it to one thing at a time."
            )
        owner, _, name = event.link.partition("/")
        robot = self.robots.get(owner)
        if robot is None or name not in robot.robot.link_names:
            raise ArgumentError(
                f"object {event.name!r} can only be attached to a link of a robot, not {event.link!r}."
            )
        number = robot.robot.link_names.index(name)
        X_WO = _carried_to(last, event.t_from)
        link = robot.program.link(name, robot.X_WB)
        X_LO = _rigid(inverse(link.pose(event.t_from)) @ X_WO)
        self.carriers[i][-1] = last._replace(window=(last.window[0], event.t_from))
        self.carriers[i].append(Carrier((event.t_from, event.t_to), None, robot, number, X_LO))
        if event.t_to < math.inf:
            rest = Fixed(_rigid(link.pose(event.t_to) @ X_LO))
            self.carriers[i].append(Carrier((event.t_to, math.inf), rest))


def rests(motion: Motion, t0: float, t1: float) -> bool:
    """Tell whether a body stands still from t0 to t1."""
    return motion.rests(t0, t1)


def _own_carrier(item: Item) -> Carrier:
    always = (-math.inf, math.inf)
    if isinstance(item.owner, WorldObject):
        if item.owner.motion is None:
            raise ArgumentError(
                f"object {item.name!r} has no place in the world; give it one with world.move({item.name!r}, pose)."
            )
        return Carrier(always, item.owner.motion)
    return Carrier(always, None, item.owner, item.link)


def _carried_to(carrier: Carrier, t: float) -> FloatArray:
    """Return where an object is at time t."""
    if carrier.robot is None:
        assert carrier.motion is not None
        return np.asarray(carrier.motion.pose(t))
    link = carrier.robot.robot.link_names[carrier.link]
    return np.asarray(carrier.robot.program.link(link, carrier.robot.X_WB).pose(t) @ carrier.X_LO)


def _from_link(carrier: Carrier, X_LP: FloatArray, rest: Fixed) -> Motion:
    """Return how a body at rest moves in a frame that is fixed to a link."""
    assert carrier.robot is not None
    robot = carrier.robot
    name = f"world seen from {robot.robot.link_names[carrier.link]}"
    return robot.program.between(carrier.link, 0, inverse(X_LP), inverse(robot.X_WB) @ rest.X_W, name)


def _rigid(X: FloatArray) -> FloatArray:
    """Return a product of many rigid maps as one that passes for a pose."""
    u, _, vt = np.linalg.svd(X[:3, :3])
    out = X.copy()
    out[:3, :3] = u @ vt
    return out


def part_of(items: Sequence[Item], which: tuple[int, int]) -> Part:
    """Return a part by the numbers of its item and of itself."""
    return items[which[0]].parts[which[1]]
