"""The rules of a world: allowed pairs, selected pairs, margins and path tolerances."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from keepclear.checks import FloatArray
from keepclear.scene.items import WorldRobot

T = TypeVar("T")
Window = tuple[float, float]
ALWAYS: Window = (-math.inf, math.inf)


class Allowed(NamedTuple):
    """Two names whose bodies may touch during a window of time, and why."""

    a: str
    b: str
    window: Window
    reason: str


class PathTolerance(NamedTuple):
    """How far a body may be from its path [m], and how early or late on it [s]."""

    distance: float
    time: float


class Attachment(NamedTuple):
    """An object that moves with a link for a while, and then stays where it was released.

    `X_LA` is its pose relative to the link, (4, 4); None: the one that it has at `t_from`. A tool has such a pose, and
    is held from minus infinity on.
    """

    name: str
    link: str
    t_from: float
    t_to: float
    X_LA: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's rules for pairs. Names are those of objects, of robots (all their links), or robot/link.

    They never change: a world replaces them, and scenes and copies keep those that they were made with.

    `tools` has the robot of each object that is mounted on one of its links at all times: in margins and selections, a
    robot includes its tools, as if they were links. A permission is that of the robot's own links only.
    """

    allowed: list[Allowed] = field(default_factory=list)
    only: list[tuple[str, str | None]] | None = None
    pair_margins: list[tuple[str, str, float]] = field(default_factory=list)
    margins: dict[str, float] = field(default_factory=dict)
    tolerances: dict[str, PathTolerance] = field(default_factory=dict)
    attachments: list[Attachment] = field(default_factory=list)
    tools: dict[str, str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        mounted = (one for one in self.attachments if (one.t_from, one.t_to) == ALWAYS)
        object.__setattr__(self, "tools", {one.name: _robot_of(one.link) for one in mounted})

    def is_selected(self, a: str, b: str) -> bool:
        """Return whether a pair is among those that were selected, if any were."""
        if self.only is None:
            return True
        return any(
            (self._applies(x, a) or self._applies(x, b)) if y is None else self._match(x, y, a, b)
            for x, y in self.only
        )

    def windows(self, a: str, b: str) -> list[Allowed]:
        """Return when and why a pair may touch."""
        return [
            rule for rule in self.allowed
            if (_covers(rule.a, a) and _covers(rule.b, b)) or (_covers(rule.a, b) and _covers(rule.b, a))
        ]  # fmt: skip

    def margin(self, a: str, b: str) -> float:
        """Return the margin of two bodies, without their path tolerances [m].

        The last margin set for the pair counts, the most specific first; else the larger margin of both objects.
        """
        best: tuple[int, float] | None = None
        for x, y, margin in self.pair_margins:
            if self._match(x, y, a, b):
                exact = (x in (a, b)) + (y in (a, b))
                if best is None or exact >= best[0]:
                    best = exact, margin
        if best is not None:
            return best[1]
        return max(_said_of(self.margins, name, 0.0, self.tools.get(name)) for name in (a, b))

    def _applies(self, rule: str, name: str) -> bool:
        """Return whether a name is that of an item, of its robot, or of the robot whose tool it is."""
        return _covers(rule, name) or self.tools.get(name) == rule

    def _match(self, x: str, y: str, a: str, b: str) -> bool:
        """Return whether two names apply to a pair: in margins and selections, a robot includes its tools."""
        return (self._applies(x, a) and self._applies(y, b)) or (self._applies(x, b) and self._applies(y, a))

    def path_tolerance(self, name: str) -> PathTolerance:
        """Return how far a body may be from its path."""
        return _said_of(self.tolerances, name, PathTolerance(0.0, 0.0))

    def without(self, name: str) -> Rules:
        """Return the rules without those of a removed object."""
        return Rules(
            allowed=[r for r in self.allowed if not (_covers(name, r.a) or _covers(name, r.b))],
            only=None if self.only is None else [
                r for r in self.only
                if not (_covers(name, r[0]) or (r[1] is not None and _covers(name, r[1])))
            ],
            pair_margins=[r for r in self.pair_margins if not (_covers(name, r[0]) or _covers(name, r[1]))],
            margins={key: value for key, value in self.margins.items() if not _covers(name, key)},
            tolerances={key: value for key, value in self.tolerances.items() if not _covers(name, key)},
            attachments=[r for r in self.attachments if not (_covers(name, r.name) or _covers(name, r.link))],
        )  # fmt: skip


def allowed_links(robot: WorldRobot) -> dict[frozenset[str], tuple[str, str]]:
    """Return why pairs of links of a robot are not checked: reason and detail by the names of both."""
    return {frozenset((rule.a, rule.b)): (rule.reason, rule.detail) for rule in robot.robot.allowed_pairs}


def left_over(window: Window, taken: Iterable[Window]) -> list[Window]:
    """Return the rest of a window of time without others, in order; ends of removed windows are excluded."""
    start, end = window
    left, now = [], start
    for begin, stop in sorted(taken):
        if stop < now or begin > end:
            continue
        before = math.nextafter(begin, -math.inf)
        if begin > now and before >= now:
            left.append((now, before))
        now = max(now, math.nextafter(stop, math.inf) if stop < math.inf else math.inf)
        if now > end:
            return left
    left.append((now, end))
    return left


def _said_of(values: Mapping[str, T], name: str, default: T, robot: str | None = None) -> T:
    """Return the value for an item, or else for its robot."""
    return values.get(name, values.get(robot or _robot_of(name), default))


def _robot_of(link: str) -> str:
    return link.partition("/")[0]


def _covers(rule: str, name: str) -> bool:
    """Return whether a name in a rule is that of an item or of its robot."""
    return rule in (name, _robot_of(name))
