"""Bodies at rest, in motion, on links or carried for a while, and the true distances of their pairs over time."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from tests.oracles.contact_time import first_contact_truth, is_flat, least_distance
from tests.oracles.contact_time_distance import skeleton_intervals
from tests.oracles.contact_time_support import support_intervals
from tests.oracles.motion_poses import Move, fixed
from tests.oracles.robot_kinematics import between, chain, inverse, link_pose, rate
from tests.oracles.robot_paths import JointPath
from tests.oracles.robot_urdf import MOVING, Arm, Joint, Part, Wide

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Machine:
    """A robot that stands at a place and follows a path."""

    arm: Arm
    path: JointPath
    X_WB: Array = field(default_factory=lambda: np.eye(4))

    def rates(self, joints: Sequence[Joint], reach: float, t0: float, t1: float) -> float:
        """More than the speed of a point below these joints while t0 <= t <= t1, a time without waypoints inside."""
        middle = (t0 + t1) / 2
        if not self.path.times[0] < middle < self.path.times[-1]:
            return 0.0
        piece = int(np.searchsorted(self.path.times, middle)) - 1
        known = {j.name: self.path.most(piece, *self.weights(j)) for j in joints if j.kind in MOVING}
        values = {name: value for name, (value, _) in known.items()}
        return rate(joints, reach, {name: speed for name, (_, speed) in known.items()}, values)

    def weights(self, joint: Joint) -> tuple[Array, float]:
        """A joint's value as weights of the columns and an offset; mimics of mimics are followed."""
        if joint.source == joint.name:
            return np.array([float(name == joint.name) for name in self.arm.columns]), 0.0
        (source,) = (j for j in self.arm.joint_above.values() if j.name == joint.source)
        weights, offset = self.weights(source)
        return joint.multiplier * weights, joint.multiplier * offset + joint.offset


@dataclass(frozen=True, eq=False)
class Ride:
    """What a body hangs on: a free motion, or a link of a machine with a pose in its frame."""

    move: Move | None = None
    machine: Machine | None = None
    link: str = ""
    X_LO: Array = field(default_factory=lambda: np.eye(4, dtype=Wide))

    def at(self, t: Array) -> Array:
        """The poses (m, 4, 4) at times (m,), in extended precision."""
        if self.machine is None:
            assert self.move is not None
            return self.move.at(t)
        poses = link_pose(self.machine.arm, self.link, self.machine.path.at(t))
        return self.machine.X_WB.astype(Wide) @ poses @ self.X_LO

    @property
    def knots(self) -> Array:
        if self.machine is not None:
            return self.machine.path.times
        assert self.move is not None
        return self.move.knots if self.move.kind != "fixed" else np.zeros(0)

    def rate(self, reach: float, t0: float, t1: float) -> float:
        """More than the speed of a point in the world within an interval without knots inside [m/s]."""
        if self.machine is not None:
            lever = reach + float(np.sqrt(np.sum(self.X_LO[:3, 3] ** 2)))
            return self.machine.rates(chain(self.machine.arm, self.link), lever, t0, t1)
        assert self.move is not None
        knots, speeds = self.move.speeds(reach)
        piece = int(np.searchsorted(knots, (t0 + t1) / 2)) - 1
        return float(speeds[piece]) if 0 <= piece < len(speeds) else 0.0


@dataclass(frozen=True, eq=False)
class Item:
    """A named body of one or more parts and what carries it, each from a time on; the first from ever."""

    name: str
    parts: list[Part]
    rides: list[tuple[float, Ride]]

    def ride(self, t: float) -> Ride:
        return [ride for start, ride in self.rides if start <= t][-1]

    def at(self, t: Any) -> Array:
        t = np.atleast_1d(np.asarray(t, dtype=Wide))
        X = np.empty((len(t), 4, 4), dtype=Wide)
        starts = [start for start, _ in self.rides]
        which = np.searchsorted(starts, t, side="right") - 1
        for k in np.unique(which):
            X[which == k] = self.rides[k][1].at(t[which == k])
        return X

    @property
    def knots(self) -> Array:
        return np.concatenate([[start for start, _ in self.rides[1:]], *(r.knots for _, r in self.rides)])

    @cached_property
    def reach(self) -> float:
        """Greatest distance of a point from the item's origin [m]."""
        places = [float(np.sqrt(np.sum(part.X_LG[:3, 3] ** 2))) for part in self.parts]
        return max(place + part.thing.extent for place, part in zip(places, self.parts, strict=True))


def item_at_rest(name: str, parts: list[Part], X_W: Array) -> Item:
    return Item(name, parts, [(-np.inf, Ride(fixed(X_W)))])


def item_in_motion(name: str, parts: list[Part], move: Move) -> Item:
    return Item(name, parts, [(-np.inf, Ride(move))])


def item_on_link(name: str, machine: Machine, link: str) -> Item:
    return Item(name, machine.arm.links[link], [(-np.inf, Ride(None, machine, link))])


def attached(item: Item, machine: Machine, link: str, t_from: float, t_to: float | None) -> Item:
    """The item carried by a link from a time on, and left where it then is."""
    here = Ride(None, machine, link)
    X_LO = (inverse(here.at(np.array([t_from]))) @ item.at(t_from))[0]
    rides = [*item.rides, (t_from, replace(here, X_LO=X_LO))]
    if t_to is not None:
        place = rides[-1][1].at(np.array([t_to]))[0]
        rides.append((t_to, Ride(Move("fixed", np.zeros(1), place[None]))))
    return replace(item, rides=rides)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two items over an interval: what the searches of `contact_time` ask for."""

    a: Item
    b: Item
    t0: float
    t1: float

    @property
    def span(self) -> tuple[float, float]:
        return self.t0, self.t1

    def distances(self, t: Any) -> tuple[Array, Array]:
        """Lower and upper values (m,) of the distance at times (m,) [m], 0 in contact."""
        X_WA, X_WB = self.a.at(t), self.b.at(t)
        lower, upper = np.full(len(X_WA), np.inf), np.full(len(X_WA), np.inf)
        for p in self.a.parts:
            for q in self.b.parts:
                is_stretched = any(
                    part.thing.radius > 0 and ride.move is not None and ride.move.kind == "cubic"
                    for part, item in ((p, self.a), (q, self.b))
                    for _, ride in item.rides
                )
                round_ends = any(x.thing.kind == "cylinder" or is_flat(x.thing) for x in (p, q))
                bounds = support_intervals if is_stretched or round_ends else skeleton_intervals
                low, up = bounds(p.thing, X_WA @ p.X_LG, q.thing, X_WB @ q.X_LG)
                lower, upper = np.minimum(lower, low), np.minimum(upper, up)
        return lower, upper

    @cached_property
    def rates(self) -> tuple[Array, Array]:
        """Knots within the interval, and more than the speed at which the distance can change between them."""
        inner = np.concatenate([self.a.knots, self.b.knots])
        inner = inner[(inner > self.t0) & (inner < self.t1)]
        knots = np.unique(np.concatenate([[self.t0, self.t1], inner]))
        return knots, np.array([self.rate(start, end) for start, end in pairwise(knots)])

    def rate(self, start: float, end: float) -> float:
        """Links of one machine see only the joints between them."""
        middle = (start + end) / 2
        a, b = self.a.ride(middle), self.b.ride(middle)
        if a.machine is None or a.machine is not b.machine:
            return a.rate(self.a.reach, start, end) + b.rate(self.b.reach, start, end)
        total = 0.0
        for joints, ride, item in zip(
            between(a.machine.arm, a.link, b.link), (a, b), (self.a, self.b), strict=True
        ):
            lever = item.reach + float(np.sqrt(np.sum(ride.X_LO[:3, 3] ** 2)))
            total += a.machine.rates(joints, lever, start, end)
        return total

    @property
    def moves(self) -> bool:
        """Whether the items may move relative to each other."""
        return bool(np.any(self.rates[1] > 0))

    def within(self, t0: float, t1: float) -> "Pair":
        return replace(self, t0=t0, t1=t1)

    def first_contact(self, margin: float = 0.0, **options: Any) -> Any:
        return first_contact_truth(self, margin, **options)  # type: ignore[arg-type]

    def least(self, accuracy: float, **options: Any) -> tuple[float, float, float]:
        return least_distance(self, accuracy, **options)  # type: ignore[arg-type]

    def least_seen(self, samples: int = 60, halvings: int = 14) -> float:
        """An upper value of the minimum distance, found by samples, refined around the best of them [m]."""
        t = np.linspace(self.t0, self.t1, samples)
        width = t[1] - t[0]
        for k in range(halvings):
            d = self.distances(t)[1]
            best = np.sort(t[np.argsort(d)[: 1 if k > 3 else 6]])
            least = float(np.min(d))
            if least == 0.0:
                return 0.0
            width *= 0.4
            t = np.unique(np.clip(np.concatenate([best - width, best, best + width]), self.t0, self.t1))
        return least
