"""Upper bounds on the least distance of two moving bodies, at least one a mesh, from triangles near hull witnesses.

The closest points of two hulls lie on the meshes themselves wherever these are convex towards each other, and the
triangles nearest to them then have the distance of the hulls. So the least distance of the hulls, which is found much
faster, is that of the meshes, and one pair of triangles proves it.

Elsewhere the triangle nearest to the other body's point is tried next, and so on while the distance decreases. Then the
least distance of the two triangles over the whole time is searched, the triangles that are close at that instant are
tried again, and so on. The search ends in a local minimum of the distance, which is an upper bound.
"""

from __future__ import annotations

import math

import numpy as np

from keepclear.compiler.kernel import kernel
from keepclear.kernels.advance.convex import RELATIVE, closest_points, forget
from keepclear.kernels.advance.convex import WORK as WORK_CONVEX
from keepclear.kernels.advance.mesh_pair import set_triangle
from keepclear.kernels.advance.minimum import ALLOWANCE, WORK, least_row
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import RADIUS
from keepclear.kernels.motion.rows import motion_of
from keepclear.kernels.motion.state import is_affine, mapped, piece_at, relative_at
from keepclear.kernels.tables.body import links_at, nodes_at, reals_at
from keepclear.kernels.tables.pair import PAIR
from keepclear.kernels.trees.mesh_convex import ROOM, as_triangle
from keepclear.kernels.trees.nearest_triangle import nearest_triangle
from keepclear.kernels.trees.obb_pair import STACK

ROUNDS = 8  # rounds over triangles at an instant, and over instants
MOST = 200  # distance queries for the least distance of two triangles


@kernel(inline=True, boundscheck=False)
def _brought_back(R, m, x, y, z):
    """Return the point (x, y, z) of A's frame in B's frame, by the rigid map at R[m:]."""
    x, y, z = x - R[m + 3], y - R[m + 7], z - R[m + 11]
    return (
        R[m] * x + R[m + 4] * y + R[m + 8] * z,
        R[m + 1] * x + R[m + 5] * y + R[m + 9] * z,
        R[m + 2] * x + R[m + 6] * y + R[m + 10] * z,
    )


@kernel(boundscheck=False)
def _approach(
    FA, IA, FB, IB, QA, QB, SA, TA, NA, LA, SB, TB, NB, LB, t, size, enough, R, M, PA, PB, K, stack, bounds
):
    """Return an upper bound on the distance at time t, and the triangles that attain it, by alternating projections."""
    relative_at(QA, piece_at(QA, t), QB, piece_at(QB, t), t, R, R, RELATIVE)
    forget(M)
    found = closest_points(FA, IA, FB, IB, R, RELATIVE, M, 0.0)
    a, b = found[4], found[5]
    best, best_a, best_b, last_a, last_b = math.inf, 0, 0, -1, -1
    for _ in range(ROUNDS):
        ta, tb = 0, 0
        EA, JA, EB, JB = FA, IA, FB, IB
        if SA.shape[0] > 0:
            ta = nearest_triangle(SA, TA, NA, LA, a[0], a[1], a[2], stack, bounds)
            as_triangle(SA, TA, ta, PA)
            EA, JA = PA, K
        if SB.shape[0] > 0:
            tb = nearest_triangle(SB, TB, NB, LB, b[0], b[1], b[2], stack, bounds)
            as_triangle(SB, TB, tb, PB)
            EB, JB = PB, K
        if ta == last_a and tb == last_b:
            break
        last_a, last_b = ta, tb
        forget(M)
        found = closest_points(EA, JA, EB, JB, R, RELATIVE, M, 0.0)
        inside, upper, a, b = found[0], found[1], found[4], found[5]
        radii = EA[RADIUS] + EB[RADIUS]
        rounding = ALLOWANCE * (size + radii)
        reached = motion_of(QA).largest * max((0.0 if inside else upper) + rounding - radii, 0.0)
        if not reached < best:
            break
        best, best_a, best_b = reached, ta, tb
        if best <= enough:
            break
        a, b = mapped(R, RELATIVE, b[0], b[1], b[2]), _brought_back(R, RELATIVE, a[0], a[1], a[2])
    return best, best_a, best_b


@kernel(boundscheck=False)
def _reached_by(
    FA, IA, FB, IB, QA, QB, SA, TA, NA, LA, SB, TB, NB, LB, pair, enough, tolerance, W, R, M, PA, PB, K, stack, bounds
):  # fmt: skip
    """Return an upper bound on the least distance of two bodies, and when it is attained; motions must be rigid.

    Args:
        FA, IA, FB, IB, QA, QB: Their hulls and motions.
        SA, TA, NA, LA, SB, TB, NB, LB: Surface and tree of each mesh; arrays of length 0 for a body that equals its
            hull.
        pair: The row of the pair, which is used up; its `time` is the instant to begin with.
        enough: The bound is not improved below this [m], nor by less than `tolerance`.
        W, R, M, PA, PB, K, stack, bounds: Scratch.
    """
    t = pair.time
    size, upper, time = pair.scale, math.inf, t
    for _ in range(ROUNDS):
        found, ta, tb = _approach(
            FA, IA, FB, IB, QA, QB, SA, TA, NA, LA, SB, TB, NB, LB, t, size, enough, R, M, PA, PB, K, stack, bounds
        )  # fmt: skip
        closer = found < upper - tolerance
        if found < upper:
            upper, time = found, t
        if upper <= enough or not closer:
            break
        pair.tolerance, pair.hint = 0.5 * tolerance, t
        pair.now, pair.distance, pair.time, pair.lower = pair.t0, upper, time, math.inf
        pair.unproved, pair.evaluations, pair.limit = 0, 0, MOST
        EA, JA, EB, JB = FA, IA, FB, IB
        if SA.shape[0] > 0:
            as_triangle(SA, TA, ta, PA)
            EA, JA = PA, K
        if SB.shape[0] > 0:
            set_triangle(SB, TB, tb, PB, pair.ball)
            EB, JB = PB, K
        least_row(EA, JA, EB, JB, QA, QB, pair, W, M)
        # harmless (<): it selects whether the search for a smaller upper bound goes on
        closer = pair.distance < upper - tolerance
        if pair.distance < upper:
            upper, time = pair.distance, pair.time
        # harmless (<=): likewise
        if upper <= enough or not closer:
            break
        t = time
    return upper, time


@kernel(
    "void(BODY[::1], float64[::1], int64[::1], PAIR[::1], int64[::1], int64[::1], float64, float64[:,::1])",
    allocates=True,
)
def reached_by_units(bodies, Q, motions, pairs, surfaces, order, tolerance, found):
    """Write upper bounds on the least distances of units: the smallest one of their rows.

    Rows that cannot improve the bound of their unit by more than the tolerance are left out.

    Args:
        bodies, Q, motions, pairs: Rows whose hulls were searched, as in `least_convex.least_pairs`.
        surfaces: The row of `bodies` of each GEOM itself; -1 for one without advancement kernels.
        order: Rows, by unit, and in each unit by `lower`.
        tolerance: How far apart the bounds of a unit may be [m].
        found: Receives upper bound, its time, the row that attains it (-1: none), and how many rows were searched; a
            line for each unit.
    """
    spares, W, R, M = np.empty(1, PAIR), np.empty(WORK), np.empty(WORK_CONVEX), np.zeros(gjk.MEMORY)
    PA, PB, K = np.zeros(ROOM), np.zeros(ROOM), np.zeros(1, np.int32)
    stack, bounds = np.empty(STACK, np.int32), np.empty(STACK)
    n = -1
    for i in range(order.shape[0]):
        k = order[i]
        if i == 0 or pairs[order[i - 1]].unit != pairs[k].unit:
            n += 1
            found[n, 0], found[n, 1], found[n, 2], found[n, 3] = math.inf, math.nan, -1.0, 0.0
        low = pairs[k].lower
        if not low < found[n, 0] - tolerance:
            continue
        found[n, 3] += 1.0
        g, h = surfaces[pairs[k].geom_a], surfaces[pairs[k].geom_b]
        if pairs[k].unproved or g < 0 or h < 0:
            continue
        spares[0] = pairs[k]
        pair = spares[0]
        if pair.swapped:
            g, h = h, g
        upper, time = pair.distance, pair.time
        if bodies[g].n_nodes > 0 or bodies[h].n_nodes > 0:
            a, b = bodies[pair.shape_a], bodies[pair.shape_b]
            QA, QB = Q[motions[pair.motion_a] :], Q[motions[pair.motion_b] :]
            if is_affine(QA) or is_affine(QB):
                continue
            s, t = bodies[g], bodies[h]
            is_a, is_b = min(s.n_nodes, 1), min(t.n_nodes, 1)
            upper, time = _reached_by(
                reals_at(a.reals, a.n_reals), links_at(a.links, a.n_links),
                reals_at(b.reals, b.n_reals), links_at(b.links, b.n_links), QA, QB,
                reals_at(s.reals, s.n_reals * is_a), links_at(s.links, s.n_links * is_a),
                nodes_at(s.nodes, s.n_nodes), links_at(s.children, s.n_children),
                reals_at(t.reals, t.n_reals * is_b), links_at(t.links, t.n_links * is_b),
                nodes_at(t.nodes, t.n_nodes), links_at(t.children, t.n_children),
                pair, low + tolerance, 0.1 * tolerance, W, R, M, PA, PB, K, stack, bounds,
            )  # fmt: skip
        if upper < found[n, 0]:
            found[n, 0], found[n, 1], found[n, 2] = upper, time, float(k)
