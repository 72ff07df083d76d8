"""Boxes around everything that a part passes during slots of time: pairs whose boxes stay apart need no closer look."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from keepclear.continuous.relative_way import WORLD_FRAME
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.path_length import ways
from keepclear.motions.motion import Motion
from keepclear.scene.timeline import Timeline, rests
from keepclear.shapes.arguments import FloatArray

# The interval has at least so many slots; a slot is divided until no part moves farther in it, if there is room.
FEWEST, MOST = 12, 400
STEP = 0.06  # [m]
# Pairs whose gaps are computed at once, times the number of slots.
AT_ONCE = 2_000_000
ROUNDING = 1e-9  # of the size of a scene: far more than poses, boxes and their sums are rounded by
_UP = np.array([0.0, 0.0, 1.0])


class Sweep:
    """The slots of an interval of time, and for each part the boxes (slots, 3) around what it passes in each of them.

    Args:
        timeline: All items.
        t0: Start of the interval [s].
        t1: Its end [s].

    Attributes:
        times: (slots + 1,) the ends of the slots; no knot of a motion, and no change of a carrier, is within one [s].
        parts: The parts (item, part).
        lower: (slots, parts, 3) [m].
        upper: (slots, parts, 3) [m].
    """

    def __init__(self, timeline: Timeline, t0: float, t1: float) -> None:
        self._timeline = timeline
        self.parts = [(i, p) for i, item in enumerate(timeline.items) for p in range(len(item.parts))]
        self.number = {part: k for k, part in enumerate(self.parts)}
        self.times = self._divided(_grid(timeline, t0, t1))
        n = len(self.times) - 1
        self.lower, self.upper = np.empty((n, len(self.parts), 3)), np.empty((n, len(self.parts), 3))
        for k, (i, p) in enumerate(self.parts):
            around = timeline.items[i].parts[p].around
            for carrier, begin, end in self._stays(i):
                lower, upper = _boxes(timeline.motion(i, p, carrier), around, self.times[begin : end + 1])
                self.lower[begin:end, k], self.upper[begin:end, k] = lower, upper

    def gaps(self, a: npt.NDArray[np.intp], b: npt.NDArray[np.intp]) -> FloatArray:
        """Return lower bounds of the distances of pairs of parts in each slot, (slots, pairs) [m]."""
        out = np.empty((len(self.lower), len(a)))
        step = max(1, AT_ONCE // max(1, len(self.lower)))
        for begin in range(0, len(a), step):
            i, j = a[begin : begin + step], b[begin : begin + step]
            gap = np.maximum(self.lower[:, j] - self.upper[:, i], self.lower[:, i] - self.upper[:, j])
            np.maximum(gap, 0.0, out=gap)
            out[:, begin : begin + step] = np.sqrt(np.einsum("spk,spk->sp", gap, gap))
        return out

    def _stays(self, i: int) -> list[tuple[int, int, int]]:
        """Return the carriers of an item with the slots that they cover."""
        n = len(self.times) - 1
        if len(self._timeline.carriers[i]) == 1:
            return [(0, 0, n)]
        at = np.array([self._timeline.carrier(i, t) for t in self.times[:-1]])
        cuts = [0, *(np.flatnonzero(np.diff(at)) + 1).tolist(), n]
        return [(int(at[b]), b, e) for b, e in itertools.pairwise(cuts)]

    def _divided(self, times: FloatArray) -> FloatArray:
        """Return times with slots divided until no part moves far in one."""
        if times[0] == times[-1]:
            return times
        farthest = np.zeros(len(times) - 1)
        self.times = times
        for i, item in enumerate(self._timeline.items):
            for carrier, begin, end in self._stays(i):
                for p, part in enumerate(item.parts):
                    motion = self._timeline.motion(i, p, carrier)
                    if not rests(motion, float(times[begin]), float(times[end])):
                        way = _ways(motion, part.around, times[begin : end + 1])[:, 0]
                        farthest[begin:end] = np.maximum(farthest[begin:end], way)
        wanted = np.clip(np.ceil(np.nan_to_num(farthest, posinf=1e9) / STEP), 1, MOST)
        if wanted.sum() > MOST:
            wanted = np.maximum(1, np.floor(wanted * (MOST / wanted.sum())))
        counts = wanted.astype(np.int64)
        which = np.repeat(np.arange(len(counts)), counts)
        share = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[which]
        return np.unique(np.append(times[which] + share * np.diff(times)[which], times[-1]))


def _grid(timeline: Timeline, t0: float, t1: float) -> FloatArray:
    """Return the knots of all motions and the changes of carriers within an interval, and some times between."""
    cuts = [np.linspace(t0, t1, FEWEST + 1)]
    seen: set[int] = set()
    for i, item in enumerate(timeline.items):
        cuts.append(np.array(timeline.changes(i)))
        for carrier in range(len(timeline.carriers[i])):
            for p in range(len(item.parts)):
                motion = timeline.motion(i, p, carrier)
                if id(motion) not in seen:
                    seen.add(id(motion))
                    cuts.append(np.asarray(motion.knots))
    if t0 == t1:
        return np.array([t0, t1])
    times = np.unique(np.concatenate(cuts))
    return times[(times >= t0) & (times <= t1)]


def _boxes(motion: Motion, around: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return boxes (slots, 3) around what a part passes in each slot."""
    Q = motion._packed
    middles = 0.5 * (times[:-1] + times[1:])
    still = rests(motion, float(times[0]), float(times[-1]))
    X = np.empty((1 if still else len(middles), 4, 4))
    layout.poses_at(Q, middles[:1] if still else middles, X)
    center = X[:, :3, :3] @ around[:3] + X[:, :3, 3]
    half = np.abs(X[:, :3, :3]) @ around[4:7]
    half = np.minimum(half, around[3] * Q[layout.LARGEST])
    if not still:
        # A point is at most half of the way in a slot from where it is in the middle of it.
        half = half + 0.5 * _ways(motion, around, times)[:, :1]
    half = half * (1.0 + ROUNDING) + ROUNDING * float(
        Q[layout.PLACE] + Q[layout.TERMS] * np.abs(around[:4]).sum()
    )
    return center - half, center + half


def _ways(motion: Motion, around: FloatArray, times: FloatArray) -> FloatArray:
    """Return for each slot a bound of the way of a part's points, and of their speed in its middle, (slots, 3)."""
    out = np.empty((len(times) - 1, 3))
    ways(WORLD_FRAME, motion._packed, around, times, _UP, out.reshape(-1))
    return out


def runs(near: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where a row of slots is near: first and past the last of each run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], near, [False]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
