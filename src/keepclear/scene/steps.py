"""Time steps of an interval, swept boxes of every body in each step, and the pairs of boxes that come near."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.broad_phase import swept, tree
from keepclear.kernels.tables.motion import knots_of
from keepclear.kernels.tables.pair import Pairs, new_pairs
from keepclear.kernels.tables.record import Rows
from keepclear.motion.custom import UnpackedMotion
from keepclear.motion.path_length import WORLD_FRAME

if TYPE_CHECKING:
    from keepclear.scene.scene import MotionTable

IntArray = npt.NDArray[np.int64]
# An interval has at least FEWEST time steps; a step is divided until no body travels farther in it than STEP, as long
# as there are at most MOST of them, and at most BOXES boxes. Knots are ends of steps while they are at most KNOTS.
FEWEST, MOST, KNOTS = 12, 400, 200
BOXES = 2_000_000
STEP = 0.06  # [m]
EVERYWHERE = np.array([-np.inf] * 3 + [np.inf] * 3)
# Time is divided if more pairs than a number per body, plus a constant, come near at some time.
PAIRS_EACH, PAIRS_BESIDES = 16, 4096


class Steps:
    """Time steps, and boxes around all bodies.

    Args:
        motions: How the bodies move.
        t0: Start of the interval [s].
        t1: Its end [s].

    Attributes:
        times: (steps + 1,) the ends of the time steps [s].
        column: (bodies,) the column of a body that moves in `boxes`, -1 for one that rests.
        boxes: (steps, moving, 6) lower and upper corners of bodies that move, in each step [m].
        still: (bodies, 6) the boxes of bodies at rest; for others those around the whole motion [m].
    """

    def __init__(self, motions: MotionTable, t0: float, t1: float) -> None:
        self.t0, self.t1, self._motions = t0, t1, motions
        n = motions.n_geoms
        active = (motions.starts <= t1) & (motions.ends > t0)
        rows, around = motions.rows[active], motions.around[active]
        starts, ends = motions.starts[active], motions.ends[active]
        moves, packed = np.ones(len(rows), np.bool_), motions.is_packed[active]
        moves[packed] = _moving(motions.Q, rows[packed], t0, t1)
        body = rows["body"]
        is_moving = np.bincount(body, minlength=n) > 1
        is_moving[body[moves]] = True
        self.column = np.where(is_moving, np.cumsum(is_moving) - 1, -1)
        self.moving = np.flatnonzero(is_moving)
        self.resting = np.flatnonzero(~is_moving)
        mine = is_moving[body]
        unpacked = [
            (motions.motions[k], motions.around[row], int(self.column[motions.rows["body"][row]]), row)
            for row in np.flatnonzero(active)[~packed].tolist()
            for k in [int(motions.number[row])]
        ]
        mine &= packed
        others = ~mine & packed
        rows, around, starts, ends = rows[mine], around[mine], starts[mine], ends[mine]
        rows["body"] = self.column[body[mine]]
        self.times = self._divided(_grid(motions, rows, t0, t1), rows, around, starts, ends)
        _put_steps(rows, starts, ends, self.times)
        self.boxes = np.empty((len(self.times) - 1, len(self.moving), 6))
        self.boxes[:] = EVERYWHERE  # bodies with unknown motions
        swept.swept_boxes(WORLD_FRAME, motions.Q, rows, around, self.times, self.boxes)
        for motion, body_around, column, row in unpacked:
            assert isinstance(motion, UnpackedMotion)
            begin, end = np.searchsorted(self.times[:-1], [motions.starts[row], motions.ends[row]])
            self.boxes[begin:end, column] = motion.swept_boxes(body_around, self.times[begin : end + 1])
        self.still = np.tile(EVERYWHERE, (n, 1))
        self._fill_still(active, others, t0)
        self.still[self.moving, :3] = self.boxes[:, :, :3].min(axis=0, initial=np.inf)
        self.still[self.moving, 3:] = self.boxes[:, :, 3:].max(axis=0, initial=-np.inf)

    def candidates(self, reach: FloatArray, keys: IntArray) -> IntArray:
        """Return pairs of bodies that may come within their reach, the smaller number first, sorted, (k, 2).

        Two bodies of different classes are a pair if their boxes, each grown by its reach, overlap in one of
        some spans of time. Bodies that rest throughout are compared once: they may have moved before.

        Args:
            reach: (bodies,) [m].
            keys: (bodies, 2) item and class of each body; see `tree.near_pairs`.
        """
        if not len(self.moving):
            return self.same_class(reach, keys, tree.DIFFERENT)
        resting = _Tree(_grown(self.still, reach), self.resting) if len(self.resting) else None
        found: list[IntArray] = []
        if resting is not None and len(np.unique(keys[self.resting, 1])) > 1:
            at_rest = resting.near(self.resting, keys, tree.DIFFERENT | tree.ONCE, None)
            assert at_rest is not None
            found.append(at_rest)
        spans = [(0, len(self.times) - 1)]
        while spans:
            begin, end = spans.pop()
            boxes = self.still.copy()
            boxes[self.moving, :3] = self.boxes[begin:end, :, :3].min(axis=0)
            boxes[self.moving, 3:] = self.boxes[begin:end, :, 3:].max(axis=0)
            boxes = _grown(boxes, reach)
            can_split = end - begin > 1
            most = PAIRS_EACH * len(boxes) + PAIRS_BESIDES if can_split else None
            some = _Tree(boxes, self.moving).near(self.moving, keys, tree.DIFFERENT | tree.ONCE, most)
            more = None
            if some is not None and resting is not None:
                more = resting.near_boxes(boxes, self.moving, keys, tree.DIFFERENT, most)
            if some is None or (resting is not None and more is None):
                middle = (begin + end) // 2
                spans += [(begin, middle), (middle, end)]
                continue
            found += [some] if more is None else [some, more]
        return _unique(np.concatenate(found), len(self.column))

    def same_class(self, reach: FloatArray, keys: IntArray, mode: int = tree.SAME) -> IntArray:
        """Return pairs of bodies that never move relative to each other and may be within reach at t0, (k, 2)."""
        boxes = self.still.copy()
        boxes[self.moving] = self.boxes[0]
        boxes = _grown(boxes, reach)
        everybody = np.arange(len(boxes))
        pairs = _Tree(boxes, everybody).near(everybody, keys, mode | tree.ONCE, None)
        assert pairs is not None
        return _unique(pairs, len(boxes))

    def near_rows(self, bodies: IntArray, limits: FloatArray) -> Pairs:
        """Return rows of PAIR for the runs of time steps in which boxes are near each other.

        Args:
            bodies: (k, 3) the number of a pair, and one body of each of its items.
            limits: (k,) how near [m].
        """
        pairs, nearest = np.ascontiguousarray(bodies[:, 1:]), np.empty(len(bodies))
        out = np.empty((4 * len(pairs) + 64, 4), np.int64)
        count = tree.near_runs(pairs, limits, self.still, self.column, self.boxes, out, nearest)
        if count > len(out):
            out = np.empty((count, 4), np.int64)
            tree.near_runs(pairs, limits, self.still, self.column, self.boxes, out, nearest)
        row, begin, end, best = out[:count].T
        rows, times = new_pairs(count), self.times
        rows["pair"], rows["geom_a"], rows["geom_b"] = bodies[row].T
        rows["t0"] = rows["now"] = rows["since"] = times[begin]
        rows["t1"], rows["hint"] = times[end], 0.5 * (times[best] + times[best + 1])
        return rows

    def step_at(self, t: float) -> int:
        """Return the time step of an instant: the later one at a boundary of two."""
        return int(np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2))

    def box_at(self, body: int, step: int) -> FloatArray:
        """Return the box of a body in a time step, (6,) [m]."""
        column = self.column[body]
        box: FloatArray = self.still[body] if column < 0 else self.boxes[step, column]
        return box

    def _fill_still(self, active: npt.NDArray[np.bool_], others: npt.NDArray[np.bool_], t0: float) -> None:
        """Fill the boxes of bodies that rest, each at one instant."""
        rows, around = self._motions.rows[active][others], self._motions.around[active][others]
        rows["first_step"], rows["end_step"] = 0, 1
        swept.swept_boxes(WORLD_FRAME, self._motions.Q, rows, around, np.array([t0, t0]), self.still[None])

    def _divided(
        self, times: FloatArray, rows: Rows, around: FloatArray, starts: FloatArray, ends: FloatArray
    ) -> FloatArray:
        """Return times with steps divided until no body travels far in one."""
        if times[0] == times[-1]:
            return times
        rows = rows.copy()
        _put_steps(rows, starts, ends, times)
        longest = np.zeros(len(times) - 1)
        swept.longest_paths(WORLD_FRAME, self._motions.Q, rows, around, times, longest)
        most = int(np.clip(BOXES // max(1, len(self.moving)), FEWEST, MOST))
        wanted = np.clip(np.ceil(np.nan_to_num(longest, posinf=1e9) / STEP), 1, most)
        if wanted.sum() > most:  # a power of two, so that a change in one step rarely changes the others
            share = 2.0 ** np.floor(np.log2(most / wanted.sum()))
            wanted = np.maximum(1, np.floor(wanted * share))
        counts = wanted.astype(np.int64)
        which = np.repeat(np.arange(len(counts)), counts)
        share = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[which]
        return np.unique(np.append(times[which] + share * np.diff(times)[which], times[-1]))


class _Tree:
    """A tree over the boxes of some bodies."""

    def __init__(self, boxes: FloatArray, members: IntArray) -> None:
        self._boxes, self._members = boxes, members
        mine = boxes[members]
        self._order = curve_order(mine)
        self._nodes = np.empty((n_nodes(len(mine)), 6))
        tree.fill_tree(mine, self._order, self._nodes)

    def near(self, queries: IntArray, keys: IntArray, mode: int, most: int | None) -> IntArray | None:
        """Return the pairs of members and queries whose boxes overlap; None if there are more than `most`."""
        return self.near_boxes(self._boxes, queries, keys, mode, most)

    def near_boxes(
        self, boxes: FloatArray, queries: IntArray, keys: IntArray, mode: int, most: int | None
    ) -> IntArray | None:
        """Return the same for bodies with other boxes than the tree was built with."""
        capacity = 4 * len(queries) + 64 if most is None else most
        while True:
            out = np.empty((capacity, 2), np.int64)
            stops = mode if most is None else mode | tree.STOP
            count = tree.near_pairs(self._nodes, self._order, self._members, boxes, queries, keys, stops, out)
            if count <= capacity:
                return out[:count]
            if most is not None:
                return None
            capacity = count


def curve_order(boxes: FloatArray) -> IntArray:
    """Return the order of boxes (n, 6) along a space-filling curve, for trees over them."""
    finite = boxes[np.isfinite(boxes).all(axis=1)]
    finite = 0.5 * (finite[:, :3] + finite[:, 3:])
    low = finite.min(axis=0) if len(finite) else np.zeros(3)
    size = np.ptp(finite, axis=0) if len(finite) else np.ones(3)
    codes = np.empty(len(boxes), np.int64)
    with np.errstate(divide="ignore", over="ignore"):
        scale = np.where(size > 0.0, 1048575.0 / size, 0.0)
    placed = np.where(np.isfinite(boxes), boxes, np.tile(low, 2))  # infinite boxes have no centre
    tree.morton_codes(placed, low, np.minimum(scale, 1e300), codes)
    return np.argsort(codes, kind="stable")


def n_nodes(n: int) -> int:
    """Return how many nodes a tree over n boxes has."""
    leaves = 1
    while leaves * tree.LEAF < n:
        leaves *= 2
    return 2 * leaves


def box_gap(a: FloatArray, b: FloatArray) -> float:
    """Return the distance of two boxes (6,) [m]."""
    gap = np.maximum(np.maximum(b[:3] - a[3:], a[:3] - b[3:]), 0.0)
    return float(np.sqrt(gap @ gap))


def _grown(boxes: FloatArray, reach: FloatArray) -> FloatArray:
    """Return boxes, each grown by a length."""
    return np.concatenate([boxes[:, :3] - reach[:, None], boxes[:, 3:] + reach[:, None]], axis=1)


def _unique(pairs: IntArray, n: int) -> IntArray:
    keys = np.unique(pairs[:, 0] * n + pairs[:, 1])
    return np.stack([keys // n, keys % n], axis=1)


def _moving(Q: FloatArray, rows: Rows, t0: float, t1: float) -> npt.NDArray[np.bool_]:
    """Return which motions move at any time from t0 to t1, (n,)."""
    moves = np.empty(len(rows), np.bool_)
    swept.moving(Q, rows, t0, t1, moves)
    return moves


def _put_steps(rows: Rows, starts: FloatArray, ends: FloatArray, times: FloatArray) -> None:
    """Write the time steps of each body's motions to the rows."""
    begins = times[:-1]
    rows["first_step"] = np.searchsorted(begins, starts)
    rows["end_step"] = np.searchsorted(begins, ends)


def _grid(motions: MotionTable, rows: Rows, t0: float, t1: float) -> FloatArray:
    """Return some times of an interval: its ends, where parent frames change, and knots if they are few."""
    if t0 == t1:
        return np.array([t0, t1])
    changes = np.concatenate([motions.starts, motions.ends])
    found = [np.linspace(t0, t1, FEWEST + 1), changes[(changes > t0) & (changes < t1)]]
    if len(rows):
        knots = np.concatenate([knots_of(motions.Q[first:]) for first in set(rows["first"].tolist())])
        knots = np.unique(knots[(knots > t0) & (knots < t1)])
        found += [knots] if len(knots) <= KNOTS else []
    times = np.unique(np.concatenate(found))
    return times[(times >= t0) & (times <= t1)]
