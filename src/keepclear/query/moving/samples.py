"""Distances and path lengths of many pairs of bodies at given instants, all pairs in one kernel call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.body import Geometry, is_on_boxes
from keepclear.geometry.bodies.bounds import ball_and_box
from keepclear.geometry.pose import checked_poses
from keepclear.kernels.advance import samples as kernels
from keepclear.kernels.convex import gjk
from keepclear.kernels.motion import state as layout
from keepclear.kernels.tables.sample import SAMPLED
from keepclear.kernels.trees import obb_distance, obb_pair
from keepclear.motion.motion import Motion
from keepclear.motion.path_length import STEP_ROUNDING
from keepclear.query.instant.distance import distance
from keepclear.query.instant.mesh_distance import PIECE, swap_rows
from keepclear.query.moving.moving_pair import BodyTable, check_for_stop

IntArray = npt.NDArray[np.int64]
Given = Sequence[FloatArray]
_distances: Callable[..., int] = kernels.distances
_UP = np.array([0.0, 0.0, 1.0])


class Sampled(NamedTuple):
    """Two bodies and their rigid motions; None: poses are given instead."""

    body_a: Geometry
    motion_a: Motion | None
    body_b: Geometry
    motion_b: Motion | None


class PairSamples:
    """Pairs of bodies whose distances and path lengths are asked at instants; no motion deforms its body."""

    def __init__(self, pairs: Sequence[Sampled]) -> None:
        self.pairs = pairs
        bodies = {id(body): body for pair in pairs for body in (pair.body_a, pair.body_b)}
        moving = [motion for pair in pairs for motion in (pair.motion_a, pair.motion_b)]
        motions = {id(m): m for m in moving if m is not None and m._is_packed}
        self._on_boxes = any(is_on_boxes(pair.body_a, pair.body_b) for pair in pairs)
        self._tables = BodyTable(() if self._on_boxes else list(bodies.values()), list(motions.values()))
        self._table = np.zeros(len(pairs), SAMPLED)
        body_rows, motion_rows = ({key: k for k, key in enumerate(some)} for some in (bodies, motions))
        for side, (body, motion) in {"a": (0, 1), "b": (2, 3)}.items():
            self._table[side] = [body_rows[id(pair[body])] for pair in pairs]
            self._table[f"motion_{side}"] = [motion_rows.get(id(pair[motion]), -1) for pair in pairs]

    def rows(self, times: Sequence[FloatArray], X_WA: Given = (), X_WB: Given = ()) -> list[FloatArray]:
        """Return the results of `gjk` at the instants of each pair, (n, ROW), without common points of meshes.

        Args:
            times: The instants of each pair, (n,) each; may be empty [s].
            X_WA: The poses of bodies without a motion, (n, 4, 4) each.
            X_WB: Likewise.
        """
        if self._on_boxes:
            return [self._alone(k, t, X_WA, X_WB) for k, t in enumerate(times)]
        table, all_times = self._at(times)
        n, ranges = len(all_times), [slice(*both) for both in table[["first", "end"]].tolist()]
        poses, rows = np.empty((2, n, 4, 4)), np.empty((n, gjk.ROW))
        for X, name, given in zip(poses, ("motion_a", "motion_b"), (X_WA, X_WB), strict=True):
            for k in np.flatnonzero(table[name] < 0).tolist():
                X[ranges[k]] = _poses(getattr(self.pairs[k], name), times[k], given, k)
        arrays = *self._tables.arrays(table), all_times, *poses, rows.reshape(-1)
        state, begin = np.zeros(8, np.int64), 0
        while begin < n:
            check_for_stop()
            state[obb_distance.LIMIT] = state[obb_pair.BOX_PAIRS] + PIECE
            begin = _distances(*arrays, state, begin)
            if begin < 0:
                for X, name in zip(poses, ("X_WA", "X_WB"), strict=True):
                    checked_poses(X[ranges[-1 - begin]], name, scaled=False)
                raise AssertionError("a kernel refused a pose that is rigid")
        has_tree = self._tables.bodies["n_nodes"] > 0
        for a, b, part in zip(has_tree[table["a"]], has_tree[table["b"]], ranges, strict=True):
            if (
                a and b
            ):  # exact arithmetic has proved surfaces apart even if their distance is below the rounding
                rows[part, gjk.DISTANCE] = np.maximum(rows[part, gjk.DISTANCE], rows[part, gjk.LOWER])
            elif b:
                swap_rows(rows[part])
        return [rows[part] for part in ranges]

    def path_lengths(self, times: Sequence[FloatArray], sizes: Sequence[float]) -> list[FloatArray]:
        """Return bounds of how far points of B move in the frame of A from each instant of a pair to its next [m].

        Args:
            times: The instants of each pair, (n,) each, none or at least two [s].
            sizes: What rounding is relative to, for each pair [m].
        """
        fine = []
        for pair, t in zip(self.pairs, times, strict=True):
            assert pair.motion_a is not None
            assert pair.motion_b is not None
            knots = np.concatenate([pair.motion_a.knots, pair.motion_b.knots])
            fine.append(np.union1d(t, knots[(knots > t[0]) & (knots < t[-1])]) if len(t) else t)
        table, all_times = self._at(fine)
        steps = np.zeros((len(all_times), 3))
        around = np.array([ball_and_box(pair.body_b) for pair in self.pairs])
        _, Q, motions, _ = self._tables.arrays(table)
        kernels.pair_path_lengths(Q, motions, table, around, all_times, _UP, steps.reshape(-1))
        found = []
        for (first, end), some, t, size in zip(
            table[["first", "end"]].tolist(), fine, times, sizes, strict=True
        ):
            lengths = steps[first : max(end - 1, first), 0] + STEP_ROUNDING * size
            sums = np.add.reduceat(lengths, np.searchsorted(some, t[:-1])) if len(t) else lengths
            found.append(np.asarray(sums * layout.ROUND_UP))
        return found

    def _at(self, times: Sequence[FloatArray]) -> tuple[Any, FloatArray]:
        """Return the table with the ranges of instants, and all instants."""
        table = self._table.copy()
        table["first"], table["end"] = _ranges(times)
        return table, np.concatenate(times)

    def _alone(self, k: int, t: FloatArray, X_WA: Given, X_WB: Given) -> FloatArray:
        """Return the rows of one pair by `distance`."""
        if not len(t):
            return np.empty((0, gjk.ROW))
        pair = self.pairs[k]
        poses = _poses(pair.motion_a, t, X_WA, k), _poses(pair.motion_b, t, X_WB, k)
        return distance(pair.body_a, poses[0], pair.body_b, poses[1])._rows


def _poses(motion: Motion | None, t: FloatArray, given: Given, k: int) -> FloatArray:
    """Return the poses of a motion at instants, or the given ones of pair k."""
    return given[k] if motion is None else motion.pose(t)


def _ranges(parts: Collection[Any]) -> tuple[IntArray, IntArray]:
    """Return where each of some arrays begins and ends when they follow each other."""
    sizes = np.array([len(part) for part in parts], np.int64)
    ends = np.cumsum(sizes)
    return ends - sizes, ends
