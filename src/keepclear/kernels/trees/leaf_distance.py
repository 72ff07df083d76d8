"""Two leaves in the search for the distance: measured, or proved separate along a direction."""

from __future__ import annotations

import math

from keepclear.kernels._compile import kernel
from keepclear.kernels.convex.distance_memory import keep
from keepclear.kernels.trees.obb_gap import triangle_reach
from keepclear.kernels.trees.obb_pair import corner_of_a, corner_of_b, opposite_in_b
from keepclear.kernels.triangles import triangle_distance as triangle


@kernel(boundscheck=False)
def keep_leaves(SA, TA, ta, SB, TB, tb, NB, a, b, Q, W, memory, motion):
    """Store the proof that two triangles, at the leaves a and b, are separate along the vector in W."""
    x, y, z = W[triangle.GAP], W[triangle.GAP + 1], W[triangle.GAP + 2]
    f = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = f * x, f * y, f * z
    u, v, w = opposite_in_b(Q, x, y, z)
    far_a, far_b = triangle_reach(SA, TA, ta, x, y, z), triangle_reach(SB, TB, tb, u, v, w)
    keep(NB, a, b, x, y, z, far_a, far_b, Q, memory, motion)


@kernel(inline=True, boundscheck=False)
def direction_of_gap(best, upper, scale, Q):
    """Return the unit vector between the closest points, which are `upper` apart, in A's frame, and in B's."""
    x, y, z = best[triangle.GAP], best[triangle.GAP + 1], best[triangle.GAP + 2]
    f = 1.0 / (upper * scale)
    nx, ny = f * (Q[0] * x + Q[3] * y + Q[6] * z), f * (Q[1] * x + Q[4] * y + Q[7] * z)
    nz = f * (Q[2] * x + Q[5] * y + Q[8] * z)
    return x / upper, y / upper, z / upper, nx, ny, nz


@kernel(boundscheck=False)
def measure(SA, TA, ta, SB, TB, tb, Q, upper, nx, ny, nz, W):
    """Write the closest points of two triangles to W, unless a direction proves that they are not closer than `upper`.

    Then W receives that direction, for the gap. The direction n between the closest points so far decides nearly all
    pairs around them: where both surfaces are convex towards each other it separates every pair by as much. The normals
    of the two triangles are tried next.
    """
    ax, ay, az = corner_of_a(SA, TA, 3 * ta)
    bx, by, bz = corner_of_a(SA, TA, 3 * ta + 1)
    cx, cy, cz = corner_of_a(SA, TA, 3 * ta + 2)
    px, py, pz = corner_of_b(SB, TB, 3 * tb, Q)
    qx, qy, qz = corner_of_b(SB, TB, 3 * tb + 1, Q)
    rx, ry, rz = corner_of_b(SB, TB, 3 * tb + 2, Q)
    enough = upper - Q[13]
    W[triangle.GAP], W[triangle.GAP + 1], W[triangle.GAP + 2] = nx, ny, nz
    gap = triangle.gap_along(
        ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, nx, ny, nz
    )  # fmt: skip
    # harmless (<=): a gap along any direction is a bound, and triangles without one are measured
    if gap <= enough:
        gap = triangle.plane_gap(
            ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, 1.0, W
        )
    # harmless (<=): a gap along any direction is a bound, and triangles without one are measured
    if gap <= enough:
        gap = triangle.plane_gap(
            px, py, pz, qx, qy, qz, rx, ry, rz, ax, ay, az, bx, by, bz, cx, cy, cz, -1.0, W
        )
    if gap > enough:
        W[triangle.SQUARE], W[triangle.LOWER] = math.inf, gap
        return
    triangle.closest(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, W)


@kernel(boundscheck=False)
def measure_fully(SA, TA, ta, SB, TB, tb, Q, W):
    """Write the closest points of two triangles to W."""
    ax, ay, az = corner_of_a(SA, TA, 3 * ta)
    bx, by, bz = corner_of_a(SA, TA, 3 * ta + 1)
    cx, cy, cz = corner_of_a(SA, TA, 3 * ta + 2)
    px, py, pz = corner_of_b(SB, TB, 3 * tb, Q)
    qx, qy, qz = corner_of_b(SB, TB, 3 * tb + 1, Q)
    rx, ry, rz = corner_of_b(SB, TB, 3 * tb + 2, Q)
    triangle.closest(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz, W)
