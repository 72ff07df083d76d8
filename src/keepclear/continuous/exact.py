"""The exact method: first contact from the instants at which vertices touch faces and edges touch edges."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from keepclear.continuous.advance import starts_inside
from keepclear.continuous.advancement_result import is_over
from keepclear.continuous.feature_place import Touch
from keepclear.continuous.moving_pair import MovingPair
from keepclear.continuous.place import place_of_contact
from keepclear.continuous.query import Query
from keepclear.continuous.results import FirstContact
from keepclear.errors import ArgumentError
from keepclear.kernels.advance import swept_exact
from keepclear.proximity.collide import faces_of
from keepclear.results import Verdict

# Pairs of boxes and of triangles between two checks for Ctrl-C; about a tenth of a second.
PIECE = 1 << 14


def exact_first_contact(query: Query) -> FirstContact | None:
    """Return when two polyhedra first touch: the earliest instant at which their features touch.

    The guarantees are those of `kc.first_contact`. The result is None if rounding leaves no proof either way. The
    instant is between two float64 numbers unless the query is in local time.

    Raises:
        ArgumentError: There is a margin, or a body without faces.
    """
    of_faces = with_faces(query, "exact")
    pair = MovingPair.of(of_faces)
    row = pair.row
    if starts_inside(pair, of_faces):
        row["time"], row["features"] = query.t0, 9 * swept_exact.CROSSING
        row["triangle_a"] = row["triangle_b"] = -1
    else:
        row["time_tolerance"] = math.inf if query.time_tolerance is None else query.time_tolerance
        pair.run(query.budget, swept_exact.search, PIECE)
    return None if row["unproved"][0] else _answer(query, of_faces, pair)


def without_roots(query: Query) -> str:
    """Return why roots cannot give the time of contact of a query's bodies; "" if they can."""
    if not query.is_packed:
        return "needs trajectories, but one motion is a kc.CustomMotion"
    for body, name in zip((query.body_a, query.body_b), query.names, strict=True):
        if faces_of(body) is None:
            return f"needs two bodies with faces, but {name} ({body!r}) is curved or flat"
    if query.margin > 0.0:
        return f"takes no margin, but margin = {query.margin:g} m"
    return ""


def with_faces(query: Query, method: str) -> Query:
    """Return a query with its bodies as meshes or trees.

    Raises:
        ArgumentError: Roots cannot give the time of contact of these bodies; the message names the method.
    """
    reason = without_roots(query)
    if reason:
        raise ArgumentError(f"method={method!r} {reason}; use method='hybrid'.")
    a, b = faces_of(query.body_a), faces_of(query.body_b)
    assert a is not None
    assert b is not None
    return replace(query, body_a=a, body_b=b)


def _answer(query: Query, of_faces: Query, pair: MovingPair) -> FirstContact:
    """Return the result of a search."""
    row, evaluations = pair.row, pair.row["evaluations"].item()
    time, now, certain = row["time"].item(), row["now"].item(), row["certain"].item()
    triangles, distance = (row["triangle_a"].item(), row["triangle_b"].item()), row["distance"].item()
    facts: dict[str, Any] = query.facts() | {
        "evaluations": evaluations, "method": "exact",
        "counts": {"triangle pairs": evaluations, "box pairs": row["box_pairs"].item()},
    }  # fmt: skip
    if time > now:  # nothing found, or a witness without a proof of the time before it: the budget ended
        verdict, t_lo, t_hi = Verdict.UNDECIDED, now, min(time, query.t1)
        if time == math.inf and is_over(query, now):
            verdict, t_lo, t_hi = Verdict.CLEAR, query.t1, query.t1
        return FirstContact(verdict=verdict, time=math.nan, t_lo=t_lo, t_hi=t_hi, **facts)
    time = min(time, query.t1)
    t_hi = min(certain, query.t1) if certain < math.inf else time
    code = row["features"].item()
    kind, i, k = code // 9, code // 3 % 3, code % 3
    if kind == swept_exact.CROSSING:  # they overlap at the start; without triangles, one is inside the other
        time = t_hi = query.t0
    X_WA, X_WB = query.motion_a.pose(time), query.motion_b.pose(time)
    if kind == swept_exact.CROSSING:
        place, distance = place_of_contact(of_faces, time, pair.swapped, triangles, X_WA, X_WB), 0.0
    else:
        if pair.swapped:
            triangles, i, k = triangles[::-1], k, i
            kind = kind if kind == swept_exact.EDGES else 1 - kind
        touch = Touch(of_faces, (query.body_a, query.body_b), triangles, (kind, i, k))
        place = touch.place(time, distance)
    return FirstContact(
        verdict=Verdict.COLLIDING, time=time, t_lo=time, t_hi=t_hi, X_WA=X_WA, X_WB=X_WB, distance=distance,
        **place._asdict(), **facts,
    )  # fmt: skip
