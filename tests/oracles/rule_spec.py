"""The content of a small world of rules, and the positions of its bodies: all translate, in exact fractions."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from tests.oracles.rule_paths import (
    Path,
    Solid,
    Vector,
    carried,
    combined,
    pair_solid,
    resting,
    signed_distance,
    vector,
)
from tests.oracles.rule_times import EVER, Times, union


@dataclass(frozen=True)
class Link:
    """A link on a prismatic joint along an axis (0, 1, 2), or fixed to its parent (None); maybe without a body."""

    name: str
    parent: str
    axis: int | None
    offset: Vector
    solid: Solid | None


@dataclass(frozen=True)
class Machine:
    """A robot: links with parents before children, and a program of its joints in the order of its links."""

    links: tuple[Link, ...]
    base: Vector
    times: tuple[Fraction, ...]
    q: tuple[tuple[Fraction, ...], ...]

    @property
    def joints(self) -> list[Link]:
        return [link for link in self.links if link.axis is not None]

    def above(self, link: Link) -> Link | None:
        return next((other for other in self.links if other.name == link.parent), None)

    def path(self, link: Link) -> Path:
        """Where a link is in the world."""
        parent = self.above(link)
        below = [self.path(parent) if parent else resting(self.base), resting(link.offset)]
        if link.axis is not None:
            column = self.joints.index(link)
            steps = [vector(row[column] if k == link.axis else 0 for k in range(3)) for row in self.q]
            below.append(Path(self.times, tuple(steps)))
        return combined(below)

    def may_touch(self, a: Link, b: Link) -> bool:
        """Neighbours, and links that touch with all joints at 0, as the page about robots says."""
        if self.neighbour(a) is b or self.neighbour(b) is a:
            return True
        return self.zero_distance(a, b) <= 0

    def neighbour(self, link: Link) -> Link | None:
        """The nearest link above that has a body."""
        parent = self.above(link)
        while parent is not None and parent.solid is None:
            parent = self.above(parent)
        return parent

    def zero_distance(self, a: Link, b: Link) -> Fraction:
        still = Machine(self.links, self.base, (Fraction(0),), (tuple(Fraction(0) for _ in self.joints),))
        assert a.solid
        assert b.solid
        between = combined([still.path(a), still.path(b)], -1)
        return signed_distance(pair_solid(a.solid, b.solid), between.positions[0])


@lru_cache(maxsize=64)
def machine_path(machine: Machine, link: Link) -> Path:
    """Where a link is in the world; kept, since it is asked for often."""
    return machine.path(link)


@dataclass(frozen=True)
class Thing:
    """An object with its own path."""

    solid: Solid
    path: Path


@dataclass(frozen=True)
class Attachment:
    """An object rides with a link from an instant until another, or for good."""

    thing: str
    robot: str
    link: str
    t_from: Fraction
    t_to: Fraction | None

    @property
    def end(self) -> Fraction:
        return EVER if self.t_to is None else self.t_to


@dataclass(frozen=True)
class Window:
    """Two names that may touch, from and until (None: no end)."""

    a: str
    b: str
    t_from: Fraction | None = None
    t_to: Fraction | None = None


@dataclass(frozen=True)
class Looseness:
    """A path tolerance: how far from its path [m], how early or late on it [s]."""

    distance: Fraction = Fraction(0)
    time: Fraction = Fraction(0)


@dataclass(frozen=True)
class Body:
    """An object or a link with a body, its path, and whose program moves it (itself, if it is an object)."""

    name: str
    owner: str
    solid: Solid
    path: Path
    link: Link | None = None


@dataclass
class Spec:
    """A world, its rules and what is asked about it."""

    things: dict[str, Thing] = field(default_factory=dict)
    machines: dict[str, Machine] = field(default_factory=dict)
    attachments: list[Attachment] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    margins: list[tuple[str, str | None, Fraction]] = field(default_factory=list)
    loose: dict[str, Looseness] = field(default_factory=dict)
    only: list[str | tuple[str, str]] = field(default_factory=list)
    t0: Fraction | None = None
    t1: Fraction | None = None
    tolerance: Fraction = Fraction(1e-3)

    def link_path(self, robot: str, link: str) -> Path:
        machine = self.machines[robot]
        return machine_path(machine, next(one for one in machine.links if one.name == link))

    def held(self, name: str) -> list[Attachment]:
        """The attachments of an object in the order of time."""
        return sorted((one for one in self.attachments if one.thing == name), key=lambda one: one.t_from)

    def thing_path(self, name: str) -> Path:
        path = self.things[name].path
        for one in self.held(name):
            path = carried(path, self.link_path(one.robot, one.link), one.t_from, one.t_to)
        return path

    def bodies(self) -> list[Body]:
        """Everything that can touch."""
        found = [Body(name, name, thing.solid, self.thing_path(name)) for name, thing in self.things.items()]
        for robot, machine in self.machines.items():
            for link in machine.links:
                if link.solid is not None:
                    found.append(
                        Body(f"{robot}/{link.name}", robot, link.solid, machine_path(machine, link), link)
                    )
        return found

    @property
    def span(self) -> tuple[Fraction, Fraction]:
        """When the first motion begins and the last one ends; attachments lie within in all worlds made here."""
        spans = [thing.path.span for thing in self.things.values() if len(thing.path.times) > 1]
        spans += [(machine.times[0], machine.times[-1]) for machine in self.machines.values()]
        return min(start for start, _ in spans), max(end for _, end in spans)

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        start, end = self.span
        return start if self.t0 is None else self.t0, end if self.t1 is None else self.t1

    def allowed_times(self, a: Body, b: Body) -> Times:
        """When a pair may touch by windows; windows are closed."""
        return union(
            (-EVER if one.t_from is None else one.t_from, EVER if one.t_to is None else one.t_to)
            for one in self.windows
            if both_named(one.a, one.b, a, b)
        )

    def margin(self, a: Body, b: Body) -> Fraction:
        """That of the pair before those of objects, of which the larger one counts."""
        of_pair = [m for x, y, m in self.margins if y is not None and both_named(x, y, a, b)]
        assert len(of_pair) <= 1, "the pages do not say which of two margins of a pair counts"
        of_one = [m for x, y, m in self.margins if y is None and (names(x, a) or names(x, b))]
        return of_pair[0] if of_pair else max(of_one, default=Fraction(0))

    def is_selected(self, a: Body, b: Body) -> bool:
        """Whether `only` keeps a pair in the check."""
        return not self.only or any(
            names(one, a) or names(one, b) if isinstance(one, str) else both_named(*one, a, b)
            for one in self.only
        )

    def is_robot_pair(self, a: Body, b: Body) -> bool:
        """Whether two links of one robot may touch."""
        if a.link is None or b.link is None or a.owner != b.owner:
            return False
        return self.machines[a.owner].may_touch(a.link, b.link)


def names(name: str, body: Body) -> bool:
    """Whether a name is that of a body, or of its robot."""
    return name in (body.name, body.owner)


def both_named(x: str, y: str, a: Body, b: Body) -> bool:
    return (names(x, a) and names(y, b)) or (names(y, a) and names(x, b))
