"""When do two moving bodies first come within a margin of each other? One question, several methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy.typing as npt

from keepclear.continuous.advance import advance_convex, advance_first_contact
from keepclear.continuous.arguments import Query, checked_method, checked_query, checked_samples
from keepclear.continuous.bisection import bisection_first_contact
from keepclear.continuous.moving_pair import is_convex
from keepclear.continuous.results import FirstContact
from keepclear.continuous.sampling import sampled_first_contact
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.motions.motion import Motion
from keepclear.proximity.batch import checked_threads, in_pieces
from keepclear.proximity.distance import Body
from keepclear.shapes.arguments import shown

__all__ = ["first_contact", "first_contact_batch"]

Method = Literal["hybrid", "bisection", "exact", "sampling"]
Moving = Motion | npt.ArrayLike
Case = tuple[Body, Moving, Body, Moving]


def first_contact(
    a: Body,
    motion_a: Moving,
    b: Body,
    motion_b: Moving,
    tolerance: float = 1e-4,
    margin: float = 0.0,
    method: Method = "hybrid",
    *,
    samples: int | None = None,
    time_tolerance: float | None = None,
    budget: int | None = None,
    t0: float | None = None,
    t1: float | None = None,
) -> FirstContact:
    """Return whether and when two moving bodies first come within a margin of each other.

    With "distance" the true distance of the given shapes under the given motions:

    - CLEAR: the distance exceeds the margin during the whole interval; proved, rounding included.
    - COLLIDING: at `time` the distance is at most margin + tolerance, and it was proved to exceed the margin from the
      start until `t_lo`. A least distance between margin and margin + tolerance may be answered either way.
    - UNDECIDED: the budget ended first; `t_lo` to `t_hi` is what is left.

    Touching is contact, and so is a body inside a solid.

    Args:
        a: A shape: Sphere, Box, Capsule, Cylinder, Convex or Mesh; or the tree of a mesh.
        motion_a: How it moves: `kc.Fixed`, `kc.PoseTrajectory`, or a pose (4, 4) for a body at rest.
        b: The other body.
        motion_b: How it moves.
        tolerance: What a decision may be off by [m]. It never makes a contact go unseen.
        margin: Distance that counts as contact [m].
        method: "hybrid" combines the two that follow. "bisection" halves the interval until parts of it are proved
            clear, for all shapes. "exact" solves for the instants at which vertices meet faces and edges meet edges.
            "sampling" looks at single instants, misses contacts between them, and is here to compare with.
        samples: How many instants "sampling" looks at; 128 if not given.
        time_tolerance: Width that the bracket `t_lo` to `t_hi` of a contact should have [s], where the tolerance of
            the distance alone leaves a wider one. It is reached where contact can be proved.
        budget: Largest number of evaluations; None sets no limit.
        t0: Start of the interval [s]. By default where the first of the two motions begins.
        t1: Its end [s]. By default where the last of the two motions ends.

    Returns:
        A `FirstContact`: `verdict`, `time`, `t_lo`, `t_hi`, poses, point, normal and features of the contact.

    Raises:
        ArgumentError: A number or an option makes no sense.
        TrajectoryError: A motion does not cover the interval, or deforms its body too much.

    Example:
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
    """
    chosen = checked_method(method)
    count = checked_samples(samples, chosen)
    query = checked_query(
        a,
        motion_a,
        b,
        motion_b,
        tolerance=tolerance,
        margin=margin,
        time_tolerance=time_tolerance,
        budget=budget,
        t0=t0,
        t1=t1,
    )
    return _answer(query, chosen, count)


def first_contact_batch(
    cases: Iterable[Case],
    tolerance: float = 1e-4,
    margin: float = 0.0,
    method: Method = "hybrid",
    *,
    samples: int | None = None,
    time_tolerance: float | None = None,
    budget: int | None = None,
    t0: float | None = None,
    t1: float | None = None,
    threads: int = 1,
) -> list[FirstContact]:
    """Return the first contact of each of many pairs, as `first_contact` would.

    Args:
        cases: Sequence of (a, motion_a, b, motion_b).
        tolerance: As in `first_contact`, and likewise the others.
        margin: See there.
        method: See there.
        samples: See there.
        time_tolerance: See there.
        budget: See there, for each case.
        t0: See there, for all cases; by default each case has its own interval.
        t1: See there.
        threads: How many threads share the cases; the answers do not depend on it.

    Raises:
        ArgumentError: An argument makes no sense; the message says in which case.

    Example:
        >>> import numpy as np
        >>> import keepclear as kc
        >>> kc.first_contact_batch([(kc.Sphere(1), np.eye(4), kc.Sphere(2), np.eye(4))])[0].verdict.name
        'COLLIDING'
    """
    chosen = checked_method(method)
    count = checked_samples(samples, chosen)
    threads = checked_threads(threads)
    queries = []
    for k, case in enumerate(_listed(cases)):
        try:
            query = checked_query(
                *_four(case),
                tolerance=tolerance,
                margin=margin,
                time_tolerance=time_tolerance,
                budget=budget,
                t0=t0,
                t1=t1,
            )
        except KeepclearError as error:
            raise type(error)(f"cases[{k}]: {error}") from None
        queries.append(query)
    results: list[FirstContact | None] = [None] * len(queries)
    if chosen == "hybrid":
        convex = [k for k, query in enumerate(queries) if is_convex(query)]
        for k, result in zip(convex, advance_convex([queries[k] for k in convex], threads), strict=True):
            results[k] = result

    def piece(i: int, j: int) -> None:
        for k in range(i, j):
            if results[k] is None:
                results[k] = _answer(queries[k], chosen, count)

    in_pieces(len(queries), threads, piece)
    return [result for result in results if result is not None]


def _answer(query: Query, method: str, samples: int) -> FirstContact:
    """Hand a question to the method that was asked for."""
    if method == "sampling":
        return sampled_first_contact(query, samples)
    found = advance_first_contact(query) if method == "hybrid" else None
    return bisection_first_contact(query) if found is None else found


def _listed(cases: object) -> list[object]:
    if isinstance(cases, str | bytes) or not isinstance(cases, Iterable):
        raise ArgumentError(
            f"cases must be a sequence of (a, motion_a, b, motion_b), but it is {shown(cases)}."
        )
    return list(cases)


def _four(case: object) -> tuple[object, object, object, object]:
    if not isinstance(case, tuple | list) or len(case) != 4:
        raise ArgumentError(f"a case must be (a, motion_a, b, motion_b), but it is {shown(case)}.")
    return case[0], case[1], case[2], case[3]
