"""The frame in which each item rests over all time, and when two items first move relative to each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, IntArray
from keepclear.motion.motion import MOTION_TABLE
from keepclear.scene.lag import stage_tolerance, tolerance_of
from keepclear.scene.rules import Rules, Window
from keepclear.scene.timeline import ParentFrame, Timeline

Frame = tuple[object, ...]
Run = tuple[float, Frame]
JointWindows = dict[tuple[int, int, float], list[Window]]
"""The times at which the joint above a link moves, by the id of the program, the link and the lag."""
IN_WORLD: Frame = ()


class Frames:
    """The frames in which the items of a timeline rest, at all times, not only in the interval of a check.

    Two items are at rest relative to each other while their frames are equal. Items that are not known to rest move.

    Args:
        timeline: All items.
        rules: The rules of the world.

    Attributes:
        nothing_moves: Whether no item ever moves in the world.
    """

    def __init__(self, timeline: Timeline, rules: Rules) -> None:
        n = range(len(timeline.items))
        known: JointWindows = {}
        self._planned = _Histories([_history(timeline, rules, i, known, is_exact=True) for i in n])
        self._early = self._planned
        self._lags: list[float] = []
        if rules.tolerances:
            self._early = _Histories([_history(timeline, rules, i, known, is_exact=False) for i in n])
            self._lags = [tolerance_of(timeline, rules, i).time for i in n]
        self._n = len(timeline.items)
        self.nothing_moves = self._planned.nothing_moves

    def first_move(self, i: int, j: int) -> float:
        """Return when two items first move relative to each other, by plan and early: infinite if never [s]."""
        planned = self._planned.first_move(i, j)
        return planned - max(self._lags[i], self._lags[j]) if self._lags else planned

    def may_move(self, i: int, j: int) -> float:
        """Return when two items may first move relative to each other because one may be early or late [s]."""
        return self._early.first_move(i, j)

    def unchecked_until(self, i: int, j: int) -> float:
        """Return the time until which contact of two items is listed and not checked [s]; minus infinity if never.

        A world in which nothing moves is checked at rest.
        """
        return -math.inf if self.nothing_moves else self.first_move(i, j)

    def unchecked_untils(self, i: IntArray, j: IntArray) -> FloatArray:
        """Return the same for many pairs, (n,)."""
        if self.nothing_moves:
            return np.full(len(i), -math.inf)
        if self._lags:
            return np.array([self.first_move(a, b) for a, b in zip(i.tolist(), j.tolist(), strict=True)])
        return self._planned.first_moves(i, j)

    @cached_property
    def classes(self) -> IntArray:
        """The class of each item, (n,): items of one class never move relative to each other, nor may they.

        A world in which nothing moves is checked at rest: there every item is a separate class.
        """
        return np.arange(self._n) if self.nothing_moves else self.groups

    @cached_property
    def groups(self) -> IntArray:
        """The same, (n,), but if nothing moves, all items are in one group."""
        both = np.stack([self._planned.number, self._early.number], axis=1)
        return np.unique(both, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)

    @cached_property
    def is_still(self) -> npt.NDArray[np.bool_]:
        """Which items rest in the world at all times, (n,)."""
        return np.asarray(self._planned.is_still & self._early.is_still)


class _Histories:
    """The runs of all items, with equal ones stored once."""

    def __init__(self, histories: Sequence[tuple[Run, ...]]) -> None:
        numbers: dict[tuple[Run, ...], int] = {}
        self._number = [numbers.setdefault(runs, len(numbers)) for runs in histories]
        self.number = np.array(self._number, np.int64)
        self._runs = list(numbers)
        self._first: dict[tuple[int, int], float] = {}
        rests = np.array([runs == ((-math.inf, IN_WORLD),) for runs in self._runs], dtype=bool)
        self.is_still = rests[self.number]
        self.nothing_moves = bool(rests.all())

    def first_move(self, i: int, j: int) -> float:
        return self._first_move(self._number[i], self._number[j])

    def _first_move(self, a: int, b: int) -> float:
        if a == b:
            return math.inf
        found = self._first.get((a, b))
        if found is None:
            found = self._first[a, b] = self._first[b, a] = _first_difference(self._runs[a], self._runs[b])
        return found

    def first_moves(self, i: IntArray, j: IntArray) -> FloatArray:
        """Return when pairs of items first move relative to each other, (n,); once for items that move alike."""
        n = len(self._runs)
        codes, inverse = np.unique(self.number[i] * n + self.number[j], return_inverse=True)
        found = [self._first_move(*divmod(code, n)) for code in codes.tolist()]
        return np.array(found)[inverse.reshape(-1)] if found else np.empty(0)


def _first_difference(a: Sequence[Run], b: Sequence[Run]) -> float:
    """Return the time from which two histories differ; infinite if they never do."""
    now: list[Frame] = [IN_WORLD, IN_WORLD]
    events = sorted([(t, 0, k) for k, (t, _) in enumerate(a)] + [(t, 1, k) for k, (t, _) in enumerate(b)])
    for number, (t, side, k) in enumerate(events):
        now[side] = (a, b)[side][k][1]
        is_last = number + 1 == len(events) or events[number + 1][0] > t
        if is_last and now[0] != now[1]:
            return t
    return math.inf


def _history(
    timeline: Timeline, rules: Rules, i: int, known: JointWindows, *, is_exact: bool
) -> tuple[Run, ...]:
    """Return the start times of the frames in which an item rests; neighbouring runs have different frames.

    An object that is grasped or released early or late moves relative to everything at that time, unless its parent
    frames rest. So does one that is grasped in a given pose. With `is_exact` nothing is early or late.
    """
    runs: list[Run] = []
    lag, before = 0.0, [(-math.inf, IN_WORLD)]
    for k, parent in enumerate(timeline.parent_frames[i]):
        tolerance = stage_tolerance(timeline, rules, i, parent)
        lag, last = 0.0 if is_exact else tolerance.time, lag
        t, wide = parent.window[0], max(lag, last)
        now = _runs_of(parent, (i, k), lag, known, moves_alike=tolerance == (0.0, 0.0))
        if k > 0 and wide > 0.0 and (_moves(before, t) or _moves(now, t)):
            _add(runs, t - wide, [(-math.inf, ("changes", i, k))])
            t += wide
        elif k > 0 and parent.is_given:  # it may jump, although all that it rests in rests
            _add(runs, t, [(-math.inf, ("changes", i, k))])
            t = math.nextafter(t, math.inf)
        _add(runs, t, now)
        before = now
    return tuple(runs)


def _add(runs: list[Run], start: float, more: Sequence[Run]) -> None:
    """Replace the runs from an instant on by other runs."""
    while runs and runs[-1][0] >= start:
        runs.pop()
    begun = [frame for t, frame in more if t <= start]
    for t, frame in [(start, begun[-1]), *(run for run in more if run[0] > start)]:
        if not runs or runs[-1][1] != frame:
            runs.append((t, frame))


def _moves(runs: Sequence[Run], t: float) -> bool:
    """Return whether something moves at an instant, or just before or after it."""
    return any(
        frame != IN_WORLD and start <= t and (k + 1 == len(runs) or runs[k + 1][0] >= t)
        for k, (start, frame) in enumerate(runs)
    )


def _runs_of(
    parent: ParentFrame, name: tuple[int, int], lag: float, known: JointWindows, *, moves_alike: bool
) -> list[Run]:
    """Return the start times of the frames in which a parent frame rests, beginning at minus infinity.

    Two bodies with path errors do not move alike. `known` has the times at which joints move; missing ones are added.
    """
    if parent.robot is not None:
        program = parent.robot.program
        joints = program.moving_joints(parent.link)
        new = tuple(j for j in joints if (id(program), j, lag) not in known)
        if new:  # links share the joints before them
            moves = program.moving_segments(new)
            known.update(
                {(id(program), j, lag): _moving(program.times, moves[:, k], lag) for k, j in enumerate(new)}
            )
        return _runs({j: known[id(program), j, lag] for j in joints}, (id(parent.robot),))
    found = MOTION_TABLE[parent.motion].moves(parent.motion)
    if found is None:
        return [(-math.inf, ("moves", *name))]
    return _runs({0: _moving(found.times, found.moving, lag)}, found.path if moves_alike else name)


def _moving(times: FloatArray, moves: npt.NDArray[np.bool_], lag: float) -> list[Window]:
    """Return the windows of motion from the segments that move, widened by the lag."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], moves, [False]])))
    found: list[Window] = []
    for start, end in zip(times[edges[::2]].tolist(), times[edges[1::2]].tolist(), strict=True):
        if found and start - lag <= found[-1][1]:
            found[-1] = found[-1][0], end + lag
        else:
            found.append((start - lag, end + lag))
    return found


def _runs(windows: dict[int, list[Window]], path: Frame) -> list[Run]:
    """Return runs from the windows in which joints move: the frame is the path and the joints that move."""
    events = sorted(
        (t, begins, joint)
        for joint, spans in windows.items()
        for span in spans
        for t, begins in zip(span, (True, False), strict=True)
    )
    runs: list[Run] = [(-math.inf, IN_WORLD)]
    moving: set[int] = set()
    for t, begins, joint in events:
        moving = moving | {joint} if begins else moving - {joint}
        frame = (path, *sorted(moving)) if moving else IN_WORLD
        if runs[-1][0] == t:
            runs.pop()
        runs.append((t, frame))
    return runs
