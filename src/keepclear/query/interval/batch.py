"""First contacts of many pairs in one call: convex pairs in one compiled run, results created when read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_instant, checked_lengths, shown
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.geometry.bodies.body import Body, Geometry, Parts, given_body, has_parts, has_triangles
from keepclear.kernels.advance import casts as kernels
from keepclear.kernels.tables.motion import motion_rows
from keepclear.kernels.tables.pair import Pairs, new_pair, repeated
from keepclear.kinds import MOTIONS, SHAPES
from keepclear.motion.fixed import Fixed
from keepclear.motion.motion import Motion, head_of
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.query.batches import checked_threads, in_pieces
from keepclear.query.interval.compound import answer_case
from keepclear.query.interval.first_contact import Method, Moving
from keepclear.query.interval.first_contacts import FirstContacts
from keepclear.query.moving.moving_pair import BodyTable
from keepclear.query.moving.question import (
    SMALLEST_TOLERANCE,
    Query,
    as_motion,
    checked_method,
    checked_query,
    checked_samples,
)

__all__ = ["first_contact_batch"]

Case = tuple[Geometry | Parts, Moving, Geometry | Parts, Moving]
T = TypeVar("T")
_NO_BALL = np.zeros(5)


def first_contact_batch(
    cases: Iterable[Case],
    tolerance: float = 1e-4,
    margin: float | FloatArray = 0.0,
    method: Method = "hybrid",
    *,
    samples: int | None = None,
    time_tolerance: float | None = None,
    budget: int | None = None,
    t0: float | None = None,
    t1: float | None = None,
    threads: int = 1,
) -> FirstContacts:
    """Return the first contact of each of many pairs, as `first_contact` would.

    Args:
        cases: Sequence of (a, motion_a, b, motion_b); bodies may be compounds. Shapes and motions that are repeated are
            checked once.
        tolerance: As in `first_contact`, like the following options.
        margin: See there; one number, or one for each case, (n,).
        method: See there.
        samples: See there.
        time_tolerance: See there.
        budget: See there, for each case.
        t0: See there, for all cases; by default each case has its own interval.
        t1: See there.
        threads: How many threads share the cases; the answers do not depend on it.

    Returns:
        A sequence of `FirstContact`, one for each case, with `verdict`, `time`, `t_lo` and `t_hi` as arrays besides.

    Raises:
        ArgumentError: An argument is invalid; the message names the case.

    Examples:
        >>> import numpy as np
        >>> import keepclear as kc
        >>> contacts = kc.first_contact_batch([(kc.Sphere(1), np.eye(4), kc.Sphere(2), np.eye(4))])
        >>> contacts[0].verdict.name, contacts.time.tolist()
        ('COLLIDING', [0.0])
    """
    chosen = checked_method(method)
    count, threads = checked_samples(samples, chosen), checked_threads(threads)
    parts = list(itertools.chain.from_iterable(_checked_cases(cases)))
    body_of, bodies = _distinct(parts[::2], _body, SHAPES.classes)
    motion_of, motions = _distinct(parts[1::2], _motion, MOTIONS.classes)
    margins = checked_lengths("margin", margin, len(parts) // 4, "case")
    options: dict[str, Any] = {
        "tolerance": tolerance, "time_tolerance": time_tolerance, "budget": budget, "t0": t0, "t1": t1
    }  # fmt: skip

    def case(k: int) -> tuple[Any, Motion, Any, Motion]:
        i, j = 2 * k, 2 * k + 1
        return bodies[body_of[i]], motions[motion_of[i]], bodies[body_of[j]], motions[motion_of[j]]

    def query(k: int) -> Query:
        return checked_query(*case(k), margin=margins(k), **options)

    if not parts:
        return FirstContacts(0)
    first = case(0)
    try:  # the common options are checked with it
        # any part of a body takes the same options
        a, b = (body.parts[0].body if has_parts(body) else body for body in first[::2])
        common = checked_query(a, first[1], b, first[3], margin=margins(0), **options)
    except KeepclearError as error:
        raise type(error)(f"cases[0]: {error}") from None
    rows = None
    if chosen == "hybrid":
        rows = _advanced(bodies, body_of, motions, motion_of, margins.values, common, (t0, t1), threads)
    if rows is None:
        found = FirstContacts(len(parts) // 4)
        left = list(range(len(found)))
    else:
        found = FirstContacts._of_rows(rows, query, common.time_tolerance)
        left = np.flatnonzero(rows["unproved"]).tolist()

    def answer(k: int) -> Any:
        return answer_case(*case(k), chosen, count, margin=margins(k), **options)

    found._answer(left, answer, threads, "cases")
    return found


def _advanced(
    bodies: list[Geometry | Body],
    body_of: npt.NDArray[np.int64],
    motions: list[Motion],
    motion_of: npt.NDArray[np.int64],
    margins: float | FloatArray,
    common: Query,
    interval: tuple[float | None, float | None],
    threads: int,
) -> Pairs | None:
    """Return rows of PAIR for all cases, of which those that are `unproved` are left; None if all are."""
    is_convex = [not (has_parts(body) or has_triangles(cast(Geometry, body))) for body in bodies]
    convex, shape_of = _chosen(bodies, is_convex, body_of)
    packed, packed_of = _chosen(motions, [motion._is_packed for motion in motions], motion_of)
    if not convex or not packed:
        return None
    store = BodyTable(cast(list[Geometry], convex), packed)
    row = new_pair((0.0, 0.0, 0.0), 0.0, common.tolerance, 0.0, _NO_BALL, False, False)
    rows = repeated(row, len(body_of) // 2)
    rows["margin"] = margins
    rows["shape_a"], rows["shape_b"] = shape_of[::2], shape_of[1::2]
    rows["motion_a"], rows["motion_b"] = packed_of[::2], packed_of[1::2]
    t0, t1 = (math.nan if given is None else checked_instant("", given) for given in interval)
    bodies_at, Q, first, _ = store.arrays(rows)
    known = motion_rows(Q, first)
    spans, kinds = _spans(packed, np.stack([known["t0"], known["t1"]], axis=1))
    kernels.set_intervals(bodies_at, Q, first, spans, kinds, rows, t0, t1, SMALLEST_TOLERANCE)
    store.prepare(rows)
    in_pieces(len(rows), threads, partial(store.advance, rows, common.budget))
    return rows


def _spans(motions: list[Motion], spans: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int8]]:
    """Return when motions start and end, (n, 2) [s], from what their headers say; and their kinds for kernels, (n,)."""
    kinds = np.full(len(motions), kernels.MOVING, np.int8)
    for k, motion in enumerate(motions):
        if type(motion) is Fixed:
            kinds[k] = kernels.RESTING
        elif type(motion) is not PoseTrajectory or motion._hold != "both":
            head = head_of(motion)  # a link that rests is packed without its times
            spans[k] = head.t_start, head.t_end
            kinds[k] = kernels.MOVING if head.before and head.after else kernels.OTHER
    return spans, kinds


def _chosen(
    things: list[T], chosen: list[bool], numbers: npt.NDArray[np.int64]
) -> tuple[list[T], npt.NDArray[np.int64]]:
    """Return the chosen ones of some things, and numbers of things as numbers among them; -1 for others."""
    if all(chosen):
        return things, numbers
    is_chosen = np.array(chosen)
    among = np.where(is_chosen, is_chosen.cumsum() - 1, -1)
    return list(itertools.compress(things, chosen)), among[numbers]


def _checked_cases(cases: object) -> list[Any]:
    """Return cases as a list of sequences of four, or raise an `ArgumentError`."""
    if isinstance(cases, str | bytes) or not isinstance(cases, Iterable):
        raise ArgumentError(
            f"cases must be a sequence of (a, motion_a, b, motion_b), but it is {shown(cases)}."
        )
    found = list(cases)
    if not (set(map(type, found)) <= {tuple, list} and set(map(len, found)) <= {4}):
        for k, case in enumerate(found):
            if type(case) not in (tuple, list) or len(case) != 4:
                raise ArgumentError(
                    f"cases[{k}]: a case must be (a, motion_a, b, motion_b), but it is {shown(case)}."
                )
    return found


def _distinct(
    things: list[Any], check: Callable[[Any, int], T], known: set[type]
) -> tuple[npt.NDArray[np.int64], list[T]]:
    """Return the number of each thing, equal for the same object, and the distinct ones, checked.

    Args:
        things: The things.
        check: Returns a checked thing; it is called with the first place of the thing.
        known: Classes whose instances need no check.
    """
    ids = np.fromiter(map(id, things), np.int64, len(things))
    known_ids, places = np.unique(ids, return_index=True)
    distinct = [things[place] for place in places.tolist()]
    if not set(map(type, distinct)) <= known:
        for k in places.argsort().tolist():  # the error is that of the first case
            distinct[k] = check(distinct[k], places.item(k))
    return known_ids.searchsorted(ids), distinct


def _body(part: Any, place: int) -> Geometry | Body:
    try:
        return given_body(part)
    except KeepclearError as error:
        raise type(error)(f"cases[{place // 2}]: {error}") from None


def _motion(part: Any, place: int) -> Motion:
    if MOTIONS.has(part):
        return part  # type: ignore[no-any-return]
    try:
        return as_motion(part, ("motion_a", "motion_b")[place % 2])
    except KeepclearError as error:
        raise type(error)(f"cases[{place // 2}]: {error}") from None
