"""The exact method: first contact from the instants at which vertices touch faces and edges touch edges."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from keepclear.continuous.advance import starts_inside
from keepclear.continuous.advancement_result import is_over
from keepclear.continuous.feature_place import Touch
from keepclear.continuous.moving_pair import MovingPair
from keepclear.continuous.place import Place, place_of_contact
from keepclear.continuous.query import Query
from keepclear.continuous.results import FirstContact
from keepclear.errors import ArgumentError
from keepclear.kernels.advance import swept_boxes, swept_exact, swept_pair
from keepclear.proximity.collide import faces_of
from keepclear.proximity.mesh_distance import obb_tree_of
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
    if starts_inside(pair, of_faces):
        return _at_start(query, of_faces, pair, (-1, -1))
    _run(pair, query)
    if pair.row["unproved"][0]:
        return None
    return _answer(query, of_faces, pair)


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


def _run(pair: MovingPair, query: Query) -> None:
    """Search until the result is known or the budget ends; evaluations are pairs of triangles."""
    row = pair.row
    most = math.inf if query.budget is None else query.budget
    row["time_tolerance"] = math.inf if query.time_tolerance is None else query.time_tolerance
    trees = [obb_tree_of(body) for body in pair.bodies]
    arrays: list[Any] = [part for tree in trees if tree is not None for part in tree.arrays]
    arrays += [*pair.packs, row]
    arrays += [
        np.empty(swept_boxes.WINDOW * swept_pair.MOST_WINDOWS),
        np.empty(2 * swept_pair.MOST_WINDOWS, np.int32),
        np.empty(swept_pair.STACK, np.int32),
    ]
    ended = False
    while not ended and row["evaluations"][0] < most:
        done = row["evaluations"][0]
        row["limit"] = done + row["box_pairs"][0] + min(PIECE, most - done)
        ended = swept_exact.search(*arrays) == swept_pair.DONE


def _answer(query: Query, of_faces: Query, pair: MovingPair) -> FirstContact:
    """Return the result of a search."""
    row, common = pair.row, _common(query, pair)
    time, now = row["time"].item(), row["now"].item()
    if time > now:  # nothing found, or a witness without a proof of the time before it: the budget ended
        if time == math.inf and is_over(query, now):
            return FirstContact(verdict=Verdict.CLEAR, time=math.nan, t_lo=query.t1, t_hi=query.t1, **common)
        t_hi = min(time, query.t1)
        return FirstContact(verdict=Verdict.UNDECIDED, time=math.nan, t_lo=now, t_hi=t_hi, **common)
    time = min(time, query.t1)
    certain = min(row["certain"].item(), query.t1)
    triangles = row["triangle_a"].item(), row["triangle_b"].item()
    code = row["features"].item()
    kind, i, k = code // 9, code // 3 % 3, code % 3
    if kind == swept_exact.CROSSING:
        return _at_start(query, of_faces, pair, triangles)
    if pair.swapped:
        triangles, i, k = triangles[::-1], k, i
        kind = kind if kind == swept_exact.EDGES else 1 - kind
    touch = Touch(of_faces, (query.body_a, query.body_b), triangles, (kind, i, k))
    distance = row["distance"].item()
    t_hi = certain if row["certain"][0] < math.inf else time
    return _colliding(query, time, t_hi, touch.place(time, distance), distance, common)


def _at_start(query: Query, of_faces: Query, pair: MovingPair, triangles: tuple[int, int]) -> FirstContact:
    """Return the result for bodies that overlap at the start; without triangles, one is inside the other."""
    X_WA, X_WB = query.motion_a.pose(query.t0), query.motion_b.pose(query.t0)
    place = place_of_contact(of_faces, query.t0, pair.swapped, triangles, X_WA, X_WB)
    return _colliding(query, query.t0, query.t0, place, 0.0, _common(query, pair))


def _colliding(
    query: Query, time: float, t_hi: float, place: Place, distance: float, common: dict[str, Any]
) -> FirstContact:
    return FirstContact(
        verdict=Verdict.COLLIDING,
        time=time,
        t_lo=time,
        t_hi=t_hi,
        X_WA=query.motion_a.pose(time),
        X_WB=query.motion_b.pose(time),
        p_W=place.p_W,
        normal_W=place.normal_W,
        features=place.features,
        distance=distance,
        **common,
    )


def _common(query: Query, pair: MovingPair) -> dict[str, Any]:
    """Return the common fields of all results."""
    evaluations = int(pair.row["evaluations"][0])
    return {
        "evaluations": evaluations,
        "method": "exact",
        "holds": query.holds,
        "deviation": sum(query.deviations),
        # harmless (query.margin): `with_faces` refuses a margin
        "margin": query.margin,
        "tolerance": query.tolerance,
        "counts": {"triangle pairs": evaluations, "box pairs": int(pair.row["box_pairs"][0])},
        "names": query.names,
    }
