"""Closest points of the convex hulls of two meshes, by GJK with the trees of the meshes as support functions."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.gjk import COUNTS, iterate, known_points, witness_points
from keepclear.kernels.trees.obb_tree import LINK, NODE, corner
from keepclear.kernels.trees.surface_layout import ORIGIN
from keepclear.kernels.trees.tree_reach import box_reach

# Results: the closest points of both hulls in A's frame, then the unit vector from A to B. Then the simplex.
POINT_A, POINT_B, NORMAL, SIMPLEX = 0, 3, 6, 9
HULLS = SIMPLEX + COUNTS
ITERATIONS, PATIENCE = (
    8,
    3,
)  # only the start of a search: exact closest points would cost more than they save
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
        _support, known_points, _is_near_enough, (SA, TA, NA, LA, stack, bounds), (SB, TB, NB, LB, stack, bounds), pose,
        _between_trees, H, SIMPLEX, False, 0.0, 64.0 * Q[13], 0.0, 0.0, H,
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
    dx, dy, dz = (
        -(Q[0] * x + Q[3] * y + Q[6] * z),
        -(Q[1] * x + Q[4] * y + Q[7] * z),
        -(Q[2] * x + Q[5] * y + Q[8] * z),
    )
    p, q, r, _, _ = _support((SB, TB, NB, LB, stack, bounds), dx, dy, dz, 0, False)
    return x * Q[14] + y * Q[15] + z * Q[16] - (x * u + y * v + z * w) - (dx * p + dy * q + dz * r)
