"""Path errors of bodies: from being early or late, and lasting ones from grasping or releasing early or late."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Part
from keepclear.geometry.bodies.bounds import ball_and_box
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.motion.joints.chains import inverse
from keepclear.motion.motion import Motion
from keepclear.motion.path_length import WORLD_FRAME
from keepclear.scene.items import Item, WorldRobot
from keepclear.scene.rules import PathTolerance, Rules, Window
from keepclear.scene.timeline import ParentFrame, Timeline, rests

# Number of parts of a window, each with a constant margin, and smallest number of spans between the knots of a motion
# in which speeds are bounded.
PARTS, SPANS = 48, 192
SHORTEST = 1e-6  # part of the length of a span: shorter spans are joined with their neighbours
_UP = np.array([0.0, 0.0, 1.0])
_EXACT = PathTolerance(0.0, 0.0)


class Stage(NamedTuple):
    """The path error of an item while it has one parent frame.

    Attributes:
        window: Start and end of the time with that parent frame [s].
        kept: Its error from earlier grasping or releasing [m].
        distance: Its further error as a distance [m].
        lag: How early or late it may be [s].
        speeds: Bounds of the speed of each of its parts, until the lag before and after the window.
    """

    window: Window
    kept: float
    distance: float
    lag: float
    speeds: tuple[Speeds, ...]

    def late(self, t0: float, t1: float) -> float:
        """Return a bound of the error of a body from t0 to t1, from being early or late [m]."""
        return self.lag * max(speed.during(t0 - self.lag, t1 + self.lag) for speed in self.speeds)

    def late_in_window(self, t0: float, t1: float) -> float | None:
        """Return the same for a body that is in this stage only because it is early or late; None if it is not [m]."""
        start, end = max(t0 - self.lag, self.window[0]), min(t1 + self.lag, self.window[1])
        return self.lag * max(speed.during(start, end) for speed in self.speeds) if start < end else None


class PathErrors:
    """The path errors of the items of a world.

    A body that is early or late by at most a time d is within d times its largest speed of its planned position. An
    object that a robot holds moves with it. The instants of grasping and releasing are those of the world, so a robot
    that is late at that instant holds or leaves the object at another position: this error lasts.

    Args:
        timeline: All items.
        rules: The rules of the world.
    """

    def __init__(self, timeline: Timeline, rules: Rules) -> None:
        self._timeline, self._rules = timeline, rules
        self._stages: dict[int, list[Stage]] = {}

    def is_exact(self, i: int) -> bool:
        """Return whether an item has no path error by the rules."""
        return tolerance_of(self._timeline, self._rules, i) == _EXACT

    def most(self, i: int) -> float:
        """Return the largest error of an item at any time, except relative to items on the same robot [m]."""
        stages = self._all_stages(i)
        late = max(
            stage.lag * max(float(s.bounds.max(initial=0.0)) for s in stage.speeds) for stage in stages
        )
        return max(stage.kept for stage in stages) + max(stage.distance for stage in stages) + late

    def lag(self, i: int, j: int) -> float:
        """Return how early one of two items may be at any time [s]."""
        if not self._rules.tolerances:
            return 0.0
        return max(tolerance_of(self._timeline, self._rules, k).time for k in (i, j))

    def at(self, i: int, j: int, t: float) -> float:
        """Return the relative error of two items at a time at which they rest [m]."""
        if not self._rules.tolerances:
            return 0.0
        return sum(stage.kept + stage.distance for stage in (self._stage(i, t), self._stage(j, t)))

    def during(self, i: int, j: int, t0: float, t1: float) -> list[tuple[float, float, float]]:
        """Return parts of a window with one parent frame each, and the error of both items in each part [m]."""
        if self.lag(i, j) == 0.0:
            return [(t0, t1, self.at(i, j, t0))]
        lag = max(self._stage(i, t0).lag, self._stage(j, t0).lag)
        together = self._relative_speeds(i, j, t0, t1)
        found = []
        for begin, end in itertools.pairwise(self._cuts(i, j, t0, t1)):
            if together is not None and not self._changes(i, j, begin, end):
                fast = max(speed.during(begin - lag, end + lag) for speed in together)
                off = self.at(i, j, t0) + lag * fast
            else:
                off = self._off(i, begin, end) + self._off(j, begin, end)
            found.append((begin, end, off))
        return found

    def _cuts(self, i: int, j: int, t0: float, t1: float) -> list[float]:
        """Return the times that divide a window: equally spaced, and where speeds begin or cease to matter, if few."""
        if t0 == t1:
            return [t0, t1]
        line, lag = self._timeline, self.lag(i, j)
        motions = [line.motion(k, 0, c) for k in (i, j) for c in range(len(line.parent_frames[k]))]
        knots = np.unique(np.concatenate([np.asarray(motion.knots) for motion in motions]))
        edges = np.unique(np.concatenate([knots - lag, knots + lag]))
        edges = edges[(edges > t0) & (edges < t1)]
        times = np.linspace(t0, t1, PARTS + 1)
        return np.unique(np.concatenate([times, edges]) if len(edges) <= PARTS else times).tolist()  # type: ignore[no-any-return]

    def _off(self, i: int, t0: float, t1: float) -> float:
        """Return the error of an item in a window in which its parent frame does not change [m].

        A robot that is early or late may also grasp or release earlier or later.
        """
        stages, number = self._all_stages(i), self._timeline.parent_index(i, t0)
        now = stages[number]
        found = now.kept + now.distance + now.late(t0, t1)
        for k, stage in enumerate(stages):
            late = stage.late_in_window(t0, t1) if k != number else None
            if late is not None:
                found = max(found, min(stage.kept, now.kept) + stage.distance + late)
        return found

    def _changes(self, i: int, j: int, t0: float, t1: float) -> bool:
        """Return whether one of two items may change its parent frame in a window because it is early or late."""
        lag = self.lag(i, j)
        return any(
            t0 - lag <= t <= t1 + lag for t in (*self._timeline.changes(i), *self._timeline.changes(j))
        )

    def _relative_speeds(self, i: int, j: int, t0: float, t1: float) -> list[Speeds] | None:
        """Return bounds of the relative speeds of two items on one robot, which are late together."""
        line, lag = self._timeline, self.lag(i, j)
        one, other = (
            line.parent_frames[i][line.parent_index(i, t0)],
            line.parent_frames[j][line.parent_index(j, t0)],
        )
        if one.robot is None or one.robot is not other.robot:
            return None
        return [
            fastest(line.relative_motion((i, p), (j, q), t0).motion_b, part, t0 - lag, t1 + lag)
            for p in range(len(line.items[i].parts))
            for q, part in enumerate(line.items[j].parts)
        ]

    def _stage(self, i: int, t: float) -> Stage:
        return self._all_stages(i)[self._timeline.parent_index(i, t)]

    def _all_stages(self, i: int) -> list[Stage]:
        found = self._stages.get(i)
        if found is None:
            found = self._stages[i] = self._made(i)
        return found

    def _made(self, i: int) -> list[Stage]:
        """Return the stages of an item, one for each of its parent frames; an error at a change lasts."""
        stages: list[Stage] = []
        kept = 0.0
        for k, parent in enumerate(self._timeline.parent_frames[i]):
            held = held_tolerance(self._timeline, self._rules, i, parent)
            if k > 0:
                before, t = stages[-1], parent.window[0]
                last = self._timeline.parent_frames[i][k - 1]
                released = held_tolerance(self._timeline, self._rules, i, last)
                kept = before.kept + released.distance + before.late(t, t)
                kept += held.distance + self._grasp(i, k, held.time)
            distance, lag = stage_tolerance(self._timeline, self._rules, i, parent)
            start, end = parent.window[0] - lag, parent.window[1] + lag
            parts = enumerate(self._timeline.items[i].parts)
            speeds = tuple(fastest(self._timeline.motion(i, p, k), part, start, end) for p, part in parts)
            stages.append(Stage(parent.window, kept, distance, lag, speeds))
        return stages

    def _grasp(self, i: int, k: int, lag: float) -> float:
        """Return the error of a grasped object because the link that grasps it is early or late [m].

        The object rests then, and the link moves: the error depends on the speed of the object relative to the link.
        """
        parent = self._timeline.parent_frames[i][k]
        if parent.robot is None or lag == 0.0:
            return 0.0
        robot, t, found = parent.robot, parent.window[0], 0.0
        for p, part in enumerate(self._timeline.items[i].parts):
            X_WP = self._timeline.motion(i, p, k).pose(t)
            name = f"object relative to {_link_name(parent)}"
            relative = robot.program.between(parent.link, 0, np.eye(4), inverse(robot.X_WB) @ X_WP, name)
            found = max(found, lag * fastest(relative, part, t - lag, t + lag).during(t - lag, t + lag))
        return found


def held_tolerance(timeline: Timeline, rules: Rules, i: int, parent: ParentFrame) -> PathTolerance:
    """Return the path tolerance of the link that holds an object; none for links and objects themselves."""
    if parent.robot is None or timeline.items[i].owner is parent.robot:
        return _EXACT
    return _link_tolerance(rules, parent.robot, parent.link)


def stage_tolerance(timeline: Timeline, rules: Rules, i: int, parent: ParentFrame) -> PathTolerance:
    """Return the path tolerance of an item in a parent frame: its own, and that of the link that holds it."""
    if not rules.tolerances:
        return _EXACT
    own = _own_tolerance(rules, timeline.items[i])
    held = held_tolerance(timeline, rules, i, parent)
    return _largest([own, held])


def tolerance_of(timeline: Timeline, rules: Rules, i: int) -> PathTolerance:
    """Return the path tolerance of an item: its own, and that of any link that ever carries it."""
    if not rules.tolerances:
        return _EXACT
    parents = timeline.parent_frames[i]
    found = [_link_tolerance(rules, c.robot, c.link) for c in parents if c.robot is not None]
    return _largest([_own_tolerance(rules, timeline.items[i]), *found])


def _own_tolerance(rules: Rules, item: Item) -> PathTolerance:
    if isinstance(item.owner, WorldRobot):
        return _link_tolerance(rules, item.owner, item.link)
    return rules.path_tolerance(item.name)


def _link_tolerance(rules: Rules, robot: WorldRobot, link: int) -> PathTolerance:
    """Return the path tolerance of a link and of all links that move it: those fixed to it, and those before it."""
    tree = robot.robot.kinematics
    root = np.arange(len(tree.parent))  # of the links that each one is fixed to
    for k in range(1, len(root)):
        if tree.column[k] < 0:
            root[k] = root[tree.parent[k]]
    names = [f"{robot.name}/{name}" for name in robot.robot.link_names]
    found, above = [rules.path_tolerance(names[link])], {int(root[link])}
    while link >= 0:
        above.add(int(root[link]))
        link = int(tree.parent[link])
    found += [
        rules.tolerances[name]
        for k, name in enumerate(names)
        if name in rules.tolerances and root[k] in above
    ]
    return _largest(found)


def _largest(tolerances: Sequence[PathTolerance]) -> PathTolerance:
    return PathTolerance(max(f.distance for f in tolerances), max(f.time for f in tolerances))


def _link_name(parent: ParentFrame) -> str:
    assert parent.robot is not None
    return f"{parent.robot.name}/{parent.robot.robot.link_names[parent.link]}"


class Speeds(NamedTuple):
    """Bounds of the speed of a body in spans of time: the ends of the spans (n + 1,), and the bounds (n,)."""

    times: FloatArray
    bounds: FloatArray

    def during(self, t0: float, t1: float) -> float:
        """Return the largest speed from t0 to t1 [m/s]."""
        first = max(int(np.searchsorted(self.times, t0, side="right")) - 1, 0)
        last = int(np.searchsorted(self.times, t1, side="left"))
        return float(self.bounds[first:last].max(initial=0.0))


def fastest(motion: Motion, part: Part, t0: float, t1: float) -> Speeds:
    """Return bounds of the speed of a part's points from t0 to t1, at most a little too large."""
    t0, t1 = max(t0, motion.t_start), min(t1, motion.t_end)
    if t0 >= t1 or rests(motion, t0, t1):
        return Speeds(np.array([0.0, 0.0]), np.zeros(1))
    times = _spans(np.asarray(motion.knots), t0, t1)
    out = np.empty((len(times) - 1, 3))
    path_lengths(WORLD_FRAME, motion._packed, ball_and_box(part.body), times, _UP, out.reshape(-1))
    # The path length in a step of half length h is (2 v + h K) h, with v the speed in the middle, top speed v + h K.
    return Speeds(times, out[:, 0] / (0.5 * np.diff(times)) - out[:, 1])


def _spans(knots: FloatArray, t0: float, t1: float) -> FloatArray:
    """Return times that divide an interval, or a little more, with knots among them; none is close to a knot.

    In a span of a few float64 ticks, rounding exceeds the motion, and the bound of the speed would be useless.
    """
    # harmless (SHORTEST * (t1 - t0) / SPANS): bounds of speeds in shorter spans are larger
    tiny = SHORTEST * (t1 - t0) / SPANS
    first, last = float(knots[0]), float(knots[-1])
    near_start, near_end = (
        knots[(knots > t0) & (knots < t0 + tiny)],
        knots[(knots > t1 - tiny) & (knots < t1)],
    )
    t0 = max(float(near_start[0]) - tiny, first) if len(near_start) else t0
    t1 = min(float(near_end[-1]) + tiny, last) if len(near_end) else t1
    inner = knots[(knots > t0) & (knots < t1)]
    grid = np.linspace(t0, t1, SPANS + 1)
    if len(inner):
        after = (
            np.clip(np.searchsorted(inner, grid), 1, len(inner) - 1)
            if len(inner) > 1
            else np.zeros(SPANS + 1, int)
        )
        away = np.minimum(np.abs(inner[after] - grid), np.abs(inner[np.maximum(after - 1, 0)] - grid))
        away[[0, -1]] = np.inf
        grid = grid[away > tiny]
    return np.unique(np.concatenate([grid, inner]))
