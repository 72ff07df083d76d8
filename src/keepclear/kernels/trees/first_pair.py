"""Two triangles of two meshes that are nearly closest: the start of a search for the distance.

They are near the closest points of the convex hulls, found by GJK with the trees of the meshes as support functions.
"""

from __future__ import annotations

import math

from keepclear.compiler.kernel import kernel
from keepclear.kernels.convex.gjk import COUNTS, iterate, known_points, witness_points
from keepclear.kernels.tables.surface import ORIGIN, ROOT_HALF
from keepclear.kernels.trees.nearest_triangle import nearest_triangle
from keepclear.kernels.trees.obb_gap import box_reach, measure_fully
from keepclear.kernels.trees.obb_pair import opposite_in_b, to_b
from keepclear.kernels.trees.obb_tree import LINK, NODE, corner
from keepclear.kernels.triangles import triangle_distance as triangle

# Rounds of projections from one body to the other; two or three suffice.
ROUNDS = 4
# Results: the closest points of both hulls in A's frame, then the unit vector from A to B. Then the simplex.
POINT_A, POINT_B, NORMAL, SIMPLEX = 0, 3, 6, 9
HULLS = SIMPLEX + COUNTS
# Only the start of a search: exact closest points would cost more than they save.
ITERATIONS, PATIENCE = 8, 3
ROUGH = 1e-3  # accuracy, as a fraction of the distance of the hulls


@kernel(boundscheck=False)
def _support(A, x, y, z, best, _rough):
    """Return the support point along a direction, relative to the origin of the tree, its corner, and 1.

    That of the last direction, corner `best`, saves most of the search.
    """
    S, T, N, L, stack, bounds = A
    px, py, pz = corner(S, T, best)
    far = x * px + y * py + z * pz
    stack[0], bounds[0], depth = 0, math.inf, 1
    while depth > 0:
        depth -= 1
        if bounds[depth] <= far:
            continue
        link = L[NODE * stack[depth] + LINK]
        while link >= 0:
            p, q = box_reach(N, NODE * link, x, y, z), box_reach(N, NODE * link + NODE, x, y, z)
            other = link + 1
            if p < q:
                p, q = q, p
                other, link = link, other
            if q > far:
                stack[depth], bounds[depth] = other, q
                depth += 1
            if p <= far:
                break
            link = L[NODE * link + LINK]
        if link < 0:
            t = -1 - link
            for k in range(3):
                u, v, w = corner(S, T, 3 * t + k)
                along = x * u + y * v + z * w
                if along > far:
                    far, px, py, pz, best = along, u, v, w, 3 * t + k
    return px, py, pz, best, 1


@kernel(inline=True, boundscheck=False)
def _support_of_tree(A, x, y, z, best, rough, _held):
    """Return what `_support` does, in a search."""
    return _support(A, x, y, z, best, rough)


@kernel(inline=True, boundscheck=False)
def _between_trees(_A, _B, pose, _H):
    """Return the vector from the origin of B's tree to that of A's."""
    return -pose[9], -pose[10], -pose[11]


@kernel(inline=True, boundscheck=False)
def _is_near_enough(H, iterations, v, length, upper, plane, best, *_):
    """Return 1 if closest points are good enough as the start of a search or hulls may overlap, else 0; and the gap."""
    if plane > best:
        best = plane
        H[NORMAL], H[NORMAL + 1], H[NORMAL + 2] = -v[0] / length, -v[1] / length, -v[2] / length
    if iterations >= ITERATIONS or (iterations == PATIENCE and not best > 0.0):
        return 1, best
    # harmless (>=): it ends sooner or later; the gap of every plane is a bound
    return 1 if plane >= (1.0 - ROUGH) * upper else 0, best


@kernel(boundscheck=False)
def hull_pair(SA, TA, NA, LA, SB, TB, NB, LB, Q, stack, bounds, H):
    """Return a lower bound on the distance of the hulls, up to rounding of the pose; not positive if they may overlap.

    H receives the closest points of the hulls and the direction. The gap is that of the planes through the support
    points, so it is a lower bound on the distance of the meshes whether or not the iteration has converged.
    """
    pose = Q[0], Q[1], Q[2], Q[3], Q[4], Q[5], Q[6], Q[7], Q[8], Q[14], Q[15], Q[16]
    for i in range(4):
        H[SIMPLEX + i] = 0.0
    _, best, _, _, _, vx, vy, vz, l1, l2, l3, _, _, _ = iterate(
        _support_of_tree, known_points, _is_near_enough, (SA, TA, NA, LA, stack, bounds),
        (SB, TB, NB, LB, stack, bounds), pose, _between_trees, H, SIMPLEX, False, 0.0, 64.0 * Q[13], 0.0, 0.0, H,
    )  # fmt: skip
    x, y, z, _, _, _ = witness_points(H, SIMPLEX, l1, l2, l3)
    x, y, z = x + SA[ORIGIN], y + SA[ORIGIN + 1], z + SA[ORIGIN + 2]
    H[POINT_A], H[POINT_A + 1], H[POINT_A + 2] = x, y, z
    H[POINT_B], H[POINT_B + 1], H[POINT_B + 2] = x - vx, y - vy, z - vz
    return best


@kernel(boundscheck=False)
def plane_gap(SA, TA, NA, LA, SB, TB, NB, LB, Q, x, y, z, stack, bounds):
    """Return the gap of the meshes along a unit vector, up to the rounding of the pose."""
    u, v, w, _, _ = _support((SA, TA, NA, LA, stack, bounds), x, y, z, 0, False)
    dx, dy, dz = opposite_in_b(Q, x, y, z)
    p, q, r, _, _ = _support((SB, TB, NB, LB, stack, bounds), dx, dy, dz, 0, False)
    return x * Q[14] + y * Q[15] + z * Q[16] - (x * u + y * v + z * w) - (dx * p + dy * q + dz * r)


@kernel(inline=True, boundscheck=False)
def _balls_apart(SA, SB, Q):
    """Return whether the balls around the boxes of two meshes are separate."""
    a = SA[ROOT_HALF] ** 2 + SA[ROOT_HALF + 1] ** 2 + SA[ROOT_HALF + 2] ** 2
    b = SB[ROOT_HALF] ** 2 + SB[ROOT_HALF + 1] ** 2 + SB[ROOT_HALF + 2] ** 2
    reach = math.sqrt(a) + math.sqrt(b * Q[12])
    # harmless (reach * reach): the gap of hulls holds wherever it is computed
    return Q[14] * Q[14] + Q[15] * Q[15] + Q[16] * Q[16] > reach * reach


@kernel(boundscheck=False)
def first_pair(SA, TA, NA, LA, SB, TB, NB, LB, Q, stack, bounds, W, H):
    """Return two triangles that are nearly closest, -1 for none, and a lower bound on the distance of the hulls.

    The triangles nearest to the closest points of the hulls come first. Then come, in turn, the triangles of each body
    that are nearest to the closest point on the other one, while the distance decreases. The result is a local minimum:
    an upper bound on the distance that saves the search most pairs of boxes. If it is not above the gap of the hulls,
    it is the distance.

    This pays where the balls around the bodies are separate. It then saves two thirds of the pairs of boxes at 10 000
    triangles, and seven eighths at 100 000; nearer bodies are searched as fast without it.
    """
    if not _balls_apart(SA, SB, Q):
        return -1, -1, -math.inf
    gap = hull_pair(SA, TA, NA, LA, SB, TB, NB, LB, Q, stack, bounds, H)
    if not gap > 0.0:
        return -1, -1, gap
    ta = nearest_triangle(SA, TA, NA, LA, H[POINT_A], H[POINT_A + 1], H[POINT_A + 2], stack, bounds)
    x, y, z = to_b(Q, H[POINT_B], H[POINT_B + 1], H[POINT_B + 2])
    tb = nearest_triangle(SB, TB, NB, LB, x, y, z, stack, bounds)
    for _ in range(ROUNDS):
        measure_fully(SA, TA, ta, SB, TB, tb, Q, W)
        square = W[triangle.SQUARE]
        # harmless (>): it ends the choice of a first pair; any pair is valid
        if not square > gap * gap:
            break
        px, py, pz = W[triangle.POINT], W[triangle.POINT + 1], W[triangle.POINT + 2]
        x, y, z = to_b(Q, px, py, pz)
        next_b = nearest_triangle(SB, TB, NB, LB, x, y, z, stack, bounds)
        if next_b != tb:
            measure_fully(SA, TA, ta, SB, TB, next_b, Q, W)
            if not W[triangle.SQUARE] < square:
                break
            tb = next_b
            px, py, pz = W[triangle.POINT], W[triangle.POINT + 1], W[triangle.POINT + 2]
        x, y, z = px + W[triangle.GAP], py + W[triangle.GAP + 1], pz + W[triangle.GAP + 2]
        next_a = nearest_triangle(SA, TA, NA, LA, x, y, z, stack, bounds)
        if next_a == ta:
            break
        ta = next_a
    measure_fully(SA, TA, ta, SB, TB, tb, Q, W)
    d = math.sqrt(W[triangle.SQUARE])
    if d > 0.0:
        x, y, z = W[triangle.GAP] / d, W[triangle.GAP + 1] / d, W[triangle.GAP + 2] / d
        # harmless (max): both are lower bounds
        gap = max(gap, plane_gap(SA, TA, NA, LA, SB, TB, NB, LB, Q, x, y, z, stack, bounds))
    return ta, tb, gap
