"""The default method, conservative advancement: steps in time that are proved clear one by one."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.continuous.advancement_result import AdvancementContact
from keepclear.continuous.extent import ball_and_box, bounding_volumes_of, shape_of
from keepclear.continuous.moving_pair import MovingPair
from keepclear.continuous.query import Query
from keepclear.continuous.results import FirstContact
from keepclear.kernels.convex import gjk
from keepclear.kernels.motion.state import LARGEST, SMALLEST
from keepclear.kernels.trees import containment, mesh_convex, obb_distance
from keepclear.proximity.body import Geometry
from keepclear.proximity.mesh_distance import obb_tree_of
from keepclear.proximity.packed import packed
from keepclear.shapes.shape import Shape


def advance_first_contact(query: Query) -> FirstContact | None:
    """Return when two bodies first come within the margin, or None where rounding leaves no proof either way."""
    pair = MovingPair.of(query)
    if not pair.is_convex and starts_inside(pair, query):
        row = pair.row
        row["time"] = row["certain"] = query.t0
        row["triangle_a"] = row["triangle_b"] = -1
        row["distance"] = 0.0
    else:
        pair.run(query.budget)
    return None if pair.row["unproved"][0] else AdvancementContact(query, pair.row, 0)


def _far_apart(a: Geometry, b: Geometry, X_AB: FloatArray, stretch: float) -> bool:
    """Return whether balls around two bodies are apart, by more than rounding.

    Args:
        a: One body.
        b: The other.
        X_AB: Pose of B in the frame of A.
        stretch: Factor by which lengths of B can be longer there than in its own frame.
    """
    ball_a, ball_b = ball_and_box(a)[:4], ball_and_box(b)[:4]
    between = X_AB[:3, :3] @ ball_b[:3] + X_AB[:3, 3] - ball_a[:3]
    return bool(np.sqrt(between @ between) > 1.01 * (ball_a[3] + stretch * ball_b[3]))


def starts_inside(pair: MovingPair, query: Query) -> bool:
    """Return whether one body is inside the other at the start, which a comparison of surfaces does not find."""
    a, b = pair.bodies
    if query.starts_apart or not bounding_volumes_of(a).is_mesh:
        return False
    if not bounding_volumes_of(b).is_mesh and pair.keeps_out(query.t0):
        return False
    X_WA, X_WB = query.motion_a.pose(query.t0), query.motion_b.pose(query.t0)
    if pair.swapped:
        X_WA, X_WB = X_WB, X_WA
    # Relative to A, so that a matrix that is not quite rigid is used as it is.
    X_AA, X_AB = np.eye(4)[None], np.ascontiguousarray(np.linalg.solve(X_WA, X_WB))[None]
    Q_A, Q_B = pair.packs
    if _far_apart(a, b, X_AB[0], float(Q_B[LARGEST] / Q_A[SMALLEST])):
        return False
    if bounding_volumes_of(b).is_mesh and not (shape_of(a).is_solid or shape_of(b).is_solid):
        return False
    tree_a, tree_b = obb_tree_of(a), obb_tree_of(b)
    assert tree_a is not None
    if tree_b is None:
        assert isinstance(b, Shape)
        row = np.empty(gjk.ROW)
        mesh_convex.distance(*tree_a.arrays, *packed(b), X_AA, X_AB, row, 0, 1)
        return bool(row[gjk.STATE] == obb_distance.CONTAINED)
    inner, vertices = np.zeros(1, np.int32), np.zeros(1, np.int32)
    arrays = (*tree_a.arrays, *tree_b.arrays)
    containment.contained_many(*arrays, X_AA, X_AB, np.zeros(1, np.int64), inner, vertices)
    return bool(inner[0] != 0)
