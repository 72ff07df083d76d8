"""The first time at which two moving bodies come within a margin of each other, by several methods."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry, Parts, has_parts, is_on_boxes
from keepclear.geometry.pose import is_rotation_and_translation
from keepclear.motion.custom import CustomMotion
from keepclear.motion.local_time import LocalMotion
from keepclear.motion.motion import Motion
from keepclear.query.interval.advancement_result import contact_of_row
from keepclear.query.interval.bisect_exact import bisect_exact_first_contact
from keepclear.query.interval.bisection import bisection_first_contact, bisection_or_undecided
from keepclear.query.interval.exact import exact_first_contact, with_faces, without_roots
from keepclear.query.interval.local_time import first_contact_locally
from keepclear.query.moving.evaluation import BudgetEnded, Evaluator
from keepclear.query.moving.moving_pair import MovingPair
from keepclear.query.moving.question import Query, checked_method, checked_query, checked_samples
from keepclear.query.moving.results import FirstContact
from keepclear.results import Verdict

__all__ = ["first_contact"]

Method = Literal["hybrid", "bisection", "exact", "bisect_exact", "sampling"]
_BY_ROOTS = {"exact": exact_first_contact, "bisect_exact": bisect_exact_first_contact}
Moving = Motion | CustomMotion | npt.ArrayLike
Ends = tuple[npt.ArrayLike, npt.ArrayLike]
CastInterpolation = Literal["screw", "linear"]


class Options(TypedDict, total=False):
    """The options that all forms of `first_contact` have."""

    samples: int | None
    time_tolerance: float | None
    budget: int | None
    t0: float | None
    t1: float | None


@overload
def first_contact(
    a: Geometry | Parts,
    motion_a: Ends,
    b: Geometry | Parts,
    motion_b: Ends | Motion | npt.ArrayLike,
    tolerance: float = 1e-4,
    margin: float | FloatArray = 0.0,
    method: Method = "hybrid",
    *,
    interpolation: CastInterpolation | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Any: ...
@overload
def first_contact(
    a: Geometry | Parts,
    motion_a: Motion | npt.ArrayLike,
    b: Geometry | Parts,
    motion_b: Ends,
    tolerance: float = 1e-4,
    margin: float | FloatArray = 0.0,
    method: Method = "hybrid",
    *,
    interpolation: CastInterpolation | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Any: ...
@overload
def first_contact(
    a: Geometry | Parts,
    motion_a: Moving,
    b: Geometry | Parts,
    motion_b: Moving,
    tolerance: float = 1e-4,
    margin: float = 0.0,
    method: Method = "hybrid",
    **options: Unpack[Options],
) -> FirstContact: ...
def first_contact(
    a: Geometry | Parts,
    motion_a: Moving | Ends,
    b: Geometry | Parts,
    motion_b: Moving | Ends,
    tolerance: float = 1e-4,
    margin: float | FloatArray = 0.0,
    method: Method = "hybrid",
    *,
    interpolation: Any = None,
    samples: int | None = None,
    time_tolerance: float | None = None,
    budget: int | None = None,
    t0: float | None = None,
    t1: float | None = None,
    threads: int = 1,
) -> Any:
    """Return whether and when two moving bodies first come within a margin of each other.

    The verdicts are about the true distance of the given shapes under the given motions:

    - CLEAR: the distance exceeds the margin during the whole interval; proved, rounding included.
    - COLLIDING: at `time` the distance is at most margin + tolerance, and it was proved to exceed the margin from the
      start until `t_lo`. A minimum distance between margin and margin + tolerance may get either verdict.
    - UNDECIDED: the budget ended first; the interval from `t_lo` to `t_hi` remains open.

    Touching is contact, and so is a body inside a solid.

    Args:
        a: A shape of any kind; the tree of a mesh; or a compound of them, `[(shape, X), ...]`, each part with its
            pose (4, 4) in the frame of the whole.
        motion_a: How it moves: `kc.Fixed`, `kc.PoseTrajectory`, a `kc.CustomMotion`, or a pose (4, 4) for a body at
            rest. Or a tuple (X_start, X_end): a cast, from one pose at time 0 to another at time 1. Poses are (4, 4),
            or (n, 4, 4) for n casts; one pose is repeated. The other body then has a tuple too, or poses at rest.
        b: The other body.
        motion_b: How it moves.
        tolerance: If the minimum distance exceeds the margin by less than this, the verdict may be either [m]. No
            contact is missed.
        margin: Distance that counts as contact [m]; for n casts also one for each, (n,).
        method: "hybrid" is conservative advancement: steps in time that are proved clear one by one, over trees and
            time for meshes. It bisects the interval where rounding prevents a proof, and for bodies given as BoxTrees.
            "bisection" halves the interval until its parts are proved clear, for all shapes. "exact" solves for the
            instants at which vertices touch faces and edges touch edges. "bisect_exact" halves the interval, and solves
            a part as soon as few pairs of triangles are near each other in it. The last two are for polyhedra without a
            margin. "sampling" checks single instants, misses contacts between them, and is for comparison only.
        interpolation: How bodies move in casts, as in `kc.PoseTrajectory`: along a "screw" (the default), or with
            "linear" paths of their origins.
        samples: How many instants "sampling" checks; 128 by default.
        time_tolerance: Largest width of the bracket `t_lo` to `t_hi` of a contact [s], where the distance tolerance
            alone leaves a wider one. It is reached where contact can be proved.
        budget: Maximum number of evaluations; None sets no limit. With meshes the default method checks it between
            two pairs of triangles, so it may take a few more.
        t0: Start of the interval [s]. By default where the first of the two motions begins.
        t1: Its end [s]. By default where the last of the two motions ends.
        threads: How many threads share n casts; the answers do not depend on it.

    Returns:
        A `FirstContact`: `verdict`, `time`, `t_lo`, `t_hi`, poses, point, normal and features of the contact. For
        compounds it is the earliest contact of all pairs of parts, and `parts` gives the two parts. For n casts it is a
        `FirstContacts`: the same fields as arrays, with n first, and a sequence of n `FirstContact`.

    Raises:
        ArgumentError: A number or an option is invalid.
        TrajectoryError: A motion does not cover the interval, deforms its body too much, or is by half a turn.
        PoseError: A pose is not rigid, or numbers of poses differ.

    Examples:
        A ball of 10 cm rolls towards a wall at 1 m/s.

        >>> import numpy as np
        >>> import keepclear as kc
        >>> X_WB = np.tile(np.eye(4), (2, 1, 1))
        >>> X_WB[:, 0, 3] = 0.0, 2.0
        >>> X_WW = np.eye(4)
        >>> X_WW[0, 3] = 1.5
        >>> rolling = kc.PoseTrajectory([0.0, 2.0], X_WB, "linear")
        >>> k = kc.first_contact(kc.Sphere(0.1), rolling, kc.Box([0.2, 2, 2]), X_WW)
        >>> k.verdict.name, abs(k.time - 1.3) < 1e-4
        ('COLLIDING', True)
        >>> kc.first_contact(kc.Sphere(0.1), rolling, kc.Box([0.2, 2, 2]), X_WW, t1=1.2).verdict.name
        'CLEAR'

        The same ball is cast along three paths at once:

        >>> X_end = np.tile(np.eye(4), (3, 1, 1))
        >>> X_end[:, 0, 3] = 1.0, 2.0, 4.0
        >>> casts = kc.first_contact(kc.Sphere(0.1), (np.eye(4), X_end), kc.Box([0.2, 2, 2]), X_WW)
        >>> casts.time.round(4).tolist()
        [nan, 0.65, 0.325]
    """
    chosen = checked_method(method)
    count = checked_samples(samples, chosen)
    options: dict[str, Any] = {
        "tolerance": tolerance, "time_tolerance": time_tolerance, "budget": budget, "t0": t0, "t1": t1
    }  # fmt: skip
    if tuple in (type(motion_a), type(motion_b)) and (is_cast(motion_a) or is_cast(motion_b)):
        from keepclear.query.interval.casts import cast_contacts

        return cast_contacts(a, motion_a, b, motion_b, interpolation, margin, options, chosen, count, threads)
    if interpolation is not None or threads != 1:
        name, value = ("threads", threads) if interpolation is None else ("interpolation", interpolation)
        raise ArgumentError(
            f"{name} = {value!r} is for casts, whose motions are given as poses (X_start, X_end), "
            "but motion_a and motion_b are motions already."
        )
    if has_parts(a, b):
        from keepclear.query.interval.compound import answer_case

        return answer_case(a, motion_a, b, motion_b, chosen, count, margin=margin, **options)
    return answer_query(checked_query(a, motion_a, b, motion_b, margin=margin, **options), chosen, count)


def is_cast(motion: object) -> bool:
    """Return whether a motion is given as a start and an end, and not as a rotation and a translation."""
    return type(motion) is tuple and len(motion) == 2 and not is_rotation_and_translation(motion)


def answer_query(query: Query, method: str, samples: int) -> FirstContact:
    """Return the result of a query by the requested method."""
    if method == "sampling":
        return sampled_first_contact(query, samples)
    if not query.is_packed:
        return _in_rounds(query, method)
    found = _in_one_time(query, method)
    return first_contact_locally(query, partial(_in_local_time, method=method)) if found is None else found


def _in_rounds(query: Query, method: str) -> FirstContact:
    """Return the result of a query with motions that kernels cannot read, by bisection."""
    if method in _BY_ROOTS:
        with_faces(query, method)  # raises
    return bisection_or_undecided(query)


def method_for(query: Query, method: str) -> tuple[str, str]:
    """Return the given method if it supports a query, else "hybrid", and why it does not, or ""."""
    reason = without_roots(query) if method in _BY_ROOTS else ""
    return ("hybrid", reason) if reason else (method, "")


def _in_one_time(query: Query, method: str) -> FirstContact | None:
    """Return the result of a query in its own time; None if that has too few digits."""
    if method == "bisection" or (method == "hybrid" and is_on_boxes(query.body_a, query.body_b)):
        return bisection_first_contact(query)
    if method in _BY_ROOTS:  # a root between two float64 times is not a float64 time
        return _BY_ROOTS[method](query) if isinstance(query.motion_a, LocalMotion) else None
    if query.t0 == query.t1 and not query.at_rest:
        return None  # the search needs a span of time, in which nothing may move if it represents an instant
    return advance_first_contact(query)


def _in_local_time(query: Query, method: str) -> FirstContact:
    """Return the result of a query in local time; by bisection if rounding leaves other methods without a proof."""
    found = _in_one_time(query, method)
    return bisection_or_undecided(query) if found is None else found


def advance_first_contact(query: Query) -> FirstContact | None:
    """Return when two bodies first come within the margin, or None where rounding leaves no proof either way."""
    pair = MovingPair.of(query)
    if not pair.is_convex and pair.starts_inside(query):
        row = pair.row
        row["time"] = row["certain"] = query.t0
        row["triangle_a"] = row["triangle_b"] = -1
        row["distance"] = 0.0
    else:
        pair.run(query.budget)
    return None if pair.row["unproved"][0] else contact_of_row(query, pair.row, 0, query.time_tolerance)


def sampled_first_contact(query: Query, samples: int) -> FirstContact:
    """Return the first of n equally spaced instants at which the bodies are not apart by more than the margin.

    Nothing is known between the instants, so the verdict is never CLEAR: without a contact it is UNDECIDED, and with
    one an earlier contact may have been missed.

    Args:
        query: The query.
        samples: How many instants, the first at the start and the last at the end of the interval.
    """
    evaluator = Evaluator(query)
    counts = {"samples": samples}
    try:
        for t in np.linspace(query.t0, query.t1, samples).tolist():
            sample = evaluator.at(t)
            if sample.contact or sample.lower <= query.margin:
                return evaluator.colliding(sample, query.t0, t, "sampling", counts)
    except BudgetEnded:
        pass
    return evaluator.undisturbed(Verdict.UNDECIDED, query.t0, query.t1, "sampling", counts)
