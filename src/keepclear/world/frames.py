"""What each item rests in over all time, and when two items first move relative to each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from keepclear.motions.fixed import Fixed
from keepclear.motions.trajectory import PoseTrajectory
from keepclear.shapes.arguments import FloatArray
from keepclear.world.lag import stage_tolerance
from keepclear.world.rules import PathTolerance, Rules, Window
from keepclear.world.timeline import Carrier, Timeline

Frame = tuple[object, ...]
Run = tuple[float, Frame]
IN_WORLD: Frame = ()
CUBIC_SAMPLES = 3  # a segment of a "cubic" trajectory ends at every third sample


class Frames:
    """The frames in which the items of a timeline rest, at all times: not only in the interval that is asked for.

    Two items are at rest relative to each other while their frames are equal. Whatever is not known to rest moves; so
    does whatever may move for being early or late.

    Args:
        timeline: All items.
        rules: What was said about them.

    Attributes:
        nothing_moves: Whether no item ever moves in the world.
    """

    def __init__(self, timeline: Timeline, rules: Rules) -> None:
        numbers: dict[tuple[Run, ...], int] = {}
        self._history = [
            numbers.setdefault(_history(timeline, rules, i), len(numbers)) for i in range(len(timeline.items))
        ]
        self._runs = list(numbers)
        self._first: dict[tuple[int, int], float] = {}
        self.nothing_moves = all(runs == ((-math.inf, IN_WORLD),) for runs in self._runs)

    def first_move(self, i: int, j: int) -> float:
        """Return when two items first move relative to each other: infinite if they never do [s]."""
        a, b = self._history[i], self._history[j]
        if a == b:
            return math.inf
        found = self._first.get((a, b))
        if found is None:
            found = self._first[a, b] = self._first[b, a] = _first_difference(self._runs[a], self._runs[b])
        return found

    def unchecked_until(self, i: int, j: int) -> float:
        """Return until when contact of two items is listed and not checked: minus infinity if it never is [s].

        A world in which nothing moves is checked as it stands.
        """
        return -math.inf if self.nothing_moves else self.first_move(i, j)


def _first_difference(a: Sequence[Run], b: Sequence[Run]) -> float:
    """Return from when on two histories differ, infinite if they never do."""
    now: list[Frame] = [IN_WORLD, IN_WORLD]
    events = sorted([(t, 0, k) for k, (t, _) in enumerate(a)] + [(t, 1, k) for k, (t, _) in enumerate(b)])
    for number, (t, side, k) in enumerate(events):
        now[side] = (a, b)[side][k][1]
        is_last = number + 1 == len(events) or events[number + 1][0] > t
        if is_last and now[0] != now[1]:
            return t
    return math.inf


def _history(timeline: Timeline, rules: Rules, i: int) -> tuple[Run, ...]:
    """Return from when on an item rests in which frame; neighbouring runs have different frames.

    An object may be grasped early and released late.
    """
    runs: list[Run] = []
    late = 0.0
    for k, carrier in enumerate(timeline.carriers[i]):
        tolerance = stage_tolerance(timeline, rules, i, carrier)
        start, end = carrier.window
        start = start - tolerance.time if carrier.robot is not None else start + late
        late = tolerance.time
        inside = [run for run in _runs_of(carrier, (i, k), tolerance) if run[0] < end + late]
        before = [run for run in inside if run[0] <= start]
        for t, frame in [(start, before[-1][1]), *inside[len(before) :]]:
            while runs and runs[-1][0] >= t:
                runs.pop()
            if not runs or runs[-1][1] != frame:
                runs.append((t, frame))
    return tuple(runs)


def _runs_of(carrier: Carrier, name: tuple[int, int], tolerance: PathTolerance) -> list[Run]:
    """Return from when on a carrier rests in which frame, from minus infinity on."""
    if carrier.robot is not None:
        joints = carrier.robot.program.moving_joints(carrier.link)
        moves = carrier.robot.program.moving_segments(joints)
        times = carrier.robot.program.times
        windows = {j: _moving(times, moves[:, k], tolerance.time) for k, j in enumerate(joints)}
        return _runs(windows, (id(carrier.robot),))
    motion = carrier.motion
    if isinstance(motion, Fixed):
        return [(-math.inf, IN_WORLD)]
    if isinstance(motion, PoseTrajectory):
        times, moves = motion.times, (motion.X_W[1:] != motion.X_W[:-1]).any(axis=(1, 2))
        if motion.interpolation == "cubic":
            times, moves = times[::CUBIC_SAMPLES], moves.reshape(-1, CUBIC_SAMPLES).any(axis=1)
        # Two bodies that may be off their paths do not move alike.
        path = _path(motion) if tolerance == (0.0, 0.0) else name
        return _runs({0: _moving(times, moves, tolerance.time)}, path)
    return [(-math.inf, ("moves", *name))]  # a kind that is not known here may move at any time


def _moving(times: FloatArray, moves: npt.NDArray[np.bool_], lag: float) -> list[Window]:
    """Return when something moves that moves in some segments, and may be early or late."""
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


def _path(motion: PoseTrajectory) -> Frame:
    """Return a key that is equal for bodies that keep their relative pose while they move.

    These have one trajectory; or none of them turns, and they are displaced by the same vectors at the same times.
    """
    X_W = motion.X_W
    if motion.interpolation != "cubic" and (X_W[0, :3, :3] == X_W[:, :3, :3]).all():
        return "straight", motion.times.tobytes(), (X_W[:, :3, 3] - X_W[0, :3, 3] + 0.0).tobytes()
    return motion.interpolation, motion.times.tobytes(), X_W.tobytes()
