"""Casts: two bodies whose motions are poses at the start and at the end, n of them in arrays, in one compiled run."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import MOST_EVALUATIONS, FloatArray, checked_choice, checked_lengths
from keepclear.errors import ArgumentError, PoseError, TrajectoryError
from keepclear.geometry.bodies.body import Body, Geometry, given_body, has_parts
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.geometry.pose import checked_poses
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.advance import casts as kernels
from keepclear.kernels.tables.pair import Pairs, new_pair, repeated
from keepclear.kinds import MOTIONS
from keepclear.motion.fixed import Fixed
from keepclear.motion.motion import Motion
from keepclear.motion.trajectory import all_between
from keepclear.query.batches import checked_threads, in_pieces
from keepclear.query.interval.compound import answer_case
from keepclear.query.interval.first_contact import is_cast
from keepclear.query.interval.first_contacts import FirstContacts
from keepclear.query.moving.moving_pair import MOST_ROWS, belongs_second, run_convex
from keepclear.query.moving.question import SMALLEST_TOLERANCE, Query, checked_query

INTERPOLATIONS = ("screw", "linear")
_NO_POSES = np.empty((0, 4, 4))


class Ends(NamedTuple):
    """The checked poses of one body, each (n, 4, 4), or (1, 4, 4) for all casts.

    Attributes:
        name: The name of the argument.
        X0: Poses at time 0.
        X1: Poses at time 1; none of a body at rest.
        counts: How many poses were given by name of the array; single ones (4, 4) are left out.
    """

    name: str
    X0: FloatArray
    X1: FloatArray
    counts: dict[str, int]

    @classmethod
    def of(cls, value: Any, name: str) -> Ends:
        """Return the poses of one body, checked."""
        if is_cast(value):
            X0, _, single0 = checked_poses(value[0], f"{name}[0]", scaled=False)
            X1, _, single1 = checked_poses(value[1], f"{name}[1]", scaled=False)
            given = ((f"{name}[0]", X0, single0), (f"{name}[1]", X1, single1))
            return cls(name, X0, X1, {at: len(X) for at, X, single in given if not single})
        if type(value) is Fixed:
            return cls(name, value._X_W[None], _NO_POSES, {})
        if value in MOTIONS or isinstance(value, Motion):
            raise ArgumentError(
                f"{name} is a {type(value).__name__}, but the other motion is a cast, given by its poses; give poses "
                "(X_start, X_end) or a pose at rest here too, or motions such as kc.PoseTrajectory on both sides."
            )
        X0, _, single = checked_poses(value, name, scaled=False)
        if not single and not isinstance(value, np.ndarray):
            raise PoseError(
                f"{name} is a {type(value).__name__} of {len(X0)} poses; give a tuple (X_start, X_end) for a body that "
                "moves, or one array (n, 4, 4) for n bodies at rest."
            )
        return cls(name, X0, _NO_POSES, {} if single else {name: len(X0)})

    def motion(self, k: int, interpolation: str) -> Motion:
        """Return the motion of cast k."""
        X0 = self.X0[k if len(self.X0) > 1 else 0]
        if not len(self.X1):
            return Fixed.at(X0)
        try:
            X1 = self.X1[k if len(self.X1) > 1 else 0]
            return all_between(X0[None], X1[None], interpolation, [None])[0]
        except TrajectoryError:
            raise TrajectoryError(
                f"{self.name}: from {self._label(0, k)} to {self._label(1, k)} the body makes half a turn, which "
                f"{interpolation!r} could make in either direction; a kc.PoseTrajectory takes a sample between them."
            ) from None

    def _label(self, end: int, k: int) -> str:
        at = f"{self.name}[{end}]"
        return f"{at}[{k}]" if at in self.counts else at


class Casts:
    """Two bodies and n motions of each.

    Args:
        bodies: A and B.
        ends: Their poses.
        interpolation: "screw" or "linear".
        margin: One for all, or one for each [m].
        options: As `checked_query` takes them, without the margin.

    Attributes:
        n: How many casts there are.
        is_single: Whether all poses are (4, 4).
    """

    def __init__(
        self,
        bodies: tuple[Geometry | Body, Geometry | Body],
        ends: tuple[Ends, Ends],
        interpolation: str,
        margin: object,
        options: dict[str, Any],
    ) -> None:
        counts = ends[0].counts | ends[1].counts
        self.n, self.is_single = next(iter(counts.values()), 1), not counts
        for name, count in counts.items():
            if count != self.n:
                raise PoseError(
                    f"{next(iter(counts))} has {self.n} poses and {name} has {count}; give as many in all arrays, or a "
                    "single (4, 4) instead of one."
                )
        self.bodies, self.ends, self.interpolation, self.options = bodies, ends, interpolation, options
        self.margins = checked_lengths("margin", margin, self.n, "cast")

    def case(self, k: int) -> tuple[Any, Motion, Any, Motion]:
        """Return the bodies and motions of cast k."""
        a, b = (ends.motion(k, self.interpolation) for ends in self.ends)
        return self.bodies[0], a, self.bodies[1], b

    def query(self, k: int) -> Query:
        """Return the query about cast k."""
        return checked_query(*self.case(k), margin=self.margins(k), **self.options)

    def checked(self) -> Query:
        """Return a query with the common options, checked, about the bodies at the origin."""
        a, b = (body.parts[0].body if isinstance(body, Body) else body for body in self.bodies)
        margin = self.margins(0) if self.n else 0.0
        return checked_query(a, _at_origin(), b, _at_origin(), margin=margin, **self.options)

    def advanced(self, common: Query, threads: int) -> Pairs:
        """Return rows of PAIR, advanced by one kernel; those that are `unproved` are left.

        Raises:
            TrajectoryError: A body makes half a turn.
            ArgumentError: The tolerance is too fine for a cast.
        """
        order = [0, 1]
        volumes = [bounding_volumes_of(body) for body in self.bodies]  # type: ignore[arg-type]
        swapped = belongs_second(volumes[0], volumes[1])
        if swapped:
            order.reverse()
        interval = common.t0, common.t1, common.t1
        ball = volumes[order[1]].ball_row
        row = new_pair(interval, common.margin, common.tolerance, 0.0, ball, swapped, False)
        rows = repeated(row, self.n)
        if not isinstance(self.margins.values, float):
            rows["margin"] = self.margins.values
        shapes = (array for k in order for array in packed(self.bodies[k]))  # type: ignore[arg-type]
        poses = (X for k in order for X in (self.ends[k].X0, self.ends[k].X1))
        extents = (volumes[k].extent for k in order)
        screw = self.interpolation == "screw"
        arrays = (*shapes, *poses, screw, *extents, SMALLEST_TOLERANCE, rows)
        most = MOST_EVALUATIONS if common.budget is None else common.budget

        def piece(i: int, j: int) -> None:
            for first in range(i, j, MOST_ROWS):
                ended = run_convex(arrays, first, min(first + MOST_ROWS, j), most, kernels.cast_pairs)
                if ended < 0:
                    self._refuse((-ended - 1) // 4)

        in_pieces(self.n, threads, piece)
        return rows

    def _refuse(self, k: int) -> None:
        """Raise the error of cast k, which the kernel refused."""
        try:
            self.query(k)
        except ArgumentError as error:
            raise ArgumentError(f"casts[{k}]: {error}" if self.n > 1 else str(error)) from None
        raise AssertionError(k)


def cast_contacts(
    a: Any,
    motion_a: Any,
    b: Any,
    motion_b: Any,
    interpolation: object,
    margin: object,
    options: dict[str, Any],
    method: str,
    samples: int,
    threads: object,
) -> Any:
    """Return the first contacts of casts: a `FirstContact` if all poses are (4, 4), else a `FirstContacts`."""
    kind = (
        "screw"
        if interpolation is None
        else checked_choice("casts", "interpolation", interpolation, INTERPOLATIONS)
    )
    many = checked_threads(threads)
    bodies = given_body(a), given_body(b)
    ends = Ends.of(motion_a, "motion_a"), Ends.of(motion_b, "motion_b")
    casts = Casts(bodies, ends, kind, margin, options)
    common = casts.checked()
    is_convex = not any(has_parts(body) or bounding_volumes_of(body).is_mesh for body in bodies)  # type: ignore[arg-type]
    if method == "hybrid" and is_convex and common.t0 < common.t1:
        rows = casts.advanced(common, many)
        found = FirstContacts._of_rows(rows, casts.query, common.time_tolerance)
        left = np.flatnonzero(rows["unproved"]).tolist()
    else:
        found, left = FirstContacts(casts.n), list(range(casts.n))
    found._answer(
        left,
        lambda k: answer_case(*casts.case(k), method, samples, margin=casts.margins(k), **options),
        many,
        "casts",
    )
    return found[0] if casts.is_single else found


@functools.cache
def _at_origin() -> Motion:
    """Return a motion from time 0 to 1 that never leaves the origin."""
    return all_between(np.eye(4)[None], np.eye(4)[None], "screw", [None])[0]
