"""The distance of two moving bodies at an instant, with bounds that hold for the motions themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.errors import TrajectoryError
from keepclear.geometry.bodies.body import has_triangles
from keepclear.geometry.bodies.bounds import corners_of, shape_of
from keepclear.kernels.convex import gjk
from keepclear.kernels.motion import state
from keepclear.kernels.tables.motion import motion_numbers
from keepclear.motion.custom import pose_rounding
from keepclear.motion.motion import Motion, head_of
from keepclear.query.moving.contact_geometry import features_of
from keepclear.query.moving.deformed import Placed, deformed_distance, nearest_rotation
from keepclear.query.moving.moving_pair import check_for_stop
from keepclear.query.moving.overlap import surely_meet
from keepclear.query.moving.question import Query
from keepclear.query.moving.results import FirstContact
from keepclear.query.track.tracker import Tracker
from keepclear.results import Distance, Verdict

FloatArray = npt.NDArray[np.float64]

# Difference of the bounds at one instant, as a part of the tolerance, where it matters.
GAP = 0.25


class BudgetEnded(Exception):  # noqa: N818, it is no error
    """The budget of distances is used up."""


class Evaluation(NamedTuple):
    """The distance at one instant.

    Attributes:
        t: The instant [s].
        lower: The distance is at least this [m], and never less than 0.
        upper: It is at most this [m]; negative where bodies overlap by a known depth.
        contact: Whether the distance is proved to be at most the margin.
        answer: Closest points.
        a: Body A as it was compared.
        b: Body B.
    """

    t: float
    lower: float
    upper: float
    contact: bool
    answer: Distance
    a: Placed
    b: Placed


class Evaluator:
    """Computes distances at instants, each search starting from the last, and counts them.

    Evaluated poses differ from the true ones by some rounding, and cubic ones from rigid ones by a deviation. Bounds
    allow for both. Where the deviation would hide what the tolerance asks for, the bodies are compared as they are
    deformed.
    """

    def __init__(self, query: Query) -> None:
        self._query = query
        self._tracker = Tracker(query.body_a, query.body_b)
        self._is_packed = query.is_packed
        self._rigid = not head_of(query.motion_a).affine, not head_of(query.motion_b).affine
        self._all_rigid = self._rigid == (True, True)
        self._meshes = has_triangles(query.body_a) or has_triangles(query.body_b)
        self._rounding = state.POSE_ROUNDING * query.size
        self.count = 0
        if not self._all_rigid:
            _check_curved(query, self._rigid)

    def at(self, t: float) -> Evaluation:
        """Return the distance at an instant.

        Raises:
            BudgetEnded: One more would exceed the budget.
        """
        query = self._query
        if query.budget is not None and self.count >= query.budget:
            raise BudgetEnded
        check_for_stop()
        self.count += 1
        X_WA, X_WB = self.poses(t)
        if self._all_rigid:
            return self._rigid_evaluation(t, self._tracker.distance(X_WA, X_WB), X_WA, X_WB)
        lower, upper, answer, a, b = self._not_rigid(X_WA, X_WB)
        return self._evaluation(t, lower, upper, answer, a, b)

    def nearest(self, times: FloatArray) -> Evaluation:
        """Return the closest of some instants, up to the first overlap.

        If the budget allows fewer instants, and it must allow one, the others are skipped.
        """
        query = self._query
        if query.budget is not None:
            times = times[: query.budget - self.count]
        if self._meshes or not self._all_rigid:
            samples = []
            for t in times.tolist():
                samples.append(self.at(t))
                # harmless (<=): it selects the instants that are compared; each has its bounds
                if samples[-1].upper <= 0.0:
                    break
            return min(samples, key=lambda sample: sample.upper)
        check_for_stop()
        X_WA, X_WB = self._all_poses(times)
        rows = self._tracker._rows_of(X_WA, X_WB, len(times), (False, False))
        # harmless (self._rounding): it selects one of the instants, whose bounds are computed below
        upper = [u + self._rounding for u in rows[:, gjk.UPPER].tolist()]
        n = next((k + 1 for k, u in enumerate(upper) if u <= 0.0), len(upper))
        self.count += n
        k = upper.index(min(upper[:n]))
        return self._rigid_evaluation(float(times[k]), Distance(rows[k]), X_WA[k], X_WB[k])

    def _rigid_evaluation(self, t: float, answer: Distance, X_WA: FloatArray, X_WB: FloatArray) -> Evaluation:
        query = self._query
        a, b = Placed(query.body_a, X_WA), Placed(query.body_b, X_WB)
        return self._evaluation(t, answer.lower, answer.upper, answer, a, b)

    def _evaluation(
        self, t: float, lower: float, upper: float, answer: Distance, a: Placed, b: Placed
    ) -> Evaluation:
        """Return the bounds at an instant, given bounds of the distance at rounded poses."""
        query, rounding = self._query, self._rounding
        lower, upper = max(lower - rounding, 0.0), upper + rounding
        # harmless (query.margin): then less is contact for certain
        contact = upper <= query.margin or (
            self._meshes
            # harmless (rounding): then less is contact for certain
            # harmless (query.margin): meshes that surely meet are in contact whatever the margin is
            and query.margin <= rounding
            and answer.colliding
            and surely_meet(a, b, answer, rounding)
        )
        return Evaluation(t, lower, upper, contact, answer, a, b)

    def poses(self, t: float) -> tuple[FloatArray, FloatArray]:
        """Return the poses of both bodies at an instant, (4, 4) each; for cubics the matrices, which are not rigid."""
        X_WA, X_WB = self._all_poses(np.array([t]))
        return X_WA[0], X_WB[0]

    def _all_poses(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the poses of both bodies at n instants, (n, 4, 4) each."""
        query = self._query
        X_WA, X_WB = query.motion_a._poses_at(times), query.motion_b._poses_at(times)
        if not self._is_packed:
            self._rounding = _rounding(query.motion_a, X_WA, query.extents[0]) + _rounding(
                query.motion_b, X_WB, query.extents[1]
            )
        return X_WA, X_WB

    def _not_rigid(self, M_WA: FloatArray, M_WB: FloatArray) -> tuple[float, float, Distance, Placed, Placed]:
        """Compare the bodies at the nearest rigid poses, or deformed where that matters."""
        query = self._query
        deviation, poses = 0.0, [M_WA, M_WB]
        for k in (0, 1):
            if not self._rigid[k]:
                poses[k], stretch, _, _ = nearest_rotation(poses[k])
                deviation += stretch * query.extents[k]
        answer = self._tracker.distance(*poses)
        lower, upper = answer.lower - deviation, answer.upper + deviation
        # harmless (4.0 * deviation): it selects one of two bounds that both hold
        # harmless (query.margin): it selects one of two bounds that both hold
        gap, far = GAP * query.tolerance, query.margin + query.tolerance + 4.0 * deviation
        if 2.0 * deviation <= gap or lower > far:
            return lower, upper, answer, Placed(query.body_a, poses[0]), Placed(query.body_b, poses[1])
        bounds = deformed_distance(query.body_a, M_WA, query.body_b, M_WB, self._rigid, gap)
        # harmless (min): a larger upper bound
        return max(lower, bounds.lower), min(upper, bounds.upper), bounds.answer, bounds.a, bounds.b

    def colliding(
        self, witness: Evaluation, t_lo: float, t_hi: float, method: str, counts: Mapping[str, int]
    ) -> FirstContact:
        """Return the result for a contact with its witness."""
        query, answer = self._query, witness.answer
        X_WA, X_WB = self.poses(witness.t)
        return FirstContact(
            verdict=Verdict.COLLIDING,
            time=witness.t,
            t_lo=t_lo,
            t_hi=t_hi,
            X_WA=_read_only(X_WA),
            X_WB=_read_only(X_WB),
            p_W=_read_only(0.5 * (answer.p_WA + answer.p_WB)),
            normal_W=_read_only(_known(np.array(answer.normal_W))),
            distance=witness.upper,
            features=features_of(query.body_a, X_WA, query.body_b, X_WB, answer),
            evaluations=self.count,
            method=method,
            safe=method != "sampling",
            counts=counts,
            **query.facts(),
        )

    def undisturbed(
        self, verdict: Verdict, t_lo: float, t_hi: float, method: str, counts: Mapping[str, int]
    ) -> FirstContact:
        """Return the result without a contact: CLEAR or UNDECIDED."""
        return FirstContact(
            verdict=verdict,
            time=np.nan,
            t_lo=t_lo,
            t_hi=t_hi,
            evaluations=self.count,
            method=method,
            safe=method != "sampling",
            counts=counts,
            **self._query.facts(),
        )


def _rounding(motion: Motion, X: FloatArray, extent: float) -> float:
    """Return how far points of a body may be from their positions by its poses (n, 4, 4) [m]."""
    if not motion._is_packed:
        return pose_rounding(motion, X, extent)
    head = head_of(motion)
    return state.POSE_ROUNDING * (head.place + head.terms * extent)


def _check_curved(query: Query, rigid: tuple[bool, bool]) -> None:
    """Raise if a curved body beside a mesh is deformed more than the tolerance allows to ignore.

    The smaller of its deviation and of the effect of stretching on the decisive distance counts; see `deformed`.
    """
    bodies, motions = (query.body_a, query.body_b), (query.motion_a, query.motion_b)
    for k in (0, 1):
        if rigid[k] or not has_triangles(bodies[1 - k]) or corners_of(shape_of(bodies[k])) is not None:
            continue
        row = motion_numbers(motions[k]._packed)
        stretched = float(row.largest - row.smallest) * (query.margin + 2.0 * query.tolerance)
        if min(2.0 * query.deviations[k], stretched) > 2.0 * GAP * query.tolerance:
            raise TrajectoryError(
                f"the cubic trajectory of {query.names[k]} deforms it by up to {query.deviations[k]:.3g} m, too much "
                f"to decide a margin of {query.margin:g} m beside a mesh to {query.tolerance:g} m; sample it more "
                'densely, use interpolation="screw", or give a larger tolerance.'
            )


def _known(normal: FloatArray) -> FloatArray:
    """Return a normal; nan if the closest points coincide."""
    return normal if normal.any() else np.full(3, np.nan)


def _read_only(array: FloatArray) -> FloatArray:
    array.flags.writeable = False
    return array
