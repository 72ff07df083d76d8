"""The default method: bodies are followed through time by steps that are proved clear one by one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from keepclear.continuous.arguments import Query
from keepclear.continuous.moving_pair import MovingPair
from keepclear.continuous.place import place_of_contact
from keepclear.continuous.results import FirstContact
from keepclear.kernels import containment, gjk, mesh_convex, obb_distance, swept_leaf
from keepclear.proximity.distance import has_triangles
from keepclear.proximity.mesh_distance import obb_tree_of
from keepclear.proximity.packed import packed
from keepclear.results import Verdict
from keepclear.shapes.shape import Shape

TIME, NOW, CERTAIN = swept_leaf.TIME, swept_leaf.NOW, swept_leaf.CERTAIN


def advance_first_contact(query: Query) -> FirstContact | None:
    """Return when two bodies first come within the margin, or None where rounding leaves no proof either way."""
    pair = MovingPair.of(query)
    if query.t0 == query.t1:  # one instant: the shortest span that has it
        pair.query[swept_leaf.ENDS] = math.nextafter(query.t1, math.inf)
    if not pair.is_convex and starts_inside(pair, query):
        pair.answer[[TIME, CERTAIN]] = query.t0
        pair.answer[[swept_leaf.TRIANGLE_A, swept_leaf.TRIANGLE_B]] = -1.0
        pair.answer[swept_leaf.FOUND] = 0.0
    else:
        pair.run(query.budget)
    return None if pair.answer[swept_leaf.UNPROVED] else answer_of(pair, query)


def starts_inside(pair: MovingPair, query: Query) -> bool:
    """Tell whether one body is inside the other at the start, which surfaces alone do not show."""
    a, b = pair.bodies
    tree_a, tree_b = obb_tree_of(a), obb_tree_of(b)
    assert tree_a is not None
    X_WA, X_WB = query.motion_a.pose(query.t0), query.motion_b.pose(query.t0)
    if pair.swapped:
        X_WA, X_WB = X_WB, X_WA
    # As seen from A, so that a matrix that is not quite rigid is used as it is.
    X_AA, X_AB = np.eye(4)[None], np.ascontiguousarray(np.linalg.solve(X_WA, X_WB))[None]
    if tree_b is None:
        assert isinstance(b, Shape)
        row = np.empty(gjk.ROW)
        mesh_convex.distance(*tree_a.arrays, *packed(b), X_AA, X_AB, row, 0, 1)
        return bool(row[gjk.STATE] == obb_distance.CONTAINED)
    if not (tree_a.mesh.is_solid or tree_b.mesh.is_solid):
        return False
    inner, vertices = np.zeros(1, np.int32), np.zeros(1, np.int32)
    arrays = (*tree_a.arrays, *tree_b.arrays)
    containment.contained_many(*arrays, X_AA, X_AB, np.zeros(1, np.int64), inner, vertices)
    return bool(inner[0] != 0)


def answer_of(pair: MovingPair, query: Query) -> FirstContact:
    """Return what a search has found as a result."""
    answer = pair.answer
    time, now, certain = float(answer[TIME]), float(answer[NOW]), float(answer[CERTAIN])
    common = _common(pair, query)
    if time > now:  # nothing found, or a witness without a proof of all before it: the budget ended
        if time == math.inf and now >= query.t1:
            return FirstContact(verdict=Verdict.CLEAR, time=math.nan, t_lo=query.t1, t_hi=query.t1, **common)
        return FirstContact(
            verdict=Verdict.UNDECIDED, time=math.nan, t_lo=now, t_hi=min(time, query.t1), **common
        )
    time = min(time, query.t1)
    proved = certain <= query.t1 and certain - time <= (query.time_tolerance or math.inf)
    X_WA, X_WB = query.motion_a.pose(time), query.motion_b.pose(time)
    place = place_of_contact(pair, query, X_WA, X_WB)
    return FirstContact(
        verdict=Verdict.COLLIDING,
        time=time,
        t_lo=time,
        t_hi=certain if proved else time,
        X_WA=X_WA,
        X_WB=X_WB,
        p_W=place.p_W,
        normal_W=place.normal_W,
        distance=float(answer[swept_leaf.FOUND]),
        features=place.features,
        **common,
    )


def _common(pair: MovingPair, query: Query) -> dict[str, Any]:
    evaluations = int(pair.counts[swept_leaf.EVALUATIONS])
    counts = {"distances": evaluations}
    if has_triangles(pair.bodies[0]):
        counts["box pairs"] = int(pair.counts[swept_leaf.BOX_PAIRS])
    return {
        "evaluations": evaluations,
        "method": "hybrid",
        "holds": query.holds,
        "deviation": sum(query.deviations),
        "margin": query.margin,
        "tolerance": query.tolerance,
        "counts": counts,
        "names": query.names,
    }
