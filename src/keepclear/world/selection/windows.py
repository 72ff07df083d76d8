"""Windows of time into which a program is split; they depend only on its segments.

A long program is checked window by window: each window has its time steps, and the findings about a pair in one window
do not depend on other windows. A hash of the segment before a knot decides whether a window ends there, as in
content-defined chunking. So a changed, inserted or removed segment changes only the windows around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.tables.motion import joint_coefficients, knots_of, segment_rows
from keepclear.kernels.tables.pair import Pairs
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.motion import Motion
from keepclear.scene.items import WorldObject
from keepclear.scene.scene import Scene
from keepclear.scene.steps import Steps
from keepclear.world.selection.plan import PairTable, near_rows

IntArray = npt.NDArray[np.int64]
# Mean number of segments of a window. The greatest number is LONGEST times this; both are larger if a motion would have
# more than MOST windows. A motion with at most FEW segments is one window: splitting it costs more than it gains.
SEGMENTS, LONGEST, MOST, FEW = 64, 4, 64, 128
_PRIME, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class Windows:
    """The windows of a scene in an interval of time.

    Attributes:
        bounds: (n + 1,) where windows begin and end [s].
    """

    def __init__(self, scene: Scene, t0: float, t1: float) -> None:
        cuts = [cut for motion in _motions(scene) for cut in _cuts(*motion) if t0 < cut < t1]
        self.bounds = np.unique([t0, *cuts, t1]) if t0 < t1 else np.array([t0, t1])
        ends = list(pairwise(self.bounds.tolist()))
        self._steps = (
            [scene.steps(t0, t1)] if len(ends) == 1 else [Steps(scene.motions, *both) for both in ends]
        )

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def near_rows(
        self,
        table: PairTable,
        bodies: IntArray,
        beyond: float | None,
        which: npt.NDArray[np.bool_] | None = None,
    ) -> Pairs:
        """Return when boxes do not prove pairs of bodies clear, as `near.near_rows` does, for each window."""
        found = [near_rows(table, bodies, steps, beyond, which) for steps in self._steps]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def number_of(self, t1: FloatArray) -> IntArray:
        """Return the windows (n,) of rows that end at some times (n,): the first window that does not end earlier."""
        numbers = np.searchsorted(self.bounds[1:], t1, side="left")
        return np.minimum(numbers, len(self) - 1).astype(np.int64)


def _motions(scene: Scene) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the knots of each motion, and one row of numbers for each segment in its local time."""
    programs: dict[int, JointTrajectory] = {}
    motions: dict[int, Motion] = {}
    for item in scene.items:
        if not isinstance(item.owner, WorldObject):
            programs[id(item.owner.program)] = item.owner.program
        elif item.owner.motion is not None and item.owner.motion._is_packed:
            motions[id(item.owner.motion)] = item.owner.motion
    for program in programs.values():
        if len(program.times) > FEW + 1:
            rows = program.coefficients.reshape(len(program.times) - 1, -1)
            yield program.times, np.column_stack([np.diff(program.times), rows])
    for motion in motions.values():
        segments, knots = segment_rows(motion._packed), knots_of(motion._packed)
        n = len(segments)
        if n > FEW:
            joints = joint_coefficients(motion._packed).reshape(n, -1)
            yield knots, np.column_stack([segments.view(np.float64).reshape(n, -1), joints])


def _cuts(knots: FloatArray, rows: FloatArray) -> Iterable[float]:
    """Yield the knots at which a motion is split."""
    size, last = _size(len(rows)), 0
    ends = _hashes(rows) % np.uint64(size) == 0
    for k in range(1, len(rows)):
        if ends[k - 1] or k - last >= LONGEST * size:
            last = k
            yield float(knots[k])


def _size(n: int) -> int:
    """Return the mean number of segments of a window for n segments: a power of two, so that it rarely changes."""
    size = SEGMENTS
    while n > MOST * size:
        size *= 2
    return size


def _hashes(rows: FloatArray) -> npt.NDArray[np.uint64]:
    """Return a hash of the bits of each row of numbers."""
    words = np.ascontiguousarray(rows).view(np.uint64)
    found = np.full(len(words), words.shape[1], np.uint64)
    with np.errstate(over="ignore"):
        for column in words.T:
            found = (found ^ column) * _PRIME
            found ^= found >> _MIX
    return found
